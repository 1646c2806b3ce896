// Package recovery finds out that the database went back to an earlier moment and closes the
// service (Restoration), and opens it again with what the chain and the witnesses still know
// (Recovery).
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

// RecoveryStore is what a recovery reads and writes.
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
}

// RecoveryChain is what a recovery asks the chain.
type RecoveryChain interface {
	ports.TreasuryHistory
	ports.ChainHeights
}

// RecoveryOptions are what a Recovery is made of. All are required.
type RecoveryOptions struct {
	Store       RecoveryStore
	Restoration *Restoration
	Chain       RecoveryChain
	Seals       ports.Authenticator
	Rotated     ports.RotatedSeals
	Policy      rbac.Policy
	// Restrictions are the places that keep what was forbidden; there may be none.
	Restrictions []NamedRestrictions
	Clock        ports.Clock
	Entropy      ports.Entropy
	// DrawnAt returns the moment that an id tells, and false for one that tells none.
	DrawnAt func(id string) (time.Time, bool)
	// Partial recovers although a witness can't be read. What that one alone knows isn't
	// left out then: a number of a block may be used again.
	Partial bool
	// PutBack recovers although nothing kept outside says that the database went back,
	// because somebody knows. Heads are those that were kept elsewhere, as the public
	// checkpoints are: the next epoch begins above them.
	PutBack bool
	Heads   []hashchain.Head
	// Watch begins the watch of tokens that the copy never saw; nil where nobody watches.
	Watch *deposits.WatchBeginning
	// By is the admin who recovers, empty for the command line.
	By wallet.Address
}

// RecoveryStage is how far a recovery came.
type RecoveryStage uint8

// The stages of a recovery, in their order. One that was broken off is begun anew: it
// begins an epoch of its own, and finds done what was done of the rest.
const (
	// Beginning: the next epoch begins, so that no number and no seed is used again.
	Beginning RecoveryStage = iota
	// Waiting: what was signed before the epoch may still land.
	Waiting
	// Indexing: what the treasury signed is read from the chain.
	Indexing
	// Settling: the books are brought to what the chain shows.
	Settling
	// Restricting: what was forbidden since the copy was made is forbidden again, and the
	// service is opened.
	Restricting
	// Recovered: the service is open.
	Recovered
)

// Recovery opens a service again whose database went back to an older copy. Nothing that
// players, providers or the chain know of the lost time happens a second time: the next
// epoch uses no number of a block, no seed and no session again, and every payout that
// the chain shows is in the books before one more is signed.
type Recovery struct {
	options RecoveryOptions
	stage   RecoveryStage
	heights ports.Heights // what must be finalized before the index is read; zero until asked
	// open are the movements that are being explained, owners the players whose tags were
	// looked for, empty of a tag that fits nobody.
	open   []treasury.Movement
	owners map[string]wallet.Address
	report RecoveryReport
}

// RecoveryReport is what a recovery found and did.
type RecoveryReport struct {
	Ledger   string
	Restored control.Restored
	// Lost are the heads that are kept outside and that the database doesn't have.
	Lost []witness.Lost
	// Epoch is the one that began, 0 in a plan.
	Epoch int64
	// Began are the blocks that it began with.
	Began []hashchain.Head
	// Payouts are those that the chain shows and the books didn't.
	Payouts []RecoveredPayout
	// Unknown are payments of the treasury's that nobody can be named for. Payouts are
	// paused for them once the service is open.
	Unknown []treasury.Movement
	// Watches are of tokens that the copy never saw watched, and begin where it was made.
	Watches []deposits.BegunWatch
	// Roles is what becomes of the list of admins' roles, Restrictions of what was
	// forbidden since the copy was made.
	Roles        RecoveredRoles
	Restrictions RecoveredRestrictions
	// Whole says that every witness could be read.
	Whole bool
}

// RecoveredPayout is a payout that the chain shows and the books didn't.
type RecoveredPayout struct {
	treasury.Movement
	Wallet wallet.Address
	// Was is the withdrawal's status in the database, empty of one that it didn't have.
	Was withdrawal.Status
	// Owes is what the player owes in its token after it.
	Owes money.Amount
}

// NewRecovery returns one at its beginning.
func NewRecovery(o RecoveryOptions) *Recovery { return &Recovery{options: o} }

// Report returns what was found and done so far.
func (r *Recovery) Report() RecoveryReport { return r.report }

// Stage returns how far it came.
func (r *Recovery) Stage() RecoveryStage { return r.stage }

// readKnown notes what is known, and refuses where there is nothing to recover from.
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

// Plan returns what Step would find now, and changes nothing. What is signed already and
// lands later isn't in it.
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

// unexplained are the states of movements whose reason isn't known.
var unexplained = [...]treasury.State{treasury.New, treasury.Foreign}

// movementsMax is how many movements without a reason a recovery looks at.
const movementsMax = 100_000

func (r *Recovery) movementsIn(ctx context.Context, state treasury.State) ([]treasury.Movement, error) {
	return r.options.Store.MovementsIn(ctx, state, movementsMax)
}

// Step does the next part of the recovery. It reports false when there is nothing to do
// but to wait, or nothing any more: see Stage.
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

// beginEpoch begins the next epoch. It does so also where a recovery that was broken off had
// begun one: that costs a number, and no clock can say whether that one was begun before
// this loss or after it.
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
	if r.options.Watch != nil { // before the index reaches further than the copy did
		if r.report.Watches, err = r.options.Watch.Begin(ctx); err != nil {
			return err
		}
	}
	var epoch int64 // the greatest known from outside
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

// errPartial is retried by who waits for the witness to come back.
var errPartial = fault.New(fault.Unavailable, "a witness can't be read: it may know numbers that were used since")

// waitFinalized reports true once whatever was signed before has landed, finalized, or never will.
func (r *Recovery) waitFinalized(ctx context.Context) (worked bool, err error) {
	heights, err := r.options.Chain.Heights(ctx)
	if err != nil {
		return false, err
	}
	if r.heights == (ports.Heights{}) {
		r.heights = heights // those after the epoch began: nothing is signed by then
	}
	if heights.Finalized <= r.heights.LastValid {
		return false, nil
	}
	r.stage++
	return true, nil
}

// Remaining is how many blocks are to be finalized before it goes on.
func (r *Recovery) Remaining(ctx context.Context) (blocks uint64, err error) {
	heights, err := r.options.Chain.Heights(ctx)
	if err != nil || r.stage != Waiting || heights.Finalized > r.heights.LastValid {
		return 0, err
	}
	return r.heights.LastValid - heights.Finalized + 1, nil
}

// indexPage reads a page of what the treasury signed.
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
			return true, nil // another one was faster: go on from there
		}
		return false, err
	}
	if !page.More {
		r.stage++
	}
	return true, nil
}

// settleBooks brings the books to what the chain shows.
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

// String says what is being done.
func (s RecoveryStage) String() string {
	switch s {
	case Beginning:
		return "beginning the next epoch"
	case Waiting:
		return "waiting until nothing that was signed before can land"
	case Indexing:
		return "reading what the treasury signed"
	case Settling:
		return "bringing the books to what the chain shows"
	case Restricting:
		return "forbidding again what was forbidden since"
	case Recovered:
	}
	return "recovered"
}
