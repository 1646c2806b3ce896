package app_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/payouts"
	appplay "github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// flip is a bet on one coin.
func flip(wager int64) appplay.PlayRequest {
	return appplay.PlayRequest{GameType: "coinflip", Wager: wager, Token: sol}
}

func keyed(r appplay.PlayRequest, key, fingerprint string) appplay.PlayRequest {
	r.Idempotency = app.Idempotency{Key: key, Fingerprint: fingerprint}
	return r
}

func TestPlaySettlesRoundAfterRound(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 100_000)
	balance, won, lost := money.Amount(100_000), 0, 0
	for nonce := range int64(20) {
		answer := ok(h.Play.Play(h.ctx, alice, flip(1_000)))(t)
		round := answer.Round
		balance += round.Payout - 1_000
		equal(t, "balance", answer.Balance, balance)
		equal(t, "balance with the round", round.Balance, balance)
		equal(t, "nonce", round.Nonce, nonce)
		equal(t, "rules", round.Rules, "coinflip/1")
		equal(t, "void", round.Void, false)
		switch round.Payout {
		case 1_980:
			won++
		case 0:
			lost++
		default:
			t.Fatalf("a coin paid %d for 1000", round.Payout)
		}
	}
	if won == 0 || lost == 0 {
		t.Fatalf("20 coins: %d won, %d lost", won, lost)
	}
	equal(t, "balance kept", h.balance("alice"), balance)
	h.solvent()
}

func TestPlayRefusalsStoreNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, old := h.player("alice", 50_000), string(closing.Mint)
	config := func(members ...game.Member) game.Value { return game.Object(members...) }
	long := config(game.Member{Name: "flips", Value: game.Int(20)})
	for _, bet := range []struct {
		name    string
		request appplay.PlayRequest
		kind    fault.Kind
		field   any
	}{
		{"unknown game", appplay.PlayRequest{GameType: "chess", Wager: -1, Token: "?"}, fault.InvalidGame, "gameType"},
		{"no wager", appplay.PlayRequest{GameType: "dice", Wager: 0, Token: "?"}, fault.Invalid, "wager"},
		{"negative wager", flip(-5), fault.Invalid, "wager"},
		{"no token", appplay.PlayRequest{GameType: "dice", Wager: 1}, fault.Invalid, "token"},
		{"unknown option", appplay.PlayRequest{GameType: "dice", Wager: 100, Token: sol, Config: config(game.Member{Name: "luck", Value: game.Int(1)})}, fault.Invalid, "config.luck"},
		{"unknown token", appplay.PlayRequest{GameType: "dice", Wager: 100, Token: string(fakes.Mint("other"))}, fault.TokenNotAccepted, nil},
		{"closing token", appplay.PlayRequest{GameType: "dice", Wager: 100, Token: old}, fault.TokenNotAccepted, nil},
		{"wager too small", flip(99), fault.WagerOutOfRange, "wager"},
		{"wager too large", flip(100_001), fault.WagerOutOfRange, "wager"},
		{"payout too large", appplay.PlayRequest{GameType: "coinflip", Wager: 1_000, Token: sol, Config: long}, fault.WagerOutOfRange, "wager"},
		{"not covered", flip(50_001), fault.InsufficientFunds, nil},
	} {
		h.unchanged(func() {
			err := no(h.Play.Play(h.ctx, alice, keyed(bet.request, "the one key", bet.name)))
			if !fault.Is(err, bet.kind) {
				t.Fatalf("%s: got %v, want kind %d", bet.name, err, bet.kind)
			}
			refused(t, err, bet.kind, "field", bet.field)
		})
	}
	equal(t, "nonce", ok(h.Play.Seed(h.ctx, alice))(t).Nonce, 0)
	// The key is unused: no refusal took it.
	equal(t, "replayed", ok(h.Play.Play(h.ctx, alice, keyed(flip(100), "the one key", "good")))(t).Replayed, false)
}

