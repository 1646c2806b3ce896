package reads

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/ports"
)

// Identity returns what the database was founded on, and false before it was.
func (r *Reads) Identity(ctx context.Context) (id ports.Identity, founded bool, err error) {
	err = r.db.Rows(ctx, "read identity", "SELECT name, value FROM meta", nil, func(row *sql.Rows) error {
		var name, value string
		if err := row.Scan(&name, &value); err != nil {
			return err
		}
		switch name {
		case "mode":
			id.Mode, founded = ports.Mode(value), true
		case "genesis":
			id.Genesis = value
		}
		return nil
	})
	return id, founded, err
}
