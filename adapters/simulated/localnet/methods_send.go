package localnet

import (
	"encoding/base64"
	"errors"

	"github.com/gagliardetto/solana-go/base58"
)

// wireTransaction decodes a transaction; the default encoding is base58.
func wireTransaction(text, encoding string) (*transaction, error) {
	// The longest encodings of transactionMax bytes.
	const base58Longest, base64Longest = 1683, 1644
	var raw []byte
	var err error
	longest := base58Longest
	switch encoding {
	case "", "base58":
		if len(text) <= longest {
			raw, err = base58.Decode(text)
		}
	case "base64":
		if longest = base64Longest; len(text) <= longest {
			raw, err = base64.StdEncoding.DecodeString(text)
		}
	default:
		return nil, invalidParams("unsupported encoding: %s. Supported encodings: base58, base64", encoding)
	}
	const kind = "solana_transaction::versioned::VersionedTransaction"
	switch {
	case len(text) > longest:
		return nil, invalidParams("%s too large: %d bytes (max: encoded/raw %d/%d)", kind, len(text), longest, transactionMax)
	case err != nil:
		return nil, invalidParams("invalid encoding of %s: %s", kind, err)
	case len(raw) > transactionMax:
		return nil, invalidParams("decoded %s too large: %d bytes (max: %d bytes)", kind, len(raw), transactionMax)
	}
	t, err := decodeTransaction(raw)
	if err != nil {
		return nil, &rpcError{Code: codeParams, Message: err.Error()}
	}
	return t, nil
}

// errSignature rejects a transaction with an invalid signature.
var errSignature = &rpcError{Code: codeSignature, Message: signatureFailure}

// simulated is the result of a simulation in JSON-RPC's format.
type simulated struct {
	Err         *transactionError `json:"err"`
	Logs        []string          `json:"logs"`
	Units       uint64            `json:"unitsConsumed"`
	ReturnData  any               `json:"returnData"`
	Replacement any               `json:"replacementBlockhash,omitempty"`
	Fee         *uint64           `json:"fee"`
}

func (o outcome) simulationResult() simulated {
	s := simulated{Err: o.err, Logs: o.logs, Units: o.units}
	if s.Logs == nil {
		s.Logs = []string{}
	}
	if o.landed {
		s.Fee = &o.fee
	}
	return s
}

// sendTransaction checks a transaction, simulates it at the preflight's commitment, lands
// it and returns the signature. With skipPreflight it returns the signature even if the
// transaction can't land, as nodes do.
func (c *Chain) sendTransaction(p params) (any, error) {
	var text string
	if err := p.readParam(0, true, &text); err != nil {
		return nil, err
	}
	var wanted struct {
		Encoding      string  `json:"encoding"`
		SkipPreflight bool    `json:"skipPreflight"`
		Commitment    *level  `json:"preflightCommitment"`
		MinSlot       *uint64 `json:"minContextSlot"`
	}
	if err := p.readParam(1, false, &wanted); err != nil {
		return nil, err
	}
	slot, err := c.slotFor(view{Commitment: wanted.Commitment, MinContextSlot: wanted.MinSlot})
	if err != nil {
		return nil, err
	}
	t, err := wireTransaction(text, wanted.Encoding)
	if err != nil {
		return nil, err
	}
	verified := t.hasValidSignatures()
	if !wanted.SkipPreflight {
		if !verified {
			return nil, errSignature
		}
		if out := c.tryTransaction(t, slot); out.err != nil {
			return nil, preflightFailure(out)
		}
	}
	if !verified {
		return t.signature(), nil
	}
	if _, err := c.landTransaction(t); err != nil {
		return nil, err
	}
	return t.signature(), nil
}

// preflightFailure returns the error for a failed simulation.
func preflightFailure(out outcome) *rpcError {
	return &rpcError{Code: codePreflight, Message: "Transaction simulation failed: " + out.err.Error(), Data: out.simulationResult()}
}

// simulation holds the options of a simulation.
type simulation struct {
	view
	Encoding  string `json:"encoding"`
	SigVerify bool   `json:"sigVerify"`
	Replace   bool   `json:"replaceRecentBlockhash"`
}

func (c *Chain) simulateTransaction(p params) (any, error) {
	var text string
	if err := p.readParam(0, true, &text); err != nil {
		return nil, err
	}
	var wanted simulation
	if err := p.readParam(1, false, &wanted); err != nil {
		return nil, err
	}
	slot, err := c.slotFor(wanted.view)
	if err != nil {
		return nil, err
	}
	t, err := wireTransaction(text, wanted.Encoding)
	if err != nil {
		return nil, err
	}
	if wanted.SigVerify && wanted.Replace {
		return nil, &rpcError{Code: codeParams, Message: "sigVerify may not be used with replaceRecentBlockhash"}
	}
	if wanted.SigVerify && !t.hasValidSignatures() {
		return nil, errSignature
	}
	var replacement any
	if wanted.Replace {
		t.message.RecentBlockhash = c.blockhashOf(slot)
		replacement = c.latestBlockhash(slot)
	}
	out := c.tryTransaction(t, slot)
	shown := out.simulationResult()
	shown.Replacement = replacement
	return contextualAt(slot, shown), nil
}

// requestAirdrop pays from the faucet. It ignores a blockhash in the call's configuration
// and uses the newest.
func (c *Chain) requestAirdrop(p params) (any, error) {
	key, err := p.readAddress(0)
	if err != nil {
		return nil, err
	}
	var lamports uint64
	if err := p.readParam(1, true, &lamports); err != nil {
		return nil, err
	}
	if _, err := c.readViewSlot(p, 2); err != nil {
		return nil, err
	}
	signature, err := c.airdropLocked(key, lamports)
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		return nil, &rpcError{Code: codePreflight, Message: "airdrop request failed: " + refusal.Reason}
	}
	return signature, err
}
