package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

// crashes are the shared crash.
type crashes struct {
	chains []crashChain  // the newest last
	rounds []crash.Round // in the order in which they were opened
	lease  crash.Lease
	// drained are the reports of instances.
	drained map[string]drained
}

// crashChain is a chain with its secrets.
type crashChain struct {
	crash.Commitment
	secrets crash.Chain
}

// drained is a report of an instance, which counts until a moment.
type drained struct{ at, until time.Time }

// AddCrashChain serves ports.CrashChains.
func (s *Store) AddCrashChain(ctx context.Context, c crash.Commitment, secrets crash.Chain, record audit.Record) error {
	text, err := c.Text()
	if err == nil {
		err = c.CheckSecrets(secrets)
	}
	if err != nil {
		return err
	}
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.control.Open(); err != nil {
		return err
	}
	known := slices.ContainsFunc(s.crash.chains, func(k crashChain) bool { return k.Chain == c.Chain || k.Terminal == c.Terminal })
	switch {
	case known || c.Epoch != s.control.Epoch:
		return fault.New(fault.InvalidState, "the crash chain exists already, or is of another epoch than %d", s.control.Epoch)
	case s.records[record.ID]:
		return fmt.Errorf("memory: audit record %q exists already", record.ID)
	}
	s.crash.chains = append(s.crash.chains, crashChain{c, secrets})
	s.seal(hashchain.Content{At: record.At, Audit: []audit.Record{record}, Events: []event.Event{crash.CoveredChain(c.Chain, text)}})
	return nil
}

// CrashChains serves ports.CrashChains.
func (s *Store) CrashChains(context.Context) ([]crash.Commitment, error) {
	defer s.locked()()
	all := []crash.Commitment{}
	for _, c := range slices.Backward(s.crash.chains) {
		all = append(all, c.Commitment)
	}
	return all, nil
}

// crashChain returns a chain, nil if there is none of the id.
func (s *Store) crashChain(id string) *crashChain {
	if at := slices.IndexFunc(s.crash.chains, func(c crashChain) bool { return c.Chain == id }); at >= 0 {
		return &s.crash.chains[at]
	}
	return nil
}

// CrashHash serves ports.CrashChains.
func (s *Store) CrashHash(_ context.Context, chain string, round int64) (fairness.ServerSeed, error) {
	defer s.locked()()
	if c := s.crashChain(chain); c != nil && round >= 1 && round <= c.Length {
		return c.secrets.Hash(round)
	}
	return fairness.ServerSeed{}, fault.New(fault.NotFound, "no round %d of a crash chain %q", round, chain)
}

// crashRound returns the index of a round, -1 if there is none.
func (s *Store) crashRound(chain string, number int64) int {
	return slices.IndexFunc(s.crash.rounds, func(r crash.Round) bool { return r.Chain == chain && r.Number == number })
}

// CrashRound serves ports.CrashRounds.
func (s *Store) CrashRound(_ context.Context, chain string, number int64) (crash.Round, error) {
	defer s.locked()()
	if at := s.crashRound(chain, number); at >= 0 {
		return s.crash.rounds[at], nil
	}
	return crash.Round{}, fault.New(fault.NotFound, "no round %d of a crash chain %q", number, chain)
}

// CrashRounds serves ports.CrashRounds.
func (s *Store) CrashRounds(_ context.Context, chain string, before int64, limit int) ([]crash.Round, error) {
	defer s.locked()()
	found := []crash.Round{}
	for _, r := range slices.Backward(s.crash.rounds) {
		if r.Chain == chain && (before <= 0 || r.Number < before) && len(found) < limit {
			found = append(found, r)
		}
	}
	return found, nil
}

// OpenCrashRounds serves ports.CrashRounds.
func (s *Store) OpenCrashRounds(context.Context) ([]crash.Round, error) {
	defer s.locked()()
	return slices.DeleteFunc(slices.Clone(s.crash.rounds), func(r crash.Round) bool {
		return r.Status == crash.Settled || r.Status == crash.Cancelled
	}), nil
}

