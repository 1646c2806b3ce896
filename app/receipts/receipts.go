// Package receipts signs receipts of commits for players who ask for them.
package receipts

import (
	"context"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/receipt"
	"github.com/casino-service/casino/domain/refusal"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Service is the use cases of receipts. It is safe for concurrent use.
type Service struct {
	core   *kernel.Kernel
	signer ports.ReceiptSigner

	mu     sync.Mutex
	ledger string
	// signed is a ring of the blocks that were signed last.
	signed [signedMax]*signature
	next   int
}

// signedMax is the number of blocks whose signatures are kept, so that all requests of a
// batch share one.
const signedMax = 64

// signature is the signature of one block. It is made once.
type signature struct {
	block hashchain.Header

	mu   sync.Mutex
	made checkpoint.Signed // without a text until it is made
}

// New returns the use cases of receipts. The signer must not be nil.
func New(core *kernel.Kernel, signer ports.ReceiptSigner) *Service {
	return &Service{core: core, signer: signer}
}

// Keys returns the public halves of the keys that sign receipts, newest first.
func (s *Service) Keys() []checkpoint.Key { return s.signer.PublicKeys() }

// errContinued refuses a receipt of a state that the newest event no longer has.
var errContinued = fault.New(fault.InvalidState, "the round was continued: GET /history/{id}/proof proves its newest state")

// Issue returns the receipt of what a use case committed. If that was committed earlier,
// the block is read from the store. A repeated step of a round that was continued has none:
// the fault is InvalidState.
func (s *Service) Issue(ctx context.Context, c kernel.Committed) (receipt.Receipt, error) {
	if proved, known := c.Inclusion(); known {
		return s.sign(ctx, proved)
	}
	proved, err := s.Prove(ctx, c.Wallet, c.ID)
	if err == nil && !c.ProvedBy(proved.Leaf) {
		return receipt.Receipt{}, errContinued
	}
	return proved, err
}

// Prove returns the receipt of the wallet's round of an id, of the newest state of its open
// round, deposit or seed pair, or of the request of its withdrawal. If the wallet has none,
// the fault is NotFound.
func (s *Service) Prove(ctx context.Context, w wallet.Address, id string) (receipt.Receipt, error) {
	proved, err := s.core.Store.Inclusions.Inclusion(ctx, w, id)
	if err != nil {
		return receipt.Receipt{}, err
	}
	return s.sign(ctx, proved)
}

func (s *Service) sign(ctx context.Context, proved hashchain.Inclusion) (receipt.Receipt, error) {
	ledger, err := s.ledgerID(ctx)
	if err != nil {
		return receipt.Receipt{}, err
	}
	of := s.signatureOf(proved.Header)
	of.mu.Lock()
	defer of.mu.Unlock()
	if of.made.Text == "" {
		if of.made, err = s.signer.SignText(receipt.Text(ledger, proved.Header)); err != nil {
			of.made = checkpoint.Signed{}
			return receipt.Receipt{}, err
		}
	}
	return receipt.Receipt{Inclusion: proved, Signed: of.made}, nil
}

// signatureOf returns the entry of a block in the ring, a new one if it has none.
func (s *Service) signatureOf(block hashchain.Header) *signature {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range signedMax { // the newest first
		if of := s.signed[(s.next+signedMax-1-i)%signedMax]; of != nil && of.block == block {
			return of
		}
	}
	of := &signature{block: block}
	s.signed[s.next] = of
	s.next = (s.next + 1) % signedMax
	return of
}

// errNoLedger refuses a receipt before the database was initialized.
var errNoLedger = fault.New(fault.Unavailable, "the ledger has no id yet")

// ledgerID returns the ledger's id, which never changes once it is set.
func (s *Service) ledgerID(ctx context.Context) (string, error) {
	s.mu.Lock()
	known := s.ledger
	s.mu.Unlock()
	if known != "" {
		return known, nil
	}
	state, err := s.core.Store.Controls.State(ctx)
	if err != nil {
		return "", err
	}
	if state.Ledger == "" {
		return "", errNoLedger
	}
	s.mu.Lock()
	s.ledger = state.Ledger
	s.mu.Unlock()
	return state.Ledger, nil
}

// Refuse signs the statement of a refusal.
func (s *Service) Refuse(refused checkpoint.Statement) (checkpoint.Signed, error) {
	return s.signer.Sign(refused)
}

// StateLimits signs, with the present time, what admits bets: the JSON that is shown of it.
func (s *Service) StateLimits(ctx context.Context, limits string) (checkpoint.Signed, error) {
	state, err := s.core.Store.Controls.State(ctx)
	if err != nil {
		return checkpoint.Signed{}, err
	}
	return s.signer.Sign(checkpoint.Statement{
		Purpose: refusal.Limits, Ledger: state.Ledger, Epoch: max(1, state.Epoch), At: s.core.Now().Truncate(time.Millisecond),
		Facts: []checkpoint.Fact{{Name: refusal.LimitsFact, Value: limits}},
	})
}
