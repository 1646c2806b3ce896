package reads

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Checkpoints = (*Reads)(nil)
	_ ports.Archive     = (*Reads)(nil)
	_ ports.BlockHashes = (*Reads)(nil)
)

// Heads serves ports.Checkpoints.
func (r *Reads) Heads(ctx context.Context) ([]hashchain.Head, error) {
	blocks, err := r.newest(ctx)
	heads := make([]hashchain.Head, len(blocks))
	for i, b := range blocks {
		heads[i] = b.Head()
	}
	return heads, err
}

// newest are the newest blocks of the lanes.
func (r *Reads) newest(ctx context.Context) ([]rows.Block, error) {
	return from(r, rows.Heads).order("b.lane").kept(ctx, "read heads")
}

// BlocksAt serves ports.BlockHashes.
func (r *Reads) BlocksAt(ctx context.Context, heads []hashchain.Head) ([]hashchain.Head, error) {
	found := []hashchain.Head{}
	for some := range slices.Chunk(heads, blocksAtOnce) {
		blocks, err := blocksUnder(ctx, r, some, func(h hashchain.Head) (int, int64) { return h.Lane, h.Seq })
		if err != nil {
			return nil, err
		}
		for _, b := range blocks {
			found = append(found, b.Head())
		}
	}
	slices.SortFunc(found, func(a, b hashchain.Head) int { return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Seq, b.Seq)) })
	return found, nil
}

// blocksUnder reads the blocks that have the lanes and numbers of some things.
func blocksUnder[T any](ctx context.Context, r *Reads, some []T, of func(T) (lane int, seq int64)) ([]rows.Block, error) {
	places := make([]any, 0, 2*len(some))
	for _, one := range some {
		lane, seq := of(one)
		places = append(places, lane, seq)
	}
	return from(r, rows.Blocks).where("(b.lane, b.seq) IN (VALUES (?, ?)"+strings.Repeat(", (?, ?)", len(some)-1)+")", places...).
		all(ctx, "read blocks")
}

// blocksAtOnce is how many blocks an audit reads at a time.
const blocksAtOnce = 100

// Blocks serves ports.Archive. It reads a span of blocks at a time, so that the
// memory it takes doesn't grow with the ledger.
func (r *Reads) Blocks(ctx context.Context, visit func(ports.Block) error) error {
	heads, err := r.Heads(ctx)
	if err != nil {
		return err
	}
	return r.BlocksAfter(ctx, nil, heads, visit)
}

// BlocksAfter serves ports.LedgerPages. While a span of blocks is visited the next one is
// read.
func (r *Reads) BlocksAfter(ctx context.Context, after, until []hashchain.Head, visit func(ports.Block) error) error {
	reading, stop := context.WithCancel(ctx)
	spans := make(chan spanRead)
	go func() {
		defer close(spans)
		r.spans(reading, after, until, func(s spanRead) bool {
			select {
			case spans <- s:
				return s.err == nil
			case <-reading.Done():
				return false
			}
		})
	}()
	defer func() {
		stop()
		for range spans { // ends with the reading
		}
	}()
	for s := range spans {
		if s.err != nil {
			return s.err
		}
		for _, b := range s.blocks {
			if err := visit(b); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// spanRead is a span of blocks, or why it can't be read.
type spanRead struct {
	blocks []ports.Block
	err    error
}

// spans reads spans of each lane one after the other, as long as they are taken.
func (r *Reads) spans(ctx context.Context, after, until []hashchain.Head, take func(spanRead) bool) {
	pairs := &drawnFrom{}
	for _, head := range until {
		from := int64(1)
		if at := slices.IndexFunc(after, func(h hashchain.Head) bool { return h.Lane == head.Lane }); at >= 0 {
			from = after[at].Seq + 1
		}
		for limit := blocksAtOnce; from <= head.Seq; {
			blocks, err := r.span(ctx, pairs, head.Lane, run{from, head.Seq}, limit)
			if !take(spanRead{blocks, err}) {
				return
			}
			from = blocks[len(blocks)-1].Seq + 1
			limit = nextSpan(blocks)
		}
	}
}

// rowsAtOnce is about how many rounds and transfers are held of a span: blocks have one
// where little is played, and some hundred where much is.
const rowsAtOnce = 4_000

// nextSpan is how many blocks of the size of these are read next.
func nextSpan(blocks []ports.Block) int {
	rows := len(blocks)
	for _, b := range blocks {
		rows += len(b.Rounds) + 2*len(b.Postings)
	}
	return max(2, min(5*blocksAtOnce, rowsAtOnce*len(blocks)/rows))
}

// span reads the next blocks of a run of a lane, with their content. Content whose block
// is missing is an error: it was never sealed.
func (r *Reads) span(ctx context.Context, pairs *drawnFrom, lane int, of run, limit int) ([]ports.Block, error) {
	var blocks []ports.Block
	place := map[int64]int{}
	stored, err := from(r, rows.Blocks).where("b.lane = ? AND b.seq BETWEEN ? AND ?", lane, of.from, of.to).order("b.seq").limit(limit).
		all(ctx, "read blocks")
	if err != nil {
		return nil, err
	}
	if len(stored) == 0 {
		return nil, db.Defect("block %d:%d is gone", lane, of.to)
	}
	for i, b := range stored {
		place[b.Seq] = i
		blocks = append(blocks, ports.Block{Head: b.Head(), Previous: b.Previous, Number: b.Number, Content: hashchain.Content{At: b.At, Epoch: b.Epoch}})
	}
	return blocks, r.contents(ctx, contents{
		which: runs(lane, run{of.from, stored[len(stored)-1].Seq}), // with the numbers that were left out before them
		of: func(seq int64) (*hashchain.Content, error) {
			at, ok := place[seq]
			if !ok {
				return nil, db.Defect("rows belong to block %d:%d, which is missing", lane, seq)
			}
			return &blocks[at].Content, nil
		},
		wrong: func(_ int64, err error) error { return err },
		pairs: pairs,
		revealed: func(seeds map[string]string) {
			for i := range blocks {
				blocks[i].Revealed = seeds
			}
		},
	})
}

// LiabilityBalances serves ports.Archive.
func (r *Reads) LiabilityBalances(ctx context.Context, visit func(ledger.Balance) error) error {
	return from(r, rows.Balances).order("b.wallet, b.kind, b.hold, b.token").each(ctx, "read balances", func(stored rows.Balance) error {
		b, err := balance(stored)
		if err != nil {
			return err
		}
		return visit(b)
	})
}

func balance(stored rows.Balance) (b ledger.Balance, err error) {
	b = ledger.Balance{Token: stored.Token, Amount: money.TotalOf(stored.Amount)}
	b.Account, err = account(stored.Kind, cmp.Or(stored.Hold, string(stored.Wallet)))
	return b, err
}
