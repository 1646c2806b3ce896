// Package archive reads blocks with their contents, and writes transfers.
package archive

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/accounts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Checkpoints, ports.Archive and ports.BlockHashes, and the postings of
// ports.Bookings.
type Store struct{ *read.Reads }

// Posting implements ports.Bookings.
func (s *Store) Posting(ctx context.Context, key ledger.Key) (ledger.Posting, error) {
	found, err := read.From(s.Reads, Transfers).Where("t.kind = ? AND t.scope = ? AND t.id = ?", string(key.Kind), key.Scope, key.ID).
		Order("t.n").Kept(ctx, "read posting")
	switch {
	case err != nil:
		return ledger.Posting{}, err
	case len(found) == 0:
		return ledger.Posting{}, fault.New(fault.NotFound, "no posting %v", key)
	}
	p := ledger.Posting{Key: key, Transfers: make([]ledger.Transfer, len(found))}
	for i, t := range found {
		p.Transfers[i] = t.Booked()
	}
	return p, nil
}

// Heads implements ports.Checkpoints.
func (s *Store) Heads(ctx context.Context) ([]hashchain.Head, error) {
	blocks, err := NewestBlocks(ctx, s.Reads)
	heads := make([]hashchain.Head, len(blocks))
	for i, b := range blocks {
		heads[i] = b.Head()
	}
	return heads, err
}

// NewestBlocks returns the newest blocks of the lanes.
func NewestBlocks(ctx context.Context, r *read.Reads) ([]chain.Block, error) {
	return read.From(r, chain.Heads).Order("b.lane").Kept(ctx, "read heads")
}

