package validator

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// transactionMax is the largest transaction that is taken; version 1 has more room.
const (
	transactionMax   = 1232
	transactionMaxV1 = 4096
)

// decode reads a transaction whose signatures all stand.
func decode(p params) (*solana.Transaction, []byte, error) {
	var text string
	if err := p.read(0, &text); err != nil {
		return nil, nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, nil, invalid("invalid base64 encoding: " + err.Error())
	}
	tx, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return nil, nil, invalid("failed to deserialize: " + err.Error())
	}
	if most := transactionMax; len(raw) > most && (tx.Message.GetVersion() != solana.MessageVersionV1 || len(raw) > transactionMaxV1) {
		return nil, nil, invalid(fmt.Sprintf("too large: %d bytes", len(raw)))
	}
	return tx, raw, nil
}

// preflight is a refusal before sending.
func preflight(message string, reason, logs any) error {
	return &rpcError{
		Code: codePreflight, Message: "Transaction simulation failed: " + message, Data: map[string]any{"err": reason, "logs": logs},
	}
}

// sendTransaction takes a transaction in. What passes its checks is answered with
// its signature, which does not mean that it lands.
func (c *Chain) sendTransaction(p params) (any, error) {
	tx, raw, err := decode(p)
	if err != nil {
		return nil, err
	}
	if err := tx.VerifySignatures(); err != nil {
		return nil, &rpcError{Code: codeSignature, Message: "Transaction signature verification failure"}
	}
	how := struct {
		Skip       bool  `json:"skipPreflight"`
		Commitment level `json:"preflightCommitment"`
	}{Commitment: finalized}
	if err := p.read(1, &how); err != nil {
		return nil, err
	}
	if !how.Skip {
		if err := c.checked(tx, raw, how.Commitment); err != nil {
			return nil, err
		}
	}
	_, duplicate := c.known[tx.Signatures[0]]
	if duplicate || !c.usable(tx.Message.RecentBlockhash, c.slotAt(processed)) {
		return tx.Signatures[0], nil
	}
	if _, err := c.land(tx, raw); err != nil && errors.As(err, new(*rpcError)) {
		return tx.Signatures[0], nil // it could not pay, and was dropped
	} else if err != nil {
		return nil, err
	}
	return tx.Signatures[0], nil
}

// checked is the preflight of a transaction.
func (c *Chain) checked(tx *solana.Transaction, raw []byte, l level) error {
	if _, duplicate := c.known[tx.Signatures[0]]; duplicate {
		return preflight("This transaction has already been processed", "AlreadyProcessed", nil)
	}
	if !c.usable(tx.Message.RecentBlockhash, c.slotAt(l)) {
		return preflight("Blockhash not found", "BlockhashNotFound", nil)
	}
	would, err := c.simulated(raw)
	if err != nil {
		return err
	}
	if reason := would["err"]; len(reason) > 0 && string(reason) != "null" {
		return preflight("Error processing Instruction", reason, would["logs"])
	}
	return nil
}

// simulated is what a transaction would do on the newest accounts, over
// whatever blockhash.
func (c *Chain) simulated(raw []byte) (map[string]json.RawMessage, error) {
	var answer struct{ Value map[string]json.RawMessage }
	err := c.surfpool(&answer, "simulateTransaction", base64.StdEncoding.EncodeToString(raw),
		map[string]any{"encoding": "base64", "sigVerify": false, "replaceRecentBlockhash": true, "commitment": processed})
	return answer.Value, err
}

func (c *Chain) simulateTransaction(p params) (any, error) {
	_, raw, err := decode(p)
	if err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	would, err := c.simulated(raw)
	return at(slot, would), err
}

func (c *Chain) requestAirdrop(p params) (any, error) {
	var key solana.PublicKey
	var lamports uint64
	if err := p.read(0, &key); err != nil {
		return nil, err
	}
	if err := p.read(1, &lamports); err != nil {
		return nil, err
	}
	return c.airdrop(key, lamports)
}
