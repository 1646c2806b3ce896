package solana

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gagliardetto/solana-go"
	"github.com/go-json-experiment/json/jsontext"
)

// versionMax is the newest transaction version that is supported. Without it nodes return
// errors for newer transactions that they list.
const versionMax = 1

// transaction is a landed transaction with verified signatures.
type transaction struct {
	raw     []byte
	decoded *solana.Transaction
	// keys lists all accounts: those of the message, then those of lookup tables, writable
	// ones first. Balances use the same order.
	keys []solana.PublicKey
	meta meta
	slot uint64
	made *int64 // the block's time, in Unix seconds
}

// meta is the effect of a transaction as reported by a node.
type meta struct {
	Err          jsontext.Value `json:"err"`
	Fee          *uint64        `json:"fee"`
	PreBalances  []uint64       `json:"preBalances"`
	PostBalances []uint64       `json:"postBalances"`
	PreTokens    []tokenBalance `json:"preTokenBalances"`
	PostTokens   []tokenBalance `json:"postTokenBalances"`
	Loaded       struct {
		Writable []solana.PublicKey `json:"writable"`
		Readonly []solana.PublicKey `json:"readonly"`
	} `json:"loadedAddresses"`
}

// tokenBalance is one side of a token account.
type tokenBalance struct {
	Index   int               `json:"accountIndex"`
	Mint    solana.PublicKey  `json:"mint"`
	Owner   *solana.PublicKey `json:"owner"`
	Program *solana.PublicKey `json:"programId"`
	// Read the amount from its text; the float beside it is rounded.
	Amount struct {
		Text     string `json:"amount"`
		Decimals uint8  `json:"decimals"`
	} `json:"uiTokenAmount"`
	units uint64
}

// hasError reports whether an error member holds an error.
func hasError(err jsontext.Value) bool { return len(err) > 0 && string(err) != "null" }

// readTransaction returns the transaction with the signature at a commitment level; nil if
// the node doesn't have it. It checks that the first signature is this one, that all are
// valid, and that every balance belongs to an account.
func (n *Node) readTransaction(ctx context.Context, signature solana.Signature, commitment string) (*transaction, error) {
	var answer *struct {
		Slot        uint64   `json:"slot"`
		BlockTime   *int64   `json:"blockTime"`
		Transaction []string `json:"transaction"`
		Meta        *meta    `json:"meta"`
	}
	if err := n.rpc.callMethod(ctx, &answer, "getTransaction", signature.String(), options{
		"commitment": commitment, "encoding": "base64", "maxSupportedTransactionVersion": versionMax,
	}); err != nil {
		return nil, err
	}
	if answer == nil {
		return nil, nil
	}
	if len(answer.Transaction) != 2 || answer.Transaction[1] != "base64" || answer.Meta == nil {
		return nil, unusableError("transaction %s is not shown in base64 with its meta", signature)
	}
	if answer.Slot == 0 || len(answer.Meta.Err) == 0 || answer.Meta.Fee == nil {
		return nil, unusableError("transaction %s is shown without its slot, its error member or its fee", signature)
	}
	raw, err := base64.StdEncoding.DecodeString(answer.Transaction[0])
	if err != nil {
		return nil, unusableError("transaction %s: %v", signature, err)
	}
	shown := &transaction{raw: raw, meta: *answer.Meta, slot: answer.Slot, made: answer.BlockTime}
	if shown.decoded, err = decodeSigned(raw); err != nil {
		return nil, unusableError("transaction %s: %v", signature, err)
	}
	if shown.decoded.Signatures[0] != signature {
		return nil, unusableError("asked for transaction %s, got %s", signature, shown.decoded.Signatures[0])
	}
	if err := shown.joinAccounts(); err != nil {
		return nil, unusableError("transaction %s: %v", signature, err)
	}
	return shown, nil
}

// decodeSigned decodes a transaction and verifies all its signatures.
func decodeSigned(raw []byte) (*solana.Transaction, error) {
	decoded, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return nil, fmt.Errorf("can't be decoded: %w", err)
	}
	// Sanitize first: without it the accessors below may read past the end.
	if err := decoded.Sanitize(); err != nil {
		return nil, fmt.Errorf("isn't valid: %w", err)
	}
	if len(decoded.Signatures) == 0 {
		return nil, errors.New("has no signature")
	}
	again, err := decoded.MarshalBinary()
	if err != nil || !bytes.Equal(again, raw) {
		return nil, errors.New("isn't canonically encoded")
	}
	if err := decoded.VerifySignatures(); err != nil {
		return nil, err
	}
	return decoded, nil
}

