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

// Defect is planted between a recovery and its ports, to check that a wrong restore is found.
type Defect string

// The defects.
const (
	None Defect = ""
	// WaitLeftOut settles while earlier payouts may still land.
	WaitLeftOut Defect = "the recovery doesn't wait"
	// EpochLeftOut continues with the earlier seeds and numbers.
	EpochLeftOut Defect = "no epoch begins"
	// LostLeftOut ignores payouts of withdrawals that the copy doesn't have.
	LostLeftOut Defect = "withdrawals that the copy never saw are not brought back"
	// TagUnread assigns every payout to the first player.
	TagUnread Defect = "the memo's tag isn't compared"
	// LoginsCount admits login messages that may have been used.
	LoginsCount Defect = "messages of before the discovery count"
	// CursorKept searches for deposits from the watcher's position before the restore.
	CursorKept Defect = "the watcher's place doesn't go back"
	// IndexKept treats the treasury's index as complete although it was restored.
	IndexKept Defect = "the index lacks what the treasury signed since"
	// RestoreUnheard continues silently with a cursor that names lost blocks.
	RestoreUnheard Defect = "listeners are not told of a restore"
	// EpochUnheard continues after all blocks with a cursor that names lost blocks.
	EpochUnheard Defect = "events since a restore are not read"
	// AlarmKept never checks the alarms that an older copy brought back.
	AlarmKept Defect = "alarms that an older copy has stay open"
)

// Defects returns every defect.
func Defects() []Defect {
	return []Defect{
		WaitLeftOut, EpochLeftOut, LostLeftOut, TagUnread, LoginsCount, CursorKept, IndexKept, RestoreUnheard, EpochUnheard, AlarmKept,
	}
}

// plant applies a defect outside a recovery at once.
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

// Heights returns the chain's heights.
func (c seenChain) Heights(ctx context.Context) (ports.Heights, error) {
	heights, err := c.RecoveryChain.Heights(ctx)
	if c.world.planted == WaitLeftOut {
		heights.Finalized = heights.LastValid + 1
	}
	return heights, err
}

// Signed returns the treasury's transactions.
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

// begun is BeginEpoch with the planted defect.
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

// listener knows only the casino's events. It continues from its cursor, is told of each restore
// that removed blocks it had read, and forgets their events. If the restore was not noticed, it
// forgets everything and begins anew.
type listener struct {
	name string
	// often is one in how many chances it uses to listen.
	often int
	// of is the player of the events it reads, empty for all players.
	of    wallet.Address
	at    stream.Cursor
	heard []stream.Event
	// lost says that blocks it read were removed and that it was not told yet; unnoticed that the
	// service did not notice.
	lost, unnoticed bool
}

// loses records which listeners have read blocks that a copy doesn't have, and which of its
// alarms has a lasting cause.
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

// listen runs the listeners that are due, or all.
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

// hears lets a listener read everything after its cursor.
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

// heardAll compares each listener's knowledge with all committed events, and with the model:
// every event once, a wallet's in their order, balances that add up, and alarms that end before
// the next one of the same kind begins.
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

// byWallet returns the ids of events, in order per wallet.
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

// addsUp compares a listener's balances and alarms with the model.
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
