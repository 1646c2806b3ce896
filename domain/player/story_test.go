package player_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

const (
	alice   = wallet.Address("alice")
	finance = wallet.Address("finance")
	boss    = wallet.Address("boss")
	support = wallet.Address("support")
	// payee is a wallet's address: the public key of the seed 0, 0, ….
	payee = "4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS"
)

// story is one player's history as a script of lines. It applies every change and books
// every posting, and compares view and book after each line.
type story struct {
	testing.TB
	view player.View
	book ledger.Book
	last player.Change
	n    byte // number of the last id or seed
	// blocks counts the changes; heard are the types of the last one's events, and known
	// the balances by the events alone.
	blocks int64
	heard  []string
	known  map[money.Token]money.Amount
}

func newStory(t testing.TB) *story {
	return &story{TB: t, known: map[money.Token]money.Amount{}, view: player.View{
		Player: player.Player{Wallet: alice},
		Roles: map[wallet.Address]rbac.Assignment{
			finance: {Wallet: finance, Role: "finance"}, boss: {Wallet: boss, Role: "superadmin"},
			support: {Wallet: support, Role: "support"}, alice: {Wallet: alice, Role: "superadmin"},
		},
	}}
}

func (s *story) id() string { s.n++; return fmt.Sprintf("id-%03d", s.n) }

func (s *story) now() time.Time { return time.Unix(1_000_000+int64(s.n), 0).UTC() }

func (s *story) spare() fairness.Spare {
	s.n++
	return fairness.Spare{ID: fmt.Sprintf("pair-%03d", s.n), Seed: fairness.NewServerSeed([32]byte{s.n})}
}

func terms() token.Terms {
	return token.Terms{
		Mint: money.SOL, MinWager: 100, MaxWager: 100_000, MaxPayout: 1_000_000, MinWithdrawal: 50, MaxWithdrawal: 100_000,
		TwoPersonAbove: 5000, TwoPersonAbovePerDay: token.NoTwoPerson, BankrollShare: money.Ratio{Num: 1, Den: 1},
	}
}

// run plays the lines. Each is "verb arguments | result": facts of the change by name,
// or "refused" with the kind.
func (s *story) run(script string) {
	s.Helper()
	for _, line := range strings.Split(strings.TrimSpace(script), "\n") {
		decision, want, _ := strings.Cut(strings.TrimSpace(line), "|")
		words := strings.Fields(decision)
		if len(words) == 0 {
			continue
		}
		change, err := s.decide(words[0], words[1:])
		if err == nil {
			s.apply(change)
		}
		for _, fact := range strings.Split(want, "|") {
			if fact = strings.TrimSpace(fact); fact == "" {
				continue
			}
			if got := s.fact(fact, err); got != fact {
				s.Errorf("%s\n came to %s", line, got)
			}
		}
		if err != nil && !strings.Contains(want, "refused") {
			s.Errorf("%s\n was refused: %v", line, err)
		}
	}
}

func (s *story) apply(change player.Change) {
	s.Helper()
	next, err := player.Apply(s.view, change)
	if err != nil {
		s.Fatal(err)
	}
	for _, posting := range change.Postings {
		if _, used := s.book.Posted(posting.Key); used {
			s.Errorf("posting %v is booked twice", posting.Key)
		}
		if err := s.book.Post(posting); err != nil {
			s.Error(err)
		}
	}
	s.listen(change)
	s.view, s.last = next, change
	for mint, amount := range next.Balances {
		if booked := s.book.Balance(ledger.PlayerOf(alice), mint); booked != money.TotalOf(amount) {
			s.Errorf("the view has %d of %s, the book %v", amount, mint, booked)
		}
		if s.known[mint] != amount {
			s.Errorf("the view has %d of %s, by events it is %d", amount, mint, s.known[mint])
		}
	}
}

// listen records the events of the change, each change in a block.
func (s *story) listen(change player.Change) {
	s.Helper()
	s.blocks++
	s.heard = nil
	block := stream.Block{Head: hashchain.Head{Seq: s.blocks}, Number: s.blocks, At: s.now(), Rows: rowsOf(s.view, &change)}
	for _, e := range stream.Events(&block) {
		s.heard = append(s.heard, string(e.Type))
		if change, is := e.Data.(stream.Balance); is {
			if s.known[change.Token]+money.Amount(change.Amount) != change.After || change.Amount == 0 {
				s.Errorf("a balance of %d changed by %d to %d", s.known[change.Token], change.Amount, change.After)
			}
			s.known[change.Token] = change.After
		}
	}
}

// rowsOf returns the rows of a change that a block covers.
func rowsOf(before player.View, c *player.Change) (rows []stream.Row) {
	if c.Round != nil {
		rows = append(rows, stream.Row{Round: c.Round})
	}
	if c.Seamless != nil {
		rows = append(rows, stream.Row{Seamless: c.Seamless})
	}
	for i := range c.Audit {
		rows = append(rows, stream.Row{Audit: &c.Audit[i]})
	}
	made := before.Events(c)
	for i := range made {
		rows = append(rows, stream.Row{Thing: &made[i]})
	}
	for i := range rows {
		rows[i].Position = i
	}
	return rows
}

