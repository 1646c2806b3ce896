package sim

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// The network of beacons: a slot each slotTime, final after slotsToFinality. A seventh is skipped.
const (
	slotTime        = 400 * time.Millisecond
	slotsToFinality = 8
)

// beacons is a network whose slots pass with the world's clock. Its answers get lost.
type beacons struct{ w *World }

func (b beacons) newest() uint64 { return 1_000 + uint64(b.w.clock.Now().Sub(b.w.began)/slotTime) }

func slotHash(slot uint64) [32]byte { return sha256.Sum256(fmt.Append(nil, "slot ", slot)) }

func skipped(slot uint64) bool { return slotHash(slot)[0]%7 == 0 }

// BeaconRule returns the network.
func (b beacons) BeaconRule(context.Context) (crash.Rule, error) {
	genesis := slotHash(0)
	return crash.Rule{Source: crash.Solana, Network: base58.Encode(genesis[:])}, nil
}

// NewestHeight fails or answers.
func (b beacons) NewestHeight(context.Context) (uint64, error) {
	if b.w.faults.strike() {
		return 0, errNode
	}
	return b.newest(), nil
}

// FirstBeacon fails or answers. Sometimes the whole window was skipped.
func (b beacons) FirstBeacon(_ context.Context, height uint64) (crash.Beacon, bool, error) {
	if b.w.faults.strike() {
		return crash.Beacon{}, false, errNode
	}
	parent := height - 1
	for skipped(parent) {
		parent--
	}
	at := height
	if slotHash(height)[1]%8 == 0 {
		at += crashWindow
	}
	for ; at+slotsToFinality <= b.newest(); at++ {
		if !skipped(at) {
			value := slotHash(at)
			return crash.Beacon{Height: at, Parent: parent, Value: base58.Encode(value[:])}, true, nil
		}
	}
	return crash.Beacon{}, false, nil
}

const (
	crashCap    = 50_00
	crashWindow = 20
)

// crashed is what the model knows of the shared crash, by the ids of bets without a result.
type crashed struct {
	drivers [2]*sharedcrash.Driver
	bets    map[string]*crashBet
}

// crashBet is a bet that was accepted. Out is its accepted cash-out, nil if it has none.
type crashBet struct {
	of  *account
	bet bet.Open
	out *crash.CashOut
}

func crashRules() sharedcrash.Rules {
	return sharedcrash.Rules{Cap: crashCap, Betting: 4 * time.Second, Delay: 3, Window: crashWindow, Length: 40}
}

// betOnCrash bets on the shared round.
func (w *World) betOnCrash(ctx context.Context, a *account) error {
	request := sharedcrash.BetRequest{Wager: 9_000 + w.random.Int64N(30_000_000), Token: string(money.SOL), Idempotency: w.key()}
	if w.random.IntN(2) == 0 {
		request.CashOut = uint64(90 + w.random.IntN(300))
	}
	l := w.limitsOf(a)
	answer, err := again(w, func() (sharedcrash.BetResult, error) { return w.casino.Crash.PlaceBet(ctx, caller(a.wallet), request) })
	forbidden := l.forbid(request.Wager)
	switch {
	case err != nil && !forbidden:
		return refusedWith(err, fault.WagerOutOfRange, fault.InsufficientFunds, fault.Invalid, fault.InvalidState, fault.NotFound)
	case err != nil:
		return refusedWith(err, fault.WagerOutOfRange, fault.InsufficientFunds, fault.Invalid, fault.InvalidState, fault.NotFound, fault.LimitExceeded)
	case forbidden:
		return fmt.Errorf("a wager of %d was taken beyond %+v", request.Wager, *l)
	}
	l.count(request.Wager, 0)
	a.balances[money.SOL] -= request.Wager
	if want := a.balances[money.SOL]; int64(answer.Balance) != want || want < 0 {
		return fmt.Errorf("bet %s leaves balance %d, expected %d", answer.Bet.ID, answer.Balance, want)
	}
	w.crash.bets[answer.Bet.ID] = &crashBet{of: a, bet: answer.Bet}
	return nil
}

// cashOut lets time pass until the curve of a bet rises, and cashes it out. The request waits a
// while between its receipt and its decision, in which others work.
func (w *World) cashOut(ctx context.Context, _ *account) error {
	for range 40 {
		for _, id := range slices.Sorted(maps.Keys(w.crash.bets)) {
			of := w.crash.bets[id].bet.Shared
			round, err := w.kept.CrashRound(ctx, of.Chain, of.Number)
			if err != nil {
				return err
			}
			if round.Status == crash.Flying && w.clock.Now().After(round.StartedAt) {
				return w.cashOutOf(ctx, id, round)
			}
		}
		if len(w.crash.bets) == 0 {
			return nil
		}
		if err := w.driveCrash(ctx, 10); err != nil {
			return err
		}
	}
	return nil
}

