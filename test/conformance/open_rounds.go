package conformance

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// OpenRounds is the suite of ports.OpenRounds, and of what ports.Writer does with rounds
// that are played step by step.
func OpenRounds(t *testing.T, newStore func(t *testing.T) Store) {
	run(t, newStore, []story{
		{"an open round is found by its id and among its wallet's, oldest first", openRoundsAreFound},
		{"rounds that nobody touched since a moment are listed in the order of their ids", untouchedAreListed},
		{"what open rounds of a token may cost adds up, and an item that asks for it sees it", exposureAddsUp},
		{"a round goes on step by step, and is a round like others when it has ended", roundGoesOn},
		{"a wallet has no more open rounds than it may", fourAreOpen},
		{"an opening and each step get their first answers again", stepsAreReplayed},
		{"another action at a step that was taken is a conflict", otherActionIsAConflict},
		{"of two actions at a step at once one is taken", oneActionIsTaken},
		{"a pair isn't revealed while a round is open that is drawn from it", rotationWaits},
		{"who may not play any more finishes, and stakes nothing further", excludedFinish},
		{"withdrawals and stakes at once never spend more than there is", stakesAmongWithdrawals},
		{"a round that breaks down gives all its stakes back", brokenRoundIsVoid},
		{"a round that nobody comes back to ends by its rules", abandonedRoundEnds},
		{"ids and nonces of rounds are unique, open or not", openIDsAreUnique},
		{"a player who moves to another agent takes the stakes along", stakesMoveAlong},
		{"rounds opened at once never cost more than the house's share", exposureStaysWithin},
		{"an opening, a step and an end whose COMMIT lost its answer happen once", lostStepsHappenOnce},
		{"open rounds outlive reopening", openRoundsOutlive},
	})
}

func (b *bench) openRounds() ports.OpenRounds { return b.Ports.(ports.OpenRounds) }

// keepsOpenRounds reports whether the store keeps rounds that are played step by step.
func (b *bench) keepsOpenRounds() bool {
	_, keeps := b.Ports.(ports.OpenRounds)
	return keeps
}

// ladderWith is a config of a ladder.
func ladderWith(members ...game.Member) game.Value { return game.Object(members...) }

func rungs(n int64) game.Member { return game.Member{Name: "rungs", Value: game.Int(n)} }

var doubles = game.Member{Name: "doubles", Value: game.Bool(true)}

// opens is an item that opens a ladder.
func (b *bench) opens(w wallet.Address, wager money.Amount, config game.Value) player.Item {
	return b.opensIn(w, terms(money.SOL).Mint, wager, config, money.TotalOf(money.Max))
}

func (b *bench) opensIn(w wallet.Address, mint money.Token, wager money.Amount, config game.Value, bankroll money.Total) player.Item {
	at := b.now()
	opening := must(bet.NewOpening(fakes.Ladder(), config, wager))(b)
	opening.ID, opening.Wallet, opening.Terms, opening.Bankroll, opening.At = b.id(), w, terms(mint), bankroll, at
	request := player.OpenRequest{Opening: opening, Voiding: b.voiding()}
	return player.Item{
		Wallet: w, At: at,
		Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: opening.ID}},
		Needs:  player.Needs{Tokens: []money.Token{mint}, Pair: true, OpenRounds: true, Exposure: mint, Game: opening.GameType()},
		Decide: func(v player.View) (player.Change, error) { return player.OpenRound(v, request) },
	}
}

func (b *bench) voiding() player.Voiding {
	return player.Voiding{Spare: b.spare(), ServerClientSeed: "of the server", AuditID: b.id()}
}

func (b *bench) stepRequest(open bet.Open, action game.Value) player.StepRequest {
	return player.StepRequest{
		RoundID: open.ID, Step: open.Step(), Action: action, Steps: must(open.Steps(fakes.Ladder()))(b), At: b.now(), Voiding: b.voiding(),
	}
}

