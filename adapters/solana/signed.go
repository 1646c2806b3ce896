package solana

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/ports"
)

const (
	// lookedAtOnce is the number of transactions fetched in parallel.
	lookedAtOnce = 8
	// lateness is the number of slots beyond the overlap (six minutes in all) by which a
	// page begins before its cursor. A payment that a node indexes late must not be missed,
	// or it would be paid again.
	lateness = 750
	// lookedMax is the number of fetched transactions that are remembered, because pages
	// overlap.
	lookedMax = 8192
)

// Signed lists the transactions that the treasury signed. The node's list of the treasury's
// address contains all of them, whoever paid the fee, and also all that others sent to it;
// those are fetched and left out.
func (n *Node) Signed(ctx context.Context, from treasury.Position, limit int) (ports.TreasuryPage, error) {
	return signedPage(ctx, from, limit, &n.backlogs,
		func(ctx context.Context, begin place) (backlog, error) {
			return n.treasuryBacklog(ctx, begin, from.Cursor == "")
		},
		func(ctx context.Context, entry ports.HistoryEntry) (lookedAt, error) {
			return n.looked.lookUpOnce(entry.Signature, func() (lookedAt, error) { return n.lookAt(ctx, entry) })
		})
}

// signedPage returns the next page of a history: walk lists entries, and look fetches them.
func signedPage(ctx context.Context, from treasury.Position, limit int, kept *backlogs,
	walk func(context.Context, place) (backlog, error),
	look func(context.Context, ports.HistoryEntry) (lookedAt, error)) (ports.TreasuryPage, error) {
	const name = "signed"
	begin, err := parsePlace(from.Cursor)
	if err != nil {
		return ports.TreasuryPage{}, err
	}
	if limit < 1 || limit > ports.HistoryMax {
		limit = ports.HistoryMax
	}
	found, again := kept.takeBacklog(name, from.Cursor)
	if !again {
		if found, err = walk(ctx, begin); err != nil {
			return ports.TreasuryPage{}, err
		}
	}
	page := ports.TreasuryPage{Next: from}
	if from.Cursor == "" {
		page.Next.Since = found.since
	}
	entries := found.entries[:min(limit, len(found.entries))]
	looked, err := lookAtAll(ctx, entries, look)
	switch {
	case err != nil:
		return ports.TreasuryPage{}, err
	case found.cut && len(entries) == 0:
		return ports.TreasuryPage{}, unusableError("the history of one slot doesn't fit a page")
	}
	for _, l := range looked {
		if l.signed {
			page.Movements = append(page.Movements, l.movement)
		}
	}
	if len(entries) == len(found.entries) && !found.cut {
		page.Next.Cursor = place{slot: max(found.tip, begin.slot)}.String()
		if found.tip >= page.Next.Slot {
			page.Next.Slot, page.Next.At = found.tip, found.made
		}
		return page, nil
	}
	last := entries[len(entries)-1]
	page.Next.Cursor, page.More = place{last.Slot, last.Signature}.String(), true
	if found.entries = found.entries[len(entries):]; len(found.entries) > 0 {
		kept.keepBacklog(name, page.Next.Cursor, found)
	}
	return page, nil
}

// treasuryBacklog walks back to the beginning of a page.
func (n *Node) treasuryBacklog(ctx context.Context, begin place, first bool) (backlog, error) {
	if begin.after == "" {
		begin.slot -= min(begin.slot, lateness)
	}
	found, err := n.readBacklog(ctx, []string{n.treasury.String()}, begin, first)
	if err != nil {
		return backlog{}, err
	}
	if found.made, err = n.madeAt(ctx, found.tip); err != nil || !first {
		return found, err
	}
	oldest, err := n.FirstBlock(ctx)
	if err != nil {
		return backlog{}, err
	}
	if oldest > 0 {
		found.since, err = n.madeAt(ctx, oldest)
	}
	return found, err
}

// lookedAt is the result of fetching a transaction that names the treasury.
type lookedAt struct {
	movement treasury.Movement
	signed   bool // by the treasury; else movement is empty
}

