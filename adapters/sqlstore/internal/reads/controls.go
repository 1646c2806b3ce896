package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
)

// State serves ports.Controls.
func (r *Reads) State(ctx context.Context) (control.State, error) {
	return one(ctx, r, "read the control state", rows.SelectControl, nil, rows.ScanControl,
		fault.New(fault.Unavailable, "the row of the control state is gone"))
}
