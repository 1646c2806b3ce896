package rows

import (
	"cmp"
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// VoteSum is what votes come to that are counted together, in a step of time.
type VoteSum struct {
	player.VoteTally
	Amount money.Total
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

// VoteTallies names the rows of vote_sums.
var VoteTallies = table("vote_sums", "v",
	text("sort", func(s *VoteSum) *player.VoteSort { return &s.Sort }),
	text("name", func(s *VoteSum) *string { return &s.Name }),
	text("token", func(s *VoteSum) *money.Token { return &s.Token }),
	boolean("credit", func(s *VoteSum) *bool { return &s.Credit }),
	integer("slot", func(s *VoteSum) *int64 { return &s.Slot }),
)

// SelectVoteSums is the query of all that ScanVoteSum reads.
var SelectVoteSums = "SELECT " + VoteTallies.Columns() + ", v.hi, v.lo FROM " + VoteTallies.From()

// ScanVoteSum reads a row with its amount.
func ScanVoteSum(row db.Row) (VoteSum, error) {
	var hi, lo int64
	s, err := VoteTallies.ScanWith(row, &hi, &lo)
	s.Amount = money.TotalFromParts(hi, lo)
	return s, err
}

var (
	// The low parts add up below 2^41, so that the carry is 0 or 1.
	addVoteSums = VoteTallies.insert(`ON CONFLICT (sort, name, token, credit, slot) DO UPDATE SET
	hi = vote_sums.hi + excluded.hi + ((vote_sums.lo + excluded.lo) >> 40),
	lo = (vote_sums.lo + excluded.lo) & 1099511627775`, "hi:int", "lo:int")
	readVoteSums = db.NewQuery("SELECT "+VoteTallies.Columns()+`, v.hi, v.lo FROM {sent} AS s CROSS JOIN vote_sums AS v
		WHERE v.sort = s.sort AND v.name = s.name AND v.token = s.token AND v.credit = s.credit AND v.slot >= s.slot`,
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
		s, err := ScanVoteSum(row)
		o.keep(s.VoteTally, s.Amount)
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
		hi, lo := o.fresh[k].Parts()
		rows = append(rows, addVoteSums.row(&VoteSum{VoteTally: k}, hi, lo))
	}
	b.Write("add to sums of votes", addVoteSums.query, rows)
}
