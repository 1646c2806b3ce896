package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// notTaken checks the refusal of an item that was never queued.
func (b *bench) notTaken(err error) {
	b.Helper()
	var refusal *fault.Error
	b.errorIf(!errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] != "none",
		"%v is not a refusal as unavailable with outcome none", err)
}

var writerQueueCases = []story{
	{"an item whose context ended before its batch is not decided", Races, func(b *bench) {
		b.signIn(alice, 100)
		ended, cancel := context.WithCancel(background)
		cancel()
		item := b.play(alice, 10)
		before := b.snapshot()
		decide := item.Decide
		item.Decide = func(player.View) (player.Change, error) {
			b.Error("it was decided")
			return player.Change{}, errors.New("decided")
		}
		_, err := b.Commit(ended, item)
		b.notTaken(err)
		b.same("everything", b.snapshot(), before)
		item.Decide = decide
		b.commit(item)
	}},
	{"an item in a batch completes although its context ends", Races, func(b *bench) {
		b.signIn(alice, 100)
		ctx, cancel := context.WithCancel(background)
		defer cancel()
		item := b.adjust(alice, 11)
		decide := item.Decide
		item.Decide = func(v player.View) (player.Change, error) {
			cancel()
			return decide(v)
		}
		receipt, err := b.Commit(ctx, item)
		b.errorIf(err != nil || receipt.Change.Balance != 111, "answered %d, %v", receipt.Change.Balance, err)
		b.replay(item)
		b.same("balance", b.balance(alice), 111)
	}},
	{"more than sixteen items of a player in flight are refused", Races, func(b *bench) {
		b.signIn(alice, 1000)
		gate := make(chan struct{})
		first, begun := gated(b.adjust(alice, 1), gate)
		const more = 40
		answers := make(chan error, more+1)
		go func() { _, err := b.Commit(background, first); answers <- err }()
		b.await(begun)
		items := make([]player.Item, more)
		for i := range items {
			items[i] = b.adjust(alice, 1)
			go func() { _, err := b.Commit(background, items[i]); answers <- err }()
		}
		for range more + 1 - inFlight {
			b.fails(fault.RateLimited, <-answers, "before anything was decided")
		}
		for range 5000 { // time for one refusal too many, which a correct writer never gives
			runtime.Gosched()
		}
		select {
		case err := <-answers:
			b.Errorf("fewer than sixteen are let in: %v", err)
		default:
		}
		close(gate)
		for range inFlight {
			b.same("one of sixteen", <-answers, nil)
		}
		b.same("balance", b.balance(alice), 1000+inFlight)
		b.commit(b.adjust(alice, 1))
		b.sound()
	}},
	{"a full queue is refused", Races, func(b *bench) {
		if b.QueueMax == 0 {
			return
		}
		b.signIn(alice, 0)
		gate := make(chan struct{})
		first, begun := gated(b.adjust(alice, 1), gate)
		answers := make(chan error)
		go func() { _, err := b.Commit(background, first); answers <- err }()
		b.await(begun)
		more := 2*b.QueueMax + 2*inFlight
		for i := range more {
			item := b.elsewhere(fmt.Sprint("w", i))
			go func() { _, err := b.Commit(background, item); answers <- err }()
		}
		full := 0
		for range more - b.QueueMax - inFlight {
			b.notTaken(<-answers)
			full++
		}
		close(gate)
		for range more + 1 - full {
			if err := <-answers; err != nil {
				b.notTaken(err)
			}
		}
		b.sound()
	}},
	{"each source of items has its own places", Races, func(b *bench) {
		// Fill all places of players, of one wallet and of the queue: items of an admin, a
		// provider and a worker for the wallet are committed nevertheless, and so are sign-ins
		// and sign-outs, sixteen of each at once.
		b.signIn(alice, 1000)
		gate := make(chan struct{})
		first, begun := gated(b.adjust(alice, 1), gate)
		sources := []player.Source{player.FromProvider, player.FromAdmin, player.FromWorker, player.FromSession, player.FromCashOut}
		players, others := make(chan error), make(chan error, len(sources)*inFlight)
		commit := func(item player.Item, answers chan<- error) {
			go func() { _, err := b.Commit(background, item); answers <- err }()
		}
		commit(first, players)
		b.await(begun)
		flood := 0
		for range 2 * inFlight {
			commit(b.adjust(alice, 1), players)
			flood++
		}
		for range inFlight + 1 {
			b.fails(fault.RateLimited, <-players, "a player's own flood")
			flood--
		}
		if b.QueueMax > 0 {
			room := b.QueueMax + 1 - inFlight // the flood's first is in a batch, the others wait
			for i := range 2 * b.QueueMax {
				commit(b.elsewhere(fmt.Sprint("w", i)), players)
			}
			for range 2*b.QueueMax - room {
				b.notTaken(<-players)
			}
			flood += room
		}
		for _, source := range sources {
			for range inFlight {
				item := b.adjust(alice, 1)
				item.Source = source
				commit(item, others)
			}
		}
		for range 5000 { // time for a refusal, which a correct writer never gives
			runtime.Gosched()
		}
		select {
		case err := <-others:
			b.Errorf("behind a flood of players: %v", err)
			others <- err
		default:
		}
		close(gate)
		for range len(sources) * inFlight {
			b.same("behind a flood of players", <-others, nil)
		}
		for range flood + 1 {
			b.same("of the flood", <-players, nil)
		}
		b.same("the balance", b.balance(alice), money.Amount(1000+(1+len(sources))*inFlight))
		b.sound()
	}},
	{"after stop every item is refused", Races, func(b *bench) {
		if b.Stop == nil {
			return
		}
		b.signIn(alice, 100)
		before := b.snapshot()
		b.Stop()
		_, err := b.Commit(background, b.play(alice, 10))
		b.notTaken(err)
		b.same("everything", b.snapshot(), before)
	}},
	{"an item whose COMMIT lost its answer is answered as it was committed", Races, func(b *bench) {
		if b.LoseCommit == nil {
			return
		}
		b.signIn(alice, 100)
		for _, carriedOut := range []bool{true, false} {
			item := b.adjust(alice, 1)
			before := b.balance(alice)
			b.LoseCommit(carriedOut)
			receipt, err := b.Commit(background, item)
			var refusal *fault.Error
			switch {
			case err == nil:
				b.same("the balance returned", receipt.Change.Balance, before+1)
			case !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] == nil:
				b.Errorf("lost, carried out %v: %v", carriedOut, err)
			case refusal.Details["outcome"] == "none":
				b.same("the balance", b.balance(alice), before)
			}
			again, err := b.Commit(background, item)
			b.errorIf(err != nil || again.Change.Balance != before+1 || b.balance(alice) != before+1,
				"asked again, carried out %v: balance %d, returned %d, %v", carriedOut, b.balance(alice), again.Change.Balance, err)
		}
		b.sound()
	}},
}

