package sqlstore

import "github.com/uptrace/bun"

// WatchReads tells the hook of every read that isn't prepared, for tests that ask
// how the database would run it.
func (s *Store) WatchReads(hook bun.QueryHook) { s.db.Read = s.db.Read.WithQueryHook(hook) }