func TestPlayIsLimitedByTheBankroll(t *testing.T) {
	t.Parallel()
	h := bare(t)
	alice := h.player("alice", 50_000)
	refused(t, no(h.Play.Play(h.ctx, alice, flip(100))), fault.WagerOutOfRange)
	// A fifth of the bankroll covers 198 exactly at 990.
	for _, top := range []money.Amount{989, 1} {
		ok(h.Treasury.BookCapital(h.ctx, money.SOL, top, "top up "+string(rune('a'+top%7))))(t)
		h.clock.Advance(time.Second)
		_, err := h.Play.Play(h.ctx, alice, flip(100))
		if top == 989 {
			refused(t, err, fault.WagerOutOfRange)
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// A repeated request gets its first answer, whatever has changed since.
func TestAReplayReturnsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 1_000)
	request := keyed(flip(1_000), "bet 1", "print")
	first := ok(h.Play.Play(h.ctx, alice, request))(t)
	if first.Balance > 0 {
		ok(h.Payouts.Withdraw(h.ctx, alice, payouts.WithdrawalRequest{Amount: int64(first.Balance), Token: sol, Destination: string(alice.Wallet)}))(t)
	}
	equal(t, "balance", h.balance("alice"), 0)
	shut := solTerms
	shut.Closing = true
	later := h.remade(func(d *app.Deps) { d.Tokens = token.NewBook(shut) })
	for _, house := range []*house{h, later} {
		h.unchanged(func() {
			again := ok(house.Play.Play(h.ctx, alice, request))(t)
			equal(t, "replayed", again.Replayed, true)
			equal(t, "round", again.Round.ID, first.Round.ID)
			equal(t, "payout", again.Round.Payout, first.Round.Payout)
			equal(t, "balance then", again.Balance, first.Balance)
			refused(t, no(house.Play.Play(h.ctx, alice, keyed(flip(999), "bet 1", "another print"))), fault.IdempotencyConflict)
		})
	}
	refused(t, no(later.Play.Play(h.ctx, alice, keyed(flip(1_000), "bet 2", "print"))), fault.TokenNotAccepted)

	// Keys belong to the caller.
	bob := h.player("bob", 1_000)
	equal(t, "another's key", ok(h.Play.Play(h.ctx, bob, keyed(flip(1_000), "bet 1", "bob's")))(t).Replayed, false)
}

// asked counts how often the bankroll was read, and can fail.
type asked struct {
	Store
	times int
	err   error
}

func (a *asked) Bankroll(ctx context.Context, token money.Token) (money.Total, error) {
	a.times++
	if a.err != nil {
		return money.Total{}, a.err
	}
	return a.Store.Bankroll(ctx, token)
}

func TestBankrollIsAtMostASecondOld(t *testing.T) {
	t.Parallel()
	store := &asked{}
	h := open(t, func(d *app.Deps) { store.Store, d.Store = portsOf(*d), app.StoreOf(store) })
	alice := h.player("alice", 50_000)
	for _, step := range []struct {
		after time.Duration
		times int
	}{
		{0, 1}, {0, 1}, {time.Second - time.Nanosecond, 1}, {time.Nanosecond, 2}, {500 * time.Millisecond, 2},
		{time.Hour, 3},
		{-time.Minute, 4}, // the clock stepped back: the figure's age is unknown
		{time.Second - time.Nanosecond, 4},
	} {
		h.clock.Advance(step.after)
		ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
		equal(t, "reads", store.times, step.times)
	}
	h.clock.Advance(time.Second)
	store.err = fault.New(fault.Unavailable, "the store is unavailable")
	h.unchanged(func() { refused(t, no(h.Play.Play(h.ctx, alice, flip(100))), fault.Unavailable) })
}

// broken is a game whose draw does what the test says once there is a stake. Without
// one, which is how games are tried out before they are offered, it is sound.
type broken struct {
	game.Game
	play func(game.Draws) game.Result
}

func (broken) Type() string  { return "broken" }
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

// withBroken adds the broken game to the house's own.
func withBroken(t *testing.T, play func(game.Draws) game.Result) func(*app.Deps) {
	t.Helper()
	return func(d *app.Deps) {
		games, err := game.NewRegistry(append(game.Standard(), broken{game.Coinflip(), play})...)
		if err != nil {
			t.Fatal(err)
		}
		d.Games = games
	}
}

func TestABrokenGameGivesAVoidRound(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(game.Draws) game.Result{
		"panics":                func(game.Draws) game.Result { panic("out of cards") },
		"pays more than it may": func(game.Draws) game.Result { return game.Result{Multiplier: money.Ratio{Num: 2, Den: 1}} },
		"pays no number":        func(game.Draws) game.Result { return game.Result{Multiplier: money.Ratio{Num: 1}} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, withBroken(t, play))
			alice := h.player("alice", 10_000)
			before := ok(h.Play.Seed(h.ctx, alice))(t)
			ok(h.Play.Play(h.ctx, alice, flip(1_000)))(t)
			had := h.balance("alice")
			request := keyed(appplay.PlayRequest{GameType: "broken", Wager: 1_000, Token: sol}, "void", "print")

			answer := ok(h.Play.Play(h.ctx, alice, request))(t)
			equal(t, "void", answer.Round.Void, true)
			equal(t, "stake back", answer.Round.Payout, 1_000)
			equal(t, "balance", answer.Balance, had)
			equal(t, "pair", answer.Round.PairID, before.ID)
			equal(t, "nonce", answer.Round.Nonce, 1)

			revealed := ok(h.Play.SeedHistory(h.ctx, alice, ports.Page{Number: 1, Limit: 10}))(t).Pairs
			equal(t, "retired pairs", len(revealed), 1)
			equal(t, "revealed pair", revealed[0].ID, before.ID)
			equal(t, "its rounds", revealed[0].Rounds, 2)
			if err := revealed[0].Verify(); err != nil {
				t.Fatal(err)
			}
			records := h.records()
			last := records[len(records)-2]
			equal(t, "record", last.Action, audit.RoundVoided)
			equal(t, "its target", last.Target, answer.Round.ID)
			equal(t, "alarm", records[len(records)-1].Action, audit.AlarmRaised)
			raised := h.kept(ports.AlarmFilter{})
			if len(raised) != 1 || raised[0].Kind != alarm.RoundVoided || raised[0].About != answer.Round.ID {
				t.Errorf("alarms %+v", raised)
			}

			next := ok(h.Play.Play(h.ctx, alice, flip(1_000)))(t).Round
			equal(t, "next pair", next.Commitment, before.Next.Commitment)
			equal(t, "next nonce", next.Nonce, 0)

			// Repeating the request draws nothing and retires nothing.
			h.unchanged(func() { equal(t, "replayed", ok(h.Play.Play(h.ctx, alice, request))(t).Replayed, true) })
			if report := h.audited(); report.Recomputed != 1 || report.Rounds != 3 {
				t.Fatalf("audit: %+v", report)
			}
		})
	}
}

