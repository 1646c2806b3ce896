package restore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
)

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
