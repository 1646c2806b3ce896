// Package client calls the casino's HTTP API from Go: one method per endpoint,
// money as int64, failures as *Error with the contract's code.
//
// Commands, tests and load generators use it, and so can anybody else: it needs
// the service's address and nothing of its configuration. It retries nothing by
// itself; give a write an IdempotencyKey and it can be repeated without harm.
package client

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/wallet"
)

// answerBytesMax bounds what is read of one answer.
const answerBytesMax = 16 << 20

// Client calls one service, as nobody or with one session. It is safe for
// concurrent use.
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
	// Code is the contract's stable code, for example INSUFFICIENT_USER_FUNDS.
	Code      string         `json:"code"`
	Title     string         `json:"error"`
	Message   string         `json:"message"`
	Details   map[string]any `json:"details"`
	RequestID string         `json:"requestId"`
	// RetryAfter is how long the service asks to wait, 0 when it doesn't say.
	RetryAfter time.Duration `json:"-"`
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

// call is one request.
type call struct {
	method, path string
	query        url.Values
	body         any
	key          string // Idempotency-Key
}

// reply is what every answer tells beside its body.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// do sends the call and decodes the answer into a T; an empty one leaves it zero.
func do[T any](ctx context.Context, c *Client, what call) (T, error) {
	result, _, err := doWith[T](ctx, c, what)
	return result, err
}

// doWith is do with what the headers told.
func doWith[T any](ctx context.Context, c *Client, what call) (result T, told reply, err error) {
	told, err = c.send(ctx, what)
	if err != nil || len(told.body) == 0 {
		return result, told, err
	}
	if err := json.Unmarshal(told.body, &result); err != nil {
		return result, told, fmt.Errorf("%s %s: the answer can't be read: %w", what.method, what.path, err)
	}
	return result, told, nil
}

func (c *Client) send(ctx context.Context, what call) (reply, error) {
	request, err := c.request(ctx, what)
	if err != nil {
		return reply{}, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return reply{}, err
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, answerBytesMax))
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return reply{}, fmt.Errorf("%s %s: %w", what.method, what.path, err)
	}
	told := reply{status: response.StatusCode, header: response.Header, body: text}
	if told.status >= http.StatusBadRequest && !(what.path == "/health" && told.status == http.StatusServiceUnavailable) {
		return told, told.failure()
	}
	return told, nil
}

func (c *Client) request(ctx context.Context, what call) (*http.Request, error) {
	target := c.base + what.path
	if len(what.query) > 0 {
		target += "?" + what.query.Encode()
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

func (r reply) failure() error {
	failure := &Error{}
	if err := json.Unmarshal(r.body, failure); err != nil || failure.Code == "" {
		// Only what answers before the service does has another body.
		failure = &Error{Message: http.StatusText(r.status)}
	}
	failure.Status = r.status
	if seconds, err := strconv.Atoi(r.header.Get("Retry-After")); err == nil {
		failure.RetryAfter = time.Duration(seconds) * time.Second
	}
	return failure
}

// replayed reports whether the service says that it gave its first answer again.
func (r reply) replayed() bool { return r.header.Get("Idempotent-Replayed") == "true" }

// Session is a signed-in wallet.
type Session struct {
	Token     string `json:"token"`
	Wallet    string `json:"wallet"`
	ExpiresAt int64  `json:"expiresAt"` // Unix milliseconds
}

// Login is the body of POST /auth/login.
type Login struct {
	Wallet    string `json:"wallet"`
	Timestamp int64  `json:"timestamp"`
	Signature string `json:"signature"`
	AgentCode string `json:"agentCode,omitempty"`
}

// SignLogin signs the login message of a key at a moment.
func SignLogin(key ed25519.PrivateKey, at time.Time) (Login, error) {
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return Login{}, errors.New("client: not an Ed25519 key")
	}
	address, err := wallet.FromPublicKey(public)
	if err != nil {
		return Login{}, err
	}
	message := wallet.LoginMessage(address, at.UnixMilli())
	signature := base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(message)))
	return Login{Wallet: string(address), Timestamp: at.UnixMilli(), Signature: signature}, nil
}

// Login sends a signed login.
func (c *Client) Login(ctx context.Context, login Login) (Session, error) {
	return do[Session](ctx, c, call{method: http.MethodPost, path: "/auth/login", body: login})
}

// SignIn signs in with a wallet's key at a moment, which must be near the
// service's clock, and returns a client that holds the session.
func (c *Client) SignIn(ctx context.Context, key ed25519.PrivateKey, at time.Time) (*Client, Session, error) {
	login, err := SignLogin(key, at)
	if err != nil {
		return nil, Session{}, err
	}
	session, err := c.Login(ctx, login)
	if err != nil {
		return nil, Session{}, err
	}
	return c.WithToken(session.Token), session, nil
}

// Logout ends all sessions of the wallet.
func (c *Client) Logout(ctx context.Context) error {
	_, err := do[struct{}](ctx, c, call{method: http.MethodPost, path: "/auth/logout"})
	return err
}
