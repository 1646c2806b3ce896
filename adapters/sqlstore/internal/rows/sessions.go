package rows

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
)

// sessionRow is a session as it is kept; before are the tallies at its beginning.
type sessionRow struct {
	wallet          wallet.Address
	issued, expires time.Time
	before          string
}

var writeSessions = table("sessions", "n",
	ofWallet("wallet", func(s *sessionRow) *wallet.Address { return &s.wallet }).keyed(),
	moment("issued_at", func(s *sessionRow) *time.Time { return &s.issued }).keyed(),
	moment("keep_until", func(s *sessionRow) *time.Time { return &s.expires }),
	text("counted", func(s *sessionRow) *string { return &s.before }),
).upsert("keep_until")

// ReadSession is of one session what was counted before it, with what is counted of each
// of its wallet's balances by now.
const ReadSession = `SELECT n.counted, b.token, coalesce(b.rounds, 0), coalesce(b.wagered_hi, 0), coalesce(b.wagered_lo, 0),
	coalesce(b.won_hi, 0), coalesce(b.won_lo, 0), coalesce(b.deposited_hi, 0), coalesce(b.deposited_lo, 0) FROM sessions AS n
	LEFT JOIN balances AS b ON b.wallet = n.wallet AND b.kind = 'player' AND b.hold = ''
	WHERE n.wallet = ? AND n.issued_at = ?`

// sessionKey names a row of sessions. Of two that began at once the first is kept: their
// tokens can't be distinguished.
type sessionKey struct {
	wallet wallet.Address
	issued int64
}

func (k sessionKey) compare(other sessionKey) int {
	return cmp.Or(cmp.Compare(k.wallet, other.wallet), cmp.Compare(k.issued, other.issued))
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
	for _, k := range slices.SortedFunc(maps.Keys(s.begun), sessionKey.compare) {
		begun := s.begun[k]
		before, err := wire.EncodeTallies(begun.Before)
		if err != nil {
			return err
		}
		rows = append(rows, writeSessions.row(&sessionRow{k.wallet, begun.IssuedAt, begun.Until, before}))
	}
	b.Write("write sessions", writeSessions.query, rows)
	return nil
}
