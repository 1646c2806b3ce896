package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
)

// CrashChains stores the hash chains of the shared crash. Secrets are sealed, each bound to
// its chain and round. A chain never changes.
type CrashChains interface {
	// AddCrashChain stores a chain with its audit record in one commit; a block covers its
	// commitment (event.CrashChain). While the control state is Restored it is refused with
	// the state's refusal. A commitment of another epoch than the ledger's, and a chain with
	// a known id or terminal hash, are InvalidState; an impossible commitment, and what
	// crash.Commitment.CheckSecrets refuses, are Invalid.
	AddCrashChain(ctx context.Context, c crash.Commitment, secrets crash.Chain, record audit.Record) error
	// CrashChains lists the commitments, the newest first.
	CrashChains(ctx context.Context) ([]crash.Commitment, error)
	// CrashHash returns the hash of a round, from the way point at or above it. It is secret
	// until the round has crashed. An unknown chain, and a round that it lacks, are NotFound;
	// a way point that can't be opened is an error.
	CrashHash(ctx context.Context, chain string, round int64) (fairness.ServerSeed, error)
}

// CrashRounds stores the rounds of the shared crash. Rounds are never deleted. At most one is
// betting, closed or flying. Results are committed and at least as new as the caller's last
// change.
type CrashRounds interface {
	// CrashRound returns a round, or NotFound.
	CrashRound(ctx context.Context, chain string, number int64) (crash.Round, error)
	// CrashRounds lists up to limit rounds of a chain with numbers below before, of any
	// number for 0, the newest first.
	CrashRounds(ctx context.Context, chain string, before int64, limit int) ([]crash.Round, error)
	// OpenCrashRounds lists the rounds that are neither settled nor cancelled, in the order in
	// which they were opened. A restored database's are those that Recover ends or marks.
	OpenCrashRounds(ctx context.Context) ([]crash.Round, error)
	// ChangeCrashRound reads a round under lock, nil if there is none, calls decide, and
	// stores what it returns. A block of the same commit covers the round's new values
	// (event.CrashRound) and the audit record, if there is one. Calls run one after another,
	// across processes too.
	//
	// The control state's gate follows in the same commit, by control.State.Gated. After
	// ChangeCrashRound returns nil, also for a round that is as before, every commit that saw an
	// earlier gate has ended: what was taken through it can be read. If one doesn't end in time,
	// the change is in force and the fault is Unavailable with Details["outcome"] "unknown".
	// A worker that finds a round stopped doesn't know whether a call returned nil: it stops it
	// again before it reads the bets.
	//
	// It returns ErrCrashFenced unless fence is that of the present lease, even if the lease
	// has ended. A refusal by decide or by crash.Round.After is returned unchanged. While the
	// control state is Restored, a change for which crash.Round.Recovers is false is refused
	// with the state's refusal. A new round that doesn't follow the hash before it, that is of
	// a chain of another epoch, or that begins beside another one, is an error. All these
	// change nothing; neither does a round that is as before.
	ChangeCrashRound(ctx context.Context, fence int64, chain string, number int64, decide CrashDecision) error
}

// ErrCrashFenced is what ChangeCrashRound returns to a worker that has lost its lease.
var ErrCrashFenced = fault.New(fault.InvalidState, "another worker drives the crash rounds")

// CrashDecision decides on the next state of a round, nil if there is none yet. Epoch is the
// ledger's. It may run more than once.
type CrashDecision func(epoch int64, now *crash.Round) (CrashChange, error)

// CrashChange is a change of a round.
type CrashChange struct {
	Round crash.Round
	// At is the moment of its block.
	At time.Time
	// Record is nil if the audit log has none of the change.
	Record *audit.Record
}

// CrashLease elects the worker that drives the rounds, and knows up to when all instances have
// answered cash-outs. Moments are by the store's own clock; a store without one uses now.
type CrashLease interface {
	// LeaseCrash returns the lease after crash.Lease.Take, and whether the worker has it. Calls
	// run one after another and after every change of a round with an earlier fence, across
	// processes too, so that no two workers have a lease of one fence, and none changes a round
	// with an earlier fence afterwards. A term of 0 ends the worker's own lease.
	LeaseCrash(ctx context.Context, worker string, fence int64, now time.Time, term time.Duration) (crash.Lease, bool, error)
	// ReportDrained stores that each cash-out that the instance received before a moment was
	// committed or refused. It counts for the term, or until the instance's next report.
	ReportDrained(ctx context.Context, instance string, drained, now time.Time, term time.Duration) error
	// CrashDrained returns the earliest moment among the reports that count, false without any.
	CrashDrained(ctx context.Context, now time.Time) (time.Time, bool, error)
}