// cashOutOf cashes out a bet on a round that flies.
func (w *World) cashOutOf(ctx context.Context, id string, round crash.Round) error {
	of := w.crash.bets[id]
	hash, err := w.kept.CrashHash(ctx, round.Chain, round.Number)
	if err != nil {
		return err
	}
	ends, err := round.EndsAt(hash)
	if err != nil {
		return err
	}
	received := w.clock.Now()
	inTime := received.Before(ends) && crash.MultiplierAt(received.Sub(round.StartedAt).Milliseconds()) >= crash.CashOutMin
	answered := w.casino.Crash.Receive(received)
	if err := w.driveCrash(ctx, w.random.IntN(80)); err != nil {
		return err
	}
	answer, err := again(w, func() (sharedcrash.BetResult, error) {
		_, _ = w.casino.Crash.AnswersWorker().Step(ctx) // without reports every cash-out is Unavailable
		return w.casino.Crash.CashOut(ctx, caller(of.of.wallet), id, received)
	})
	answered()
	if w.crash.bets[id] == nil {
		if inTime {
			return fmt.Errorf("bet %s was settled while a cash-out had no answer", id)
		}
		return nil
	}
	switch {
	case err != nil && inTime && of.out == nil && !fault.Is(err, fault.Unavailable):
		return fmt.Errorf("a cash-out received %v before the end was refused: %w", ends.Sub(received), err)
	case err != nil:
		return refusedWith(err, fault.InvalidState, fault.Unavailable)
	case of.out == nil && !inTime:
		return fmt.Errorf("a cash-out received %v after the end was taken", received.Sub(ends))
	}
	_, out, err := crash.BetOf(answer.Bet)
	if err != nil || out == nil || of.out != nil && *out != *of.out {
		return fmt.Errorf("bet %s was cashed out as %v after %v (%w)", id, out, of.out, err)
	}
	of.out = out
	return nil
}

// workOnCrash lets time pass for the drivers.
func (w *World) workOnCrash(ctx context.Context, _ *account) error {
	return w.driveCrash(ctx, 20+w.random.IntN(120))
}

// driveCrash runs both drivers and the reports for some steps, and learns the results of bets.
// Failed steps are tried again, as in the workers' loops.
func (w *World) driveCrash(ctx context.Context, steps int) error {
	for range steps {
		w.clock.Advance(time.Duration(1+w.random.IntN(60)) * time.Millisecond)
		_, _ = w.crash.drivers[w.random.IntN(2)].Step(ctx)
		if w.random.IntN(3) == 0 {
			_, _ = w.casino.Crash.AnswersWorker().Step(ctx)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(w.crash.bets)) {
		settled, err := w.kept.Round(ctx, id)
		switch {
		case fault.Is(err, fault.NotFound):
		case err != nil:
			return err
		default:
			if err := w.endCrashBet(ctx, id, settled); err != nil {
				return err
			}
		}
	}
	return nil
}

// endCrashBet compares a result with what the round's published values say.
func (w *World) endCrashBet(ctx context.Context, id string, settled bet.Round) error {
	of := w.crash.bets[id]
	round, err := w.kept.CrashRound(ctx, of.bet.Shared.Chain, of.bet.Shared.Number)
	if err != nil {
		return err
	}
	hash, err := w.kept.CrashHash(ctx, round.Chain, round.Number)
	if err != nil {
		return err
	}
	placed, _, err := crash.BetOf(of.bet)
	if err != nil {
		return err
	}
	want, l := of.bet.Wager, w.limitsOf(of.of)
	counted := !l.since.After(of.bet.OpenedAt) && l.day == of.bet.OpenedAt.UTC().Format(time.DateOnly)
	if round.Status == crash.Cancelled {
		if counted {
			l.count(-int64(want), 0)
		}
	} else {
		at := placed.Auto
		if of.out != nil {
			at = min(at, of.out.Multiplier)
		}
		if want = 0; at <= crash.Point(hash, round.Salt) {
			want = of.bet.Wager * money.Amount(at) / 100
		}
		if l.net -= int64(want); !counted {
			l.net += int64(of.bet.Wager)
		}
	}
	of.of.balances[money.SOL] += int64(want)
	if settled.Payout != want || int64(settled.Balance) != of.of.balances[money.SOL] {
		return fmt.Errorf("bet %s paid %d and left %d, expected %d and %d", id, settled.Payout, settled.Balance, want, of.of.balances[money.SOL])
	}
	delete(w.crash.bets, id)
	return nil
}

// ChangeCrashRound fails before or after it took effect.
func (s store) ChangeCrashRound(ctx context.Context, fence int64, chain string, number int64, decide ports.CrashDecision) error {
	if !s.world.faults.strike() {
		return s.Ports.ChangeCrashRound(ctx, fence, chain, number, decide)
	}
	if s.world.faults.random.IntN(2) == 0 {
		_ = s.Ports.ChangeCrashRound(ctx, fence, chain, number, decide) // only the answer is lost
	}
	return outcome("unknown")
}

// LeaseCrash fails before or after it took effect.
func (s store) LeaseCrash(ctx context.Context, worker string, fence int64, now time.Time, term time.Duration) (crash.Lease, bool, error) {
	lease, has, err := s.Ports.LeaseCrash(ctx, worker, fence, now, term)
	if s.world.faults.strike() {
		return crash.Lease{}, false, outcome("unknown")
	}
	return lease, has, err
}

// CrashBets fails or answers.
func (s store) CrashBets(ctx context.Context, on bet.Shared, after string, limit int) ([]bet.Open, error) {
	if s.world.faults.strike() {
		return nil, outcome("none")
	}
	return s.Ports.CrashBets(ctx, on, after, limit)
}

// CrashDrained answers.
func (s store) CrashDrained(ctx context.Context, now time.Time) (time.Time, bool, error) {
	if s.world.planted == CashOutsUnawaited {
		return now, true, nil
	}
	return s.Ports.CrashDrained(ctx, now)
}
