package audit_test

import (
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
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

// crashGate sets the gate of the crash round.
func (h *house) crashGate(betting, paying bool) {
	h.T.Helper()
	apptest.OK(struct{}{}, h.Store.ChangeControl(h.Ctx, func(now control.State) (control.State, *audit.Record, error) {
		now.Crash = control.CrashGate{Chain: "c1", Number: 1, Betting: betting, Paying: paying}
		return now, &audit.Record{ID: h.Deps.Entropy.ID(), Action: audit.PlayPaused, Target: "crash", At: h.Clock.Now()}, nil
	}))(h.T)
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
	h.crashGate(true, false)
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
	h.crashGate(false, false)
	out := player.CrashCashOutRequest{
		BetID: bets[0].ID, Round: round.Flying, Hash: round.Hash, At: h.Clock.Now(),
		Received: round.Flying.StartedAt.Add(time.Duration(crash.TimeOf(1_20)) * time.Millisecond),
	}
	h.commitCrash(players[0], player.UniqueKey{Kind: player.StepKey, Scope: out.BetID, ID: "0"}, func(v player.View) (player.Change, error) { return player.CashOutCrash(v, out) })
	h.crashGate(false, true)
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
	h, open, _, who := playCrash(t)
	h.Clock.Advance(2 * rounds.AbandonAfter)
	h.EndAbandonedRounds()
	if _, err := h.Store.OpenRound(h.Ctx, open.ID); err != nil {
		t.Errorf("the worker ended it: %v", err)
	}
	_, err := h.Rounds.EndRound(h.Ctx, h.NewAdmin("olga", "ops"), open.ID, "too old")
	apptest.Refused(t, err, fault.InvalidState, "status", "shared")
	who = h.SignIn("carol")
	_, err = h.Rounds.Step(h.Ctx, who, rounds.StepRequest{RoundID: open.ID, Action: fakes.CashOut})
	apptest.Refused(t, err, fault.InvalidState, "status", "shared")
}
