package play_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/payouts"
	appplay "github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestPlaySettlesRoundAfterRound(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice := h.NewPlayer("alice", 100_000)
	balance, won, lost := money.Amount(100_000), 0, 0
	for nonce := range int64(20) {
		answer := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(1_000)))(t)
		round := answer.Round
		balance += round.Payout - 1_000
		apptest.Equal(t, "balance", answer.Balance, balance)
		apptest.Equal(t, "balance with the round", round.Balance, balance)
		apptest.Equal(t, "nonce", round.Nonce, nonce)
		apptest.Equal(t, "rules", round.Rules, "coinflip/1")
		apptest.Equal(t, "void", round.Void, false)
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
	apptest.Equal(t, "balance kept", h.Balance("alice"), balance)
	h.CheckSolvent()
}

// TestABetNamesThePairThatItExpects: with another pair or nonce nothing is drawn, and a
// repeated request has its first answer whatever the pair is by then.
func TestABetNamesThePairThatItExpects(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice := h.NewPlayer("alice", 100_000)
	seed := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	expecting := func(commitment string, nonce int64) appplay.PlayRequest {
		r := apptest.Flip(1_000)
		r.Expected = bet.Expected{Commitment: commitment, Nonce: &nonce}
		return r
	}
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, expecting(seed.Next.Commitment, 0))), fault.InvalidState, "field", "expectedServerSeedHash", "status", "rotated")
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, expecting(seed.Commitment, 1))), fault.InvalidState, "field", "expectedNonce", "status", "played")
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, expecting("", 1))), fault.InvalidState, "field", "expectedNonce")
	})
	request := apptest.Keyed(expecting(seed.Commitment, 0), "k", "p")
	first := apptest.OK(h.Play.Play(h.Ctx, alice, request))(t)
	apptest.Equal(t, "nonce", first.Round.Nonce, 0)
	apptest.OK(h.Play.Play(h.Ctx, alice, expecting(seed.Commitment, 1)))(t)
	again := apptest.OK(h.Play.Play(h.Ctx, alice, request))(t)
	apptest.Equal(t, "replayed", again.Replayed, true)
	apptest.Equal(t, "round", again.Round.ID, first.Round.ID)
	apptest.OK(h.Play.Rotate(h.Ctx, alice, appplay.RotateRequest{}))(t)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, expecting(seed.Commitment, 2))), fault.InvalidState, "field", "expectedServerSeedHash")
	})
	apptest.OK(h.Play.Play(h.Ctx, alice, expecting(seed.Next.Commitment, 0)))(t)
}

func TestPlayRefusalsStoreNothing(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice, old := h.NewPlayer("alice", 50_000), string(apptest.ClosingTerms.Mint)
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
		{"negative wager", apptest.Flip(-5), fault.Invalid, "wager"},
		{"no token", appplay.PlayRequest{GameType: "dice", Wager: 1}, fault.Invalid, "token"},
		{"unknown option", appplay.PlayRequest{GameType: "dice", Wager: 100, Token: apptest.SOL, Config: config(game.Member{Name: "luck", Value: game.Int(1)})}, fault.Invalid, "config.luck"},
		{"unknown token", appplay.PlayRequest{GameType: "dice", Wager: 100, Token: string(fakes.Mint("other"))}, fault.TokenNotAccepted, nil},
		{"closing token", appplay.PlayRequest{GameType: "dice", Wager: 100, Token: old}, fault.TokenNotAccepted, nil},
		{"wager too small", apptest.Flip(99), fault.WagerOutOfRange, "wager"},
		{"wager too large", apptest.Flip(100_001), fault.WagerOutOfRange, "wager"},
		{"payout too large", appplay.PlayRequest{GameType: "coinflip", Wager: 1_000, Token: apptest.SOL, Config: long}, fault.WagerOutOfRange, "wager"},
		{"not covered", apptest.Flip(50_001), fault.InsufficientFunds, nil},
	} {
		h.CheckUnchanged(func() {
			err := apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Keyed(bet.request, "the one key", bet.name)))
			if !fault.Is(err, bet.kind) {
				t.Fatalf("%s: got %v, want kind %d", bet.name, err, bet.kind)
			}
			apptest.Refused(t, err, bet.kind, "field", bet.field)
		})
	}
	apptest.Equal(t, "nonce", apptest.OK(h.Play.Seed(h.Ctx, alice))(t).Nonce, 0)
	// The key is unused: no refusal took it.
	apptest.Equal(t, "replayed", apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Keyed(apptest.Flip(100), "the one key", "good")))(t).Replayed, false)
}

