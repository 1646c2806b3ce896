// Package reporting stores what players played on a day, and sums up transactions for reports.
package reporting

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.PlayerDays and ports.TransactionSums.
type Store struct{ *change.Changes }

// dayRow is a row of player_days.
type dayRow struct {
	bun.BaseModel `bun:"table:player_days,alias:d"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	Day           int64          `bun:",pk"`
	Token         money.Token    `bun:",pk"`
	Agent         string         `bun:",pk"`
	Rounds        int64
	Wagered       table.Sum `bun:"embed:wagered_"`
	Paid          table.Sum `bun:"embed:paid_"`
}

// countedRow is a row of counted_blocks.
type countedRow struct {
	bun.BaseModel `bun:"table:counted_blocks,alias:c"`
	Lane          int `bun:",pk"`
	Seq           int64
}

var (
	days    = table.ModelOf[dayRow, dayRow]()
	counted = table.ModelOf[countedRow, countedRow]()
)

// daysGuard is the kind of the transactions that count play.
const daysGuard = "player days"

// uncounted selects the lanes that have blocks not yet added to player_days.
const uncounted = `SELECT h.lane, h.seq, coalesce(c.seq, 0) FROM heads AS h LEFT JOIN counted_blocks AS c ON c.lane = h.lane
	WHERE h.seq > coalesce(c.seq, 0) ORDER BY h.lane`

// A provider's transaction counts as in figure.OfSeamless.
var addPlay = `INSERT INTO player_days (wallet, day, token, agent, rounds, wagered_hi, wagered_lo, paid_hi, paid_lo)
	SELECT f.wallet, f.day, f.token, f.agent, f.rounds, f.wagered_hi + (f.wagered_lo >> 40), f.wagered_lo & 1099511627775,
		f.paid_hi + (f.paid_lo >> 40), f.paid_lo & 1099511627775
	FROM (SELECT p.wallet, p.day, p.token, p.agent, CAST(sum(p.rounds) AS bigint) AS rounds,
		CAST(sum(p.wagered >> 40) AS bigint) AS wagered_hi, CAST(sum(p.wagered & 1099511627775) AS bigint) AS wagered_lo,
		CAST(sum(p.paid >> 40) AS bigint) AS paid_hi, CAST(sum(p.paid & 1099511627775) AS bigint) AS paid_lo
		FROM (SELECT r.wallet, r.at / 86400000000 AS day, n.name AS token, r.agent, 1 AS rounds, r.wager AS wagered, r.payout AS paid
			FROM kept_rounds AS r JOIN names AS n ON n.key = r.token WHERE r.lane = ? AND r.seq > ? AND r.seq <= ?
			UNION ALL SELECT t.wallet, t.at / 86400000000, t.token, t.agent,
			CASE WHEN t.kind IN ('debit', 'debit_credit') AND t.status <> 'refused' THEN 1 ELSE 0 END, t.bet, CASE WHEN t.status = 'taken' THEN t.win ELSE 0 END
			FROM provider_transactions AS t WHERE t.lane = ? AND t.seq > ? AND t.seq <= ?) AS p
		WHERE p.rounds > 0 OR p.wagered > 0 OR p.paid > 0
		GROUP BY p.wallet, p.day, p.token, p.agent) AS f
	WHERE TRUE ON CONFLICT (wallet, day, token, agent) DO UPDATE SET rounds = player_days.rounds + excluded.rounds, ` +
	table.AddUp("player_days", "wagered_", "paid_")

// CountPlay implements ports.PlayerDays.
func (s *Store) CountPlay(ctx context.Context, blocks int) (more bool, err error) {
	lanes, err := lanesBehind(ctx, s.DB.Read)
	if err != nil || len(lanes) == 0 {
		return false, s.DB.Unreachable("read what isn't counted", err)
	}
	err = s.Run(ctx, daysGuard, func(ctx context.Context, tx bun.Tx) error {
		more = false
		lanes, err := lanesBehind(ctx, tx)
		if err != nil {
			return err
		}
		for _, l := range lanes {
			until := min(l.head, l.counted+int64(max(1, blocks/len(lanes))))
			more = more || until < l.head
			if _, err := tx.ExecContext(ctx, addPlay, l.lane, l.counted, until, l.lane, l.counted, until); err != nil {
				return db.Wrap("count play", err)
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO counted_blocks (lane, seq) VALUES (?, ?)
				ON CONFLICT (lane) DO UPDATE SET seq = excluded.seq`, l.lane, until); err != nil {
				return db.Wrap("note what is counted", err)
			}
		}
		return nil
	})
	return more, err
}

