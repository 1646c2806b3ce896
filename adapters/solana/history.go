package solana

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

const (
	// overlap is the number of slots (about a minute) by which a history begins before its
	// cursor, because a node may index a block after it is finalized.
	overlap = 150
	// signaturesMax is the number of signatures that a node lists in one call, and walkMax
	// the maximum number of calls for one page.
	signaturesMax, walkMax = 1000, 1000
)

// place is where a page of history begins: after a signature if the previous page was full,
// else a little before the slot up to which everything was listed.
type place struct {
	slot  uint64
	after string
}

func (p place) String() string {
	text := strconv.FormatUint(p.slot, 10)
	if p.after != "" {
		text += " " + p.after
	}
	return text
}

func parsePlace(cursor string) (place, error) {
	if cursor == "" {
		return place{}, nil
	}
	number, after, full := strings.Cut(cursor, " ")
	slot, err := strconv.ParseUint(number, 10, 64)
	if err != nil || full && deposit.CheckSignature(after) != nil {
		return place{}, fault.Field("cursor", "is not of this history")
	}
	return place{slot: slot, after: after}, nil
}

// firstSlot returns the first slot to list.
func (p place) firstSlot() uint64 {
	if p.after != "" {
		return p.slot
	}
	return p.slot - min(p.slot, overlap)
}

// listedSignature is a transaction in a node's list.
type listedSignature struct {
	Signature string         `json:"signature"`
	Slot      uint64         `json:"slot"`
	Err       jsontext.Value `json:"err"`
	Level     string         `json:"confirmationStatus"`
}

// Since lists the transactions of the accounts that receive deposits of the token: for SOL
// the treasury's wallet and its account of wrapped SOL, else its token account, because the
// wallet's own list lacks payments to token accounts. Nodes list newest first, so a page
// walks back to its beginning, with one call for every thousand. Entries that don't fit
// into a page are kept for the next.
func (n *Node) Since(ctx context.Context, terms token.Terms, cursor string, limit int) (ports.HistoryPage, error) {
	begin, err := parsePlace(cursor)
	if err != nil {
		return ports.HistoryPage{}, err
	}
	if limit < 1 || limit > ports.HistoryMax {
		limit = ports.HistoryMax
	}
	where, err := n.Treasury(terms)
	if err != nil {
		return ports.HistoryPage{}, err
	}
	addresses := []string{where.TokenAccount}
	if terms.Program == token.System {
		addresses = []string{where.Owner, where.WrappedSOL}
	}
	found, kept := n.backlogs.takeBacklog(addresses[0], cursor)
	if !kept {
		if found, err = n.readBacklog(ctx, addresses, begin, cursor == ""); err != nil {
			return ports.HistoryPage{}, err
		}
	}
	if len(found.entries) <= limit && !found.cut {
		return ports.HistoryPage{Entries: found.entries, Next: place{slot: max(found.tip, begin.slot)}.String()}, nil
	}
	page := found.entries[:min(limit, len(found.entries))]
	last := page[len(page)-1]
	next := place{last.Slot, last.Signature}.String()
	if found.entries = found.entries[len(page):]; len(found.entries) > 0 {
		n.backlogs.keepBacklog(addresses[0], next, found)
	}
	return ports.HistoryPage{Entries: page, Next: next, More: true}, nil
}

// backlog holds the entries of a walk that no page has listed yet, oldest first.
type backlog struct {
	cursor  string // of the page that begins with this backlog
	entries []ports.HistoryEntry
	tip     uint64 // the slot up to which everything is listed
	// made is the time of the tip's block, and since that of the oldest block that the node
	// has; both are set only for the treasury's own transactions.
	made, since time.Time
	cut         bool // the walk stopped before the tip
}

// backlogMax bounds the entries kept of a walk.
const backlogMax = 100_000

// backlogs keeps the rest of the last walk of each address, so that a long history isn't
// walked again for every page. The entries are finalized and can't change.
type backlogs struct {
	mu   sync.Mutex
	kept map[string]backlog
}

func (b *backlogs) keepBacklog(address, cursor string, rest backlog) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rest.cursor = cursor
	b.kept[address] = rest
}

