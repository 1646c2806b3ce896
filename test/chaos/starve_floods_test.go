package chaos_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/fakes"
)

// flood is a number of connections, each of which sends again as soon as it was answered.
type flood struct {
	what        string
	connections int
	atLeast     int64 // requests, for any duration
	send        func(f *flood, connection int, n int64)
	// keep is for connections without requests: it holds one until stop.
	keep func(f *flood, connection int, stop <-chan struct{})

	count   atomic.Int64
	mu      sync.Mutex
	answers map[string]int
}

// floods returns those of one player, of many addresses, of players without money, of listeners,
// and of idle connections.
func (s *scene) floods() []*flood {
	s.Helper()
	connections, addresses, idle := 200, number(s, "CASINO_TEST_STARVE_ADDRESSES", 262_144), 5_000
	if s.lasts == 0 {
		connections, addresses, idle = 20, 2_000, 500
	}
	flooder := s.party.players[1].bearer()
	broke := s.broke(50)
	return []*flood{
		{what: "many addresses", connections: 64, atLeast: int64(addresses), send: s.fromManyAddresses(int64(addresses))},
		{what: "deposits of one player", connections: connections, send: s.randomDeposit(flooder)},
		{what: "rotations of one player", connections: connections, send: func(f *flood, _ int, _ int64) {
			s.ask(f, http.MethodPost, "/seed/rotate", flooder, "192.0.2.66", map[string]any{})
		}},
		{what: "withdrawals of one player", connections: connections, send: s.withdrawAndCancel(flooder)},
		{what: "limits of one player", connections: connections, send: func(f *flood, _ int, n int64) {
			s.ask(f, http.MethodPut, "/account/limits", flooder, "192.0.2.66", map[string]any{"limits": []any{
				map[string]any{"kind": "wager", "period": "day", "token": sol, "amount": capital - n%1_000},
			}})
		}},
		{what: "bets of one player", connections: connections, send: func(f *flood, _ int, _ int64) {
			s.ask(f, http.MethodPost, "/play", flooder, "192.0.2.66", map[string]any{"gameType": "dice", "wager": 10_000, "token": sol})
		}},
		{what: "lists of one player", connections: connections, send: func(f *flood, _ int, n int64) {
			path := []string{"/history?limit=100", "/account/transactions?limit=100"}[n%2]
			s.ask(f, http.MethodGet, path, flooder, "192.0.2.66", nil)
		}},
		{what: "deposits of players without a cent", connections: connections, send: s.randomDeposit(broke...)},
		{what: "event streams", connections: idle, keep: s.listen(flooder)},
		{what: "idle and slow connections", connections: idle, keep: s.hold(idleConnection, slowHeader, slowBody)},
	}
}

// start begins the flood, which continues until stop is closed.
func (f *flood) start(stop <-chan struct{}, flooding *sync.WaitGroup) {
	f.answers = map[string]int{}
	for c := range f.connections {
		flooding.Go(func() {
			if f.keep != nil {
				f.keep(f, c, stop)
				return
			}
			for {
				select {
				case <-stop:
					return
				default:
					f.send(f, c, f.count.Add(1))
				}
			}
		})
	}
}

// note counts an answer.
func (f *flood) note(answer string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[answer]++
}

// outcome returns how often each answer was given.
func (f *flood) outcome(lasted time.Duration) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var text strings.Builder
	for _, answer := range slices.Sorted(maps.Keys(f.answers)) {
		fmt.Fprintf(&text, ", %d times %s", f.answers[answer], answer)
	}
	return fmt.Sprintf("%d connections, %d requests a second%s", f.connections, int(float64(f.count.Load())/lasted.Seconds()), text.String())
}

