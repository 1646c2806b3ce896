package rows

import (
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
)

// sessionRow is a session as it is kept; Counted are the tallies at its beginning.
type sessionRow struct {
	bun.BaseModel `bun:"table:sessions,alias:n"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	IssuedAt      time.Time      `bun:",pk"`
	KeepUntil     time.Time
	Counted       string
}

var writeSessions = modelOf[sessionRow, sessionRow]().upsert("keep_until")

// tallies are what was counted of balances, 0 where there is none.
var tallies = func() *Model[Balance] {
	m := CountedBalances.without("wallet", "kind", "hold", "token", "amount")
	for _, c := range m.columns {
		m = m.reading(c.Name, "coalesce(@."+c.Name+", 0)")
	}
	return m
}()

// ReadSession is of one session what was counted before it, with what is counted of each
// of its wallet's balances by now.
var ReadSession = "SELECT " + tallies.Columns() + `, n.counted, b.token FROM sessions AS n
	LEFT JOIN balances AS b ON b.wallet = n.wallet AND b.kind = 'player' AND b.hold = ''
	WHERE n.wallet = ? AND n.issued_at = ?`

// ScanSessionTally reads a row of ReadSession.
func ScanSessionTally(row db.Row, before *string, token *sql.NullString) (session.Tally, error) {
	b, err := tallies.ScanWith(row, before, token)
	return b.Tally(), err
}

// sessionKey names a row of sessions. Of two that began at once the first is kept: their
// tokens can't be distinguished.
type sessionKey struct {
	wallet wallet.Address
	issued int64
}

// sessions are what began.
type sessions struct {
	plain
	begun map[sessionKey]session.Session
}

func (s *sessions) stage(_ *Batch, step *Step) {
	if begun := step.Change.Session; begun != nil {
		key := sessionKey{begun.Wallet, db.Micros(begun.IssuedAt)}
		if !has(s.begun, key) {
			put(&s.begun, key, *begun)
		}
	}
}

func (s *sessions) write(b *Batch) error {
	var rows [][]any
	for k, begun := range s.begun {
		before, err := wire.EncodeTallies(begun.Before)
		if err != nil {
			return err
		}
		rows = append(rows, writeSessions.row(&sessionRow{Wallet: k.wallet, IssuedAt: begun.IssuedAt, KeepUntil: begun.Until, Counted: before}))
	}
	b.WriteSorted("write sessions", writeSessions.query, rows)
	return nil
}
