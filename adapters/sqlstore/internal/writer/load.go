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

// loadBatch locks the wallets, takes the claims and reads what decisions need.
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

// enterEpoch places the batch after the lane's newest block, in the current epoch. If the epoch
// has not begun in the lane, its beginning is in progress and the batch is refused: its block
// would have a number that is about to be skipped.
func (r *run) enterEpoch(ctx context.Context) error {
	state := r.batch.Control
	// A link that was cached, or read before the control state, may be of an earlier epoch.
	if r.previous.Epoch != state.Epoch && (r.previous.Seq > 0 || state.Epoch > 1) {
		chain.AskHead(&r.batch.Asks, r.lane, &r.previous)
		if err := r.sendStatements(ctx); err != nil {
			return err
		}
	}
	// An empty lane is new: all others have the epoch's first block before the service opens
	// again.
	if r.previous.Epoch != state.Epoch && (r.previous.Seq > 0 || state.Epoch > 1 && state.Restored != nil) {
		r.closed = control.ErrNotBegun
	}
	r.batch.Head = hashchain.Head{Lane: r.previous.Lane, Seq: r.previous.Seq + 1}
	r.batch.Content.Epoch = state.Epoch
	return nil
}

// loadAtOnce sends all queries in one exchange, which most batches allow: each statement sees
// what was committed before it began, and reads come after the lock. Data of a wallet that could
// not be locked is not used.
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
	r.askViews() // data read before the lock is stale
	return r.sendStatements(ctx)
}

// loadAfterLocks locks all wallets first. Other locks come after all wallets, and only a second
// query may show which wallets exist: therefore claims with rows, agents' accounts, providers'
// hours, roles and the guard of votes wait.
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

// askViews queries the claims, the lane's head, blocks that must exist, and the data items need.
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

// askHead queries the lane's head, unless the writer knows it.
func (r *run) askHead() {
	if known := r.writer.head; known != nil && known.Lane == r.lane {
		r.previous = *known
		return
	}
	chain.AskHead(&r.batch.Asks, r.lane, &r.previous)
}

// onlyWalletsLocked reports whether wallets are the only rows locked before the decisions.
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

// askLocks queries the rows of all wallets, sorted, with a lock. It returns the wallets that are
// not locked, a map that is empty once all are found.
func (r *run) askLocks() (open map[wallet.Address]struct{}) {
	open = map[wallet.Address]struct{}{}
	if r.store.locks[r.wait] == nil { // the transaction itself locks all of them
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

// lockMissing locks wallets that didn't exist, or do now; late says that it locked some. Entries
// whose wallet was missed leave the run.
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
	// The second query finds a row that another transaction inserts at the same moment.
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

// lockShared locks the agents' accounts and then the providers' hours of the items, after all
// wallets and in a fixed order, and reads them. It waits for the locks: their holders already
// take claims and will soon commit.
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
	// The first item that needs a row inserts it. Two batches that insert several may deadlock:
	// the database ends one of them, which is run again.
	provider.AddFunds(r.batch, missingOf(allFunds, r.batch.Funds))
	provider.AddHours(r.batch, missingOf(allHours, r.batch.Hours))
	if missing, err = look(); err == nil && missing {
		err = db.Wrap("lock what items share", db.ErrRowsLost)
	}
	return err
}

// missingOf returns the keys that have no row yet.
func missingOf[K comparable, V any](keys []K, there map[K]V) []K {
	return slices.DeleteFunc(slices.Clone(keys), func(key K) bool {
		_, found := there[key]
		return found
	})
}

// loadPayouts locks and reads the payout controls for the entries that sign payouts.
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