// joinAccounts completes the list of accounts, and checks the balances against it.
func (t *transaction) joinAccounts() error {
	message := &t.decoded.Message
	writable := message.NumWritableLookups()
	if len(t.meta.Loaded.Writable) != writable || len(t.meta.Loaded.Readonly) != message.NumLookups()-writable {
		return errors.New("the loaded addresses are not those it looks up")
	}
	t.keys = append(t.keys, message.AccountKeys...)
	t.keys = append(t.keys, t.meta.Loaded.Writable...)
	t.keys = append(t.keys, t.meta.Loaded.Readonly...)
	if len(t.meta.PreBalances) != len(t.keys) || len(t.meta.PostBalances) != len(t.keys) {
		return fmt.Errorf("%d accounts with %d and %d balances", len(t.keys), len(t.meta.PreBalances), len(t.meta.PostBalances))
	}
	for _, side := range [][]tokenBalance{t.meta.PreTokens, t.meta.PostTokens} {
		seen := make(map[int]struct{}, len(side))
		for i := range side {
			balance := &side[i]
			if _, twice := seen[balance.Index]; twice || balance.Index < 0 || balance.Index >= len(t.keys) {
				return fmt.Errorf("a token balance of account %d", balance.Index)
			}
			seen[balance.Index] = struct{}{}
			var err error
			if balance.units, err = strconv.ParseUint(balance.Amount.Text, 10, 64); err != nil || balance.Owner == nil || balance.Program == nil {
				return fmt.Errorf("the token balance of account %d is incomplete", balance.Index)
			}
		}
	}
	return nil
}

// lacksTokens reports whether the node left out token balances of the transaction: all of
// one side although a token program ran, or those of an existing token account of the
// treasury. Missing balances don't prove that no tokens arrived.
func (n *Node) lacksTokens(ctx context.Context, t *transaction) (bool, error) {
	ran := func(key solana.PublicKey) bool {
		return key == solana.TokenProgramID || key == solana.Token2022ProgramID
	}
	if hasError(t.meta.Err) || !slices.ContainsFunc(t.keys, ran) {
		return false, nil
	}
	if t.meta.PreTokens == nil || t.meta.PostTokens == nil {
		return true, nil
	}
	for i, key := range t.keys {
		has := func(b tokenBalance) bool { return b.Index == i }
		before, after := slices.ContainsFunc(t.meta.PreTokens, has), slices.ContainsFunc(t.meta.PostTokens, has)
		pre, post := t.meta.PreBalances[i], t.meta.PostBalances[i]
		neither, onlyOne := !before && !after && (pre > 0 || post > 0), before != after && pre == post && pre > 0
		if !n.reserved[key.String()] || !neither && !onlyOne {
			continue
		}
		// An account with lamports only is not a token account.
		found, err := n.readAccount(ctx, key, finalized, tokenAccountSize)
		if err != nil || found != nil && ran(found.Owner) {
			return err == nil, err
		}
	}
	return false, nil
}

// status is a node's status of a signature.
type status struct {
	Err   jsontext.Value `json:"err"`
	Level string         `json:"confirmationStatus"`
}

// signatureStatus searches the whole history for a signature. It returns its status, nil if
// the node has none, and the slot at which the node answered.
func (n *Node) signatureStatus(ctx context.Context, signature solana.Signature) (*status, uint64, error) {
	var answer contextual[[]*status]
	if err := n.rpc.callMethod(ctx, &answer, "getSignatureStatuses", []string{signature.String()},
		options{"searchTransactionHistory": true}); err != nil {
		return nil, 0, err
	}
	if len(answer.Value) != 1 {
		return nil, 0, unusableError("asked for one status, got %d", len(answer.Value))
	}
	if known := answer.Value[0]; known != nil && len(known.Err) == 0 {
		return nil, 0, unusableError("the status of %s doesn't say whether it failed", signature)
	}
	return answer.Value[0], answer.Context.Slot, nil
}