// steps is an item of an action in an open round.
func (b *bench) steps(open bet.Open, action game.Value) player.Item {
	request := b.stepRequest(open, action)
	return player.Item{
		Wallet: open.Wallet, At: request.At,
		Keys: []player.UniqueKey{{
			Kind: player.StepKey, Scope: open.ID, ID: text(open.Step()), Fingerprint: action.String(),
		}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, Pair: true, OpenRounds: true, Game: open.GameType},
		Decide: func(v player.View) (player.Change, error) { return player.StepRound(v, request) },
	}
}

// abandons is an item that ends a round nobody touched since a moment.
func (b *bench) abandons(open bet.Open, since time.Time) player.Item {
	request := b.stepRequest(open, game.Value{})
	return player.Item{
		Wallet: open.Wallet, At: request.At, Source: player.FromWorker,
		Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, Pair: true, OpenRounds: true},
		Decide: func(v player.View) (player.Change, error) { return player.AbandonRound(v, request, since) },
	}
}

// opened opens a ladder and returns how it stands.
func (b *bench) opened(w wallet.Address, wager money.Amount, members ...game.Member) bet.Open {
	b.Helper()
	change := b.commit(b.opens(w, wager, ladderWith(members...))).Change
	if len(change.Steps) != 1 || change.Round != nil {
		b.Fatalf("opened as %+v", change)
	}
	return change.Steps[0]
}

func openRoundsAreFound(b *bench) {
	b.signIn(alice, 10_000)
	b.signIn(bob, 10_000)
	first, second := b.opened(alice, 100, rungs(3)), b.opened(alice, 200, rungs(4), doubles)
	others := b.opened(bob, 300)
	b.same("by its id", must(b.openRounds().OpenRound(background, first.ID))(b), first)
	b.same("a wallet's", must(b.openRounds().OpenRoundsOf(background, alice))(b), []bet.Open{first, second})
	b.same("another wallet's", must(b.openRounds().OpenRoundsOf(background, bob))(b), []bet.Open{others})
	b.same("nobody's", must(b.openRounds().OpenRoundsOf(background, carol))(b), []bet.Open{})
	for _, id := range []string{"nothing", b.id(), ""} {
		if _, err := b.openRounds().OpenRound(background, id); !fault.Is(err, fault.NotFound) {
			b.Errorf("round %q: %v", id, err)
		}
	}
	second = b.commit(b.steps(second, fakes.Double)).Change.Steps[0]
	b.same("after a step", must(b.openRounds().OpenRound(background, second.ID))(b), second)
	b.commit(b.steps(first, fakes.CashOut))
	b.same("after an end", must(b.openRounds().OpenRoundsOf(background, alice))(b), []bet.Open{second})
	if _, err := b.openRounds().OpenRound(background, first.ID); !fault.Is(err, fault.NotFound) {
		b.Errorf("an ended round is open: %v", err)
	}
	if b.balance(alice) != 10_000-400 || b.balance(bob) != 10_000-300 {
		b.Errorf("balances %d and %d", b.balance(alice), b.balance(bob))
	}
	b.sound()
}

func untouchedAreListed(b *bench) {
	b.signIn(alice, 10_000)
	b.signIn(bob, 10_000)
	first, second, third := b.opened(alice, 100, doubles), b.opened(bob, 100), b.opened(alice, 100)
	since := b.now()
	fourth := b.opened(bob, 100)
	untouched := func(before time.Time, after string, limit int) []bet.Open {
		return must(b.openRounds().UntouchedRounds(background, before, after, limit))(b)
	}
	b.same("all", untouched(b.now(), "", 9), []bet.Open{first, second, third, fourth})
	b.same("before a moment", untouched(since, "", 9), []bet.Open{first, second, third})
	b.same("the first", untouched(since, "", 1), []bet.Open{first})
	b.same("the rest", untouched(since, first.ID, 9), []bet.Open{second, third})
	b.commit(b.steps(first, fakes.Double))
	b.commit(b.steps(second, fakes.CashOut))
	b.same("played on", untouched(since, "", 9), []bet.Open{third})
	b.same("at the moment itself", untouched(third.TouchedAt, "", 9), []bet.Open{})
}

