package localnet

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
)

// Limits of one HTTP request.
const (
	bodyMax  = 256 << 10
	batchMax = 100
)

// Codes of JSON-RPC and of Solana's nodes.
const (
	codeParse               = -32700
	codeRequest             = -32600
	codeMethod              = -32601
	codeParams              = -32602
	codeInternal            = -32603
	codePreflight           = -32002
	codeSignature           = -32003
	codeBlockNotAvailable   = -32004
	codeSlotSkipped         = -32007
	codeUnsupportedVersion  = -32015
	codeMinContextNotFound  = -32016
	signatureFailure        = "Transaction signature verification failure"
	unsupportedVersionWords = "Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: \"maxSupportedTransactionVersion\": 0"
)

// rpcError is an error in a JSON-RPC response.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return e.Message }

// request is one call; ID and Params are kept unparsed.
type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// response is a JSON-RPC response.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// null is an explicit null result; without it the member would be omitted.
var null = json.RawMessage("null")

// Handler serves Solana's JSON-RPC: POST on any path, single calls and batches. Browsers of
// any origin may call it, so serve it on a loopback address only. GET /health answers "ok".
func (c *Chain) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		switch {
		case r.Method == http.MethodOptions:
			w.Header().Set("Access-Control-Allow-Methods", "POST")
			w.Header().Set("Access-Control-Allow-Headers", "*")
			w.Header().Set("Access-Control-Max-Age", "86400")
			w.WriteHeader(http.StatusNoContent)
		case r.Method == http.MethodGet && r.URL.Path == "/health":
			_, _ = io.WriteString(w, "ok") // the client may have hung up
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", "POST, OPTIONS")
			http.Error(w, "use POST", http.StatusMethodNotAllowed)
		default:
			c.handlePost(w, r)
		}
	})
}

// bodies are buffers for responses.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// handlePost answers one POST.
func (c *Chain) handlePost(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMax))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		http.Error(w, "the body is too long", http.StatusRequestEntityTooLarge)
		return
	} else if err != nil {
		http.Error(w, "the body can't be read", http.StatusBadRequest)
		return
	}
	answer, any := c.answerBody(body)
	if !any {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	text := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(text)
	text.Reset()
	encoder := json.NewEncoder(text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		http.Error(w, "the response can't be encoded", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text.Bytes()) // the client may have hung up
}

// answerBody handles a body: a call or a batch. False means that there is no response,
// because all calls were notifications.
func (c *Chain) answerBody(body []byte) (any, bool) {
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	if !json.Valid(trimmed) {
		return errorResponse(nil, codeParse, "Parse error"), true
	}
	if trimmed[0] != '[' {
		one, answered := c.handleCall(trimmed)
		return one, answered
	}
	var calls []json.RawMessage
	if err := json.Unmarshal(trimmed, &calls); err != nil || len(calls) == 0 {
		return errorResponse(nil, codeRequest, "Invalid request"), true
	}
	if len(calls) > batchMax {
		return errorResponse(nil, codeRequest, "Invalid request: too many calls in one batch"), true
	}
	var answers []response
	for _, each := range calls {
		if one, answered := c.handleCall(each); answered {
			answers = append(answers, one)
		}
	}
	return answers, len(answers) > 0
}

// handleCall handles one call; false if it was a notification.
func (c *Chain) handleCall(text json.RawMessage) (response, bool) {
	var r request
	if err := json.Unmarshal(text, &r); err != nil || r.Version != "2.0" || r.Method == "" || !validID(r.ID) {
		return errorResponse(nil, codeRequest, "Invalid request"), true
	}
	result, err := c.dispatchMethod(r)
	if r.ID == nil {
		return response{}, false
	}
	if err != nil {
		refusal := (*rpcError)(nil)
		if !errors.As(err, &refusal) {
			refusal = &rpcError{Code: codeInternal, Message: "Internal error: " + err.Error()}
		}
		return response{Version: "2.0", ID: r.ID, Error: refusal}, true
	}
	if result == nil {
		result = null
	}
	return response{Version: "2.0", ID: r.ID, Result: result}, true
}

// errorResponse returns a response with an error.
func errorResponse(id json.RawMessage, code int, message string) response {
	if id == nil {
		id = null
	}
	return response{Version: "2.0", ID: id, Error: &rpcError{Code: code, Message: message}}
}

// validID reports whether an id is absent, a string, a number or null.
func validID(id json.RawMessage) bool {
	return len(id) == 0 || id[0] != '{' && id[0] != '[' && id[0] != 't' && id[0] != 'f'
}

// dispatchMethod runs a method under the chain's lock. Results are copies, because they are
// encoded after the lock is released.
func (c *Chain) dispatchMethod(r request) (any, error) {
	run, known := methods[r.Method]
	if !known {
		return nil, &rpcError{Code: codeMethod, Message: "Method not found"}
	}
	p, err := readParams(r.Params)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.advanceSlot(); err != nil {
		return nil, err
	}
	return run(c, p)
}
