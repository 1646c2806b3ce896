package rows

import (
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// Votes are the votes of admins.
var Votes = table("votes", "y",
	text("subject", func(y *player.Vote) *string { return &y.Of }),
	text("by_wallet", func(y *player.Vote) *wallet.Address { return &y.By }),
	moment("at", func(y *player.Vote) *time.Time { return &y.At }),
	boolean("credit", func(y *player.Vote) *bool { return &y.Credit }),
	ofWallet("wallet", func(y *player.Vote) *wallet.Address { return &y.Wallet }),
	text("destination", func(y *player.Vote) *string { return &y.Destination }),
	text("token", func(y *player.Vote) *money.Token { return &y.Token }),
	integer("amount", func(y *player.Vote) *money.Amount { return &y.Amount }),
	text("granted_by", func(y *player.Vote) *wallet.Address { return &y.GrantedBy }),
	optional("granted_at", func(y *player.Vote) *time.Time { return &y.GrantedAt }),
	optional("after", func(y *player.Vote) *time.Time { return &y.After }),
	optional("after_own", func(y *player.Vote) *time.Time { return &y.AfterOwn }),
	boolean("passes", func(y *player.Vote) *bool { return &y.Passes }),
)

var (
	readVotes = Votes.find("y.subject = s.subject", "subject")
	addVotes  = Votes.insert("")
)

// votesGuard is what everybody locks who counts votes.
const votesGuard = "votes"

// votes are those in the things of the batch's items, new ones included, and what all of
// them come to.
type votes struct {
	plain
	known     map[voteKey]player.Vote
	fresh     []player.Vote
	sums      voteSums
	creditors creditors
}

// voteKey names a row of votes.
type voteKey struct {
	of string
	by wallet.Address
	at int64
}

func voteKeyOf(y player.Vote) voteKey { return voteKey{y.Of, y.By, db.Micros(y.At)} }

// ask reads what bears on the items that ask. It concerns other wallets too, so
// that decisions which count votes come one after the other, whichever writer makes
// them: the guard is taken after all wallets and claims.
func (o *votes) ask(b *Batch) {
	var of [][]any
	asked := false
	for _, item := range b.Items {
		if n := item.Needs.Votes; n != nil {
			if asked = true; n.Of != "" {
				of = append(of, []any{n.Of})
			}
		}
	}
	if !asked {
		return
	}
	LockGuard(&b.Asks, votesGuard)
	b.Ask("read votes", readVotes, of, func(row db.Row) error {
		y, err := Votes.Scan(row)
		put(&o.known, voteKeyOf(y), y)
		return err
	})
	o.sums.ask(b)
	o.creditors.ask(b)
}

// show shows the stored ones that items of the batch need, and those that items
// before this one brought.
func (o *votes) show(_ *Batch, item *player.Item, whole *player.View) {
	whole.Votes, whole.Counted = nil, player.Counted{}
	if n := item.Needs.Votes; n != nil {
		whole.Votes, whole.Counted = o.creditors.votes(slices.Collect(maps.Values(o.known))), o.sums.counted(item.Wallet, n)
	}
}

func (o *votes) stage(_ *Batch, s *Step) {
	for _, y := range s.Change.Votes {
		put(&o.known, voteKeyOf(y), y)
		o.sums.add(y)
		o.creditors.add(y)
	}
	o.fresh = append(o.fresh, s.Change.Votes...)
}

func (o *votes) write(b *Batch) error {
	b.Write("write votes", addVotes.query, addVotes.rows(o.fresh))
	o.sums.write(b)
	o.creditors.write(b)
	return nil
}
