package embedder_test

import (
	"encoding/json"
	"log/slog"
	"math/big"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

// tosses is an embedder's game that is played step by step: each toss doubles the round's worth,
// or ends it, and after the fifth it is cashed out.
type tosses struct{ game.OnlyStepped }

const tossesMax = 5

var (
	toss, cashOut = game.ActionOf("toss"), game.ActionOf("cashOut")
	tossesReturn  = big.NewRat(99, 100)
)

func (tosses) Type() string             { return "tosses" }
func (tosses) Rules() string            { return "tosses/1" }
func (tosses) Title() string            { return "Tosses" }
func (tosses) StepFields() []game.Field { return nil }
func (tosses) RTP() game.RTP {
	return game.RTP{Default: tossesReturn, Min: tossesReturn, Max: tossesReturn}
}
func (tosses) Begin(game.Value, money.Amount) (game.Steps, error) { return tosses{}, nil }
func (tosses) Config() game.Value                                 { return game.Object() }
func (tosses) MaxStake() money.Ratio                              { return money.Ratio{Num: 1, Den: 1} }
func (tosses) MaxMultiplier() money.Ratio                         { return tossesWorth(tossesMax) }
func (tosses) Abandon(game.State) game.Value                      { return cashOut }
func (tosses) Return() game.StepReturn {
	return game.StepReturn{Best: big.NewRat(99, 100), Least: big.NewRat(99, 100)}
}

func tossesWorth(heads int) money.Ratio { return money.Ratio{Num: 99 << heads, Den: 100} }

// At are the rules.
func (tosses) At(draws game.Draws, actions []game.Value) game.State {
	heads := 0
	for _, action := range actions {
		if action.Equal(cashOut) {
			return game.State{Shown: tossesShown(heads), Ended: true, Multiplier: tossesWorth(heads)}
		}
		if draws.Pick(2) == 1 {
			return game.State{Shown: tossesShown(heads), Ended: true}
		}
		heads++
	}
	if heads == tossesMax {
		return game.State{Shown: tossesShown(heads), Ended: true, Multiplier: tossesWorth(heads)}
	}
	return game.State{Shown: tossesShown(heads), Choices: []game.Offer{{Action: toss}, {Action: cashOut}}}
}

func tossesShown(heads int) game.Value {
	return game.Object(game.Member{Name: "heads", Value: game.Int(int64(heads))})
}

// Theory treats each toss as a separate bet.
func (tosses) Theory(actions []game.Value, _ game.Value) game.Theory {
	variance := new(big.Rat)
	for i := range slices.DeleteFunc(slices.Clone(actions), cashOut.Equal) {
		variance.Add(variance, big.NewRat(9801<<(2*i), 10_000))
	}
	return game.TheoryOf(tossesReturn, variance, money.Ratio{Num: 1, Den: 1})
}

// TestAGameOfYourOwnIsPlayedStepByStep checks the game by one line, lists it in the catalogue,
// plays it over HTTP, and verifies it by the code behind `casino verify` with the embedder's
// registry.
func TestAGameOfYourOwnIsPlayedStepByStep(t *testing.T) {
	t.Parallel()
	conformance.Streams(t, tosses{}, 500)
	must := func(err error) {
		t.Helper()
		noError(t, err)
	}
	games, err := game.NewRegistry(append(game.House(), tosses{})...)
	must(err)
	player := ownGamePlayer(t, games)

	offered, err := player.Games(t.Context())
	must(err)
	at := slices.IndexFunc(offered, func(g api.Game) bool { return g.GameType == "tosses" })
	if at < 0 || offered[at].Rules != "tosses/1" || offered[at].RTP.Default.Ratio != "99/100" || offered[at].Steps == nil {
		t.Fatalf("offered are %+v", offered)
	}

	seen := map[string]bool{}
	var ids []string
	for len(ids) < 40 {
		ended := tossOut(t, player, len(ids)%tossesMax+1)
		ids = append(ids, ended.ID)
		seen[string(ended.Multiplier)] = true
	}
	if len(seen) < 3 {
		t.Errorf("paid were %v", seen)
	}
	_, err = player.RotateSeed(t.Context(), api.RotateRequest{ClientSeed: "mine", IdempotencyKey: "rotated"})
	must(err)
	for _, id := range ids {
		kept, err := player.Round(t.Context(), id)
		must(err)
		text, err := json.Marshal(kept)
		must(err)
		verifiesOwn(t, games, player, text)
	}
}

// ownGamePlayer opens a casino with these games and signs in a player with money.
func ownGamePlayer(t *testing.T, games *game.Registry) *client.Client {
	t.Helper()
	terms, clock := fakes.Terms(), fakes.NewClock(fakes.Start)
	chain := fakes.NewChain(terms)
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: chain, Clock: clock, Entropy: fakes.NewEntropy(1), Logger: slog.New(slog.DiscardHandler),
		Sessions: fakes.NewSessions(clock, "own game", time.Hour), Games: games, Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
	})
	noError(t, err)
	noError(t, casino.Deposits.BeginWatch(t.Context()))
	casino.Began()
	many := limit.Rule{Max: 1 << 20, Window: time.Minute}
	handler, err := httpapi.New(casino, httpapi.Config{
		Limiter: fakes.NewLimiter(clock), Logger: slog.New(slog.DiscardHandler), Limits: httpapi.Limits{Login: many, Public: many, Verify: many, Writes: many},
	})
	noError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	player, session, err := client.New(server.URL+httpapi.BasePathDefault, nil).SignIn(t.Context(), fakes.Key("alice"), clock.Now())
	noError(t, err)
	if _, err := casino.Treasury.BookCapital(t.Context(), terms.Mint, 1_000_000_000_000, "capital"); err != nil {
		t.Fatal(err)
	}
	chain.Fund(wallet.Address(session.Wallet), terms.Mint, 1_000_000_000)
	paid := chain.Deposit(wallet.Address(session.Wallet), terms.Mint, 1_000_000_000)
	chain.Finalize()
	if _, err := player.Deposit(t.Context(), api.DepositRequest{Signature: paid, Token: string(terms.Mint)}); err != nil {
		t.Fatal(err)
	}
	return player
}

