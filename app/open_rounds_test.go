package app_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// climbers opens a house with a ladder.
func climbers(t *testing.T) *house {
	t.Helper()
	return open(t, func(d *app.Deps) {
		games, err := game.NewRegistry(append(game.Standard(), fakes.Ladder())...)
		if err != nil {
			t.Fatal(err)
		}
		d.Games = games
	})
}

func climb(wager int64, members ...game.Member) play.PlayRequest {
	return play.PlayRequest{GameType: "ladder", Wager: wager, Token: sol, Config: game.Object(members...)}
}

var doubling = game.Member{Name: "doubles", Value: game.Bool(true)}

func (h *house) opened(who app.Caller, r play.PlayRequest) bet.Open {
	h.t.Helper()
	result := ok(h.Rounds.OpenRound(h.ctx, who, r))(h.t)
	if result.Open == nil {
		h.t.Fatalf("opened as %+v", result)
	}
	return *result.Open
}

func (h *house) stepped(who app.Caller, open bet.Open, action game.Value) rounds.StepResult {
	h.t.Helper()
	return ok(h.Rounds.Step(h.ctx, who, rounds.StepRequest{RoundID: open.ID, Step: int64(open.Step()), Action: action, Fingerprint: action.String()}))(h.t)
}

func TestARoundThatNobodyComesBackToEnds(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	alice := h.player("alice", 10_000)
	left := h.opened(alice, climb(1_000, doubling))
	ok(h.Treasury.Treasury().Step(h.ctx))(t)
	state, _ := h.Treasury.Treasury().State(money.SOL)
	equal(t, "owed to players while a round is open", state.Players, money.TotalOf(10_000))
	h.stepped(alice, left, fakes.Double)
	h.clock.Advance(rounds.AbandonAfter - time.Hour)
	alice = h.enter("alice")
	young := h.opened(alice, climb(1_000))
	h.clock.Advance(2 * time.Hour)
	worker := h.Rounds.AbandonWorker()
	equal(t, "ended one", ok(worker.Step(h.ctx))(t), true)
	equal(t, "and no other", ok(worker.Step(h.ctx))(t), false)
	open := ok(h.Play.OpenRounds(h.ctx, alice))(t)
	if len(open) != 1 || open[0].ID != young.ID {
		t.Fatalf("open: %+v", open)
	}
	ended := ok(h.Accounts.Round(h.ctx, alice, left.ID))(t)
	equal(t, "payout", ended.Payout, 2_000)
	equal(t, "balance", h.balance("alice"), 9_000)
	records := h.records()
	last := records[len(records)-1]
	equal(t, "record", last.Action, audit.RoundAbandoned)
	equal(t, "its target", last.Target, left.ID)
	h.stepped(alice, young, fakes.CashOut)
	h.audited()
	h.solvent()
}

