package restore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/app/deposits"
	apprecovery "github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/ports"
)

type movement = treasury.Movement

// errBroken breaks a recovery off.
var errBroken = errors.New("the recovery was killed")

// breaking is the store of a recovery that is killed before or after its nth write.
type breaking struct {
	storage
	world *World
	left  *int
	after bool
}

// write writes, unless the process is killed.
func (b breaking) write(do func() error) error {
	*b.left--
	if *b.left == 0 && !b.after {
		return errBroken
	}
	err := do()
	if *b.left == 0 && err == nil {
		err = errBroken
	}
	return err
}

func (b breaking) Commit(ctx context.Context, item player.Item) (r player.Receipt, err error) {
	err = b.write(func() error { r, err = b.storage.Commit(ctx, item); return err })
	return r, err
}

func (b breaking) BeginEpoch(ctx context.Context, known []hashchain.Head, decide ports.ControlDecision) (began []hashchain.Head, err error) {
	err = b.write(func() error {
		began, err = b.begun(ctx, known, decide)
		b.world.eyes.blocks.begun(began)
		return err
	})
	return began, err
}

func (b breaking) ExtendIndex(ctx context.Context, from string, to treasury.Position, found []treasury.Movement) error {
	return b.write(func() error { return b.storage.ExtendIndex(ctx, from, to, found) })
}

func (b breaking) Review(ctx context.Context, signature string, from, to treasury.State) error {
	return b.write(func() error { return b.storage.Review(ctx, signature, from, to) })
}

// recover recovers by processes of its own, beside the service, of which some are killed
// on the way.
func (w *World) recover(ctx context.Context) (breaks int, err error) {
	for try := 0; ; try++ {
		left := -1
		if try < 3 && w.random.IntN(2) == 0 {
			left = 1 + w.random.IntN(5)
		}
		err := w.recoverOnce(ctx, &left)
		if errors.Is(err, errBroken) {
			breaks++
			w.pass(ctx, time.Duration(w.random.IntN(30))*time.Second)
			continue
		}
		return breaks, err
	}
}

func (w *World) recoverOnce(ctx context.Context, left *int) (err error) {
	command, err := w.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, command.stop()) }()
	recovery := apprecovery.NewRecovery(apprecovery.RecoveryOptions{
		Store: breaking{command.store, w, left, w.random.IntN(2) == 0}, Restoration: command.restoration, Chain: seenChain{w.chain, w},
		Seals: w.seals, Rotated: w.seals,
		Watch: &deposits.WatchBeginning{
			Cursors: command.store, History: w.chain, Controls: command.store, Index: command.store, Tokens: token.NewBook(terms),
		},
		Clock: w.clock, Entropy: w.entropy, DrawnAt: func(string) (time.Time, bool) { return time.Time{}, false },
	})
	if w.random.IntN(2) == 0 {
		if _, err := recovery.Plan(ctx); err != nil {
			return fmt.Errorf("plan: %w", err)
		}
	}
	for range 1000 {
		if recovery.Stage() == apprecovery.Recovered {
			return nil
		}
		worked, err := recovery.Step(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", recovery.Stage(), err)
		}
		if !worked || w.random.IntN(3) == 0 {
			w.pass(ctx, time.Duration(1+w.random.IntN(20))*time.Second)
		}
	}
	return fault.New(fault.Internal, "the recovery comes to no end")
}
