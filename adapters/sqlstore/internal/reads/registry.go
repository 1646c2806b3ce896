package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/ports"
)

// Identity returns what the database was founded on, and false before it was.
func (r *Reads) Identity(ctx context.Context) (id ports.Identity, founded bool, err error) {
	err = from(r, rows.Facts).each(ctx, "read identity", func(f rows.Fact) error {
		switch f.Name {
		case "mode":
			id.Mode, founded = ports.Mode(f.Value), true
		case "genesis":
			id.Genesis = f.Value
		}
		return nil
	})
	return id, founded, err
}
