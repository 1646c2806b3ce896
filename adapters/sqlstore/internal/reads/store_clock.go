package reads

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/ports"
)

var _ ports.StoreClock = (*Reads)(nil)

// StoreTime serves ports.StoreClock.
func (r *Reads) StoreTime(ctx context.Context) (time.Time, error) {
	var now int64
	if err := r.db.Read.QueryRowContext(ctx, "SELECT "+r.db.Dialect.Clock()).Scan(&now); err != nil {
		return time.Time{}, r.db.Unreachable("read the clock", err)
	}
	return r.db.Now(db.Moment(now)), nil
}
