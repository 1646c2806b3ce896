package validator

import "net/http"

// Fault is one thing that goes wrong between a client and its provider. Do
// returns nil for calls that it leaves alone.
type Fault struct {
	Name string
	Do   func(Call) *Reply
}

// farAhead is beyond every slot of a test.
const farAhead = 50_000_000

// answering spoils some methods by a result.
func answering(results map[string]any) func(Call) *Reply {
	return func(c Call) *Reply {
		if result, spoilt := results[c.Method]; spoilt {
			return c.Result(result)
		}
		return nil
	}
}

// Faults are all of them: missing answers first, then wrong answers that RPC providers
// have given.
var Faults = []Fault{
	{"too many requests", func(Call) *Reply {
		return &Reply{Status: http.StatusTooManyRequests, Header: map[string]string{"Retry-After": "7"}, Body: []byte("slow down")}
	}},
	{"internal error", func(Call) *Reply { return &Reply{Status: http.StatusInternalServerError} }},
	{"a gateway's page, after the call went through", func(c Call) *Reply {
		c.Pass()
		return &Reply{Status: http.StatusBadGateway, Body: []byte("<html>bad gateway</html>")}
	}},
	{"a page", func(Call) *Reply { return &Reply{Status: http.StatusOK, Body: []byte("<html>maintenance</html>")} }},
	{"cut off", func(c Call) *Reply {
		whole := c.Pass()
		return &Reply{Status: http.StatusOK, Body: whole[:len(whole)/2]}
	}},
	{"dropped", func(Call) *Reply { return &Reply{Drop: true} }},
	{"answer lost", func(c Call) *Reply {
		c.Pass()
		return &Reply{Drop: true}
	}},
	{"accepted and forgotten", func(c Call) *Reply {
		if c.Method != "sendTransaction" {
			return nil
		}
		return c.Result("1111111111111111111111111111111111111111111111111111111111111111")
	}},
	{"behind", func(c Call) *Reply { return c.Refuse(-32005, "Node is behind by 150 slots") }},
	{"stale", answering(map[string]any{
		"getSlot": 900, "getBlockHeight": 900, "getTransaction": nil,
		"getSignatureStatuses": at(900, []any{nil}), "isBlockhashValid": at(900, false),
	})},
	{"a slot for a height", answering(map[string]any{"getBlockHeight": farAhead})},
	{"pruned", answering(map[string]any{
		"getSignatureStatuses": at(farAhead, []any{nil}), "getTransaction": nil, "getFirstAvailableBlock": farAhead,
	})},
	{"the statuses are gone", answering(map[string]any{"getSignatureStatuses": at(farAhead, []any{nil})})},
}
