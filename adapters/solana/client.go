package solana

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sony/gobreaker/v2"

	"github.com/casino-service/casino/domain/fault"
)

// answerMax bounds a response in bytes. The largest response, a transaction with its logs,
// is far smaller.
const answerMax = 4 << 20

// client makes JSON-RPC calls. It is stricter than solana-go's client, which reads a
// response without a result as null; null means "not found".
type client struct {
	url      string
	http     *http.Client
	secrets  *strings.Replacer
	calls    atomic.Uint64
	timeouts Timeouts
	breaker  *gobreaker.CircuitBreaker[response]
	called   func(context.Context, string) (context.Context, func(error))
}

func newClient(rawURL string, timeout time.Duration, timeouts Timeouts) *client {
	timeouts = timeouts.withDefaults()
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second, TLSHandshakeTimeout: timeout,
	}
	return &client{
		url: rawURL, secrets: newRedactor(rawURL), timeouts: timeouts, breaker: timeouts.newBreaker(),
		called: func(ctx context.Context, _ string) (context.Context, func(error)) { return ctx, func(error) {} },
		http: &http.Client{
			Transport: transport, Timeout: timeout,
			// Following a redirect would send the call, and perhaps the key, to another
			// host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// newRedactor returns a replacer of the parts of a URL that may be a key: password, path
// and query.
func newRedactor(rawURL string) *strings.Replacer {
	const struck = "[…]"
	pairs := []string{rawURL, struck}
	strike := func(text string) {
		const shortest = 4 // shorter parts, such as v2 and rpc, also occur in ordinary text
		if len(text) >= shortest {
			pairs = append(pairs, text, struck)
		}
	}
	if u, err := url.Parse(rawURL); err == nil {
		if u.User != nil {
			password, _ := u.User.Password()
			strike(password)
			strike(u.User.Username())
		}
		for _, path := range []string{u.EscapedPath(), u.Path} {
			for segment := range strings.SplitSeq(path, "/") {
				strike(segment)
			}
		}
		strike(u.RawQuery)
		for _, values := range u.Query() {
			for _, value := range values {
				strike(value)
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// nodeError is an error returned by a node.
type nodeError struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data"`
}

// shownMax bounds how much of a node's message is repeated, in bytes.
const shownMax = 300

func (e *nodeError) Error() string {
	return fmt.Sprintf("the node answered %d: %s", e.Code, clipText(e.Message))
}

func clipText(text string) string {
	if len(text) > shownMax {
		return strings.ToValidUTF8(text[:shownMax], "") + "…"
	}
	return text
}

// chainError reports that the chain couldn't be read, or that its response can't be used.
// Its text is for logs; the fault that it wraps may be shown to anyone.
type chainError struct {
	text   string
	public *fault.Error
	node   *nodeError // the node's error, if that was the cause
	cause  error      // a context's error or errOtherChain, if that was the cause
}

func (e *chainError) Error() string { return e.text }

func (e *chainError) Unwrap() []error {
	wrapped := []error{e.public}
	if e.node != nil {
		wrapped = append(wrapped, e.node)
	}
	if e.cause != nil {
		wrapped = append(wrapped, e.cause)
	}
	return wrapped
}

// unusableError returns the error for a response that can't be used.
func unusableError(format string, args ...any) error {
	return &chainError{
		text:   "solana: " + fmt.Sprintf(format, args...),
		public: fault.New(fault.External, "the chain can't be read at the moment"),
	}
}

// request is a JSON-RPC call.
type request struct {
	Version string `json:"jsonrpc"`
	ID      uint64 `json:"id"`
	Method  string `json:"method"`
	Params  []any  `json:"params,omitempty"`
}

// response is a JSON-RPC response: a result, which may be null, or an error.
type response struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  jsontext.Value `json:"result"`
	Error   *nodeError     `json:"error"`
}

// callMethod calls the node and decodes the result; null becomes the zero value. It repeats
// only calls that a busy node rejected; other calls are retried by the caller's next step.
func (c *client) callMethod(ctx context.Context, result any, method string, params ...any) error {
	ctx, done := c.called(ctx, method)
	err := c.postAndDecode(ctx, result, method, params)
	done(err)
	return err
}

func (c *client) postAndDecode(ctx context.Context, result any, method string, params []any) error {
	answer, err := c.postWithRetry(ctx, method, params)
	if err == nil && answer.Error == nil {
		err = json.Unmarshal(answer.Result, result)
	}
	if err == nil && answer.Error == nil {
		return nil
	}
	refusal := &chainError{public: fault.New(fault.External, "the chain can't be read at the moment"), cause: ctx.Err()}
	if err == nil {
		answer.Error.Message = c.secrets.Replace(answer.Error.Message)
		answer.Error.Data = jsontext.Value(c.secrets.Replace(string(answer.Error.Data)))
		refusal.node, err = answer.Error, answer.Error
	}
	refusal.text = c.secrets.Replace(fmt.Sprintf("solana: %s: %v", method, err))
	return refusal
}

// postOnce makes a call once and returns its response.
func (c *client) postOnce(ctx context.Context, method string, params []any) (response, error) {
	id := c.calls.Add(1)
	body, err := json.Marshal(request{Version: "2.0", ID: id, Method: method, Params: params})
	if err != nil {
		return response{}, err
	}
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return response{}, errors.New("the call can't be made")
	}
	call.Header.Set("Content-Type", "application/json")
	call.Header.Set("Accept", "application/json")
	answered, err := c.http.Do(call)
	if err != nil {
		if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
			err = wrapped.Err // the outer error contains the URL
		}
		return response{}, err
	}
	defer func() { _ = answered.Body.Close() }() // an error of Close doesn't matter after reading
	text, err := io.ReadAll(io.LimitReader(answered.Body, answerMax+1))
	if refused := busyAnswer(answered); refused != nil {
		return response{}, refused
	}
	switch {
	case err != nil:
		return response{}, err
	case answered.StatusCode != http.StatusOK:
		return response{}, fmt.Errorf("HTTP status %d", answered.StatusCode)
	case len(text) > answerMax:
		return response{}, errors.New("the response is too long")
	}
	var answer response
	if err := json.Unmarshal(text, &answer); err != nil {
		return response{}, fmt.Errorf("no JSON-RPC answer: %s", clipText(err.Error()))
	}
	switch {
	case answer.Version != "2.0" || string(answer.ID) != strconv.FormatUint(id, 10):
		return response{}, errors.New("the response is not to this call")
	case answer.Error == nil && len(answer.Result) == 0:
		return response{}, errors.New("the response has neither a result nor an error")
	}
	return answer, nil
}

// Commitment levels of calls.
const (
	processed = "processed"
	confirmed = "confirmed"
	finalized = "finalized"
)

// options are the last parameter of most calls.
type options map[string]any

// atCommitment returns the options of a read at a commitment level.
func atCommitment(commitment string) options { return options{"commitment": commitment} }

// answerContext is the slot at which a node answered.
type answerContext struct {
	Slot uint64 `json:"slot"`
}

// contextual is a value with its context; a missing value stays nil.
type contextual[V any] struct {
	Context answerContext `json:"context"`
	Value   V             `json:"value"`
}