// lookAt fetches a listed transaction and verifies it.
func (n *Node) lookAt(ctx context.Context, entry ports.HistoryEntry) (lookedAt, error) {
	signature, err := solana.SignatureFromBase58(entry.Signature)
	if err != nil {
		return lookedAt{}, unusableError("signature %s: %v", clipText(entry.Signature), err)
	}
	shown, err := n.readTransaction(ctx, signature, finalized)
	switch {
	case err != nil:
		return lookedAt{}, err
	case shown == nil:
		return lookedAt{}, unusableError("transaction %s is listed as finalized and not shown", signature)
	case shown.slot != entry.Slot || hasError(shown.meta.Err) != entry.Failed:
		return lookedAt{}, unusableError("transaction %s is listed otherwise than it is shown", signature)
	case shown.made == nil:
		return lookedAt{}, unusableError("transaction %s has no time", signature)
	}
	if shown.decoded.IsSigner(n.treasury) {
		if lacks, err := n.lacksTokens(ctx, shown); err != nil || lacks {
			return lookedAt{}, errors.Join(err, unusableError("transaction %s is shown without its token balances", signature))
		}
	}
	movement, signed := treasury.Read(treasury.Observed{
		Observation: shown.toObservation(entry.Signature), Slot: shown.slot, At: time.Unix(*shown.made, 0).UTC(),
		Fee: *shown.meta.Fee, Memo: memoOf(shown.decoded),
	}, n.treasury.String())
	return lookedAt{movement, signed}, nil
}

// oldMemoProgram is the first version of the memo program, which is still in use.
var oldMemoProgram = solana.MustPublicKeyFromBase58("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")

// memoOf returns the text of a transaction's only memo; "" if it has none or several.
func memoOf(t *solana.Transaction) string {
	var memos []string
	for _, instruction := range t.Message.Instructions {
		program, err := t.ResolveProgramIDIndex(instruction.ProgramIDIndex)
		if err == nil && (program == solana.MemoProgramID || program == oldMemoProgram) {
			memos = append(memos, string(instruction.Data))
		}
	}
	if len(memos) != 1 {
		return ""
	}
	return memos[0]
}

// lookAtAll looks at all entries, some in parallel, and returns the results in order.
func lookAtAll(ctx context.Context, entries []ports.HistoryEntry, look func(context.Context, ports.HistoryEntry) (lookedAt, error)) ([]lookedAt, error) {
	results, faults := make([]lookedAt, len(entries)), make([]error, len(entries))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var next sync.Mutex
	at := 0
	var looking sync.WaitGroup
	for range min(lookedAtOnce, len(entries)) {
		looking.Go(func() {
			for ctx.Err() == nil {
				next.Lock()
				i := at
				at++
				next.Unlock()
				if i >= len(entries) {
					return
				}
				if results[i], faults[i] = look(ctx, entries[i]); faults[i] != nil {
					cancel()
				}
			}
		})
	}
	looking.Wait()
	// Errors of calls that the first failure cancelled come last.
	slices.SortStableFunc(faults, func(a, b error) int {
		return strings.Compare(cutOff(a), cutOff(b))
	})
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	if at < len(entries) {
		return nil, unusableError("the history could not be read: %v", context.Cause(ctx))
	}
	return results, nil
}

// cutOff returns a sort key: cancelled calls come after other failures.
func cutOff(err error) string {
	if errors.Is(err, context.Canceled) {
		return "caused"
	}
	return ""
}

// lookups caches the results for finalized transactions, which can't change.
type lookups struct {
	mu    sync.Mutex
	kept  map[string]lookedAt
	order []string
}

// lookUpOnce returns the cached result for a transaction, or calls look.
func (l *lookups) lookUpOnce(signature string, look func() (lookedAt, error)) (lookedAt, error) {
	l.mu.Lock()
	known, ok := l.kept[signature]
	l.mu.Unlock()
	if ok {
		return known, nil
	}
	fresh, err := look()
	if err != nil {
		return lookedAt{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil {
		l.kept = map[string]lookedAt{}
	}
	if _, meanwhile := l.kept[signature]; !meanwhile {
		l.kept[signature], l.order = fresh, append(l.order, signature)
	}
	if len(l.order) > lookedMax {
		delete(l.kept, l.order[0])
		l.order = l.order[1:]
	}
	return fresh, nil
}
