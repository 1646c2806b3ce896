package treasury_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/golang/mock/gomock"

	apptreasury "github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/mocks"
)

// Capital is committed once. After an unknown outcome the operator must ask, and a
// transaction that was booked as a player's deposit stays one.
func TestCapitalIsCommittedOnce(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.NewPlayer("alice", 5_000)
	deposited := apptest.OK(h.Accounts.AccountTransactions(h.Ctx, apptest.Caller("alice"), ports.TransactionFilter{}, ports.Page{Number: 1, Limit: 10}))(t).Transactions[0].Signature
	mocked, m := h.Mocked()
	m.LoseCommit().Times(1)
	if booked, err := mocked.Treasury.BookCapital(h.Ctx, money.SOL, 1_000, "a top-up"); !errors.Is(err, apptest.ErrUnknown) || booked {
		t.Fatal(booked, err)
	}
	if booked, err := mocked.Treasury.BookCapital(h.Ctx, money.SOL, 1_000, "a top-up"); err != nil || booked {
		t.Fatal("the same reference again was booked again, or", err)
	}
	m.Commit().Times(2) // as capital, and then as unclaimed: neither stores anything
	h.CheckUnchanged(func() {
		if booked, err := mocked.Treasury.BookCapital(h.Ctx, money.SOL, 5_000, deposited); err != nil || booked {
			t.Fatal("a player's deposit became capital, or", err)
		}
	})
}

// sweepStore has the mocks for TreasuryCommands.
type sweepStore struct {
	*mocks.MockTreasuryReview
	*mocks.MockTreasurySweeps
}

// A movement is looked up, booked, and then accounted for. It is not booked without a
// reason or twice, and not accounted for if it may not be booked.
func TestAMovementIsBookedBeforeItIsAccountedFor(t *testing.T) {
	t.Parallel()
	moved := treasury.Movement{
		Signature: "signature", At: fakes.Start,
		Payments: []treasury.Payment{{Token: money.SOL, Amount: 100, Destination: string(fakes.Wallet("elsewhere"))}},
	}
	for name, c := range map[string]struct {
		reason string
		state  treasury.State
		commit error
		kind   error
		until  int // calls that are made
	}{
		"booked":             {"moved to the vault", treasury.Foreign, nil, nil, 3},
		"no reason":          {"", treasury.Foreign, nil, fault.New(fault.Invalid, ""), 0},
		"accounted for":      {"again", treasury.Explained, nil, fault.New(fault.InvalidState, ""), 1},
		"an unknown outcome": {"moved to the vault", treasury.Foreign, apptest.ErrUnknown, apptest.ErrUnknown, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			control := gomock.NewController(t)
			store := sweepStore{mocks.NewMockTreasuryReview(control), mocks.NewMockTreasurySweeps(control)}
			writer, clock := mocks.NewMockWriter(control), fakes.NewClock(fakes.Start)
			calls := []func() *gomock.Call{
				func() *gomock.Call {
					return store.MockTreasuryReview.EXPECT().MovementState(gomock.Any(), moved.Signature).Return(moved, c.state, nil)
				},
				func() *gomock.Call {
					return writer.EXPECT().Commit(gomock.Any(), gomock.Any()).Return(player.Receipt{}, c.commit)
				},
				func() *gomock.Call {
					return store.MockTreasuryReview.EXPECT().Review(gomock.Any(), moved.Signature, c.state, treasury.Explained).Return(nil)
				},
			}
			var expected []*gomock.Call
			for _, expect := range calls[:c.until] {
				expected = append(expected, expect())
			}
			gomock.InOrder(expected...)
			commands := apptreasury.TreasuryCommands{Store: store, Writer: writer, Clock: clock, Entropy: fakes.NewEntropy(1)}
			_, err := commands.Accept(context.Background(), moved.Signature, c.reason)
			if (err == nil) != (c.kind == nil) {
				t.Errorf("got %v, want %v", err, c.kind)
			}
			if _, err := commands.Announce(context.Background(), moved.Payments[0], "", time.Hour); err == nil {
				t.Error("a sweep was announced without a reason")
			}
		})
	}
}
