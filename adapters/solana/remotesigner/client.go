package remotesigner

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// DefaultTimeout bounds one call to a signer.
const DefaultTimeout = 10 * time.Second

// answerMax bounds how much of a signer's response is read, in bytes.
const answerMax = 4096

// ClientConfig configures a Client.
type ClientConfig struct {
	// URL is the signer's base URL: https, or http on this machine.
	URL string
	// Token is the bearer token, at least TokenMin bytes.
	Token string
	// Treasury is the address of the signer's key.
	Treasury wallet.Address
	// Timeout bounds one call; 0 means DefaultTimeout.
	Timeout time.Duration
}

// Client is a solana.Signer with its key on another machine. It accepts only a response
// with the treasury's signature over the very bytes that were sent.
type Client struct {
	endpoint string
	// token is a function because fmt calls no method of an unexported field.
	token    func() string
	treasury wallet.Address
	http     *http.Client
}

var _ solana.ApprovalSigner = (*Client)(nil)

// NewClient returns a client, or an error that names every fault of the configuration. It
// makes no connection. Errors quote neither URL nor token.
func NewClient(cfg ClientConfig) (*Client, error) {
	var faults []error
	base, err := url.Parse(cfg.URL)
	switch {
	case err != nil || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "":
		faults = append(faults, errors.New("the URL must be of the form https://host"))
	case base.Scheme != "https" && (base.Scheme != "http" || !isLoopback(base.Hostname())):
		faults = append(faults, errors.New("the URL must be https, or http on this machine"))
	}
	if len(cfg.Token) < TokenMin || strings.ContainsFunc(cfg.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		faults = append(faults, fmt.Errorf("the token must have at least %d printable characters", TokenMin))
	}
	if _, err := wallet.Parse(string(cfg.Treasury)); err != nil {
		faults = append(faults, fmt.Errorf("treasury: %w", err))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("remotesigner: %w", err)
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	return &Client{
		endpoint: base.JoinPath("sign").String(), token: func() string { return cfg.Token }, treasury: cfg.Treasury,
		http: &http.Client{
			Timeout: cfg.Timeout,
			// Don't follow redirects: the token is sent to the configured URL only.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// Address returns the treasury's address.
func (c *Client) Address() wallet.Address { return c.treasury }

// Format writes the address for every verb.
func (c *Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, string(c.treasury)) }

// Sign calls the signer. A payment that its policy rejects is a fault of kind
// AmountOutOfRange with the signer's readable reason. An unreachable signer and a response
// without a valid signature are External.
func (c *Client) Sign(ctx context.Context, message []byte) ([]byte, error) {
	return c.SignApproved(ctx, message, nil)
}

// SignApproved is Sign with the approvals that persons signed, for a signer with its own
// approvers. Approvals without a signature are left out.
func (c *Client) SignApproved(ctx context.Context, message []byte, approvals []withdrawal.Approval) ([]byte, error) {
	asked := signRequest{Message: message}
	for _, a := range approvals {
		if a.Signature != "" {
			asked.Approvals = append(asked.Approvals, Approval{By: string(a.By), Timestamp: a.Timestamp, Signature: a.Signature})
		}
	}
	status, text, err := c.post(ctx, asked)
	if err != nil {
		return nil, err
	}
	return c.verifyResponse(status, text, message)
}

// Probe returns nil if the signer answers and accepts the token. It asks for no signature: the
// signer refuses the empty message after it has accepted the token.
func (c *Client) Probe(ctx context.Context) error {
	status, text, err := c.post(ctx, signRequest{})
	if err == nil && status != http.StatusBadRequest {
		_, err = c.verifyResponse(status, text, nil)
	}
	return err
}

// post sends a request and returns the answer's status and body.
func (c *Client) post(ctx context.Context, asked signRequest) (status int, text []byte, err error) {
	body, err := json.Marshal(asked)
	if err != nil {
		return 0, nil, fmt.Errorf("remotesigner: %w", err)
	}
	// #nosec G704 -- the endpoint is the operator's setting, never a client's.
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return 0, nil, errors.New("remotesigner: the request can't be made")
	}
	request.Header.Set("Authorization", "Bearer "+c.token())
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request) // #nosec G704 -- see above
	if err != nil {
		return 0, nil, fault.New(fault.External, "the signer can't be reached: %s", reasonOf(err))
	}
	defer func() { _ = response.Body.Close() }() // nothing more is read
	text, err = io.ReadAll(io.LimitReader(response.Body, answerMax+1))
	if err != nil || len(text) > answerMax {
		return 0, nil, fault.New(fault.External, "the signer's response can't be read")
	}
	return response.StatusCode, text, nil
}

// verifyResponse returns the signature in a response if it is valid over the message.
func (c *Client) verifyResponse(status int, text, message []byte) ([]byte, error) {
	switch status {
	case http.StatusOK:
	case http.StatusForbidden:
		var why refusal
		if err := json.Unmarshal(text, &why); err != nil {
			why.Error = "no reason was given"
		}
		return nil, fault.New(fault.AmountOutOfRange, "the signer refused the payment: %s", printableText(why.Error))
	case http.StatusUnauthorized:
		return nil, fault.New(fault.External, "the signer does not accept this service's token")
	default:
		return nil, fault.New(fault.External, "the signer answered with status %d", status)
	}
	var answer signAnswer
	if err := json.Unmarshal(text, &answer); err != nil || len(answer.Signature) != ed25519.SignatureSize ||
		!ed25519.Verify(c.treasury.PublicKey(), message, answer.Signature) {
		return nil, fault.New(fault.External, "the signer's response is not the treasury's signature over these bytes")
	}
	return answer.Signature, nil
}

// reasonMax bounds the signer's reason, in characters.
const reasonMax = 200

func printableText(text string) string {
	kept := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
	if runes := []rune(kept); len(runes) > reasonMax {
		kept = string(runes[:reasonMax]) + "…"
	}
	return kept
}

// reasonOf returns why a call failed, without its URL.
func reasonOf(err error) string {
	var refused *url.Error
	if errors.As(err, &refused) {
		err = refused.Err
	}
	var network net.Error
	switch {
	case errors.As(err, &network) && network.Timeout():
		return "it took too long"
	case errors.Is(err, context.Canceled):
		return "the call was canceled"
	}
	return "no connection"
}
