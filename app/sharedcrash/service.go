// Package sharedcrash plays the shared crash: its rounds, the bets on them, and what everyone
// hears of them.
package sharedcrash

import (
	"context"
	"errors"
	"time"

	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/money"
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
}

// New returns the use cases of the shared crash.
func New(core *kernel.Kernel, play *play.Service, events *events.Service, beacons ports.Beacons, rules Rules) *Service {
	return &Service{core: core, play: play, events: events, beacons: beacons, rules: rules}
}

// Rules returns the settings.
func (c *Service) Rules() Rules { return c.rules }

// BetRequest is a bet on the present round, unchecked.
type BetRequest struct {
	Wager int64
	Token string
	// CashOut is the automatic cash-out in hundredths, 0 for that of the round's cap.
	CashOut     uint64
	Idempotency kernel.Idempotency
}

// BetResult is a bet as it stands. Replayed means that the same request got this result
// earlier.
type BetResult struct {
	Bet       bet.Open
	Balance   money.Amount
	Replayed  bool
	Committed kernel.Committed
}

// Snapshot is what everyone may know of the shared crash at a moment.
type Snapshot struct {
	Chain crash.Commitment
	// Round is the newest round. It has no secret.
	Round crash.Round
	// ClosesAt is when its betting ends.
	ClosesAt time.Time
	// Bets are the round's, in the order of their ids; after its settlement none.
	Bets []PublicBet
	Now  time.Time
}

// PublicBet is a bet on a round, without the player's wallet.
type PublicBet struct {
	ID     string
	Player string // a pseudonym, as in events.PublicBet
	Token  money.Token
	Wager  money.Amount
	// Auto is the automatic cash-out, Out the cash-out by hand, both in hundredths. Out is 0
	// without one.
	Auto, Out uint64
}

// News is a part of a Snapshot that changed.
type News struct {
	// Round is nil if it is as before.
	Round    *crash.Round
	ClosesAt time.Time
	// Bets are new, or have a new Out.
	Bets []PublicBet
}

var errTODO = errors.New("sharedcrash: not built yet")

// PlaceBet bets on the present round.
func (c *Service) PlaceBet(context.Context, kernel.Caller, BetRequest) (BetResult, error) {
	return BetResult{}, errTODO
}

// CashOut cashes out the caller's bet as of the moment at which the request was received.
func (c *Service) CashOut(_ context.Context, _ kernel.Caller, betID string, received time.Time) (BetResult, error) {
	return BetResult{}, errTODO
}

// OwnBet returns the caller's bet on the newest round that isn't settled, or NotFound.
func (c *Service) OwnBet(context.Context, kernel.Caller) (bet.Open, error) {
	return bet.Open{}, errTODO
}

// Snapshot returns what everyone may know now, at most 200 ms old. NotFound before the first
// round.
func (c *Service) Snapshot(context.Context) (Snapshot, error) { return Snapshot{}, errTODO }

// Rounds lists rounds of a chain, of the newest chain for "", with numbers below before, 0 for
// all, the newest first.
func (c *Service) Rounds(_ context.Context, chain string, before int64, limit int) ([]crash.Round, error) {
	return nil, errTODO
}

// Round returns a round of a chain, of the newest chain for "", with all its bets.
func (c *Service) Round(_ context.Context, chain string, number int64) (crash.Commitment, crash.Round, []PublicBet, error) {
	return crash.Commitment{}, crash.Round{}, nil, errTODO
}

// Listen returns what everyone may know now, and a listener of what changes from then on. A
// bet may be both in the snapshot and in the news.
func (c *Service) Listen(context.Context) (Snapshot, *Listener, error) {
	return Snapshot{}, nil, errTODO
}

// Listener gets the news of the shared crash. It is for one goroutine, and must be closed.
type Listener struct{}

// Next returns the next news. It waits until ctx ends, and then returns its error.
func (l *Listener) Next(ctx context.Context) (*News, error) { return nil, errTODO }

// Close ends the listener.
func (l *Listener) Close() {}
