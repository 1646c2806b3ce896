package sqlstore_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// TestSharedReadsAreAsNewAsTheirQuestions: while many ask the same and so share answers,
// whoever asks after a commit sees it, and nobody sees what somebody else asked for.
func TestSharedReadsAreAsNewAsTheirQuestions(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice, bob)
		ctx, stop := context.WithCancel(t.Context())
		var others sync.WaitGroup
		defer others.Wait()
		defer stop()
		for i := range 16 {
			others.Go(func() {
				for ctx.Err() == nil {
					w.asksAsAdminsDo(ctx, []wallet.Address{"", alice, bob}[i%3])
				}
			})
		}
		page := ports.Page{Number: 1, Limit: 20}
		for range 40 {
			made := w.commit(w.adjust(alice, 5)).Change.Adjustment
			lines, err := w.store.Transactions(t.Context(), ports.TransactionFilter{}, page)
			if err != nil || len(lines.Transactions) == 0 || lines.Transactions[0].ID != made.ID {
				t.Fatalf("after adjustment %s: %+v, %v", made.ID, lines.Transactions, err)
			}
			before, err := w.store.Counts(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			asked := w.commit(w.withdraw(alice, 1)).Change.Withdrawal
			after, err := w.store.Counts(t.Context(), "")
			if err != nil || after.Withdrawals["pending"] != before.Withdrawals["pending"]+1 {
				t.Fatalf("pending withdrawals: %d, then %d, %v", before.Withdrawals["pending"], after.Withdrawals["pending"], err)
			}
			w.commit(w.cancel(alice, asked.ID))
			round := w.commit(w.play(alice, 1)).Change.Round
			rounds, err := w.store.Rounds(t.Context(), ports.RoundFilter{}, page)
			if err != nil || rounds.Rounds[0].ID != round.ID {
				t.Fatalf("after round %s: %v", round.ID, err)
			}
			played, err := w.store.Sums(t.Context(), ports.FigureFilter{Token: money.SOL}, ports.Grouping{})
			if err != nil || len(played) != 1 || played[0].Rounds != int64(rounds.Total) {
				t.Fatalf("%d rounds, figures of %+v: %v", rounds.Total, played, err)
			}
		}
	})
}

// asksAsAdminsDo asks for lists of one player, or of all, and looks at whose they are. What
// comes with an error, when the asking ends, is no list.
func (w *world) asksAsAdminsDo(ctx context.Context, of wallet.Address) {
	page := ports.Page{Number: 1, Limit: 20}
	lines, err := w.store.Transactions(ctx, ports.TransactionFilter{Wallet: of}, page)
	for _, line := range lines.Transactions {
		if err == nil && of != "" && line.Wallet != of {
			w.Errorf("a transaction of %s among those of %s", line.Wallet, of)
		}
	}
	rounds, roundsErr := w.store.Rounds(ctx, ports.RoundFilter{Wallet: of}, page)
	for _, round := range rounds.Rounds {
		if roundsErr == nil && of != "" && round.Wallet != of {
			w.Errorf("a round of %s among those of %s", round.Wallet, of)
		}
	}
	if first, err := w.store.Rounds(ctx, ports.RoundFilter{Wallet: of}, ports.Page{Number: 1, Limit: 1}); err == nil && len(first.Rounds) > 1 {
		w.Errorf("a page of one round has %d", len(first.Rounds))
	}
	_, countsErr := w.store.Counts(ctx, "")
	if theirs, err := w.store.Counts(ctx, "acme"); err == nil && (theirs.Players != 0 || len(theirs.Owed) != 0 || len(theirs.Withdrawals) != 0) {
		w.Errorf("counts of an agent without players: %+v", theirs)
	}
	nobodys, sumsErr := w.store.Sums(ctx, ports.FigureFilter{Token: money.SOL, Agent: "acme"}, ports.Grouping{})
	_, allErr := w.store.Sums(ctx, ports.FigureFilter{Token: money.SOL}, ports.Grouping{})
	if len(nobodys) != 0 {
		w.Errorf("figures of an agent without players: %+v", nobodys)
	}
	if err := errors.Join(err, roundsErr, countsErr, sumsErr, allErr); err != nil && ctx.Err() == nil {
		w.Error(err)
	}
}

// TestARoleThatWasRevokedIsGoneForWhoAsksThen although others ask for the same list.
func TestARoleThatWasRevokedIsGoneForWhoAsksThen(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		ctx, stop := context.WithCancel(t.Context())
		var others sync.WaitGroup
		defer others.Wait()
		defer stop()
		for range 16 {
			others.Go(func() {
				for ctx.Err() == nil {
					if _, err := w.store.RoleList(ctx); err != nil && ctx.Err() == nil {
						t.Error(err)
					}
				}
			})
		}
		for i := range 40 {
			role := &rbac.Assignment{Wallet: alice, Role: "admin", GrantedAt: w.now()}
			if i%2 == 1 {
				role = nil
			}
			err := w.store.ChangeRoleList(t.Context(), alice, func(now rbac.List) (rbac.List, audit.Record, error) {
				record := audit.Record{ID: w.id(), Action: audit.RoleGranted, By: bob, Target: string(alice), At: w.now()}
				return now.With(alice, role, 0), record, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			list, err := w.store.RoleList(t.Context())
			if has := list.Of(alice).Role != ""; err != nil || has != (role != nil) {
				t.Fatalf("alice has a role: %t, %v", has, err)
			}
		}
	})
}
