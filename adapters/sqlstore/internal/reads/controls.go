package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
)

// State serves ports.Controls.
func (r *Reads) State(ctx context.Context) (control.State, error) {
	return from(r, rows.Controls).one(ctx, "read the control state", fault.New(fault.Unavailable, "the row of the control state is gone"))
}