var kinds = map[string]fault.Kind{
	"funds": fault.InsufficientFunds, "state": fault.InvalidState, "open": fault.TooManyOpen, "missing": fault.NotFound,
	"permission": fault.AdminForbidden, "own": fault.Forbidden, "amount": fault.AmountOutOfRange,
	"destination": fault.InvalidDestination, "wager": fault.WagerOutOfRange,
}

// fact returns the named fact with its actual value.
func (s *story) fact(text string, err error) string {
	name, kind, _ := strings.Cut(text, " ")
	if name == "refused" {
		if fault.Is(err, kinds[kind]) {
			return text
		}
		return fmt.Sprint("refused with ", err)
	}
	if err != nil {
		return err.Error()
	}
	if name == "hears" {
		return strings.TrimSpace("hears " + strings.Join(s.heard, " "))
	}
	c := s.last
	facts := map[string]func() any{
		"balance":  func() any { return s.view.Balances[money.SOL] },
		"returned": func() any { return c.Balance },
		"nonce":    func() any { return c.Round.Nonce },
		"win":      func() any { return c.Round.Payout },
		"void":     func() any { return c.Round.Void },
		"pair":     func() any { return s.view.Pair.ID },
		"source":   func() any { return s.view.Pair.ClientSource },
		"rounds":   func() any { return c.Retired.Rounds },
		"status":   func() any { return c.Withdrawal.Status },
		"votes":    func() any { return len(c.Withdrawal.Approvals) },
		"attempt":  func() any { return c.Withdrawal.Attempt },
		"dead":     func() any { return c.DeadAttempt },
		"claim":    func() any { return c.Deposit.Status },
		"reason":   func() any { return c.Deposit.Reason },
		"open":     func() any { return s.view.OpenWithdrawals },
		"waiting":  func() any { return s.view.OpenDeposits },
		"postings": func() any { return len(c.Postings) },
		"records":  func() any { return len(c.Audit) },
		"hold":     func() any { return s.held() },
		"fees":     func() any { return s.book.Balance(ledger.System(ledger.Fees), money.SOL) },
		"agent":    func() any { return s.view.Player.Agent },
	}
	value, ok := facts[name]
	if !ok {
		s.Fatalf("no fact is called %q", name)
	}
	return name + " " + fmt.Sprint(value())
}

// held returns the sum of all holds.
func (s *story) held() money.Total {
	return s.book.Totals()[ledger.System(ledger.Hold)][money.SOL]
}

func (s *story) amount(text string) int64 {
	s.Helper()
	if text == "max" {
		return int64(money.Max)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		s.Fatal(err)
	}
	return n
}

