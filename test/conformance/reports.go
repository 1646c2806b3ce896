package conformance

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
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
		got := must(b.Bankroll(background, money.SOL))(b)
		b.errorIf(got.Sign() != 0, "an empty house has %v", got)
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
		// Recompute the figures from the rounds, in separate code where a figure is simple.
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
			b.clock.Set(at.Add(-max(time.Millisecond, b.TimeStep))) // play advances the clock
			round := b.commit(b.play(alice, 10)).Change.Round
			b.fatalIf(!round.At.Equal(at), "the round is of %v, want %v", round.At, at)
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
			b.errorIf(f.Wagered != want || f.Rounds != rounds, "%+v, want %v wagered in %d rounds", f, want, rounds)
		}
		b.sound()
	}},
}

// between books a transfer between any accounts; the wallet is the one to lock, if any.
func (b *bench) between(debit, credit ledger.Account, mint money.Token, amount money.Amount) {
	b.Helper()
	moved := ledger.Transfer{Debit: debit, Credit: credit, Token: mint, Amount: amount}
	b.commit(itemOf("", b.now(), operation(b.id()), player.Needs{Funds: fundsOf(moved)},
		func(player.View) (player.Change, error) {
			return player.Change{Postings: []ledger.Posting{{
				Key:       ledger.Key{Kind: ledger.TopUp, Scope: string(mint), ID: debit.String() + credit.String() + b.Name()},
				Transfers: []ledger.Transfer{moved},
			}}}, nil
		}))
}

// Reports is the suite of ports.Reports.
func Reports(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, reportsCases)
}

var reportsCases = []story{
	{"sums are those of the daily figures", Rows, func(b *bench) {
		// Sum up the daily figures under every grouping and filter.
		b.business()
		all := must(b.Daily(background, "0000-01-01", "9999-12-31"))(b)
		b.fatalIf(len(all) < 6, "only %d cells", len(all))
		days := []string{"", all[0].Day, all[len(all)-1].Day}
		compared := 0
		for n := range 8 {
			by := ports.Grouping{Day: n&1 != 0, Game: n&2 != 0, Agent: n&4 != 0}
			for _, from := range days {
				for _, to := range days {
					for _, token := range []money.Token{"", money.SOL, usd} {
						for _, agent := range []string{"", "acme", "nobody"} {
							filter := ports.FigureFilter{From: from, To: to, Token: token, Agent: agent}
							b.same(fmt.Sprintf("%+v by %+v", filter, by), figureLines(must(b.Sums(background, filter, by))(b)), figureLines(added(all, filter, by)))
							compared++
						}
					}
				}
			}
		}
		b.same("sums compared", compared, 8*9*9)
	}},
	{"an empty store has nothing to sum", Rows, func(b *bench) {
		b.same("sums", must(b.Sums(background, ports.FigureFilter{}, ports.Grouping{Day: true}))(b), []ports.DailyFigure{})
		standing := must(b.Counts(background, ""))(b)
		b.errorIf(standing.Players != 0 || len(standing.Owed) != 0 || len(standing.Withdrawals) != 0,
			"an empty store stands at %+v", standing)
	}},
	{"a variance at its bound stays there", Rows, func(b *bench) {
		// Play on many days with wagers of which each reaches the variance's limit.
		b.signIn(alice, money.Max/2)
		for range 12 {
			b.commit(b.play(alice, money.Max/8))
			b.clock.Advance(24 * time.Hour)
			if b.balance(alice) < money.Max/8 || b.balance(alice) > money.Max/2 {
				break
			}
		}
		sums := must(b.Sums(background, ports.FigureFilter{}, ports.Grouping{}))(b)
		b.errorIf(len(sums) != 1 || sums[0].Variance != figure.VarianceMax, "sums: %v", figureLines(sums))
	}},
	{"a standing counts players, debts and open withdrawals", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		b.business()
		w := *b.commit(b.withdraw(alice, 30)).Change.Withdrawal
		b.commit(b.withdraw(alice, 40))
		b.commit(b.cancel(*b.commit(b.withdraw(bob, 50)).Change.Withdrawal))
		b.commit(b.approve(w, admin))
		standing := must(b.Counts(background, ""))(b)
		b.same("players", standing.Players, int64(2))
		b.same("withdrawals", standing.Withdrawals, map[withdrawal.Status]int64{withdrawal.Pending: 1, withdrawal.Approved: 1})
		var want []ledger.Balance
		for _, total := range must(b.Totals(background))(b) {
			if total.Account.Kind.Liability() {
				want = append(want, total)
			}
		}
		b.same("what is owed", standing.Owed, want)
	}},
	{"a standing of one agent counts its own", Rows, func(b *bench) {
		b.business()
		b.commit(b.withdraw(alice, 30))
		b.commit(b.withdraw(bob, 50))
		standing := must(b.Counts(background, "acme"))(b)
		b.same("players", standing.Players, int64(1))
		b.same("withdrawals", standing.Withdrawals, map[withdrawal.Status]int64{withdrawal.Pending: 1})
		got := map[string]string{}
		for _, owed := range standing.Owed {
			got[owed.Account.String()+" "+string(owed.Token)] = owed.Amount.String()
		}
		b.same("what is owed", got, map[string]string{
			"player " + string(money.SOL): fmt.Sprint(b.balance(bob)), "player " + string(usd): fmt.Sprint(b.balanceOf(bob, usd)),
			"hold " + string(money.SOL): "50",
		})
		if none := must(b.Counts(background, "nobody"))(b); none.Players != 0 || len(none.Owed) != 0 || len(none.Withdrawals) != 0 {
			b.Errorf("nobody's business stands at %+v", none)
		}
	}},
	{"a player who moves to another agent takes along the liabilities", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		b.business()
		before := must(b.Rounds(background, ports.RoundFilter{Agent: "acme"}, whole))(b)
		figures := must(b.Sums(background, ports.FigureFilter{Agent: "acme"}, ports.Grouping{}))(b)
		held := b.commit(b.withdraw(bob, 50)).Change.Withdrawal
		b.refuse(b.rebind(bob, "rival"), fault.Unavailable) // a withdrawal that the view doesn't have
		b.commit(b.rebind(bob, "rival", held.ID))
		b.commit(b.rebind(bob, "rival", held.ID)) // again: nothing changes
		b.same("the agent", must(b.Player(background, bob))(b).Agent, "rival")
		owed := func(agent string) map[string]string {
			got := map[string]string{}
			for _, line := range must(b.Counts(background, agent))(b).Owed {
				if line.Amount.Sign() != 0 {
					got[line.Account.String()+" "+string(line.Token)] = line.Amount.String()
				}
			}
			return got
		}
		b.same("acme owes", owed("acme"), map[string]string{})
		b.same("rival owes", owed("rival"), map[string]string{
			"player " + string(money.SOL): fmt.Sprint(b.balance(bob)), "player " + string(usd): fmt.Sprint(b.balanceOf(bob, usd)),
			"hold " + string(money.SOL): "50",
		})
		b.same("acme's players", must(b.Counts(background, "acme"))(b).Players, int64(0))
		b.same("rival's players", must(b.Counts(background, "rival"))(b).Players, int64(1))
		b.same("all players", must(b.Counts(background, ""))(b).Players, int64(2))
		b.same("acme's rounds", must(b.Rounds(background, ports.RoundFilter{Agent: "acme"}, whole))(b), before)
		b.same("acme's figures", must(b.Sums(background, ports.FigureFilter{Agent: "acme"}, ports.Grouping{}))(b), figures)
		round := b.commit(b.play(bob, 100)).Change.Round
		b.same("the next round", round.Agent, "rival")
		b.same("rival's rounds", len(must(b.Rounds(background, ports.RoundFilter{Agent: "rival"}, whole))(b).Rounds), 1)
		b.commit(b.cancel(*held))
		b.same("rival owes after the withdrawal", owed("rival"), map[string]string{
			"player " + string(money.SOL): fmt.Sprint(b.balance(bob)), "player " + string(usd): fmt.Sprint(b.balanceOf(bob, usd)),
		})
		b.sound()
	}},
}

