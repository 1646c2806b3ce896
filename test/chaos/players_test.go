package chaos_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/history"
	"github.com/casino-service/casino/test/services"
)

const sol = string(money.SOL)

// party is a group of players on all instances of a deployment, with their answers.
type party struct {
	testing.TB
	instances []*instance
	// reach returns a client for the next request, of one instance after the other.
	reach    func(turn int) *client.Client
	players  []*guest
	admin    *signedIn    // the admin who approves
	deposits atomic.Int64 // credited
	answered atomic.Int64 // answered operations
	unknown  atomic.Int64 // requests with a lost answer
}

// signedIn is a wallet with its session. When the session has ended, its clients sign in again.
type signedIn struct {
	name    string
	session sync.Mutex
	token   string
}

func (s *signedIn) bearer() string {
	s.session.Lock()
	defer s.session.Unlock()
	return s.token
}

// signIn begins a session after the one with this token, unless another client of the wallet has
// done so. All of them use it.
func (s *signedIn) signIn(ctx context.Context, at *client.Client, after string) error {
	s.session.Lock()
	defer s.session.Unlock()
	if s.token != after {
		return nil
	}
	_, session, err := at.SignIn(ctx, fakes.Key(s.name), time.Now())
	if err == nil {
		s.token = session.Token
	}
	return err
}

// guest is a player with the answers it got, which the service's ledger must match in the end.
type guest struct {
	*signedIn
	wager   int64
	mu      sync.Mutex
	balance int64            // according to the answers
	rounds  map[string]int64 // payout minus wager, by round id
	nonces  map[string][]int64
	payouts int
	slowest time.Duration // of the payouts
	past    *history.History
}

// invite signs players in and gives them money; every third is poor, and bets nevertheless.
func invite(t testing.TB, players int, instances ...*instance) *party {
	t.Helper()
	p := &party{TB: t, instances: instances}
	p.reach = func(turn int) *client.Client { return instances[turn%len(instances)].client("198.51.100.1") }
	ctx := t.Context()
	_, session, err := instances[0].client("192.0.2.1").SignIn(ctx, fakes.Key("superadmin"), time.Now())
	noError(t, err)
	admin := instances[0].client("192.0.2.1").WithToken(session.Token)
	// An admin who credits a player can't approve that player's withdrawals.
	instances[0].run("role", "grant", "--founding", string(fakes.Wallet("approver")), "finance")
	p.admin = &signedIn{name: "approver"}
	noError(t, p.admin.signIn(ctx, instances[0].client("192.0.2.2"), ""))
	for n := range players {
		g := &guest{signedIn: &signedIn{name: fmt.Sprint("guest ", n)}, wager: 10_000, balance: 1_000_000_000, rounds: map[string]int64{}, nonces: map[string][]int64{}}
		if n%3 == 2 {
			g.wager, g.balance = 300_000, 1_000_000
		}
		noError(t, g.signIn(ctx, instances[n%len(instances)].client(fmt.Sprint("198.51.100.", n)), ""))
		if _, err := admin.AdjustBalance(ctx, string(fakes.Wallet(g.name)), api.AdjustRequest{Token: sol, Amount: g.balance, Reason: "money to play with"}); err != nil {
			t.Fatal(err)
		}
		g.past = history.New(g.balance)
		p.players = append(p.players, g)
	}
	return p
}

// play lets each player act through a number of clients, which use the instances in turn, until
// done returns true for the number of operations of the client.
func (p *party) play(clients int, done func(n int) bool) *sync.WaitGroup {
	var all sync.WaitGroup
	for _, g := range p.players {
		for c := range clients {
			all.Go(func() {
				for n := 0; !done(n) && !p.Failed(); n++ {
					p.act(g, c, n)
				}
			})
		}
	}
	return &all
}

// act does one thing: mostly a bet, sometimes a rotation, a withdrawal that is cancelled, or a
// read of the balance or the seed pair.
func (p *party) act(g *guest, c, n int) {
	key := fmt.Sprintf("%s/%d/%d", g.name, c, n)
	switch {
	case n%23 == 11:
		p.rotate(g, c, n, key)
	case n%29 == 7:
		p.withdraw(g, c, n, key)
	case n%17 == 3:
		p.readBalance(g, c, c+n)
	case n%19 == 5:
		p.readSeed(g, c, c+n)
	default:
		p.bet(g, c, n, key)
	}
}

