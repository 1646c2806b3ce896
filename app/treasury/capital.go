// Package treasury compares the treasury on chain with the ledger, and books the operator's
// capital.
package treasury

import (
	"context"
	"fmt"
	"time"

	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of the treasury. It is safe for concurrent use.
type Service struct {
	core     *kernel.Kernel
	deposits *deposits.Service
	treasury *Treasury
}

// New returns the use cases of the treasury.
func New(core *kernel.Kernel, deposits *deposits.Service) *Service {
	c := &Service{core: core, deposits: deposits}
	c.treasury = newTreasury(c)
	return c
}

// CapitalCommands books the operator's payments into the treasury without checking a role.
// It is for the command line and the first start of a development casino, which have access
// to the database itself.
type CapitalCommands struct {
	Bookings ports.Bookings
	Writer   ports.Writer
	Clock    ports.Clock
	Entropy  ports.Entropy
}

// NewestTopUp returns the newest booking of capital under a reference, and how many were
// corrected before it.
func NewestTopUp(ctx context.Context, bookings ports.Bookings, token money.Token, reference string) (booked ledger.Posting, again int, found bool, err error) {
	for ; ; again++ {
		next, err := bookings.Posting(ctx, player.TopUpKey(token, reference, again))
		if fault.Is(err, fault.NotFound) {
			return booked, again - 1, found, nil
		}
		if err != nil {
			return ledger.Posting{}, 0, false, err
		}
		booked, found = next, true
	}
}

// BookPayment reads a transaction on chain and books what it paid into the treasury as
// capital. It refuses a transaction that isn't final, failed, paid another token or amount,
// or was signed by the treasury, and one that was booked before.
func (t CapitalCommands) BookPayment(ctx context.Context, chain ports.DepositReader, terms token.Terms, amount money.Amount, signature string) error {
	if err := deposit.CheckSignature(signature); err != nil {
		return err
	}
	treasury, err := chain.Treasury(terms)
	if err != nil {
		return err
	}
	seen, err := chain.Observe(ctx, signature)
	if err != nil {
		return err
	}
	if err := deposit.CheckCapital(seen, terms, treasury, amount); err != nil {
		return err
	}
	return t.bookOnce(ctx, player.TopUp{
		Token: terms.Mint, Amount: amount, Reference: signature, Evidence: fmt.Sprintf(", read on chain in slot %d", seen.Slot),
	})
}

// BookUnread books capital under a reference without reading the chain; the audit log says
// so. It refuses a reference that was booked before.
func (t CapitalCommands) BookUnread(ctx context.Context, token money.Token, amount money.Amount, reference string) error {
	return t.bookOnce(ctx, player.TopUp{Token: token, Amount: amount, Reference: reference, Evidence: ", not read on chain"})
}

func (t CapitalCommands) bookOnce(ctx context.Context, topUp player.TopUp) error {
	booked, err := t.book(ctx, topUp)
	if err == nil && !booked {
		return fault.New(fault.InvalidState, "the transaction is already booked, as capital or as a player's deposit").With("status", "booked")
	}
	return err
}

// BookCapital books an amount in base units under a reference that is used once: the
// signature of the transaction on chain. It reports false if the reference was booked
// before, as capital or as a player's deposit, and wasn't corrected since. A transaction
// that the watcher booked as unclaimed becomes capital; its amount must equal the received
// amount. It doesn't read the chain: see BookPayment.
func (t CapitalCommands) BookCapital(ctx context.Context, token money.Token, amount money.Amount, reference string) (booked bool, err error) {
	return t.book(ctx, player.TopUp{Token: token, Amount: amount, Reference: reference})
}

func (t CapitalCommands) book(ctx context.Context, topUp player.TopUp) (booked bool, err error) {
	topUp.AuditID, topUp.At = t.Entropy.ID(), kernel.Now(t.Clock)
	keys := kernel.CreditKeys(deposit.Ref{Signature: topUp.Reference, Token: topUp.Token})
	last, again, found, err := NewestTopUp(ctx, t.Bookings, topUp.Token, topUp.Reference)
	if err != nil {
		return false, err
	}
	if found {
		corrected, err := t.Bookings.Corrected(ctx, last.Key)
		if err != nil || !corrected {
			return false, err
		}
		topUp.Again = again + 1
		if from := last.Transfers[0].Debit; from.Kind == ledger.Unclaimed {
			return t.takeAsCapital(ctx, topUp, wallet.Address(from.Owner))
		}
		key := player.TopUpKey(topUp.Token, topUp.Reference, topUp.Again)
		keys = []player.UniqueKey{{Kind: player.CapitalKey, Scope: key.Scope, ID: key.ID}}
	}
	receipt, err := t.Writer.Commit(ctx, player.Item{
		Keys: keys,
		At:   topUp.At, Source: player.FromAdmin,
		Decide: func(player.View) (player.Change, error) { return player.BookCapital(topUp) },
	})
	if err == nil && receipt.Replayed && receipt.Holder.Wallet != "" {
		return t.takeAsCapital(ctx, topUp, receipt.Holder.Wallet)
	}
	return err == nil && !receipt.Replayed, err
}

// takeAsCapital turns an unclaimed deposit of the wallet into capital.
func (t CapitalCommands) takeAsCapital(ctx context.Context, topUp player.TopUp, from wallet.Address) (booked bool, err error) {
	_, err = t.Writer.Commit(ctx, player.Item{
		Wallet: from, Source: player.FromAdmin,
		Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: topUp.AuditID}},
		Needs: player.Needs{
			Tokens: []money.Token{topUp.Token}, Unclaimed: true, Deposits: []deposit.Ref{{Signature: topUp.Reference, Token: topUp.Token}},
		},
		At:     topUp.At,
		Decide: func(v player.View) (player.Change, error) { return player.ReclaimCapital(v, topUp) },
	})
	if fault.Is(err, fault.InvalidState) {
		return false, nil
	}
	return err == nil, err
}