// BlocksAt implements ports.BlockHashes.
func (s *Store) BlocksAt(ctx context.Context, heads []hashchain.Head) ([]hashchain.Head, error) {
	found := []hashchain.Head{}
	for some := range slices.Chunk(heads, BlocksAtOnce) {
		blocks, err := BlocksUnder(ctx, s.Reads, some, func(h hashchain.Head) (int, int64) { return h.Lane, h.Seq })
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

// BlocksUnder returns the blocks with the lanes and numbers of the given values.
func BlocksUnder[T any](ctx context.Context, r *read.Reads, some []T, of func(T) (lane int, seq int64)) ([]chain.Block, error) {
	places := make([]any, 0, 2*len(some))
	for _, one := range some {
		lane, seq := of(one)
		places = append(places, lane, seq)
	}
	return read.From(r, chain.Blocks).Where("(b.lane, b.seq) IN (VALUES (?, ?)"+strings.Repeat(", (?, ?)", len(some)-1)+")", places...).
		All(ctx, "read blocks")
}

// BlocksAtOnce is how many blocks an audit reads at a time.
const BlocksAtOnce = 100

// Blocks implements ports.Archive. It reads a span of blocks at a time, so that its memory
// doesn't grow with the ledger.
func (s *Store) Blocks(ctx context.Context, visit func(ports.Block) error) error {
	heads, err := s.Heads(ctx)
	if err != nil {
		return err
	}
	return s.BlocksAfter(ctx, nil, heads, visit)
}

// BlocksAfter implements ports.LedgerPages. While one span of blocks is visited, the next one is
// read.
func (s *Store) BlocksAfter(ctx context.Context, after, until []hashchain.Head, visit func(ports.Block) error) error {
	reading, stop := context.WithCancel(ctx)
	spans := make(chan spanRead)
	go func() {
		defer close(spans)
		s.spans(reading, after, until, func(s spanRead) bool {
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
		for range spans { // ends with the reader
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

// spanRead is a span of blocks, or the error of reading it.
type spanRead struct {
	blocks []ports.Block
	err    error
}

// spans reads spans of each lane, one after the other, until take returns false.
func (s *Store) spans(ctx context.Context, after, until []hashchain.Head, take func(spanRead) bool) {
	pairs := &DrawnFrom{}
	for _, head := range until {
		from := int64(1)
		if at := slices.IndexFunc(after, func(h hashchain.Head) bool { return h.Lane == head.Lane }); at >= 0 {
			from = after[at].Seq + 1
		}
		for limit := BlocksAtOnce; from <= head.Seq; {
			blocks, err := s.span(ctx, pairs, head.Lane, Run{from, head.Seq}, limit)
			if !take(spanRead{blocks, err}) {
				return
			}
			from = blocks[len(blocks)-1].Seq + 1
			limit = nextSpan(blocks)
		}
	}
}

// RowsAtOnce is about how many rounds and transfers a span holds. Blocks have one or so where
// little is played, and some hundred where much is.
const RowsAtOnce = 4_000

// nextSpan returns how many blocks to read next, judging by the size of these.
func nextSpan(blocks []ports.Block) int {
	rows := len(blocks)
	for _, b := range blocks {
		rows += len(b.Rounds) + 2*len(b.Postings)
	}
	return max(2, min(5*BlocksAtOnce, RowsAtOnce*len(blocks)/rows))
}

// span reads the next blocks of a run of a lane, with their content. Content whose block is
// missing was never sealed and is an error.
func (s *Store) span(ctx context.Context, pairs *DrawnFrom, lane int, of Run, limit int) ([]ports.Block, error) {
	var blocks []ports.Block
	place := map[int64]int{}
	stored, err := read.From(s.Reads, chain.Blocks).Where("b.lane = ? AND b.seq BETWEEN ? AND ?", lane, of.From, of.To).Order("b.seq").Limit(limit).
		All(ctx, "read blocks")
	if err != nil {
		return nil, err
	}
	if len(stored) == 0 {
		return nil, db.Defect("block %d:%d is gone", lane, of.To)
	}
	for i, b := range stored {
		place[b.Seq] = i
		blocks = append(blocks, ports.Block{Head: b.Head(), Previous: b.Previous, Root: b.Root, Size: b.Size, Number: b.Number, Seal: b.Seal, Content: hashchain.Content{At: b.At, Epoch: b.Epoch}})
	}
	return blocks, ReadContents(ctx, s.Reads, Contents{
		Which: Runs(lane, Run{of.From, stored[len(stored)-1].Seq}), // with the skipped numbers before them
		Of: func(seq int64) (*hashchain.Content, error) {
			at, ok := place[seq]
			if !ok {
				return nil, db.Defect("rows belong to block %d:%d, which is missing", lane, seq)
			}
			return &blocks[at].Content, nil
		},
		Wrong: func(_ int64, err error) error { return err },
		pairs: pairs,
		revealed: func(seeds map[string]string) {
			for i := range blocks {
				blocks[i].Revealed = seeds
			}
		},
	})
}

// LiabilityBalances implements ports.Archive.
func (s *Store) LiabilityBalances(ctx context.Context, visit func(ledger.Balance) error) error {
	return read.From(s.Reads, accounts.Balances).Order("b.wallet, b.kind, b.hold, b.token").Each(ctx, "read balances", func(stored accounts.Balance) error {
		return visit(stored.Owed())
	})
}

// Place is the position of a block.
type Place struct {
	Lane int
	Seq  int64
}

// PlayedRow is a round or a provider's transaction with the position of its block.
type PlayedRow struct {
	ID string
	Place
	Stepped bool // its stakes are in other blocks
}

// ScanPlayed reads an id with the position of its block, and whether the round was stepped.
func ScanPlayed(row db.Row) (p PlayedRow, err error) {
	err = row.Scan((*table.ID)(&p.ID), &p.Lane, &p.Seq, &p.Stepped)
	return p, err
}

// Transfer is one transfer of a posting.
type Transfer struct {
	bun.BaseModel `bun:"table:transfers,alias:t"`
	Key           ledger.Key `bun:"embed:"`
	// N counts the transfers of the posting.
	N      int
	Debit  ledger.Account `bun:"embed:debit_"`
	Credit ledger.Account `bun:"embed:credit_"`
	Token  money.Token
	Amount money.Amount
	Wallet wallet.Address `bun:",type:uuid"` // of the item that booked it
	chain.InBlock
}

// Booked returns the transfer itself.
func (t Transfer) Booked() ledger.Transfer {
	return ledger.Transfer{Debit: t.Debit, Credit: t.Credit, Token: t.Token, Amount: t.Amount}
}

var allTransfers = table.ModelOf[Transfer, Transfer]()

// Transfers is the model of all transfers except those of rounds, which follow from the rounds'
// rows.
var Transfers = allTransfers.Without("wallet", "lane", "seq", "position")

var addTransfers = allTransfers.Insert("")

// TransferPart writes the transfers that the batch books.
type TransferPart struct {
	batch.NoPart
	owners []wallet.Address // of the postings
}

func (o *TransferPart) Stage(b *batch.Batch, s *batch.Step) {
	if len(s.Change.Postings) == 0 {
		return
	}
	if b.Content.Postings == nil {
		b.Content.Postings, o.owners = make([]ledger.Posting, 0, len(b.Items)), make([]wallet.Address, 0, len(b.Items))
	}
	for _, p := range s.Change.Postings {
		b.Content.Postings, o.owners = append(b.Content.Postings, p), append(o.owners, s.Wallet.Address)
		b.Places.Posting(p)
	}
}

func (o *TransferPart) Write(b *batch.Batch) error {
	var rows [][]any
	var once batch.Once
	for i, p := range b.Content.Postings {
		if p.Key.Kind != ledger.Round {
			once.Posting(p.Key)
		}
		if original, corrects := p.Key.Corrected(); corrects {
			once.Posting(ledger.Key{Kind: ledger.Correct, Scope: string(original.Kind) + "/" + original.Scope, ID: original.ID})
		}
		for n, t := range p.Transfers {
			if p.Key.Kind != ledger.Round {
				rows = append(rows, addTransfers.Row(&Transfer{
					Key: p.Key, N: n, Debit: t.Debit, Credit: t.Credit, Token: t.Token, Amount: t.Amount, Wallet: o.owners[i],
					InBlock: chain.InBlock{Lane: b.Head.Lane, Seq: b.Head.Seq, Position: b.Places.Postings[i] + n},
				}))
			}
		}
	}
	b.Write("write transfers", addTransfers.Query, rows)
	once.Write(b)
	return nil
}

// DroppedUntil returns the end of the newest month whose tables were dropped, or the zero time.
func DroppedUntil(ctx context.Context, r *read.Reads) (end time.Time, err error) {
	text := r.DB.Dialect.DroppedMonths()
	if text == "" {
		return end, nil
	}
	var month sql.NullString
	if err := r.Kept(ctx, "read which months are gone", text, nil, func(row *sql.Rows) error { return row.Scan(&month) }); err != nil || !month.Valid {
		return end, err
	}
	begin, err := time.Parse(db.MonthLayout, month.String)
	// A block at the start of the next month may have rows with ids of the month before.
	return begin.AddDate(0, 1, 0).Add(table.IDSlack), err
}
