package conformance

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// PlayerDays is the suite of ports.PlayerDays.
func PlayerDays(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, playerDaysCases)
}

var playerDaysCases = []story{
	{"players' days are those of the blocks, each counted once", Rows, func(b *bench) {
		b.business()
		b.guest(carol, 10_000)
		b.asked(carol, "d1", seamless.Debit, "1", "")
		b.asked(carol, "d1", seamless.Credit, "", "2")
		b.asked(carol, "d2", seamless.DebitCredit, "1", "0")
		b.asked(carol, "d3", seamless.Debit, "1000000000", "") // more than the balance: refused
		for _, blocks := range []int{1, 3, 1_000} {
			for more := true; more; {
				more = must(b.CountPlay(background, blocks))(b)
			}
			b.same("days", b.daysOf(ports.PlayerDayFilter{}), b.daysOfBlocks(nil))
			b.commit(b.play(alice, 7))
		}
		b.countPlay()
		b.reopen()
		b.countPlay()
		b.same("days", b.daysOf(ports.PlayerDayFilter{}), b.daysOfBlocks(nil))
	}},
	{"several count at once", Races, func(b *bench) {
		b.busy(20, func() { must(b.CountPlay(background, 2))(b) })
		atOnce(4, func(int) { b.countPlay() })
		b.same("days", b.daysOf(ports.PlayerDayFilter{}), b.daysOfBlocks(nil))
	}},
	{"a page of an audit holds what the blocks up to its heads add up to", Races, func(b *bench) {
		b.busy(20, func() {
			must(b.CountPlay(background, 3))(b)
			for _, page := range b.pages(ports.LedgerPlayerDays, 2) {
				want := b.daysOfBlocks(page.Heads)
				for _, row := range page.Rows {
					if line := dayLine(row.Played); !slices.Contains(want, line) {
						b.Errorf("%s is none of\n%v", line, want)
					}
				}
			}
		})
	}},
	{"days are sorted and narrowed by every filter", Rows, func(b *bench) {
		b.business()
		b.countPlay()
		all := must(b.PlayerDays(background, ports.PlayerDayFilter{}, 1_000))(b)
		b.fatalIf(len(all) < 4, "only %d days", len(all))
		b.same("limited", must(b.PlayerDays(background, ports.PlayerDayFilter{}, 3))(b), all[:3])
		compared := 0
		for _, day := range []string{"", all[0].Day, all[len(all)-1].Day} {
			for _, token := range []money.Token{"", money.SOL, usd} {
				for _, agent := range []string{"", "acme", "nobody"} {
					for _, w := range []wallet.Address{"", bob, carol} {
						for _, least := range []money.Amount{0, 1, 100, money.Max} {
							f := ports.PlayerDayFilter{FigureFilter: ports.FigureFilter{From: day, To: day, Token: token, Agent: agent}, Wallet: w, AtLeast: least}
							want := []string{}
							for _, d := range all {
								result, _ := d.Paid.Sub(d.Wagered).Amount()
								loss, _ := d.Wagered.Sub(d.Paid).Amount()
								if (day == "" || d.Day == day) && (token == "" || d.Token == token) && (agent == "" || d.Agent == agent) &&
									(w == "" || d.Wallet == w) && (result >= least || loss >= least) {
									want = append(want, dayLine(d))
								}
							}
							b.same(fmt.Sprintf("%+v", f), b.daysOf(f), want)
							compared += len(want)
						}
					}
				}
			}
		}
		b.errorIf(compared < 20, "only %d days compared", compared)
	}},
	{"sums outgrow an amount", Rows, func(b *bench) {
		const wager = 1 << 61
		b.signIn(alice, 0)
		for range 5 {
			b.commit(b.adjust(alice, int64(wager)-int64(b.balance(alice))))
			b.commit(b.play(alice, wager))
			if b.balance(alice) == wager { // an adjustment of 0 is refused
				b.commit(b.adjust(alice, -1))
			}
		}
		b.countPlay()
		b.same("days", b.daysOf(ports.PlayerDayFilter{AtLeast: 1}), b.daysOfBlocks(nil))
	}},
	{"days are utc", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		midnight := time.Date(2026, time.March, 20, 0, 0, 0, 0, time.UTC)
		for _, at := range []time.Time{midnight.Add(-time.Millisecond), midnight.In(time.FixedZone("east", 9*3600))} {
			b.clock.Set(at.Add(-max(time.Millisecond, b.TimeStep))) // play advances the clock
			b.commit(b.play(alice, 10))
		}
		b.countPlay()
		b.same("days", b.daysOf(ports.PlayerDayFilter{}), b.daysOfBlocks(nil))
		b.same("of the first", len(b.daysOf(ports.PlayerDayFilter{FigureFilter: ports.FigureFilter{To: "2026-03-19"}})), 1)
	}},
	{"a player is counted once a period, token and agent", Rows, func(b *bench) {
		b.business()
		b.signIn(carol, 1_000)
		b.commit(b.play(carol, 10))
		b.guest(other, 10_000)
		b.asked(other, "w1", seamless.Settlement, "", "2") // a win without a bet is no activity
		b.countPlay()
		for _, daily := range []bool{false, true} {
			want := map[ports.ActivePlayers]map[wallet.Address]bool{}
			for _, d := range must(b.PlayerDays(background, ports.PlayerDayFilter{}, 1_000))(b) {
				group := ports.ActivePlayers{Token: d.Token, Agent: d.Agent}
				if daily {
					group.Day = d.Day
				}
				if want[group] == nil {
					want[group] = map[wallet.Address]bool{}
				}
				if d.Rounds > 0 {
					want[group][d.Wallet] = true
				}
			}
			got := must(b.ActivePlayers(background, ports.FigureFilter{}, daily))(b)
			b.fatalIf(len(got) < 3, "only %+v", got)
			for _, a := range got {
				group := a
				group.Players = 0
				b.same(fmt.Sprintf("%+v", group), a.Players, int64(len(want[group])))
			}
			b.errorIf(!slices.IsSortedFunc(got, func(x, y ports.ActivePlayers) int {
				return slices.Compare([]string{x.Day, string(x.Token), x.Agent}, []string{y.Day, string(y.Token), y.Agent})
			}), "not sorted: %+v", got)
		}
		one := must(b.ActivePlayers(background, ports.FigureFilter{Token: usd, Agent: "acme"}, false))(b)
		b.same("of one", one, []ports.ActivePlayers{{Token: usd, Agent: "acme", Players: 1}})
	}},
}