// gated returns the item with a decision that waits until the gate opens, and a channel that is
// closed when it has begun.
func gated(item player.Item, gate <-chan struct{}) (player.Item, <-chan struct{}) {
	begun := make(chan struct{})
	var once sync.Once
	decide := item.Decide
	item.Decide = func(v player.View) (player.Change, error) {
		once.Do(func() { close(begun) })
		<-gate
		return decide(v)
	}
	return item, begun
}

// elsewhere returns an item of an otherwise unused wallet.
func (b *bench) elsewhere(name string) player.Item {
	w := fakes.Wallet(name)
	return b.transfer(w, ledger.Key{Kind: ledger.Deposit, Scope: string(money.SOL), ID: name},
		ledger.Transfer{Debit: ledger.System(ledger.Chain), Credit: ledger.UnclaimedOf(w), Token: money.SOL, Amount: 1})
}

var writerSeedsCases = []story{
	{"a rotation reveals the pair and the promised one follows", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		before := must(b.ActivePair(background, alice))(b)
		var rounds []string
		for range 3 {
			rounds = append(rounds, b.commit(b.play(alice, 10)).Change.Round.ID)
		}
		b.fails(fault.NotFound, errorOf(b.RevealedPair(background, before.ID)), "the active pair is revealed")
		rotated := b.commit(b.rotate(alice, "of the player")).Change
		revealed := must(b.RevealedPair(background, before.ID))(b)
		b.same("the revealed pair", revealed, *rotated.Retired)
		if err := revealed.Verify(); err != nil || revealed.Commitment != before.Commitment || revealed.Rounds != 3 {
			b.Errorf("revealed %+v of %+v: %v", revealed, before, err)
		}
		after := must(b.ActivePair(background, alice))(b)
		if after.Commitment != before.Next.Commitment || after.ID != before.Next.ID || after.Nonce != 0 ||
			after.ClientSeed != "of the player" || after.ClientSource != fairness.FromPlayer {
			b.Errorf("%+v follows %+v", after, before)
		}
		for _, id := range rounds {
			b.recompute(id, revealed)
		}
		next := b.commit(b.play(alice, 10)).Change.Round
		b.errorIf(next.PairID != after.ID || next.Nonce != 0, "the next round is of pair %s, nonce %d", next.PairID, next.Nonce)
		b.sound()
	}},
	{"a round after 30 days is its pair's last, and the next pair keeps the player's client seed as a repeated one", Logic, func(b *bench) {
		b.signIn(alice, 1000)
		b.commit(b.rotate(alice, "of the player"))
		before := must(b.ActivePair(background, alice))(b)
		rounds := []string{b.commit(b.draws(alice)).Change.Round.ID}
		b.clock.Advance(fairness.AgeMax)
		last := b.draws(alice)
		first := b.commit(last)
		rounds = append(rounds, first.Change.Round.ID)
		revealed := must(b.RevealedPair(background, before.ID))(b)
		if err := revealed.Verify(); err != nil || revealed.Rounds != 2 || !revealed.Since.Equal(before.Since) {
			b.Errorf("revealed %+v of %+v: %v", revealed, before, err)
		}
		after := must(b.ActivePair(background, alice))(b)
		if after.ID != before.Next.ID || after.Commitment != before.Next.Commitment || after.Nonce != 0 || !after.Since.Equal(first.Change.Round.At) ||
			after.ClientSeed != "of the player" || after.ClientSource != fairness.FromRepeated {
			b.Errorf("%+v follows %+v", after, before)
		}
		for _, id := range rounds {
			b.recompute(id, revealed)
		}
		if next := b.commit(b.draws(alice)).Change; next.Round.PairID != after.ID || next.Round.Nonce != 0 || next.Retired != nil {
			b.Errorf("the next round is %+v", next.Round)
		}
		b.same("the last round again", b.answer(b.replay(last).Change), b.answer(first.Change))
		b.sound()
	}},
	{"a client seed that a pair of the wallet had before is repeated", Races, func(b *bench) {
		b.signIn(alice, 1000)
		b.signIn(bob, 1000)
		made := must(b.ActivePair(background, alice))(b).ClientSeed
		b.commit(b.rotate(bob, "bob's"))
		for i, row := range []struct {
			chosen string
			want   fairness.ClientSource
		}{
			{"mine", fairness.FromPlayer}, {"bob's", fairness.FromPlayer}, {"Mine", fairness.FromPlayer}, {"mine", fairness.FromRepeated},
			{"mine", fairness.FromRepeated}, {made, fairness.FromRepeated}, {"", fairness.FromServer}, {"mine ", fairness.FromPlayer},
		} {
			b.commit(b.rotate(alice, row.chosen))
			pair := must(b.ActivePair(background, alice))(b)
			round := b.commit(b.play(alice, 10)).Change.Round
			if pair.ClientSource != row.want || round.ClientSource != row.want || must(b.Round(background, round.ID))(b).ClientSource != row.want {
				b.Errorf("rotation %d to %q: the client seed is of the %v, want %v", i, row.chosen, pair.ClientSource, row.want)
			}
		}
		sources := [2]fairness.ClientSource{}
		atOnce(len(sources), func(i int) { // in one batch, if there are batches
			receipt, err := b.Commit(background, b.rotate(alice, "twice at once"))
			if err != nil {
				b.Error(err)
				return
			}
			sources[i] = receipt.Change.Pair.ClientSource
		})
		if slices.Sort(sources[:]); sources != [2]fairness.ClientSource{fairness.FromPlayer, fairness.FromRepeated} {
			b.Errorf("of two rotations to one client seed at once the sources are %v", sources)
		}
		b.sound()
	}},
	{"nonces have no gap under two hundred items at once", Races, func(b *bench) {
		b.signIn(alice, 1_000_000)
		const rounds = 200
		items := make([]player.Item, rounds)
		for i := range items {
			items[i] = b.play(alice, 10)
		}
		var nonces []int64
		for _, receipt := range b.commitAll(items) {
			nonces = append(nonces, receipt.Change.Round.Nonce)
		}
		slices.Sort(nonces)
		for i, nonce := range nonces {
			b.same(fmt.Sprint("a nonce among ", nonces), nonce, int64(i))
		}
		pair := must(b.ActivePair(background, alice))(b)
		b.errorIf(pair.Nonce != rounds, "nonce %d follows %d rounds", pair.Nonce, rounds)
		b.sound()
	}},
	{"rotations and rounds at once keep every nonce in its pair", Races, func(b *bench) {
		b.signIn(alice, 1_000_000)
		atOnce(8, func(client int) {
			for i := range 8 {
				var item player.Item
				if client == 0 {
					item = b.rotate(alice, "seed")
				} else {
					item = b.play(alice, 10)
				}
				_, err := b.Commit(background, item)
				b.errorIf(err != nil, "client %d, item %d: %v", client, i, err)
			}
		})
		counted := map[string]int64{}
		page := ports.Page{Number: 1, Limit: ports.PageMax}
		for _, round := range must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, page))(b).Rounds {
			counted[round.PairID]++
		}
		for _, revealed := range must(b.RevealedPairs(background, alice, page))(b).Pairs {
			b.same("rounds of pair "+revealed.ID, counted[revealed.ID], revealed.Rounds)
		}
		b.sound()
	}},
}

// recompute draws a round again from its revealed seed.
func (b *bench) recompute(id string, revealed fairness.Revealed) {
	b.Helper()
	round := must(b.Round(background, id))(b)
	plan := must(game.Prepare(b.dice, round.Config, round.Wager))(b)
	result := plan.Play(fairness.NewStream(fairness.ServerSeedFromText(revealed.ServerSeed), round.ClientSeed, round.Nonce))
	b.errorIf(!result.Outcome.Equal(round.Outcome) || result.Multiplier.Cmp(round.Multiplier) != 0,
		"round %s has outcome %v, its seeds decide %v", id, round.Outcome, result.Outcome)
}

// draws returns an item of a bet that only needs its draw.
func (b *bench) draws(w wallet.Address) player.Item {
	item := b.play(w, 10)
	item.Needs.Draw, item.Needs.Pair = true, false
	return item
}

// inFlight is how many items of one player may be in flight.
const inFlight = 16
