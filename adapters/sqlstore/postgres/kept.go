package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/casino-service/casino/adapters/sqlstore"
)

var _ sqlstore.Keeper = dialect{}

// keep is how statements are sent that stay prepared.
const keep = pgx.QueryExecModeCacheStatement

// Keep implements sqlstore.Keeper.
func (dialect) Keep() any { return keep }

// keptMax is how many statements a connection of the readers keeps. One over the months of
// rounds takes the server a quarter of a megabyte.
const keptMax = 96

// replanAfter is after how many kept statements of a session their plans are made anew. A
// plan is made for any values, by the sizes that tables had then. The server itself makes
// it anew when it has looked at a table that grew, which for one that was empty may take
// a minute: who reads much within that minute doesn't keep to a plan of before.
const replanAfter = 256

// replan forgets plans when it is time. A session that can't any more shows that in the
// statement that comes next, which is sent again over another one.
func (s *session) replan(ctx context.Context) {
	if s.kept++; s.kept >= replanAfter {
		s.kept = 0
		_, _ = s.native.Conn().Exec(ctx, dialect{}.Replan())
	}
}
