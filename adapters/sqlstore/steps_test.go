package sqlstore_test

import (
	"strconv"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// opens is an item that opens a round of mines.
func (w *world) opens(who wallet.Address, wager money.Amount) player.Item {
	return w.opensAs(w.id(), who, wager)
}

func (w *world) opensAs(id string, who wallet.Address, wager money.Amount) player.Item {
	at := w.now()
	opening, err := bet.NewOpening(game.Mines(), game.Value{}, wager)
	if err != nil {
		w.Fatal(err)
	}
	opening.ID, opening.Wallet, opening.Terms, opening.Bankroll, opening.At = id, who, terms(money.SOL), money.TotalOf(money.Max), at
	request := player.OpenRequest{Opening: opening, Voiding: w.voiding()}
	return player.Item{
		Wallet: who, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: opening.ID}},
		Needs: player.Needs{
			Tokens: []money.Token{money.SOL}, Draw: true, OpenRounds: true, Exposure: money.SOL, Game: opening.GameType(),
		},
		Decide: func(v player.View) (player.Change, error) { return player.OpenRound(v, request) },
	}
}

func (w *world) voiding() player.Voiding {
	return player.Voiding{Spare: w.spare(), ServerClientSeed: "of the server", AuditID: w.id()}
}

// opensTile is an item that opens a tile of a round of mines, cashesOut one that ends it.
func (w *world) opensTile(open bet.Open, tile int64) player.Item {
	return w.steps(open, game.Object(game.Member{Name: "type", Value: game.Text("open")}, game.Member{Name: "tile", Value: game.Int(tile)}))
}

func (w *world) cashesOut(open bet.Open) player.Item {
	return w.steps(open, game.Object(game.Member{Name: "type", Value: game.Text("cashOut")}))
}

func (w *world) steps(open bet.Open, action game.Value) player.Item {
	w.Helper()
	steps, err := open.Steps(game.Mines())
	if err != nil {
		w.Fatal(err)
	}
	request := player.StepRequest{RoundID: open.ID, Step: open.Step(), Action: action, Steps: steps, At: w.now(), Voiding: w.voiding()}
	return player.Item{
		Wallet: open.Wallet, At: request.At,
		Keys:   []player.UniqueKey{{Kind: player.StepKey, Scope: open.ID, ID: strconv.Itoa(open.Step()), Fingerprint: action.String()}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, Draw: true, OpenRounds: true, Game: open.GameType},
		Decide: func(v player.View) (player.Change, error) { return player.StepRound(v, request) },
	}
}