func exposureAddsUp(b *bench) {
	b.signIn(alice, 10_000)
	b.signIn(bob, 10_000)
	b.commit(b.credit(alice, "dollars", usd, 1_000))
	costs := func(mint money.Token, want money.Amount) {
		b.Helper()
		b.same("what rounds may cost", must(b.openRounds().OpenExposure(background, mint))(b), money.TotalOf(want))
		look := b.does(carol, player.Needs{Exposure: mint}, nil)
		look.Decide = func(v player.View) (player.Change, error) {
			if v.Exposed == nil || v.Exposed.All() != money.TotalOf(want) {
				b.Errorf("an item sees %+v, want %d", v.Exposed, want)
			}
			return player.Change{}, fault.New(fault.Forbidden, "only looking")
		}
		b.refuse(look, fault.Forbidden)
	}
	costs(money.SOL, 0)
	first := b.opened(alice, 100, rungs(3))
	b.opened(bob, 10, rungs(2), doubles)
	b.commit(b.opensIn(alice, usd, 7, ladderWith(rungs(1)), money.TotalOf(money.Max)))
	costs(money.SOL, 800+80)
	costs(usd, 14)
	b.commit(b.steps(first, fakes.CashOut))
	costs(money.SOL, 80)
	b.sound()
}

func roundGoesOn(b *bench) {
	b.signIn(alice, 10_000)
	for range 6 {
		open := b.opened(alice, 100, rungs(3), doubles)
		open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		if open.Stake != 200 || open.Step() != 1 {
			b.Fatalf("doubled to %+v", open)
		}
		for {
			balance := b.balance(alice)
			change := b.commit(b.steps(open, fakes.Climb)).Change
			open = change.Steps[0]
			if change.Round == nil {
				continue
			}
			round := must(b.Round(background, open.ID))(b)
			b.same("the round", round, withoutTheory(*change.Round))
			if !round.Actions.Equal(open.Actions) || round.Wager != 200 || round.Balance != balance+round.Payout || b.balance(alice) != round.Balance ||
				round.Nonce != open.Nonce || !round.Outcome.Equal(open.Shown) || round.Payout != 0 && round.Payout != 1_600 {
				b.Errorf("ended as %+v of %+v", round, open)
			}
			break
		}
		b.commit(b.play(alice, 10)) // the next nonce
	}
	rounds := must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, whole))(b)
	if rounds.Total != 12 || must(b.ActivePair(background, alice))(b).Nonce != 12 {
		b.Errorf("%d rounds are listed", rounds.Total)
	}
	begun, _ := b.begun.Load(alice)
	if session := b.session(alice, begun.(time.Time)); len(session) != 1 || session[0].Rounds != 12 || session[0].Wagered != money.TotalOf(6*200+6*10) {
		b.Errorf("the session has %+v", session)
	}
	b.commit(b.rotate(alice, "mine"))
	b.sound()
}

func fourAreOpen(b *bench) {
	b.signIn(alice, 10_000)
	open := b.opened(alice, 10)
	for range bet.OpenMax - 1 {
		b.opened(alice, 10)
	}
	b.refuse(b.opens(alice, 10, ladderWith()), fault.TooManyOpen)
	b.commit(b.steps(open, fakes.CashOut))
	b.opened(alice, 10)
	b.refuse(b.opens(alice, 10, ladderWith()), fault.TooManyOpen)
	b.sound()
}

func stepsAreReplayed(b *bench) {
	b.signIn(alice, 10_000)
	type remembered struct {
		item  player.Item
		first player.Receipt
	}
	var all []remembered
	does := func(item player.Item) player.Change {
		b.Helper()
		first := b.commit(item)
		all = append(all, remembered{item, first})
		return first.Change
	}
	open := does(b.opens(alice, 100, ladderWith(doubles))).Steps[0]
	keyed := does(b.keyed(b.opens(alice, 50, ladderWith()), "key", "print")).Steps[0]
	open = does(b.steps(open, fakes.Double)).Steps[0]
	does(b.steps(open, fakes.CashOut))
	does(b.steps(keyed, fakes.CashOut))
	again := func() {
		b.Helper()
		for i, r := range all {
			got := b.replay(r.item).Change
			want := b.answer(r.first.Change)
			delete(want, "pair") // which an opening isn't answered with
			b.same(text(i)+" again", b.answer(got), want)
		}
	}
	again()
	b.commit(b.adjust(alice, -int64(b.balance(alice))))
	again()
	if b.Durable {
		b.Store = b.Reopen(b.T)
		again()
	}
	b.sound()
}

