package bench

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// Plan describes the requests of a load, their target and their players.
type Plan struct {
	Service *Service
	Mix     Mix
	Players []*Player
	// Clients is the number of requests open at a time, each over its own connection.
	Clients int
	// Warmup precedes the measured Duration.
	Warmup, Duration time.Duration
	// Rate is the number of requests sent in a second, whether or not earlier ones were
	// answered. If it is 0, each client sends the next request after an answer.
	Rate     float64
	Bet      Bet
	Callback CallbackGame
	// Listeners is the number of players who receive their own events during the load, each
	// over another connection.
	Listeners int
}

// Bet is the bet that is played. Shared means that the players also play elsewhere
// meanwhile, so that their balances can't be checked.
type Bet struct {
	GameType string
	Token    string
	Wager    int64
	Shared   bool
}

// CallbackGame is a provider's game and the credentials of its callbacks.
type CallbackGame struct {
	AgentCode, AgentSecret string
	Provider, Game, Type   string
}

func (p *Plan) checkPlan() error {
	switch {
	case p.Clients < 1:
		return errors.New("bench: no clients")
	case len(p.Players) < p.Clients:
		return fmt.Errorf("%d clients need as many players, there are %d", p.Clients, len(p.Players))
	case p.Listeners < 0 || p.Listeners > len(p.Players):
		return fmt.Errorf("of %d players %d can't listen", len(p.Players), p.Listeners)
	case p.Duration <= 0 || p.Warmup < 0:
		return errors.New("bench: the duration must be positive, the warm-up not negative")
	}
	return errors.Join(CheckRate(p.Rate), p.Mix.checkMix())
}

// Bounds of a rate. Between them the time between two requests can be kept.
const rateMin, rateMax = 0.001, 1e6

// CheckRate returns an error for a rate that can't be kept.
func CheckRate(rate float64) error {
	if rate == 0 || rate >= rateMin && rate <= rateMax { // NaN is neither
		return nil
	}
	return fmt.Errorf("a rate is 0, or from %g to %.0f requests a second", rateMin, rateMax)
}

// Clock returns the time.
type Clock interface{ Now() time.Time }

// Service is the target of the load.
type Service struct {
	target  target
	base    string
	address string
	tls     *tls.Config
	timeout time.Duration
	clock   Clock
	source  atomic.Uint32
	// many means that sign-ins come from many addresses.
	many bool
}

// NewService returns the service at a base URL. Timeout is the maximum time of a request.
func NewService(baseURL string, timeout time.Duration, clock Clock) (*Service, error) {
	base, err := url.Parse(strings.TrimRight(baseURL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%q is not a URL of the form http://host/casino", baseURL)
	}
	s := &Service{target: target{base.Host, base.EscapedPath()}, base: base.String(), address: base.Host, timeout: timeout, clock: clock}
	port := "80"
	if base.Scheme == "https" {
		port, s.tls = "443", &tls.Config{ServerName: base.Hostname(), MinVersion: tls.VersionTLS12}
	}
	if base.Port() == "" {
		s.address = net.JoinHostPort(base.Hostname(), port)
	}
	if address, err := netip.ParseAddr(base.Hostname()); err == nil {
		s.many = address.Is4() && address.IsLoopback()
	}
	// Start at different addresses in successive runs.
	s.source.Store(uint32(clock.Now().UnixMicro() >> addressMicros))
	return s, nil
}

// ManyAddresses reports whether sign-ins use a new loopback address whenever the service's
// limit for the last one is reached. The limit counts by address, and all players of a load
// are on one machine. It is true for a service at 127.0.0.1.
func (s *Service) ManyAddresses() bool { return s.many }

// addressMicros is the binary logarithm of the microseconds per address in a run: 256 µs,
// which allows 4,000 addresses or 40,000 sign-ins a second.
const addressMicros = 8

// signInsOfAddress is the number of sign-ins that a service admits from an address in a
// minute.
const signInsOfAddress = 10

// nextSource returns the next address of 127.0.0.0/8 above 127.64.0.0.
func (s *Service) nextSource() net.Addr {
	n := s.source.Add(1)
	return &net.TCPAddr{IP: net.IPv4(127, 64+byte(n>>16)&63, byte(n>>8), byte(n))}
}

func (s *Service) newConnection() *connection {
	return &connection{target: s.target, timeout: s.timeout, clock: s.clock, dial: func(ctx context.Context) (net.Conn, error) { return s.dialFrom(ctx, nil) }}
}

func (s *Service) dialFrom(ctx context.Context, from net.Addr) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: s.timeout, LocalAddr: from}
	if s.tls != nil {
		return (&tls.Dialer{NetDialer: dialer, Config: s.tls}).DialContext(ctx, "tcp", s.address)
	}
	return dialer.DialContext(ctx, "tcp", s.address)
}

// entrance is a connection for sign-ins that changes its address as needed.
type entrance struct {
	*connection
	service *Service
	left    int
}

func (s *Service) newEntrance() *entrance {
	e := &entrance{connection: s.newConnection(), service: s}
	if s.many {
		e.dial = func(ctx context.Context) (net.Conn, error) {
			e.left = signInsOfAddress
			return s.dialFrom(ctx, s.nextSource())
		}
	}
	return e
}

// signIn signs a player in. It moves at forward if the wallet already signed a message for
// that time.
func (e *entrance) signIn(ctx context.Context, p *Player, at time.Time) (answer, error) {
	if !at.Truncate(time.Millisecond).After(p.signedAt) {
		at = p.signedAt.Add(time.Millisecond)
	}
	p.signedAt = at.Truncate(time.Millisecond)
	login, err := p.SignIn(at)
	if err != nil {
		return answer{}, err
	}
	if e.service.many && e.left == 0 {
		e.close()
	}
	body := fmt.Appendf(nil, `{"wallet":%q,"timestamp":%d,"signature":%q}`, login.Wallet, login.Timestamp, login.Signature)
	got, err := e.sendRetried(ctx, "POST", "/auth/login", "", body)
	e.left-- // of its source address
	return got, err
}

// readSession reads the session from the answer to a sign-in, and returns an error text or
// "".
func (p *Player) readSession(body []byte) string {
	token, _, hasToken := memberText(body, `"token":`)
	expires, hasEnd := memberNumber(body, `"expiresAt":`)
	if !hasToken || !hasEnd || !isText(body, `"wallet":`, p.Wallet) || !isObject(body) {
		return "the answer is not a session of this wallet"
	}
	p.Token, p.ExpiresAt = string(token), time.UnixMilli(expires)
	return ""
}
