package rows

import (
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/hashchain"
)

// Block is a block of a lane without its content.
type Block struct {
	Lane           int
	Seq            int64
	Previous, Hash hashchain.Hash
	At             time.Time
}

// Blocks are the blocks of all lanes.
var Blocks = table("blocks", "b",
	integer("lane", func(b *Block) *int { return &b.Lane }),
	integer("seq", func(b *Block) *int64 { return &b.Seq }),
	hash("previous", func(b *Block) *hashchain.Hash { return &b.Previous }),
	hash("hash", func(b *Block) *hashchain.Hash { return &b.Hash }),
	moment("at", func(b *Block) *time.Time { return &b.At }),
)

// Head is the block as the head of its lane.
func (b Block) Head() hashchain.Head { return hashchain.Head{Lane: b.Lane, Seq: b.Seq, Hash: b.Hash} }

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
	a.Ask("read blocks", readBlocks, places, func(row db.Row) error {
		b, err := Blocks.Scan(row)
		found(b.Head())
		return err
	})
}

// AskHead asks for the newest block of a lane; its seq is 0 before the first.
func AskHead(a *db.Asks, lane int, head *hashchain.Head) {
	*head = hashchain.Head{Lane: lane}
	a.Ask("read head", readHead, [][]any{{lane}}, func(row db.Row) error {
		b, err := Blocks.Scan(row)
		*head = b.Head()
		return err
	})
}

// Seal asks to write the block of a content that was written with the number after
// the previous one, and returns it. It is written last: its number is the fence
// against another writer that believes to have the lane.
func Seal(a *db.Asks, previous hashchain.Head, c hashchain.Content) hashchain.Head {
	head := hashchain.Next(previous, c)
	a.Write("seal block", addBlock.query, [][]any{addBlock.row(&Block{head.Lane, head.Seq, previous.Hash, head.Hash, c.At})})
	return head
}

// blockColumns are the columns of a row that a block covers beyond its own: which
// block, and its place there.
var blockColumns = []string{"lane:int", "seq:int", "position:int"}
