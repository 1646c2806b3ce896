package memory

import (
	"context"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/ports"
)

var _ ports.Restrictions = (*Restrictions)(nil)

// Restrictions keeps restrictions of ledgers until the process ends. It is safe for
// concurrent use.
type Restrictions struct {
	mu    sync.Mutex
	kept  map[string]map[restriction.Key]restriction.Restriction // by ledger
	since map[string]time.Time
}

// NewRestrictions returns empty Restrictions.
func NewRestrictions() *Restrictions {
	return &Restrictions{kept: map[string]map[restriction.Key]restriction.Restriction{}, since: map[string]time.Time{}}
}

// Keep implements ports.Restrictions. It never fails.
func (r *Restrictions) Keep(_ context.Context, ledger string, all []restriction.Restriction) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, each := range all {
		if r.kept[ledger] == nil {
			r.kept[ledger], r.since[ledger] = map[restriction.Key]restriction.Restriction{}, each.At
		}
		r.kept[ledger][each.Key()] = each
	}
	return nil
}

// Kept implements ports.Restrictions.
func (r *Restrictions) Kept(_ context.Context, ledger string) (ports.KeptRestrictions, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := ports.KeptRestrictions{Since: r.since[ledger]}
	for _, each := range r.kept[ledger] {
		kept.All = append(kept.All, each)
	}
	kept.All = restriction.Latest(kept.All)
	return kept, nil
}
