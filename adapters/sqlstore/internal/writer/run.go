package writer

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/witness"
)

// run is a batch in one transaction.
type run struct {
	writer  *Writer
	store   *Store
	tx      db.Tx
	entries []*entry
	// results are the results of the entries, by index.
	results []result
	keys    map[batch.KeyName]*takenKey
	// taken are the claims that this run took.
	taken map[batch.KeyName]bool
	batch *batch.Batch
	// wait says that locks are waited for; without it, entries whose wallet is locked elsewhere
	// are missed.
	wait bool
	lane int
	// previous is the lane's newest block before the batch.
	previous hashchain.Link
	// closed refuses every item: the lane is not in the current epoch.
	closed error
	// sealed is the block that the run writes, nil if it needs none.
	sealed *witness.Head
	// block is that block with its tree, for receipts.
	block *hashchain.Sealed
	// found are the blocks that have the numbers of blocks in doubt.
	found []hashchain.Head
	// needsMore says that a decision needs more than was read.
	needsMore bool
	// compares compares the database with the outside records.
	compares comparison
}

func newRun(w *Writer, tx db.Tx, entries []*entry, lane int, wait bool) *run {
	for _, e := range entries {
		e.missed = false
	}
	return &run{
		writer: w, store: w.store, tx: tx, entries: entries, lane: lane, wait: wait,
		results: make([]result, len(entries)), batch: batch.NewBatch(w.store.rows, w.names),
	}
}

func nameOf(writerID string, number int64) string {
	return writerID + "/" + strconv.FormatInt(number, 10)
}

func (r *run) sendStatements(ctx context.Context) error { return r.tx.Send(ctx, &r.batch.Asks) }

// upToCommit runs the batch up to its commit, in the order that every writer uses: wallets,
// agents' funds, claims, views, decisions, rows, lane rows. The remaining writes are sent with
// the commit. It reports false if there is nothing to commit.
func (r *run) upToCommit(ctx context.Context) (changed bool, err error) {
	if err := r.loadBatch(ctx); err != nil {
		return false, err
	}
	for i := range r.entries {
		r.decideEntry(ctx, i)
	}
	if r.needsMore {
		return false, errNeedsMore
	}
	if r.batch.Changes == 0 {
		return false, nil
	}
	if err := r.writeKeys(); err != nil {
		return false, err
	}
	if err := r.batch.WriteRows(); err != nil {
		return false, err
	}
	if !r.batch.Covered() {
		return true, nil
	}
	r.block = hashchain.Seal(r.previous.Head, r.batch.Content)
	head, err := chain.Seal(&r.batch.Asks, r.batch.Seals, r.block.Header)
	r.batch.Head, r.sealed = head, &witness.Head{Head: head, Epoch: r.batch.Content.Epoch}
	return true, err
}

// coveredItems returns how many items the run's block covers; 0 if it needs no block.
func (r *run) coveredItems() int {
	if r.sealed == nil {
		return 0
	}
	return len(r.entries)
}

// newestBlock returns the newest block of the lane after the run.
func (r *run) newestBlock() hashchain.Link {
	if r.sealed == nil {
		return r.previous
	}
	return hashchain.Link{Head: r.sealed.Head, Epoch: r.sealed.Epoch}
}

// decideEntry finds the result of the i-th entry: from a claim that is already held, or, unless
// the service is closed for it, by its decision on the wallet's state after the entries before
// it.
func (r *run) decideEntry(ctx context.Context, i int) {
	e := r.entries[i]
	if held, err := r.heldAgainst(e); held != nil || err != nil {
		r.results[i] = result{err: err}
		if held != nil {
			r.results[i].receipt = *held
		}
		return
	}
	if r.closed != nil {
		r.results[i] = result{err: r.closed}
		return
	}
	if closed := r.batch.Control.Open(); closed != nil && !e.item.WhileRestored {
		r.results[i] = result{err: closed}
		return
	}
	if broken := r.batch.Wallets[e.item.Wallet].Broken; broken != nil {
		r.results[i] = result{err: broken}
		return
	}
	content := &r.batch.Content
	round, events := len(content.Rounds), len(content.Events)
	change, err := r.runDecision(ctx, e)
	if more, missing := player.MissingNeeds(err); missing && e.asked < player.NeedsTries {
		e.asked++
		e.item.Needs = e.item.Needs.With(more)
		r.needsMore = true
		return
	}
	if err != nil {
		if fault.KindOf(err) == fault.Internal {
			r.writer.options.Logger.ErrorContext(ctx, "an item could not be decided",
				"wallet", string(e.item.Wallet), "claim", e.item.Keys[0].ID, "error", err.Error())
		}
		r.results[i] = result{err: err}
		return
	}
	r.results[i] = result{receipt: player.Receipt{Change: change}, round: round, events: events, eventsEnd: len(content.Events)}
	r.holdClaims(e, &r.results[i].receipt.Change)
}

// runDecision runs the entry's decision and stages its change. A decision that panics, or makes
// an invalid change, fails alone: the panic is caught before anything is staged.
func (r *run) runDecision(ctx context.Context, e *entry) (change player.Change, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			r.writer.options.Logger.ErrorContext(ctx, "a decision panicked",
				"wallet", string(e.item.Wallet), "panic", fmt.Sprint(broken), "stack", string(debug.Stack()))
			err = db.Defect("a decision panicked")
		}
	}()
	step := &r.writer.step
	r.batch.Look(step, e.item)
	if step.Change, err = e.item.Decide(step.Seen); err != nil {
		return player.Change{}, err
	}
	if err := r.batch.Accept(step); err != nil {
		return player.Change{}, err
	}
	return step.Change, nil
}

// publishResults copies the run's results to the entries.
func (r *run) publishResults() {
	content := &r.batch.Content
	rounds, events := content.RoundIndex(0), content.EventIndex(0)
	for i, e := range r.entries {
		e.result = &r.results[i]
		if made := e.result; r.block != nil && made.err == nil && !made.receipt.Replayed {
			made.receipt.Covered = player.Covered{
				Block: r.block, Round: rounds + made.round, Events: content.Events[made.events:made.eventsEnd], Event: events + made.events,
			}
		}
	}
}

// rememberDoubtful keeps the decisions of a run with its commit in doubt.
func (r *run) rememberDoubtful() {
	for i, e := range r.entries {
		a := &r.results[i]
		if a.err != nil {
			continue
		}
		e.unknown = true
		if !a.receipt.Replayed {
			e.first = &a.receipt
		}
	}
}
