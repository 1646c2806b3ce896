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

// Plan is what a load sends, and to whom.
type Plan struct {
	Service *Service
	Mix     Mix
	Players []*Player
	// Clients is how many requests are open at a time, each over a connection of its own.
	Clients int
	// Warmup comes before the Duration that is measured.
	Warmup, Duration time.Duration
	// Rate is how many requests are sent in a second, whether the ones before were answered
	// or not; 0 sends the next when the one before is answered.
	Rate     float64
	Bet      Bet
	Callback CallbackGame
	// Listeners is how many of the players hear their own events meanwhile, each over a
	// connection more.
	Listeners int
}

// Bet is what is played. Shared says that the players also play elsewhere meanwhile, so
// that nothing is known of their balances.
type Bet struct {
	GameType string
	Token    string
	Wager    int64
	Shared   bool
}

// CallbackGame is a provider's game and what its callbacks prove themselves with.
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

// The bounds of a rate, between which the time between two requests can be kept.
const rateMin, rateMax = 0.001, 1e6

// CheckRate refuses a rate that can't be kept.
func CheckRate(rate float64) error {
	if rate == 0 || rate >= rateMin && rate <= rateMax { // NaN is neither
		return nil
	}
	return fmt.Errorf("a rate is 0, or from %g to %.0f requests a second", rateMin, rateMax)
}

// Clock is the time.
type Clock interface{ Now() time.Time }

// Service is where the load goes.
type Service struct {
	target  target
	base    string
	address string
	tls     *tls.Config
	timeout time.Duration
	clock   Clock
	source  atomic.Uint32
	// many is whether sign-ins come from addresses of their own.
	many bool
}

// NewService names a service by its base URL. Timeout is how long a request may take.
func NewService(baseURL string, timeout time.Duration, clock Clock) (*Service, error) {
	base, err := url.Parse(strings.TrimRight(baseURL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%q is no URL of the form http://host/casino", baseURL)
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
	// Runs that follow each other begin at different addresses.
	s.source.Store(uint32(clock.Now().UnixMicro() >> addressMicros))
	return s, nil
}

// ManyAddresses reports whether sign-ins come from a new address of the loopback network
// whenever a service would admit no more from the last: the limit counts by address, and
// all players of a load sit at one machine. It is so for a service at 127.0.0.1.
func (s *Service) ManyAddresses() bool { return s.many }

// addressMicros is the logarithm of how many microseconds a run may take for each address:
// 256, which is 4,000 addresses and so 40,000 sign-ins a second.
const addressMicros = 8

// signInsOfAddress is how many sign-ins a service admits from an address in a minute.
const signInsOfAddress = 10

// nextSource is the next address of 127.0.0.0/8 above 127.64.0.0.
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

// entrance is a connection for sign-ins, which changes its address as often as needed.
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

// signIn signs a player in; at is moved on where the wallet signed a message of that
// moment already.
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
	e.left-- // of the address that it came from
	return got, err
}

// readSession reads the session from the answer to a sign-in, or says what is wrong with it.
func (p *Player) readSession(body []byte) string {
	token, _, hasToken := memberText(body, `"token":`)
	expires, hasEnd := memberNumber(body, `"expiresAt":`)
	if !hasToken || !hasEnd || !isText(body, `"wallet":`, p.Wallet) || !isObject(body) {
		return "it is no session of this wallet"
	}
	p.Token, p.ExpiresAt = string(token), time.UnixMilli(expires)
	return ""
}
