package rows

import (
	"cmp"
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// VoteSum is what votes come to that are counted together, in a step of time.
type VoteSum struct {
	bun.BaseModel `bun:"table:vote_sums,alias:v"`
	player.VoteTally
	Sum
}

func compareTallies(k, other player.VoteTally) int {
	return cmp.Or(cmp.Compare(k.Sort, other.Sort), cmp.Compare(k.Name, other.Name), cmp.Compare(k.Token, other.Token),
		compareFlags(k.Credit, other.Credit), cmp.Compare(k.Slot, other.Slot))
}

func compareFlags(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// VoteSums are what votes come to.
var VoteSums = modelOf[VoteSum, VoteSum]()

var (
	addVoteSums  = VoteSums.insert("ON CONFLICT (sort, name, token, credit, slot) DO UPDATE SET " + addUp("vote_sums", ""))
	readVoteSums = VoteSums.find("v.sort = s.sort AND v.name = s.name AND v.token = s.token AND v.credit = s.credit AND v.slot >= s.slot",
		"sort", "name", "token", "credit:bool", "slot:int")
)

// voteSums are those that bear on items of the batch, with what the batch adds: of each
// that is counted together the sums of its steps.
type voteSums struct {
	stored map[player.VoteTally]map[int64]money.Total
	fresh  map[player.VoteTally]money.Total
}

// whole is what names the sums of all steps.
func whole(k player.VoteTally) player.VoteTally {
	k.Slot = 0
	return k
}

// ask reads the steps that count: as many rows at most as steps are in the window, for
// each that votes are counted together by.
func (o *voteSums) ask(b *Batch) {
	earliest := map[player.VoteTally]int64{}
	for _, item := range b.Items {
		n := item.Needs.Votes
		if n == nil {
			continue
		}
		for _, k := range n.Tallies(item.Wallet) {
			if first, asked := earliest[whole(k)]; !asked || k.Slot < first {
				earliest[whole(k)] = k.Slot
			}
		}
	}
	o.stored = make(map[player.VoteTally]map[int64]money.Total, len(earliest))
	var wanted [][]any
	for _, k := range slices.SortedFunc(maps.Keys(earliest), compareTallies) {
		wanted = append(wanted, []any{string(k.Sort), k.Name, string(k.Token), k.Credit, earliest[k]})
	}
	b.Ask("read sums of votes", readVoteSums, wanted, func(row db.Row) error {
		s, err := VoteSums.Scan(row)
		o.keep(s.VoteTally, s.Total())
		return err
	})
}

// keep adds to what decisions see of a sum.
func (o *voteSums) keep(k player.VoteTally, by money.Total) {
	slots := o.stored[whole(k)]
	put(&slots, k.Slot, slots[k.Slot].Add(by))
	put(&o.stored, whole(k), slots)
}

// counted is what an item counts, with what earlier items of the batch added.
func (o *voteSums) counted(w wallet.Address, n *player.VotesNeed) (sums player.Counted) {
	for _, k := range n.Tallies(w) {
		for slot, amount := range o.stored[whole(k)] {
			if slot >= k.Slot {
				sums.Add(k.Sort, amount)
			}
		}
	}
	return sums
}

func (o *voteSums) add(y player.Vote) {
	y.Tally(func(k player.VoteTally, by money.Total) {
		o.keep(k, by)
		put(&o.fresh, k, o.fresh[k].Add(by))
	})
}

func (o *voteSums) write(b *Batch) {
	var rows [][]any
	for _, k := range slices.SortedFunc(maps.Keys(o.fresh), compareTallies) {
		rows = append(rows, addVoteSums.row(&VoteSum{VoteTally: k, Sum: sumOf(o.fresh[k])}))
	}
	b.Write("add to sums of votes", addVoteSums.query, rows)
}
