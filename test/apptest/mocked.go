package apptest

import (
	"context"
	"errors"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/mocks"
)

// ErrUnknown is the error of a call with an unknown outcome.
var ErrUnknown = errors.New("outcome unknown")

// Mocks are mocks of the ports through which money moves. A call that the test doesn't expect
// fails it.
type Mocks struct {
	*gomock.Controller
	Writer  *mocks.MockWriter
	Payer   *mocks.MockPayer
	Reader  *mocks.MockDepositReader
	Limiter *mocks.MockLimiter
	store   ports.Writer
	chain   app.Chain
}

var anything = gomock.Any()

// mockedChain is a chain with mocks for payments and observations.
type mockedChain struct {
	ports.Payer
	ports.DepositReader
	ports.DepositHistory
	ports.DepositTransactions
	ports.Mints
	ports.ChainProbe
	ports.HouseAddresses
}

// Mocked returns a casino over the same parts with mocks as its writer, payer, deposit reader and
// limiter.
func (h *House) Mocked(options ...func(*app.Deps)) (*House, *Mocks) {
	h.T.Helper()
	control := gomock.NewController(h.T)
	m := &Mocks{
		Controller: control, Writer: mocks.NewMockWriter(control), Payer: mocks.NewMockPayer(control),
		Reader: mocks.NewMockDepositReader(control), Limiter: mocks.NewMockLimiter(control), store: h.Store, chain: h.Chain,
	}
	m.Reader.EXPECT().Treasury(anything).DoAndReturn(h.Chain.Treasury).AnyTimes()
	return h.Remade(func(d *app.Deps) {
		d.Store.Writer, d.Limiter = m.Writer, m.Limiter
		d.Chain = mockedChain{m.Payer, m.Reader, h.Chain, h.Chain, h.Chain, h.Chain, h.Chain}
		for _, option := range options {
			option(d)
		}
	}), m
}

// Commit expects a commit that the store carries out.
func (m *Mocks) Commit() *gomock.Call {
	return m.Writer.EXPECT().Commit(anything, anything).DoAndReturn(m.store.Commit)
}

// LoseCommit expects a commit that the store carries out, and loses its answer.
func (m *Mocks) LoseCommit() *gomock.Call {
	return m.Writer.EXPECT().Commit(anything, anything).DoAndReturn(func(ctx context.Context, item player.Item) (player.Receipt, error) {
		return player.Receipt{}, errors.Join(ErrUnknown, ErrorOf(m.store.Commit(ctx, item)))
	})
}

// Sign expects that a payout is signed.
func (m *Mocks) Sign() *gomock.Call {
	return m.Payer.EXPECT().Sign(anything, anything, anything).DoAndReturn(m.chain.Sign)
}

// Send expects that a signed payout is sent.
func (m *Mocks) Send() *gomock.Call {
	return m.Payer.EXPECT().Send(anything, anything).DoAndReturn(m.chain.Send)
}

// Observe expects that a transaction is looked up.
func (m *Mocks) Observe() *gomock.Call {
	return m.Reader.EXPECT().Observe(anything, anything).DoAndReturn(m.chain.Observe)
}

// Outcome expects a query for the outcome of a payout.
func (m *Mocks) Outcome() *gomock.Call {
	return m.Payer.EXPECT().Outcome(anything, anything).DoAndReturn(m.chain.Outcome)
}
