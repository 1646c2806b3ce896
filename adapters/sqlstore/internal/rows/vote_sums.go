package rows

import (
	"github.com/uptrace/bun"

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
	for k, slot := range earliest {
		wanted = append(wanted, []any{string(k.Sort), k.Name, string(k.Token), k.Credit, slot})
	}
	readVoteSums.ask(&b.Asks, "read sums of votes", wanted, func(s VoteSum) error {
		o.keep(s.VoteTally, s.Total())
		return nil
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
	for k, sum := range o.fresh {
		rows = append(rows, addVoteSums.row(&VoteSum{VoteTally: k, Sum: sumOf(sum)}))
	}
	b.WriteSorted("add to sums of votes", addVoteSums.query, rows)
}
