package conformance

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// PlaySessions is the suite of ports.PlaySessions.
func PlaySessions(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, playSessionsCases)
}

var playSessionsCases = []story{
	{"a session has the play since its sign-in, for each token played, sorted by token", Rows, func(b *bench) {
		at := b.begin(alice)
		b.same("a fresh session", b.session(alice, at), []session.Played(nil))
		b.commit(b.credit(alice, "t1", money.SOL, 5_000))
		b.commit(b.credit(alice, "t2", usd, 700))
		sol, dollars := b.played(alice, money.SOL, 40, 9).Add(deposited(5_000)), b.played(alice, usd, 7, 4).Add(deposited(700))
		b.commit(b.withdraw(alice, 300))
		b.reopen()
		b.same("a session", b.session(alice, at), tallies(sol.Add(deposited(-300)), dollars))
		b.sound()
	}},
	{"earlier play belongs to another session, and later play to every session that lasts", Rows, func(b *bench) {
		first := b.begin(alice)
		b.commit(b.credit(alice, "t1", money.SOL, 5_000))
		one := b.played(alice, money.SOL, 10, 5)
		second := b.begin(alice)
		two := b.played(alice, money.SOL, 20, 6)
		third := b.begin(alice)
		three := b.played(alice, money.SOL, 30, 7)
		other := b.begin(bob)
		b.same("the first", b.session(alice, first), tallies(deposited(5_000).Add(one).Add(two).Add(three), session.Tally{}))
		b.same("the second", b.session(alice, second), tallies(two.Add(three), session.Tally{}))
		b.same("the third", b.session(alice, third), tallies(three, session.Tally{}))
		b.same("another player's", b.session(bob, other), []session.Played(nil))
		b.sound()
	}},
	{"what arrived before the first sign-in is deposited in its session", Logic, func(b *bench) {
		key := ledger.Key{Kind: ledger.Deposit, Scope: string(money.SOL), ID: "tx"}
		b.commit(b.transfer(alice, key, ledger.Transfer{
			Debit: ledger.System(ledger.Chain), Credit: ledger.UnclaimedOf(alice), Token: money.SOL, Amount: 500,
		}))
		first := b.begin(alice)
		b.same("the first session", b.session(alice, first), tallies(deposited(500), session.Tally{}))
		b.same("the next one", b.session(alice, b.begin(alice)), []session.Played(nil))
		b.sound()
	}},
	{"a withdrawal that comes back is no longer withdrawn", Logic, func(b *bench) {
		first := b.begin(alice)
		b.commit(b.credit(alice, "t1", money.SOL, 1_000))
		w := b.commit(b.withdraw(alice, 400)).Change.Withdrawal
		second := b.begin(alice)
		b.same("taken aside", b.session(alice, first), tallies(deposited(600), session.Tally{}))
		b.commit(b.cancel(*w))
		b.same("come back", b.session(alice, first), tallies(deposited(1_000), session.Tally{}))
		b.same("come back in a later session", b.session(alice, second), tallies(deposited(400), session.Tally{}))
		b.sound()
	}},
	{"providers' rounds count, those from an agent's prepaid account don't", Rows, func(b *bench) {
		at := b.begin(alice)
		b.commit(b.credit(alice, "t1", money.SOL, 9_000))
		b.commit(b.launch(alice, money.SOL, 3))
		b.asked(alice, "p1", seamless.Debit, "2", "")
		b.asked(alice, "p1", seamless.Credit, "", "3.5")
		b.asked(alice, "p2", seamless.DebitCredit, "1", "0.25")
		b.asked(alice, "p3", seamless.Debit, "900", "") // more than there is
		want := session.Tally{Rounds: 2, Wagered: money.TotalOf(3_000), Won: money.TotalOf(3_750), Deposited: money.TotalOf(9_000)}
		b.same("a session", b.session(alice, at), tallies(want, session.Tally{}))

		b.prepaidAgent("acme", 1_000, 0)
		b.member(carol, "acme")
		member := b.begin(carol)
		delivery := b.bet(carol, "acme", "s1", "30")
		b.commit(b.responded(delivery, seamless.SiteAccepted))
		b.same("a session of a site's player", b.session(carol, member), []session.Played(nil))
		b.sound()
	}},
	{"a void round is wagered and returned, an adjustment is neither play nor a deposit", Logic, func(b *bench) {
		b.begin(alice)
		b.commit(b.credit(alice, "t1", money.SOL, 1_000))
		at := b.begin(alice)
		b.commit(b.playIn(alice, money.SOL, 30, brokenGame{game.Dice()}))
		b.commit(b.adjust(alice, 55))
		b.commit(b.adjust(alice, -5))
		want := session.Tally{Rounds: 1, Wagered: money.TotalOf(30), Won: money.TotalOf(30)}
		b.same("a session", b.session(alice, at), tallies(want, session.Tally{}))
		b.sound()
	}},
	{"sums outgrow an amount", Rows, func(b *bench) {
		b.begin(alice)
		const much = money.Max / 4
		b.commit(b.credit(alice, "t1", money.SOL, much))
		at, want := b.begin(alice), session.Tally{}
		for i := range 24 {
			won := b.played(alice, money.SOL, must(b.Balances(background, alice))(b)[0].Amount, 1)
			if want = want.Add(won); won.Won.Sign() == 0 {
				b.commit(b.credit(alice, b.id(), money.SOL, much))
				want = want.Add(deposited(int64(much)))
			} else if i%2 == 0 { // stays below the greatest balance
				half := must(b.Balances(background, alice))(b)[0].Amount / 2
				b.commit(b.withdraw(alice, half))
				b.cancelAll(alice)
			}
			if must(b.Balances(background, alice))(b)[0].Amount > money.Max/3 {
				b.commit(b.adjust(alice, -int64(much)))
			}
		}
		b.fatalIf(want.Wagered.Cmp(money.TotalOf(money.Max)) <= 0, "only %v was wagered", want.Wagered)
		b.same("a session", b.session(alice, at), tallies(want, session.Tally{}))
	}},
	{"a session that begins among other writes of its player has those after it", Races, func(b *bench) {
		// Let sign-ins and bets of a player share batches: each session has exactly the rounds
		// committed after it, by the nonce that its sign-in saw.
		b.begin(alice)
		b.commit(b.credit(alice, "t1", money.SOL, 100_000))
		var mu sync.Mutex
		rounds, sessions := map[int64]session.Tally{}, map[time.Time]int64{}
		for range 4 {
			var items []player.Item
			for i := range 12 {
				item := b.play(alice, money.Amount(i+1))
				if i%4 == 2 {
					item = b.login(alice, b.now().UnixMilli())
					item.Needs.Pair = true
				}
				decide := item.Decide
				item.Decide = func(v player.View) (player.Change, error) {
					change, err := decide(v)
					mu.Lock()
					defer mu.Unlock()
					if change.Session != nil {
						sessions[change.Session.IssuedAt] = v.Pair.Nonce
					}
					if r := change.Round; r != nil {
						rounds[r.Nonce] = session.Tally{Rounds: 1, Wagered: money.TotalOf(r.Wager), Won: money.TotalOf(r.Payout)}
					}
					return change, err
				}
				items = append(items, item)
			}
			first := b.does(bob, player.Needs{}, func(player.View) player.Change { return player.Change{} })
			b.behindOne(first, items, func(i int, err error) {
				b.errorIf(err != nil, "item %d: %v", i, err)
			})
		}
		for issued, nonce := range sessions {
			want := session.Tally{}
			for of, tally := range rounds {
				if of >= nonce {
					want = want.Add(tally)
				}
			}
			b.same("a session that began at nonce "+strconv.FormatInt(nonce, 10), b.session(alice, issued), tallies(want, session.Tally{}))
		}
		b.sound()
	}},
	{"a session that is not known is not found", Rows, func(b *bench) {
		at := b.begin(alice)
		b.begin(bob)
		for name, ask := range map[string]struct {
			w  wallet.Address
			at time.Time
		}{
			"another moment": {alice, at.Add(time.Millisecond)}, "another's": {bob, at}, "nobody's": {carol, at}, "no moment": {alice, time.Time{}},
		} {
			b.fails(fault.NotFound, errorOf(b.PlaySession(background, ask.w, ask.at)), name)
		}
	}},
	{"answers are of committed state", Races, func(b *bench) {
		// Read while rounds are played: a round is counted completely or not.
		at := b.begin(alice)
		b.commit(b.credit(alice, "t1", money.SOL, 100_000))
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.played(alice, money.SOL, 7, 60)
		}()
		for last := int64(0); ; {
			played, err := b.PlaySession(background, alice, at)
			if err != nil || len(played) != 1 || played[0].Rounds < last || played[0].Wagered != money.TotalOfInt(7*played[0].Rounds) {
				b.Errorf("after %d rounds: %+v, %v", last, played, err)
			} else {
				last = played[0].Rounds
			}
			select {
			case <-done:
				return
			default:
			}
		}
	}},
}

