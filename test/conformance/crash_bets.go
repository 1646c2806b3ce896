package conformance

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// CrashBets is the suite of ports.CrashBets, and of the Writer's handling of bets on shared crash
// rounds.
func CrashBets(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, crashBetsCases)
}

// crashRound is the round that the cases bet on. Its point is above 2.00.
var crashRound = fakes.NewCrashBetween(2_00, 50_00, fakes.Start)

var onCrash = bet.Shared{Chain: "c1", Number: 1}

// opensCrash has the store open the crash round.
func (b *bench) opensCrash() *crashBench {
	b.Helper()
	c := &crashBench{bench: b, published: crashRound.Commitment, secrets: crashRound.Secrets}
	b.ok(b.addChain(c.published, c.secrets))
	c.fence = b.leased("worker", 0, time.Hour)
	return c.goes(crashRound.Betting)
}

// goes takes the round through states.
func (c *crashBench) goes(through ...crash.Round) *crashBench {
	c.Helper()
	for _, r := range through {
		c.ok(c.puts(r.Number, r))
	}
	return c
}

// flies takes the open round on until it flies.
func (c *crashBench) flies() {
	c.Helper()
	c.goes(crashRound.Stopped, crashRound.Closed, crashRound.Flying)
}

// pays takes the flying round on until it is settled.
func (c *crashBench) pays() {
	c.Helper()
	c.goes(crashRound.Settled)
}

// betsOnCrash returns an item that bets on the crash round.
func (b *bench) betsOnCrash(w wallet.Address, wager money.Amount, auto uint64) player.Item {
	return b.betsOnCrashWith(w, wager, auto, money.TotalOf(money.Max))
}

func (b *bench) betsOnCrashWith(w wallet.Address, wager money.Amount, auto uint64, bankroll money.Total) player.Item {
	at := b.now()
	r := player.CrashBetRequest{
		Round: crashRound.Betting, Wager: wager, Auto: auto, Placed: bet.Placed{ID: b.id(), Wallet: w, Terms: terms(money.SOL), Bankroll: bankroll, At: at},
	}
	return itemOf(w, at, operation(r.ID),
		player.Needs{Tokens: []money.Token{money.SOL}, OpenRounds: true, Exposure: money.SOL, Game: crash.GameType},
		func(v player.View) (player.Change, error) { return player.BetCrash(v, r) })
}

// cashesOut returns an item that cashes out a bet at a multiplier, some milliseconds late.
func (b *bench) cashesOut(open bet.Open, at uint64, lateMs int64) player.Item {
	r := player.CrashCashOutRequest{
		BetID: open.ID, Round: crashRound.Flying, Hash: crashRound.Hash, At: b.now(),
		Received: fakes.Start.Add(time.Duration(crash.TimeOf(at)+lateMs) * time.Millisecond),
	}
	item := itemOf(open.Wallet, r.At, player.UniqueKey{Kind: player.StepKey, Scope: open.ID, ID: "0"},
		player.Needs{Tokens: []money.Token{open.Token}, OpenRounds: true}, func(v player.View) (player.Change, error) { return player.CashOutCrash(v, r) })
	item.Source = player.FromCashOut
	return item
}

// settlesBet returns an item that ends a bet by a round.
func (b *bench) settlesBet(open bet.Open, by crash.Round) player.Item {
	r := player.CrashSettleRequest{BetID: open.ID, Round: by, AuditID: b.id(), At: b.now()}
	item := itemOf(open.Wallet, r.At, player.UniqueKey{Kind: player.RoundKey, ID: open.ID},
		player.Needs{Tokens: []money.Token{open.Token}, OpenRounds: true}, func(v player.View) (player.Change, error) { return player.SettleCrash(v, r) })
	item.Source = player.FromWorker
	return item
}

// placed bets on the crash round.
func (b *bench) placed(w wallet.Address, wager money.Amount, auto uint64) bet.Open {
	b.Helper()
	change := b.commit(b.betsOnCrash(w, wager, auto)).Change
	b.fatalIf(len(change.Steps) != 1 || change.Pair != nil, "placed as %+v", change)
	return change.Steps[0]
}

