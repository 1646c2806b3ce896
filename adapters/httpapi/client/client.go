// Package client calls the casino's HTTP API from Go. Its methods are generated from
// openapi.yaml, one for each operation; failures are an *Error with the contract's code.
//
// It needs only the service's address. It doesn't retry; a write with an IdempotencyKey can
// be repeated safely.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// responseBytesMax bounds one response in bytes.
const responseBytesMax = 16 << 20

// Client calls one service, with at most one session. It is safe for concurrent use.
type Client struct {
	base     string
	http     *http.Client
	token    string
	receipts bool
}

// New returns a client that isn't signed in. The base URL ends with the
// service's base path: "http://127.0.0.1:8080/casino". A nil http.Client means
// http.DefaultClient.
func New(baseURL string, with *http.Client) *Client {
	if with == nil {
		with = http.DefaultClient
	}
	return &Client{base: baseURL, http: with}
}

// WithToken returns a client of the same service that sends this bearer token.
func (c *Client) WithToken(token string) *Client {
	with := *c
	with.token = token
	return &with
}

// WithReceipts returns a client that asks for receipts of what it changes: results then have
// a Receipt, where the service has a key for them.
func (c *Client) WithReceipts() *Client {
	with := *c
	with.receipts = true
	return &with
}

// Error is a failure reported by the service.
type Error struct {
	Status int
	api.Failure
	// RetryAfter is the wait that the service asks for, 0 if it gives none.
	RetryAfter time.Duration
}

// Error returns status, code and message.
func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// CodeOf returns the code of a failure reported by the service; "" for any other error and
// for nil.
func CodeOf(err error) string {
	var failure *Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}

// ServerTime returns the service's time if it rejected a timestamp as stale. Sign again
// with that time.
func ServerTime(err error) (at time.Time, found bool) {
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != "STALE_TIMESTAMP" {
		return time.Time{}, false
	}
	millis, found := failure.Details["serverTime"].(float64)
	return time.UnixMilli(int64(millis)), found
}

// OpenAPI returns the service's contract as JSON.
func (c *Client) OpenAPI(ctx context.Context) (json.RawMessage, error) {
	return send[json.RawMessage](ctx, c, call{method: http.MethodGet, path: "/openapi.json"})
}

// call is one request. Query is a struct of Params, or nil. Member is the member of the
// response to return; "" for the whole response.
type call struct {
	method, path string
	query, body  any
	member       string
	key          string
}

// pathOf fills in the variables of a path.
func pathOf(format string, variables ...string) string {
	escaped := make([]any, len(variables))
	for i, variable := range variables {
		escaped[i] = url.PathEscape(variable)
	}
	return fmt.Sprintf(format, escaped...)
}

// valuesOf returns the query of a struct of Params, without the zero fields.
func valuesOf(query any) url.Values {
	values, of := url.Values{}, reflect.ValueOf(query)
	for i := range of.NumField() {
		if field := of.Field(i); !field.IsZero() {
			values.Set(of.Type().Field(i).Tag.Get("query"), fmt.Sprint(reflect.Indirect(field).Interface()))
		}
	}
	return values
}

// send sends a call and decodes the response into a T; an empty one leaves it zero.
func send[T any](ctx context.Context, c *Client, what call) (T, error) {
	result, _, err := sendOnce[T](ctx, c, what)
	return result, err
}

// sendOnce is send for calls with an idempotency key; replayed reports that this is the
// first response to the key again.
func sendOnce[T any](ctx context.Context, c *Client, what call) (result T, replayed bool, err error) {
	response, err := c.send(ctx, what, "application/json")
	if err != nil {
		return result, false, err
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, responseBytesMax))
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return result, false, fmt.Errorf("%s %s: %w", what.method, what.path, err)
	}
	replayed = response.Header.Get("Idempotent-Replayed") == "true"
	if len(text) == 0 {
		return result, replayed, nil
	}
	if err := decode(text, what.member, &result); err != nil {
		return result, replayed, fmt.Errorf("%s %s: the response can't be read: %w", what.method, what.path, err)
	}
	return result, replayed, nil
}

// decode reads JSON, or only its member if that is not "".
func decode(text []byte, member string, into any) error {
	if member != "" {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(text, &object); err != nil {
			return err
		}
		text = object[member]
	}
	return json.Unmarshal(text, into)
}

// send sends a call. The caller must close the response's body. A failure is an *Error,
// except for GET /health of a service that is down.
func (c *Client) send(ctx context.Context, what call, accept string) (*http.Response, error) {
	request, err := c.request(ctx, what)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	down := what.path == "/health" && response.StatusCode == http.StatusServiceUnavailable
	if response.StatusCode < http.StatusBadRequest || down {
		return response, nil
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, responseBytesMax))
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, fmt.Errorf("%s %s: %w", what.method, what.path, err)
	}
	return nil, failureOf(response, text)
}

func (c *Client) request(ctx context.Context, what call) (*http.Request, error) {
	target := c.base + what.path
	if what.query != nil {
		if query := valuesOf(what.query).Encode(); query != "" {
			target += "?" + query
		}
	}
	var body io.Reader
	if what.body != nil {
		text, err := json.Marshal(what.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, what.method, target, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.receipts && what.method == http.MethodPost {
		request.Header.Set("Prefer", "receipt")
	}
	if what.key != "" {
		request.Header.Set("Idempotency-Key", what.key)
	}
	return request, nil
}

func failureOf(response *http.Response, text []byte) error {
	failure := &Error{}
	if err := json.Unmarshal(text, &failure.Failure); err != nil || failure.Code == "" {
		// A proxy in front of the service may send another body.
		failure.Failure = api.Failure{Message: http.StatusText(response.StatusCode)}
	}
	failure.Status = response.StatusCode
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		failure.RetryAfter = time.Duration(seconds) * time.Second
	}
	return failure
}
