// Package migrations embeds the schema of each database as SQL files.
//
// Only the openers beside it use them, with bun/migrate. Every statement can be run again, so
// that a killed migration can be repeated. On PostgreSQL a migration also grants the service's
// role, casino_runtime, exactly what it needs on each new table. Tables that are append-only or
// keep their rows get triggers with refuse().
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
		panic(err) // the directive above names the folders
	}
	return sub
}
