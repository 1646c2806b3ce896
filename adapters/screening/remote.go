package screening

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/sony/gobreaker/v2"

	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// The limits of requests to a remote screener.
const (
	DefaultTimeout         = 3 * time.Second
	TimeoutMin, TimeoutMax = 100 * time.Millisecond, 5 * time.Second

	// After BreakAfter failures in a row, requests fail at once for BreakFor; then one is tried.
	BreakAfter = 5
	BreakFor   = 10 * time.Second

	answerMax     = 4 << 10 // bytes
	headerMax     = 16 << 10
	idleConnsMax  = 64
	remoteContent = "application/json"
	remoteAgent   = "casino-screening/1"
)

// RemoteConfig configures a Remote.
type RemoteConfig struct {
	// URL is the screener's: https, or http on this machine.
	URL string
	// Secret signs requests as those of webhooks: whsec_ and the base64 of 24 to 64 bytes.
	Secret agent.Secret
	// Timeout bounds one request; 0 means DefaultTimeout.
	Timeout time.Duration
	// Points are the points that it is asked at; all if there are none.
	Points []admission.Point
}

// CheckURL returns an error for a URL that no screener may have.
func CheckURL(text string) error {
	address, err := url.Parse(text)
	switch {
	case err != nil || address.Hostname() == "" || address.User != nil || address.RawQuery != "" || address.Fragment != "":
		return errors.New("must be of the form https://host/path")
	case address.Scheme != "https" && (address.Scheme != "http" || !isLoopback(address.Hostname())):
		return errors.New("must be https, or http on this machine")
	}
	return nil
}

// CheckSecret returns an error for a text that isn't a secret of webhooks. It doesn't quote it.
func CheckSecret(secret agent.Secret) error {
	if _, err := webhook.Sign(secret, "", time.Time{}, nil); err != nil {
		return errors.New("must be whsec_ and the base64 of 24 to 64 random bytes, such as whsec_$(openssl rand -base64 32)")
	}
	return nil
}

// CheckTimeout returns an error for a timeout out of range.
func CheckTimeout(timeout time.Duration) error {
	if timeout != 0 && (timeout < TimeoutMin || timeout > TimeoutMax) {
		return fmt.Errorf("must be from %v to %v", TimeoutMin, TimeoutMax)
	}
	return nil
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// Remote asks a screener over HTTP. A failing one is left alone for a while.
type Remote struct {
	config  RemoteConfig
	http    *http.Client
	breaker *gobreaker.CircuitBreaker[admission.Finding]
	clock   ports.Clock
	entropy ports.Entropy
}

var _ ports.Screener = (*Remote)(nil)

// NewRemote returns a screener, or all faults of its configuration. It makes no connection.
func NewRemote(config RemoteConfig, clock ports.Clock, entropy ports.Entropy) (*Remote, error) {
	if err := errors.Join(CheckURL(config.URL), CheckSecret(config.Secret), CheckTimeout(config.Timeout)); err != nil {
		return nil, err
	}
	config.Timeout = cmp.Or(config.Timeout, DefaultTimeout)
	if len(config.Points) == 0 {
		config.Points = admission.Points()
	}
	return &Remote{
		config: config, clock: clock, entropy: entropy,
		http: &http.Client{
			Transport: &http.Transport{
				Proxy: http.ProxyFromEnvironment, MaxResponseHeaderBytes: headerMax,
				MaxIdleConnsPerHost: idleConnsMax, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
			},
			// A redirect is no answer: its target was never named by the operator.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		breaker: gobreaker.NewCircuitBreaker[admission.Finding](gobreaker.Settings{
			Timeout:     BreakFor,
			ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= BreakAfter },
			// A caller that stopped waiting says nothing about the screener.
			IsExcluded: func(err error) bool { return errors.Is(err, context.Canceled) },
		}),
	}, nil
}

// Name implements ports.Screener.
func (*Remote) Name() string { return "remote" }

// Screens implements ports.Screener.
func (r *Remote) Screens(at admission.Point) bool { return slices.Contains(r.config.Points, at) }

// question is the body of a request.
type question struct {
	Point   string `json:"point"`
	Wallet  string `json:"wallet"`
	Agent   string `json:"agent"`
	Remote  string `json:"remote"`
	Address string `json:"address"`
	ID      string `json:"id"`
	At      int64  `json:"at"` // Unix milliseconds
}

// answer is the body of an answer.
type answer struct {
	Verdict  string `json:"verdict"`
	Evidence string `json:"evidence"`
}

// Screen implements ports.Screener.
func (r *Remote) Screen(ctx context.Context, s admission.Subject) (admission.Finding, error) {
	now, id := r.clock.Now(), r.entropy.ID()
	asked := question{Point: string(s.Point), Wallet: string(s.Wallet), Agent: s.Agent, Address: s.Address, ID: s.ID, At: now.UnixMilli()}
	if s.Remote.IsValid() {
		asked.Remote = s.Remote.Unmap().String()
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return admission.Finding{}, fmt.Errorf("a question for the remote screener: %w", err)
	}
	signature, err := webhook.Sign(r.config.Secret, id, now, body)
	if err != nil {
		return admission.Finding{}, err
	}
	header := http.Header{"Content-Type": {remoteContent}, "User-Agent": {remoteAgent}}
	header.Set(webhook.HeaderID, id)
	header.Set(webhook.HeaderTimestamp, webhook.Timestamp(now))
	header.Set(webhook.HeaderSignature, signature)
	found, err := r.breaker.Execute(func() (admission.Finding, error) { return r.post(ctx, header, body) })
	switch {
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		return admission.Finding{}, fault.New(fault.Unavailable, "the remote screener failed too often and is left alone for a while").With("outcome", "none")
	case err != nil:
		away := fault.New(fault.Unavailable, "the remote screener does not answer").With("outcome", "none")
		return admission.Finding{}, fmt.Errorf("%w: %w", away, err)
	}
	return found, nil
}

// post makes one exchange.
func (r *Remote) post(ctx context.Context, header http.Header, body []byte) (admission.Finding, error) {
	ctx, cancel := context.WithTimeout(ctx, r.config.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.config.URL, bytes.NewReader(body))
	if err != nil {
		return admission.Finding{}, err
	}
	request.Header = header
	response, err := r.http.Do(request)
	if err != nil {
		return admission.Finding{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, answerMax+1))
	switch {
	case err != nil:
		return admission.Finding{}, err
	case response.StatusCode != http.StatusOK:
		return admission.Finding{}, fmt.Errorf("status %d", response.StatusCode)
	case len(text) > answerMax:
		return admission.Finding{}, fmt.Errorf("an answer of more than %d bytes", answerMax)
	}
	var said answer
	if err := json.Unmarshal(text, &said, json.RejectUnknownMembers(true)); err != nil {
		return admission.Finding{}, fmt.Errorf("an answer that is not {\"verdict\": …, \"evidence\": …}: %w", err)
	}
	found := admission.Finding{Screener: r.Name(), Verdict: admission.Verdict(said.Verdict), Evidence: said.Evidence}
	if !found.Verdict.Valid() {
		return admission.Finding{}, fmt.Errorf("the verdict %.40q is none of allow, review and deny", said.Verdict)
	}
	return found.Checked(), nil
}

// Close closes idle connections.
func (r *Remote) Close() { r.http.CloseIdleConnections() }
