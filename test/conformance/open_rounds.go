package conformance

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// OpenRounds is the suite of ports.OpenRounds, and of what ports.Writer does with rounds
// that are played step by step.
func OpenRounds(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, openRoundsFoundCases, openRoundsStepsCases, listsClockCases, openRoundsBesideCases, openRoundsClosingCases)
}

// ladderWith is a config of a ladder.
func ladderWith(members ...game.Member) game.Value { return game.Object(members...) }

func rungs(n int64) game.Member { return game.Member{Name: "rungs", Value: game.Int(n)} }

var doubles = game.Member{Name: "doubles", Value: game.Bool(true)}

// opens is an item that opens a ladder.
func (b *bench) opens(w wallet.Address, wager money.Amount, config game.Value) player.Item {
	return b.opensIn(w, terms(money.SOL).Mint, wager, config, money.TotalOf(money.Max))
}

func (b *bench) opensIn(w wallet.Address, mint money.Token, wager money.Amount, config game.Value, bankroll money.Total) player.Item {
	at := b.now()
	opening := must(bet.NewOpening(fakes.Ladder(), config, wager))(b)
	opening.ID, opening.Wallet, opening.Terms, opening.Bankroll, opening.At = b.id(), w, terms(mint), bankroll, at
	request := player.OpenRequest{Opening: opening, Voiding: b.voiding()}
	return player.Item{
		Wallet: w, At: at,
		Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: opening.ID}},
		Needs:  player.Needs{Tokens: []money.Token{mint}, Pair: true, OpenRounds: true, Exposure: mint, Game: opening.GameType()},
		Decide: func(v player.View) (player.Change, error) { return player.OpenRound(v, request) },
	}
}

func (b *bench) voiding() player.Voiding {
	return player.Voiding{Spare: b.spare(), ServerClientSeed: "of the server", AuditID: b.id()}
}

func (b *bench) stepRequest(open bet.Open, action game.Value) player.StepRequest {
	return player.StepRequest{
		RoundID: open.ID, Step: open.Step(), Action: action, Steps: must(open.Steps(fakes.Ladder()))(b), At: b.now(), Voiding: b.voiding(),
	}
}

// steps is an item of an action in an open round.
func (b *bench) steps(open bet.Open, action game.Value) player.Item {
	request := b.stepRequest(open, action)
	return player.Item{
		Wallet: open.Wallet, At: request.At,
		Keys: []player.UniqueKey{{
			Kind: player.StepKey, Scope: open.ID, ID: text(open.Step()), Fingerprint: action.String(),
		}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, Pair: true, OpenRounds: true, Game: open.GameType},
		Decide: func(v player.View) (player.Change, error) { return player.StepRound(v, request) },
	}
}

// abandons is an item that ends a round nobody touched since a moment.
func (b *bench) abandons(open bet.Open, since time.Time) player.Item {
	request := b.stepRequest(open, game.Value{})
	return player.Item{
		Wallet: open.Wallet, At: request.At, Source: player.FromWorker,
		Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, Pair: true, OpenRounds: true},
		Decide: func(v player.View) (player.Change, error) { return player.AbandonRound(v, request, since) },
	}
}

// opened opens a ladder and returns how it stands.
func (b *bench) opened(w wallet.Address, wager money.Amount, members ...game.Member) bet.Open {
	b.Helper()
	change := b.commit(b.opens(w, wager, ladderWith(members...))).Change
	if len(change.Steps) != 1 || change.Round != nil {
		b.Fatalf("opened as %+v", change)
	}
	return change.Steps[0]
}