// bet plays a round; sometimes it repeats the request.
func (p *party) bet(g *guest, c, n int, key string) {
	var played api.Played
	ask := func(ctx context.Context, s *client.Client) (err error) {
		played, err = s.Play(ctx, api.PlayRequest{GameType: "dice", Wager: g.wager, Token: sol, IdempotencyKey: key})
		return err
	}
	operation := g.past.Begin(c, history.Ask{Kind: history.Bet, Key: key, Amount: g.wager, Pays: []int64{0, g.wager * 198 / 100}})
	if !p.insist(g, c+n, "a bet", ask, "INSUFFICIENT_USER_FUNDS") {
		operation.End(history.Response{Outcome: p.refused("INSUFFICIENT_USER_FUNDS")})
		return
	}
	first, round := played, played.Round
	operation.End(history.Response{
		Outcome: history.Done, Payout: round.Payout, Balance: &first.Balance,
		Seed: history.Seed{Pair: *round.ServerSeedHash, Nonce: *round.Nonce},
	})
	if n%7 == 2 && p.insist(g, c+n+1, "the bet again", ask) && (!played.Replayed || played.Round.ID != round.ID || played.Balance != first.Balance) {
		p.Errorf("key %s gave round %s and balance %d, then %s and %d", key, round.ID, first.Balance, played.Round.ID, played.Balance)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, twice := g.rounds[round.ID]; twice {
		p.Errorf("two keys of %s have round %s", g.name, round.ID)
	}
	g.rounds[round.ID] = round.Payout - round.Wager
	g.nonces[*round.ServerSeedHash] = append(g.nonces[*round.ServerSeedHash], *round.Nonce)
	if g.balance += round.Payout - round.Wager; first.Balance < 0 {
		p.Errorf("%s gets a balance of %d", g.name, first.Balance)
	}
}

// withdraw requests a withdrawal and cancels it.
func (p *party) withdraw(g *guest, c, n int, key string) {
	asked, ok := p.ask(g, c, n, api.WithdrawRequest{
		Amount: 1_000_000, Token: sol, Destination: string(fakes.Wallet(g.name)), IdempotencyKey: key})
	if !ok {
		return
	}
	operation := g.past.Begin(c, history.Ask{Kind: history.Cancellation, Key: key, Amount: 1_000_000})
	response := history.Response{Outcome: history.Done}
	p.insist(g, c+n+1, "cancelling a withdrawal", func(ctx context.Context, s *client.Client) error {
		cancelled, err := s.CancelWithdrawal(ctx, asked.Withdrawal.ID)
		if err == nil {
			response.Balance = &cancelled.Balance
		}
		if err == nil && cancelled.Withdrawal.Status != "cancelled" {
			p.Errorf("a withdrawal that was cancelled is %s", cancelled.Withdrawal.Status)
		}
		return err
	}, "INVALID_STATE") // the first answer was lost
	operation.End(response)
}

// ask requests a withdrawal, and reports whether it was accepted.
func (p *party) ask(g *guest, c, n int, request api.WithdrawRequest) (asked api.Withdrawn, ok bool) {
	operation := g.past.Begin(c, history.Ask{Kind: history.Withdrawal, Key: request.IdempotencyKey, Amount: request.Amount})
	code := ""
	if !p.insist(g, c+n, "a withdrawal", func(ctx context.Context, s *client.Client) (err error) {
		asked, err = s.Withdraw(ctx, request)
		code = client.CodeOf(err)
		return err
	}, "INSUFFICIENT_USER_FUNDS", "TOO_MANY_OPEN") {
		operation.End(history.Response{Outcome: p.refused(code)})
		return asked, false
	}
	operation.End(history.Response{Outcome: history.Done, Balance: &asked.Balance})
	return asked, true
}

// insist calls one instance after the other until the answer is known, for any time on a slow
// machine. It reports whether the request was accepted; a refusal must be one of those expected.
func (p *party) insist(g *guest, turn int, what string, ask func(context.Context, *client.Client) error, expected ...string) bool {
	return p.insistAs(g.signedIn, turn, what+" of "+g.name, ask, expected...)
}

func (p *party) insistAs(who *signedIn, turn int, what string, ask func(context.Context, *client.Client) error, expected ...string) bool {
	for ; ; turn++ {
		at := p.reach(turn)
		bearer := who.bearer()
		err := ask(context.Background(), at.WithToken(bearer))
		code := client.CodeOf(err)
		if code == "EXPIRED_TOKEN" {
			if err = who.signIn(context.Background(), at, bearer); err == nil {
				continue
			}
			code = client.CodeOf(err)
		}
		switch {
		case err == nil:
			p.answered.Add(1)
			return true
		case slices.Contains(expected, code):
			p.answered.Add(1)
			return false
		case code != "" && code != "UNAVAILABLE" && code != "RATE_LIMITED":
			p.Errorf("%s: %v", what, err)
			return false
		case p.Failed():
			return false
		case services.Overdue():
			p.Errorf("%s: no answer before the tests' time-out: %v", what, err)
			return false
		}
		if !errors.Is(err, errWaiting) {
			p.unknown.Add(1)
		}
		pause(p, 20*time.Millisecond)
	}
}

// progress waits until n more operations were answered.
func (p *party) progress(n int64) {
	p.Helper()
	from := p.answered.Load()
	eventually(p, fmt.Sprintf("%d more operations", n), func() bool { return p.Failed() || p.answered.Load() >= from+n })
}

// settle compares the service's balances and each pair's nonces with the players'
// answers, and checks that each player's history is linearizable.
func (p *party) settle() {
	p.Helper()
	rounds, operations := 0, 0
	for _, g := range p.players {
		if balance := p.readBalance(g, 0, 0); balance != g.balance {
			p.Errorf("%s played %d rounds that leave %d, and has %d", g.name, len(g.rounds), g.balance, balance)
		}
		p.readSeed(g, 0, 0)
		for pair, nonces := range g.nonces {
			slices.Sort(nonces)
			for i, nonce := range nonces {
				if nonce != int64(i) {
					p.Errorf("%s, pair %s: round %d of it has nonce %d", g.name, pair, i, nonce)
					break
				}
			}
		}
		if err := g.past.Check(); err != nil {
			p.Errorf("the history of %s: %v", g.name, err)
		}
		rounds, operations = rounds+len(g.rounds), operations+g.past.Len()
	}
	p.Logf("%d operations, %d of them rounds; %d answers were lost or refused for a moment", p.answered.Load(), rounds, p.unknown.Load())
	p.Logf("%d operations of %d players were checked for linearizability", operations, len(p.players))
}
