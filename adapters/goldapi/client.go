package goldapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sony/gobreaker/v2"

	"github.com/casino-service/casino/adapters/internal/gametexts"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

var _ ports.GameProvider = (*Client)(nil)

// answerMax bounds an answer in bytes: the list of a large provider's games.
const answerMax = 16 << 20

// Config names a provider and our account there. URL, AgentCode and AgentToken
// are required; the zero value of the rest means the default beside it.
type Config struct {
	URL        string
	AgentCode  string
	AgentToken string `json:"-"`
	// LaunchHosts are the hosts that launch URLs may be on, as CheckLaunchHost accepts
	// them; default: the URL's own.
	LaunchHosts []string
	// Loopback allows the provider and its games plain HTTP on this machine.
	Loopback bool
	// Timeout bounds one call. Default: 10 s.
	Timeout time.Duration
	// Tries is the maximum number of attempts for a call that changes nothing. Default: 3.
	Tries uint
	// Pause is the wait before the second attempt; it doubles before the third. Default:
	// 200 ms.
	Pause time.Duration
	// After BreakAfter failed calls in a row, no calls are made for BreakFor. Default: 5,
	// 10 s.
	BreakAfter uint32
	BreakFor   time.Duration
	// LaunchesAtOnce is the maximum number of concurrent launches; others wait. Default:
	// 16.
	LaunchesAtOnce int
}

// Client calls a provider. It is safe for concurrent use.
type Client struct {
	config  Config
	http    *http.Client
	breaker *gobreaker.CircuitBreaker[[]byte]
	// launches holds one value for each launch under way.
	launches chan struct{}
}

// New returns a client, or one error that names every fault of the configuration.
func New(config Config) (*Client, error) {
	var faults []error
	address, err := url.Parse(config.URL)
	if err != nil || !config.hosts().MayReach(address) {
		faults = append(faults, errors.New("goldapi: the provider's URL must be https, with a host and without credentials"))
	} else if len(config.LaunchHosts) == 0 {
		config.LaunchHosts = []string{address.Hostname()}
	}
	if config.AgentCode == "" || config.AgentToken == "" {
		faults = append(faults, errors.New("goldapi: the agent's code and token are needed"))
	}
	for _, host := range config.LaunchHosts {
		if err := CheckLaunchHost(host); err != nil {
			faults = append(faults, fmt.Errorf("goldapi: launch hosts: %w", err))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	config = config.withDefaults()
	return &Client{
		config: config,
		http: &http.Client{
			Timeout:       config.Timeout,
			CheckRedirect: refuseRedirect, // a redirect would send our token to another server
		},
		breaker:  newBreaker[[]byte](config.BreakAfter, config.BreakFor),
		launches: make(chan struct{}, config.LaunchesAtOnce),
	}, nil
}

// refuseRedirect follows no redirect, because its target was never checked.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// newBreaker stops calls for a while after so many failures in a row. A call whose caller
// gave up waiting is not a failure.
func newBreaker[T any](after uint32, pause time.Duration) *gobreaker.CircuitBreaker[T] {
	return gobreaker.NewCircuitBreaker[T](gobreaker.Settings{
		Timeout:     pause,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= after },
		IsExcluded:  func(err error) bool { return errors.Is(err, context.Canceled) },
	})
}

func (c Config) withDefaults() Config {
	if c.Timeout == 0 {
		c.Timeout = 10 * time.Second
	}
	if c.Tries == 0 {
		c.Tries = 3
	}
	if c.Pause == 0 {
		c.Pause = 200 * time.Millisecond
	}
	if c.BreakAfter == 0 {
		c.BreakAfter = 5
	}
	if c.BreakFor == 0 {
		c.BreakFor = 10 * time.Second
	}
	if c.LaunchesAtOnce == 0 {
		c.LaunchesAtOnce = 16
	}
	return c
}

// hosts returns where launch URLs may lead.
func (c Config) hosts() gametexts.Hosts {
	return gametexts.Hosts{Patterns: c.LaunchHosts, Loopback: c.Loopback}
}

// CheckLaunchHost reports why a launch host would never match a launch URL, and what to
// write instead.
func CheckLaunchHost(pattern string) error { return gametexts.Check(pattern) }

// head begins every request and is part of every answer.
type head struct {
	Method     string `json:"method"`
	AgentCode  string `json:"agent_code"`
	AgentToken string `json:"agent_token"`
}

func (c *Client) requestHead(method string) head {
	return head{Method: method, AgentCode: c.config.AgentCode, AgentToken: c.config.AgentToken}
}

type status struct {
	Status  jsontext.Value `json:"status"`
	Message string         `json:"msg"`
}

// isOn reports whether a status is 1, which some providers send as text or as true.
func isOn(status jsontext.Value) bool {
	return slices.Contains([]string{`1`, `"1"`, `true`}, string(status))
}

// callMethod makes a call and decodes its response into answer. A call that changes nothing at
// the provider may be repeated; one that opens something is made once.
func (c *Client) callMethod(ctx context.Context, method string, request, answer any, repeatable bool) error {
	body, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("goldapi: %s: %w", method, err)
	}
	tries := uint(1)
	if repeatable {
		tries = c.config.Tries
	}
	between := backoff.NewExponentialBackOff()
	between.InitialInterval, between.Multiplier, between.RandomizationFactor = c.config.Pause, 2, 0
	text, err := c.breaker.Execute(func() ([]byte, error) {
		return backoff.Retry(ctx, func() ([]byte, error) { return c.postOnce(ctx, body) },
			backoff.WithBackOff(between), backoff.WithMaxTries(tries))
	})
	switch {
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		return fault.New(fault.External, "the game provider failed too often: calls to it are suspended for a while")
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fault.New(fault.External, "the game provider does not answer %s", method)
	}
	var said status
	if err := json.Unmarshal(text, &said); err != nil {
		return fault.New(fault.External, "the game provider's answer to %s does not follow its protocol", method)
	}
	if !isOn(said.Status) {
		return faultOf(method, said.Message)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fault.New(fault.External, "the game provider's answer to %s can't be read", method)
	}
	return nil
}

