package conformance

import (
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Figures is the suite of ports.Figures.
func Figures(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, figuresCases)
}

var figuresCases = []story{
	{"totals are sorted and sum liabilities by kind", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		b.signIn(bob, 500)
		b.commit(b.credit(bob, "usd", usd, 70))
		b.commit(b.withdraw(alice, 30))
		b.commit(b.withdraw(bob, 5))
		chain := ledger.System(ledger.Chain)
		b.between(chain, ledger.ProviderOf("p"), money.SOL, 7)
		b.between(chain, ledger.ProviderOf("q"), money.SOL, 9)
		b.between(chain, ledger.AgentOf("p"), usd, 11)
		got := map[string]string{}
		lines := must(b.Totals(background))(b)
		for _, line := range lines {
			if line.Amount.Sign() != 0 {
				got[line.Account.String()+" "+string(line.Token)] = line.Amount.String()
			}
		}
		sol, other := string(money.SOL), string(usd)
		b.same("totals", got, map[string]string{
			"player " + sol: "1465", "hold " + sol: "35", "player " + other: "70", "provider:p " + sol: "7",
			"provider:q " + sol: "9", "agent:p " + other: "11", "chain " + sol: "-1516", "chain " + other: "-81",
		})
		if !slices.IsSortedFunc(lines, func(x, y ledger.Balance) int {
			if x.Account != y.Account {
				return compareText(x.Account.String(), y.Account.String())
			}
			return compareText(string(x.Token), string(y.Token))
		}) {
			b.Errorf("not sorted: %v", lines)
		}
		b.sound()
	}},
	{"totals outgrow an amount", Rows, func(b *bench) {
		want := money.Total{}
		for _, name := range []string{"a", "b", "c"} {
			b.signIn(fakes.Wallet(name), money.Max)
			want = want.AddAmount(money.Max)
		}
		b.same("players have", b.total(ledger.Player), want)
		b.same("the chain stands at", b.total(ledger.Chain), want.Neg())
		b.sound()
	}},
	{"the bankroll is the operator's own money", Rows, func(b *bench) {
		if got := must(b.Bankroll(background, money.SOL))(b); got.Sign() != 0 {
			b.Errorf("an empty house has %v", got)
		}
		b.signIn(alice, 1_000_000)
		b.grant(admin, "superadmin")
		b.commit(b.adjust(alice, 300))
		lost := money.Total{}
		for range 5 {
			round := b.commit(b.play(alice, 1000)).Change.Round
			lost = lost.AddAmount(round.Wager).SubAmount(round.Payout)
		}
		w := *b.commit(b.withdraw(alice, 1000)).Change.Withdrawal
		b.commit(b.approve(w, admin))
		b.commit(b.sign(w, 1))
		b.commit(b.settle(w, 1, finalized))
		chain := ledger.System(ledger.Chain)
		b.between(chain, ledger.System(ledger.Capital), money.SOL, money.Max)
		b.between(chain, ledger.ProviderOf("p"), money.SOL, 77)
		b.between(chain, ledger.AgentOf("p"), money.SOL, 88)
		b.between(chain, ledger.System(ledger.Capital), usd, 5)
		want := lost.AddAmount(money.Max).SubAmount(300).SubAmount(25)
		b.same("the bankroll is", must(b.Bankroll(background, money.SOL))(b), want)
		b.same("the bankroll of the other token is", must(b.Bankroll(background, usd))(b), money.TotalOf(5))
	}},
	{"daily figures are those of the rounds", Rows, func(b *bench) {
		// Adds the rounds up again, in its own code where a figure is simple.
		all := b.table()
		type sums struct{ rounds, wagered, paid int64 }
		want, got := map[figure.Key]sums{}, map[figure.Key]sums{}
		for _, r := range all {
			key := figure.Key{
				Day: r.At.UTC().Format("2006-01-02"), Token: r.Token, Source: "casino", Game: r.GameType, Agent: r.Agent,
			}
			s := want[key]
			want[key] = sums{s.rounds + 1, s.wagered + int64(r.Wager), s.paid + int64(r.Payout)}
		}
		for _, f := range must(b.Daily(background, "0000-01-01", "9999-12-31"))(b) {
			wagered, _ := f.Wagered.Amount()
			paid, _ := f.Paid.Amount()
			got[f.Key] = sums{f.Rounds, int64(wagered), int64(paid)}
		}
		b.same("figures", got, want)
		b.sound() // compares expected payouts and variances too
	}},
	{"days are utc and both ends count", Rows, func(b *bench) {
		b.signIn(alice, 1_000_000)
		midnight := time.Date(2026, time.March, 20, 0, 0, 0, 0, time.UTC)
		east := time.FixedZone("east", 9*3600)
		for _, at := range []time.Time{
			midnight.Add(-max(b.TimeStep, time.Microsecond)), midnight.In(east), midnight.Add(24*time.Hour - time.Second),
			midnight.Add(24 * time.Hour),
		} {
			b.clock.Set(at.Add(-max(time.Millisecond, b.TimeStep))) // play moves the clock on
			round := b.commit(b.play(alice, 10)).Change.Round
			if !round.At.Equal(at) {
				b.Fatalf("the round is of %v, want %v", round.At, at)
			}
		}
		counts := func(from, to string) map[string]int64 {
			b.Helper()
			rounds := map[string]int64{}
			for _, f := range must(b.Daily(background, from, to))(b) {
				rounds[f.Day] += f.Rounds
			}
			return rounds
		}
		b.same("all", counts("2026-03-19", "2026-03-21"), map[string]int64{"2026-03-19": 1, "2026-03-20": 2, "2026-03-21": 1})
		b.same("one day", counts("2026-03-20", "2026-03-20"), map[string]int64{"2026-03-20": 2})
		b.same("two days", counts("2026-03-19", "2026-03-20"), map[string]int64{"2026-03-19": 1, "2026-03-20": 2})
		b.same("no day", counts("2026-03-22", "2026-03-30"), map[string]int64{})
		b.same("the wrong way round", counts("2026-03-21", "2026-03-19"), map[string]int64{})
	}},
	{"daily figures are sorted by key", Rows, func(b *bench) {
		b.table()
		figures := must(b.Daily(background, "0000-01-01", "9999-12-31"))(b)
		text := func(f ports.DailyFigure) []string {
			return []string{f.Day, string(f.Token), f.Source, f.Game, f.Agent}
		}
		if !slices.IsSortedFunc(figures, func(x, y ports.DailyFigure) int { return slices.Compare(text(x), text(y)) }) {
			b.Errorf("not sorted: %+v", figures)
		}
	}},
	{"daily figures outgrow an amount", Rows, func(b *bench) {
		const rounds, wager = 12, 1 << 61
		b.signIn(alice, 0)
		want := money.Total{}
		for range rounds {
			b.commit(b.adjust(alice, int64(wager)-int64(b.balance(alice))))
			b.commit(b.play(alice, wager))
			if b.balance(alice) == wager { // an adjustment of 0 is refused
				b.commit(b.adjust(alice, -1))
			}
			want = want.AddAmount(wager)
		}
		for _, f := range must(b.Daily(background, "0000-01-01", "9999-12-31"))(b) {
			if f.Wagered != want || f.Rounds != rounds {
				b.Errorf("%+v, want %v wagered in %d rounds", f, want, rounds)
			}
		}
		b.sound()
	}},
}

// between books a transfer between any accounts; the wallet is the one whose
// lock it needs, if any.
func (b *bench) between(debit, credit ledger.Account, mint money.Token, amount money.Amount) {
	b.Helper()
	moved := ledger.Transfer{Debit: debit, Credit: credit, Token: mint, Amount: amount}
	b.commit(player.Item{
		At: b.now(), Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}}, Needs: player.Needs{Funds: fundsOf(moved)},
		Decide: func(player.View) (player.Change, error) {
			return player.Change{Postings: []ledger.Posting{{
				Key:       ledger.Key{Kind: ledger.TopUp, Scope: string(mint), ID: debit.String() + credit.String() + b.Name()},
				Transfers: []ledger.Transfer{moved},
			}}}, nil
		},
	})
}
