// Package recovery handles a restored database. Restoration detects that the database lacks
// committed blocks and closes the service. Recovery opens the service again with the data
// that the chain and the witnesses still have.
package recovery

import (
	"context"
	"slices"
	"time"

	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// RecoveryStore has the ports of the store that a recovery uses.
type RecoveryStore interface {
	ports.Writer
	ports.Players
	ports.Withdrawals
	ports.Controls
	ports.Recovery
	ports.TreasuryIndex
	ports.TreasuryReview
	ports.RoleLists
	ports.Agents
	ports.PayoutControls
	ports.CrashChains
	ports.CrashRounds
	ports.CrashLease
}

// RecoveryChain has the ports of the chain that a recovery uses.
type RecoveryChain interface {
	ports.TreasuryHistory
	ports.ChainHeights
}

// RecoveryOptions are the dependencies of a Recovery. All are required, unless noted.
type RecoveryOptions struct {
	Store       RecoveryStore
	Restoration *Restoration
	Chain       RecoveryChain
	Seals       ports.Authenticator
	Rotated     ports.RotatedSeals
	Policy      rbac.Policy
	// Restrictions are the places that keep restrictions; there may be none.
	Restrictions []NamedRestrictions
	Clock        ports.Clock
	Entropy      ports.Entropy
	// DrawnAt returns the time in an id, and false if the id has none.
	DrawnAt func(id string) (time.Time, bool)
	// Partial recovers although a witness can't be read. Block numbers that only this witness
	// knows may then be used again.
	Partial bool
	// PutBack recovers although no witness shows a restore, because the operator knows of
	// one. Heads were kept elsewhere, like public checkpoints; the next epoch begins above
	// them.
	PutBack bool
	Heads   []hashchain.Head
	// Watch begins the watch of tokens that the copy never watched; nil if nothing is
	// watched.
	Watch *deposits.WatchBeginning
	// By is the recovering admin, empty for the command line.
	By wallet.Address
}

// RecoveryStage is the stage of a recovery.
type RecoveryStage uint8

// Stages of a recovery, in order. After an interruption it starts again: it begins another
// epoch, and finds the rest of its earlier work done.
const (
	// Beginning: the next epoch begins, so that no number and no seed is used again.
	Beginning RecoveryStage = iota
	// Waiting: transactions signed before the epoch may still land.
	Waiting
	// Indexing: the treasury's transactions are read from the chain.
	Indexing
	// Settling: the ledger is brought in line with the chain.
	Settling
	// Restricting: restrictions made since the copy are restored, and the service is opened.
	Restricting
	// Recovered: the service is open.
	Recovered
)

// Recovery opens the service after its database was restored from an older copy. Nothing
// that players, providers or the chain know of the lost time happens a second time: the
// next epoch reuses no block number, seed or session, and every payout on chain is in the
// ledger before another is signed.
type Recovery struct {
	options RecoveryOptions
	stage   RecoveryStage
	heights ports.Heights // blocks to be finalized before the index is read; zero until known
	// open are the movements being explained. owners are the players by tag, empty for a tag
	// that matches no player.
	open   []treasury.Movement
	owners map[string]wallet.Address
	report RecoveryReport
}

// RecoveryReport is the findings and results of a recovery.
type RecoveryReport struct {
	Ledger   string
	Restored control.Restored
	// Lost are the heads that are kept outside but missing in the database.
	Lost []witness.Lost
	// Epoch is the new epoch, 0 in a plan.
	Epoch int64
	// Began are the blocks with which it began.
	Began []hashchain.Head
	// Payouts are on chain but were missing in the ledger.
	Payouts []RecoveredPayout
	// Unknown are payments of the treasury without a known player. Payouts are paused for
	// them once the service is open.
	Unknown []treasury.Movement
	// Watches are of tokens that the copy never watched. They begin at the state of the copy.
	Watches []deposits.BegunWatch
	// Roles is the result for the list of admins' roles, Restrictions the result for
	// restrictions made since the copy.
	Roles        RecoveredRoles
	Restrictions RecoveredRestrictions
	// Whole means that every witness could be read.
	Whole bool
}

// RecoveredPayout is a payout that is on chain but was missing in the ledger.
type RecoveredPayout struct {
	treasury.Movement
	Wallet wallet.Address
	// Was is the withdrawal's status in the database, empty if it was missing.
	Was withdrawal.Status
	// Owes is the player's resulting debt in its token.
	Owes money.Amount
}

// NewRecovery returns a Recovery at its first stage.
func NewRecovery(o RecoveryOptions) *Recovery { return &Recovery{options: o} }

// Report returns the findings and results so far.
func (r *Recovery) Report() RecoveryReport { return r.report }

// Stage returns the present stage.
func (r *Recovery) Stage() RecoveryStage { return r.stage }

// readKnown reads the known state into the report. It fails if the service isn't restored.
func (r *Recovery) readKnown(ctx context.Context) (Known, error) {
	known, err := r.options.Restoration.Known(ctx)
	if err != nil {
		return Known{}, err
	}
	if known.State.Restored == nil && !r.options.PutBack {
		return Known{}, errOpen
	}
	if known.State.Restored == nil {
		known.State.Restored = r.declaredRestored()
	}
	r.report.Ledger, r.report.Restored = known.State.Ledger, *known.State.Restored
	r.report.Lost, r.report.Whole = known.Lost, known.Whole
	return known, nil
}

// Plan returns what Step would find now, without changes. It misses signed transactions
// that land later.
func (r *Recovery) Plan(ctx context.Context) (RecoveryReport, error) {
	if _, err := r.readKnown(ctx); err != nil {
		return RecoveryReport{}, err
	}
	position, err := r.options.Store.IndexPosition(ctx)
	if err != nil {
		return RecoveryReport{}, err
	}
	var found []treasury.Movement
	for _, state := range unexplained {
		all, err := r.movementsIn(ctx, state)
		if err != nil {
			return RecoveryReport{}, err
		}
		found = append(found, all...)
	}
	for more := true; more; {
		page, err := r.options.Chain.Signed(ctx, position, payouts.LookPage)
		if err != nil {
			return RecoveryReport{}, err
		}
		for _, m := range page.Movements {
			if !slices.ContainsFunc(found, func(known treasury.Movement) bool { return known.Signature == m.Signature }) {
				found = append(found, m)
			}
		}
		position, more = page.Next, page.More
	}
	r.open = found
	for _, m := range found {
		if _, err := r.explainMovement(ctx, m, false); err != nil {
			return RecoveryReport{}, err
		}
	}
	if err := r.restrictAgain(ctx, false); err != nil {
		return RecoveryReport{}, err
	}
	if r.options.Watch != nil {
		if r.report.Watches, err = r.options.Watch.Missing(ctx); err != nil {
			return RecoveryReport{}, err
		}
	}
	return r.report, nil
}

// unexplained are the states of movements without a known reason.
var unexplained = [...]treasury.State{treasury.New, treasury.Foreign}

// movementsMax is the maximum number of unexplained movements in a recovery.
const movementsMax = 100_000

func (r *Recovery) movementsIn(ctx context.Context, state treasury.State) ([]treasury.Movement, error) {
	return r.options.Store.MovementsIn(ctx, state, movementsMax)
}

// Step does the next part of the recovery. It reports false if it must wait or has
// finished, see Stage.
func (r *Recovery) Step(ctx context.Context) (worked bool, err error) {
	switch r.stage {
	case Beginning:
		err = r.beginEpoch(ctx)
	case Waiting:
		return r.waitFinalized(ctx)
	case Indexing:
		return r.indexPage(ctx)
	case Settling:
		err = r.settleBooks(ctx)
	case Restricting:
		if err = r.restrictAgain(ctx, true); err == nil {
			err = r.options.Restoration.openService(ctx, r.options.By, r.report.summaryLine())
		}
	case Recovered:
		return false, nil
	}
	if err == nil {
		r.stage++
	}
	return err == nil, err
}

// beginEpoch begins the next epoch, even if an interrupted recovery already began one. That
// only costs a number, and no clock can tell whether the earlier epoch began before this
// loss.
func (r *Recovery) beginEpoch(ctx context.Context) error {
	known, err := r.readKnown(ctx)
	if err != nil {
		return err
	}
	if !known.Whole && !r.options.Partial {
		return errPartial
	}
	if err := r.declareRestored(ctx, known.State.Restored); err != nil {
		return err
	}
	if err := r.recoverCrashRounds(ctx); err != nil {
		return err
	}
	if r.options.Watch != nil { // before the index extends beyond that of the copy
		if r.report.Watches, err = r.options.Watch.Begin(ctx); err != nil {
			return err
		}
	}
	var epoch int64 // the highest known outside the database
	heads := make([]hashchain.Head, 0, len(known.Heads))
	for _, h := range known.Heads {
		heads = append(heads, r.headAbove(h.Head))
		epoch = max(epoch, h.Epoch)
	}
	heads = append(heads, r.options.Heads...)
	id, at := r.options.Entropy.ID(), kernel.Now(r.options.Clock)
	r.report.Began, err = r.options.Store.BeginEpoch(ctx, heads, func(state control.State) (control.State, *audit.Record, error) {
		if state.Restored == nil {
			return state, nil, errOpen
		}
		next := state.Next(at, epoch)
		r.report.Epoch = next.Epoch
		return next, &audit.Record{
			ID: id, Action: audit.EpochBegun, By: r.options.By, Target: state.Ledger, Before: state.Restored.From,
			After: state.Restored.To, At: at,
		}, nil
	})
	return err
}

// errPartial is retried by callers that wait for the witness.
var errPartial = fault.New(fault.Unavailable, "a witness can't be read, but it may know block numbers that were used since the copy")

// waitFinalized reports true once every earlier signed transaction is finalized or has
// expired.
func (r *Recovery) waitFinalized(ctx context.Context) (worked bool, err error) {
	heights, err := r.options.Chain.Heights(ctx)
	if err != nil {
		return false, err
	}
	if r.heights == (ports.Heights{}) {
		r.heights = heights // read after the epoch began, when nothing more is signed
	}
	if heights.Finalized <= r.heights.LastValid {
		return false, nil
	}
	r.stage++
	return true, nil
}

// Remaining returns the number of blocks to be finalized before the recovery continues.
func (r *Recovery) Remaining(ctx context.Context) (blocks uint64, err error) {
	heights, err := r.options.Chain.Heights(ctx)
	if err != nil || r.stage != Waiting || heights.Finalized > r.heights.LastValid {
		return 0, err
	}
	return r.heights.LastValid - heights.Finalized + 1, nil
}

// indexPage reads a page of the treasury's transactions.
func (r *Recovery) indexPage(ctx context.Context) (worked bool, err error) {
	from, err := r.options.Store.IndexPosition(ctx)
	if err != nil {
		return false, err
	}
	page, err := r.options.Chain.Signed(ctx, from, payouts.LookPage)
	if err != nil {
		return false, err
	}
	if err := r.options.Store.ExtendIndex(ctx, from.Cursor, page.Next, page.Movements); err != nil {
		if fault.Is(err, fault.InvalidState) {
			return true, nil // another instance was faster: continue after it
		}
		return false, err
	}
	if !page.More {
		r.stage++
	}
	return true, nil
}

// settleBooks brings the ledger in line with the chain.
func (r *Recovery) settleBooks(ctx context.Context) error {
	r.report.Payouts, r.report.Unknown = nil, nil
	for _, state := range unexplained {
		found, err := r.movementsIn(ctx, state)
		if err != nil {
			return err
		}
		r.open = found
		for _, m := range found {
			explained, err := r.explainMovement(ctx, m, true)
			if err == nil && explained {
				err = kernel.Overtaken(r.options.Store.Review(ctx, m.Signature, state, treasury.Explained))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// String describes the present work.
func (s RecoveryStage) String() string {
	switch s {
	case Beginning:
		return "beginning the next epoch"
	case Waiting:
		return "waiting until earlier transactions land or expire"
	case Indexing:
		return "reading the treasury's transactions"
	case Settling:
		return "bringing the ledger in line with the chain"
	case Restricting:
		return "restoring restrictions made since the copy"
	case Recovered:
	}
	return "recovered"
}
