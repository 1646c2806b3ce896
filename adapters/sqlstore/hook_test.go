package sqlstore

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// WatchReads adds a hook for every read, for tests that ask the database for its plan. A kept
// read has its parameters after KeptMark.
func (s *Store) WatchReads(hook bun.QueryHook) {
	s.db.ObserveReads(marking{hook, bun.NewDB(nil, s.db.Dialect.Bun()).QueryGen()})
}

// marking is a hook that receives the parameters of kept reads.
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

// KeptMark separates a kept statement from its parameters.
const KeptMark = " -- with "

// Readers returns the readers' pool for a test's own queries.
func (s *Store) Readers() *sql.DB { return s.db.Read.DB }

// OneReader limits the readers to one connection, and returns their pool for a test's own
// queries.
func (s *Store) OneReader() *sql.DB {
	s.db.Read.SetMaxOpenConns(1)
	return s.db.Read.DB
}