// crashBets returns all bets on the crash round.
func (b *bench) crashBets() []bet.Open {
	b.Helper()
	return must(b.CrashBets(background, onCrash, "", 99))(b)
}

var crashBetsCases = []story{
	{"bets on a crash round are found by the round in the order of their ids, until they are settled", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.signIn(bob, 10_000)
		b.signIn(carol, 10_000)
		c := b.opensCrash()
		beside := b.opened(alice, 100)
		first, second, third := b.placed(bob, 1_000, 100_00), b.placed(alice, 500, 2_00), b.placed(carol, 700, 1_50)
		b.same("all", b.crashBets(), []bet.Open{first, second, third})
		b.same("two", must(b.CrashBets(background, onCrash, "", 2))(b), []bet.Open{first, second})
		b.same("the rest", must(b.CrashBets(background, onCrash, second.ID, 2))(b), []bet.Open{third})
		for _, other := range []bet.Shared{{}, {Chain: "c1", Number: 2}, {Chain: "c2", Number: 1}} {
			b.same(fmt.Sprint("those of ", other), must(b.CrashBets(background, other, "", 9))(b), []bet.Open{})
		}
		b.same("among a wallet's", must(b.OpenRoundsOf(background, alice))(b), []bet.Open{beside, second})
		b.same("by its id", must(b.OpenRound(background, first.ID))(b), first)
		want := money.TotalOf(beside.Exposure + 100_000 + 1_000 + 1_050)
		b.same("exposure", must(b.OpenExposure(background, money.SOL))(b), want)
		c.flies()
		first = b.commit(b.cashesOut(first, 1_20, 0)).Change.Steps[0]
		b.same("after a cash-out", b.crashBets(), []bet.Open{first, second, third})
		c.pays()
		b.same("none settled", must(b.SettledCrashBets(background, onCrash, "", 9))(b), []bet.Round{})
		ended := map[string]bet.Round{}
		settle := func(open bet.Open, by crash.Round) {
			b.commit(b.settlesBet(open, by))
			ended[open.ID] = must(b.Round(background, open.ID))(b)
		}
		settle(second, crashRound.Settled)
		b.same("after a result", b.crashBets(), []bet.Open{first, third})
		b.same("the settled one", must(b.SettledCrashBets(background, onCrash, "", 9))(b), []bet.Round{ended[second.ID]})
		played := b.commit(b.play(alice, 10)).Change.Round
		settle(third, crashRound.Settled)
		settle(first, crashRound.Settled)
		b.same("after all", b.crashBets(), []bet.Open{})
		all := []bet.Round{ended[first.ID], ended[second.ID], ended[third.ID]}
		b.same("all settled", must(b.SettledCrashBets(background, onCrash, "", 9))(b), all)
		b.same("two settled", must(b.SettledCrashBets(background, onCrash, "", 2))(b), all[:2])
		b.same("the rest of them", must(b.SettledCrashBets(background, onCrash, second.ID, 2))(b), all[2:])
		for _, other := range []bet.Shared{{}, {Chain: "c1", Number: 2}, {Chain: "c2", Number: 1}} {
			b.same(fmt.Sprint("settled ones of ", other), must(b.SettledCrashBets(background, other, "", 9))(b), []bet.Round{})
		}
		b.same("exposure of the other round", must(b.OpenExposure(background, money.SOL))(b), money.TotalOf(beside.Exposure))
		b.errorIf(b.balance(alice) != 10_000-100+500-10+played.Payout || b.balance(bob) != 10_200 || b.balance(carol) != 10_350, "balances %d, %d, %d",
			b.balance(alice), b.balance(bob), b.balance(carol))
		b.sound()
	}},
	{"a settled bet is among the rounds, without a seed pair, and no nonce is taken", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		c := b.opensCrash()
		won := b.placed(alice, 1_000, 2_00)
		c.flies()
		c.pays()
		round := b.commit(b.settlesBet(won, crashRound.Settled)).Change.Round
		stored := must(b.Round(background, won.ID))(b)
		b.same("by its id", stored, withoutTheory(*round))
		b.errorIf(!stored.IsShared() || crash.SharedOf(stored) != onCrash || stored.Payout != 2_000, "stored as %+v", stored)
		b.same("listed", must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, ports.Page{Limit: 9}))(b).Rounds, []bet.Round{stored})
		b.same("of all", must(b.RecentRounds(background, 9))(b), []bet.Round{stored})
		played := b.commit(b.play(alice, 10)).Change.Round
		b.errorIf(played.Nonce != 0, "the next round has nonce %d", played.Nonce)
		b.reopen()
		b.same("later", must(b.Round(background, won.ID))(b), stored)
		b.sound()
	}},
	{"the bets of a cancelled round get their stakes back", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		c := b.opensCrash()
		open := b.placed(alice, 1_000, 2_00)
		c.goes(crashRound.Stopped, crashRound.Closed, crashRound.Cancelled)
		round := b.commit(b.settlesBet(open, crashRound.Cancelled)).Change.Round
		b.errorIf(!round.Void || b.balance(alice) != 10_000, "it ended as %+v", round)
		b.same("by its id", must(b.Round(background, open.ID))(b), withoutTheory(*round))
		b.same("on the round", must(b.SettledCrashBets(background, onCrash, "", 9))(b), []bet.Round{withoutTheory(*round)})
		b.sound()
	}},
	{"a wallet has one bet on a round, one cash-out and one result", Logic, func(b *bench) {
		b.signIn(alice, 10_000)
		c := b.opensCrash()
		item := b.betsOnCrash(alice, 1_000, 100_00)
		open := b.commit(item).Change.Steps[0]
		b.same("the same request", b.replay(item).Change.Steps[0], open.Answer())
		b.refuse(b.betsOnCrash(alice, 1, 1_01), fault.InvalidState)
		c.flies()
		out := b.commit(b.cashesOut(open, 1_50, 0)).Change.Steps[0]
		for _, again := range []player.Item{b.cashesOut(open, 1_20, 0), b.cashesOut(open, 1_90, 0)} {
			b.same("a later request", b.replay(again).Change.Steps[0], out.Answer())
		}
		c.pays()
		round := b.commit(b.settlesBet(open, crashRound.Settled)).Change.Round
		b.same("settled again", *b.replay(b.settlesBet(open, crashRound.Cancelled)).Change.Round, withoutTheory(*round))
		b.errorIf(b.balance(alice) != 10_500, "balance %d", b.balance(alice))
		b.sound()
	}},
	{"the gate decides, whatever clocks say", Logic, func(b *bench) {
		b.signIn(alice, 10_000)
		b.signIn(bob, 10_000)
		b.refuse(b.betsOnCrash(bob, 10, 2_00), fault.InvalidState)
		c := b.opensCrash()
		open := b.placed(alice, 1_000, 100_00)
		b.refuse(b.cashesOut(open, 1_50, 0), fault.InvalidState)
		b.refuse(b.settlesBet(open, crashRound.Cancelled), fault.InvalidState)
		late := b.betsOnCrash(bob, 10, 2_00) // its time is before the closing
		c.flies()
		b.refuse(late, fault.InvalidState)
		b.refuse(b.settlesBet(open, crashRound.Settled), fault.InvalidState)
		b.refuse(b.cashesOut(open, 1_50, crashRound.EndMs), fault.InvalidState)
		outs := b.cashesOut(open, 1_50, 0)
		c.pays()
		b.refuse(outs, fault.InvalidState)
		b.fails(fault.Internal, b.ChangeControl(background, b.deciding(func(now control.State) control.State {
			now.Crash.Betting, now.Crash.Paying = true, false
			return now
		})), "the gate opens again")
		b.commit(b.settlesBet(open, crashRound.Settled))
		b.errorIf(b.balance(alice) != 9_000, "balance %d", b.balance(alice))
		b.sound()
	}},
	{"other games see the exposure of bets, and bets that of others", Logic, func(b *bench) {
		b.signIn(alice, 10_000)
		b.signIn(bob, 10_000)
		b.opensCrash()
		funds := money.TotalOf(2_000)
		b.refuse(b.betsOnCrashWith(alice, 1_000, 2_01, funds), fault.WagerOutOfRange)
		b.commit(b.betsOnCrashWith(alice, 900, 2_00, funds))
		b.refuse(b.opensIn(bob, money.SOL, 100, ladderWith(doubles), funds), fault.WagerOutOfRange)
		b.refuse(b.betsOnCrashWith(bob, 100, 2_01, funds), fault.WagerOutOfRange)
		b.commit(b.betsOnCrashWith(bob, 100, 2_00, funds))
		b.sound()
	}},
	{"when a stop of the bets returns, every bet is there, also if an earlier stop has not returned", Races, func(b *bench) {
		b.signIn(alice, 10_000)
		b.signIn(bob, 10_000)
		c := b.opensCrash()
		item, decided, goOn, placed := b.betsOnCrash(alice, 1_000, 2_00), make(chan struct{}), make(chan struct{}), make(chan error)
		decide, once := item.Decide, sync.Once{}
		item.Decide = func(v player.View) (player.Change, error) {
			change, err := decide(v)
			once.Do(func() { close(decided) })
			<-goOn
			return change, err
		}
		go func() { placed <- errorOf(b.Commit(background, item)) }()
		b.await(decided)
		const stops = 2
		stopped := make(chan []bet.Open, stops)
		for range stops {
			go func() {
				b.check(guarded(func() error { return c.change(1, crash.StopBets) }))
				stopped <- b.crashBets()
			}()
			select {
			case <-stopped:
				b.Error("the bets were stopped while one was on its way")
				stopped <- nil
			case <-time.After(notYet):
			}
		}
		close(goOn)
		// A store may take the bet or refuse it, but not take it later.
		err := <-placed
		b.errorIf(err != nil && !fault.Is(err, fault.InvalidState), "the bet: %v", err)
		for range stops {
			found := <-stopped
			b.errorIf((err == nil) != (len(found) == 1), "%d bets were there, and the bet: %v", len(found), err)
		}
		b.refuse(b.betsOnCrash(bob, 10, 2_00), fault.InvalidState)
		b.sound()
	}},
	{"bets, cash-outs and results of many at once keep one bet, one cash-out and one result each", Races, func(b *bench) {
		const players = 8
		wallets, items := make([]wallet.Address, players), []player.Item{}
		for i := range wallets {
			wallets[i] = fakes.Wallet(fmt.Sprint("player ", i))
			b.signIn(wallets[i], 10_000)
		}
		c := b.opensCrash()
		for range 2 {
			for _, w := range wallets {
				items = append(items, b.betsOnCrash(w, 1_000, 100_00))
			}
		}
		b.same("bets", b.winners(len(items), fault.InvalidState, func(i int) error { return errorOf(b.Commit(background, items[i])) }), players)
		c.flies()
		all := b.crashBets()
		items = nil
		for i, open := range all[:players/2] {
			items = append(items, b.cashesOut(open, 1_50, int64(i)), b.cashesOut(open, 1_40, 0))
		}
		b.commitAll(items)
		c.pays()
		items = nil
		for _, open := range b.crashBets() {
			items = append(items, b.settlesBet(open, crashRound.Settled), b.settlesBet(open, crashRound.Settled))
		}
		b.commitAll(items)
		b.same("bets left", b.crashBets(), []bet.Open{})
		for i, open := range all {
			want := money.Amount(9_000)
			if i < players/2 {
				outs := must(b.Round(background, open.ID))(b).Actions
				multiplier, _, _ := outs.At(0).Get("multiplier").Decimal()
				want += money.Amount(multiplier * 10)
				b.errorIf(outs.Len() != 1 || multiplier < 1_40 || multiplier > 1_51, "actions %v", outs)
			}
			b.same("balance", b.balance(open.Wallet), want)
		}
		b.sound()
	}},
	{"a result whose commit's answer is lost is found by its bet", Races, func(b *bench) {
		if b.LoseCommit == nil {
			return
		}
		b.signIn(alice, 10_000)
		c := b.opensCrash()
		open := b.placed(alice, 1_000, 2_00)
		c.flies()
		c.pays()
		b.commitLost(b.settlesBet(open, crashRound.Settled), true)
		b.errorIf(b.balance(alice) != 11_000 || len(b.crashBets()) != 0, "balance %d", b.balance(alice))
		b.sound()
	}},
}
