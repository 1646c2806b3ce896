package doctor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/operations"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// nodeHead is the newest finalized block that a node named, and when it was asked.
type nodeHead struct {
	slot        uint64
	made        time.Time
	asked, told time.Time
}

const (
	// slotsPerHour is how many slots Solana has in an hour, of 0.4 s each.
	slotsPerHour = 9000
	// keptLeast is for how long a node should keep blocks: an outage of the service that is
	// longer leaves deposits that the node can't show any more.
	keptLeast = 24 * slotsPerHour
)

// checkNode asks one node. It notes the newest block for the comparisons of the second phase.
func (d *doctor) checkNode(ctx context.Context, i int) []Finding {
	name := fmt.Sprint("node ", i+1)
	var treasury solana.Signer = solana.WatchOnly(wallet.Address(money.SOL)) // any address, if none is set
	if d.plan.Treasury != nil {
		treasury = d.plan.Treasury
	}
	node, err := solana.New(solana.Config{RPC: d.plan.RPC[i].Reveal(), Treasury: treasury})
	if err != nil {
		return fault(name, err, "Correct the entry in CASINO_SOLANA_RPC_URLS.")
	}
	defer node.Close()
	genesis, err := node.Genesis(ctx)
	switch {
	case err != nil:
		return fault(name, err, "Start the node, or name another one in CASINO_SOLANA_RPC_URLS.")
	case genesis != d.plan.Genesis:
		return fault(name, fmt.Errorf("its genesis hash is %s, CASINO_SOLANA_GENESIS is %s", genesis, d.plan.Genesis),
			"Name a node of the right chain in CASINO_SOLANA_RPC_URLS, or correct CASINO_SOLANA_GENESIS.")
	}
	h := nodeHead{asked: d.Machine.Now()}
	if h.slot, h.made, err = node.Head(ctx); err != nil {
		return fault(name, err, "Repair the node, or name another one in CASINO_SOLANA_RPC_URLS.")
	}
	h.told = d.Machine.Now()
	d.mu.Lock()
	d.heads[i] = h
	d.mu.Unlock()
	if err := node.Healthy(ctx); err != nil {
		return fault(name, err, "Wait until the node has caught up, or name another one in CASINO_SOLANA_RPC_URLS.")
	}
	first, err := node.FirstBlock(ctx)
	if err != nil {
		return fault(name, err, "Name a node in CASINO_SOLANA_RPC_URLS that answers getFirstAvailableBlock.")
	}
	kept := h.slot - min(first, h.slot)
	found := fmt.Sprintf("right chain, healthy, slot %d, answers in %s, has blocks since slot %d (%.1f h)",
		h.slot, h.told.Sub(h.asked).Round(time.Millisecond), first, float64(kept)/slotsPerHour)
	if first > 1 && kept < keptLeast {
		return warning(name, found, "Have the node keep a day of blocks (--limit-ledger-size), or name one that does: a longer outage leaves deposits that it can't show.")
	}
	return ok(name, "%s", found)
}

// readHeads returns the newest blocks of the nodes that answered.
func (d *doctor) readHeads() map[int]nodeHead {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.heads)
}

// compareNodes compares the nodes' newest slots.
func (d *doctor) compareNodes(context.Context) []Finding {
	const name = "nodes"
	heads := d.readHeads()
	if len(heads) < 2 {
		return skipped(name, fmt.Sprintf("%d nodes answer, two are compared", len(heads)), "Name nodes of two providers in CASINO_SOLANA_RPC_URLS.")
	}
	newest := slices.MaxFunc(slices.Collect(maps.Values(heads)), func(a, b nodeHead) int { return cmp.Compare(a.slot, b.slot) }).slot
	var found []Finding
	furthest := uint64(0)
	for _, i := range slices.Sorted(maps.Keys(heads)) {
		behind := newest - heads[i].slot
		if furthest = max(furthest, behind); behind > solana.LagMax {
			found = append(found, warning(name, fmt.Sprintf("node %d is %d slots behind the newest, slot %d", i+1, behind, newest),
				fmt.Sprintf("Repair node %d, or name another one in its place in CASINO_SOLANA_RPC_URLS.", i+1))...)
		}
	}
	if len(found) == 0 {
		return ok(name, "%d nodes answer, the last one is %d slots behind the first", len(heads), furthest)
	}
	return found
}

// setClock is the remedy for a wrong clock.
const setClock = "Run chrony or NTP on this machine and on the other one, and see which clock is wrong."

// checkChainClock compares this machine's clock with the newest block of any node.
func (d *doctor) checkChainClock(context.Context) []Finding {
	const name = "clock chain"
	heads := slices.Collect(maps.Values(d.readHeads()))
	if len(heads) == 0 {
		return skipped(name, "no node answers", "Repair what the lines about the nodes name.")
	}
	newest := slices.MaxFunc(heads, func(a, b nodeHead) int { return a.made.Compare(b.made) })
	apart := operations.ClockDifference("the newest finalized block", newest.made, newest.asked.Add(-operations.ChainLag), newest.told, kernel.ClockBoundDefault)
	if apart != "" {
		return fault(name, fmt.Errorf("%s, at most %s ahead or %s behind is right", apart, kernel.ClockBoundDefault, kernel.ClockBoundDefault+operations.ChainLag), setClock)
	}
	return ok(name, "the newest finalized block is %s old", newest.told.Sub(newest.made).Round(time.Second))
}

// checkDatabaseClock compares this machine's clock with the database's.
func (d *doctor) checkDatabaseClock(ctx context.Context) []Finding {
	const name = "clock database"
	return d.withStore(name, func(store *sqlstore.Store) ([]Finding, error) {
		asked := d.Machine.Now()
		stored, err := store.StoreTime(ctx)
		if err != nil {
			return nil, err
		}
		told := d.Machine.Now()
		if apart := operations.ClockDifference("the database's clock", stored, asked, told, kernel.ClockBoundDefault); apart != "" {
			return fault(name, fmt.Errorf("%s, at most %s is right", apart, kernel.ClockBoundDefault), setClock), nil
		}
		apart := max(asked.Sub(stored), stored.Sub(told), 0).Round(time.Millisecond)
		if d.API.Crash.On() && apart > sharedcrash.ClockMost {
			return warning(name, fmt.Sprintf("%s apart: above %s this instance refuses cash-outs by hand", apart, sharedcrash.ClockMost), setClock), nil
		}
		return ok(name, "%s apart, within the %s of an exchange", apart, told.Sub(asked).Round(time.Microsecond)), nil
	})
}