// TestAGameThatReturnsNothingLoses: a game may announce a loss by the zero Ratio.
func TestAGameThatReturnsNothingLoses(t *testing.T) {
	t.Parallel()
	lost := game.Object(game.Member{Name: "drawn", Value: game.Text("blank")})
	h := open(t, withBroken(t, func(game.Draws) game.Result { return game.Result{Outcome: lost} }))
	alice := h.player("alice", 10_000)
	answer := ok(h.Play.Play(h.ctx, alice, appplay.PlayRequest{GameType: "broken", Wager: 1_000, Token: sol}))(t)
	equal(t, "void", answer.Round.Void, false)
	equal(t, "payout", answer.Round.Payout, 0)
	equal(t, "multiplier", answer.Round.Multiplier, money.Ratio{Den: 1})
	equal(t, "outcome", answer.Round.Outcome.Equal(lost), true)
	equal(t, "balance", answer.Balance, 9_000)
	if report := h.audited(); report.Rounds != 1 {
		t.Fatalf("audit: %+v", report)
	}
}

// audited proves the whole ledger.
func (h *house) audited() appaudit.AuditReport {
	h.t.Helper()
	report := ok(appaudit.NewAuditor(h.store, h.Games, nil).Run(h.ctx))(h.t)
	if err := report.Err(); err != nil {
		h.t.Fatalf("%v:\n%s", err, strings.Join(report.Findings, "\n"))
	}
	return report
}

func TestAnyoneCanVerifyARound(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	round := ok(h.Play.Play(h.ctx, alice, appplay.PlayRequest{GameType: "dice", Wager: 1_000, Token: sol}))(t).Round
	seed := ok(h.Play.Rotate(h.ctx, alice, appplay.RotateRequest{}))(t).Revealed.ServerSeed
	result, commitment, err := h.VerifyRound(game.RoundInputs{
		GameType: "dice", Config: round.Config, ServerSeed: seed, ClientSeed: round.ClientSeed, Nonce: round.Nonce,
	})
	if err != nil || commitment != round.Commitment || !result.Outcome.Equal(round.Outcome) {
		t.Fatalf("%v, %s, %v", result, commitment, err)
	}
}

func TestPlayersPlayAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	const players, rounds = 8, 25
	who := make([]app.Caller, players)
	for i := range who {
		who[i] = h.player("player "+string(rune('a'+i)), 10_000)
	}
	var everybody sync.WaitGroup
	faults := make(chan error, players*rounds)
	for _, one := range who {
		everybody.Go(func() {
			for range rounds {
				if _, err := h.Play.Play(h.ctx, one, flip(100)); err != nil {
					faults <- err
				}
			}
		})
	}
	everybody.Wait()
	close(faults)
	for err := range faults {
		t.Error(err)
	}
	equal(t, "rounds", h.audited().Rounds, players*rounds)
	h.solvent()
}
