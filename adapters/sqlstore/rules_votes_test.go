package sqlstore_test

import (
	"errors"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

var otherAdmin = fakes.Wallet("other admin")

// founders makes two admins whose roles are founding ones.
func (w *world) founders() {
	w.Helper()
	for _, who := range []wallet.Address{admin, otherAdmin} {
		at := w.now()
		record := audit.Record{ID: w.id(), Action: audit.RoleGranted, Target: string(who), At: at}
		err := w.store.ChangeRole(w.Context(), who, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
			return &rbac.Assignment{Wallet: who, Role: "finance", GrantedAt: at, Founding: true}, record, nil
		})
		if err != nil {
			w.Fatal(err)
		}
	}
}

// withdrawTo returns an item that requests a payout to a destination.
func (w *world) withdrawTo(who wallet.Address, amount money.Amount, destination string) player.Item {
	request := player.WithdrawalRequest{
		ID: w.id(), Terms: terms(money.SOL), Amount: amount,
		Destination: withdrawal.Destination{Address: string(fakes.Wallet(destination))}, At: w.now(),
	}
	return player.Item{
		Wallet: who, At: request.At, Keys: []player.UniqueKey{{Kind: player.WithdrawalKey, ID: request.ID}},
		Needs:  player.Needs{Tokens: []money.Token{money.SOL}, Open: true},
		Decide: func(v player.View) (player.Change, error) { return player.Withdraw(v, request) },
	}
}

// approving returns an item of an admin's approval, with a threshold of 1,000 lamports and one
// for a day.
func (w *world) approving(of withdrawal.Withdrawal, by wallet.Address, perDay money.Amount) player.Item {
	bounds := terms(money.SOL)
	bounds.TwoPersonAbove, bounds.TwoPersonAbovePerDay = 1000, perDay
	word := player.WithdrawalDecision{ID: of.ID, By: by, Policy: rbac.DefaultPolicy(), Terms: bounds, AuditID: w.id(), At: w.now()}
	return player.Item{
		Wallet: of.Wallet, At: word.At, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}},
		Needs: player.Needs{
			Tokens: []money.Token{money.SOL}, Withdrawals: []string{of.ID}, Roles: []wallet.Address{admin, otherAdmin},
			Votes: &player.VotesNeed{Of: of.ID, Destination: of.Destination, Token: of.Token, By: by, At: word.At},
		},
		Decide: func(v player.View) (player.Change, error) { return player.Approve(v, word) },
	}
}

// TestVotesOfItemsBeforeInTheBatchCount approves, in one batch, two withdrawals that share one
// property and together exceed the threshold: the second one waits for another admin.
func TestVotesOfItemsBeforeInTheBatchCount(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for name, c := range map[string]struct {
			players      [2]wallet.Address
			destinations [2]string
			admins       [2]wallet.Address
			perDay       money.Amount
			want         withdrawal.Status
		}{
			"nothing":                      {[2]wallet.Address{alice, bob}, [2]string{"here", "there"}, [2]wallet.Address{admin, otherAdmin}, token.NoTwoPerson, withdrawal.Approved},
			"a day's sum":                  {[2]wallet.Address{alice, bob}, [2]string{"here", "there"}, [2]wallet.Address{admin, otherAdmin}, 1199, withdrawal.Pending},
			"a day's sum at its threshold": {[2]wallet.Address{alice, bob}, [2]string{"here", "there"}, [2]wallet.Address{admin, otherAdmin}, 1200, withdrawal.Approved},
			"the player":                   {[2]wallet.Address{alice, alice}, [2]string{"here", "there"}, [2]wallet.Address{admin, otherAdmin}, token.NoTwoPerson, withdrawal.Pending},
			"the destination":              {[2]wallet.Address{alice, bob}, [2]string{"here", "here"}, [2]wallet.Address{admin, otherAdmin}, token.NoTwoPerson, withdrawal.Pending},
			"the admin":                    {[2]wallet.Address{alice, bob}, [2]string{"here", "there"}, [2]wallet.Address{admin, admin}, token.NoTwoPerson, withdrawal.Pending},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w, _ := watched(t, on, sqlstore.WriterOptions{})
				w.begin(2000, w.login(alice), w.login(bob))
				w.founders()
				asked, errs := w.together(
					w.withdrawTo(c.players[0], 600, c.destinations[0]), w.withdrawTo(c.players[1], 600, c.destinations[1]))
				if err := errors.Join(errs...); err != nil {
					t.Fatal(err)
				}
				decided, errs := w.together(
					w.approving(*asked[0].Change.Withdrawal, c.admins[0], c.perDay), w.approving(*asked[1].Change.Withdrawal, c.admins[1], c.perDay))
				if err := errors.Join(errs...); err != nil {
					t.Fatal(err)
				}
				first, second := decided[0].Change.Withdrawal.Status, decided[1].Change.Withdrawal.Status
				if first != withdrawal.Approved || second != c.want {
					t.Errorf("the first is %s, the second %s", first, second)
				}
				w.sound()
			})
		}
	})
}
