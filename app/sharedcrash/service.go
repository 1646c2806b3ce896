// Package sharedcrash plays the shared crash: its rounds, the bets on them, and what everyone
// hears of them.
package sharedcrash

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// Rules are the settings of the shared crash.
type Rules struct {
	// Cap is each round's, in hundredths.
	Cap uint64
	// Betting is how long a round takes bets.
	Betting time.Duration
	// Delay and Window complete the rule of new chains, see crash.Rule. Length is their number
	// of rounds.
	Delay, Window uint64
	Length        int64
}

// Service has the use cases of the shared crash. It is safe for concurrent use.
type Service struct {
	core    *kernel.Kernel
	play    *play.Service
	events  *events.Service
	beacons ports.Beacons
	rules   Rules
	// instance names this process.
	instance string
	answers  answers
	view     view
	results  results

	reading sync.Mutex // of known
	known   newest
	hashing sync.Mutex
	hash    fairness.ServerSeed
	hashOf  bet.Shared
}

// New returns the use cases of the shared crash.
func New(core *kernel.Kernel, play *play.Service, events *events.Service, beacons ports.Beacons, rules Rules) *Service {
	c := &Service{core: core, play: play, events: events, beacons: beacons, rules: rules, instance: core.Entropy.ID()}
	c.answers.waiting, c.view.listeners = map[*time.Time]struct{}{}, map[*Listener]struct{}{}
	return c
}

// Rules returns the settings.
func (c *Service) Rules() Rules { return c.rules }

// roundFresh is the maximum age of the round that is shown and bet on, and roundFreshest that of
// a round that takes no bets.
const (
	roundFresh    = 100 * time.Millisecond
	roundFreshest = 5 * time.Millisecond
)

// newest is a round with its chain, as the instance last read them.
type newest struct {
	chain crash.Commitment
	round crash.Round
	at    time.Time
}

var errNoRound = fault.New(fault.NotFound, "the shared crash has no round yet")

// newestRound returns the newest round as it was at most an age ago. It is NotFound before the
// first.
func (c *Service) newestRound(ctx context.Context, age time.Duration) (newest, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	now := c.core.Now()
	if since := now.Sub(c.known.at); c.known.round.Number > 0 && since >= 0 && since < age {
		return c.known, nil
	}
	chains, err := c.core.Store.CrashChains.CrashChains(ctx)
	if err != nil {
		return newest{}, err
	}
	for _, chain := range chains { // the newest may have no round yet
		rounds, err := c.core.Store.CrashRounds.CrashRounds(ctx, chain.Chain, 0, 1)
		if err != nil {
			return newest{}, err
		}
		if len(rounds) > 0 {
			c.known = newest{chain, rounds[0], now}
			return c.known, nil
		}
	}
	return newest{}, errNoRound
}

// secret returns a round's hash, which the instance keeps until it asks for another one.
func (c *Service) secret(ctx context.Context, r crash.Round) (fairness.ServerSeed, error) {
	of := bet.Shared{Chain: r.Chain, Number: r.Number}
	c.hashing.Lock()
	defer c.hashing.Unlock()
	if c.hashOf == of {
		return c.hash, nil
	}
	hash, err := c.core.Store.CrashChains.CrashHash(ctx, r.Chain, r.Number)
	if err == nil {
		c.hash, c.hashOf = hash, of
	}
	return hash, err
}

// Rounds lists rounds of a chain, of the newest round's chain for "", with numbers below before,
// 0 for all, the newest first. An unknown chain is NotFound.
func (c *Service) Rounds(ctx context.Context, chain string, before int64, limit int) ([]crash.Round, error) {
	of, err := c.chain(ctx, chain)
	if chain == "" && fault.Is(err, fault.NotFound) {
		return []crash.Round{}, nil
	}
	if err != nil {
		return nil, err
	}
	return c.core.Store.CrashRounds.CrashRounds(ctx, of.Chain, before, limit)
}

// Round returns a round of a chain, of the newest round's chain for "", and the chain.
func (c *Service) Round(ctx context.Context, chain string, number int64) (crash.Commitment, crash.Round, error) {
	of, err := c.chain(ctx, chain)
	if err != nil {
		return crash.Commitment{}, crash.Round{}, err
	}
	round, err := c.core.Store.CrashRounds.CrashRound(ctx, of.Chain, number)
	return of, round, err
}

// chain returns a chain, that of the newest round for "".
func (c *Service) chain(ctx context.Context, id string) (crash.Commitment, error) {
	if id == "" {
		now, err := c.newestRound(ctx, roundFresh)
		return now.chain, err
	}
	chains, err := c.core.Store.CrashChains.CrashChains(ctx)
	if err != nil {
		return crash.Commitment{}, err
	}
	at := slices.IndexFunc(chains, func(of crash.Commitment) bool { return of.Chain == id })
	if at < 0 {
		return crash.Commitment{}, fault.New(fault.NotFound, "no crash chain %q", id)
	}
	return chains[at], nil
}