// laneBehind is a lane with blocks after the last counted one.
type laneBehind struct {
	lane          int
	head, counted int64
}

func lanesBehind(ctx context.Context, on bun.IConn) (lanes []laneBehind, err error) {
	rows, err := on.QueryContext(ctx, uncounted)
	if err != nil {
		return nil, db.Wrap("read what isn't counted", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var l laneBehind
		if err := rows.Scan(&l.lane, &l.head, &l.counted); err != nil {
			return nil, db.Wrap("read what isn't counted", err)
		}
		lanes = append(lanes, l)
	}
	return lanes, rows.Err()
}

// CountedBlocks returns the last block of each lane that was added to player_days.
func CountedBlocks(ctx context.Context, r *read.Reads) ([]hashchain.Head, error) {
	return read.Collect(ctx, r.Rows, "read what is counted", counted.Select(), nil, func(row db.Row) (hashchain.Head, error) {
		c, err := counted.Scan(row)
		return hashchain.Head{Lane: c.Lane, Seq: c.Seq}, err
	})
}

// Players' days with their wallets: in any order, and for pages by wallet.
var (
	playerDays   = viewOfDays("player_days AS d JOIN players AS w ON w.key = d.wallet")
	daysByWallet = viewOfDays("players AS w CROSS JOIN player_days AS d")
)

// viewOfDays returns a view of player_days AS d.
func viewOfDays(from string) table.View[ports.PlayerDay] {
	return table.NewView[ports.PlayerDay](days.Columns(), from, func(row db.Row) (ports.PlayerDay, error) {
		d, err := days.Scan(row)
		return ports.PlayerDay{
			PlayerKey: figure.PlayerKey{Wallet: d.Wallet, Day: figure.NumberedDay(d.Day), Token: d.Token, Agent: d.Agent},
			Cell:      figure.Cell{Rounds: d.Rounds, Wagered: d.Wagered.Total(), Paid: d.Paid.Total()},
		}, err
	})
}

// conditionsOf returns the conditions of a filter on player_days AS d.
func conditionsOf(filter ports.FigureFilter) (of read.Conditions) {
	of.Equals("d.token", string(filter.Token))
	of.Equals("d.agent", filter.Agent)
	for _, end := range [...]struct{ condition, day string }{{"d.day >= ?", filter.From}, {"d.day <= ?", filter.To}} {
		if number, given := figure.DayNumber(end.day); given {
			of.Texts, of.Arguments = append(of.Texts, end.condition), append(of.Arguments, number)
		}
	}
	return of
}

// PlayerDays implements ports.PlayerDays.
func (s *Store) PlayerDays(ctx context.Context, filter ports.PlayerDayFilter, limit int) ([]ports.PlayerDay, error) {
	of := conditionsOf(filter.FigureFilter)
	q := read.From(s.Reads, playerDays).Order("d.day, w.wallet, d.token, d.agent").Limit(limit)
	for i, text := range of.Texts {
		q.Where(text, of.Arguments[i])
	}
	if filter.Wallet != "" {
		q.Where("d.wallet = ?", s.DB.Dialect.ID(table.WalletKey(filter.Wallet)))
	}
	if filter.AtLeast > 0 {
		hi, lo := money.TotalOf(filter.AtLeast).Parts()
		q.Where("("+difference("paid", "wagered")+" >= (?, ?) OR "+difference("wagered", "paid")+" >= (?, ?))", hi, lo, hi, lo)
	}
	return q.All(ctx, "read players' days")
}

// difference returns the difference of two sums as a row of its parts.
func difference(sum, less string) string {
	lo := "(d." + sum + "_lo - d." + less + "_lo)"
	return "(d." + sum + "_hi - d." + less + "_hi + (" + lo + " >> 40), " + lo + " & 1099511627775)"
}

// ActivePlayers implements ports.PlayerDays.
func (s *Store) ActivePlayers(ctx context.Context, filter ports.FigureFilter, daily bool) ([]ports.ActivePlayers, error) {
	of, day := conditionsOf(filter), "-1"
	of.Texts = append(of.Texts, "d.rounds > 0")
	if daily {
		day = "d.day"
	}
	return read.Collect(ctx, s.Rows, "count active players", "SELECT "+day+" AS on_day, d.token, d.agent, count(DISTINCT d.wallet) FROM player_days AS d"+
		of.Where()+" GROUP BY on_day, d.token, d.agent ORDER BY on_day, d.token, d.agent", of.Arguments, func(row db.Row) (a ports.ActivePlayers, err error) {
		var number int64
		if err = row.Scan(&number, &a.Token, &a.Agent, &a.Players); daily {
			a.Day = figure.NumberedDay(number)
		}
		return a, err
	})
}

// ended is the condition of the index transactions_ended.
const ended = "NOT (type = 'deposit' AND status <> 'credited' OR type = 'withdrawal' AND status <> 'completed')"

// TransactionSums implements ports.TransactionSums.
func (s *Store) TransactionSums(ctx context.Context, from, to time.Time, token money.Token, agent string) ([]ports.TransactionSum, error) {
	of := read.Conditions{Texts: []string{ended, "t.updated_at >= ?", "t.updated_at < ?"}, Arguments: []any{db.Micros(from), db.Micros(to)}}
	of.Equals("t.token", string(token))
	of.Equals("t.agent", agent)
	firsts := of
	firsts.Texts = append(append([]string{}, of.Texts...), `t.type = 'deposit' AND NOT EXISTS (SELECT 1 FROM transactions AS e
		WHERE e.wallet = t.wallet AND e.type = 'deposit' AND e.status = 'credited' AND (e.updated_at, e.id) < (t.updated_at, t.id))`)
	var found []ports.TransactionSum
	for _, q := range [...]struct {
		of    read.Conditions
		first bool
	}{{of, false}, {firsts, true}} {
		err := s.Rows(ctx, "sum up transactions", `SELECT t.updated_at / 86400000000 AS on_day, t.token, t.agent, t.type, t.credit, count(*),
			CAST(sum(t.amount >> 40) AS bigint), CAST(sum(t.amount & 1099511627775) AS bigint) FROM transactions AS t`+q.of.Where()+
			" GROUP BY on_day, t.token, t.agent, t.type, t.credit ORDER BY on_day, t.token, t.agent, t.type, t.credit", q.of.Arguments,
			func(row *sql.Rows) error {
				m := ports.TransactionSum{First: q.first}
				var day, hi, lo int64
				err := row.Scan(&day, &m.Token, &m.Agent, &m.Type, &m.Credit, &m.Count, &hi, &lo)
				m.Day, m.Amount = figure.NumberedDay(day), money.TotalFromParts(hi, lo)
				found = append(found, m)
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// PageOfDays reads a page of players' days for an audit, sorted by wallet, day, token and agent.
func PageOfDays(r *read.Reads, after string, limit int) *read.Query[ports.PlayerDay] {
	q := read.From(r, daysByWallet).Where("w.key = d.wallet").Order("w.wallet, d.day, d.token, d.agent").Limit(limit)
	if key := strings.SplitN(after, "\x00", 4); len(key) == 4 {
		day, _ := figure.DayNumber(key[1]) // of the page before
		q.Where("w.wallet >= ? AND (w.wallet, d.day, d.token, d.agent) > (?, ?, ?, ?)", key[0], key[0], day, key[2], key[3])
	}
	return q
}