// ask sends one request of the flood and returns the answer's body. No flood may get a 5xx.
func (s *scene) ask(f *flood, method, path, bearer, address string, body any) []byte {
	var text []byte
	var err error
	if body != nil {
		text, err = json.Marshal(body)
	}
	r, wrong := http.NewRequest(method, "http://"+s.api+"/casino"+path, bytes.NewReader(text))
	if err := errors.Join(err, wrong); err != nil {
		s.Error(err)
		return nil
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("X-Forwarded-For", address)
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	answer, err := s.flooding.Do(r)
	if err != nil {
		s.Errorf("%s: %v", f.what, err)
		return nil
	}
	defer func() { _ = answer.Body.Close() }()
	text, err = io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= http.StatusInternalServerError {
		s.Errorf("%s: %d %s %v", f.what, answer.StatusCode, text, err)
	}
	f.note(fmt.Sprint(answer.StatusCode))
	return text
}

// fromManyAddresses sends one read from each of a number of /64 networks in turn, and tries to
// sign in from every second one. Few succeed.
func (s *scene) fromManyAddresses(addresses int64) func(*flood, int, int64) {
	const lookOnly, refused = 2, 64
	stranger := string(fakes.Wallet("stranger"))
	wrong := base64.StdEncoding.EncodeToString(make([]byte, ed25519.SignatureSize))
	return func(f *flood, _ int, n int64) {
		address := fmt.Sprintf("2001:db8:%x:%x::1", n%addresses>>16, n&0xffff)
		s.ask(f, http.MethodGet, "/public/whitelabel", "", address, nil)
		if n%lookOnly != 0 {
			return
		}
		login := api.LoginRequest{Wallet: stranger, Timestamp: time.Now().UnixMilli(), Signature: wrong}
		if n%refused == 0 {
			var err error
			if login, err = client.SignLogin(fakes.Key(fmt.Sprint("swarm ", n)), time.Now()); err != nil {
				s.Error(err)
			}
		}
		s.ask(f, http.MethodPost, "/auth/login", "", address, login)
	}
}

// randomDeposit claims random transactions, for each player in turn.
func (s *scene) randomDeposit(players ...string) func(*flood, int, int64) {
	return func(f *flood, c int, _ int64) {
		var signature solana.Signature
		_, _ = rand.Read(signature[:]) // never fails
		s.ask(f, http.MethodPost, "/deposit", players[c%len(players)], "192.0.2.66", map[string]any{"signature": signature.String(), "token": sol})
	}
}

// withdrawAndCancel requests a withdrawal and cancels it.
func (s *scene) withdrawAndCancel(bearer string) func(*flood, int, int64) {
	own := string(fakes.Wallet(s.party.players[1].name))
	return func(f *flood, _ int, _ int64) {
		var made struct {
			Withdrawal struct {
				ID string `json:"id"`
			} `json:"withdrawal"`
		}
		text := s.ask(f, http.MethodPost, "/withdraw", bearer, "192.0.2.66", map[string]any{"amount": 1_000_000, "token": sol, "destination": own})
		if json.Unmarshal(text, &made) == nil && made.Withdrawal.ID != "" {
			s.ask(f, http.MethodPost, "/withdraw/"+made.Withdrawal.ID+"/cancel", bearer, "192.0.2.66", nil)
		}
	}
}

// broke signs in players who never had any money.
func (s *scene) broke(players int) (bearers []string) {
	s.Helper()
	for n := range players {
		_, session, err := s.visitor(visitors.Add(1), "").SignIn(s.Context(), fakes.Key(fmt.Sprint("broke ", n)), time.Now())
		noError(s, err)
		bearers = append(bearers, session.Token)
	}
	return bearers
}

// What connections send before they are idle, or send forever.
const (
	idleConnection = "GET /casino/health HTTP/1.1\r\nHost: casino\r\n\r\n"
	slowHeader     = "GET /casino/health HTTP/1.1\r\nHost: casino\r\nX-Slow: "
	slowBody       = "POST /casino/auth/login HTTP/1.1\r\nHost: casino\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
)

// hold keeps a connection occupied, each kind in turn. If the service closes it, it begins again.
func (s *scene) hold(kinds ...string) func(*flood, int, <-chan struct{}) {
	return func(f *flood, connection int, stop <-chan struct{}) {
		for kind := kinds[connection%len(kinds)]; ; {
			s.holdOne(f, kind, stop)
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
				f.note("closed")
			}
		}
	}
}

// holdOne opens a connection and keeps it until the service closes it, or until stop.
func (s *scene) holdOne(f *flood, kind string, stop <-chan struct{}) {
	held, err := net.Dial("tcp", s.api)
	if err != nil {
		f.note("refused to connect")
		return
	}
	defer func() { _ = held.Close() }()
	f.count.Add(1)
	for _, err = io.WriteString(held, kind); err == nil; {
		select {
		case <-stop:
			return
		case <-time.After(time.Second):
		}
		if kind == idleConnection {
			err = stillOpen(held)
		} else {
			_, err = io.WriteString(held, " ")
		}
	}
}

// stillOpen reads the answer, and reports whether the connection is closed.
func stillOpen(held net.Conn) error {
	_ = held.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := io.Copy(io.Discard, held)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	if err == nil {
		err = io.EOF
	}
	return err
}
