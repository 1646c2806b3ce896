package events_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	appevents "github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// forgetful fails lookups of players on demand.
type forgetful struct {
	ports.Players
	away atomic.Bool
}

func (f *forgetful) Player(ctx context.Context, w wallet.Address) (player.Player, error) {
	if f.away.Load() {
		return player.Player{}, apptest.ErrAway
	}
	return f.Players.Player(ctx, w)
}

// walletsOf returns the wallets that events concern.
func walletsOf(all []stream.Event) (wallets []wallet.Address) {
	for _, e := range all {
		if e.Wallet != "" && !slices.Contains(wallets, e.Wallet) {
			wallets = append(wallets, e.Wallet)
		}
	}
	return wallets
}

// TestWhoHearsWhat: superadmins get everything, a role bound to an agent only its players;
// players and roles without the audit log get no actions of admins.
func TestWhoHearsWhat(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.CreateAcme()
	ann, bob := h.NewPlayerOf("acme", "ann", 10_000), h.NewPlayer("bob", 10_000)
	ada := h.NewAdmin("ada", "admin")
	apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, apptest.Gift("ann", 500)))(t)
	apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, apptest.Gift("bob", 500)))(t)
	apptest.OK(h.Play.Play(h.Ctx, ann, apptest.Flip(100)))(t)
	apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
	page := func(who app.Caller, f stream.Filter) []stream.Event {
		t.Helper()
		return apptest.OK(h.Events.AdminEventPage(h.Ctx, who, f, stream.Cursor{}, 500))(t).Events
	}
	all := h.CommittedEvents(stream.Filter{})
	if got := page(h.NewAdmin("sue", "superadmin"), stream.Filter{}); len(got) < len(all) || !slices.Equal(ids(got[:len(all)]), ids(all)) {
		t.Errorf("a superadmin hears %v, want %v", ids(got), ids(all))
	}
	by := func(all []stream.Event) (names []wallet.Address) {
		for _, e := range all {
			if change, is := e.Data.(stream.Balance); is && change.By != "" {
				names = append(names, change.By)
			}
		}
		return names
	}
	bound, bare := page(h.Founder("opal", "operator", "acme"), stream.Filter{}), page(h.NewAdmin("sam", "support"), stream.Filter{})
	if got := walletsOf(bound); !slices.Equal(got, []wallet.Address{ann.Wallet}) {
		t.Errorf("a role of acme hears of %v", got)
	}
	if got := walletsOf(bare); !slices.Contains(got, ann.Wallet) || !slices.Contains(got, bob.Wallet) {
		t.Errorf("support hears of %v", got)
	}
	if got := len(by(all)); got != 2 {
		t.Errorf("%d credits name their admin", got)
	}
	for name, heard := range map[string][]stream.Event{"a role of acme": bound, "support": bare} {
		if got := by(heard); len(got) > 0 {
			t.Errorf("%s hears of %v", name, got)
		}
		if slices.ContainsFunc(heard, func(e stream.Event) bool { return e.Wallet == "" }) {
			t.Errorf("%s hears what concerns no player", name)
		}
	}
	l := apptest.OK(h.Events.OwnEvents(h.Ctx, ann, nil, &stream.Cursor{}))(t)
	defer l.Close()
	own := waitForEvents(t, l, 4)
	if got := walletsOf(own); !slices.Equal(got, []wallet.Address{ann.Wallet}) || len(by(own)) > 0 {
		t.Errorf("a player hears of %v, by %v", got, by(own))
	}
}

