package rounds_test

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
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestARoundThatNobodyComesBackToEnds(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	alice := h.NewPlayer("alice", 10_000)
	left := h.OpenRound(alice, apptest.Climb(1_000, apptest.Doubling))
	apptest.OK(h.Treasury.Treasury().Step(h.Ctx))(t)
	state, _ := h.Treasury.Treasury().State(money.SOL)
	apptest.Equal(t, "owed to players while a round is open", state.Players, money.TotalOf(10_000))
	h.StepRound(alice, left, fakes.Double)
	h.Clock.Advance(rounds.AbandonAfter - time.Hour)
	alice = h.SignIn("alice")
	young := h.OpenRound(alice, apptest.Climb(1_000))
	h.Clock.Advance(2 * time.Hour)
	worker := h.Rounds.AbandonWorker()
	apptest.Equal(t, "ended one", apptest.OK(worker.Step(h.Ctx))(t), true)
	apptest.Equal(t, "and no other", apptest.OK(worker.Step(h.Ctx))(t), false)
	open := apptest.OK(h.Play.OpenRounds(h.Ctx, alice))(t)
	if len(open) != 1 || open[0].ID != young.ID {
		t.Fatalf("open: %+v", open)
	}
	ended := apptest.OK(h.Accounts.Round(h.Ctx, alice, left.ID))(t)
	apptest.Equal(t, "payout", ended.Payout, 2_000)
	apptest.Equal(t, "balance", h.Balance("alice"), 9_000)
	records := h.AuditRecords()
	last := records[len(records)-1]
	apptest.Equal(t, "record", last.Action, audit.RoundAbandoned)
	apptest.Equal(t, "its target", last.Target, left.ID)
	h.StepRound(alice, young, fakes.CashOut)
	h.CheckAudit()
	h.CheckSolvent()
}

func TestAuditsFoldEveryRoundAgain(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	alice := h.NewPlayer("alice", 100_000)
	for range 3 {
		open := h.OpenRound(alice, apptest.Climb(1_000, apptest.Doubling))
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
		other := h.OpenRound(alice, apptest.Climb(500))
		result := h.StepRound(alice, open, fakes.Double)
		for result.Open != nil && result.Open.Step() < 3 {
			result = h.StepRound(alice, *result.Open, fakes.Climb)
		}
		if result.Open != nil {
			h.StepRound(alice, *result.Open, fakes.CashOut)
		}
		h.StepRound(alice, other, fakes.CashOut)
	}
	apptest.OK(h.Rounds.OpenRound(h.Ctx, alice, apptest.Climb(1_000, game.Member{Name: "breaksAt", Value: game.Int(0)})))(t)
	h.OpenRound(alice, apptest.Climb(700))
	report := h.CheckAudit()
	apptest.Equal(t, "rounds drawn again", report.Recomputed, 9)
	apptest.Equal(t, "what an honest ledger shows", h.AuditFindings(apptest.Resealed(func(all []ports.Block) []ports.Block { return all })), "")
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
		"something else was shown": {lies("shown", "{rung: 9, lost: false}"), "does not match its seeds"},
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
		}, "does not match its seeds"},
	} {
		if got := h.AuditFindings(apptest.Resealed(apptest.ChangeFirstBlock(c.change))); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
}

// TestOpenRoundsStayWithinTheShare lets 200 players open the largest rounds at once, on two
// instances over one store: the exposure never exceeds the bankroll's share.
func TestOpenRoundsStayWithinTheShare(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	const players = 200
	share := int64(apptest.Capital) / 5
	other := h.Remade(func(*app.Deps) {})
	var all [players]app.Caller
	for i := range all {
		all[i] = h.NewPlayer("player "+strings.Repeat("i", i+1), 10_000)
	}
	var everybody sync.WaitGroup
	for i, who := range all {
		everybody.Go(func() {
			for range bet.OpenMax {
				_, err := []*house{h, other}[i%2].Rounds.OpenRound(h.Ctx, who, apptest.Climb(1_000))
				if err != nil && !bet.RefusedForRoom(err) {
					t.Error(err)
				}
				owed := apptest.OK(h.Store.(ports.OpenRounds).OpenExposure(h.Ctx, money.SOL))(t)
				if owed.Cmp(money.TotalOf(money.Amount(share))) > 0 {
					t.Errorf("%v may be owed of %d", owed, share)
				}
			}
		})
	}
	everybody.Wait()
	owed, _ := apptest.OK(h.Store.(ports.OpenRounds).OpenExposure(h.Ctx, money.SOL))(t).Amount()
	if int64(owed) < share/2 {
		t.Errorf("%d may be owed, the share is %d", owed, share)
	}
	h.CheckAudit()
}

