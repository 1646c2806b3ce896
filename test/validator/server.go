package validator

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// Codes of Solana's nodes.
const (
	codeParams             = -32602
	codeInternal           = -32603
	codePreflight          = -32002
	codeSignature          = -32003
	codeUnsupportedVersion = -32015
	codeMinContext         = -32016
)

func invalid(text string) error { return &rpcError{Code: codeParams, Message: text} }

// Handler answers Solana's JSON-RPC, one call a POST.
func (c *Chain) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var asked struct {
			ID     json.RawMessage
			Method string
			Params []json.RawMessage
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": null}
		if err = json.Unmarshal(body, &asked); err == nil {
			if asked.ID != nil {
				answer["id"] = asked.ID
			}
			answer["result"], err = c.answer(asked.Method, asked.Params)
		}
		if err != nil {
			refusal := (*rpcError)(nil)
			if !errors.As(err, &refusal) {
				refusal = &rpcError{Code: codeInternal, Message: err.Error()}
			}
			delete(answer, "result")
			answer["error"] = refusal
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer) // the client's connection is its own business
	})
}

// params are a call's.
type params []json.RawMessage

// read decodes one; a missing or null one leaves the value as it is.
func (p params) read(at int, into any) error {
	if at >= len(p) || string(p[at]) == "null" {
		return nil
	}
	if err := json.Unmarshal(p[at], into); err != nil {
		return invalid("Invalid params: " + err.Error())
	}
	return nil
}

// view is what most calls may ask for.
type view struct {
	Commitment level   `json:"commitment"`
	MinContext *uint64 `json:"minContextSlot"`
}

// viewed is the slot that a call looks at.
func (c *Chain) viewed(p params, at int) (uint64, error) {
	asked := view{Commitment: finalized}
	if err := p.read(at, &asked); err != nil {
		return 0, err
	}
	if _, known := depths[asked.Commitment]; !known {
		return 0, invalid("Invalid params: unknown commitment")
	}
	slot := c.slotAt(asked.Commitment)
	if asked.MinContext != nil && slot < *asked.MinContext {
		return 0, &rpcError{
			Code: codeMinContext, Message: "Minimum context slot has not been reached", Data: map[string]uint64{"contextSlot": slot},
		}
	}
	return slot, nil
}

// at puts a value into its context.
func at(slot uint64, value any) map[string]any {
	return map[string]any{"context": map[string]any{"slot": slot, "apiVersion": "4.1.2"}, "value": value}
}

// methods are what is answered here; all else is Surfpool's own answer.
var methods = map[string]func(*Chain, params) (any, error){
	"getSlot":                (*Chain).getSlot,
	"getBlockHeight":         (*Chain).getBlockHeight,
	"getBlockTime":           (*Chain).getBlockTime,
	"getLatestBlockhash":     (*Chain).getLatestBlockhash,
	"isBlockhashValid":       (*Chain).isBlockhashValid,
	"getHealth":              func(*Chain, params) (any, error) { return "ok", nil },
	"getFirstAvailableBlock": func(*Chain, params) (any, error) { return 0, nil },
	"minimumLedgerSlot":      func(*Chain, params) (any, error) { return 0, nil },

	"getAccountInfo":         (*Chain).getAccountInfo,
	"getMultipleAccounts":    (*Chain).getMultipleAccounts,
	"getBalance":             (*Chain).getBalance,
	"getTokenAccountBalance": (*Chain).getTokenAccountBalance,

	"getSignatureStatuses":    (*Chain).getSignatureStatuses,
	"getSignaturesForAddress": (*Chain).getSignaturesForAddress,
	"getTransaction":          (*Chain).getTransaction,

	"sendTransaction":     (*Chain).sendTransaction,
	"simulateTransaction": (*Chain).simulateTransaction,
	"requestAirdrop":      (*Chain).requestAirdrop,
}

func (c *Chain) answer(method string, p params) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if run, ours := methods[method]; ours {
		return run(c, p)
	}
	list := make([]any, len(p))
	for i := range p {
		list[i] = p[i]
	}
	var result json.RawMessage
	err := c.surfpool(&result, method, list...)
	return result, err
}