func TestAuditsFoldEveryRoundAgain(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	alice := h.player("alice", 100_000)
	for range 3 {
		open := h.opened(alice, climb(1_000, doubling))
		ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
		other := h.opened(alice, climb(500))
		result := h.stepped(alice, open, fakes.Double)
		for result.Open != nil && result.Open.Step() < 3 {
			result = h.stepped(alice, *result.Open, fakes.Climb)
		}
		if result.Open != nil {
			h.stepped(alice, *result.Open, fakes.CashOut)
		}
		h.stepped(alice, other, fakes.CashOut)
	}
	ok(h.Rounds.OpenRound(h.ctx, alice, climb(1_000, game.Member{Name: "breaksAt", Value: game.Int(0)})))(t)
	h.opened(alice, climb(700))
	report := h.audited()
	equal(t, "rounds drawn again", report.Recomputed, 9)
	equal(t, "what an honest ledger shows", h.found(resealed(func(all []ports.Block) []ports.Block { return all })), "")
	lies := func(field, value string) func(*ports.Block) bool {
		return func(b *ports.Block) bool {
			for i, e := range b.Events {
				if e.Kind != event.OpenRound || e.Was == "" {
					continue
				}
				for j, f := range e.Fields {
					if f.Name == field {
						b.Events[i].Fields[j].Value = value
						return true
					}
				}
			}
			return false
		}
	}
	for name, c := range map[string]struct {
		change func(*ports.Block) bool
		want   string
	}{
		"something else was shown": {lies("shown", "{rung: 9, lost: false}"), "is not what its seeds decide"},
		"another nonce": {func(b *ports.Block) bool {
			for i, e := range b.Events {
				if e.Kind == event.OpenRound && e.Was == "" {
					for j, f := range e.Fields {
						if f.Name == "nonce" {
							b.Events[i].Fields[j].Value = "77"
							return true
						}
					}
				}
			}
			return false
		}, "is next"},
		"another action": {func(b *ports.Block) bool {
			for i := range b.Rounds {
				if r := &b.Rounds[i]; r.Stepped() && r.Actions.Len() == 1 {
					r.Actions = game.List(fakes.Climb)
					return true
				}
			}
			return false
		}, "can't be recomputed"},
		"a greater payout": {func(b *ports.Block) bool {
			for i := range b.Rounds {
				if r := &b.Rounds[i]; r.Stepped() {
					r.Payout++
					for j := range b.Postings {
						if b.Postings[j].Key == r.Posting().Key {
							b.Postings[j] = r.Posting()
						}
					}
					return true
				}
			}
			return false
		}, "is not what its seeds decide"},
	} {
		if got := h.found(resealed(first(c.change))); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
}

// TestOpenRoundsStayWithinTheShare has 200 players open the largest rounds at once, on two
// instances over one store: what may be owed never passes the bankroll's share.
func TestOpenRoundsStayWithinTheShare(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	const players = 200
	share := int64(capital) / 5
	other := h.remade(func(*app.Deps) {})
	var all [players]app.Caller
	for i := range all {
		all[i] = h.player("player "+strings.Repeat("i", i+1), 10_000)
	}
	var everybody sync.WaitGroup
	for i, who := range all {
		everybody.Go(func() {
			for range bet.OpenMax {
				_, err := []*house{h, other}[i%2].Rounds.OpenRound(h.ctx, who, climb(1_000))
				if err != nil && !bet.RefusedForRoom(err) {
					t.Error(err)
				}
				owed := ok(h.store.(ports.OpenRounds).OpenExposure(h.ctx, money.SOL))(t)
				if owed.Cmp(money.TotalOf(money.Amount(share))) > 0 {
					t.Errorf("%v may be owed of %d", owed, share)
				}
			}
		})
	}
	everybody.Wait()
	owed, _ := ok(h.store.(ports.OpenRounds).OpenExposure(h.ctx, money.SOL))(t).Amount()
	if int64(owed) < share/2 {
		t.Errorf("%d may be owed, the share is %d", owed, share)
	}
	h.audited()
}

// TestTheBoundKeepsTheReturn plays rounds that the house bounded, each to the bound: they
// return what unbounded ones do, which is everything that was wagered.
func TestTheBoundKeepsTheReturn(t *testing.T) {
	t.Parallel()
	steps, err := game.Begin(fakes.Ladder(), game.Value{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for rungs := 1; rungs <= 6; rungs++ {
		most := money.Ratio{Num: 1 << rungs, Den: 1}
		bounded, fits := game.UpTo(steps, money.Ratio{Num: 2*most.Num - 1, Den: 1})
		if !fits || bounded.MaxMultiplier().Cmp(most) != 0 {
			t.Fatalf("bounded at %v: %v", most, bounded)
		}
		paid := money.Amount(0)
		for stream := range uint32(1) << rungs { // all of them are as likely
			climbs := make([]game.Value, 0, rungs)
			states := []game.State{{}}
			for !states[len(states)-1].Ended {
				climbs = append(climbs, fakes.Climb)
				states = ok(game.Replay(bounded, func() game.Draws { return &flips{stream} }, climbs))(t)
			}
			won, _ := money.Amount(1).Times(states[len(states)-1].Multiplier)
			paid += won
		}
		if paid != 1<<rungs {
			t.Errorf("bounded at %v: %d wagers return %d", most, 1<<rungs, paid)
		}
	}
}

// flips are the draws that some bits decide.
type flips struct{ left uint32 }

func (f *flips) Next() uint32 {
	bit := f.left & 1
	f.left >>= 1
	return bit << 31
}

func (f *flips) Pick(n uint32) uint32 { return uint32(uint64(f.Next()) * uint64(n) >> 32) }

// abandoned runs a worker until no round is left for it to end.
func (h *house) abandoned() {
	h.t.Helper()
	worker := h.Rounds.AbandonWorker()
	for ok(worker.Step(h.ctx))(h.t) {
	}
}

// TestAPairClosesUntilItsOpenRoundsHaveEnded: the player plays on at once, is shown what
// closes, and sees the seeds when nothing more is drawn from them. Audits follow it.
func TestAPairClosesUntilItsOpenRoundsHaveEnded(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	alice := h.player("alice", 100_000)
	mine := "mine"
	ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{ClientSeed: &mine}))(t)
	before := ok(h.Play.Seed(h.ctx, alice))(t)
	one, two := h.opened(alice, climb(1_000, doubling)), h.opened(alice, climb(1_000))
	ok(h.Rounds.OpenRound(h.ctx, alice, climb(1_000, game.Member{Name: "breaksAt", Value: game.Int(0)})))(t)
	active, closing, err := h.Play.Seeds(h.ctx, alice)
	if err != nil || active.Commitment != before.Next.Commitment || active.ClientSeed != mine || active.ClientSource != fairness.FromRepeated {
		t.Errorf("%+v follows %+v, %v", active, before, err)
	}
	if len(closing) != 1 || closing[0].Commitment != before.Commitment || closing[0].ClientSeed != (fairness.ClientSeed{Text: mine, Source: fairness.FromPlayer}) ||
		!slices.Equal(closing[0].Rounds, []string{one.ID, two.ID}) {
		t.Errorf("closing are %+v", closing)
	}
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{}))(t)
	one = *h.stepped(alice, one, fakes.Double).Open
	ended := h.stepped(alice, one, fakes.CashOut).Round
	equal(t, "seeds of a round whose pair is closing", ok(h.store.(ports.RevealedSeeds).RevealedSeeds(h.ctx, []string{ended.PairID}))(t)[ended.PairID], "")
	h.audited()
	h.stepped(alice, two, fakes.CashOut)
	if _, closing, err = h.Play.Seeds(h.ctx, alice); err != nil || len(closing) != 0 {
		t.Errorf("then closing are %+v, %v", closing, err)
	}
	revealed := ok(h.Play.SeedHistory(h.ctx, alice, ports.Page{Limit: 10}))(t).Pairs
	at := slices.IndexFunc(revealed, func(r fairness.Revealed) bool { return r.ID == before.ID })
	if at < 0 || revealed[at].Rounds != 3 || revealed[at].Verify() != nil {
		t.Fatalf("revealed are %+v", revealed)
	}
	report := h.audited()
	equal(t, "rounds drawn again", report.Recomputed, 3)
	pairEvent := func(b *ports.Block, state string) int {
		return slices.IndexFunc(b.Events, func(e event.Event) bool {
			return e.Kind == event.Pair && e.ID == before.ID && e.Fields[0].Value == state
		})
	}
	again := func(change func(all []ports.Block)) string {
		return h.found(resealed(func(all []ports.Block) []ports.Block {
			for i := range all {
				all[i] = twin(all[i])
			}
			change(all)
			return all
		}))
	}
	// where is the block with the pair's event of the state.
	where := func(all []ports.Block, state string) (b *ports.Block, at int) {
		for i := range all {
			if at := pairEvent(&all[i], state); at >= 0 {
				return &all[i], at
			}
		}
		t.Fatalf("no block has the pair %s", state)
		return nil, 0
	}
	equal(t, "what an honest ledger shows", again(func([]ports.Block) {}), "")
	for name, c := range map[string]struct {
		change func(all []ports.Block)
		want   string
	}{
		"its closing is left out": {func(all []ports.Block) {
			b, at := where(all, "closing")
			b.Events = slices.Delete(b.Events, at, at+1)
		}, "events don't follow one another"},
		"it closes with fewer rounds": {func(all []ports.Block) {
			b, at := where(all, "closing")
			for i, f := range b.Events[at].Fields {
				if f.Name == "rounds" {
					b.Events[at].Fields[i].Value = "2"
				}
			}
		}, "closed with 2 rounds, and took nonce 2"},
		"its reveal is left out": {func(all []ports.Block) {
			b, at := where(all, "retired")
			b.Events = slices.Delete(b.Events, at, at+1)
		}, "its row was changed: "},
		"the end of a round is left out": {func(all []ports.Block) {
			b, _ := where(all, "retired")
			b.Rounds = slices.DeleteFunc(b.Rounds, func(r bet.Round) bool { return r.ID == two.ID })
		}, "is open, and its pair is revealed"},
		"it is revealed while rounds are open": {func(all []ports.Block) {
			b, at := where(all, "retired")
			e := b.Events[at]
			b.Events = slices.Delete(b.Events, at, at+1)
			b, _ = where(all, "closing")
			b.Events = append(b.Events, e)
		}, "ended after its pair was revealed"},
	} {
		if got := again(c.change); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
}

// TestWhoPlaysStepByStepIsPaid pays players out while rounds of theirs are open and after
// they ended: what the players have is proved with the stakes.
func TestWhoPlaysStepByStepIsPaid(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	w, worker := h.approved("alice", 4_000), h.Payouts.PayoutWorker()
	h.clock.Advance(time.Second)
	alice := h.enter("alice")
	open := h.opened(alice, climb(1_000, doubling))
	other := h.opened(alice, climb(500))
	h.stepped(alice, other, fakes.CashOut)
	h.pass(worker)
	h.chain.finalize()
	h.pass(worker)
	h.paid(w, 1)

	h.clock.Advance(3 * time.Hour)
	alice = h.enter("alice")
	result := h.stepped(alice, open, fakes.Double)
	h.opened(alice, climb(100))
	h.stepped(alice, *result.Open, fakes.CashOut)
	again := h.withdraw(alice, 1_000)
	ok(h.Payouts.ApproveWithdrawal(h.ctx, h.admin("ada", "finance"), approving(again.ID)))(t)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	equal(t, "status", h.stands(again.ID).Status, withdrawal.Completed)
	h.audited()
}