// countPlay counts the play of all blocks.
func (b *bench) countPlay() {
	b.Helper()
	for more := true; more; {
		more = must(b.CountPlay(background, 1_000))(b)
	}
}

func dayLine(d ports.PlayerDay) string {
	return fmt.Sprintf("%s %s %s %s: %d rounds %v wagered %v paid", d.Day, d.Wallet, d.Token, d.Agent, d.Rounds, d.Wagered, d.Paid)
}

func (b *bench) daysOf(f ports.PlayerDayFilter) []string {
	b.Helper()
	lines := []string{}
	for _, d := range must(b.PlayerDays(background, f, 1_000))(b) {
		lines = append(lines, dayLine(d))
	}
	return lines
}

// daysOfBlocks recomputes players' days from blocks up to some heads, nil for all.
func (b *bench) daysOfBlocks(until []hashchain.Head) []string {
	b.Helper()
	type sums struct {
		rounds        int64
		wagered, paid money.Total
	}
	all := map[figure.PlayerKey]sums{}
	add := func(w wallet.Address, at time.Time, token money.Token, agent string, rounds int64, wager, paid money.Amount) {
		key := figure.PlayerKey{Wallet: w, Day: at.UTC().Format("2006-01-02"), Token: token, Agent: agent}
		s := all[key]
		all[key] = sums{s.rounds + rounds, s.wagered.AddAmount(wager), s.paid.AddAmount(paid)}
	}
	visit := func(block ports.Block) error {
		for _, r := range block.Rounds {
			add(r.Wallet, r.At, r.Token, r.Agent, 1, r.Wager, r.Payout)
		}
		for _, t := range block.Seamless {
			switch {
			case t.Status == seamless.Refused:
			case t.Kind == seamless.Debit || t.Kind == seamless.DebitCredit:
				add(t.Wallet, t.At, t.Token, t.Agent, 1, t.Bet, t.Win)
			case t.Status == seamless.Taken && t.Win > 0:
				add(t.Wallet, t.At, t.Token, t.Agent, 0, 0, t.Win)
			}
		}
		return nil
	}
	if until == nil {
		b.ok(b.Blocks(background, visit))
	} else {
		b.ok(b.BlocksAfter(background, nil, until, visit))
	}
	days := make([]ports.PlayerDay, 0, len(all))
	for key, s := range all {
		days = append(days, ports.PlayerDay{PlayerKey: key, Cell: figure.Cell{Rounds: s.rounds, Wagered: s.wagered, Paid: s.paid}})
	}
	lines := make([]string, len(days))
	for i, d := range days {
		lines[i] = dayLine(d)
	}
	slices.Sort(lines)
	return lines
}

