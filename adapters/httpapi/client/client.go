// Package client calls the casino's HTTP API from Go: one method per endpoint, with
// the shapes of the package api, and failures as *Error with the contract's code.
//
// Commands, tests and load generators use it, and so can anybody else: it needs
// the service's address and nothing of its configuration. It retries nothing by
// itself; a write with an IdempotencyKey can be repeated safely.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
)

// responseBytesMax bounds what is read of one response.
const responseBytesMax = 16 << 20

// Client calls one service, with one session or none. It is safe for concurrent use.
type Client struct {
	base  string
	http  *http.Client
	token string
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
	return &Client{base: c.base, http: c.http, token: token}
}

// Error is a failure that the service answered with.
type Error struct {
	Status int
	api.Failure
	// RetryAfter is how long the service asks to wait, 0 when it gives no time.
	RetryAfter time.Duration
}

// Error returns status, code and message.
func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// CodeOf returns the code of a failure that the service answered with, and ""
// for any other error and for nil.
func CodeOf(err error) string {
	var failure *Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}

// ServerTime returns the service's time where it refused a timestamp as stale: sign again
// with it.
func ServerTime(err error) (at time.Time, found bool) {
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != "STALE_TIMESTAMP" {
		return time.Time{}, false
	}
	millis, found := failure.Details["serverTime"].(float64)
	return time.UnixMilli(int64(millis)), found
}

// call is one request. Filter is a shape with a query, body one with a body.
type call struct {
	method, path string
	filter       any
	body         any
	key          string // Idempotency-Key
}

// response is what came back.
type response struct {
	status int
	header http.Header
	body   []byte
}

// do sends the call and decodes the response into a T; an empty one leaves it zero.
func do[T any](ctx context.Context, c *Client, what call) (T, error) {
	result, _, err := doOnce[T](ctx, c, what)
	return result, err
}

// get is do for what is only read.
func get[T any](ctx context.Context, c *Client, path string, filter any) (T, error) {
	return do[T](ctx, c, call{method: http.MethodGet, path: path, filter: filter})
}

// doOnce is do for calls with an idempotency key: replayed says that this repeats the
// first response to the key.
func doOnce[T any](ctx context.Context, c *Client, what call) (result T, replayed bool, err error) {
	got, err := c.send(ctx, what)
	replayed = err == nil && got.header.Get("Idempotent-Replayed") == "true"
	if err != nil || len(got.body) == 0 {
		return result, replayed, err
	}
	if err := json.Unmarshal(got.body, &result); err != nil {
		return result, replayed, fmt.Errorf("%s %s: the response can't be read: %w", what.method, what.path, err)
	}
	return result, replayed, nil
}

func (c *Client) send(ctx context.Context, what call) (response, error) {
	request, err := c.request(ctx, what)
	if err != nil {
		return response{}, err
	}
	sent, err := c.http.Do(request)
	if err != nil {
		return response{}, err
	}
	text, err := io.ReadAll(io.LimitReader(sent.Body, responseBytesMax))
	if err := errors.Join(err, sent.Body.Close()); err != nil {
		return response{}, fmt.Errorf("%s %s: %w", what.method, what.path, err)
	}
	got := response{status: sent.StatusCode, header: sent.Header, body: text}
	if got.status >= http.StatusBadRequest && !(what.path == "/health" && got.status == http.StatusServiceUnavailable) {
		return got, got.failure()
	}
	return got, nil
}

func (c *Client) request(ctx context.Context, what call) (*http.Request, error) {
	target := c.base + what.path
	if query := shape.Values(what.filter); len(query) > 0 {
		target += "?" + query.Encode()
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
	if what.key != "" {
		request.Header.Set("Idempotency-Key", what.key)
	}
	return request, nil
}

func (r response) failure() error {
	failure := &Error{}
	if err := json.Unmarshal(r.body, &failure.Failure); err != nil || failure.Code == "" {
		// Only what answers before the service does has another body.
		failure.Failure = api.Failure{Message: http.StatusText(r.status)}
	}
	failure.Status = r.status
	if seconds, err := strconv.Atoi(r.header.Get("Retry-After")); err == nil {
		failure.RetryAfter = time.Duration(seconds) * time.Second
	}
	return failure
}
