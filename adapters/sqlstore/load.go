package sqlstore

import (
	"context"
	"maps"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// addWallets makes the rows of wallets that were never seen before; a new row is
// its transaction's own until that ends.
var addWallets = insert("players", "ON CONFLICT DO NOTHING RETURNING wallet, agent, created_at, sessions_from", "wallet")

// load locks the wallets, takes the claims and reads what decisions see.
//
// Most batches ask all of it at once: each statement sees what was committed
// before it began, and those that read come after the one that locks. What was
// read of a wallet that could not be locked is never looked at. Whatever else is
// locked comes after all wallets, though, and what there is to lock of these may
// only be known by a second look: claims that have rows, operators' accounts, roles
// and the guard of yeses wait for it.
func (r *run) load(ctx context.Context) error {
	atOnce := r.atOnce()
	open := r.askLocks()
	if !atOnce {
		if _, err := r.finishLocks(ctx, open); err != nil {
			return err
		}
		if err := r.lockFunds(ctx); err != nil {
			return err
		}
	}
	r.askRest()
	if atOnce {
		late, err := r.finishLocks(ctx, open)
		if err != nil {
			return err
		}
		if late {
			r.askRest() // what was read before the lock is old
		}
	}
	if err := r.send(ctx); err != nil {
		return err
	}
	r.head = hashchain.Head{Lane: r.previous.Lane, Seq: r.previous.Seq + 1}
	if err := r.findHolders(ctx); err != nil {
		return err
	}
	if err := r.seePlayers(); err != nil {
		return err
	}
	if err := r.loadApprovals(ctx); err != nil {
		return err
	}
	return r.loadDesks(ctx)
}

func (r *run) askRest() {
	r.askClaims()
	r.askHead()
	r.askViews()
}

// atOnce reports whether wallets are all that is locked before the decisions.
func (r *run) atOnce() bool {
	for _, e := range r.entries {
		if n := e.item.Needs; len(n.Funds) > 0 || len(n.Roles) > 0 || n.Yeses != nil {
			return false
		}
		for _, c := range e.item.Claims {
			if !keyOf(c).ownRow() {
				return false
			}
		}
	}
	return true
}

// locks reports whether wallets have to be locked, where the transaction alone
// doesn't.
func (r *run) locks() bool { return r.store.locks[r.wait] != nil }

// askLocks asks for the rows of all wallets, sorted. It returns the wallets that
// are not locked, of which none is left when all answers are there.
func (r *run) askLocks() (open map[wallet.Address]struct{}) {
	open = map[wallet.Address]struct{}{}
	if !r.locks() {
		return open
	}
	r.locked = make(map[wallet.Address]player.Player, len(r.entries))
	for _, e := range r.entries {
		if e.item.Wallet != "" {
			open[e.item.Wallet] = struct{}{}
		}
	}
	r.askLock(r.store.locks[r.wait], open)
	return open
}

func (r *run) askLock(q *query, open map[wallet.Address]struct{}) {
	r.ask("lock wallets", q, sortedRows(open), func(row Row) error {
		p, err := scanPlayer(row)
		r.locked[p.Wallet] = p
		delete(open, p.Wallet)
		return err
	})
}

// finishLocks sends what is asked, the locks first, and locks what is not there
// yet, or now is: late says that something of it was locked. Entries whose wallet
// was missed leave the run.
func (r *run) finishLocks(ctx context.Context, open map[wallet.Address]struct{}) (late bool, err error) {
	if err := r.send(ctx); err != nil || len(open) == 0 {
		return false, err
	}
	before, unknown := len(r.locked), map[wallet.Address]struct{}{}
	for w := range open {
		if !r.store.contended.Contains(w) {
			unknown[w] = struct{}{}
		}
	}
	r.askLock(addWallets, unknown)
	// A row that another makes at the same moment is found by the second look.
	r.askLock(r.store.locks[r.wait], unknown)
	if err := r.send(ctx); err != nil {
		return false, err
	}
	for w := range unknown {
		r.store.contended.Add(w, struct{}{})
	}
	maps.DeleteFunc(open, func(w wallet.Address, _ struct{}) bool {
		_, locked := r.locked[w]
		return locked
	})
	kept := make([]*entry, 0, len(r.entries))
	for _, e := range r.entries {
		if _, e.missed = open[e.item.Wallet]; !e.missed {
			kept = append(kept, e)
		}
	}
	r.entries = kept
	return len(r.locked) > before, nil
}
