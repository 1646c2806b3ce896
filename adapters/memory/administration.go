package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

func recordID(r audit.Record) string { return r.ID }

// Records serves ports.AuditLog.
func (s *Store) Records(_ context.Context, f ports.AuditFilter, page ports.Page) (ports.AuditPage, error) {
	defer s.locked()()
	found, info, err := listed(s.audit, recordID, func(r audit.Record) bool {
		return wants(f.By, r.By) && wants(f.Target, r.Target) && wants(f.Action, r.Action) && wants(f.Part, r.Part()) && within(f.From, f.To, r.At)
	}, page)
	return ports.AuditPage{Records: found, PageInfo: info}, err
}

// administer runs a short administrative change under the actor's role. It calls store once
// the record is known to be new; store can't fail.
func (s *Store) administer(ctx context.Context, by wallet.Address,
	decide func(actor rbac.Assignment) (store func(), record audit.Record, err error)) error {
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return err
	}
	store, record, err := decide(s.roles[by])
	if err != nil {
		return err
	}
	if s.records[record.ID] {
		return fmt.Errorf("memory: audit record %q exists already", record.ID)
	}
	store()
	s.seal(hashchain.Content{At: record.At, Audit: []audit.Record{record}})
	return nil
}

// Branding serves ports.Brandings.
func (s *Store) Branding(context.Context) (branding.Branding, error) {
	defer s.locked()()
	if s.branding == nil {
		return branding.Branding{}, fault.New(fault.NotFound, "the branding was never changed")
	}
	return *s.branding, nil
}

// ChangeBranding serves ports.Brandings. The decision must not call the store.
func (s *Store) ChangeBranding(ctx context.Context, by wallet.Address, decide ports.BrandingDecision) error {
	return s.administer(ctx, by, func(actor rbac.Assignment) (func(), audit.Record, error) {
		next, record, err := decide(actor, copied(s.branding))
		return func() { s.branding = &next }, record, err
	})
}

// Heads serves ports.Checkpoints. This store commits in lane 0 only. Other lanes exist only
// if their heads were known when an epoch began.
func (s *Store) Heads(_ context.Context) ([]hashchain.Head, error) {
	defer s.locked()()
	return s.newest(), nil
}

func (s *Store) newest() (heads []hashchain.Head) {
	for _, lane := range slices.Sorted(maps.Keys(s.heads)) {
		heads = append(heads, s.heads[lane])
	}
	return heads
}

// BlocksAt serves ports.BlockHashes.
func (s *Store) BlocksAt(_ context.Context, heads []hashchain.Head) ([]hashchain.Head, error) {
	defer s.locked()()
	found := []hashchain.Head{}
	for _, b := range s.blocks {
		if slices.ContainsFunc(heads, func(h hashchain.Head) bool { return h.Lane == b.Lane && h.Seq == b.Seq }) {
			found = append(found, b.Head)
		}
	}
	return found, nil
}

// Blocks serves ports.Archive. It visits the blocks that existed when it was called;
// visit may call the store.
func (s *Store) Blocks(ctx context.Context, visit func(ports.Block) error) error {
	s.mu.Lock()
	blocks := slices.Clone(s.blocks)
	s.mu.Unlock()
	for _, b := range blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(b); err != nil {
			return err
		}
	}
	return nil
}

// LiabilityBalances serves ports.Archive.
func (s *Store) LiabilityBalances(ctx context.Context, visit func(ledger.Balance) error) error {
	s.mu.Lock()
	balances := s.book.Balances()
	s.mu.Unlock()
	for _, b := range balances {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !b.Account.Kind.Liability() {
			continue
		}
		if err := visit(b); err != nil {
			return err
		}
	}
	return nil
}
