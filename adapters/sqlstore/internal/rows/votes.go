package rows

import (
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// voteRow is a row of votes.
type voteRow struct {
	bun.BaseModel `bun:"table:votes,alias:y"`
	Vote          struct {
		Of          string `bun:"subject"`
		Credit      bool
		Wallet      wallet.Address `bun:",type:uuid"`
		Destination string
		Token       money.Token
		Amount      money.Amount
		By          wallet.Address `bun:"by_wallet"`
		At          time.Time
		GrantedBy   wallet.Address
		GrantedAt   time.Time `bun:",nullzero"`
		After       time.Time `bun:",nullzero"`
		AfterOwn    time.Time `bun:",nullzero"`
		Passes      bool
	} `bun:"embed:"`
}

// Votes are the votes of admins.
var Votes = modelOf[voteRow, player.Vote]()

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
	readVotes.ask(&b.Asks, "read votes", of, func(y player.Vote) error {
		put(&o.known, voteKeyOf(y), y)
		return nil
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
