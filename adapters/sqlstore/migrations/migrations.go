// Package migrations holds the schema of each database as SQL files, embedded.
//
// The openers beside it hand them to bun/migrate; nobody else has a use for it.
// Every statement can be run again: a migration that was killed is repeated.
package migrations

import (
	"embed"
	"io/fs"
)

//go:embed sqlite/*.sql
var files embed.FS

// SQLite returns the migrations of the embedded database.
func SQLite() fs.FS {
	sub, err := fs.Sub(files, "sqlite")
	if err != nil {
		panic(err) // the folder is named by the directive above
	}
	return sub
}