// postOnce makes one HTTP exchange. Its errors contain the provider's address and must not
// be shown; callMethod returns errors that may be.
func (c *Client) postOnce(ctx context.Context, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.config.URL, bytes.NewReader(body))
	if err != nil {
		return nil, backoff.Permanent(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, answerMax+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > answerMax:
		return nil, backoff.Permanent(errors.New("the answer is too long"))
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("HTTP status %d", response.StatusCode)
	}
	return text, nil
}

// userCreate is the method for which a refusal because the user exists counts as
// success.
const userCreate = "user_create"

// errDuplicate reports a user who already exists.
var errDuplicate = errors.New("goldapi: the user exists already")

func isDuplicate(err error) bool { return errors.Is(err, errDuplicate) }

// refusals maps the protocol's messages to fault kinds.
var refusals = map[string]fault.Kind{
	"INVALID_AGENT":            fault.InvalidProvider, // the provider doesn't know our agent code
	"INVALID_PROVIDER":         fault.InvalidProvider,
	"INVALID_USER":             fault.InvalidUser,
	"INVALID_GAME":             fault.InvalidGame,
	"GAME_DISABLED":            fault.GameDisabled,
	"BLOCKED_AGENT":            fault.BlockedAgent,
	"INSUFFICIENT_AGENT_FUNDS": fault.InsufficientAgentFunds,
	"AGENT_SEAMLESS":           fault.AgentSeamless,
	"API_CHECKING":             fault.Maintenance,
}

// faultOf turns the provider's message into a fault. A message outside the protocol is not
// repeated, because it could contain anything.
func faultOf(method, message string) error {
	if method == userCreate && message == "DUPLICATED_USER" {
		return errDuplicate
	}
	if kind, ok := refusals[message]; ok {
		return fault.New(kind, "the game provider answered %s", message)
	}
	return fault.New(fault.External, "the game provider refused the request")
}
