// Package memory keeps heads in the process: the commits this instance saw. It detects a
// database that is restored under a running service, and is lost with the process.
//
// Commands import it for wiring, and tests as the model of a witness.
package memory

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

var _ ports.Witness = (*Witness)(nil)

// Witness keeps records of ledgers. It is safe for concurrent use.
type Witness struct {
	mu      sync.Mutex
	records map[string]witness.Record
}

// New returns an empty witness.
func New() *Witness { return &Witness{records: map[string]witness.Record{}} }

// Keep implements ports.Witness. It never fails.
func (w *Witness) Keep(record witness.Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	kept, known := w.records[record.Ledger]
	if !known {
		kept = witness.Record{Ledger: record.Ledger}
	}
	w.records[record.Ledger] = kept.Merge(record)
	return nil
}

// Kept implements ports.Witness.
func (w *Witness) Kept(context.Context) (ports.Kept, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var kept ports.Kept
	for _, r := range w.records {
		kept.Records = append(kept.Records, r)
	}
	slices.SortFunc(kept.Records, func(a, b witness.Record) int { return strings.Compare(a.Ledger, b.Ledger) })
	return kept, nil
}
