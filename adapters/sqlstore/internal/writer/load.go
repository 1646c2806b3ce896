package writer

import (
	"context"
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore/internal/accounts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payouts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/provider"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// loadBatch locks the wallets, takes the claims and reads what decisions see.
func (r *run) loadBatch(ctx context.Context) error {
	load := r.loadAtOnce
	if !r.onlyWalletsLocked() {
		load = r.loadAfterLocks
	}
	if err := load(ctx); err != nil {
		return err
	}
	r.compares.closeIfRestored(r.batch)
	if err := r.findHolders(ctx); err != nil {
		return err
	}
	if err := r.batch.Answered(); err != nil {
		return err
	}
	if err := r.enterEpoch(ctx); err != nil {
		return err
	}
	return r.loadPayouts(ctx)
}

// enterEpoch places the batch after the lane's newest block, in the present epoch. Where
// the epoch has not begun in the lane, whoever begins it is at it, and the batch is
// refused: its block would have a number that is about to be left out.
func (r *run) enterEpoch(ctx context.Context) error {
	state := r.batch.Control
	// What the writer knew, or read before the control state, may be of an earlier one.
	if r.previous.Epoch != state.Epoch && (r.previous.Seq > 0 || state.Epoch > 1) {
		chain.AskHead(&r.batch.Asks, r.lane, &r.previous)
		if err := r.sendStatements(ctx); err != nil {
			return err
		}
	}
	// An empty lane is new: every other one has the epoch's first block before the
	// service opens again.
	if r.previous.Epoch != state.Epoch && (r.previous.Seq > 0 || state.Epoch > 1 && state.Restored != nil) {
		r.closed = control.ErrNotBegun
	}
	r.batch.Head = hashchain.Head{Lane: r.previous.Lane, Seq: r.previous.Seq + 1}
	r.batch.Content.Epoch = state.Epoch
	return nil
}

// loadAtOnce asks everything in one exchange, as most batches can: each statement
// sees what was committed before it began, and those that read come after the one
// that locks. What was read of a wallet that could not be locked is never looked at.
func (r *run) loadAtOnce(ctx context.Context) error {
	open := r.askLocks()
	r.askViews()
	if err := r.sendStatements(ctx); err != nil {
		return err
	}
	late, err := r.lockMissing(ctx, open)
	if err != nil || !late {
		return err
	}
	r.askViews() // what was read before the lock is old
	return r.sendStatements(ctx)
}

// loadAfterLocks locks all wallets before anything else. Whatever else is locked
// comes after all of them, and what there is to lock of these may only be known by a
// second look: claims that have rows, agents' accounts, providers' hours, roles and the
// guard of votes wait for it.
func (r *run) loadAfterLocks(ctx context.Context) error {
	open := r.askLocks()
	if err := r.sendStatements(ctx); err != nil {
		return err
	}
	if _, err := r.lockMissing(ctx, open); err != nil {
		return err
	}
	if err := r.lockShared(ctx); err != nil {
		return err
	}
	r.askViews()
	return r.sendStatements(ctx)
}

// askViews asks for claims, for where the lane stands, for blocks that must be there, and
// for what items need.
func (r *run) askViews() {
	r.askKeys()
	r.askHead()
	r.askDoubts()
	r.compares.askForBlocks(r.batch)
	items := make([]*player.Item, len(r.entries))
	for i, e := range r.entries {
		items[i] = e.item
	}
	r.batch.AskViews(items)
}

// askHead asks where the lane stands, unless the writer knows.
func (r *run) askHead() {
	if known := r.writer.head; known != nil && known.Lane == r.lane {
		r.previous = *known
		return
	}
	chain.AskHead(&r.batch.Asks, r.lane, &r.previous)
}

// onlyWalletsLocked reports whether wallets are all that is locked before the
// decisions.
func (r *run) onlyWalletsLocked() bool {
	for _, e := range r.entries {
		if n := e.item.Needs; len(n.Funds) > 0 || len(n.Hours) > 0 || len(n.Roles) > 0 || n.Votes != nil {
			return false
		}
		for _, c := range e.item.Keys {
			if !ownRow(batch.KeyOf(c)) {
				return false
			}
		}
	}
	return true
}

// askLocks asks for the rows of all wallets, sorted. It returns the wallets that
// are not locked, of which none is left when all answers are there.
func (r *run) askLocks() (open map[wallet.Address]struct{}) {
	open = map[wallet.Address]struct{}{}
	if r.store.locks[r.wait] == nil { // the transaction alone locks all of them
		return open
	}
	r.batch.Locked = make(map[wallet.Address]player.Player, len(r.entries))
	for _, e := range r.entries {
		if e.item.Wallet != "" {
			open[e.item.Wallet] = struct{}{}
		}
	}
	r.askLock(r.store.locks[r.wait], accounts.KeysOf(open), open)
	return open
}

func (r *run) askLock(q *db.Query, wallets [][]any, open map[wallet.Address]struct{}) {
	r.batch.Ask("lock wallets", q, wallets, func(row db.Row) error {
		p, err := accounts.Players.Scan(row)
		r.batch.Locked[p.Wallet] = p
		delete(open, p.Wallet)
		return err
	})
}

// lockMissing locks wallets that are not there yet, or now are: late says that
// something of it was locked. Entries whose wallet was missed leave the run.
func (r *run) lockMissing(ctx context.Context, open map[wallet.Address]struct{}) (late bool, err error) {
	if len(open) == 0 {
		return false, nil
	}
	before, unknown := len(r.batch.Locked), map[wallet.Address]struct{}{}
	for w := range open {
		if !r.store.contended.Contains(w) {
			unknown[w] = struct{}{}
		}
	}
	r.askLock(accounts.AddWallets, accounts.KeyedWallets(unknown), unknown)
	// A row that another makes at the same moment is found by the second look.
	r.askLock(r.store.locks[r.wait], accounts.KeysOf(unknown), unknown)
	if err := r.sendStatements(ctx); err != nil {
		return false, err
	}
	for w := range unknown {
		r.store.contended.Add(w, struct{}{})
	}
	maps.DeleteFunc(open, func(w wallet.Address, _ struct{}) bool {
		_, locked := r.batch.Locked[w]
		return locked
	})
	kept := make([]*entry, 0, len(r.entries))
	for _, e := range r.entries {
		if _, e.missed = open[e.item.Wallet]; !e.missed {
			kept = append(kept, e)
		}
	}
	r.entries = kept
	return len(r.batch.Locked) > before, nil
}

// lockShared locks the agents' accounts and then the providers' hours that items ask for,
// after all wallets and in one order, and reads them under the lock. They are waited for:
// whoever holds one is at its claims already, and commits.
func (r *run) lockShared(ctx context.Context) error {
	funds, hours := map[agent.FundsRef]struct{}{}, map[seamless.HourRef]struct{}{}
	for _, e := range r.entries {
		for _, ref := range e.item.Needs.Funds {
			funds[ref] = struct{}{}
		}
		for _, ref := range e.item.Needs.Hours {
			hours[ref] = struct{}{}
		}
	}
	if len(funds)+len(hours) == 0 {
		return nil
	}
	allFunds := slices.SortedFunc(maps.Keys(funds), agent.FundsRef.Compare)
	allHours := slices.SortedFunc(maps.Keys(hours), seamless.HourRef.Compare)
	look := func() (missing bool, err error) {
		r.store.shared.AskFunds(r.batch, allFunds)
		r.store.shared.AskHours(r.batch, allHours)
		err = r.sendStatements(ctx)
		return len(r.batch.Funds) != len(allFunds) || len(r.batch.Hours) != len(allHours), err
	}
	missing, err := look()
	if err != nil || !missing {
		return err
	}
	// A row is made by the first that asks for it. Two who make several at once may meet
	// crosswise: the database ends one of them, which is run again.
	provider.AddFunds(r.batch, missingOf(allFunds, r.batch.Funds))
	provider.AddHours(r.batch, missingOf(allHours, r.batch.Hours))
	if missing, err = look(); err == nil && missing {
		err = db.Wrap("lock what items share", db.ErrRowsLost)
	}
	return err
}

// missingOf are the keys that have no row yet.
func missingOf[K comparable, V any](keys []K, there map[K]V) []K {
	return slices.DeleteFunc(slices.Clone(keys), func(key K) bool {
		_, found := there[key]
		return found
	})
}

// loadPayouts locks the payout controls and reads them for the entries that sign payouts.
func (r *run) loadPayouts(ctx context.Context) error {
	for _, e := range r.entries {
		q := e.item.Needs.Payouts
		if held, err := r.heldAgainst(e); q.WithdrawalID == "" || held != nil || err != nil {
			continue
		}
		if len(r.batch.Payouts) == 0 {
			table.LockGuard(&r.batch.Asks, payouts.PayoutsGuard)
			if err := r.sendStatements(ctx); err != nil {
				return err
			}
		}
		controls, err := payouts.ReadPayoutState(ctx, r.store.db.Dialect, r.tx.Session(), q, r.batch.Now)
		if err != nil {
			return err
		}
		r.batch.Payouts[q.WithdrawalID] = controls
	}
	return nil
}
