package sqlstore_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// TestHoursAreThoseOfTheDatabase gives an instance a clock months off the database's, and moves
// it by an hour in both directions: no hourly cap begins anew.
func TestHoursAreThoseOfTheDatabase(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.commit(w.login(alice))
		w.commit(w.login(bob))
		for began := time.Now(); ; began = time.Now() { // once more if an hour ends meanwhile
			won := w.wonAtClocks(-time.Hour, 2*time.Hour, -time.Hour)
			if time.Now().Truncate(time.Hour).Equal(began.Truncate(time.Hour)) {
				if won > 3_000 {
					t.Errorf("wins of %d are within a cap of 3,000", won)
				}
				break
			}
		}
		w.founders()
		first := w.approved(alice, 600)
		second := w.approved(bob, 400)
		if _, err := w.signs(first); err != nil {
			t.Fatal(err)
		}
		for _, off := range []time.Duration{-time.Hour, 3 * time.Hour, 24 * time.Hour} {
			w.clock.Advance(off)
			if _, err := w.signs(second); !fault.Is(err, fault.AmountOutOfRange) {
				t.Errorf("signed above the cap of an hour with a clock that moved by %v: %v", off, err)
			}
			state, err := w.store.PayoutState(t.Context(), w.payoutQuery(second))
			if err != nil || state.Signed != money.TotalOf(600) {
				t.Errorf("signed within the hour: %v, %v", state.Signed, err)
			}
		}
		w.store.Follow(fakes.NewClock(time.Now().Add(withdrawal.CapWindow + time.Second)))
		if _, err := w.signs(second); err != nil {
			t.Errorf("an hour later by the database's clock: %v", err)
		}
	})
}

// wonAtClocks lets two players win in turns, moving an instance's clock by each of the durations
// before the next win, and returns their wins minus their bets.
func (w *world) wonAtClocks(moves ...time.Duration) (net int64) {
	w.Helper()
	for _, who := range []wallet.Address{alice, bob} {
		w.commit(w.launches(who))
	}
	for _, move := range append([]time.Duration{0}, moves...) {
		for _, who := range []wallet.Address{alice, bob} {
			t := w.commit(w.capped(who, seamless.Credit, "", "1.5", 3_000)).Change.Seamless
			net += int64(t.Paid())
		}
		w.clock.Advance(move)
	}
	return net
}

// capped returns an item of a callback within a cap for all players of the connection.
func (w *world) capped(who wallet.Address, kind seamless.Kind, bet, win seamless.Decimal, limit money.Amount) player.Item {
	at := w.now()
	c := player.ProviderCallback{
		ID: w.id(), Ref: seamless.Ref{Connection: "gold", TxnID: w.id(), Provider: "MAKER", Game: "fruits"}, Kind: kind, GameType: "slot",
		Requested: seamless.Requested{Bet: bet, Win: win}, Tokens: token.NewBook(terms(money.SOL)), At: at,
		Caps: player.ProviderCaps{NetWin: money.Max, WithoutDebit: money.Max, Connection: limit},
	}
	tokens := []money.Token{money.SOL}
	return player.Item{
		Wallet: who, At: at, Keys: player.ProviderKeys("gold", c.TxnID, kind),
		Needs:  player.Needs{Tokens: tokens, Launches: []string{"gold"}, Seamless: []seamless.Ref{c.Ref}, Hours: c.Hours(money.SOL, 3)},
		Decide: func(v player.View) (player.Change, error) { return player.Transact(v, c) },
	}
}

// launches returns an item of a player's launch of a game, with a thousand lamports per unit.
func (w *world) launches(who wallet.Address) player.Item {
	at := w.now()
	return player.Item{
		Wallet: who, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}},
		Needs: player.Needs{Launches: []string{"gold"}, Tokens: []money.Token{money.SOL}},
		Decide: func(v player.View) (player.Change, error) {
			return player.Launch(v, player.ProviderLaunch{Connection: "gold", Token: money.SOL, Scale: 3, At: at})
		},
	}
}

// approved returns a withdrawal that an admin approved.
func (w *world) approved(who wallet.Address, amount money.Amount) withdrawal.Withdrawal {
	w.Helper()
	w.commit(w.adjust(who, int64(amount)))
	asked := *w.commit(w.withdraw(who, amount)).Change.Withdrawal
	return *w.commit(w.approving(asked, otherAdmin, token.NoTwoPerson)).Change.Withdrawal
}

func (w *world) payoutQuery(of withdrawal.Withdrawal) withdrawal.PayoutQuery {
	return withdrawal.PayoutQuery{WithdrawalID: of.ID, Token: of.Token, Since: w.clock.Now().Add(-withdrawal.CapWindow)}
}

// signs signs a payout, within a cap of 900 lamports an hour.
func (w *world) signs(of withdrawal.Withdrawal) (player.Receipt, error) {
	w.Helper()
	at := w.now()
	if ok, err := w.store.Lease(w.Context(), of.ID, "worker", at, at.Add(time.Minute)); err != nil || !ok {
		w.Fatalf("a lease: %v, %v", ok, err)
	}
	attempt := withdrawal.Attempt{
		WithdrawalID: of.ID, Number: 1, Signature: fakes.Signature(w.id()), Transaction: []byte{1}, Blockhash: "hash", CreatedAt: at,
	}
	signer := player.PayoutSigner{Worker: "worker", Terms: terms(money.SOL), Policy: rbac.DefaultPolicy(), Unindexed: true}
	signer.Terms.PayoutCapPerHour = 900
	return w.writer.Commit(w.Context(), player.Item{
		Wallet: of.Wallet, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}},
		Needs: player.Needs{
			Tokens: []money.Token{money.SOL}, Withdrawals: []string{of.ID}, Roles: []wallet.Address{otherAdmin}, Payouts: w.payoutQuery(of),
		},
		Decide: func(v player.View) (player.Change, error) { return player.PayOut(v, attempt, signer, at) },
	})
}
