package payouts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// lookEvery is how often a payout worker reads the treasury's new transactions.
const lookEvery = 10 * time.Second

const (
	// LookPage is the number of the treasury's transactions read in one step.
	LookPage = 250
	// storedMax is the number of indexed movements that a worker remembers, so that
	// overlapping pages aren't written again.
	storedMax = 8192
	// ReviewPage is the number of movements explained at once.
	ReviewPage = 100
)

// Indexed reports whether this deployment indexes the treasury's transactions. Only an
// embedder's may not; then the chain isn't read before a payout is signed.
func (c *Service) Indexed() bool { return c.signed != nil }

// MemoTag returns the tag of a wallet for the memo of its payouts. With the keys, the tag
// identifies the wallet of a payment that is missing in the ledger. It is empty if nothing
// is sealed.
func MemoTag(seals seal.Authenticator, w wallet.Address) (string, error) {
	sealed, err := seals.Seal(withdrawal.MemoPurpose, []byte(w))
	if err != nil || sealed == "" {
		return "", err
	}
	return TagOf(sealed), nil
}

// TagOf returns the tag for a seal of a wallet.
func TagOf(sealed string) string {
	const length = 8
	digest := sha256.Sum256([]byte(sealed))
	return hex.EncodeToString(digest[:length])
}

// treasuryIndexer keeps the index of the treasury's transactions up to date, and finds the
// reason for each movement.
type treasuryIndexer struct {
	casino *Service
	due    time.Time
	more   bool     // the history has another page
	stored []string // signatures known to be in the index as of cursor
	cursor string
}

// readNextPage reads the next page of the treasury's history into the index. After the last
// page it explains the new movements.
func (x *treasuryIndexer) readNextPage(ctx context.Context) error {
	c := x.casino
	x.due, x.more = c.core.Now().Add(lookEvery), false
	from, err := c.core.Store.TreasuryIndex.IndexPosition(ctx)
	if err != nil {
		return err
	}
	page, err := c.signed.Signed(ctx, from, LookPage)
	if err != nil {
		c.core.Alarms.Raise(ctx, alarm.TreasuryUnindexed, "treasury", "since", from.At, "reason", err.Error())
		return err
	}
	if from.Cursor != x.cursor {
		// Another worker extended the index, or the database was restored and lacks some
		// movements. A payment missing in the index could be made twice, so write all again.
		x.stored = nil
	}
	fresh := slices.DeleteFunc(page.Movements, func(m treasury.Movement) bool { return slices.Contains(x.stored, m.Signature) })
	if err := c.core.Store.TreasuryIndex.ExtendIndex(ctx, from.Cursor, page.Next, fresh); err != nil {
		return kernel.Overtaken(err) // another worker was faster
	}
	x.rememberMovements(fresh)
	x.cursor = page.Next.Cursor
	if x.more = page.More; x.more {
		return nil
	}
	if err := page.Next.Covers(c.core.Now(), c.core.Now()); err != nil {
		c.core.Alarms.Raise(ctx, alarm.TreasuryUnindexed, "treasury", "since", page.Next.At, "reason", err.Error())
	} else {
		c.core.Alarms.Over(ctx, alarm.TreasuryUnindexed, "treasury")
	}
	return x.explainOpen(ctx)
}

func (x *treasuryIndexer) rememberMovements(fresh []treasury.Movement) {
	for _, m := range fresh {
		x.stored = append(x.stored, m.Signature)
	}
	if over := len(x.stored) - storedMax; over > 0 {
		x.stored = slices.Clone(x.stored[over:])
	}
}

// explainOpen explains new movements, and foreign ones that were announced since.
func (x *treasuryIndexer) explainOpen(ctx context.Context) error {
	c := x.casino
	sweeps, err := c.core.Store.TreasurySweeps.OpenSweeps(ctx, c.core.Now())
	if err != nil {
		return err
	}
	for _, state := range []treasury.State{treasury.New, treasury.Foreign} {
		if state == treasury.Foreign && len(sweeps) == 0 {
			break
		}
		found, err := c.core.Store.TreasuryReview.MovementsIn(ctx, state, ReviewPage)
		if err != nil {
			return err
		}
		for _, m := range found {
			if err := c.explainMovement(ctx, m, state, &sweeps); err != nil {
				return err
			}
		}
		x.more = x.more || state == treasury.New && len(found) == ReviewPage
	}
	return nil
}

// explainMovement finds the reason for a movement and books it if needed. It pauses payouts
// for a movement without a reason.
func (c *Service) explainMovement(ctx context.Context, m treasury.Movement, state treasury.State, sweeps *[]treasury.Sweep) error {
	explained, err := c.explainPayout(ctx, m)
	if err == nil && !explained {
		explained, err = c.explainSweep(ctx, m, sweeps)
	}
	switch {
	case errors.Is(err, errMeanwhile):
		return nil
	case err != nil:
		return err
	case explained:
		return kernel.Overtaken(c.core.Store.TreasuryReview.Review(ctx, m.Signature, state, treasury.Explained))
	case state == treasury.Foreign:
		return nil // payouts were already paused for it
	}
	if err := c.pauseForeign(ctx, m); err != nil {
		return err
	}
	return kernel.Overtaken(c.core.Store.TreasuryReview.Review(ctx, m.Signature, state, treasury.Foreign))
}

