package audit_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// crashGoes takes the crash round through states. The chain is added before the first one.
func (h *house) crashGoes(of fakes.Crash, through ...crash.Round) {
	h.T.Helper()
	if through[0].Status == crash.Betting && !through[0].Stopped {
		record := audit.Record{ID: h.Deps.Entropy.ID(), Action: "crash.added", Target: "c1", At: h.Clock.Now()}
		apptest.OK(struct{}{}, h.Store.AddCrashChain(h.Ctx, of.Commitment, of.Secrets, record))(h.T)
	}
	lease, _, err := h.Store.LeaseCrash(h.Ctx, "test", 0, h.Clock.Now(), 0)
	apptest.OK(lease, err)(h.T)
	for _, r := range through {
		apptest.OK(struct{}{}, h.Store.ChangeCrashRound(h.Ctx, lease.Fence, r.Chain, r.Number, func(int64, *crash.Round) (ports.CrashChange, error) {
			return ports.CrashChange{Round: r, At: h.Clock.Now()}, nil
		}))(h.T)
	}
}

// commitCrash commits a decision on a player's bet.
func (h *house) commitCrash(who app.Caller, key player.UniqueKey, decide player.Decision) player.Change {
	h.T.Helper()
	return apptest.OK(h.Store.Commit(h.Ctx, player.Item{
		Wallet: who.Wallet, At: h.Clock.Now(), Keys: []player.UniqueKey{key}, Decide: decide,
		Needs: player.Needs{Tokens: []money.Token{money.SOL}, OpenRounds: true, Exposure: money.SOL, Game: crash.GameType},
	}))(h.T).Change
}

// playCrash has three players bet on a crash round: one is cashed out, one loses, and one
// is still open.
func playCrash(t *testing.T) (h *house, open bet.Open, round fakes.Crash, who app.Caller) {
	t.Helper()
	h = open2(t)
	start := h.Clock.Now()
	round = fakes.NewCrashBetween(1_50, 20_00, start)
	terms, _ := h.Deps.Tokens.Known(money.SOL)
	h.crashGoes(round, round.Betting)
	var bets []bet.Open
	var players []app.Caller
	for _, name := range []string{"alice", "bob", "carol"} {
		who := h.NewPlayer(name, 10_000)
		r := player.CrashBetRequest{Round: round.Betting, Wager: 1_000, Auto: 100_00, Placed: bet.Placed{
			ID: h.Deps.Entropy.ID(), Wallet: who.Wallet, Terms: terms, Bankroll: money.TotalOf(1 << 40), At: h.Clock.Now(),
		}}
		r.Terms.MaxPayout = 1 << 40
		c := h.commitCrash(who, player.UniqueKey{Kind: player.OperationKey, ID: r.ID}, func(v player.View) (player.Change, error) { return player.BetCrash(v, r) })
		bets, players = append(bets, c.Steps[0]), append(players, who)
	}
	var placed []crash.Bet
	for _, open := range bets {
		b, _, err := crash.BetOf(open)
		placed = append(placed, apptest.OK(b, err)(t))
	}
	closed := apptest.OK(round.Stopped.Close(round.Commitment.Beacon, 10, placed))(t)
	for _, r := range []*crash.Round{&round.Closed, &round.Flying, &round.Settled} {
		r.Closing = closed.Closing
	}
	h.crashGoes(round, round.Stopped, round.Closed, round.Flying)
	out := player.CrashCashOutRequest{
		BetID: bets[0].ID, Round: round.Flying, Hash: round.Hash, At: h.Clock.Now(),
		Received: round.Flying.StartedAt.Add(time.Duration(crash.TimeOf(1_20)) * time.Millisecond),
	}
	h.commitCrash(players[0], player.UniqueKey{Kind: player.StepKey, Scope: out.BetID, ID: "0"}, func(v player.View) (player.Change, error) { return player.CashOutCrash(v, out) })
	h.crashGoes(round, round.Settled)
	for i := range 2 {
		r := player.CrashSettleRequest{BetID: bets[i].ID, Round: round.Settled, AuditID: h.Deps.Entropy.ID(), At: h.Clock.Now()}
		h.commitCrash(players[i], player.UniqueKey{Kind: player.RoundKey, ID: r.BetID}, func(v player.View) (player.Change, error) { return player.SettleCrash(v, r) })
	}
	return h, bets[2], round, players[2]
}

func open2(t *testing.T) *house { return &house{apptest.OpenWithLadder(t)} }

