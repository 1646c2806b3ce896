package scenario_test

import (
	"fmt"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	approunds "github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// spend is a request that takes the whole balance and returns what it pays back at once.
type spend func(*house, *app.Casino, app.Caller) (money.Amount, error)

const spendersFunds, spendsEach = 100, 50

// bets is a bet that wins one time in 10,000.
func bets(h *house, casino *app.Casino, who app.Caller) (money.Amount, error) {
	played, err := casino.Play.Play(h.Context(), who, play.PlayRequest{
		GameType: "limbo", Wager: spendersFunds, Token: string(money.SOL), Config: game.Object(game.Member{Name: "target", Value: game.Int(10_000)}),
	})
	return played.Round.Payout, err
}

// opens opens a round, which keeps the stake until it ends. A lane that was taken just now has no
// room for open rounds until the others count it.
func opens(h *house, casino *app.Casino, who app.Caller) (paid money.Amount, err error) {
	for range 100 {
		_, err = casino.Rounds.OpenRound(h.Context(), who, play.PlayRequest{GameType: "ladder", Wager: spendersFunds, Token: string(money.SOL)})
		if !fault.Is(err, fault.WagerOutOfRange) {
			break
		}
	}
	return 0, err
}

// TestTwoInstancesSpendABalanceOnce lets two requests for the whole balance meet on two instances
// of the service over one database, many times: one takes it and the other is refused as not
// covered.
func TestTwoInstancesSpendABalanceOnce(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]spend{"bet and bet": {bets, bets}, "bet and opening": {bets, opens}, "opening and opening": {opens, opens}} {
		for engine, open := range engines {
			t.Run(name+" on "+engine, func(t *testing.T) {
				t.Parallel()
				h := newHouse(t, open)
				for n := range spendsEach {
					h.spendsOnce(h.player(fmt.Sprint("spender ", n), ""), pair)
				}
				h.proved()
			})
		}
	}
}

// spendsOnce lets the pair meet on a balance that covers one of them. The second may be covered
// only by what the first won.
func (h *house) spendsOnce(who app.Caller, pair [2]spend) {
	h.Helper()
	h.fund(who, money.SOL, spendersFunds)
	var paid [2]money.Amount
	takes := func(i int) func(*app.Casino) error {
		return func(casino *app.Casino) (err error) {
			paid[i], err = pair[i](h, casino, who)
			return err
		}
	}
	taken, left := 0, money.Amount(spendersFunds)
	for i, err := range h.meet(takes(0), takes(1)) {
		if err != nil && !fault.Is(err, fault.InsufficientFunds) {
			h.Fatal(err)
		}
		if err == nil {
			taken++
			left += paid[i] - spendersFunds
		}
	}
	if balance := h.balanceOf(who); taken == 0 || taken == 2 && paid[0]+paid[1] == 0 || balance != int64(left) {
		h.Fatalf("%d requests took the balance of one, %d are left, want %d", taken, balance, left)
	}
	h.cashOut(who)
}

// cashOut ends the player's open rounds.
func (h *house) cashOut(who app.Caller) {
	h.Helper()
	rounds, err := h.Play.OpenRounds(h.Context(), who)
	h.must(err)
	for _, open := range rounds {
		_, err := h.other.Rounds.Step(h.Context(), who, approunds.StepRequest{
			RoundID: open.ID, Step: int64(open.Step()), Action: fakes.CashOut, Fingerprint: fakes.CashOut.String(),
		})
		h.must(err)
	}
}
