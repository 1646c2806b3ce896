package services

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// TemplateFolder names the environment variable of a folder in which test processes share the
// data of a new server: copying it takes an eighth of what initdb does. Without it each server
// is made by initdb.
const TemplateFolder = "CASINO_TEST_TEMPLATES"

// initialize creates the server's data: a copy of the template that TemplateFolder names, or
// else new.
func (c *Cluster) initialize() error {
	within := os.Getenv(TemplateFolder)
	if within == "" {
		return c.initdb(c.data())
	}
	template := filepath.Join(within, "postgres")
	if _, err := os.Stat(template); err != nil {
		if err := c.makeTemplate(within, template); err != nil {
			return err
		}
	}
	if err := run(c.as("cp", "-R", template, c.data())...); err != nil {
		return err
	}
	if err := renumber(filepath.Join(c.data(), "global", "pg_control")); err != nil {
		return err
	}
	return run(c.as(c.program("pg_resetwal"), "-f", "-D", c.data())...) // its log has the template's identifier
}

// makeTemplate makes the template, unless another process does so first.
func (c *Cluster) makeTemplate(within, template string) (err error) {
	folder, err := os.MkdirTemp(within, "postgres-")
	if err != nil {
		return fmt.Errorf("services: template of clusters: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if os.Geteuid() == 0 {
		if err := run("chown", "postgres", folder); err != nil {
			return err
		}
	}
	made := filepath.Join(folder, "data")
	if err := c.initdb(made); err != nil {
		return err
	}
	if err := os.Rename(made, template); err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, syscall.ENOTEMPTY) {
		return fmt.Errorf("services: template of clusters: %w", err)
	}
	return nil
}

// renumber gives a copied server an identifier of its own, because tests tell servers apart by
// it. It is the first field of the control file, whose fields end with a CRC-32C of all before.
func renumber(control string) error {
	content, err := os.ReadFile(control)
	if err != nil {
		return fmt.Errorf("services: %w", err)
	}
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	const identifier, sum, sector = 8, 4, 512 // bytes
	for end := identifier; end+sum <= min(sector, len(content)); end += sum {
		if binary.NativeEndian.Uint32(content[end:]) != crc32.Checksum(content[:end], castagnoli) {
			continue
		}
		binary.NativeEndian.PutUint64(content, uint64(rand.Int64())) //nolint:gosec // no secret
		binary.NativeEndian.PutUint32(content[end:], crc32.Checksum(content[:end], castagnoli))
		return os.WriteFile(control, content, 0) // it exists
	}
	return fmt.Errorf("services: %s has no checksum", control)
}
