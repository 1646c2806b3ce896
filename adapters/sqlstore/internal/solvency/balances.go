package solvency

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/accounts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

const (
	// candidatesMax is how many rounds and transactions are looked at for a token, newest first.
	// The order of ids is that of the ledger but for what was on its way at the same time, of
	// which a player has at most 16 on an instance.
	candidatesMax = 64
	// blocksBehind is how many blocks of a lane may have been sealed before one with an earlier
	// moment.
	blocksBehind = 1024
)

// candidate is a row that has its player's balance after it, and where it is in the ledger.
type candidate struct {
	id       string
	lane     int
	seq      int64
	position int
	balance  money.Amount
}

// roundsAfter are rounds with the balance after them, those of detached months included;
// transactionsAfter the same of providers' transactions.
var (
	roundsAfter = table.NewView[candidate]("r.id, r.lane, r.seq, r.position, r.balance", "kept_rounds AS r", scanRoundAfter)

	transactionsAfter = table.NewView[candidate]("t.id, t.lane, t.seq, t.position, t.balance", "provider_transactions AS t",
		func(row db.Row) (c candidate, err error) {
			return c, row.Scan(&c.id, &c.lane, &c.seq, &c.position, &c.balance)
		})
)

func scanRoundAfter(row db.Row) (c candidate, err error) {
	return c, row.Scan((*table.ID)(&c.id), &c.lane, &c.seq, &c.position, &c.balance)
}

// BalancesAt serves ports.PastBalances. In each token the newest row by the moment decides, of
// rounds, providers' transactions, and facts of what else was booked.
func (s *Store) BalancesAt(ctx context.Context, w wallet.Address, at time.Time) ([]ports.TokenBalance, error) {
	found := []ports.TokenBalance{}
	until, err := s.newestBlocksBy(ctx, at)
	if err != nil {
		return nil, err
	}
	gone, err := archive.DroppedUntil(ctx, s.Reads)
	if err != nil {
		return nil, err
	}
	var tokens []money.Token
	keys, _ := table.WalletKeys([]string{string(w)})
	err = s.DB.Known(ctx, "read balances", accounts.ReadPlayerBalances, keys, func(row *sql.Rows) error {
		var of table.ID
		var b ports.TokenBalance
		err := row.Scan(&of, &b.Token, &b.Amount)
		tokens = append(tokens, b.Token)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, token := range tokens {
		balance, moment, booked, err := s.balanceAt(ctx, w, token, at, until)
		switch {
		case err != nil:
			return nil, err
		case moment.Before(gone):
			return nil, fault.Field("at", "what was booked before %s is not kept any more", gone.Format(time.RFC3339))
		case booked:
			found = append(found, ports.TokenBalance{Token: token, Amount: balance})
		}
	}
	return found, nil
}

// balanceAt is a balance at a moment, and when it was booked.
func (s *Store) balanceAt(ctx context.Context, w wallet.Address, token money.Token, at time.Time, until []chain.Block) (
	balance money.Amount, moment time.Time, booked bool, err error) {
	played, err := s.playedBy(ctx, w, token, at)
	if err != nil {
		return 0, moment, false, err
	}
	facts, err := s.factsBy(ctx, w, token, at, until)
	if err != nil {
		return 0, moment, false, err
	}
	all := append(played, facts...)
	blocks := map[[2]int64]chain.Block{}
	for some := range slices.Chunk(all, archive.BlocksAtOnce) {
		of, err := archive.BlocksUnder(ctx, s.Reads, some, func(c candidate) (int, int64) { return c.lane, c.seq })
		if err != nil {
			return 0, moment, false, err
		}
		for _, b := range of {
			blocks[[2]int64{int64(b.Lane), b.Seq}] = b
		}
	}
	blockOf := func(c candidate) chain.Block { return blocks[[2]int64{int64(c.lane), c.seq}] }
	all = slices.DeleteFunc(all, func(c candidate) bool { return blockOf(c).At.After(at) })
	if len(all) == 0 {
		return 0, moment, false, nil
	}
	last := slices.MaxFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(blockOf(a).Number, blockOf(b).Number), cmp.Compare(a.position, b.position))
	})
	return last.balance, blockOf(last).At, true, nil
}

