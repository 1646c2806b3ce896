package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/test/fakes"
)

// notTaken checks the refusal of an item that was never queued.
func (b *bench) notTaken(err error) {
	b.Helper()
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] != "none" {
		b.Errorf("%v is not a refusal as unavailable with outcome none", err)
	}
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
		if err != nil || receipt.Change.Balance != 111 {
			b.Errorf("answered %d, %v", receipt.Change.Balance, err)
		}
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
		for range 5000 { // time for a refusal too many, which a sound writer never gives
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
	{"each source of items has places of its own", Races, func(b *bench) {
		// Fills every place that players have, of one wallet and of the queue: what an admin, a provider and a
		// worker want with the wallet is committed all the same, and so are sign-ins and sign-outs, sixteen of
		// each at once.
		b.signIn(alice, 1000)
		gate := make(chan struct{})
		first, begun := gated(b.adjust(alice, 1), gate)
		sources := []player.Source{player.FromProvider, player.FromAdmin, player.FromWorker, player.FromSession}
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
		for range 5000 { // time for a refusal, which a sound writer never gives
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
			if err != nil || again.Change.Balance != before+1 || b.balance(alice) != before+1 {
				b.Errorf("asked again, carried out %v: balance %d, returned %d, %v", carriedOut, b.balance(alice), again.Change.Balance, err)
			}
		}
		b.sound()
	}},
}

// gated returns the item with a decision that waits until the gate opens, and
// a channel that is closed when it has begun.
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

// elsewhere is an item of a wallet that nobody else uses.
func (b *bench) elsewhere(name string) player.Item {
	w := fakes.Wallet(name)
	return b.transfer(w, ledger.Key{Kind: ledger.Deposit, Scope: string(money.SOL), ID: name},
		ledger.Transfer{Debit: ledger.System(ledger.Chain), Credit: ledger.UnclaimedOf(w), Token: money.SOL, Amount: 1})
}