// begin signs a wallet in and returns the time when its session was issued.
func (b *bench) begin(w wallet.Address) time.Time {
	b.Helper()
	return b.commit(b.login(w, b.now().UnixMilli())).Change.Session.IssuedAt
}

func (b *bench) session(w wallet.Address, issued time.Time) []session.Played {
	b.Helper()
	return must(b.PlaySession(background, w, issued))(b)
}

// played plays rounds with a wager and returns their tally.
func (b *bench) played(w wallet.Address, mint money.Token, wager money.Amount, rounds int) (t session.Tally) {
	b.Helper()
	for range rounds {
		round := b.commit(b.playIn(w, mint, wager, b.dice)).Change.Round
		t = t.Add(session.Tally{Rounds: 1, Wagered: money.TotalOf(wager), Won: money.TotalOf(round.Payout)})
	}
	return t
}

func deposited(amount int64) session.Tally { return session.Tally{Deposited: money.TotalOfInt(amount)} }

// tallies returns those of native SOL and of usd, sorted, without empty ones.
func tallies(sol, dollars session.Tally) []session.Played {
	return session.Tallies(map[money.Token]session.Tally{money.SOL: sol, usd: dollars})
}

func (b *bench) cancelAll(w wallet.Address) {
	b.Helper()
	open := must(b.Transactions(background, ports.TransactionFilter{Wallet: w, Type: ports.WithdrawalTransaction, Status: "pending"}, whole))(b)
	for _, line := range open.Transactions {
		b.commit(b.cancel(must(b.Withdrawal(background, line.ID))(b)))
	}
}

// soundSessions recomputes the tallies since each wallet's first sign-in from its postings.
func (b *bench) soundSessions(blocks []ports.Block) {
	b.Helper()
	counted := map[wallet.Address]map[money.Token]session.Tally{}
	for _, block := range blocks {
		for _, posting := range block.Postings {
			for _, t := range posting.Transfers {
				of, by, counts := session.Of(posting.Key.Kind, &t)
				if !counts {
					continue
				}
				w := wallet.Address(of.Owner)
				if counted[w] == nil {
					counted[w] = map[money.Token]session.Tally{}
				}
				counted[w][t.Token] = counted[w][t.Token].Add(by)
			}
		}
	}
	b.begun.Range(func(w, issued any) bool {
		played := must(b.PlaySession(background, w.(wallet.Address), issued.(time.Time)))(b)
		b.same("what was done since "+string(w.(wallet.Address))+" signed in first", played, session.Tallies(counted[w.(wallet.Address)]))
		if !slices.IsSortedFunc(played, func(x, y session.Played) int { return strings.Compare(string(x.Token), string(y.Token)) }) {
			b.Errorf("%+v are not sorted", played)
		}
		return true
	})
}
