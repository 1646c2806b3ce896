package mocks_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/mocks"
)

// chain is a fake chain whose payer is a mock.
type chain struct {
	ports.DepositReader
	ports.DepositHistory
	ports.DepositTransactions
	ports.Mints
	ports.ChainProbe
	ports.HouseAddresses
	ports.Payer
}

// TestNothingIsSentThatWasNotStored: when the signed transaction can't be
// stored, it must not be sent.
func TestNothingIsSentThatWasNotStored(t *testing.T) {
	t.Parallel()
	control := gomock.NewController(t)
	payer, writer := mocks.NewMockPayer(control), mocks.NewMockWriter(control)
	clock := fakes.NewClock(start)
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		t.Fatal(err)
	}
	fake := fakes.NewChain()
	casino, err := app.New(app.Deps{
		Store: approvedStore(memory.New(), writer), Chain: chain{fake, fake, fake, fake, fake, fake, payer}, Clock: clock,
		Entropy: fakes.NewEntropy(1), Sessions: fakes.NewSessions(clock, "mocks", time.Hour), Games: games,
		Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
	})
	if err != nil {
		t.Fatal(err)
	}
	lost := errors.New("the database is away")
	payer.EXPECT().Sign(gomock.Any(), approved, terms).Return(attempt, nil).Times(1)
	writer.EXPECT().Commit(gomock.Any(), gomock.Any()).Return(receipt, lost).Times(1)
	payer.EXPECT().Send(gomock.Any(), gomock.Any()).Times(0)
	worker := casino.Payouts.PayoutWorker()
	for range 3 {
		if _, err := worker.Step(context.Background()); err != nil && !errors.Is(err, lost) {
			t.Fatal(err)
		}
	}
}
