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
	text("wallet", func(y *player.Vote) *wallet.Address { return &y.Wallet }),
	text("destination", func(y *player.Vote) *string { return &y.Destination }),
	text("token", func(y *player.Vote) *money.Token { return &y.Token }),
	integer("amount", func(y *player.Vote) *money.Amount { return &y.Amount }),
	text("granted_by", func(y *player.Vote) *wallet.Address { return &y.GrantedBy }),
	optional("granted_at", func(y *player.Vote) *time.Time { return &y.GrantedAt }),
	boolean("passes", func(y *player.Vote) *bool { return &y.Passes }),
)

// The votes that bear on an item: each part finds its rows by an index of its own.
var (
	readVotesWallet      = Votes.find("y.wallet = s.wallet AND y.at > s.since", "wallet", "since:int")
	readVotesDestination = Votes.find("y.destination = s.destination AND y.destination <> '' AND y.at > s.since",
		"destination", "since:int")
	readVotesBy = Votes.find("y.by_wallet = s.by_wallet AND y.at > s.since", "by_wallet", "since:int")
	addVotes    = Votes.insert("")
)

// votesGuard is what everybody locks who counts votes.
const votesGuard = "votes"

// votes are those that bear on items of the batch, new ones included, whichever
// wallet they are about.
type votes struct {
	plain
	known map[voteKey]player.Vote
	fresh []player.Vote
	sums  voteSums
}

// voteKey names a row of votes.
type voteKey struct {
	of string
	by wallet.Address
	at int64
}

func voteKeyOf(y player.Vote) voteKey { return voteKey{y.Of, y.By, db.Micros(y.At)} }

// ask reads what bears on the items that ask. They concern other wallets too, so
// that decisions which count them come one after the other, whichever writer makes
// them: the guard is taken after all wallets and claims.
func (o *votes) ask(b *Batch) {
	var ofWallet, ofDestination, ofPerson [][]any
	for _, item := range b.Items {
		n := item.Needs.Votes
		if n == nil {
			continue
		}
		counted := db.Micros(n.At.Add(-player.VoteWindow))
		ofWallet = append(ofWallet, []any{string(item.Wallet), db.Micros(n.At.Add(-player.CreditorWindow))})
		ofPerson = append(ofPerson, []any{string(n.By), counted})
		if n.Destination != "" {
			ofDestination = append(ofDestination, []any{n.Destination, counted})
		}
	}
	if len(ofWallet) == 0 {
		return
	}
	LockGuard(&b.Asks, votesGuard)
	for _, part := range []struct {
		query *db.Query
		rows  [][]any
	}{{readVotesWallet, ofWallet}, {readVotesDestination, ofDestination}, {readVotesBy, ofPerson}} {
		b.Ask("read votes", part.query, part.rows, func(row db.Row) error {
			y, err := Votes.Scan(row)
			put(&o.known, voteKeyOf(y), y)
			return err
		})
	}
	o.sums.ask(b)
}

// show shows the stored ones that items of the batch need, and those that items
// before this one brought.
func (o *votes) show(_ *Batch, item *player.Item, whole *player.View) {
	whole.Votes, whole.Passed = nil, money.Total{}
	if n := item.Needs.Votes; n != nil {
		whole.Votes, whole.Passed = slices.Collect(maps.Values(o.known)), o.sums.since(n)
	}
}

func (o *votes) stage(_ *Batch, s *Step) {
	for _, y := range s.Change.Votes {
		put(&o.known, voteKeyOf(y), y)
		o.sums.add(y)
	}
	o.fresh = append(o.fresh, s.Change.Votes...)
}

func (o *votes) write(b *Batch) error {
	b.Write("write votes", addVotes.query, addVotes.rows(o.fresh))
	o.sums.write(b)
	return nil
}
