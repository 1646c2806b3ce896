package admin

import (
	"context"
	"fmt"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
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
	var row rows.Origin
	_, err = db.Found(c.db.Write.NewSelect().Model(&row).Scan(ctx))
	return now, witness.Origin{System: row.System, Timeline: row.Timeline}, c.db.Unreachable("read origin", err)
}

// RememberOrigin serves ports.Origins. There is one row, whose system and timeline go
// together.
func (c *Changes) RememberOrigin(ctx context.Context, origin witness.Origin) error {
	_, err := c.db.Write.NewInsert().Model(&rows.Origin{System: origin.System, Timeline: origin.Timeline}).
		On("CONFLICT (one) DO UPDATE").Exec(ctx)
	return c.db.Unreachable("remember origin", db.Wrap("remember origin", err))
}
