package rows

import (
	"cmp"
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// voteSum is what all admins together let go in a step of time.
type voteSum struct {
	voteSlot
	amount money.Total
}

// voteSlot names a row of vote_sums.
type voteSlot struct {
	token  money.Token
	credit bool
	slot   int64
}

func (k voteSlot) compare(other voteSlot) int {
	credit := func(k voteSlot) int {
		if k.credit {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(k.token, other.token), cmp.Compare(credit(k), credit(other)), cmp.Compare(k.slot, other.slot))
}

var storedVoteSums = table("vote_sums", "v",
	text("token", func(s *voteSum) *money.Token { return &s.token }),
	boolean("credit", func(s *voteSum) *bool { return &s.credit }),
	integer("slot", func(s *voteSum) *int64 { return &s.slot }),
	high("hi", func(s *voteSum) money.Total { return s.amount }),
	low("lo", func(s *voteSum) money.Total { return s.amount }),
)

var (
	// The low parts add up below 2^41, so that the carry is 0 or 1.
	addVoteSums = storedVoteSums.insert(`ON CONFLICT (token, credit, slot) DO UPDATE SET
	hi = vote_sums.hi + excluded.hi + ((vote_sums.lo + excluded.lo) >> 40),
	lo = (vote_sums.lo + excluded.lo) & 1099511627775`)
	readVoteSums = db.NewQuery(`SELECT v.token, v.credit, v.slot, v.hi, v.lo FROM {sent} AS s CROSS JOIN vote_sums AS v
		WHERE v.token = s.token AND v.credit = s.credit AND v.slot >= s.slot`, "token", "credit:bool", "slot:int")
)

// voteSums are those that bear on items of the batch, with what the batch adds.
type voteSums struct {
	stored, fresh map[voteSlot]money.Total
}

func (o *voteSums) ask(b *Batch) {
	earliest := map[voteSlot]int64{}
	for _, item := range b.Items {
		if n := item.Needs.Votes; n != nil {
			key := voteSlot{token: n.Token, credit: n.Credit()}
			if first, asked := earliest[key]; !asked || n.Since() < first {
				earliest[key] = n.Since()
			}
		}
	}
	var wanted [][]any
	for _, k := range slices.SortedFunc(maps.Keys(earliest), voteSlot.compare) {
		wanted = append(wanted, []any{string(k.token), k.credit, earliest[k]})
	}
	b.Ask("read sums of votes", readVoteSums, wanted, func(row db.Row) error {
		var k voteSlot
		var hi, lo int64
		err := row.Scan(&k.token, &k.credit, &k.slot, &hi, &lo)
		put(&o.stored, k, money.TotalFromParts(hi, lo))
		return err
	})
}

// since is what was let go, earlier items of the batch included, that an item counts.
func (o *voteSums) since(n *player.VotesNeed) money.Total {
	var sum money.Total
	for _, part := range [...]map[voteSlot]money.Total{o.stored, o.fresh} {
		for k, amount := range part {
			if k.token == n.Token && k.credit == n.Credit() && k.slot >= n.Since() {
				sum = sum.Add(amount)
			}
		}
	}
	return sum
}

func (o *voteSums) add(y player.Vote) {
	if y.Passes {
		key := voteSlot{y.Token, y.Credit, player.SlotOf(y.At)}
		put(&o.fresh, key, o.fresh[key].AddAmount(y.Amount))
	}
}

func (o *voteSums) write(b *Batch) {
	var rows [][]any
	for _, k := range slices.SortedFunc(maps.Keys(o.fresh), voteSlot.compare) {
		rows = append(rows, addVoteSums.row(&voteSum{k, o.fresh[k]}))
	}
	b.Write("add to sums of votes", addVoteSums.query, rows)
}