// takeBacklog removes and returns the backlog for the page after a cursor.
func (b *backlogs) takeBacklog(address, cursor string) (rest backlog, found bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if rest, found = b.kept[address]; found && rest.cursor == cursor {
		delete(b.kept, address)
		return rest, true
	}
	return backlog{}, false
}

// readBacklog walks back to the beginning of a page. A transaction that names several of
// the addresses is listed once.
func (n *Node) readBacklog(ctx context.Context, addresses []string, begin place, first bool) (found backlog, err error) {
	// Read the tip before the list: the list then contains everything finalized up to it.
	if err := n.rpc.callMethod(ctx, &found.tip, "getSlot", atCommitment(finalized)); err != nil {
		return found, err
	}
	listed := map[string]bool{}
	for _, address := range addresses {
		entries, err := n.walkHistory(ctx, address, begin.firstSlot())
		if err != nil {
			return found, err
		}
		for _, e := range entries {
			if !listed[e.Signature] {
				found.entries = append(found.entries, e)
			}
			listed[e.Signature] = true
		}
	}
	slices.SortStableFunc(found.entries, func(a, b ports.HistoryEntry) int { return cmp.Compare(a.Slot, b.Slot) })
	if !first {
		if err := n.checkHistoryKept(ctx, begin.firstSlot()); err != nil {
			return found, err
		}
	}
	// If a node lost the signature that the page begins after, the page begins earlier.
	if at := slices.IndexFunc(found.entries, func(e ports.HistoryEntry) bool { return e.Signature == begin.after }); at >= 0 {
		found.entries = found.entries[at+1:]
	}
	if len(found.entries) > backlogMax {
		found.entries, found.cut = slices.Clone(found.entries[:backlogMax]), true
	}
	return found, nil
}

// walkHistory lists an address's transactions from a slot on, oldest first.
func (n *Node) walkHistory(ctx context.Context, address string, from uint64) ([]ports.HistoryEntry, error) {
	var entries []ports.HistoryEntry
	how := options{"commitment": finalized, "limit": signaturesMax}
	for range walkMax {
		var page []listedSignature
		if err := n.rpc.callMethod(ctx, &page, "getSignaturesForAddress", address, how); err != nil {
			return nil, err
		}
		if page == nil {
			return nil, unusableError("the node returned no history of %s", address)
		}
		for _, listed := range page {
			if listed.Slot == 0 || len(listed.Err) == 0 {
				return nil, unusableError("the history of %s lists %q without its slot or its error member", address, clipText(listed.Signature))
			}
			if _, err := solana.SignatureFromBase58(listed.Signature); err != nil || listed.Level != finalized ||
				len(entries) > 0 && listed.Slot > entries[len(entries)-1].Slot {
				return nil, unusableError("the history of %s is out of order at %q", address, clipText(listed.Signature))
			}
			if listed.Slot < from {
				slices.Reverse(entries)
				return entries, nil
			}
			entries = append(entries, ports.HistoryEntry{Signature: listed.Signature, Slot: listed.Slot, Failed: hasError(listed.Err)})
		}
		if len(page) < signaturesMax {
			slices.Reverse(entries)
			return entries, nil
		}
		last := page[len(page)-1].Signature
		if how["before"] == last {
			return nil, unusableError("the history of %s repeats itself at %s", address, last)
		}
		how["before"] = last
	}
	return nil, unusableError("the history of %s since slot %d has more than %d transactions", address, from, walkMax*signaturesMax)
}

// checkHistoryKept returns nil if the node still has every block from a slot on. Call it
// last: blocks are only ever dropped, so blocks kept now were kept before.
func (n *Node) checkHistoryKept(ctx context.Context, slot uint64) error {
	first, err := n.FirstBlock(ctx)
	if err == nil && first > slot {
		err = unusableError("the node no longer has the blocks since slot %d", slot)
	}
	return err
}

// FirstBlock returns the slot of the oldest block that the node still has.
func (n *Node) FirstBlock(ctx context.Context) (uint64, error) {
	var first *uint64
	if err := n.rpc.callMethod(ctx, &first, "getFirstAvailableBlock"); err != nil {
		return 0, err
	}
	if first == nil {
		return 0, unusableError("the node did not say which block is its first")
	}
	return *first, nil
}
