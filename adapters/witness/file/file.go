// Package file stores heads in a folder of this machine, away from the service's database.
// Each ledger has one small file with two slots for each lane. They are written in turn, so
// that a torn write loses nothing.
//
// Commands import it for wiring. Several instances may share the folder: a lock on the
// file, held for microseconds, serializes their writes.
package file

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/casino-service/casino/adapters/internal/keptheads"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

const (
	// slotSize is the size of a line; disks write this many bytes as a whole.
	slotSize = 512
	// lanesMax bounds the size of a file.
	lanesMax = 4096
	// firstLane is the lane of the first slots of a file.
	firstLane = witness.LogLane
	suffix    = ".heads"
)

var _ ports.Witness = (*Witness)(nil)

// Witness keeps heads in a folder. It is safe for concurrent use.
type Witness struct {
	folder string
	seals  ports.Authenticator
	mu     sync.Mutex
	files  map[string]*ledgerFile // by ledger
}

// ledgerFile is the open file of a ledger.
type ledgerFile struct {
	*os.File
	ledger string
	// lanes caches the slots of each lane as last read or written.
	lanes map[int]*[2]slot
	// dirty is set while written data may not be on the disk yet.
	dirty bool
}

// slot is one of a lane's two slots: its bytes, and its decoded entry if the seal is valid.
type slot struct {
	raw   string
	entry keptheads.Entry
	good  bool
}

// Open creates the folder, accessible to its owner only, and checks that it can be written.
func Open(folder string, seals ports.Authenticator) (*Witness, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("witness: %w", err)
	}
	if err := os.Chmod(folder, 0o700); err != nil { // #nosec G302 -- a folder is entered by its owner
		return nil, fmt.Errorf("witness: %w", err)
	}
	probe, err := os.CreateTemp(folder, "probe-")
	if err != nil {
		return nil, fmt.Errorf("witness: %w", err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return nil, fmt.Errorf("witness: %w", err)
	}
	return &Witness{folder: folder, seals: seals, files: map[string]*ledgerFile{}}, nil
}

// ReadOnly returns a witness on an existing folder, for Kept alone.
func ReadOnly(folder string, seals ports.Authenticator) *Witness {
	return &Witness{folder: folder, seals: seals, files: map[string]*ledgerFile{}}
}

