package sharedcrash_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// TestARoundKeepsAllItsBets reads the bets of rounds in every state, beside bets on other rounds
// and rounds of crash/1: by them anyone computes the root of the closing commit.
func TestARoundKeepsAllItsBets(t *testing.T) {
	t.Parallel()
	h := open(t)
	players := make([]app.Caller, 105) // more than a page
	for i := range players {
		players[i] = h.NewPlayer(fmt.Sprint("player ", i), 10_000_000)
	}
	all := map[int64]int{}
	for number := range int64(3) {
		h.until(crash.Betting)
		count := len(players)
		if number != 1 {
			count = 3
		}
		for i := range count {
			who := players[i]
			h.bets(who, 500+int64(i), 150)
			if i < 3 {
				apptest.OK(h.Play.Play(h.Ctx, who, play.PlayRequest{GameType: "crash", Wager: 1_000, Token: apptest.SOL, Config: game.Value{}}))(t)
			}
		}
		all[number+1] = count
		h.hasBets(h.round(), count, 0)
		h.until(crash.Flying)
		h.hasBets(h.round(), count, 0)
		h.until(crash.Settled)
		h.hasBets(h.round(), count, count)
	}
	other := h.beside() // has read none of them
	for number, count := range all {
		_, r, err := other.Crash.Round(h.Ctx, "", number)
		if err != nil {
			t.Fatal(err)
		}
		other.hasBets(r, count, count)
		other.hasBets(r, count, count)
	}
}

// TestACancelledRoundKeepsItsBets cancels a round, as long after its bets as a network may stand
// still.
func TestACancelledRoundKeepsItsBets(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.until(crash.Betting)
	h.bets(h.NewPlayer("alice", 10_000_000), 100_000, 0)
	for h.round().Status == crash.Betting {
		h.step()
	}
	h.stepAfter(time.Hour)
	h.slots.PassEmpty(50)
	h.slots.Pass(fakes.ChainFinality + 1)
	h.until(crash.Cancelled)
	for range 10 {
		h.step()
	}
	_, r, err := h.Crash.Round(h.Ctx, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range h.hasBets(r, 1, 1) {
		if b.Result.Payout != 100_000 {
			t.Errorf("a cancelled bet was paid %d", b.Result.Payout)
		}
	}
}

// hasBets compares the bets on a round with their number, that of their results, and the closing
// commit.
func (h *house) hasBets(r crash.Round, count, results int) []sharedcrash.PublicBet {
	h.T.Helper()
	found := apptest.OK(h.Crash.RoundBets(h.Ctx, r))(h.T)
	var bets []crash.Bet
	for _, b := range found {
		if b.Result != nil {
			results--
		}
		bets = append(bets, crash.Bet{ID: b.ID, Token: b.Token, Wager: b.Wager, Auto: b.Auto})
	}
	if len(found) != count || results != 0 {
		h.T.Errorf("round %d, %s: %d bets, want %d; %d results too few", r.Number, r.Status, len(found), count, results)
	}
	if r.Closing != "" {
		again := crash.Round{Chain: r.Chain, Number: r.Number, Cap: r.Cap, Status: crash.Betting, Stopped: true, Above: r.Height - 2}
		if closed := apptest.OK(again.Close(crash.Rule{Delay: 2}, r.Height-2, bets))(h.T); closed.Closing != r.Closing || r.Bets() != count {
			h.T.Errorf("round %d: the bets give\n%s, the closing commit is\n%s", r.Number, closed.Closing, r.Closing)
		}
	}
	return found
}