func TestCrashBetsAreAudited(t *testing.T) {
	t.Parallel()
	h, _, _, _ := playCrash(t)
	if report := h.CheckAudit(); report.Recomputed != 2 {
		t.Errorf("%d rounds were recomputed", report.Recomputed)
	}
	crashRound := func(change func(*bet.Round, *ports.Block)) func([]ports.Block) []ports.Block {
		return firstRound(func(r bet.Round) bool { return r.IsShared() && r.Payout > 0 }, func(b *ports.Block) { change(&b.Rounds[0], b) })
	}
	opening := func(change func(*event.Event)) func([]ports.Block) []ports.Block {
		return apptest.ChangeFirstBlock(func(b *ports.Block) bool {
			for i := range b.Events {
				if e := &b.Events[i]; e.Kind == event.OpenRound && e.Was == "" {
					change(e)
					return true
				}
			}
			return false
		})
	}
	for name, row := range map[string]struct {
		change func([]ports.Block) []ports.Block
		want   string
	}{
		"a payout": {crashRound(func(r *bet.Round, b *ports.Block) {
			r.Payout++
			b.Postings[len(b.Postings)-1].Transfers[1].Amount++
		}), "its result doesn't follow"},
		"a point": {crashRound(func(r *bet.Round, _ *ports.Block) {
			r.Outcome = game.Object(game.Member{Name: "crash", Value: game.Dec(1_10, 2)}, game.Member{Name: "cap", Value: r.Outcome.Get("cap")},
				game.Member{Name: "startedAt", Value: r.Outcome.Get("startedAt")})
		}), "crash: round 1, bet"},
		"a cash-out that none asked for": {crashRound(func(r *bet.Round, _ *ports.Block) {
			micros, _ := r.Actions.At(0).Get("received").Int()
			out := crash.CashOut{Received: time.UnixMicro(micros + 1).UTC(), Multiplier: 1_20}
			r.Actions = crash.WithCashOut(bet.Open{Actions: game.List()}, out, time.Time{}).Actions
		}), "never shown"},
		"an exposure": {opening(func(e *event.Event) {
			for i := range e.Fields {
				if e.Fields[i].Name == "exposure" {
					e.Fields[i].Value = "1"
				}
			}
		}), "is no bet on a crash round"},
	} {
		if found := h.AuditFindings(apptest.Resealed(row.change)); !strings.Contains(found, row.want) {
			t.Errorf("%s: %s", name, found)
		}
	}
}

// TestABetOnACrashRoundIsNotAbandoned neither by the worker, an admin nor a step.
func TestABetOnACrashRoundIsNotAbandoned(t *testing.T) {
	t.Parallel()
	h, open, _, _ := playCrash(t)
	h.Clock.Advance(2 * rounds.AbandonAfter)
	h.EndAbandonedRounds()
	if _, err := h.Store.OpenRound(h.Ctx, open.ID); err != nil {
		t.Errorf("the worker ended it: %v", err)
	}
	_, err := h.Rounds.EndRound(h.Ctx, h.NewAdmin("olga", "ops"), open.ID, "too old")
	apptest.Refused(t, err, fault.InvalidState, "status", "shared")
	who := h.SignIn("carol")
	_, err = h.Rounds.Step(h.Ctx, who, rounds.StepRequest{RoundID: open.ID, Action: fakes.CashOut})
	apptest.Refused(t, err, fault.InvalidState, "status", "shared")
}

// crashStates changes the values of the round in each of its events.
func crashStates(change func(*crash.Round)) func([]ports.Block) []ports.Block {
	return func(all []ports.Block) []ports.Block {
		was := ""
		for i := range all {
			for j, e := range all[i].Events {
				if e.Kind == event.CrashRound {
					r := crash.FromCovered(e)
					change(&r)
					changed := r.Covered()
					changed.Was = was
					if changed.Digest() == was { // this event changes nothing
						changed.Fields = append(changed.Fields, event.Text("more", "x"))
					}
					was, all[i].Events[j] = changed.Digest(), changed
				}
			}
		}
		return all
	}
}

