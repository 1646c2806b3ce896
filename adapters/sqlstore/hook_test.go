package sqlstore

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"
)

// WatchReads tells the hook of every read that isn't prepared, for tests that ask
// the database how it would run them. One that is kept has its parameters after KeptMark.
func (s *Store) WatchReads(hook bun.QueryHook) {
	s.db.Read = s.db.Read.WithQueryHook(hook)
	s.db.Watch(func(text string, parameters []any) {
		if len(parameters) > 0 {
			text += KeptMark + bun.NewDB(nil, s.db.Dialect.Bun()).QueryGen().FormatQuery("(?)", bun.List(parameters))
		}
		hook.AfterQuery(context.Background(), &bun.QueryEvent{Query: text})
	})
}

// KeptMark stands between a kept statement and its parameters.
const KeptMark = " -- with "

// OneReader leaves the readers one connection, and returns them for what a test asks on it.
func (s *Store) OneReader() *sql.DB {
	s.db.Read.SetMaxOpenConns(1)
	return s.db.Read.DB
}
