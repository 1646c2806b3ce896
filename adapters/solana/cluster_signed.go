package solana

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/ports"
)

// Signed lists the transactions that the treasury signed, as confirmed by two nodes. It
// merges the lists of all nodes, up to the slot where two of them are complete, so one node
// can't hide a payment. The signatures themselves prove that a transaction was not signed
// by the treasury, so one node suffices for those. Signed ones need two nodes that show the
// same; until then there is no page.
func (c *Cluster) Signed(ctx context.Context, from treasury.Position, limit int) (ports.TreasuryPage, error) {
	return signedPage(ctx, from, limit, &c.backlogs,
		func(ctx context.Context, begin place) (backlog, error) {
			return c.treasuryBacklog(ctx, begin, from.Cursor == "")
		},
		func(ctx context.Context, entry ports.HistoryEntry) (lookedAt, error) {
			return c.looked.lookUpOnce(entry.Signature, func() (lookedAt, error) { return c.lookAt(ctx, entry) })
		})
}

// treasuryBacklog returns the union of the nodes' lists, up to the slot where two are
// complete.
func (c *Cluster) treasuryBacklog(ctx context.Context, begin place, first bool) (backlog, error) {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (backlog, error) { return n.treasuryBacklog(ctx, begin, first) })
	if err := permanentError(replies); err != nil {
		return backlog{}, err
	}
	var listed []backlog
	for _, r := range replies {
		if r.err == nil {
			listed = append(listed, r.answer)
		}
	}
	if len(listed) < quorum {
		return backlog{}, joinErrors(replies)
	}
	slices.SortFunc(listed, func(a, b backlog) int { return cmp.Compare(b.completeUntil(), a.completeUntil()) })
	second := listed[quorum-1]
	all := backlog{tip: second.completeUntil(), made: second.made, cut: second.cut, since: secondEarliest(listed)}
	known := map[string]ports.HistoryEntry{}
	for _, l := range listed {
		for _, entry := range l.entries {
			other, twice := known[entry.Signature]
			if twice && other != entry {
				return backlog{}, disagreementError("transaction " + entry.Signature)
			}
			if known[entry.Signature] = entry; !twice && entry.Slot <= all.tip {
				all.entries = append(all.entries, entry)
			}
		}
	}
	slices.SortFunc(all.entries, func(a, b ports.HistoryEntry) int {
		return cmp.Or(cmp.Compare(a.Slot, b.Slot), strings.Compare(a.Signature, b.Signature))
	})
	// Nodes may list a slot in different orders and so begin a page at different places.
	if at := slices.IndexFunc(all.entries, func(e ports.HistoryEntry) bool { return e.Signature == begin.after }); at >= 0 {
		all.entries = all.entries[at+1:]
	}
	return all, nil
}

// completeUntil returns the slot up to which the backlog is complete.
func (b backlog) completeUntil() uint64 {
	if b.cut && len(b.entries) > 0 {
		return b.entries[len(b.entries)-1].Slot - 1 // the last entry's slot may have been cut off
	}
	return b.tip
}

// secondEarliest returns the time from which on two nodes have the history.
func secondEarliest(listed []backlog) time.Time {
	since := make([]time.Time, len(listed))
	for i, l := range listed {
		since[i] = l.since
	}
	slices.SortFunc(since, time.Time.Compare)
	return since[quorum-1]
}

// lookAt asks one node whether the treasury signed a transaction. If it did, lookAt asks
// all nodes for the movement.
func (c *Cluster) lookAt(ctx context.Context, entry ports.HistoryEntry) (lookedAt, error) {
	one, err := askInTurn(ctx, c, func(ctx context.Context, n *Node) (lookedAt, error) { return n.lookAt(ctx, entry) })
	if err == nil && !one.signed {
		return one, nil
	}
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (lookedAt, error) { return n.lookAt(ctx, entry) })
	same := func(a, b lookedAt) bool { return reflect.DeepEqual(a, b) }
	if looked, found := agreedAnswer(replies, same); found {
		return looked, nil
	}
	if err := joinErrors(replies); err != nil {
		return lookedAt{}, err
	}
	return lookedAt{}, disagreementError("transaction " + entry.Signature)
}
