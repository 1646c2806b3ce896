package services

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Upgrade moves the databases of a server to a new one by pg_upgrade, as from one
// version to the next, and starts that one on the same port: everything is there, under
// another system identifier. Standbys have to Follow it anew.
func (c *Cluster) Upgrade(tb testing.TB) {
	tb.Helper()
	c.Stop(tb)
	before := filepath.Join(c.folder, "before")
	if err := os.Rename(c.data(), before); err != nil {
		tb.Fatal(err)
	}
	upgrade := c.as(c.program("pg_upgrade"), "--old-bindir", c.binaries, "--new-bindir", c.binaries,
		"--old-datadir", before, "--new-datadir", c.data(), "--username", "postgres", "--socketdir", c.folder)
	// It writes its log into the folder that it runs in, which has to be the server's.
	upgrade = append([]string{"env", "-C", c.folder}, upgrade...)
	if err := errors.Join(c.initialize(), run(upgrade...), os.RemoveAll(before), c.configure()); err != nil {
		tb.Fatal(err)
	}
	c.Start(tb)
}