// tossOut opens a round and tosses this many times, or until it is lost, and cashes out.
func tossOut(t *testing.T, player *client.Client, times int) *api.Round {
	t.Helper()
	stands, err := player.OpenRound(t.Context(), api.PlayRequest{GameType: "tosses", Config: json.RawMessage(`{}`), Token: string(money.SOL), Wager: 10_000})
	for i := 0; err == nil && stands.Open != nil; i++ {
		action := `{"type":"toss"}`
		if i == times {
			action = `{"type":"cashOut"}`
		}
		stands, err = player.Step(t.Context(), stands.Open.ID, api.StepRequest{Step: stands.Open.Step, Action: json.RawMessage(action)})
	}
	noError(t, err)
	return stands.Ended
}

// verifiesOwn verifies a revealed round with its seeds, here and at the service, and one with
// another payout.
func verifiesOwn(t *testing.T, games *game.Registry, player *client.Client, text []byte) {
	t.Helper()
	round, err := verifier.ReadRound(text)
	noError(t, err)
	if differences, err := verifier.Compare(games, round); err != nil || len(differences) > 0 {
		t.Errorf("%s: %+v, %v", text, differences, err)
	}
	*round.Payout++
	if differences, err := verifier.Compare(games, round); err != nil || len(differences) != 1 || differences[0].Name != "payout" {
		t.Errorf("a unit more: %+v, %v", differences, err)
	}
	*round.Payout--
	wager, payout := int64(*round.Wager), int64(*round.Payout)
	answer, err := player.Verify(t.Context(), api.VerifyRequest{
		GameType: round.GameType, Rules: round.Rules, Config: json.RawMessage(round.Config), ServerSeed: *round.ServerSeed, ClientSeed: *round.ClientSeed,
		Nonce: *round.Nonce, Actions: json.RawMessage(round.Actions),
		Expected: &api.ExpectedRound{Outcome: json.RawMessage(round.Outcome), Wager: &wager, Payout: &payout},
	})
	if err != nil || answer.Matches == nil || !*answer.Matches {
		t.Errorf("%s: %+v, %v", text, answer, err)
	}
}
