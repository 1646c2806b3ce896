package restore

import (
	"context"
	"time"

	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/ports"
)

// Defect is planted between a recovery and its ports, to prove that a restore that goes
// wrong is found.
type Defect string

// The defects.
const (
	None Defect = ""
	// WaitLeftOut settles while payouts of before may still land.
	WaitLeftOut Defect = "the recovery doesn't wait"
	// EpochLeftOut goes on with the seeds and the numbers of before.
	EpochLeftOut Defect = "no epoch begins"
	// LostLeftOut overlooks payouts of withdrawals that the copy never saw.
	LostLeftOut Defect = "withdrawals that the copy never saw are not brought back"
	// TagUnread takes a payout for the first player's.
	TagUnread Defect = "the memo's tag isn't compared"
	// LoginsCount admits login messages that may have been used.
	LoginsCount Defect = "messages of before the discovery count"
	// CursorKept looks for deposits where the watcher was before the restore.
	CursorKept Defect = "the watcher's place doesn't go back"
	// IndexKept takes the treasury's index for whole, which went back.
	IndexKept Defect = "the index lacks what the treasury signed since"
	// RestoreUnheard goes on without a word where a place names blocks that are gone.
	RestoreUnheard Defect = "nobody hears of a restore"
	// EpochUnheard goes on behind everything where a place names blocks that are gone.
	EpochUnheard Defect = "what came since a restore is not heard"
	// AlarmKept never looks which alarms an older copy brought back.
	AlarmKept Defect = "alarms that an older copy has stay open"
)

// Defects returns every defect.
func Defects() []Defect {
	return []Defect{
		WaitLeftOut, EpochLeftOut, LostLeftOut, TagUnread, LoginsCount, CursorKept, IndexKept, RestoreUnheard, EpochUnheard, AlarmKept,
	}
}

// plant does at once what a defect does beside a recovery.
func (w *World) plant(ctx context.Context) error {
	switch w.planted {
	case CursorKept:
		watch, err := w.service.store.Cursor(ctx, money.SOL)
		if err != nil {
			return err
		}
		page, err := w.chain.Since(ctx, terms, watch.Cursor, ports.HistoryMax)
		if err != nil {
			return err
		}
		from := watch.Cursor
		watch.Cursor = page.Next
		return w.service.store.Advance(ctx, money.SOL, from, watch, nil)
	case IndexKept:
		from, err := w.service.store.IndexPosition(ctx)
		if err != nil {
			return err
		}
		page, err := w.chain.Signed(ctx, from, ports.HistoryMax)
		if err != nil {
			return err
		}
		return w.service.store.ExtendIndex(ctx, from.Cursor, page.Next, nil)
	case None, WaitLeftOut, EpochLeftOut, LostLeftOut, TagUnread, LoginsCount, RestoreUnheard, EpochUnheard, AlarmKept:
	}
	return nil
}

// seenChain is the chain as a recovery with the planted defect sees it.
type seenChain struct {
	recovery.RecoveryChain
	world *World
}

// Heights tells how far the chain is.
func (c seenChain) Heights(ctx context.Context) (ports.Heights, error) {
	heights, err := c.RecoveryChain.Heights(ctx)
	if c.world.planted == WaitLeftOut {
		heights.Finalized = heights.LastValid + 1
	}
	return heights, err
}

// Signed lists what the treasury signed.
func (c seenChain) Signed(ctx context.Context, from treasury.Position, limit int) (ports.TreasuryPage, error) {
	page, err := c.RecoveryChain.Signed(ctx, from, limit)
	var shown []treasury.Movement
	for _, m := range page.Movements {
		if c.world.planted == LostLeftOut && !c.world.asked[m.WithdrawalID] {
			continue
		}
		if c.world.planted == TagUnread && !c.world.asked[m.WithdrawalID] {
			if m.Tag, err = payouts.MemoTag(c.world.seals, c.world.eyes.players[0]); err != nil {
				return page, err
			}
		}
		shown = append(shown, m)
	}
	page.Movements = shown
	return page, err
}

// begun is what BeginEpoch does with the planted defect.
func (b breaking) begun(ctx context.Context, known []hashchain.Head, decide ports.ControlDecision) ([]hashchain.Head, error) {
	switch b.world.planted {
	case EpochLeftOut:
		return b.storage.Heads(ctx)
	case LoginsCount:
		sane := decide
		decide = func(now control.State) (control.State, *audit.Record, error) {
			next, record, err := sane(now)
			next.LoginsFrom = time.Time{}
			return next, record, err
		}
	case None, WaitLeftOut, LostLeftOut, TagUnread, CursorKept, IndexKept, RestoreUnheard, EpochUnheard, AlarmKept:
	}
	return b.storage.BeginEpoch(ctx, known, decide)
}

// shownEvents are the events with the planted defect.
type shownEvents struct {
	ports.Events
	world *World
}

func (e shownEvents) After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	page, err := e.Events.After(ctx, after, f, limit)
	if err != nil || len(page.Events) == 0 || page.Events[0].Type != stream.LedgerRestored {
		return page, err
	}
	switch e.world.planted {
	case RestoreUnheard:
		return e.Events.After(ctx, page.Next, f, limit)
	case EpochUnheard:
		page.Next, err = e.Newest(ctx)
		page.More = false
	case None, WaitLeftOut, EpochLeftOut, LostLeftOut, TagUnread, LoginsCount, CursorKept, IndexKept, AlarmKept:
	}
	return page, err
}
