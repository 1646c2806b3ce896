package admin

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

var _ ports.Origins = (*Changes)(nil)

// Origin serves ports.Origins.
func (c *Changes) Origin(ctx context.Context) (now, remembered witness.Origin, err error) {
	// The writing connections say it: whoever may be asked for reads may be another server.
	now.System, now.Timeline, err = c.db.Dialect.Origin(ctx, c.db.Write.DB)
	if err != nil {
		return witness.Origin{}, witness.Origin{}, fmt.Errorf(
			"the server's system identifier and timeline can't be read (GRANT EXECUTE ON FUNCTION pg_control_system() TO casino_runtime): %w", err)
	}
	err = c.db.Write.DB.QueryRowContext(ctx, "SELECT system, timeline FROM origin").Scan(&remembered.System, &remembered.Timeline)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return now, remembered, c.db.Unreachable("read origin", err)
}

// RememberOrigin serves ports.Origins. There is one row, whose system and timeline go
// together.
func (c *Changes) RememberOrigin(ctx context.Context, origin witness.Origin) error {
	_, err := c.db.Write.NewRaw(`INSERT INTO origin (one, system, timeline) VALUES (1, ?, ?)
		ON CONFLICT (one) DO UPDATE SET system = excluded.system, timeline = excluded.timeline`, origin.System, origin.Timeline).Exec(ctx)
	return c.db.Unreachable("remember origin", db.Wrap("remember origin", err))
}