// ChangeCrashRound serves ports.CrashRounds. The decision must not call the store.
func (s *Store) ChangeCrashRound(ctx context.Context, fence int64, chain string, number int64, decide ports.CrashDecision) error {
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return err
	}
	if fence != s.crash.lease.Fence {
		return ports.ErrCrashFenced
	}
	at, before := s.crashRound(chain, number), (*crash.Round)(nil)
	if at >= 0 {
		before = &s.crash.rounds[at]
	}
	next, err := decide(s.control.Epoch, copied(before))
	if err != nil {
		return err
	}
	made, err := next.Round.After(before)
	switch {
	case err != nil:
		return err
	case next.Round.Chain != chain || next.Round.Number != number:
		return fmt.Errorf("memory: crash round %s was decided on for number %d of %q", made.ID, number, chain)
	case made.Digest() == made.Was:
		return nil
	}
	if err := s.control.Open(); err != nil && !next.Round.Recovers(before) {
		return err
	}
	content := hashchain.Content{At: next.At, Events: []event.Event{made}}
	if next.Record != nil {
		if s.records[next.Record.ID] {
			return fmt.Errorf("memory: audit record %q exists already", next.Record.ID)
		}
		content.Audit = []audit.Record{*next.Record}
	}
	opens := before == nil
	if !opens {
		*before = next.Round
	} else if err := s.openCrashRound(next.Round); err != nil {
		return err
	}
	gated := s.control.Gated(next.Round.Gate(), opens)
	s.control = &gated
	s.seal(content)
	return nil
}

// openCrashRound adds a round that follows the one before it, beside none that is played.
func (s *Store) openCrashRound(r crash.Round) error {
	chain, last := s.crashChain(r.Chain), s.crashRound(r.Chain, r.Number-1)
	follows := chain != nil && chain.Epoch == s.control.Epoch && (r.Number == 1 && r.Previous == chain.Terminal ||
		last >= 0 && r.Previous == s.crash.rounds[last].Hash)
	if !follows || slices.ContainsFunc(s.crash.rounds, func(o crash.Round) bool {
		return o.Status == crash.Betting || o.Status == crash.Closed || o.Status == crash.Flying
	}) {
		return errors.New("memory: a crash round follows the one before it, and is the only one that is played")
	}
	s.crash.rounds = append(s.crash.rounds, r)
	return nil
}

// crashThings returns the things of the shared crash.
func (s *Store) crashThings(kind event.Kind) (all []event.Event) {
	switch kind {
	case event.CrashChain:
		for _, c := range s.crash.chains {
			text, _ := c.Text() // it was checked when it was added
			all = append(all, crash.CoveredChain(c.Chain, text))
		}
	case event.CrashRound:
		for _, r := range s.crash.rounds {
			all = append(all, r.Covered())
		}
	}
	return all
}

// LeaseCrash serves ports.CrashLease.
func (s *Store) LeaseCrash(_ context.Context, worker string, fence int64, now time.Time, term time.Duration) (crash.Lease, bool, error) {
	defer s.locked()()
	lease, has := s.crash.lease.Take(worker, fence, now, term)
	s.crash.lease = lease
	return lease, has, nil
}

// ReportDrained serves ports.CrashLease.
func (s *Store) ReportDrained(_ context.Context, instance string, at, now time.Time, term time.Duration) error {
	defer s.locked()()
	s.crash.drained[instance] = drained{at, now.Add(term)}
	return nil
}

// CrashDrained serves ports.CrashLease.
func (s *Store) CrashDrained(_ context.Context, now time.Time) (earliest time.Time, found bool, err error) {
	defer s.locked()()
	for _, d := range s.crash.drained {
		if d.until.After(now) && (!found || d.at.Before(earliest)) {
			earliest, found = d.at, true
		}
	}
	return earliest, found, nil
}
