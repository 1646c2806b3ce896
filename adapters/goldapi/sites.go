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

// SitesConfig is how operators' sites are asked. The zero value of a field means
// the default beside it.
type SitesConfig struct {
	// Timeout is how long one message may take: 4 s. A callback may need two, and the
	// provider's own time must not be over before them.
	Timeout time.Duration
	// BreakAfter messages in a row that a site said nothing to leave it alone for
	// BreakFor: 5, 10 s.
	BreakAfter uint32
	BreakFor   time.Duration
}

// siteAnswerMax bounds a site's answer in bytes, and sitesMax how many sites'
// breakers are remembered.
const (
	siteAnswerMax = 64 << 10
	sitesMax      = 1000
)

// Sites asks operators' sites, to whom this service is the provider: the agent
// protocol's callbacks, sent. It is safe for concurrent use.
type Sites struct {
	config SitesConfig
	http   http.Client

	mu       sync.Mutex
	breakers map[string]*gobreaker.CircuitBreaker[siteSaid]
}

// NewSites returns sites that are asked by the client, which must be one for
// addresses that others chose.
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
	s := &Sites{config: config, http: *client, breakers: map[string]*gobreaker.CircuitBreaker[siteSaid]{}}
	s.http.CheckRedirect = stay // a redirect would get the secret
	return s
}

// siteSaid is an answer of a site that keeps to the protocol.
type siteSaid struct {
	Status  int            `json:"status"`
	Balance jsontext.Value `json:"user_balance"`
	Message string         `json:"msg"`
}

// errUnsaid is an answer that says nothing of what was asked.
var errUnsaid = errors.New("goldapi: the site says nothing")

// PlayerBalance serves ports.AgentSite: user_balance.
func (s *Sites) PlayerBalance(ctx context.Context, to ports.SiteAccess, w wallet.Address) (seamless.Decimal, error) {
	said, err := s.ask(ctx, to, map[string]any{"method": "user_balance", "user_code": string(w)})
	if err != nil {
		return "", err
	}
	if said.Status != 1 {
		if said.Message == "INVALID_USER" {
			return "", fault.New(fault.InvalidUser, "the operator's site has no such player")
		}
		return "", errSite()
	}
	return siteBalance(said)
}

// sitePlay is a transaction as the protocol has it.
type sitePlay struct {
	Provider string         `json:"provider_code"`
	Game     string         `json:"game_code"`
	Type     string         `json:"type"`
	Bet      jsontext.Value `json:"bet_money"`
	Win      jsontext.Value `json:"win_money"`
	TxnID    string         `json:"txn_id"`
	TxnType  string         `json:"txn_type"`
}

// Send serves ports.AgentSite: transaction. agent_balance and user_balance are
// left out: a repeat must be the same message, and both may have changed since.
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
	said, err := s.ask(ctx, to, map[string]any{
		"method": "transaction", "user_code": string(m.Wallet), "game_type": m.GameType, m.GameType: play,
	})
	if err != nil {
		return ports.SiteResponse{}, err
	}
	balance, err := siteBalance(said)
	if said.Status == 1 {
		return ports.SiteResponse{Accepted: err == nil, Balance: balance}, err
	}
	if err != nil {
		balance = "0" // a refusal is one without it too
	}
	reason, _ := seamless.RefusalOf(said.Message) // ask has looked
	return ports.SiteResponse{Balance: balance, Reason: reason}, nil
}

func errSite() error {
	return fault.New(fault.External, "the operator's site doesn't answer what its protocol knows")
}

func siteBalance(said siteSaid) (seamless.Decimal, error) {
	balance, err := decimal("user_balance", said.Balance)
	if err != nil {
		return "", errSite()
	}
	return balance, nil
}

// ask makes one exchange, unless the site is left alone.
func (s *Sites) ask(ctx context.Context, to ports.SiteAccess, request map[string]any) (siteSaid, error) {
	request["agent_code"], request["agent_secret"] = to.Agent, to.Secret.Reveal()
	body, err := json.Marshal(request)
	if err != nil {
		return siteSaid{}, fmt.Errorf("goldapi: a message to an operator's site: %w", err)
	}
	on := &way{}
	said, err := s.breaker(to.Endpoint).Execute(func() (siteSaid, error) { return s.post(ctx, to.Endpoint, body, on) })
	switch {
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests), err != nil && on.unreached():
		return siteSaid{}, fault.New(fault.AgentSeamless, "the operator's site can't be reached: nothing was sent")
	case err != nil:
		return siteSaid{}, errSite()
	}
	return said, nil
}

// way notes how far a message came: whether a connection was wanted, and got.
type way struct{ wanted, got atomic.Bool }

// unreached reports whether certainly nothing was sent: no connection was to be had.
func (w *way) unreached() bool { return w.wanted.Load() && !w.got.Load() }

// post makes the exchange. Its errors hold the site's address and are for nobody.
func (s *Sites) post(ctx context.Context, endpoint string, body []byte, on *way) (siteSaid, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { on.wanted.Store(true) }, GotConn: func(httptrace.GotConnInfo) { on.got.Store(true) },
	})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, bytes.NewReader(body))
	if err != nil {
		return siteSaid{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := s.http.Do(request)
	if err != nil {
		return siteSaid{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, siteAnswerMax+1))
	if err != nil {
		return siteSaid{}, err
	}
	var said siteSaid
	if response.StatusCode != http.StatusOK || len(text) > siteAnswerMax || json.Unmarshal(text, &said) != nil {
		return siteSaid{}, errUnsaid
	}
	switch {
	case said.Status == 1:
		_, err := siteBalance(said)
		return said, err
	case said.Status != 0:
		return siteSaid{}, errUnsaid
	}
	if _, answers := seamless.RefusalOf(said.Message); !answers {
		return siteSaid{}, errUnsaid
	}
	return said, nil
}

// breaker is the site's own, so that one that is gone holds up nobody else's players.
func (s *Sites) breaker(endpoint string) *gobreaker.CircuitBreaker[siteSaid] {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.breakers[endpoint]
	if found == nil {
		if len(s.breakers) >= sitesMax { // of sites that were long given up
			clear(s.breakers)
		}
		found = newBreaker[siteSaid](s.config.BreakAfter, s.config.BreakFor)
		s.breakers[endpoint] = found
	}
	return found
}
