package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/seal"
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
	// Number is its place among the blocks of all lanes. The database gives it.
	Number int64 `bun:",scanonly"`
	// Seal proves that the service itself made it; empty of one that was made without
	// keys.
	Seal string
}

// Blocks are the blocks of all lanes.
var Blocks = modelOf[Block, Block]()

// Head is the block as the head of its lane.
func (b Block) Head() hashchain.Head { return hashchain.Head{Lane: b.Lane, Seq: b.Seq, Hash: b.Hash} }

// Link is the block with its epoch.
func (b Block) Link() hashchain.Link { return hashchain.Link{Head: b.Head(), Epoch: b.Epoch} }

var (
	readHead   = Blocks.find("b.lane = s.lane AND b.seq = (SELECT max(n.seq) FROM blocks AS n WHERE n.lane = s.lane)", "lane:int")
	readBlocks = Blocks.find("b.lane = s.lane AND b.seq = s.seq", "lane:int", "seq:int")
	addBlock   = Blocks.insert("")
)

// AskBlocks asks for the blocks that have the lanes and numbers of the heads.
func AskBlocks(a *db.Asks, heads []hashchain.Head, found func(hashchain.Head)) {
	places := make([][]any, len(heads))
	for i, h := range heads {
		places[i] = []any{h.Lane, h.Seq}
	}
	readBlocks.ask(a, "read blocks", places, func(b Block) error {
		found(b.Head())
		return nil
	})
}

// Heads are the newest blocks of the lanes. It looks once for each lane, however many blocks
// there are.
var Heads = View[Block]{Blocks.Columns(), "heads AS b", Blocks.Scan}

// AskHead asks for the newest block of a lane; its seq is 0 before the first.
func AskHead(a *db.Asks, lane int, head *hashchain.Link) {
	*head = hashchain.Link{Head: hashchain.Head{Lane: lane}}
	readHead.ask(a, "read head", [][]any{{lane}}, func(b Block) error {
		*head = b.Link()
		return nil
	})
}

// Seal asks to write the block of a content that was written with the number after
// the previous one, and returns it. It is written last: its number is the fence
// against another writer that believes to have the lane.
func Seal(a *db.Asks, seals seal.Authenticator, previous hashchain.Head, c hashchain.Content) (hashchain.Head, error) {
	head := hashchain.Next(previous, c)
	row, err := blockRow(seals, previous, head, c)
	a.Write("seal block", addBlock.query, [][]any{row})
	return head, err
}

func blockRow(seals seal.Authenticator, previous, head hashchain.Head, c hashchain.Content) ([]any, error) {
	sealed, err := seals.Seal(hashchain.SealPurpose, head.Sealed())
	return addBlock.row(&Block{
		Lane: head.Lane, Seq: head.Seq, Previous: previous.Hash, Hash: head.Hash, At: c.At, Epoch: c.Epoch, Seal: sealed,
	}), err
}

// Begin asks to write the blocks that begin an epoch, each after the newest of its lane
// and above the greatest number known of it, and returns them. The first one covers the
// content; the others cover its moment and its epoch.
func Begin(a *db.Asks, seals seal.Authenticator, newest []hashchain.Head, known map[int]int64, c hashchain.Content) (_ []hashchain.Head, err error) {
	heads, sealed := make([]hashchain.Head, len(newest)), make([][]any, len(newest))
	for i, previous := range newest {
		heads[i] = hashchain.Begin(previous, known[previous.Lane], c)
		if sealed[i], err = blockRow(seals, previous, heads[i], c); err != nil {
			return nil, err
		}
		c = hashchain.Content{At: c.At, Epoch: c.Epoch}
	}
	a.Write("begin an epoch", addBlock.query, sealed)
	return heads, nil
}

// inBlock are the columns of a row that a block covers beyond its own: which block, and
// its place among all rows of the block, whichever tables they are in.
type inBlock struct {
	Lane     int
	Seq      int64
	Position int
}

var blockColumns = []string{"lane:int", "seq:int", "position:int"}
