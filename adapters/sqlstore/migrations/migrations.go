// Package migrations holds the schema of each database as SQL files, embedded.
//
// The openers beside it hand them to bun/migrate; nobody else has a use for it.
// Every statement can be run again: a migration that was killed is repeated. On
// PostgreSQL a migration also grants casino_runtime, the service's role, what it
// needs of each new table and no more, and a table that is only ever added to, or
// whose rows are kept, gets its triggers with refuse().
package migrations

import (
	"embed"
	"io/fs"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// SQLite returns the migrations of the embedded database.
func SQLite() fs.FS { return folder("sqlite") }

// Postgres returns the migrations of PostgreSQL.
func Postgres() fs.FS { return folder("postgres") }

func folder(name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // the folders are named by the directive above
	}
	return sub
}
