// Package sorter sorts data sets larger than memory: it writes sorted runs to a temporary
// file and merges them when they are read. No other process can open the file, and it
// disappears with the process, even after a crash. Only commands that read a whole ledger
// import it.
package sorter

import (
	"bufio"
	"bytes"
	"container/heap"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/casino-service/casino/ports"
)

var _ ports.Sorter = (*Sorter)(nil)

// Options configure a Sorter. The zero value is fine.
type Options struct {
	// Dir is the folder of the file; "" for the system's temporary folder.
	Dir string
	// Memory is how many bytes of records are held before they are written; 0 for 16 MiB.
	Memory int
}

const (
	memory = 16 << 20
	// perRecord is the overhead of a record in memory, in bytes.
	perRecord = 24
	// readAhead is how much of each run is read at a time; less if there are many runs.
	readAhead, readAheadMin = 256 << 10, 4 << 10
)

// Sorter sorts records.
type Sorter struct {
	options Options
	file    *os.File
	written int64
	runs    []run
	// held is the records not yet in a run, in the format of a run; places is where each
	// begins.
	held   []byte
	places []place
}

// run is a sorted part of the file.
type run struct{ from, to int64 }

// place is the offset of a record in held, with the first bytes of its key.
type place struct {
	first uint64
	at    int
}

// New returns an empty Sorter. It creates the file when memory is full.
func New(o Options) *Sorter {
	if o.Memory == 0 {
		o.Memory = memory
	}
	return &Sorter{options: o}
}

// Add serves ports.Sorter.
func (s *Sorter) Add(key, value []byte) error {
	if len(s.held) > 0 && len(s.held)+len(key)+len(value)+(len(s.places)+1)*perRecord > s.options.Memory {
		if err := s.flushRun(); err != nil {
			return err
		}
	}
	s.places = append(s.places, place{keyPrefix(key), len(s.held)})
	s.held = binary.AppendUvarint(s.held, uint64(len(key)))
	s.held = binary.AppendUvarint(s.held, uint64(len(value)))
	s.held = append(append(s.held, key...), value...)
	return nil
}

// keyPrefix returns the first 8 bytes of a key as a number with the same order.
func keyPrefix(key []byte) uint64 {
	var padded [8]byte
	copy(padded[:], key)
	return binary.BigEndian.Uint64(padded[:])
}

// recordAt returns the record at an offset of held.
func (s *Sorter) recordAt(at int) (key, value []byte) {
	keys, n := binary.Uvarint(s.held[at:])
	values, m := binary.Uvarint(s.held[at+n:])
	at += n + m
	return s.held[at : at+int(keys)], s.held[at+int(keys) : at+int(keys)+int(values)]
}

func (s *Sorter) sortHeld() {
	slices.SortFunc(s.places, func(x, y place) int {
		switch {
		case x.first < y.first:
			return -1
		case x.first > y.first:
			return 1
		}
		xKey, _ := s.recordAt(x.at)
		yKey, _ := s.recordAt(y.at)
		if order := bytes.Compare(xKey, yKey); order != 0 {
			return order
		}
		return x.at - y.at
	})
}

// flushRun writes the held records as a run.
func (s *Sorter) flushRun() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.options.Dir, "casino-sorted-*"); err != nil {
			return fmt.Errorf("sort: %w", err)
		}
		// Without a name no other process can open it, and it ends with the process.
		_ = os.Remove(s.file.Name())
	}
	s.sortHeld()
	out := bufio.NewWriterSize(io.NewOffsetWriter(s.file, s.written), readAhead)
	from := s.written
	for _, p := range s.places {
		key, value := s.recordAt(p.at)
		head := binary.AppendUvarint(nil, uint64(len(key)))
		head = binary.AppendUvarint(head, uint64(len(value)))
		for _, part := range [...][]byte{head, key, value} {
			n, err := out.Write(part)
			if s.written += int64(n); err != nil {
				return fmt.Errorf("sort: %w", err)
			}
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("sort: %w", err)
	}
	s.runs = append(s.runs, run{from, s.written})
	s.held, s.places = s.held[:0], s.places[:0]
	return nil
}

// Sorted serves ports.Sorter.
func (s *Sorter) Sorted(ctx context.Context, visit func(key, value []byte) error) error {
	if len(s.runs) == 0 {
		s.sortHeld()
		for _, p := range s.places {
			key, value := s.recordAt(p.at)
			if err := errors.Join(ctx.Err(), visit(key, value)); err != nil {
				return err
			}
		}
		return nil
	}
	if len(s.places) > 0 {
		if err := s.flushRun(); err != nil {
			return err
		}
	}
	s.held, s.places = nil, nil
	return s.mergeRuns(ctx, visit)
}

func (s *Sorter) mergeRuns(ctx context.Context, visit func(key, value []byte) error) error {
	var open cursors
	ahead := max(readAheadMin, min(readAhead, s.options.Memory/len(s.runs)))
	for n, r := range s.runs {
		c := &cursor{run: n, from: bufio.NewReaderSize(io.NewSectionReader(s.file, r.from, r.to-r.from), ahead)}
		if more, err := c.readNext(); err != nil {
			return err
		} else if more {
			open = append(open, c)
		}
	}
	heap.Init(&open)
	for len(open) > 0 {
		c := open[0]
		if err := errors.Join(ctx.Err(), visit(c.key, c.value)); err != nil {
			return err
		}
		more, err := c.readNext()
		if err != nil {
			return err
		}
		if more {
			heap.Fix(&open, 0)
		} else {
			heap.Pop(&open)
		}
	}
	return nil
}

// cursor reads a run.
type cursor struct {
	run        int
	from       *bufio.Reader
	first      uint64
	key, value []byte
	record     []byte
}

// readNext reads the next record; it returns false at the end.
func (c *cursor) readNext() (bool, error) {
	keys, err := binary.ReadUvarint(c.from)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	var values uint64
	if err == nil {
		values, err = binary.ReadUvarint(c.from)
	}
	if err == nil {
		c.record = slices.Grow(c.record[:0], int(keys+values))[:keys+values]
		_, err = io.ReadFull(c.from, c.record)
	}
	if err != nil {
		return false, fmt.Errorf("sort: read what was written: %w", err)
	}
	c.key, c.value = c.record[:keys], c.record[keys:]
	c.first = keyPrefix(c.key)
	return true, nil
}

// cursors is a heap by key; of equal keys the earliest run comes first.
type cursors []*cursor

func (c cursors) Len() int { return len(c) }

func (c cursors) Less(i, j int) bool {
	x, y := c[i], c[j]
	if x.first != y.first {
		return x.first < y.first
	}
	if order := bytes.Compare(x.key, y.key); order != 0 {
		return order < 0
	}
	return x.run < y.run
}

func (c cursors) Swap(i, j int) { c[i], c[j] = c[j], c[i] }

// Push serves heap.Interface.
func (c *cursors) Push(x any) { *c = append(*c, x.(*cursor)) }

// Pop serves heap.Interface.
func (c *cursors) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// Close serves ports.Sorter.
func (s *Sorter) Close() error {
	s.held, s.places, s.runs = nil, nil, nil
	if s.file == nil {
		return nil
	}
	// Systems that can't remove an open file remove it now.
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
