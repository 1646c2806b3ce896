package sqlstore_test

import (
	"database/sql"
	"strconv"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
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

// TestNoBetTakesTheIDOfAnOpenRound places a bet under the id of another player's open round.
// Where tables are spread over machines only one's own are held against it.
func TestNoBetTakesTheIDOfAnOpenRound(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice, bob)
		open := w.commit(w.opens(alice, 10)).Change.Steps[0]
		item := w.playAs(open.ID, game.Dice(), bob, money.SOL, 10)
		item.Keys = []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}}
		if receipt, err := w.writer.Commit(t.Context(), item); err == nil {
			t.Errorf("the bet was placed: %+v", receipt)
		}
		w.audited("")
	})
}

// TestOpenRoundsAreReadable asks the view for a round as people would, as the service's role.
func TestOpenRoundsAreReadable(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice)
		open := w.commit(w.opens(alice, 10)).Change.Steps[0]
		var who wallet.Address
		var id, gameType, token, pair string
		var stake, exposure money.Amount
		err := w.beside().QueryRow(`SELECT id, wallet, game, token, pair_id, stake, exposure FROM readable_open_rounds`).
			Scan(&id, (*string)(&who), &gameType, &token, &pair, &stake, &exposure)
		if err != nil || id != open.ID || who != alice || gameType != "mines" || token != string(money.SOL) || pair != open.PairID ||
			stake != 10 || exposure != open.Exposure {
			t.Errorf("%s of %s: %s %s %s %d %d, %v", id, who, gameType, token, pair, stake, exposure, err)
		}
		w.commit(w.cashesOut(open))
		if err := w.beside().QueryRow(`SELECT id FROM readable_open_rounds`).Scan(&id); err != sql.ErrNoRows {
			t.Errorf("ended: %v", err)
		}
	})
}