// TestAnErrorLosesNoEvent: an event after a failed lookup comes with the next call.
func TestAnErrorLosesNoEvent(t *testing.T) {
	t.Parallel()
	players := &forgetful{}
	h := open(t, func(d *app.Deps) {
		players.Players = d.Store.Players
		d.Store.Players = players
	})
	h.CreateAcme()
	opal := h.Founder("opal", "operator", "acme")
	ann := h.NewPlayerOf("acme", "ann", 10_000)
	want := apptest.OK(h.Events.AdminEventPage(h.Ctx, opal, stream.Filter{Wallet: ann.Wallet}, stream.Cursor{}, 500))(t).Events
	l := apptest.OK(h.Events.AdminEvents(h.Ctx, opal, stream.Filter{Wallet: ann.Wallet}, &stream.Cursor{}))(t)
	defer l.Close()
	players.away.Store(true)
	ctx, cancel := context.WithTimeout(h.Ctx, 20*time.Second)
	defer cancel()
	var got []stream.Event
	for {
		some, err := l.Next(ctx)
		if got = append(got, some...); err == nil {
			continue
		}
		if !errors.Is(err, apptest.ErrAway) {
			t.Fatal(err)
		}
		break
	}
	if len(got) >= len(want) {
		t.Fatalf("nothing of %d events had to be looked up", len(want))
	}
	players.away.Store(false)
	got = append(got, waitForEvents(t, l, len(want)-len(got))...)
	if !slices.Equal(ids(got), ids(want)) {
		t.Errorf("heard %v, want %v", ids(got), ids(want))
	}
	checkSilent(t, l)
}

// putBack are the events of a ledger that lost blocks: a cursor after them gets the
// announcement.
type putBack struct {
	ports.Events
	taken atomic.Int64 // blocks of lane 0 from this one on; 0 for none
}

func (p *putBack) After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	if from := p.taken.Load(); from > 0 && after.Mark(0).Seq >= from {
		return stream.Lost(stream.Cursor{Epoch: 1}, hashchain.Link{Head: hashchain.Head{Seq: from}, Epoch: 2}, fakes.Start), nil
	}
	return p.Events.After(ctx, after, f, limit)
}

// TestARestoreIsHeardByWhoIsListening: the announcement comes once, and then all events
// after the listener's cursor.
func TestARestoreIsHeardByWhoIsListening(t *testing.T) {
	t.Parallel()
	events := &putBack{}
	h := open(t, func(d *app.Deps) {
		events.Events = d.Store.Events
		d.Store.Events = events
	})
	alice := h.NewPlayer("alice", 10_000)
	own := apptest.OK(h.Events.OwnEvents(h.Ctx, alice, nil, nil))(t)
	defer own.Close()
	everybody := apptest.OK(h.Events.Listen(h.Ctx, stream.Filter{}, nil))(t)
	defer everybody.Close()
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	h.handOutEvents()
	for _, l := range []*appevents.Listener{own, everybody} {
		waitForEvents(t, l, 2)
		checkSilent(t, l)
	}
	events.taken.Store(2)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	h.handOutEvents()
	for _, l := range []*appevents.Listener{own, everybody} {
		// The cursor of the page is before everything, so all events come again.
		first := waitForEvents(t, l, 1)
		if len(first) != 1 || first[0].Type != stream.LedgerRestored {
			t.Errorf("it hears %v first", first)
		}
	}
	events.taken.Store(0)
	want := h.CommittedEvents(stream.Filter{Wallet: alice.Wallet})
	if got := ids(waitForEvents(t, own, len(want))); !slices.Equal(got, ids(want)) {
		t.Errorf("and then %v, want %v", got, ids(want))
	}
}

// TestWhatWasReadIsNotHandedOutAgain: a listener that begins between a commit and its
// broadcast gets the event once.
func TestWhatWasReadIsNotHandedOutAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 10_000)
	earlier := apptest.OK(h.Events.OwnEvents(h.Ctx, alice, nil, nil))(t)
	defer earlier.Close()
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	want := h.CommittedEvents(stream.Filter{Wallet: alice.Wallet})
	later := apptest.OK(h.Events.OwnEvents(h.Ctx, alice, nil, &stream.Cursor{}))(t)
	defer later.Close()
	if got := ids(waitForEvents(t, later, len(want))); !slices.Equal(got, ids(want)) {
		t.Errorf("read %v, want %v", got, ids(want))
	}
	h.handOutEvents()
	waitForEvents(t, earlier, 2)
	checkSilent(t, later)
}