// TestRefusalsHaveTheirAmounts checks the details that a page shows in the token's own unit.
func TestRefusalsHaveTheirAmounts(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice := h.NewPlayer("alice", 50_000)
	long := apptest.Flip(1_000)
	long.Config = game.Object(game.Member{Name: "flips", Value: game.Int(20)})
	refused := func(err error, kind fault.Kind, amounts ...any) {
		t.Helper()
		apptest.Refused(t, err, kind, append(amounts, "token", apptest.SOL)...)
	}
	for _, wager := range []int64{99, 100_001} {
		refused(apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Flip(wager))), fault.WagerOutOfRange, "min", int64(100), "max", int64(100_000))
	}
	refused(apptest.ErrorOf(h.Play.Play(h.Ctx, alice, long)), fault.WagerOutOfRange, "maxPayout", int64(1_000_000), "min", nil)
	refused(apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Flip(50_001))), fault.InsufficientFunds, "balance", int64(50_000))
	refused(apptest.ErrorOf(h.Payouts.Withdraw(h.Ctx, alice, apptest.RequestOf(alice, 50_001))), fault.InsufficientFunds, "balance", int64(50_000), "fee", int64(0))
	refused(apptest.ErrorOf(h.Payouts.Withdraw(h.Ctx, alice, apptest.RequestOf(alice, 999))), fault.AmountOutOfRange, "min", int64(1_000), "max", int64(1_000_000))
	refused(deposit.CheckAmount(999, apptest.SOLTerms), fault.AmountOutOfRange, "min", int64(1_000))
	open := apptest.OpenWithLadder(t)
	bob := open.NewPlayer("bob", 50_000)
	refused(apptest.ErrorOf(open.Rounds.OpenRound(open.Ctx, bob, apptest.Climb(99))), fault.WagerOutOfRange, "min", int64(100), "max", int64(100_000))
}

func TestPlayIsLimitedByTheBankroll(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	alice := h.NewPlayer("alice", 50_000)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Flip(100))), fault.WagerOutOfRange)
	// A fifth of the bankroll covers 198 exactly at 990.
	for _, top := range []money.Amount{989, 1} {
		apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, top, "top up "+string(rune('a'+top%7))))(t)
		h.Clock.Advance(time.Second)
		_, err := h.Play.Play(h.Ctx, alice, apptest.Flip(100))
		if top == 989 {
			apptest.Refused(t, err, fault.WagerOutOfRange)
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// A repeated request gets its first answer, whatever changed since.
func TestAReplayReturnsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice := h.NewPlayer("alice", 1_000)
	request := apptest.Keyed(apptest.Flip(1_000), "bet 1", "print")
	first := apptest.OK(h.Play.Play(h.Ctx, alice, request))(t)
	if first.Balance > 0 {
		apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, payouts.WithdrawalRequest{Amount: int64(first.Balance), Token: apptest.SOL, Destination: string(alice.Wallet)}))(t)
	}
	apptest.Equal(t, "balance", h.Balance("alice"), 0)
	shut := apptest.SOLTerms
	shut.Closing = true
	later := h.Remade(func(d *app.Deps) { d.Tokens = token.NewBook(shut) })
	for _, house := range []*apptest.House{h, later} {
		h.CheckUnchanged(func() {
			again := apptest.OK(house.Play.Play(h.Ctx, alice, request))(t)
			apptest.Equal(t, "replayed", again.Replayed, true)
			apptest.Equal(t, "round", again.Round.ID, first.Round.ID)
			apptest.Equal(t, "payout", again.Round.Payout, first.Round.Payout)
			apptest.Equal(t, "balance then", again.Balance, first.Balance)
			apptest.Refused(t, apptest.ErrorOf(house.Play.Play(h.Ctx, alice, apptest.Keyed(apptest.Flip(999), "bet 1", "another print"))), fault.IdempotencyConflict)
		})
	}
	apptest.Refused(t, apptest.ErrorOf(later.Play.Play(h.Ctx, alice, apptest.Keyed(apptest.Flip(1_000), "bet 2", "print"))), fault.TokenNotAccepted)

	// Keys belong to the caller.
	bob := h.NewPlayer("bob", 1_000)
	apptest.Equal(t, "another's key", apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Keyed(apptest.Flip(1_000), "bet 1", "bob's")))(t).Replayed, false)
}

