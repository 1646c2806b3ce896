package goldapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sony/gobreaker/v2"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var _ ports.AgentSite = (*Sites)(nil)

// SitesConfig configures calls to agents' sites. The zero value of a field means the
// default beside it.
type SitesConfig struct {
	// Timeout bounds one message. Default: 4 s. A callback may need two messages, and both
	// must fit into the provider's own time-out.
	Timeout time.Duration
	// After BreakAfter messages in a row without a response, a site gets no messages for
	// BreakFor. Default: 5, 10 s.
	BreakAfter uint32
	BreakFor   time.Duration
}

// siteAnswerMax bounds a site's response in bytes, and sitesMax the number of sites with a
// circuit breaker.
const (
	siteAnswerMax = 64 << 10
	sitesMax      = 1000
)

// Sites calls agents' sites as their provider: it sends the agent protocol's callbacks. It
// is safe for concurrent use.
type Sites struct {
	config SitesConfig
	http   http.Client

	mu       sync.Mutex
	breakers map[string]*gobreaker.CircuitBreaker[siteResponse]
}

// NewSites returns Sites that use the client. The client must be safe for untrusted
// addresses (see package outbound).
func NewSites(client *http.Client, config SitesConfig) *Sites {
	if config.Timeout == 0 {
		config.Timeout = 4 * time.Second
	}
	if config.BreakAfter == 0 {
		config.BreakAfter = 5
	}
	if config.BreakFor == 0 {
		config.BreakFor = 10 * time.Second
	}
	s := &Sites{config: config, http: *client, breakers: map[string]*gobreaker.CircuitBreaker[siteResponse]{}}
	s.http.CheckRedirect = refuseRedirect // a redirect would send the secret to another server
	return s
}

// siteResponse is a site's response under the protocol.
type siteResponse struct {
	Status  int            `json:"status"`
	Balance jsontext.Value `json:"user_balance"`
	Message string         `json:"msg"`
}

// errProtocol reports a response that doesn't tell whether the request was carried out.
var errProtocol = errors.New("goldapi: the site's response does not follow the protocol")

// PlayerBalance serves ports.AgentSite: user_balance.
func (s *Sites) PlayerBalance(ctx context.Context, to ports.SiteAccess, w wallet.Address) (seamless.Decimal, error) {
	response, err := s.askSite(ctx, to, map[string]any{"method": "user_balance", "user_code": string(w)})
	if err != nil {
		return "", err
	}
	if response.Status != 1 {
		if response.Message == "INVALID_USER" {
			return "", fault.New(fault.InvalidUser, "the agent's site has no such player")
		}
		return "", errSite()
	}
	return siteBalance(response)
}

// sitePlay is a transaction in the protocol's form.
type sitePlay struct {
	Provider string         `json:"provider_code"`
	Game     string         `json:"game_code"`
	Type     string         `json:"type"`
	Bet      jsontext.Value `json:"bet_money"`
	Win      jsontext.Value `json:"win_money"`
	TxnID    string         `json:"txn_id"`
	TxnType  string         `json:"txn_type"`
}

// Send serves ports.AgentSite: transaction. agent_balance and user_balance are left out,
// because a repeated message must be identical and both may have changed.
func (s *Sites) Send(ctx context.Context, to ports.SiteAccess, m ports.SiteMessage) (ports.SiteResponse, error) {
	play := sitePlay{
		Provider: m.Provider, Game: m.Game, Type: "BASE", Bet: jsontext.Value("0"), Win: jsontext.Value("0"),
		TxnID: m.TxnID, TxnType: string(m.Leg),
	}
	if m.Leg == seamless.Debit {
		play.Bet = jsontext.Value(m.Amount)
	} else {
		play.Win = jsontext.Value(m.Amount)
	}
	response, err := s.askSite(ctx, to, map[string]any{
		"method": "transaction", "user_code": string(m.Wallet), "game_type": m.GameType, m.GameType: play,
	})
	if err != nil {
		return ports.SiteResponse{}, err
	}
	balance, err := siteBalance(response)
	if response.Status == 1 {
		return ports.SiteResponse{Accepted: err == nil, Balance: balance}, err
	}
	if err != nil {
		balance = "0" // a refusal may come without a balance
	}
	reason, _ := seamless.RefusalOf(response.Message) // askSite has checked it
	return ports.SiteResponse{Balance: balance, Reason: reason}, nil
}

func errSite() error {
	return fault.New(fault.External, "the agent's site answered with something other than its protocol")
}

func siteBalance(response siteResponse) (seamless.Decimal, error) {
	balance, err := parseDecimal("user_balance", response.Balance)
	if err != nil {
		return "", errSite()
	}
	return balance, nil
}

// askSite makes one exchange, unless the site's breaker is open.
func (s *Sites) askSite(ctx context.Context, to ports.SiteAccess, request map[string]any) (siteResponse, error) {
	request["agent_code"], request["agent_secret"] = to.Agent, to.Secret.Reveal()
	body, err := json.Marshal(request)
	if err != nil {
		return siteResponse{}, fmt.Errorf("goldapi: a message to an agent's site: %w", err)
	}
	on := &dialing{}
	response, err := s.breakerOf(to.Endpoint).Execute(func() (siteResponse, error) { return s.postOnce(ctx, to.Endpoint, body, on) })
	switch {
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests), err != nil && on.neverConnected():
		return siteResponse{}, fault.New(fault.AgentSeamless, "the agent's site can't be reached: nothing was sent")
	case err != nil:
		return siteResponse{}, errSite()
	}
	return response, nil
}

// dialing records whether a message needed a connection, and whether it got one.
type dialing struct{ wanted, got atomic.Bool }

// neverConnected reports whether no connection could be made, so that nothing was sent.
func (w *dialing) neverConnected() bool { return w.wanted.Load() && !w.got.Load() }

// postOnce makes the exchange. Its errors contain the site's address and must not be shown.
func (s *Sites) postOnce(ctx context.Context, endpoint string, body []byte, on *dialing) (siteResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { on.wanted.Store(true) }, GotConn: func(httptrace.GotConnInfo) { on.got.Store(true) },
	})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, bytes.NewReader(body))
	if err != nil {
		return siteResponse{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := s.http.Do(request)
	if err != nil {
		return siteResponse{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, siteAnswerMax+1))
	if err != nil {
		return siteResponse{}, err
	}
	var answer siteResponse
	if response.StatusCode != http.StatusOK || len(text) > siteAnswerMax || json.Unmarshal(text, &answer) != nil {
		return siteResponse{}, errProtocol
	}
	switch {
	case answer.Status == 1:
		_, err := siteBalance(answer)
		return answer, err
	case answer.Status != 0:
		return siteResponse{}, errProtocol
	}
	if _, answers := seamless.RefusalOf(answer.Message); !answers {
		return siteResponse{}, errProtocol
	}
	return answer, nil
}

// breakerOf returns the site's circuit breaker. Each site has one, so that an unreachable
// site doesn't stop the players of other agents.
func (s *Sites) breakerOf(endpoint string) *gobreaker.CircuitBreaker[siteResponse] {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.breakers[endpoint]
	if found == nil {
		if len(s.breakers) >= sitesMax { // drop the breakers of abandoned sites
			clear(s.breakers)
		}
		found = newBreaker[siteResponse](s.config.BreakAfter, s.config.BreakFor)
		s.breakers[endpoint] = found
	}
	return found
}
