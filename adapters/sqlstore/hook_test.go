package sqlstore

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// WatchReads tells the hook of every read, for tests that ask the database how it would run
// them. One that is kept has its parameters after KeptMark.
func (s *Store) WatchReads(hook bun.QueryHook) {
	s.db.ObserveReads(marking{hook, bun.NewDB(nil, s.db.Dialect.Bun()).QueryGen()})
}

// marking is a hook that is told the parameters of what is kept.
type marking struct {
	bun.QueryHook
	write schema.QueryGen
}

func (m marking) AfterQuery(ctx context.Context, event *bun.QueryEvent) {
	told := *event
	if event.Query == event.QueryTemplate && len(event.QueryArgs) > 0 {
		told.Query += KeptMark + m.write.FormatQuery("(?)", bun.List(event.QueryArgs))
	}
	m.QueryHook.AfterQuery(ctx, &told)
}

// KeptMark stands between a kept statement and its parameters.
const KeptMark = " -- with "

// OneReader leaves the readers one connection, and returns them for what a test asks on it.
func (s *Store) OneReader() *sql.DB {
	s.db.Read.SetMaxOpenConns(1)
	return s.db.Read.DB
}
