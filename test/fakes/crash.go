package fakes

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
)

// Crash is the first round of a chain of shared crash in each of its states. Its cap is
// 100.00. A store takes it through them in this order, to one of the two ends; Settled is being
// settled.
type Crash struct {
	Commitment crash.Commitment
	Secrets    crash.Chain
	Hash       fairness.ServerSeed

	Betting, Stopped, Closed, Flying, Settled, Cancelled crash.Round
	// EndMs is the millisecond since the start at which the curve ends.
	EndMs int64
}

// NewCrash plays the round of the chain c1 with a seed. Its curve starts at a moment.
func NewCrash(seed byte, start time.Time) Crash {
	chain, err := crash.NewChain(fairness.NewServerSeed([32]byte{seed}), 2, 1)
	must := func(r crash.Round, failed error) crash.Round {
		if err != nil || failed != nil {
			panic(fmt.Sprint(err, failed))
		}
		return r
	}
	rule := crash.Rule{Source: crash.Solana, Network: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", Delay: 1, Window: 5}
	c := Crash{Commitment: crash.Commitment{Chain: "c1", Epoch: 1, Terminal: chain.Terminal, Length: 2, Beacon: rule}, Secrets: chain}
	c.Betting = must(crash.NextRound(c.Commitment, 1, nil, 100_00, start))
	c.Hash, err = chain.Hash(1)
	c.Stopped = must(c.Betting.Stop())
	c.Closed = must(c.Stopped.Close(rule, 10, nil))
	c.Cancelled = must(c.Closed.Cancel(rule, crash.Beacon{Height: 20, Parent: 10, Value: rule.Network}, c.Hash))
	c.Flying = must(must(c.Closed.Reveal(rule, crash.Beacon{Height: 11, Parent: 10, Value: rule.Network})).Start(start))
	ends, err := c.Flying.EndsAt(c.Hash)
	c.EndMs = ends.Sub(c.Flying.StartedAt).Milliseconds()
	c.Settled = must(must(c.Flying.Crash(c.Hash, ends)).BeginSettlement(ends))
	return c
}

// NewCrashBetween returns a round whose point is between two multipliers in hundredths.
func NewCrashBetween(least, most uint64, start time.Time) Crash {
	for seed := byte(1); ; seed++ {
		if c := NewCrash(seed, start); c.Settled.Point >= least && c.Settled.Point <= most {
			return c
		}
	}
}