// TestTheBoundKeepsTheReturn plays limited rounds to their limit: like unlimited ones, they
// return all wagers.
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
		for stream := range uint32(1) << rungs { // all are equally likely
			climbs := make([]game.Value, 0, rungs)
			states := []game.State{{}}
			for !states[len(states)-1].Ended {
				climbs = append(climbs, fakes.Climb)
				states = apptest.OK(game.Replay(bounded, func() game.Draws { return &flips{stream} }, climbs))(t)
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

// TestAPairClosesUntilItsOpenRoundsHaveEnded: the player can play at once, sees the closing
// pair, and gets its seeds after its last round. Audits accept it.
func TestAPairClosesUntilItsOpenRoundsHaveEnded(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	alice := h.NewPlayer("alice", 100_000)
	mine := "mine"
	apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{ClientSeed: &mine}))(t)
	before := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	one, two := h.OpenRound(alice, apptest.Climb(1_000, apptest.Doubling)), h.OpenRound(alice, apptest.Climb(1_000))
	apptest.OK(h.Rounds.OpenRound(h.Ctx, alice, apptest.Climb(1_000, game.Member{Name: "breaksAt", Value: game.Int(0)})))(t)
	active, closing, err := h.Play.Seeds(h.Ctx, alice)
	if err != nil || active.Commitment != before.Next.Commitment || active.ClientSeed != mine || active.ClientSource != fairness.FromRepeated {
		t.Errorf("%+v follows %+v, %v", active, before, err)
	}
	if len(closing) != 1 || closing[0].Commitment != before.Commitment || closing[0].ClientSeed != (fairness.ClientSeed{Text: mine, Source: fairness.FromPlayer}) ||
		!slices.Equal(closing[0].Rounds, []string{one.ID, two.ID}) {
		t.Errorf("closing are %+v", closing)
	}
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{}))(t)
	one = *h.StepRound(alice, one, fakes.Double).Open
	ended := h.StepRound(alice, one, fakes.CashOut).Round
	apptest.Equal(t, "seeds of a round whose pair is closing", apptest.OK(h.Store.(ports.RevealedSeeds).RevealedSeeds(h.Ctx, []string{ended.PairID}))(t)[ended.PairID], "")
	h.CheckAudit()
	h.StepRound(alice, two, fakes.CashOut)
	if _, closing, err = h.Play.Seeds(h.Ctx, alice); err != nil || len(closing) != 0 {
		t.Errorf("then closing are %+v, %v", closing, err)
	}
	revealed := apptest.OK(h.Play.SeedHistory(h.Ctx, alice, ports.Page{Limit: 10}))(t).Pairs
	at := slices.IndexFunc(revealed, func(r fairness.Revealed) bool { return r.ID == before.ID })
	if at < 0 || revealed[at].Rounds != 3 || revealed[at].Verify() != nil {
		t.Fatalf("revealed are %+v", revealed)
	}
	report := h.CheckAudit()
	apptest.Equal(t, "rounds drawn again", report.Recomputed, 3)
	pairEvent := func(b *ports.Block, state string) int {
		return slices.IndexFunc(b.Events, func(e event.Event) bool {
			return e.Kind == event.Pair && e.ID == before.ID && e.Fields[0].Value == state
		})
	}
	again := func(change func(all []ports.Block)) string {
		return h.AuditFindings(apptest.Resealed(func(all []ports.Block) []ports.Block {
			for i := range all {
				all[i] = apptest.CloneBlock(all[i])
			}
			change(all)
			return all
		}))
	}
	// where returns the block with the pair's event of the state.
	where := func(all []ports.Block, state string) (b *ports.Block, at int) {
		for i := range all {
			if at := pairEvent(&all[i], state); at >= 0 {
				return &all[i], at
			}
		}
		t.Fatalf("no block has the pair %s", state)
		return nil, 0
	}
	apptest.Equal(t, "what an honest ledger shows", again(func([]ports.Block) {}), "")
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
		"the bound follows from another maxPayout": {func(all []ports.Block) {
			for i := range all {
				for _, e := range all[i].Events {
					for j, f := range e.Fields {
						if e.Kind == event.OpenRound && f.Name == "maxPayout" {
							e.Fields[j].Value = "1"
						}
					}
				}
			}
		}, "could pay more than the limit of 1 base units"},
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

// TestWhoPlaysStepByStepIsPaid pays players with open rounds and after their end: the proof
// of the wallet includes the stakes.
func TestWhoPlaysStepByStepIsPaid(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	w, worker := h.ApprovedWithdrawal("alice", 4_000), h.Payouts.PayoutWorker()
	h.Clock.Advance(time.Second)
	alice := h.SignIn("alice")
	open := h.OpenRound(alice, apptest.Climb(1_000, apptest.Doubling))
	other := h.OpenRound(alice, apptest.Climb(500))
	h.StepRound(alice, other, fakes.CashOut)
	h.PassPayouts(worker)
	h.Chain.Finalize()
	h.PassPayouts(worker)
	h.CheckPaid(w, 1)

	h.Clock.Advance(3 * time.Hour)
	alice = h.SignIn("alice")
	result := h.StepRound(alice, open, fakes.Double)
	h.OpenRound(alice, apptest.Climb(100))
	h.StepRound(alice, *result.Open, fakes.CashOut)
	again := h.RequestWithdrawal(alice, 1_000)
	apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, h.NewAdmin("ada", "finance"), apptest.Approving(again.ID)))(t)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	apptest.Equal(t, "status", h.StoredWithdrawal(again.ID).Status, withdrawal.Completed)
	h.CheckAudit()
}