// asked counts how often the bankroll was read, and can fail.
type asked struct {
	apptest.Store
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
	h := apptest.Open(t, func(d *app.Deps) { store.Store, d.Store = apptest.PortsOf(*d), app.StoreOf(store) })
	alice := h.NewPlayer("alice", 50_000)
	for _, step := range []struct {
		after time.Duration
		times int
	}{
		{0, 1}, {0, 1}, {time.Second - time.Nanosecond, 1}, {time.Nanosecond, 2}, {500 * time.Millisecond, 2},
		{time.Hour, 3},
		{-time.Minute, 4}, // the clock stepped back: the figure's age is unknown
		{time.Second - time.Nanosecond, 4},
	} {
		h.Clock.Advance(step.after)
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
		apptest.Equal(t, "reads", store.times, step.times)
	}
	h.Clock.Advance(time.Second)
	store.err = fault.New(fault.Unavailable, "the store is unavailable")
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Flip(100))), fault.Unavailable)
	})
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
			h := apptest.Open(t, apptest.WithBroken(t, play))
			alice := h.NewPlayer("alice", 10_000)
			before := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
			apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(1_000)))(t)
			had := h.Balance("alice")
			request := apptest.Keyed(appplay.PlayRequest{GameType: "broken", Wager: 1_000, Token: apptest.SOL}, "void", "print")

			answer := apptest.OK(h.Play.Play(h.Ctx, alice, request))(t)
			apptest.Equal(t, "void", answer.Round.Void, true)
			apptest.Equal(t, "stake back", answer.Round.Payout, 1_000)
			apptest.Equal(t, "balance", answer.Balance, had)
			apptest.Equal(t, "pair", answer.Round.PairID, before.ID)
			apptest.Equal(t, "nonce", answer.Round.Nonce, 1)

			revealed := apptest.OK(h.Play.SeedHistory(h.Ctx, alice, ports.Page{Number: 1, Limit: 10}))(t).Pairs
			apptest.Equal(t, "retired pairs", len(revealed), 1)
			apptest.Equal(t, "revealed pair", revealed[0].ID, before.ID)
			apptest.Equal(t, "its rounds", revealed[0].Rounds, 2)
			if err := revealed[0].Verify(); err != nil {
				t.Fatal(err)
			}
			records := h.AuditRecords()
			last := records[len(records)-2]
			apptest.Equal(t, "record", last.Action, audit.RoundVoided)
			apptest.Equal(t, "its target", last.Target, answer.Round.ID)
			apptest.Equal(t, "alarm", records[len(records)-1].Action, audit.AlarmRaised)
			raised := h.StoredAlarms(ports.AlarmFilter{})
			if len(raised) != 1 || raised[0].Kind != alarm.RoundVoided || raised[0].About != answer.Round.ID {
				t.Errorf("alarms %+v", raised)
			}

			next := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(1_000)))(t).Round
			apptest.Equal(t, "next pair", next.Commitment, before.Next.Commitment)
			apptest.Equal(t, "next nonce", next.Nonce, 0)

			// Repeating the request draws nothing and retires nothing.
			h.CheckUnchanged(func() { apptest.Equal(t, "replayed", apptest.OK(h.Play.Play(h.Ctx, alice, request))(t).Replayed, true) })
			if report := h.CheckAudit(); report.Recomputed != 1 || report.Rounds != 3 {
				t.Fatalf("audit: %+v", report)
			}
		})
	}
}

// TestAGameThatReturnsNothingLoses: a game may announce a loss by the zero Ratio.
func TestAGameThatReturnsNothingLoses(t *testing.T) {
	t.Parallel()
	lost := game.Object(game.Member{Name: "drawn", Value: game.Text("blank")})
	h := apptest.Open(t, apptest.WithBroken(t, func(game.Draws) game.Result { return game.Result{Outcome: lost} }))
	alice := h.NewPlayer("alice", 10_000)
	answer := apptest.OK(h.Play.Play(h.Ctx, alice, appplay.PlayRequest{GameType: "broken", Wager: 1_000, Token: apptest.SOL}))(t)
	apptest.Equal(t, "void", answer.Round.Void, false)
	apptest.Equal(t, "payout", answer.Round.Payout, 0)
	apptest.Equal(t, "multiplier", answer.Round.Multiplier, money.Ratio{Den: 1})
	apptest.Equal(t, "outcome", answer.Round.Outcome.Equal(lost), true)
	apptest.Equal(t, "balance", answer.Balance, 9_000)
	if report := h.CheckAudit(); report.Rounds != 1 {
		t.Fatalf("audit: %+v", report)
	}
}

func TestAnyoneCanVerifyARound(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice := h.NewPlayer("alice", 10_000)
	round := apptest.OK(h.Play.Play(h.Ctx, alice, appplay.PlayRequest{GameType: "dice", Wager: 1_000, Token: apptest.SOL}))(t).Round
	seed := apptest.OK(h.Play.Rotate(h.Ctx, alice, appplay.RotateRequest{}))(t).Revealed.ServerSeed
	result, commitment, err := h.VerifyRound(game.RoundInputs{
		GameType: "dice", Config: round.Config, ServerSeed: seed, ClientSeed: round.ClientSeed, Nonce: round.Nonce,
	})
	if err != nil || commitment != round.Commitment || !result.Outcome.Equal(round.Outcome) {
		t.Fatalf("%v, %s, %v", result, commitment, err)
	}
}

func TestPlayersPlayAtOnce(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	const players, rounds = 8, 25
	who := make([]app.Caller, players)
	for i := range who {
		who[i] = h.NewPlayer("player "+string(rune('a'+i)), 10_000)
	}
	var everybody sync.WaitGroup
	faults := make(chan error, players*rounds)
	for _, one := range who {
		everybody.Go(func() {
			for range rounds {
				if _, err := h.Play.Play(h.Ctx, one, apptest.Flip(100)); err != nil {
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
	apptest.Equal(t, "rounds", h.CheckAudit().Rounds, players*rounds)
	h.CheckSolvent()
}
