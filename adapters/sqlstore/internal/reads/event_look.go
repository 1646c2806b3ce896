package reads

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
)

// lookBlocks is how many blocks of a lane a look finds, and lookLanes how many lanes a cursor
// may name whose places are looked at: more than instances have, so that a forged one makes
// no statement without end.
const lookBlocks, lookLanes = blocksAtOnce, 32

// eventLook returns a page for whoever has heard nearly everything, of rows that this store
// has in memory because its own writers committed them: one statement says which blocks come
// next, and nothing else is read. It reports false where that isn't enough: another instance
// committed some of it, a lane began, or what the cursor names isn't there.
//
// The statement sees one moment, and blocks don't change, so that nothing else has to be read
// at the same one. What is in memory is heard also when the tables of its month are gone.
func (r *Reads) eventLook(ctx context.Context, ask eventAsk) (page stream.Page, here bool, err error) {
	if lanes := len(ask.after.Marks); lanes == 0 || lanes > lookLanes || !r.recent.Reaches(ask.after.Marks) {
		return page, false, nil
	}
	text, arguments := lookText(ask.after)
	found, err := gathered(ctx, r.kept, "look for new blocks", text, arguments, rows.Blocks.Scan)
	if err != nil {
		return page, false, err
	}
	lanes := make([]stream.Lane, 0, len(ask.after.Marks))
	for _, mark := range ask.after.Marks {
		of := slices.DeleteFunc(slices.Clone(found), func(b rows.Block) bool { return b.Lane != mark.Lane })
		slices.SortFunc(of, func(a, b rows.Block) int { return cmp.Compare(a.Seq, b.Seq) })
		if found = slices.DeleteFunc(found, func(b rows.Block) bool { return b.Lane == mark.Lane }); len(of) == 0 || !mark.Is(of[0].Head()) {
			return page, false, nil
		}
		more := len(of) == lookBlocks
		if mark.Whole() {
			of = of[1:]
		}
		if len(of) == 0 {
			continue
		}
		made, unread := r.remembered(of)
		if len(unread) > 0 {
			return page, false, nil
		}
		last := of[len(of)-1]
		lanes = append(lanes, stream.Lane{Blocks: onlyOf(ask.filter.Wallet, made), Upto: last.Link(), Number: last.Number, More: more})
	}
	if len(found) > 0 { // of a lane that the cursor doesn't name
		return page, false, nil
	}
	return stream.Cut(ask.after, lanes, ask.filter, ask.limit), true, nil
}

// lookText asks for the block of each mark and those after it, and for one of any other lane.
func lookText(after stream.Cursor) (text string, arguments []any) {
	var texts []string
	ask := func(which string, values ...any) {
		texts = append(texts, "SELECT * FROM ("+rows.Blocks.Select()+" WHERE "+which+" LIMIT ?) AS one")
		arguments = append(arguments, values...)
	}
	next := 0
	for _, mark := range after.Marks {
		if mark.Lane > next {
			ask("b.lane >= ? AND b.lane < ? ORDER BY b.lane, b.seq", next, mark.Lane, 1)
		}
		ask("b.lane = ? AND b.seq >= ? ORDER BY b.seq", mark.Lane, mark.Seq, lookBlocks)
		next = mark.Lane + 1
	}
	ask("b.lane >= ? AND b.lane <= ? ORDER BY b.lane, b.seq", next, math.MaxInt16, 1)
	return strings.Join(texts, " UNION ALL "), arguments
}

// onlyOf leaves the rows of a wallet, all of them for an empty one: what is said of a player
// follows from these alone.
func onlyOf(w wallet.Address, blocks []stream.Block) []stream.Block {
	if w == "" {
		return blocks
	}
	some := make([]stream.Block, 0, len(blocks))
	for _, b := range blocks {
		whole := b.Rows
		b.Rows = nil
		for i := range whole {
			if whole[i].Wallet() == w {
				b.Rows = append(b.Rows, whole[i])
			}
		}
		if len(b.Rows) > 0 {
			some = append(some, b)
		}
	}
	return some
}