func otherActionIsAConflict(b *bench) {
	b.signIn(alice, 1_000)
	open := b.opened(alice, 100, doubles)
	after := b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
	b.refuse(b.steps(open, fakes.CashOut), fault.IdempotencyConflict)
	b.refuse(b.steps(open, fakes.Climb), fault.IdempotencyConflict)
	late := b.steps(after, fakes.CashOut)
	late.Keys[0].ID = text(7)
	request := b.stepRequest(after, fakes.CashOut)
	request.Step = 7
	late.Decide = func(v player.View) (player.Change, error) { return player.StepRound(v, request) }
	b.refuse(late, fault.InvalidState)
	b.commit(b.steps(after, fakes.CashOut))
	b.refuse(b.steps(after, fakes.Climb), fault.IdempotencyConflict)
	b.sound()
}

func oneActionIsTaken(b *bench) {
	b.signIn(alice, 10_000)
	for range 4 {
		open := b.opened(alice, 100, doubles)
		actions := []game.Value{fakes.Climb, fakes.CashOut, fakes.Double}
		var taken, conflicts atomic.Int32
		atOnce(12, func(i int) {
			receipt, err := b.Commit(background, b.steps(open, actions[i%3]))
			switch {
			case fault.Is(err, fault.IdempotencyConflict):
				conflicts.Add(1)
			case err != nil:
				b.Error(err)
			case !receipt.Replayed:
				taken.Add(1)
			}
		})
		if taken.Load() != 1 || conflicts.Load() != 8 {
			b.Errorf("%d were taken, %d conflicts", taken.Load(), conflicts.Load())
		}
		if left, err := b.openRounds().OpenRound(background, open.ID); err == nil {
			b.commit(b.steps(left, fakes.CashOut))
		}
	}
	b.sound()
}

func rotationWaits(b *bench) {
	b.signIn(alice, 10_000)
	open := b.opened(alice, 100)
	refused := b.refuse(b.rotate(alice, "mine"), fault.InvalidState)
	b.same("the rounds that it waits for", refused.Details["rounds"], []string{open.ID})
	before := must(b.ActivePair(background, alice))(b)
	if _, err := b.RevealedPair(background, before.ID); !fault.Is(err, fault.NotFound) {
		b.Errorf("the pair of an open round is revealed: %v", err)
	}
	atOnce(6, func(i int) {
		item := b.rotate(alice, "mine")
		if i == 0 {
			item = b.steps(open, fakes.CashOut)
		}
		if _, err := b.Commit(background, item); err != nil && !fault.Is(err, fault.InvalidState) {
			b.Error(err)
		}
	})
	b.commit(b.rotate(alice, "mine"))
	revealed := must(b.RevealedPair(background, before.ID))(b)
	round := must(b.Round(background, open.ID))(b)
	if revealed.Verify() != nil || revealed.Rounds != 1 || round.Commitment != revealed.Commitment {
		b.Errorf("%+v is of %+v", round, revealed)
	}
	b.sound()
}

func excludedFinish(b *bench) {
	b.signIn(alice, 10_000)
	open := b.opened(alice, 100, doubles)
	exclude := b.protect(alice, func(s protection.State, _ time.Time) (protection.State, error) {
		s.Excluded = true
		return s, nil
	})
	atOnce(5, func(i int) {
		item := b.opens(alice, 10, ladderWith())
		if i == 0 {
			item = exclude
		}
		if _, err := b.Commit(background, item); err != nil && !fault.Is(err, fault.PlayerExcluded) && !fault.Is(err, fault.TooManyOpen) {
			b.Error(err)
		}
	})
	b.refuse(b.opens(alice, 10, ladderWith()), fault.PlayerExcluded)
	b.refuse(b.steps(open, fakes.Double), fault.PlayerExcluded)
	for _, left := range must(b.openRounds().OpenRoundsOf(background, alice))(b) {
		b.commit(b.steps(left, fakes.CashOut))
	}
	if b.balance(alice) != 10_000 {
		b.Errorf("balance %d", b.balance(alice))
	}
	b.sound()
}

