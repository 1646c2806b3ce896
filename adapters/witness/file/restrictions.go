package file

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/casino-service/casino/adapters/internal/keptheads"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/ports"
)

const (
	linesSuffix = ".restrictions"
	// compactFrom is the size from which a file is compacted, whenever it has grown
	// fourfold since.
	compactFrom = 1 << 20
	// restrictionTries is how often the lock is tried; others hold it while they write.
	restrictionTries = 20_000
)

var _ ports.Restrictions = (*Restrictions)(nil)

// Restrictions stores restrictions in a folder: one append-only file of lines for each
// ledger. Several processes may share the folder. It is safe for concurrent use.
type Restrictions struct {
	folder string
	seals  ports.Authenticator
	mu     sync.Mutex
	// compactAt is the size at which the file is compacted next.
	compactAt int64
}

// OpenRestrictions creates the folder, accessible to its owner only.
func OpenRestrictions(folder string, seals ports.Authenticator) (*Restrictions, error) {
	if err := errors.Join(os.MkdirAll(folder, 0o700), os.Chmod(folder, 0o700)); err != nil { // #nosec G302 -- a folder is entered by its owner
		return nil, fmt.Errorf("restrictions: %w", err)
	}
	return &Restrictions{folder: folder, seals: seals, compactAt: compactFrom}, nil
}

func (r *Restrictions) pathOf(ledger string) string {
	name := sha256.Sum256([]byte(ledger))
	return filepath.Join(r.folder, hex.EncodeToString(name[:8])+linesSuffix)
}

// Keep implements ports.Restrictions: the lines are on the disk when it returns.
func (r *Restrictions) Keep(_ context.Context, ledger string, all []restriction.Restriction) error {
	if len(all) == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	lines, err := r.encodeLines(ledger, all)
	if err != nil {
		return err
	}
	begin, err := r.encodeLines(ledger, []restriction.Restriction{keptheads.Beginning(all[0].At)})
	if err != nil {
		return err
	}
	size, err := r.appendLines(ledger, begin, lines)
	if err != nil {
		return fmt.Errorf("restrictions: %w", err)
	}
	if size >= r.compactAt {
		if size, err = r.compactFile(ledger); err != nil {
			return fmt.Errorf("restrictions: %w", err)
		}
		r.compactAt = max(compactFrom, 4*size)
	}
	return nil
}

func (r *Restrictions) encodeLines(ledger string, all []restriction.Restriction) (string, error) {
	var lines strings.Builder
	for _, each := range all {
		line, err := keptheads.EncodeRestriction(r.seals, ledger, each)
		if err != nil {
			return "", err
		}
		lines.WriteString(line + "\n")
	}
	return lines.String(), nil
}

// appendLines adds lines to a ledger's file, and creates it with its first line if needed.
func (r *Restrictions) appendLines(ledger, begin, lines string) (size int64, err error) {
	f, err := r.openLocked(ledger)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }() // gives the lock back too
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	switch size = info.Size(); {
	case size == 0:
		lines = begin + lines
		err = syncFolder(r.folder)
	default: // a torn line must not spoil the next one
		var last [1]byte
		if _, err = f.ReadAt(last[:], size-1); last[0] != '\n' {
			lines = "\n" + lines
		}
	}
	if err == nil {
		_, err = f.WriteAt([]byte(lines), size)
	}
	return size + int64(len(lines)), errors.Join(err, f.Sync())
}

// openLocked opens a ledger's file and locks it against other processes. It retries if the
// file was replaced by compaction meanwhile.
func (r *Restrictions) openLocked(ledger string) (*os.File, error) {
	for range restrictionTries {
		f, err := os.OpenFile(r.pathOf(ledger), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lockFile(f, restrictionTries); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		mine, err := f.Stat()
		there, gone := os.Stat(f.Name())
		if err == nil && gone == nil && os.SameFile(mine, there) {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return nil, errLocked
}

// compactFile rewrites a ledger's file with the last line of each subject.
func (r *Restrictions) compactFile(ledger string) (size int64, err error) {
	held, err := r.openLocked(ledger)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	kept, err := r.readLedger(ledger)
	if err != nil {
		return 0, err
	}
	begin, err := r.encodeLines(ledger, []restriction.Restriction{keptheads.Beginning(kept.Since)})
	if err != nil {
		return 0, err
	}
	lines, err := r.encodeLines(ledger, kept.All)
	if err != nil {
		return 0, err
	}
	fresh, err := os.CreateTemp(r.folder, "fresh-")
	if err != nil {
		return 0, err
	}
	_, err = fresh.WriteString(begin + lines)
	if err = errors.Join(err, fresh.Sync(), fresh.Close()); err == nil {
		err = os.Rename(fresh.Name(), r.pathOf(ledger))
	}
	if err != nil {
		return 0, errors.Join(err, os.Remove(fresh.Name()))
	}
	return int64(len(begin) + len(lines)), syncFolder(r.folder)
}

// Kept implements ports.Restrictions.
func (r *Restrictions) Kept(_ context.Context, ledger string) (ports.KeptRestrictions, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept, err := r.readLedger(ledger)
	if err != nil {
		return kept, fmt.Errorf("restrictions: %w", err)
	}
	return kept, nil
}

func (r *Restrictions) readLedger(ledger string) (kept ports.KeptRestrictions, err error) {
	content, err := os.ReadFile(r.pathOf(ledger))
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err != nil {
		return kept, err
	}
	last := map[restriction.Key]restriction.Restriction{}
	for line := range bytes.SplitSeq(content, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		of, each, err := keptheads.DecodeRestriction(r.seals, string(line))
		switch {
		case err != nil || of != ledger:
			kept.Spoiled++
		case keptheads.IsBeginning(each):
			kept.Since = each.At
		default:
			last[each.Key()] = each
		}
	}
	for _, each := range last {
		kept.All = append(kept.All, each)
	}
	kept.All = restriction.Latest(kept.All)
	if kept.Since.IsZero() { // the first line is damaged: use the oldest that is left
		kept.Since = restriction.Earliest(kept.All)
	}
	return kept, nil
}
