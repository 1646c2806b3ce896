// Package chain writes blocks, and the audit records and events that they cover.
package chain

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
)

// Block is a block of a lane without its content.
type Block struct {
	bun.BaseModel `bun:"table:blocks,alias:b"`
	Lane          int
	Seq           int64
	Previous      hashchain.Hash
	Hash          hashchain.Hash
	At            time.Time
	Epoch         int64
	// Root is the root of the content's Merkle tree, Size its number of leaves.
	Root hashchain.Hash
	Size int
	// Number is its place among the blocks of all lanes. The database gives it.
	Number int64 `bun:",scanonly"`
	// Seal proves that the service made it; empty if it was made without keys.
	Seal string
}

// Blocks is the model of the blocks of all lanes.
var Blocks = table.ModelOf[Block, Block]()

// Head returns the block as the head of its lane.
func (b Block) Head() hashchain.Head { return hashchain.Head{Lane: b.Lane, Seq: b.Seq, Hash: b.Hash} }

// Header returns the block's header.
func (b Block) Header() hashchain.Header {
	return hashchain.Header{Lane: b.Lane, Seq: b.Seq, Epoch: b.Epoch, Previous: b.Previous, At: b.At, Root: b.Root, Size: b.Size}
}

// Link is the block with its epoch.
func (b Block) Link() hashchain.Link { return hashchain.Link{Head: b.Head(), Epoch: b.Epoch} }

var (
	readHead   = Blocks.Find("b.lane = s.lane AND b.seq = (SELECT max(n.seq) FROM blocks AS n WHERE n.lane = s.lane)", "lane:int")
	readBlocks = Blocks.Find("b.lane = s.lane AND b.seq = s.seq", "lane:int", "seq:int")
	addBlock   = Blocks.Insert("")
)

// AskBlocks queries the blocks with the lanes and numbers of the heads.
func AskBlocks(a *db.Asks, heads []hashchain.Head, found func(hashchain.Head)) {
	places := make([][]any, len(heads))
	for i, h := range heads {
		places[i] = []any{h.Lane, h.Seq}
	}
	readBlocks.Ask(a, "read blocks", places, func(b Block) error {
		found(b.Head())
		return nil
	})
}

// Heads is a view of the newest block of each lane. It does one look-up per lane, for any number
// of blocks.
var Heads = table.NewView[Block](Blocks.Columns(), "heads AS b", Blocks.Scan)

// AskHead queries the newest block of a lane; its seq is 0 before the first.
func AskHead(a *db.Asks, lane int, head *hashchain.Link) {
	*head = hashchain.Link{Head: hashchain.Head{Lane: lane}}
	readHead.Ask(a, "read head", [][]any{{lane}}, func(b Block) error {
		*head = b.Link()
		return nil
	})
}

// Seal writes a block. It is written last: its number is the fence against another writer
// that believes it has the lane.
func Seal(a *db.Asks, seals seal.Authenticator, block hashchain.Header) (hashchain.Head, error) {
	head := block.Head()
	row, err := blockRow(seals, block, head)
	a.Write("seal block", addBlock.Query, [][]any{row})
	return head, err
}

func blockRow(seals seal.Authenticator, block hashchain.Header, head hashchain.Head) ([]any, error) {
	sealed, err := seals.Seal(hashchain.SealPurpose, head.Sealed())
	return addBlock.Row(&Block{
		Lane: block.Lane, Seq: block.Seq, Previous: block.Previous, Hash: head.Hash, At: block.At, Epoch: block.Epoch,
		Root: block.Root, Size: block.Size, Seal: sealed,
	}), err
}

// Begin writes the blocks that begin an epoch, each after the newest of its lane and above the
// greatest number known of it, and returns them. The first one covers the content; the others
// cover its time and its epoch.
func Begin(a *db.Asks, seals seal.Authenticator, newest []hashchain.Head, known map[int]int64, c hashchain.Content) (_ []hashchain.Head, err error) {
	heads, sealed := make([]hashchain.Head, len(newest)), make([][]any, len(newest))
	for i, previous := range newest {
		block := hashchain.Begin(previous, known[previous.Lane], c)
		heads[i] = block.Head()
		if sealed[i], err = blockRow(seals, block, heads[i]); err != nil {
			return nil, err
		}
		c = hashchain.Content{At: c.At, Epoch: c.Epoch}
	}
	a.Write("begin an epoch", addBlock.Query, sealed)
	return heads, nil
}

// InBlock has the columns of a covered row that identify its block and its position among all
// rows of the block, in any table.
type InBlock struct {
	Lane     int
	Seq      int64
	Position int
}

// BlockColumns declares the columns of InBlock for queries over sent rows.
var BlockColumns = []string{"lane:int", "seq:int", "position:int"}

// auditRow is a row of audit.
type auditRow struct {
	bun.BaseModel `bun:"table:audit,alias:a"`
	Record        struct {
		ID        string
		Action    audit.Action
		By        wallet.Address `bun:"actor"`
		Target    string
		Before    string `bun:"was"`
		After     string `bun:"became"`
		At        time.Time
		RequestID string
	} `bun:"embed:"`
	InBlock
}

// Audit is the model of audit records.
var Audit = table.ModelOf[auditRow, audit.Record]()

var addAudit = Audit.Insert("", BlockColumns...)

// WriteAudit writes audit records of a block, at these positions.
func WriteAudit(a *db.Asks, block hashchain.Head, records []audit.Record, positions []int) {
	rows := make([][]any, len(records))
	for i := range records {
		rows[i] = addAudit.Row(&records[i], block.Lane, block.Seq, positions[i])
	}
	a.Write("write audit records", addAudit.Query, rows)
}

// eventRow is a row of ledger_events.
type eventRow struct {
	bun.BaseModel `bun:"table:ledger_events,alias:e"`
	event.Event
	InBlock
}

// Events is the model of events that blocks cover: of withdrawals, deposits, roles and the like.
var Events = table.ModelOf[eventRow, event.Event]()

var addEvents = Events.Insert("", BlockColumns...)

// WriteEvents writes events of a block, at these positions.
func WriteEvents(a *db.Asks, block hashchain.Head, made []event.Event, positions []int) {
	rows := make([][]any, len(made))
	for i := range made {
		rows[i] = addEvents.Row(&made[i], block.Lane, block.Seq, positions[i])
	}
	a.Write("write events", addEvents.Query, rows)
}

// Places assigns the positions of a batch's rows in its block. One counter assigns them in the
// order in which items were staged, so that a wallet's rows sort by position across tables.
type Places struct {
	// taken is how many positions were assigned.
	taken int
	// Postings are the positions of postings' first transfers, including a round's row.
	Postings, Audit, Seamless, Events positions
}

// positions are the positions of some rows of a block.
type positions []int

// Next assigns the next positions.
func (p *positions) Next(of *Places, n int) {
	for range n {
		*p = append(*p, of.taken)
		of.taken++
	}
}

// Posting assigns a posting as many positions as it has transfers.
func (p *Places) Posting(made ledger.Posting) {
	p.Postings = append(p.Postings, p.taken)
	p.taken += len(made.Transfers)
}

// WriteRecords writes all that a short transaction's block covers: audit records and events.
func WriteRecords(a *db.Asks, block hashchain.Head, records []audit.Record, made []event.Event) {
	var at Places
	at.Audit.Next(&at, len(records))
	at.Events.Next(&at, len(made))
	WriteAudit(a, block, records, at.Audit)
	WriteEvents(a, block, made, at.Events)
}