func TestCrashRoundsAreAudited(t *testing.T) {
	t.Parallel()
	h, open, round, who := playCrash(t)
	h.CheckAudit()
	// In each case, from the state on in which the value is known.
	known := func(when func(r *crash.Round) bool, change func(*crash.Round)) func([]ports.Block) []ports.Block {
		return crashStates(func(r *crash.Round) {
			if when(r) {
				change(r)
			}
		})
	}
	closed := func(r *crash.Round) bool { return r.Closing != "" }
	salted := func(r *crash.Round) bool { return r.Salt != "" }
	ended := func(r *crash.Round) bool { return r.Hash != "" }
	always := func(*crash.Round) bool { return true }
	move := func(from func(event.Event) bool, to func(event.Event) bool) func([]ports.Block) []ports.Block {
		return func(all []ports.Block) []ports.Block {
			var moved []event.Event
			for i := range all {
				all[i].Events = slices.DeleteFunc(slices.Clone(all[i].Events), func(e event.Event) bool {
					if from(e) {
						moved = append(moved, e)
						return true
					}
					return false
				})
			}
			for i := range all {
				if slices.ContainsFunc(all[i].Events, to) {
					all[i].Events = append(all[i].Events, moved...)
					return all
				}
			}
			return all
		}
	}
	one, _, err := crash.BetOf(open)
	without := apptest.OK(round.Stopped.Close(round.Commitment.Beacon, 10, []crash.Bet{apptest.OK(one, err)(t)}))(t)
	isState := func(want func(crash.Round) bool) func(event.Event) bool {
		return func(e event.Event) bool { return e.Kind == event.CrashRound && want(crash.FromCovered(e)) }
	}
	for name, row := range map[string]struct {
		change func([]ports.Block) []ports.Block
		want   string
	}{
		"bets left out of the closing commit": {known(closed, func(r *crash.Round) { r.Closing = without.Closing }), "the closing commit doesn't state the bets"},
		"another height":                      {known(closed, func(r *crash.Round) { r.Height++ }), "the closing commit doesn't state the bets"},
		"a closing commit without its height": {known(closed, func(r *crash.Round) { r.Closing = "closed" }), "states no height"},
		"no closing commit":                   {known(closed, func(r *crash.Round) { r.Closing, r.Height = "", 0 }), "lacks what"},
		"another hash before it":              {known(always, func(r *crash.Round) { r.Previous = round.Hash.Reveal() }), "doesn't follow the one before"},
		"another hash":                        {known(ended, func(r *crash.Round) { r.Hash = r.Previous }), "doesn't lead to that"},
		"another point":                       {known(ended, func(r *crash.Round) { r.Point++ }), "the point doesn't follow"},
		"a beacon beyond the window": {known(salted, func(r *crash.Round) {
			r.BeaconHeight += 9
			r.Salt = strings.Replace(r.Salt, ":11:", ":20:", 1)
		}), "beyond the window"},
		"a salt of another beacon": {known(salted, func(r *crash.Round) { r.Salt = strings.Replace(r.Salt, ":11:", ":12:", 1) }), "the salt is not that"},
		"a cancellation without proof": {known(salted, func(r *crash.Round) {
			*r = round.Cancelled
			r.Closing, r.BeaconHeight = round.Closed.Closing, 11
		}), "without a proof"},
		"the end of a round with a bet left": {known(func(r *crash.Round) bool { return r.Paying }, func(r *crash.Round) { r.Status = crash.Settled }), "1 of its bets have no result"},
		"another start":                      {known(salted, func(r *crash.Round) { r.StartedAt = r.StartedAt.Add(time.Millisecond) }), "the result of bet"},
		"a bet after the stop": {move(isState(func(r crash.Round) bool { return r.Stopped && r.Closing == "" }),
			isState(func(r crash.Round) bool { return !r.Stopped })), "after the bets were stopped"},
		"a chain that was never published": {move(func(e event.Event) bool { return e.Kind == event.CrashChain }, func(event.Event) bool { return false }), "its chain was not published"},
	} {
		if found := h.AuditFindings(apptest.Resealed(row.change)); !strings.Contains(found, row.want) {
			t.Errorf("%s: %s", name, found)
		}
	}
	// The round ends, and an audit that continues one of before knows its bets.
	var left [][2][]byte
	first := appaudit.NewAuditor(h.Store, h.Games, nil).LeaveTo(func(key, value []byte) error {
		left = append(left, [2][]byte{slices.Clone(key), slices.Clone(value)})
		return nil
	})
	apptest.OK(first.Run(h.Ctx))(t)
	last := player.CrashSettleRequest{BetID: open.ID, Round: round.Settled, AuditID: h.Deps.Entropy.ID(), At: h.Clock.Now()}
	h.commitCrash(who, player.UniqueKey{Kind: player.RoundKey, ID: last.BetID}, func(v player.View) (player.Change, error) { return player.SettleCrash(v, last) })
	h.crashGoes(round, apptest.OK(round.Settled.Finish(0))(t))
	h.CheckAudit()
	for range 2 { // the second one continues an audit of a round that is over
		records := left
		left = nil
		next := appaudit.NewAuditor(h.Store, h.Games, nil).Since(func(visit func(key, value []byte) error) error {
			for _, r := range records {
				if err := visit(r[0], r[1]); err != nil {
					return err
				}
			}
			return nil
		}).LeaveTo(func(key, value []byte) error {
			left = append(left, [2][]byte{slices.Clone(key), slices.Clone(value)})
			return nil
		})
		if report := apptest.OK(next.Run(h.Ctx))(t); report.Err() != nil || len(report.Since) == 0 {
			t.Errorf("%+v", report)
		}
	}
}