// playedBy are the newest rounds and providers' transactions in a token by a moment.
func (s *Store) playedBy(ctx context.Context, w wallet.Address, token money.Token, at time.Time) ([]candidate, error) {
	rounds, provided := read.ListOf(roundsAfter, "r.id"), read.ListOf(transactionsAfter, "t.id")
	rounds.UUID, rounds.Keyed = true, true
	rounds.ByKey, provided.ByKey = true, true
	provided.Is("t.status = 'taken'")
	provided.Is("t.site = ''") // what is forwarded moves no balance here
	provided.Equals("t.token", string(token))
	page := ports.Page{Number: 1, Limit: candidatesMax, Uncounted: true}
	var all []candidate
	for _, l := range []*read.List{&rounds, &provided} {
		l.Owned(s.DB.Dialect, w)
		// Rows that were made in the minute after the moment are passed over one by one.
		s.Between(l, strings.TrimSuffix(l.ID, "id")+"at", time.Time{}, at.Add(time.Microsecond), table.IDSlack)
		of := transactionsAfter
		if l == &rounds {
			of = roundsAfter
			l.By(read.KeptCells("rounds", true), read.Filter{"token": string(token)}, "game", "token")
		}
		found, _, err := read.ListPage(ctx, s.Reads, "read what was played by a moment", page, of, func(c *candidate) string { return c.id }, *l)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// tokenOfFact is the token of a fact of a balance, which its id ends with. The schema's index
// ledger_events_balance has the same expression.
const tokenOfFact = "replace(e.id, rtrim(e.id, replace(e.id, '/', '')), '')"

// factsBy are the newest facts of a balance in a token by a moment, one a lane. Until are the
// newest blocks by then, as far as their moments say.
func (s *Store) factsBy(ctx context.Context, w wallet.Address, token money.Token, at time.Time, until []chain.Block) (all []candidate, err error) {
	if len(until) == 0 {
		return nil, nil
	}
	arms, arguments := make([]string, len(until)), make([]any, 0, 5*len(until))
	for i, b := range until {
		arms[i] = "SELECT * FROM (SELECT e.lane, e.seq, e.position, e.fields FROM ledger_events AS e WHERE e.wallet = ? AND e.kind = 'balance' AND " +
			tokenOfFact + ` = ? AND e.lane = ? AND e.seq <= ? AND EXISTS (SELECT 1 FROM blocks AS b WHERE b.lane = e.lane AND b.seq = e.seq AND b.at <= ?)
			ORDER BY e.seq DESC, e.position DESC LIMIT 1) AS one`
		arguments = append(arguments, string(w), string(token), b.Lane, b.Seq+blocksBehind, db.Micros(at))
	}
	err = s.Rows(ctx, "read what was booked by a moment", strings.Join(arms, " UNION ALL "), arguments, func(row *sql.Rows) error {
		var c candidate
		var fields []byte
		if err := row.Scan(&c.lane, &c.seq, &c.position, &fields); err != nil {
			return err
		}
		read, err := wire.DecodeFields(fields)
		c.balance = money.Amount(event.Event{Fields: read}.Number("balance"))
		all = append(all, c)
		return err
	})
	return all, err
}

// newestBlocksBy are the newest blocks of the lanes by a moment.
func (s *Store) newestBlocksBy(ctx context.Context, at time.Time) (blocks []chain.Block, err error) {
	err = s.Rows(ctx, "read blocks by a moment", `SELECT h.lane, coalesce((SELECT b.seq FROM blocks AS b WHERE b.lane = h.lane AND b.at <= ?
		ORDER BY b.at DESC, b.seq DESC LIMIT 1), 0) FROM heads AS h`, []any{db.Micros(at)}, func(row *sql.Rows) error {
		var b chain.Block
		err := row.Scan(&b.Lane, &b.Seq)
		if b.Seq > 0 {
			blocks = append(blocks, b)
		}
		return err
	})
	return blocks, err
}

// LiabilitiesAt serves ports.PastBalances.
func (s *Store) LiabilitiesAt(ctx context.Context, at time.Time) (ports.Liabilities, error) {
	const stated = "e.kind = 'solvency'"
	var newest string
	before := solvency.EventID(at.Add(time.Millisecond).Truncate(time.Millisecond), "")
	err := s.Rows(ctx, "read what was stated", "SELECT e.id FROM ledger_events AS e WHERE "+stated+" AND e.id < ? ORDER BY e.id DESC LIMIT 1",
		[]any{before}, func(row *sql.Rows) error { return row.Scan(&newest) })
	if err != nil {
		return ports.Liabilities{}, err
	}
	moment, _, _ := solvency.ParseEventID(newest)
	events, err := read.From(s.Reads, chain.Events).Where(stated+" AND e.id >= ? AND e.id < ?", solvency.EventID(moment, ""), before).All(ctx, "read what was stated")
	if err != nil {
		return ports.Liabilities{}, err
	}
	return ports.LiabilitiesOf(events)
}
