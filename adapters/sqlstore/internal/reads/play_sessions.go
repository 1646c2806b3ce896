package reads

import (
	"context"
	"database/sql"
	"time"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var _ ports.PlaySessions = (*Reads)(nil)

// PlaySession serves ports.PlaySessions.
func (r *Reads) PlaySession(ctx context.Context, w wallet.Address, issuedAt time.Time) ([]session.Played, error) {
	var before string
	var now []session.Played
	known := false
	err := r.kept(ctx, "read a session", rows.ReadSession, []any{r.key(w), db.Micros(issuedAt)}, func(row *sql.Rows) error {
		var token sql.NullString
		known = true
		tally, err := rows.ScanSessionTally(row, &before, &token)
		if token.Valid {
			now = append(now, session.Played{Token: money.Token(token.String), Tally: tally})
		}
		return err
	})
	if err == nil && !known {
		err = fault.New(fault.NotFound, "the session is not known")
	}
	if err != nil {
		return nil, err
	}
	counted, err := wire.DecodeTallies(before)
	return session.Session{Before: counted}.Since(now), err
}
