package database

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/settings"
)

type BackupCommand struct {
	storeFlags
	File string `arg:"" type:"path" help:"Where the copy is made; nothing may be there yet."`
}

// errServersBackup explains how to back up a database server.
var errServersBackup = errors.New("casino backup copies SQLite databases. PostgreSQL has its own: " +
	"pg_basebackup with an archive of its log, which can be put back to any moment, or pg_dump --format=custom --file=FILE for one moment's copy")

// Run copies the present database. It needs neither a key nor the service.
func (c BackupCommand) Run(ctx context.Context, s cli.Streams) error {
	path := dev.Folder(c.DataDir).Database()
	if c.Given() {
		location, err := c.Location()
		if err != nil {
			return cli.Usage(err)
		}
		if location.Engine != settings.SQLite {
			return cli.Usage(errServersBackup)
		}
		path = location.Reveal()
	}
	heads, err := sqlite.Backup(ctx, path, c.File)
	if err != nil {
		return err
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s: %d bytes, checked and on disk; the keys are not in it\n", c.File, info.Size())
	return printHeads(s, heads)
}
