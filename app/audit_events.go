package app

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/withdrawal"
)

// thingName names a thing over all kinds.
type thingName struct {
	kind event.Kind
	id   string
}

// thing is what the events of one thing lead to. Blocks of several lanes are read one
// lane after the other, so an event may be read before the one that it follows.
type thing struct {
	// ends are the states that no event read so far follows, of a sound thing one in the
	// end, or none when it is gone.
	ends []state
	// followed are the digests of states that an event follows and none has made yet.
	followed []string
}

// state is what an event made of a thing.
type state struct {
	event.Event
	digest string
}

// follow adds an event to what the events of its thing lead to.
func (t *thing) follow(e event.Event) {
	if e.Was != "" {
		if at := slices.IndexFunc(t.ends, func(s state) bool { return s.digest == e.Was }); at >= 0 {
			t.ends = slices.Delete(t.ends, at, at+1)
		} else {
			t.followed = append(t.followed, e.Was)
		}
	}
	made := state{e, e.Digest()}
	if made.digest == "" {
		return
	}
	if at := slices.Index(t.followed, made.digest); at >= 0 {
		t.followed = slices.Delete(t.followed, at, at+1)
	} else {
		t.ends = append(t.ends, made)
	}
}

// sound reports whether each event follows the one before it, from the thing's first.
func (t *thing) sound() bool { return len(t.ends) < 2 && len(t.followed) == 0 }

// events adds what became of things in a block.
func (a *Auditor) events(made []event.Event) {
	for _, e := range made {
		a.report.Events++
		a.signatures(e)
		name := thingName{e.Kind, e.ID}
		t := a.things[name]
		if t == nil {
			t = &thing{}
			a.things[name] = t
		}
		t.follow(e)
	}
}

// signatures verifies what persons signed to approve a withdrawal: it was said by them,
// whoever had the database and the keys of the service.
func (a *Auditor) signatures(e event.Event) {
	if e.Kind != event.Withdrawal {
		return
	}
	for _, by := range withdrawal.WronglySigned(e) {
		a.found("%s %s: the signature under the approval of %s is not that wallet's over the withdrawal", e.Kind, e.ID, by)
	}
}

// rows holds each stored thing against what its events made of it. Whatever has events
// and no row is missing, but for sign-ins whose message is too old to be used again.
func (a *Auditor) rows(ctx context.Context) error {
	for _, kind := range event.Kinds() {
		if err := a.store.Things(ctx, kind, func(row event.Event) error {
			a.row(row)
			return nil
		}); err != nil {
			return err
		}
	}
	missing := slices.SortedFunc(maps.Keys(a.things), func(x, y thingName) int {
		return strings.Compare(string(x.kind)+x.id, string(y.kind)+y.id)
	})
	for _, name := range missing {
		t := a.things[name]
		switch {
		case !t.sound():
			a.found("%s %s: its events don't follow one another", name.kind, name.id)
		case len(t.ends) == 1 && (name.kind != event.Login || a.usable(t.ends[0].Event)):
			a.found("%s %s: its row is missing", name.kind, name.id)
		}
	}
	return nil
}

func (a *Auditor) row(row event.Event) {
	a.report.Things++
	name := thingName{row.Kind, row.ID}
	t := a.things[name]
	delete(a.things, name)
	switch {
	case t == nil || t.sound() && len(t.ends) == 0:
		a.found("%s %s: there is a row that no block covers", row.Kind, row.ID)
	case !t.sound():
		a.found("%s %s: its events don't follow one another", row.Kind, row.ID)
	case t.ends[0].digest != row.Digest():
		a.found("%s %s: its row was changed: %s", row.Kind, row.ID, strings.Join(row.Differences(t.ends[0].Event), ", "))
	}
}

// usable reports whether a sign-in's message could be used again, had it not been used.
func (a *Auditor) usable(login event.Event) bool {
	until, known := login.Moment("keepUntil")
	return known && !a.now.IsZero() && until.After(a.now)
}

// At tells the auditor the time: sign-ins whose message could be used again are then
// looked for.
func (a *Auditor) At(now time.Time) *Auditor {
	a.now = now
	return a
}

// OpenSeeds makes the auditor open the seeds that are not revealed, too. The store must
// have the keys that they are sealed with.
func (a *Auditor) OpenSeeds() *Auditor {
	a.openSeeds = true
	return a
}

// pairs holds the nonces that seed pairs go by against their rounds, and opens their
// seeds where OpenSeeds asked for it.
func (a *Auditor) pairs(ctx context.Context) error {
	err := a.store.Nonces(ctx, func(pair string, next int64) error {
		var played int64
		if n := a.nonces[pair]; n != nil {
			played = n.next
		}
		if next != played {
			a.found("pair %s goes on with nonce %d, its rounds took %d", pair, next, played)
		}
		return nil
	})
	if err != nil || !a.openSeeds {
		return err
	}
	return a.store.SealedSeeds(ctx, func(pair string, wrong error) error {
		a.report.Opened++
		if wrong != nil {
			a.found("pair %s: %v", pair, wrong)
		}
		return nil
	})
}
