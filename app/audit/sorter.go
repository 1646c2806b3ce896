package audit

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/casino-service/casino/ports"
)

// NewSorter returns a ports.Sorter that holds everything in memory, for ledgers that fit
// there.
func NewSorter() ports.Sorter { return &sorter{} }

type sorter struct{ records [][2][]byte }

// Add serves ports.Sorter.
func (s *sorter) Add(key, value []byte) error {
	s.records = append(s.records, [2][]byte{bytes.Clone(key), bytes.Clone(value)})
	return nil
}

// Sorted serves ports.Sorter.
func (s *sorter) Sorted(ctx context.Context, visit func(key, value []byte) error) error {
	slices.SortStableFunc(s.records, func(x, y [2][]byte) int { return bytes.Compare(x[0], y[0]) })
	for _, r := range s.records {
		if err := errors.Join(ctx.Err(), visit(r[0], r[1])); err != nil {
			return err
		}
	}
	return nil
}

// Close serves ports.Sorter.
func (s *sorter) Close() error {
	s.records = nil
	return nil
}
