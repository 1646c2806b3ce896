package batch

import (
	"cmp"
	"slices"
	"sync"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/stream"
)

// recentMax is how many blocks and rows of blocks are kept in memory: some megabytes, or about a
// second of a busy instance, far more than a listener falls behind.
const recentMax = 8_192

// Recent has the rows of the blocks that this store's writers committed last, so that listeners
// needn't read them back. A block is found by its hash, which covers its rows, so the rows are
// those of the database.
type Recent struct {
	mu     sync.Mutex
	blocks map[hashchain.Hash][]stream.Row
	order  []hashchain.Head // oldest first
	size   int
}

// NewRecent returns an empty Recent.
func NewRecent() *Recent { return &Recent{blocks: map[hashchain.Hash][]stream.Row{}} }

// Keep adds a committed batch's block, and removes the oldest if it is full.
func (r *Recent) Keep(b *Batch) {
	made := b.streamed()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.blocks[b.Head.Hash], r.order = made, append(r.order, b.Head)
	for r.size += 1 + len(made); r.size > recentMax; {
		gone := r.order[0].Hash
		r.size -= 1 + len(r.blocks[gone])
		delete(r.blocks, gone)
		r.order = r.order[1:]
	}
}

// Rows returns the rows of a block, sorted by position, and false if they aren't here. The caller
// must not change them.
func (r *Recent) Rows(block hashchain.Hash) ([]stream.Row, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, here := r.blocks[block]
	return found, here
}

// Reaches reports whether all rows after these places may be here. It is false if it is empty, or
// has only later blocks of a lane.
func (r *Recent) Reaches(places []stream.Mark) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, at := range places {
		oldest := slices.IndexFunc(r.order, func(h hashchain.Head) bool { return h.Lane == at.Lane })
		if oldest >= 0 && r.order[oldest].Seq > at.Seq+1 {
			return false
		}
	}
	return len(r.order) > 0
}

// streamed returns the rows of the batch's block in the form for listeners, without transfers.
func (b *Batch) streamed() (made []stream.Row) {
	c := &b.Content
	made = make([]stream.Row, 0, len(c.Rounds)+len(c.Audit)+len(c.Seamless)+len(c.Events))
	rounds := 0
	for i, p := range c.Postings {
		if p.Key.Kind != ledger.Round {
			continue
		}
		round := c.Rounds[rounds]
		round.Theory = bet.Theory{} // not covered by a block
		made = append(made, stream.Row{Position: b.Places.Postings[i], Round: &round})
		rounds++
	}
	for i := range c.Audit {
		made = append(made, stream.Row{Position: b.Places.Audit[i], Audit: &c.Audit[i]})
	}
	for i := range c.Seamless {
		made = append(made, stream.Row{Position: b.Places.Seamless[i], Seamless: &c.Seamless[i]})
	}
	for i := range c.Events {
		made = append(made, stream.Row{Position: b.Places.Events[i], Thing: &c.Events[i]})
	}
	slices.SortFunc(made, func(a, b stream.Row) int { return cmp.Compare(a.Position, b.Position) })
	return made
}