// business plays rounds on several days, with several tokens, games and agents.
func (b *bench) business() {
	b.Helper()
	b.clock.Set(time.Date(2026, time.March, 20, 23, 59, 59, 0, time.UTC))
	b.signIn(alice, 1_000_000)
	b.commit(b.loginAs(bob, b.now().UnixMilli(), "acme"))
	b.commit(b.credit(bob, "bob's", money.SOL, 500_000))
	b.commit(b.credit(bob, "bob's dollars", usd, 70_000))
	limbo := must(b.games.Game("limbo"))(b)
	for range 3 {
		b.commit(b.play(alice, 1_000))
		b.commit(b.playIn(bob, money.SOL, 77, limbo))
		b.commit(b.playIn(bob, usd, 5_000, b.dice))
		b.clock.Advance(12 * time.Hour)
	}
}

// figureLines returns figures as text with their order and values.
func figureLines(all []ports.DailyFigure) []string {
	lines := []string{}
	for _, f := range all {
		lines = append(lines, fmt.Sprintf("%+v: %d rounds %v wagered %v paid %v expected %v variance",
			f.Key, f.Rounds, f.Wagered, f.Paid, f.Expected, f.Variance))
	}
	return lines
}

// added sums cells in their order, which is that of their keys.
func added(all []ports.DailyFigure, f ports.FigureFilter, by ports.Grouping) []ports.DailyFigure {
	at, sums := map[figure.Key]int{}, []ports.DailyFigure{}
	for _, one := range all {
		if f.From != "" && one.Day < f.From || f.To != "" && one.Day > f.To ||
			f.Token != "" && one.Token != f.Token || f.Agent != "" && one.Agent != f.Agent {
			continue
		}
		key := one.Key
		if !by.Day {
			key.Day = ""
		}
		if !by.Game {
			key.Source, key.Game = "", ""
		}
		if !by.Agent {
			key.Agent = ""
		}
		place, known := at[key]
		if !known {
			place = len(sums)
			at[key], sums = place, append(sums, ports.DailyFigure{Key: key})
		}
		sums[place].Cell = sums[place].Add(one.Cell)
	}
	sortFigures(sums)
	return sums
}

func sortFigures(all []ports.DailyFigure) {
	text := func(k figure.Key) string {
		return fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%s", k.Day, k.Token, k.Source, k.Game, k.Agent)
	}
	for i := range all {
		for j := i; j > 0 && text(all[j].Key) < text(all[j-1].Key); j-- {
			all[j], all[j-1] = all[j-1], all[j]
		}
	}
}

// rebind returns an item that moves a wallet to another agent, with the wallet's open
// withdrawals.
func (b *bench) rebind(w wallet.Address, agent string, open ...string) player.Item {
	request := player.RebindRequest{By: admin, Policy: rbac.DefaultPolicy(), Agent: agent, Reason: "moved", AuditID: b.id(), At: b.now()}
	return itemOf(w, request.At, operation(request.AuditID),
		player.Needs{
			Tokens: []money.Token{money.SOL, usd}, Withdrawals: open, Open: true, OpenRounds: true, Roles: []wallet.Address{admin},
		},
		func(v player.View) (player.Change, error) { return player.Rebind(v, request) })
}
