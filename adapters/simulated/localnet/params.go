package localnet

import (
	"encoding/json"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// params are a call's positional parameters.
type params []json.RawMessage

// invalidParams rejects a call with invalid parameters.
func invalidParams(format string, args ...any) *rpcError {
	return &rpcError{Code: codeParams, Message: "Invalid params: " + fmt.Sprintf(format, args...)}
}

func readParams(text json.RawMessage) (p params, err error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, invalidParams("expected an array")
	}
	return p, nil
}

// readParam decodes the parameter at a position into target. An absent one is an error if
// required; otherwise it leaves target unchanged.
func (p params) readParam(position int, required bool, target any) error {
	if position >= len(p) || string(p[position]) == "null" {
		if required {
			return invalidParams("missing parameter %d", position)
		}
		return nil
	}
	if err := json.Unmarshal(p[position], target); err != nil {
		return invalidParams("parameter %d: %s", position, err)
	}
	return nil
}

// readAddress reads an address.
func (p params) readAddress(position int) (solana.PublicKey, error) {
	var text string
	if err := p.readParam(position, true, &text); err != nil {
		return solana.PublicKey{}, err
	}
	return parseKey(text)
}

func parseKey(text string) (solana.PublicKey, error) {
	key, err := solana.PublicKeyFromBase58(text)
	if err != nil {
		return solana.PublicKey{}, &rpcError{Code: codeParams, Message: "Invalid param: Invalid"}
	}
	return key, nil
}

func parseSignature(text string) (solana.Signature, error) {
	signature, err := solana.SignatureFromBase58(text)
	if err != nil {
		return solana.Signature{}, &rpcError{Code: codeParams, Message: "Invalid param: Invalid"}
	}
	return signature, nil
}

// view is the commitment, and the minimum slot, that a call reads at.
type view struct {
	Commitment     *level  `json:"commitment"`
	MinContextSlot *uint64 `json:"minContextSlot"`
}

// slotFor returns the slot to read at for a call's view; the default is finalized.
func (c *Chain) slotFor(v view) (uint64, error) {
	wanted := finalized
	if v.Commitment != nil {
		wanted = *v.Commitment
	}
	switch wanted {
	case processed, confirmed, finalized:
	default:
		return 0, invalidParams("unknown commitment %q, expected processed, confirmed or finalized", wanted)
	}
	slot := c.slotAt(wanted)
	if v.MinContextSlot != nil && slot < *v.MinContextSlot {
		return 0, &rpcError{
			Code: codeMinContextNotFound, Message: "Minimum context slot has not been reached", Data: map[string]uint64{"contextSlot": slot},
		}
	}
	return slot, nil
}

// settledSlot is slotFor for methods that read the ledger, which has no data at commitment
// processed.
func (c *Chain) settledSlot(v view) (uint64, error) {
	if v.Commitment != nil && *v.Commitment == processed {
		return 0, &rpcError{Code: codeParams, Message: "Method does not support commitment below `confirmed`"}
	}
	return c.slotFor(v)
}

// readViewSlot reads the view at a position and returns its slot.
func (c *Chain) readViewSlot(p params, position int) (uint64, error) {
	var v view
	if err := p.readParam(position, false, &v); err != nil {
		return 0, err
	}
	return c.slotFor(v)
}

// context is the slot at which a value was read.
type context struct {
	Slot    uint64 `json:"slot"`
	Version string `json:"apiVersion"`
}

// contextual is a value with its context.
type contextual struct {
	Context context `json:"context"`
	Value   any     `json:"value"`
}

// apiVersion is the version reported by the simulated node.
const apiVersion = "4.1.2-localnet"

func contextualAt(slot uint64, value any) contextual {
	return contextual{Context: context{Slot: slot, Version: apiVersion}, Value: value}
}