func TestLivesOfPlayers(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"the first sign-in makes the player and later ones only a login": `
			signs-in agent-7   | agent agent-7 | pair pair-001 | source server | records 2 | postings 0 | hears player.created
			signs-in agent-8   | agent agent-7 | pair pair-001 | records 1 | postings 0`,
		"what arrived before is paid at the first sign-in": `
			arrives 300        | balance 0
			arrives 50         | balance 0
			signs-in house     | balance 350 | postings 1 | hears player.created balance.changed
			signs-in house     | balance 350 | postings 0`,
		"rounds take one nonce each and move the balance by wager and win": `
			signs-in house
			claims tx credited 10000 | balance 10000 | returned 10000
			bets 1000          | nonce 0 | win 1980 | balance 10980 | returned 10980 | postings 1 | hears round.settled balance.changed
			bets 1000          | nonce 1 | win 1980 | balance 11960
			bets 1000          | nonce 2 | win 1980 | balance 12940
			bets 20000         | refused funds
			bets 99            | refused wager
			bets 1000          | nonce 3 | win 1980 | balance 13920
			bets 1000          | nonce 4 | win 1980 | balance 14900
			bets 1000          | nonce 5 | win 0 | balance 13900 | postings 1 | hears round.settled balance.changed
			bets 1000          | nonce 6 | win 1980 | balance 14880
			bets 1000          | nonce 7 | win 0 | balance 13880`,
		"a round that breaks down returns the stake and retires the pair": `
			signs-in house     | pair pair-001
			claims tx credited 1000
			bets 200           | nonce 0 | win 396 | balance 1196
			bets-broken 500    | nonce 1 | void true | win 500 | balance 1196 | rounds 2 | pair pair-002 | source server | records 1 | hears round.void seed.rotated
			bets 100           | nonce 0 | void false`,
		"a rotation reveals and starts over": `
			signs-in house
			claims tx credited 1000
			bets 100           | nonce 0
			bets 100           | nonce 1
			rotates mine       | rounds 2 | pair pair-002 | source player | postings 0 | hears seed.rotated
			bets 100           | nonce 0
			rotates -          | rounds 1 | source server
			rotates other      | source player
			rotates mine       | source repeated
			rotates mine       | source repeated
			rotates server's   | source repeated
			rotates fresh      | source player
			rotates mine another | refused state
			rotates mine present | rounds 0`,
		"deposits wait, are refused, claimed again and credited once": `
			signs-in house
			claims one pending      | claim pending | waiting 1 | balance 0 | postings 0 | hears deposit.pending
			claims one pending      | claim pending | waiting 1 | hears 
			claims one rejected     | claim rejected | waiting 0 | hears deposit.rejected
			claims one pending      | claim pending | waiting 1
			claims one credited 70  | claim credited | waiting 0 | balance 70 | postings 1 | hears deposit.credited balance.changed
			claims one credited 70  | refused state
			claims two review 5     | claim review | waiting 0 | balance 70 | hears deposit.review
			claims two credited 5   | claim credited | balance 75
			claims big credited max | refused amount
			claims big review max   | claim review | balance 75 | postings 0`,
		"a withdrawal is held, approved, signed and paid": `
			signs-in house
			claims tx credited 10000
			withdraws 3000     | status pending | balance 7000 | returned 7000 | hold 3000 | open 1 | hears withdrawal.requested balance.changed
			approves 3000 alice | refused own
			approves 3000 support | refused permission
			approves 3000 finance | status approved | votes 1 | balance 7000 | hold 3000 | records 1 | hears withdrawal.approved
			cancels 3000       | refused state
			signs 3000 2       | refused state
			signs 3000 1       | status sending | attempt 1 | postings 0 | hears withdrawal.sending
			signs 3000 2       | refused state
			rejects 3000 boss  | refused state
			settles 3000 1 landed | refused state
			settles 3000 1 unknown | refused state
			settles 3000 2 finalized | refused state
			settles 3000 1 finalized | status completed | hold 0 | fees -15 | open 0 | postings 2 | balance 7000 | hears withdrawal.completed
			settles 3000 1 finalized | refused state`,
		"what two persons must approve": `
			signs-in house
			claims tx credited 20000
			withdraws 5001
			withdraws 5000
			approves 5000 finance | status approved
			approves 5001 finance | status pending | votes 1 | hears withdrawal.voted
			approves 5001 finance | refused own
			approves 5001 boss    | status approved | votes 2 | hears withdrawal.approved`,
		"a dead attempt is signed again, a failed one approved again": `
			signs-in house
			claims tx credited 1000
			withdraws 600
			approves 600 boss
			signs 600 1
			settles 600 1 dead | status approved | dead 1 | hold 600 | postings 0 | hears withdrawal.expired
			settles 600 1 finalized | refused state
			signs 600 2        | attempt 2
			settles 600 1 dead | refused state
			settles 600 2 errored | status failed | votes 0 | hold 600 | fees -5 | open 1 | hears withdrawal.failed
			approves 600 finance | status approved | votes 1 | hears withdrawal.approved
			signs 600 3
			settles 600 3 finalized | status completed | hold 0 | fees -20 | balance 400`,
		"money comes back once": `
			signs-in house
			claims tx credited 1000
			withdraws 600      | balance 400
			cancels 600        | status cancelled | balance 1000 | returned 1000 | hold 0 | open 0 | hears withdrawal.cancelled balance.changed
			cancels 600        | refused state
			rejects 600 boss   | refused state
			withdraws 500
			approves 500 boss
			rejects 500 support | status rejected | balance 1000 | hold 0 | records 1 | hears withdrawal.rejected balance.changed
			cancels 7          | refused missing
			rejects 7 boss     | refused missing`,
		"requests are refused before money moves": `
			signs-in house
			claims tx credited 10000
			withdraws 49       | refused amount
			withdraws 100001   | refused amount
			withdraws 10001    | refused funds
			withdraws 100 nowhere | refused destination
			withdraws 51
			withdraws 52
			withdraws 53
			withdraws 54
			withdraws 55       | open 5
			withdraws 56       | refused open
			cancels 53         | open 4
			withdraws 56       | open 5`,
		"a refund that doesn't fit leaves the hold": `
			signs-in house
			claims tx credited 1000
			withdraws 600
			adjusts 9223372036854775407 boss | balance 9223372036854775807
			cancels 600        | refused amount
			adjusts -600 boss
			cancels 600        | balance 9223372036854775807 | hold 0`,
		"adjustments": `
			adjusts 5 boss     | refused missing
			signs-in house
			adjusts 5 alice    | refused own
			adjusts 500 boss   | balance 500 | returned 500 | records 1 | postings 1 | hears balance.changed
			adjusts -501 boss  | refused funds
			adjusts -500 boss  | balance 0
			adjusts 0 boss     | refused funds
			adjusts -9223372036854775808 boss | refused funds
			adjusts max boss   | balance 9223372036854775807
			adjusts 1 boss     | refused amount
			bets 100           | refused wager`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newStory(t).run(script)
		})
	}
}
