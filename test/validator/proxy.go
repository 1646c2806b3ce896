package validator

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Call is one that passes a Proxy.
type Call struct {
	Method string
	Body   []byte
	chain  http.Handler
}

// Pass carries the call out and returns the node's answer.
func (c Call) Pass() []byte {
	recorder := httptest.NewRecorder()
	c.chain.ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(c.Body)))
	return recorder.Body.Bytes()
}

// Result is an answer to the call with the given result.
func (c Call) Result(result any) *Reply { return c.reply("result", result) }

// Refuse is an answer to the call with an error.
func (c Call) Refuse(code int, message string) *Reply {
	return c.reply("error", rpcError{Code: code, Message: message})
}

func (c Call) reply(member string, value any) *Reply {
	var asked struct{ ID json.RawMessage }
	_ = json.Unmarshal(c.Body, &asked) // a call without an id gets null
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": asked.ID, member: value})
	if err != nil {
		panic(err) // a test's own value
	}
	return &Reply{Status: http.StatusOK, Body: body}
}

// Reply is what a Proxy answers instead of the node; Drop cuts the connection.
type Reply struct {
	Status int
	Header map[string]string
	Body   []byte
	Drop   bool
}

// Proxy stands between a client and a node, and spoils the calls that a test chooses.
type Proxy struct {
	URL   string
	chain http.Handler

	mu    sync.Mutex
	spoil func(Call) *Reply
}

// NewProxy starts a proxy before a node. It ends with the test.
func NewProxy(t testing.TB, chain http.Handler) *Proxy {
	p := &Proxy{chain: chain}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// Spoil sets what is done with calls from now on; a nil reply lets one pass, and a nil
// function lets all pass. The function is called by one call at a time.
func (p *Proxy) Spoil(spoil func(Call) *Reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spoil = spoil
}

func (p *Proxy) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	if err != nil {
		return
	}
	var named struct{ Method string }
	_ = json.Unmarshal(body, &named) // what isn't JSON has no method
	call := Call{Method: named.Method, Body: body, chain: p.chain}
	instead := p.spoiled(call)
	switch {
	case instead == nil:
		instead = &Reply{Status: http.StatusOK, Body: call.Pass()}
	case instead.Drop:
		panic(http.ErrAbortHandler)
	}
	for name, value := range instead.Header {
		out.Header().Set(name, value)
	}
	out.WriteHeader(instead.Status)
	_, _ = out.Write(instead.Body) // the client's connection is its own business
}

func (p *Proxy) spoiled(call Call) *Reply {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spoil == nil {
		return nil
	}
	return p.spoil(call)
}
