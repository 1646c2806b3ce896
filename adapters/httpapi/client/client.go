// Package client is a typed Go client of the casino's HTTP API.
//
// `casino demo`, the load test and end-to-end tests use it, and so may anybody:
// it imports nothing of the service. Amounts are integers in base units, times
// Unix milliseconds, as on the wire.
package client

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mr-tron/base58"
)

// bodyMax bounds an answer.
const bodyMax = 8 << 20

// Client calls one service. It is safe for concurrent use. Session makes a copy
// that is signed in.
type Client struct {
	base  string
	http  *http.Client
	token string
}

// New returns a client of the service at the base URL, which ends with the
// service's path prefix: http://127.0.0.1:8080/casino. A nil HTTP client is the
// default one.
func New(base string, transport *http.Client) *Client {
	if transport == nil {
		transport = http.DefaultClient
	}
	return &Client{base: strings.TrimRight(base, "/"), http: transport}
}

// Error is a refusal by the service.
type Error struct {
	Status     int            `json:"-"`
	RetryAfter time.Duration  `json:"-"`
	Title      string         `json:"error"`
	Code       string         `json:"code"`
	Message    string         `json:"message"`
	Details    jsontext.Value `json:"details"`
	RequestID  string         `json:"requestId"`
}

// Error returns the code and the message.
func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// Code returns the code of a refusal in err's chain, and "" for any other error.
func Code(err error) string {
	var refusal *Error
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	return ""
}

// call is one request on its way.
type call struct {
	method, path   string
	query          url.Values
	body           any // nil for none
	idempotencyKey string
}

// do sends a call and decodes a good answer into answer, unless that is nil.
func (c *Client) do(ctx context.Context, what call, answer any) (replayed bool, err error) {
	var body io.Reader
	if what.body != nil {
		raw, err := json.Marshal(what.body)
		if err != nil {
			return false, err
		}
		body = bytes.NewReader(raw)
	}
	target := c.base + what.path
	if len(what.query) > 0 {
		target += "?" + what.query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, what.method, target, body)
	if err != nil {
		return false, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	if what.idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", what.idempotencyKey)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return false, err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(response.Body, bodyMax))
	if err != nil {
		return false, err
	}
	if response.StatusCode >= http.StatusBadRequest {
		return false, refusal(response, raw)
	}
	if answer != nil {
		if err := json.Unmarshal(raw, answer); err != nil {
			return false, fmt.Errorf("%s %s answered what can't be read: %w", what.method, what.path, err)
		}
	}
	return response.Header.Get("Idempotent-Replayed") == "true", nil
}

func refusal(response *http.Response, raw []byte) error {
	e := &Error{Status: response.StatusCode}
	if err := json.Unmarshal(raw, e); err != nil || e.Code == "" {
		return fmt.Errorf("the service answered %s without an error body", response.Status)
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}

// Session is what a sign-in gave.
type Session struct {
	Token     string `json:"token"`
	Wallet    string `json:"wallet"`
	ExpiresAt int64  `json:"expiresAt"`
}

// SignIn signs the login message with the key and returns a client that carries
// the session. at is the message's timestamp; each can be used once.
func (c *Client) SignIn(ctx context.Context, key ed25519.PrivateKey, at time.Time) (*Client, Session, error) {
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return nil, Session{}, errors.New("client: not an Ed25519 key")
	}
	address := base58.Encode(public)
	message := fmt.Sprintf("casino-auth:%s:%d", address, at.UnixMilli())
	var session Session
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/auth/login", body: map[string]any{
		"wallet": address, "timestamp": at.UnixMilli(),
		"signature": base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(message))),
	}}, &session)
	if err != nil {
		return nil, Session{}, err
	}
	return c.Session(session.Token), session, nil
}

// Session returns a copy of the client that carries a bearer token.
func (c *Client) Session(token string) *Client {
	return &Client{base: c.base, http: c.http, token: token}
}

// SignOut ends every session of the wallet.
func (c *Client) SignOut(ctx context.Context) error {
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/auth/logout"}, nil)
	return err
}