// Keep implements ports.Witness: it writes to the system's cache, and Step syncs that to
// the disk.
func (w *Witness) Keep(record witness.Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var newer []keptheads.Entry
	known := w.files[record.Ledger]
	for _, e := range keptheads.Entries(record) {
		if e.Lane < firstLane || e.Lane >= lanesMax {
			return fmt.Errorf("witness: there is no lane %d", e.Lane)
		}
		if known == nil || !known.coversEntry(e) {
			newer = append(newer, e)
		}
	}
	if len(newer) == 0 {
		return nil
	}
	f, err := w.openLedger(record.Ledger)
	if err != nil {
		return err
	}
	return f.withLock(func() error {
		for _, e := range newer {
			if err := f.putEntry(w.seals, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// openLedger opens the file of a ledger, and creates it if it is missing.
func (w *Witness) openLedger(ledger string) (*ledgerFile, error) {
	if f := w.files[ledger]; f != nil {
		return f, nil
	}
	name := sha256.Sum256([]byte(ledger))
	opened, err := os.OpenFile(filepath.Join(w.folder, hex.EncodeToString(name[:8])+suffix), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("witness: %w", err)
	}
	f := &ledgerFile{File: opened, ledger: ledger, lanes: map[int]*[2]slot{}}
	if err := errors.Join(f.Chmod(0o600), syncFolder(w.folder)); err != nil {
		return nil, errors.Join(fmt.Errorf("witness: %w", err), f.Close())
	}
	w.files[ledger] = f
	return f, nil
}

// syncFolder syncs the folder's list of files to the disk.
func syncFolder(folder string) error {
	opened, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

// coversEntry reports whether the lane's newest known head is the entry's or a later one.
func (f *ledgerFile) coversEntry(e keptheads.Entry) bool {
	lane := f.lanes[e.Lane]
	return lane != nil && newestPlace(lane) >= 0 && !e.After(lane[newestPlace(lane)].entry.Head)
}

// newestPlace returns the index of a lane's slot with the newest valid head; -1 if there is
// none.
func newestPlace(lane *[2]slot) int {
	switch {
	case lane[0].good && (!lane[1].good || lane[0].entry.After(lane[1].entry.Head)):
		return 0
	case lane[1].good:
		return 1
	}
	return -1
}

func offsetOf(lane, place int) int64 { return int64(2*(lane-firstLane)+place) * slotSize }

// putEntry overwrites the older of its lane's slots, unless another process has written a
// later entry meanwhile. The file must be locked.
func (f *ledgerFile) putEntry(seals ports.Authenticator, e keptheads.Entry) error {
	var raw [2 * slotSize]byte
	n, _ := f.ReadAt(raw[:], offsetOf(e.Lane, 0)) // bytes beyond the end stay zero
	lane := f.takeLane(seals, e.Lane, raw[:n])
	at := newestPlace(lane)
	if at >= 0 && !e.After(lane[at].entry.Head) {
		return nil
	}
	line, err := keptheads.Encode(seals, e)
	if err != nil {
		return err
	}
	into := 0
	if at == 0 {
		into = 1
	}
	padded := line + strings.Repeat(" ", slotSize-1-len(line)) + "\n"
	if _, err := f.WriteAt([]byte(padded), offsetOf(e.Lane, into)); err != nil {
		lane[into] = slot{}
		return fmt.Errorf("witness: %w", err)
	}
	lane[into], f.dirty = slot{padded, e, true}, true
	return nil
}

// takeLane caches a lane's slots. It verifies each seal only once.
func (f *ledgerFile) takeLane(seals ports.Authenticator, number int, raw []byte) *[2]slot {
	lane := f.lanes[number]
	if lane == nil {
		lane = &[2]slot{}
		f.lanes[number] = lane
	}
	for place := range lane {
		text := raw[min(place*slotSize, len(raw)):min((place+1)*slotSize, len(raw))]
		if string(text) != lane[place].raw {
			e, err := keptheads.Decode(seals, lineOf(text))
			lane[place] = slot{string(text), e, err == nil && e.Ledger == f.ledger && e.Lane == number}
		}
	}
	return lane
}

func lineOf(text []byte) string { return string(bytes.TrimRight(text, " \n\x00")) }

// Kept implements ports.Witness.
func (w *Witness) Kept(ctx context.Context) (ports.Kept, error) {
	w.mu.Lock()
	w.forgetReplaced()
	w.mu.Unlock()
	var kept ports.Kept
	names, err := filepath.Glob(filepath.Join(w.folder, "*"+suffix))
	if err != nil {
		return kept, fmt.Errorf("witness: %w", err)
	}
	if _, err := os.Stat(w.folder); err != nil {
		return kept, fmt.Errorf("witness: %w", err)
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return kept, err
		}
		content, err := readLocked(name)
		if err != nil {
			return kept, fmt.Errorf("witness: %w", err)
		}
		for at := 0; at < len(content); at += slotSize {
			line := lineOf(content[at:min(at+slotSize, len(content))])
			if line == "" {
				continue
			}
			e, err := keptheads.Decode(w.seals, line)
			if err != nil || int64(at)/(2*slotSize) != int64(e.Lane-firstLane) {
				kept.Spoiled++
				continue
			}
			kept.Records = keptheads.Add(kept.Records, e)
		}
	}
	return kept, nil
}

// forgetReplaced closes files that are no longer the ones in the folder, and clears the
// caches of the others, so that missing entries are written again.
func (w *Witness) forgetReplaced() {
	for ledger, f := range w.files {
		mine, err := f.Stat()
		there, gone := os.Stat(f.Name())
		if err != nil || gone != nil || !os.SameFile(mine, there) {
			_ = f.Close()
			delete(w.files, ledger)
			continue
		}
		clear(f.lanes)
	}
}

func readLocked(name string) (content []byte, err error) {
	opened, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	f := &ledgerFile{File: opened}
	err = f.withLock(func() error {
		content, err = os.ReadFile(name)
		return err
	})
	return content, err
}

// Step syncs written data to the disk. It always reports false.
func (w *Witness) Step(context.Context) (worked bool, err error) {
	w.mu.Lock()
	var dirty []*ledgerFile
	for _, f := range w.files {
		if f.dirty {
			f.dirty = false
			dirty = append(dirty, f)
		}
	}
	w.mu.Unlock()
	for _, f := range dirty {
		failed := f.Sync()
		if failed == nil || errors.Is(failed, os.ErrClosed) {
			continue
		}
		err = fmt.Errorf("witness: %w", failed)
		w.mu.Lock()
		f.dirty = true
		w.mu.Unlock()
	}
	return false, err
}

// Close closes the files.
func (w *Witness) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []error
	for ledger, f := range w.files {
		all = append(all, f.Sync(), f.Close())
		delete(w.files, ledger)
	}
	return errors.Join(all...)
}