// TransactionSums is the suite of ports.TransactionSums.
func TransactionSums(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, transactionSumsCases)
}

var transactionSumsCases = []story{
	{"sums are those of the ledger's postings", Rows, func(b *bench) {
		b.movements()
		// Player's accounts against the chain and the adjustments, by day, in another way.
		want := map[string]money.Total{}
		b.ok(b.Blocks(background, func(block ports.Block) error {
			for _, p := range block.Postings {
				for _, t := range p.Transfers {
					kind := string(p.Key.Kind)
					if kind == string(ledger.Deposit) || kind == string(ledger.Payout) || kind == string(ledger.Adjust) || kind == string(ledger.Correct) {
						key := block.At.UTC().Format("2006-01-02") + " " + string(t.Token) + " " + kind
						sum := money.TotalOf(t.Amount)
						if t.Debit.Kind == ledger.Player || t.Debit.Kind == ledger.Hold {
							sum = sum.Neg()
						}
						want[key] = want[key].Add(sum)
					}
				}
			}
			return nil
		}))
		got := map[string]money.Total{}
		kinds := map[ports.TransactionType]ledger.KeyKind{
			ports.DepositTransaction: ledger.Deposit, ports.WithdrawalTransaction: ledger.Payout,
			ports.AdjustmentTransaction: ledger.Adjust, ports.TransactionType(player.ManualCorrection.String()): ledger.Correct,
		}
		for _, m := range b.sumsOf("", "") {
			if m.First {
				continue
			}
			key, sum := m.Day+" "+string(m.Token)+" "+string(kinds[m.Type]), m.Amount
			if !m.Credit {
				sum = sum.Neg()
			}
			got[key] = got[key].Add(sum)
		}
		b.fatalIf(len(want) < 6, "only %v", want)
		b.same("sums", fmt.Sprint(got), fmt.Sprint(want))
	}},
	{"a player's first deposit is of one token and day", Rows, func(b *bench) {
		b.movements()
		var count int64
		for _, m := range b.sumsOf("", "") {
			if m.First {
				count += m.Count
				b.errorIf(m.Type != ports.DepositTransaction || !m.Credit, "%+v", m)
			}
		}
		b.same("first deposits", count, int64(2))
		for _, m := range b.sumsOf(usd, "") {
			b.errorIf(m.First, "bob's first deposit was of another token: %+v", m)
		}
	}},
	{"they are narrowed by token, agent and the moment of their end", Rows, func(b *bench) {
		b.movements()
		all := b.sumsOf("", "")
		for _, token := range []money.Token{"", money.SOL, usd} {
			for _, agent := range []string{"", "acme", "nobody"} {
				want := slices.DeleteFunc(slices.Clone(all), func(m ports.TransactionSum) bool {
					return token != "" && m.Token != token || agent != "" && m.Agent != agent
				})
				b.same(fmt.Sprintf("of %q, %q", token, agent), fmt.Sprint(b.sumsOf(token, agent)), fmt.Sprint(want))
			}
		}
		var at time.Time
		for _, line := range must(b.Transactions(background, ports.TransactionFilter{Wallet: bob, Token: usd}, ports.Page{Number: 1, Limit: 1}))(b).Transactions {
			at = line.UpdatedAt
		}
		step := max(b.TimeStep, time.Microsecond)
		for _, c := range []struct {
			from, to time.Time
			want     int
		}{{at, at.Add(step), 1}, {at.Add(step), at.Add(2 * step), 0}, {at.Add(-step), at, 0}} {
			got := must(b.TransactionSums(background, c.from, c.to, usd, ""))(b)
			b.errorIf(len(got) != c.want, "from %v to %v: %+v", c.from, c.to, got)
		}
	}},
}

func (b *bench) sumsOf(token money.Token, agent string) []ports.TransactionSum {
	b.Helper()
	return must(b.TransactionSums(background, time.Unix(0, 0), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), token, agent))(b)
}

// movements makes transactions of each type over two days, and some that didn't end.
func (b *bench) movements() {
	b.Helper()
	b.business()
	b.grant(admin, "superadmin")
	b.commit(b.adjust(alice, 300))
	b.commit(b.adjust(alice, -20))
	b.commit(b.adjustAs(player.ManualCorrection, alice, 7))
	paid := *b.commit(b.withdraw(alice, 1_000)).Change.Withdrawal
	b.commit(b.withdraw(alice, 40))
	b.commit(b.approve(paid, admin))
	b.commit(b.sign(paid, 1))
	b.clock.Advance(24 * time.Hour)
	b.commit(b.settle(paid, 1, finalized))
	b.commit(b.credit(alice, "alice's second", money.SOL, 90))
}