// BookCapital books the operator's payment into the treasury, see
// CapitalCommands.BookCapital.
func (c *Service) BookCapital(ctx context.Context, token money.Token, amount money.Amount, reference string) (booked bool, err error) {
	return CapitalCommands{Bookings: c.core.Store.Bookings, Writer: c.core.Store.Writer, Clock: c.core.Clock, Entropy: c.core.Entropy}.BookCapital(ctx, token, amount, reference)
}

// SweepStore has the ports that TreasuryCommands use.
type SweepStore interface {
	ports.TreasuryReview
	ports.TreasurySweeps
}

// TreasuryCommands account for money that leaves the treasury by a signature of its own
// key. They check no role: they are for the command line, which has access to the database
// itself.
type TreasuryCommands struct {
	Store   SweepStore
	Writer  ports.Writer
	Clock   ports.Clock
	Entropy ports.Entropy
}

// Announce announces that the payment will leave the treasury as the operator's own money
// within the time valid. The service books it when found, without a pause, also if it has
// already landed.
func (t TreasuryCommands) Announce(ctx context.Context, p treasury.Payment, reason string, valid time.Duration) (treasury.Sweep, error) {
	if err := kernel.CheckReason(reason); err != nil {
		return treasury.Sweep{}, err
	}
	at := kernel.Now(t.Clock)
	sweep, err := treasury.Announce(t.Entropy.ID(), p, reason, at, valid)
	if err != nil {
		return treasury.Sweep{}, err
	}
	record := audit.Record{
		ID: t.Entropy.ID(), Action: audit.SweepAnnounced, Target: sweep.ID, At: at,
		After: fmt.Sprintf("%d %s to %s until %s: %s", p.Amount, p.Token, p.Destination, sweep.Until.Format(time.RFC3339), reason),
	}
	return sweep, t.Store.AnnounceSweep(ctx, sweep, record)
}

// Accept accounts for a transaction for which payouts were paused: it books all outgoing
// amounts as the operator's own money. Payouts stay paused until they are resumed.
func (t TreasuryCommands) Accept(ctx context.Context, signature, reason string) (treasury.Movement, error) {
	if err := kernel.CheckReason(reason); err != nil {
		return treasury.Movement{}, err
	}
	m, state, err := t.Store.MovementState(ctx, signature)
	if err != nil {
		return treasury.Movement{}, err
	}
	if !state.Next(treasury.Explained) {
		return treasury.Movement{}, fault.New(fault.InvalidState, "the transaction is already accounted for").With("status", string(state))
	}
	outlay := player.Outlay{Movement: m, Reason: reason, AuditID: t.Entropy.ID(), At: kernel.Now(t.Clock)}
	if err := payouts.BookOutlay(ctx, t.Writer, outlay); err != nil {
		return treasury.Movement{}, err
	}
	return m, t.Store.Review(ctx, signature, state, treasury.Explained)
}
