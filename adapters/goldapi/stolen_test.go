package goldapi_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// TestAStolenSecretWinsNoMoreThanTheCap has a thief with the connection's secret credit
// five of their own wallets within a second, each below a player's cap, while another
// player bets.
func TestAStolenSecretWinsNoMoreThanTheCap(t *testing.T) {
	t.Parallel()
	for name, newStore := range map[string]func(*testing.T) Store{"memory": inMemory, "SQLite": onSQLite} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const limit, perWallet, bet, before = 12_000_000, 5_001_000_000, 1_000_000, 10_000_000
			h := open(t, newStore, player.ProviderCaps{NetWin: perWallet, WithoutDebit: perWallet, Connection: limit}, nil)
			honest := h.enter("honest", before).launch()
			if got := h.post(callback(string(honest.address), "bet", "debit", "1", "0")); got.Status != 1 {
				t.Fatalf("a bet: %+v", got)
			}
			var at sync.WaitGroup
			stolen := make([]guest, 5)
			for i := range stolen {
				stolen[i] = h.enter(fmt.Sprint("thief ", i), 0).launch()
			}
			for i := range stolen {
				for n := range 8 {
					txn, kind, bet := fmt.Sprint("stolen-", i, "-", n), []string{"credit", "debit_credit"}[n%2], "0"
					at.Go(func() {
						if got := h.post(callback(string(stolen[i].address), txn, kind, bet, "0.9")); got.Status != 1 {
							t.Errorf("%s is refused, and the provider's books have it: %+v", txn, got)
						}
					})
				}
			}
			at.Wait()
			var taken int64
			for i := range stolen {
				taken += int64(stolen[i].balance())
			}
			if taken > limit+bet || taken < limit+bet-900_000 {
				t.Errorf("the thief has %d of a cap of %d and a bet of %d", taken, int64(limit), int64(bet))
			}
			// The provider's books match: each message gets the same answer again.
			first := h.post(callback(string(stolen[0].address), "stolen-0-0", "credit", "0", "0.9"))
			if again := h.post(callback(string(stolen[0].address), "stolen-0-0", "credit", "0", "0.9")); again != first || first.Status != 1 {
				t.Errorf("answered %+v and then %+v", first, again)
			}
			// A bet is taken as before, and a player's win waits with the others'.
			if got := h.post(callback(string(honest.address), "bet-2", "debit", "0.5", "0")); got.Status != 1 || honest.balance() != before-bet-500_000 {
				t.Errorf("a bet afterwards: %+v", got)
			}
			if got := h.post(callback(string(honest.address), "bet", "credit", "0", "2")); got.Status != 1 || honest.balance() != before-bet-500_000 {
				t.Errorf("a win afterwards: %+v", got)
			}
			waiting, err := h.store.SeamlessTransactions(t.Context(), ports.SeamlessFilter{Open: true}, ports.Page{Number: 1, Limit: 100})
			must(t, err)
			var wait int64
			for _, w := range waiting.Transactions {
				wait += int64(w.Win)
				if w.Reason != seamless.OverConnectionCap {
					t.Errorf("%s waits because of %s", w.TxnID, w.Reason)
				}
			}
			if want := 40*int64(900_000) - taken + 2_000_000; wait != want {
				t.Errorf("%d wait, want %d", wait, want)
			}
			log := h.log.String()
			if n := strings.Count(log, alarm.ProviderCapped.Message()); n != 1 || !strings.Contains(log, "connection=goldapi") {
				t.Errorf("%d alarms", n)
			}
		})
	}
}
