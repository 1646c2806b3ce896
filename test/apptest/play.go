package apptest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Flip returns a bet on one coin.
func Flip(wager int64) play.PlayRequest {
	return play.PlayRequest{GameType: "coinflip", Wager: wager, Token: SOL}
}

// Keyed gives a bet an idempotency key and a fingerprint.
func Keyed(r play.PlayRequest, key, fingerprint string) play.PlayRequest {
	r.Idempotency = app.Idempotency{Key: key, Fingerprint: fingerprint}
	return r
}

// broken is a game with a draw set by the test, once there is a stake. Without a stake, as when
// games are tried out before they are offered, it works.
type broken struct {
	game.Game
	play func(game.Draws) game.Result
}

func (broken) Type() string { return "broken" }

func (broken) Rules() string { return "broken/1" }

func (b broken) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := b.Game.Plan(config, wager)
	if wager == 0 {
		return plan, err
	}
	return brokenPlan{plan, b.play}, err
}

type brokenPlan struct {
	game.Plan
	play func(game.Draws) game.Result
}

func (p brokenPlan) Play(draws game.Draws) game.Result { return p.play(draws) }

// WithBroken adds the broken game to the house's own.
func WithBroken(t *testing.T, draw func(game.Draws) game.Result) func(*app.Deps) {
	t.Helper()
	return func(d *app.Deps) {
		games, err := game.NewRegistry(append(game.Standard(), broken{game.Coinflip(), draw})...)
		if err != nil {
			t.Fatal(err)
		}
		d.Games = games
	}
}

// CheckAudit audits the whole ledger and fails on any finding.
func (h *House) CheckAudit() appaudit.AuditReport {
	h.T.Helper()
	report := OK(appaudit.NewAuditor(h.Store, h.Games, nil).Run(h.Ctx))(h.T)
	if err := report.Err(); err != nil {
		h.T.Fatalf("%v:\n%s", err, strings.Join(report.Findings, "\n"))
	}
	return report
}

// OpenWithLadder opens a casino that offers the ladder, which is played step by step.
func OpenWithLadder(t *testing.T) *House {
	t.Helper()
	return Open(t, func(d *app.Deps) {
		games, err := fakes.LadderGames()
		if err != nil {
			t.Fatal(err)
		}
		d.Games = games
	})
}

// Climb returns a bet on the ladder.
func Climb(wager int64, members ...game.Member) play.PlayRequest {
	return play.PlayRequest{GameType: "ladder", Wager: wager, Token: SOL, Config: game.Object(members...)}
}

// Doubling is the config of a ladder that doubles at each step.
var Doubling = game.Member{Name: "doubles", Value: game.Bool(true)}

// OpenRound opens a round that is played step by step, and fails if it ended at once.
func (h *House) OpenRound(who app.Caller, r play.PlayRequest) bet.Open {
	h.T.Helper()
	result := OK(h.Rounds.OpenRound(h.Ctx, who, r))(h.T)
	if result.Open == nil {
		h.T.Fatalf("opened as %+v", result)
	}
	return *result.Open
}

// StepRound takes the next step of a round.
func (h *House) StepRound(who app.Caller, open bet.Open, action game.Value) rounds.StepResult {
	h.T.Helper()
	return OK(h.Rounds.Step(h.Ctx, who, rounds.StepRequest{RoundID: open.ID, Step: int64(open.Step()), Action: action, Fingerprint: action.String()}))(h.T)
}

// EndAbandonedRounds runs a worker until it has ended all abandoned rounds.
func (h *House) EndAbandonedRounds() {
	h.T.Helper()
	worker := h.Rounds.AbandonWorker()
	for OK(worker.Step(h.Ctx))(h.T) {
	}
}

// slots is a provider of one game that answers and records nothing.
type slots struct{}

func (slots) Launch(context.Context, ports.LaunchRequest) (string, error) {
	return "https://games.example/play", nil
}

func (slots) Games(context.Context) ([]seamless.Game, []seamless.UnreadEntry, error) {
	return []seamless.Game{{Provider: "SPIN", Code: "bells", Name: "Bells", Type: "slot", Open: true}}, nil, nil
}

func (slots) Funds(context.Context) (seamless.Decimal, error) { return "1000", nil }

func (slots) Log(context.Context, wallet.Address, time.Time, time.Time) ([]seamless.Record, error) {
	return nil, nil
}

// unmatchedCap is how much a provider may pay out in an hour without a bet.
const unmatchedCap = 1_000

// connectionCap is how much all players together may win from it in an hour.
const connectionCap = 2_500_000

// WithSlots connects the provider; its money is base units.
func WithSlots(d *app.Deps) {
	d.Provider = &app.ProviderConnection{
		Code: "spin", Games: slots{}, Token: money.SOL, EnableNew: true,
		Caps: player.ProviderCaps{NetWin: 1_000_000, WithoutDebit: unmatchedCap, Connection: connectionCap},
	}
}

// WithBranch adds a role bound to an agent that may move money.
func WithBranch(d *app.Deps) {
	d.Policy = rbac.NewPolicy(append(rbac.DefaultPolicy().Roles(), rbac.Role{
		Name: "branch", Level: 3, NeedsAgent: true, Permissions: []rbac.Permission{rbac.AdminRead, rbac.BalancesWrite},
	})...)
}

// NewSeatedPlayer signs in a player of an agent with a deposit, who launches the game.
func (h *House) NewSeatedPlayer(agent, name string, amount money.Amount) app.Caller {
	h.T.Helper()
	OK(h.Providers.ProviderSync().Sync(h.Ctx))(h.T)
	h.EnsureAgent(agent)
	who := h.NewPlayerOf(agent, name, amount)
	OK(h.Providers.Launch(h.Ctx, who, providers.LaunchRequest{GameCode: "bells", UserCode: string(who.Wallet)}))(h.T)
	return who
}

// Transact sends a provider's transaction.
func (h *House) Transact(who app.Caller, txn string, kind seamless.Kind, bet, win seamless.Decimal) kernel.ProviderResponse {
	h.T.Helper()
	return OK(h.Providers.ProviderTransact(h.Ctx, kernel.ProviderCall{
		UserCode: string(who.Wallet), TxnID: txn, Kind: string(kind), GameType: "slot", Provider: "SPIN", Game: "bells", Bet: bet, Win: win,
	}))(h.T)
}

// NewBranchAdmin gives a wallet the role of WithBranch, bound to an agent.
func (h *House) NewBranchAdmin(name, agent string) app.Caller {
	h.T.Helper()
	h.EnsureAgent(agent)
	return h.Founder(name, "branch", agent)
}
