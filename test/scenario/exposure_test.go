package scenario_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// TestTwoInstancesOweWithinTheShare lets 200 players open the largest rounds concurrently on two
// instances over one database, while others bet as much as they may in one call: the debt from
// open rounds never exceeds the bankroll's share.
func TestTwoInstancesOweWithinTheShare(t *testing.T) {
	t.Parallel()
	for engine, open := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			const players, bettors, capital, funds, wager = 200, 8, 10_000_000, 8_000, 1_000
			h := newHouseOf(t, open, capital, money.Ratio{Num: 1, Den: 5})
			// Wagers in one call may increase the bankroll by this much.
			share := money.TotalOf(capital / 5).AddAmount(bettors * funds / 5)
			var all [players + bettors]app.Caller
			for i := range all {
				all[i] = h.player(fmt.Sprint("player ", i), "")
				h.fund(all[i], money.SOL, funds)
			}
			within := func() money.Total {
				owed, err := h.store.OpenExposure(h.Context(), money.SOL)
				if err != nil || owed.Cmp(share) > 0 {
					h.Errorf("%v may be owed, the share is %v: %v", owed, share, err)
				}
				return owed
			}
			var everybody sync.WaitGroup
			for i, who := range all {
				casino := []*app.Casino{h.Casino, h.other}[i%2]
				everybody.Go(func() {
					for range bet.OpenMax {
						err := h.opensOrBets(casino, who, i < bettors, wager)
						if err != nil && !fault.Is(err, fault.WagerOutOfRange) && !fault.Is(err, fault.InsufficientFunds) {
							h.Error(err)
						}
						within()
					}
				})
			}
			everybody.Wait()
			owed, _ := within().Amount()
			if half := money.Amount(capital / 10); owed < half {
				h.Errorf("%d may be owed, half of the share is %d", owed, half)
			}
			t.Logf("%d may be owed at the end, the share is %d", owed, capital/5)
			h.proved()
		})
	}
}

// opensOrBets places the largest bet in one call, or opens the largest round.
func (h *house) opensOrBets(casino *app.Casino, who app.Caller, bets bool, wager int64) error {
	if bets {
		_, err := casino.Play.Play(h.Context(), who, play.PlayRequest{
			GameType: "limbo", Wager: wager, Token: string(money.SOL), Config: game.Object(game.Member{Name: "target", Value: game.Int(1_000)}),
		})
		return err
	}
	_, err := casino.Rounds.OpenRound(h.Context(), who, play.PlayRequest{GameType: "mines", Wager: wager, Token: string(money.SOL)})
	return err
}