func stakesAmongWithdrawals(b *bench) {
	b.signIn(alice, 300)
	open := b.opened(alice, 100, doubles) // 200 are left
	var spent atomic.Int64
	atOnce(6, func(i int) {
		item, amount := b.withdraw(alice, 150), int64(150)
		if i%2 == 0 {
			item, amount = b.steps(open, fakes.Double), 100
		}
		receipt, err := b.Commit(background, item)
		switch {
		case err == nil && !receipt.Replayed:
			spent.Add(amount)
		case err != nil && !fault.Is(err, fault.InsufficientFunds):
			b.Error(err)
		}
	})
	if got := int64(b.balance(alice)); got != 200-spent.Load() || got < 0 {
		b.Errorf("%d are left of 200, %d were spent", got, spent.Load())
	}
	b.sound()
}

func brokenRoundIsVoid(b *bench) {
	b.signIn(alice, 10_000)
	breaks := func(at int64) game.Member { return game.Member{Name: "breaksAt", Value: game.Int(at)} }
	void := b.commit(b.opens(alice, 100, ladderWith(breaks(0)))).Change
	if void.Round == nil || !void.Round.Void || void.Round.Stepped() || b.balance(alice) != 10_000 {
		b.Errorf("broken at its opening: %+v", void)
	}
	open := b.opened(alice, 100, doubles, breaks(2))
	open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
	if b.balance(alice) != 9_800 {
		b.Errorf("balance %d", b.balance(alice))
	}
	pair := must(b.ActivePair(background, alice))(b)
	item := b.steps(open, fakes.CashOut)
	void = b.commit(item).Change
	if void.Round == nil || !void.Round.Void || void.Round.Wager != 200 || void.Balance != 10_000 || b.balance(alice) != 10_000 {
		b.Errorf("broken at a step: %+v", void)
	}
	if after := must(b.ActivePair(background, alice))(b); after.ID == pair.ID {
		b.Error("its pair goes on")
	}
	again := b.replay(item).Change
	b.same("the void round again", *again.Round, withoutTheory(*void.Round))
	b.sound()
}

func abandonedRoundEnds(b *bench) {
	b.signIn(alice, 10_000)
	open := b.opened(alice, 100, doubles)
	open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
	b.refuse(b.abandons(open, open.TouchedAt.Add(-time.Microsecond)), fault.InvalidState)
	change := b.commit(b.abandons(open, open.TouchedAt)).Change
	if change.Round == nil || change.Round.Payout != 200 || len(change.Audit) != 1 || b.balance(alice) != 10_000 {
		b.Errorf("abandoned: %+v", change)
	}
	b.refuse(b.abandons(open, b.now()), fault.InvalidState)
	b.sound()
}

func openIDsAreUnique(b *bench) {
	b.signIn(alice, 10_000)
	b.signIn(bob, 10_000)
	open := b.opened(alice, 100)
	played := b.commit(b.play(alice, 10)).Change.Round
	under := func(item player.Item, id string) player.Item {
		return spoilt(item, func(c *player.Change) {
			if c.Round != nil {
				c.Round.ID = id
			}
			for i := range c.Steps {
				c.Steps[i].ID = id
			}
			c.Postings[0].Key.ID = id
		})
	}
	for what, item := range map[string]player.Item{
		"of a round":              under(b.opens(alice, 10, ladderWith()), played.ID),
		"of another's open round": under(b.opens(bob, 10, ladderWith()), open.ID),
	} {
		if _, err := b.Commit(background, item); err == nil {
			b.Errorf("a round was opened under the id %s", what)
		}
	}
	bets := under(b.play(bob, 10), open.ID)
	bets.Keys = []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}}
	if _, err := b.Commit(background, bets); err == nil {
		b.Error("a bet was placed under the id of an open round")
	}
	b.sound()
}

