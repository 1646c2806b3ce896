package sqlstore_test

import (
	"errors"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// cashes is an item that ends a round of mines.
func (w *world) cashes(open bet.Open) player.Item {
	w.Helper()
	steps, err := open.Steps(game.Mines())
	if err != nil {
		w.Fatal(err)
	}
	request := player.StepRequest{
		RoundID: open.ID, Step: open.Step(), Action: game.ActionOf("cashOut"), Steps: steps, At: w.now(),
		Voiding: player.Voiding{Spare: w.spare(), ServerClientSeed: "of the server", AuditID: w.id()},
	}
	return player.Item{
		Wallet: open.Wallet, At: request.At, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, Draw: true, OpenRounds: true, Game: open.GameType},
		Decide: func(v player.View) (player.Change, error) { return player.StepRound(v, request) },
	}
}

// TestPairsCloseInTheMiddleOfABatch: one that was active before it, one that was next, and
// one that nobody had seen before; then each is revealed with its round. The tables take
// nothing more from a closing pair, and don't let it go back.
func TestPairsCloseInTheMiddleOfABatch(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(10_000, w.login(alice), w.login(bob))
		breaks := func() player.Item { return w.playOf(brokenDice{game.Dice()}, alice, money.SOL, 10) }
		receipts, errs := w.together(w.opens(alice, 10), breaks(), w.opens(alice, 10), w.play(bob, 10), breaks(), w.opens(alice, 10), breaks(), w.play(alice, 10))
		if errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		var open []bet.Open
		for i, at := range []int{0, 2, 5} {
			open = append(open, receipts[at].Change.Steps[0])
			if void := receipts[[]int{1, 4, 6}[i]].Change; void.Closing == nil || void.Closing.ID != open[i].PairID || void.Closing.Nonce != 2 {
				t.Errorf("%d: %+v closes", i, void.Closing)
			}
		}
		if n := w.number("SELECT count(*) FROM seed_pairs WHERE state = 'closing' AND sealed IS NOT NULL AND revealed IS NULL AND nonce = 2"); n != 3 {
			t.Errorf("%d pairs are closing", n)
		}
		for what, text := range map[string]string{
			"a nonce of a closing pair":         "UPDATE seed_pairs SET nonce = nonce + 1, was = nonce WHERE state = 'closing'",
			"a nonce with its reveal":           "UPDATE seed_pairs SET nonce = nonce + 1, was = nonce, state = 'retired', revealed = 'x', sealed = NULL WHERE state = 'closing'",
			"another client seed":               "UPDATE seed_pairs SET client_seed = 'x', was = nonce, state = 'retired', revealed = 'x', sealed = NULL WHERE state = 'closing'",
			"a closing pair that is next again": "UPDATE seed_pairs SET state = 'next', was = nonce WHERE state = 'closing'",
			"one that stays as it is":           "UPDATE seed_pairs SET was = nonce WHERE state = 'closing'",
			"one that is active again": "UPDATE seed_pairs SET state = 'active', was = nonce WHERE state = 'closing' AND id = (SELECT p.id FROM seed_pairs AS p " +
				"WHERE p.state = 'closing' ORDER BY p.id LIMIT 1)",
		} {
			if _, err := w.beside().Exec(on.query(text)); err == nil {
				t.Errorf("the tables take %s", what)
			}
		}
		receipts, errs = w.together(w.cashes(open[2]), w.play(bob, 10), w.cashes(open[0]), w.cashes(open[1]))
		if errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		for i, at := range []int{2, 3, 0} {
			if closed := receipts[at].Change.Closed; closed == nil || closed.ID != open[i].PairID || closed.Rounds != 2 || closed.Verify() != nil {
				t.Errorf("%d: revealed %+v", i, closed)
			}
		}
		if closing, retired := w.number("SELECT count(*) FROM seed_pairs WHERE state = 'closing'"), w.number("SELECT count(*) FROM seed_pairs WHERE state = 'retired'"); closing != 0 || retired != 3 {
			t.Errorf("%d pairs are closing, %d retired", closing, retired)
		}
		w.audited("")
	})
}