// explainPayout reports whether the movement is a payout of a withdrawal in the ledger. A
// withdrawal that the ledger has as unpaid is completed by it.
func (c *Service) explainPayout(ctx context.Context, m treasury.Movement) (bool, error) {
	if m.WithdrawalID == "" {
		return false, nil
	}
	w, err := c.core.Store.Withdrawals.Withdrawal(ctx, m.WithdrawalID)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	switch w.Means(m) {
	case withdrawal.Expected:
		return true, nil
	case withdrawal.Proof:
		return c.settleByChain(ctx, w, m)
	case withdrawal.CostOnly:
		known, err := c.core.Store.TreasuryReview.AttemptKnown(ctx, m.Signature)
		if err != nil || known {
			return known, err // the cost is booked when the attempt is settled
		}
		return true, BookOutlay(ctx, c.core.Store.Writer, player.Outlay{
			Movement: m, Reason: "payout " + m.WithdrawalID + " failed", AuditID: c.core.Entropy.ID(), At: c.core.Now(),
		})
	case withdrawal.Foreign:
	}
	return false, nil
}

// errMeanwhile leaves a movement for the next pass: its withdrawal has just changed.
var errMeanwhile = errors.New("app: the withdrawal changed meanwhile")

// settleByChain completes a withdrawal by a payment that the ledger lacked.
func (c *Service) settleByChain(ctx context.Context, w withdrawal.Withdrawal, m treasury.Movement) (bool, error) {
	now := c.core.Now()
	item := OfWithdrawal(w, []player.UniqueKey{{Kind: player.OperationKey, ID: c.core.Entropy.ID()}})
	item.At, item.Source = now, player.FromWorker
	item.Decide = func(v player.View) (player.Change, error) { return player.SettleByChain(v, m, now) }
	_, err := c.core.Store.Writer.Commit(ctx, item)
	if fault.Is(err, fault.InvalidState) {
		return false, errMeanwhile
	}
	if err == nil {
		c.core.Alarms.Raise(ctx, alarm.PayoutProved, w.ID, "signature", m.Signature, "status", string(w.Status))
	}
	return err == nil, err
}

// explainSweep reports whether the movement is an announced sweep, and books it.
func (c *Service) explainSweep(ctx context.Context, m treasury.Movement, sweeps *[]treasury.Sweep) (bool, error) {
	at := slices.IndexFunc(*sweeps, func(s treasury.Sweep) bool { return s.Expects(m) })
	if at < 0 {
		return false, nil
	}
	sweep := (*sweeps)[at]
	*sweeps = slices.Delete(*sweeps, at, at+1)
	if err := BookOutlay(ctx, c.core.Store.Writer, player.Outlay{
		Movement: m, Reason: sweep.Reason, AuditID: c.core.Entropy.ID(), At: c.core.Now(),
	}); err != nil {
		return false, err
	}
	return true, kernel.Overtaken(c.core.Store.TreasurySweeps.LandSweep(ctx, sweep.ID, m.Signature))
}

// BookOutlay books the amounts of a movement as the operator's own money, once.
func BookOutlay(ctx context.Context, writer ports.Writer, o player.Outlay) error {
	keys := []player.UniqueKey{{Kind: player.CapitalKey, Scope: string(money.SOL), ID: o.Signature}}
	for _, paid := range o.Payments {
		if paid.Token != money.SOL {
			keys = append(keys, player.UniqueKey{Kind: player.CapitalKey, Scope: string(paid.Token), ID: o.Signature})
		}
	}
	_, err := writer.Commit(ctx, player.Item{
		Keys: keys, At: o.At, Source: player.FromWorker, Decide: func(player.View) (player.Change, error) { return player.BookOutlay(o) },
	})
	return err
}

// paymentTexts formats payments for a log line.
func paymentTexts(payments []treasury.Payment) []string {
	texts := make([]string, 0, len(payments))
	for _, p := range payments {
		texts = append(texts, fmt.Sprintf("%d of %s to %s", p.Amount, p.Token, p.Destination))
	}
	return texts
}

// pauseForeign pauses payouts because the treasury's key signed a transaction that the
// service did not request. It replaces an existing pause, so that an agreement to end the
// earlier one doesn't end this one.
func (c *Service) pauseForeign(ctx context.Context, m treasury.Movement) error {
	c.core.Alarms.Raise(ctx, alarm.TreasuryForeign, m.Signature, "slot", m.Slot, "withdrawal", m.WithdrawalID, "failed", m.Failed, "payments", paymentTexts(m.Payments))
	_, err := setPayouts(ctx, c.core.Store.PayoutControls, audit.Record{ID: c.core.Entropy.ID(), At: c.core.Now()}, true,
		"the treasury signed "+m.Signature+", which is neither a payout nor an announced sweep")
	return err
}