func stakesMoveAlong(b *bench) {
	b.grant(admin, "superadmin")
	b.prepaidAgent("acme", 0, 0)
	b.signIn(alice, 10_000)
	open := b.opened(alice, 100, doubles)
	b.commit(b.rebind(alice, "acme"))
	owed := map[ledger.Kind]money.Total{}
	for _, line := range must(b.Counts(background, "acme"))(b).Owed {
		owed[line.Account.Kind] = line.Amount
	}
	if owed[ledger.Stake] != money.TotalOf(100) || owed[ledger.Player] != money.TotalOf(9_900) {
		b.Errorf("the new agent's players are owed %v", owed)
	}
	open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
	b.commit(b.steps(open, fakes.CashOut))
	for _, line := range must(b.Counts(background, "acme"))(b).Owed {
		if line.Account.Kind == ledger.Stake && line.Amount.Sign() != 0 {
			b.Errorf("stakes of %v are left", line.Amount)
		}
	}
	b.sound()
}

func exposureStaysWithin(b *bench) {
	const players, share = 24, 10_000
	var all [players]wallet.Address
	for i := range all {
		all[i] = fakes.Wallet("player " + text(i))
		b.signIn(all[i], 1_000)
	}
	bankroll := money.TotalOf(share) // terms let all of it be owed
	atOnce(players, func(i int) {
		for range 3 {
			_, err := b.Commit(background, b.opensIn(all[i], money.SOL, 100, ladderWith(), bankroll))
			if err != nil && !fault.Is(err, fault.WagerOutOfRange) {
				b.Error(err)
			}
			if owed := must(b.openRounds().OpenExposure(background, money.SOL))(b); owed.Cmp(money.TotalOf(share)) > 0 {
				b.Errorf("%v may be owed of %d", owed, share)
			}
		}
	})
	if owed := must(b.openRounds().OpenExposure(background, money.SOL))(b); owed.Sign() == 0 {
		b.Error("nothing was opened")
	}
	b.sound()
}

func lostStepsHappenOnce(b *bench) {
	if b.LoseCommit == nil {
		return
	}
	b.signIn(alice, 10_000)
	committed := func(item player.Item, carriedOut bool) {
		b.Helper()
		b.LoseCommit(carriedOut)
		for range 3 {
			if _, err := b.Commit(background, item); !fault.Is(err, fault.Unavailable) {
				if err != nil {
					b.Errorf("lost, carried out %v: %v", carriedOut, err)
				}
				return
			}
		}
	}
	for _, carriedOut := range []bool{true, false} {
		item := b.opens(alice, 100, ladderWith(doubles))
		committed(item, carriedOut)
		open := must(b.openRounds().OpenRoundsOf(background, alice))(b)
		if len(open) != 1 || b.balance(alice) != 9_900 {
			b.Fatalf("opened, carried out %v: %+v, %d", carriedOut, open, b.balance(alice))
		}
		committed(b.steps(open[0], fakes.Double), carriedOut)
		open = must(b.openRounds().OpenRoundsOf(background, alice))(b)
		if len(open) != 1 || open[0].Step() != 1 || b.balance(alice) != 9_800 {
			b.Fatalf("doubled, carried out %v: %+v, %d", carriedOut, open, b.balance(alice))
		}
		committed(b.steps(open[0], fakes.CashOut), carriedOut)
		if left := must(b.openRounds().OpenRoundsOf(background, alice))(b); len(left) != 0 || b.balance(alice) != 10_000 {
			b.Fatalf("ended, carried out %v: %+v, %d", carriedOut, left, b.balance(alice))
		}
	}
	b.sound()
}

func openRoundsOutlive(b *bench) {
	if !b.Durable {
		return
	}
	b.signIn(alice, 10_000)
	open := b.opened(alice, 100, doubles)
	open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
	before := b.snapshot()
	b.Store = b.Reopen(b.T)
	b.same("everything", b.snapshot(), before)
	b.same("the round", must(b.openRounds().OpenRound(background, open.ID))(b), open)
	b.commit(b.steps(open, fakes.CashOut))
	if b.balance(alice) != 10_000 {
		b.Errorf("balance %d", b.balance(alice))
	}
	b.sound()
}
