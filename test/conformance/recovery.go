package conformance

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// Recovery is the suite of ports.Recovery.
func Recovery(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, recoveryCases, epochClosingCases)
}

var recoveryCases = []story{
	{"an epoch begins in each lane above every number that is known", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		b.grant(admin, "support")
		b.controls(b.went())
		before := must(b.Heads(background))(b)
		known := []hashchain.Head{
			{Lane: before[0].Lane, Seq: before[0].Seq + 50, Hash: hashchain.Hash{1}}, {Lane: before[0].Lane, Seq: before[0].Seq + 20, Hash: hashchain.Hash{2}},
		}
		begun := must(b.BeginEpoch(background, known, b.beginning(b.now(), true)))(b)
		b.same("heads", must(b.Heads(background))(b), begun)
		greatest := map[int]int64{before[0].Lane: before[0].Seq + 50}
		newest := map[int]hashchain.Hash{}
		for i, head := range before {
			greatest[head.Lane], newest[head.Lane] = max(greatest[head.Lane], before[i].Seq), head.Hash
		}
		at := map[hashchain.Head]ports.Block{}
		for _, block := range b.chained() {
			at[block.Head] = block
		}
		for _, head := range begun {
			block, there := at[head]
			if !there || block.Epoch != 2 || head.Seq != greatest[head.Lane]+hashchain.EpochMargin || block.Previous != newest[head.Lane] {
				b.Errorf("%v begins epoch %d after %v", head, block.Epoch, block.Previous)
			}
			delete(newest, head.Lane)
		}
		b.errorIf(len(newest) > 0, "lanes without the epoch: %v", newest)
		b.returns()
		b.commit(b.play(alice, 10))
		b.grant(admin, "finance")
		for _, block := range b.chained() {
			if _, begins := at[block.Head]; !begins && block.Epoch != 2 {
				b.Errorf("block %d:%d is of epoch %d", block.Lane, block.Seq, block.Epoch)
			}
		}
		b.sound()
	}},
	{"a lane that is only known from outside begins after no block, and an epoch above a known one", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		kept := hashchain.Head{Lane: 63, Seq: 70_000, Hash: hashchain.Hash{9}}
		begun := b.beginEpoch(b.now(), kept)
		var unknown []hashchain.Head
		for _, head := range begun {
			if head.Lane == kept.Lane {
				unknown = append(unknown, head)
			}
		}
		b.errorIf(len(unknown) != 1 || unknown[0].Seq != kept.Seq+hashchain.EpochMargin, "begun are %v", begun)
		for _, block := range b.chained() {
			if block.Lane == kept.Lane && block.Previous != (hashchain.Hash{}) {
				b.Errorf("it follows %v", block.Previous)
			}
		}
		b.controls(b.went())
		later := b.deciding(func(now control.State) control.State {
			next := now.Next(b.now().Add(time.Hour), 7) // like a lost one of epoch 7
			next.Restored = nil
			return next
		})
		again := must(b.BeginEpoch(background, []hashchain.Head{kept}, later))(b)
		state := b.state()
		b.errorIf(state.Epoch != 8, "epoch %d begins after the seventh", state.Epoch)
		for _, head := range again {
			b.errorIf(head.Lane == kept.Lane && head.Seq != unknown[0].Seq+hashchain.EpochMargin,
				"the next epoch begins with %v", head)
		}
		b.sound()
	}},
	{"the record is in one of the blocks, and the service may open in the same commit", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		b.controls(b.went())
		at := b.now()
		must(b.BeginEpoch(background, nil, b.beginning(at, false)))(b)
		state := b.state()
		if state.Restored == nil || state.Epoch != 2 || state.EpochAt.Before(at) || !state.LoginsFrom.Equal(state.Restored.At.Add(time.Minute)) {
			b.Errorf("%+v", state)
		}
		b.refuse(b.play(alice, 10), fault.Maintenance)
		stopping := b.again(b.login(alice, b.now().Add(2*time.Minute).UnixMilli()))
		stopping.WhileRestored = true
		b.commit(stopping)
		must(b.BeginEpoch(background, nil, b.beginning(at.Add(time.Hour), true)))(b)
		if state = b.state(); state.Restored != nil || state.Epoch != 3 {
			b.Errorf("%+v", state)
		}
		records := 0
		for _, block := range b.chained() {
			for _, r := range block.Audit {
				if r.Action == audit.PlayPaused && r.At.After(at) {
					records++
				}
			}
		}
		b.errorIf(records != 2 || len(b.recordsOf(audit.PlayPaused)) != 3,
			"%d records of epochs, %v", records, b.recordsOf(audit.PlayPaused))
		if last := b.state().LoginsFrom; b.refuse(b.again(b.login(alice, last.UnixMilli()-1)), fault.StaleTimestamp) == nil {
			b.Error("a message of before signs in")
		}
		b.returns()
		b.sound()
	}},
	{"what can't begin an epoch changes nothing", Logic, func(b *bench) {
		b.signIn(alice, 1_000)
		at := b.now()
		b.fails(fault.InvalidState, errorOf(b.BeginEpoch(background, nil, b.beginning(at, true))), "where nothing went back")
		b.controls(b.went())
		before, everything := shown(b.state()), b.snapshot()
		for _, head := range []hashchain.Head{{Lane: -1, Seq: 1}, {Lane: hashchain.LaneMax + 1, Seq: 1}, {Lane: 1}, {Lane: 1, Seq: hashchain.SeqMax + 1}} {
			b.fails(fault.Invalid, errorOf(b.BeginEpoch(background, []hashchain.Head{head}, b.beginning(at, true))), "known ", head)
		}
		refusal := errors.New("no")
		_, err := b.BeginEpoch(background, nil, func(now control.State) (control.State, *audit.Record, error) { return now.Next(at, 0), nil, refusal })
		b.errorIf(!errors.Is(err, refusal), "a refusal came back as %v", err)
		for what, decide := range map[string]ports.ControlDecision{
			"the same epoch": b.deciding(func(now control.State) control.State { return now }),
			"an earlier epoch": b.deciding(func(now control.State) control.State {
				next := now.Next(at, 0)
				next.Epoch = now.Epoch - 1
				return next
			}),
			"another ledger": b.deciding(func(now control.State) control.State {
				next := now.Next(at, 0)
				next.EpochAt = time.Time{}
				return next
			}),
			"no record": func(now control.State) (control.State, *audit.Record, error) { return now.Next(at, 0), nil, nil },
		} {
			if _, err := b.BeginEpoch(background, nil, decide); err == nil || fault.KindOf(err) != fault.Internal {
				b.Errorf("%s: %v", what, err)
			}
		}
		b.same("the state", shown(b.state()), before)
		b.same("everything", b.snapshot(), everything)
	}},
	{"a pair of an earlier epoch takes no nonce, and the first sign-in replaces it with the seed after it", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		b.commit(b.play(alice, 10))
		b.commit(b.play(alice, 10))
		before := must(b.ActivePair(background, alice))(b)
		b.beginEpoch(b.now())
		for _, item := range []player.Item{b.play(alice, 10), b.rotate(alice, "mine")} {
			b.refuse(item, fault.InvalidToken)
		}
		// The law also holds for a decision that ignores the state.
		for what, draw := range map[string]func(v player.View) (player.Change, error){
			"a round": b.play(alice, 10).Decide, "a rotation": b.rotate(alice, "mine").Decide,
		} {
			item := b.play(alice, 10)
			item.Needs.Pair, item.Keys = true, b.rotate(alice, "mine").Keys
			item.Decide = func(v player.View) (player.Change, error) {
				v.Control = nil
				return draw(v)
			}
			if _, err := b.Commit(background, item); err == nil {
				b.Errorf("%s of an earlier epoch's pair", what)
			}
		}
		b.returns()
		after := must(b.ActivePair(background, alice))(b)
		old := map[string]bool{before.ID: true, before.Next.ID: true, before.Commitment: true, before.Next.Commitment: true}
		for _, fresh := range []string{after.ID, after.Next.ID, after.Commitment, after.Next.Commitment} {
			b.errorIf(old[fresh], "the pair is %+v, before it was %+v", after, before)
		}
		b.errorIf(after.Epoch != 2 || after.Nonce != 0 || after.ClientSource != fairness.FromServer, "the pair is %+v", after)
		rounds := map[string]int64{before.ID: 2, before.Next.ID: 0}
		for id, played := range rounds {
			revealed := must(b.RevealedPair(background, id))(b)
			if err := revealed.Verify(); err != nil || revealed.Rounds != played {
				b.Errorf("%+v, %v", revealed, err)
			}
		}
		listed := must(b.RevealedPairs(background, alice, ports.Page{Limit: 10}))(b)
		b.errorIf(len(listed.Pairs) != 2, "listed are %+v", listed)
		if round := b.commit(b.play(alice, 10)).Change.Round; round.Commitment != after.Commitment || round.Nonce != 0 {
			b.Errorf("%+v", round)
		}
		b.commit(b.rotate(alice, "mine"))
		rotated := must(b.ActivePair(background, alice))(b)
		b.errorIf(rotated.ID != after.Next.ID || rotated.Epoch != 2, "%+v follows %+v", rotated, after)
		b.sound()
	}},
	{"a pair is replaced once an epoch, also after two", Logic, func(b *bench) {
		b.signIn(alice, 1_000)
		b.beginEpoch(b.now())
		b.beginEpoch(b.now().Add(time.Hour))
		b.returns()
		once := must(b.ActivePair(background, alice))(b)
		b.returns()
		b.same("the pair", must(b.ActivePair(background, alice))(b).ID, once.ID)
		b.same("the epoch of the pair", once.Epoch, 3)
		b.commit(b.login(bob, b.now().Add(2*time.Minute).UnixMilli()))
		first := must(b.ActivePair(background, bob))(b)
		b.errorIf(first.Epoch != 3, "a first pair is %+v", first)
		b.sound()
	}},
	{"no number of a lane is used twice while players play on", Races, func(b *bench) {
		// Let many clients play and stop while epochs begin.
		b.signIn(alice, 100_000)
		b.signIn(bob, 100_000)
		var begun atomic.Bool
		atOnce(4, func(i int) {
			if i == 0 {
				for range 3 {
					b.beginEpoch(b.now())
				}
				begun.Store(true)
				return
			}
			for !begun.Load() {
				for _, item := range []player.Item{b.again(b.login(alice, b.now().Add(2*time.Minute).UnixMilli())), b.play(alice, 1), b.play(bob, 1)} {
					item.WhileRestored = i == 1
					_, err := b.Commit(background, item)
					if err != nil && !fault.Is(err, fault.Maintenance) && !fault.Is(err, fault.InvalidToken) {
						b.Error(err)
					}
				}
			}
		})
		b.returns()
		b.commit(b.play(alice, 1))
		b.sound()
	}},
}

// beginning returns a decision that begins the next epoch at this time.
func (b *bench) beginning(at time.Time, open bool) ports.ControlDecision {
	return b.deciding(func(now control.State) control.State {
		next := now.Next(at, 0)
		if open {
			next.Restored = nil
		}
		return next
	})
}

// beginEpoch reports the store restored, begins the next epoch and opens the service.
func (b *bench) beginEpoch(at time.Time, known ...hashchain.Head) []hashchain.Head {
	b.Helper()
	b.controls(b.went())
	return must(b.BeginEpoch(background, known, b.beginning(at, true)))(b)
}

// again returns a login of a player in a later epoch.
func (b *bench) again(item player.Item) player.Item {
	item.Needs.Pair = true
	return item
}

// returns signs a player in after a restore, by a message signed after it.
func (b *bench) returns() {
	b.Helper()
	b.commit(b.again(b.login(alice, b.now().Add(2*time.Minute).UnixMilli())))
}
