package restore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
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

// listener knows of the casino what its events say. It goes on from its place, hears of each
// restore that took blocks which it had heard, and forgets what was in them. Where nobody
// noticed the restore it forgets everything and begins anew.
type listener struct {
	name string
	// often is one of how many chances it takes to listen.
	often int
	// of is the player whose events it hears, empty for everybody's.
	of    wallet.Address
	at    stream.Cursor
	heard []stream.Event
	// lost says that blocks which it has heard were taken, and that it has not heard of it;
	// unnoticed that nobody noticed.
	lost, unnoticed bool
}

// loses notes which listeners have heard what a copy doesn't have, and which alarm it has
// whose cause held since.
func (w *World) loses(from backup, noticed bool) {
	for _, l := range w.listeners {
		for _, m := range l.at.Marks {
			if m.Seq > from.heads[m.Lane] {
				l.lost, l.unnoticed = true, l.unnoticed || !noticed
			}
		}
	}
	if w.stays = ""; w.wrong && !w.turned.After(from.at) {
		w.stays = from.alarm
	}
}

// listen has those listen whose turn it is, or all.
func (w *World) listen(ctx context.Context, all bool) error {
	for _, l := range w.listeners {
		if !all && w.chance.IntN(l.often) > 0 {
			continue
		}
		if err := w.hears(ctx, l); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return nil
}

// hears has a listener hear everything after its place.
func (w *World) hears(ctx context.Context, l *listener) error {
	for more := true; more; {
		page, err := w.eventsAfter(ctx, l, l.at, 1+w.chance.IntN(100))
		if err != nil {
			return err
		}
		for _, e := range page.Events {
			switch restored := e.Type == stream.LedgerRestored; {
			case restored != l.lost:
				return fmt.Errorf("that blocks were taken which it had heard is %v, and it hears %s %s", l.lost, e.Type, e.ID)
			case restored:
				if l.lost = false; l.unnoticed {
					page = stream.Page{More: true}
				}
				l.unnoticed = false
				l.heard = slices.DeleteFunc(l.heard, func(old stream.Event) bool { return !page.Next.Passed(&old) })
			default:
				l.heard = append(l.heard, e)
			}
		}
		l.at, more = page.Next, page.More
	}
	if l.lost {
		return fmt.Errorf("it doesn't hear that blocks were taken")
	}
	return nil
}

func (w *World) eventsAfter(ctx context.Context, l *listener, at stream.Cursor, limit int) (page stream.Page, err error) {
	err = reached(func() error {
		page, err = w.service.casino.Events.Events(ctx, at, stream.Filter{Wallet: l.of}, limit)
		return err
	})
	return page, err
}

// heardAll holds what each listener knows against all that is committed, and against the
// model: every event once, a wallet's in their order, balances that add up, and alarms that
// end before the next one about the same begins.
func (w *World) heardAll(ctx context.Context) error {
	for _, l := range w.listeners {
		var all []stream.Event
		var at stream.Cursor
		for more := true; more; {
			page, err := w.eventsAfter(ctx, l, at, 500)
			if err != nil {
				return err
			}
			all, at, more = append(all, page.Events...), page.Next, page.More
		}
		heard, committed := byWallet(l.heard), byWallet(all)
		for _, of := range slices.Sorted(maps.Keys(committed)) {
			if of != "" && !slices.Equal(heard[of], committed[of]) || of == "" && !sameEvents(heard[of], committed[of]) {
				return fmt.Errorf("%s has heard of %q %v, committed are %v", l.name, of, heard[of], committed[of])
			}
		}
		if len(l.heard) != len(all) {
			return fmt.Errorf("%s has heard %d events, committed are %d", l.name, len(l.heard), len(all))
		}
		if err := w.addsUp(l); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return nil
}

// byWallet are the ids of events, in the order of each wallet's.
func byWallet(all []stream.Event) map[wallet.Address][]string {
	ids := map[wallet.Address][]string{}
	for _, e := range all {
		ids[e.Wallet] = append(ids[e.Wallet], e.ID)
	}
	return ids
}

func sameEvents(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// addsUp compares what a listener makes of balances and alarms with the model.
func (w *World) addsUp(l *listener) error {
	balances := map[wallet.Address]money.Amount{}
	open := ""
	for _, e := range l.heard {
		switch data := e.Data.(type) {
		case stream.Balance:
			if balances[e.Wallet] += money.Amount(data.Amount); balances[e.Wallet] != data.After {
				return fmt.Errorf("the balance of %s adds up to %d, %s says %d", e.Wallet, balances[e.Wallet], e.ID, data.After)
			}
		case stream.Alarm:
			if data.Kind != alarm.Clocks {
				continue
			}
			begins := e.Type == stream.AlarmRaised
			if begins != (open == "") || !begins && open != data.ID {
				return fmt.Errorf("alarm %s: %s while %q is open", data.ID, e.Type, open)
			}
			if open = ""; begins {
				open = data.ID
			}
		}
	}
	for _, address := range w.eyes.players {
		if a := w.accounts[address]; a.known && (l.of == "" || l.of == address) && int64(balances[address]) != a.balance {
			return fmt.Errorf("by its events %s has %d, expected %d", address, balances[address], a.balance)
		}
	}
	return nil
}
