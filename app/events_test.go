package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

// forgetful looks no player up while it is away.
type forgetful struct {
	ports.Players
	away atomic.Bool
}

func (f *forgetful) Player(ctx context.Context, w wallet.Address) (player.Player, error) {
	if f.away.Load() {
		return player.Player{}, errAway
	}
	return f.Players.Player(ctx, w)
}

// concerned are the players whom events concern, without those that concern none.
func concerned(all []stream.Event) (wallets []wallet.Address) {
	for _, e := range all {
		if e.Wallet != "" && !slices.Contains(wallets, e.Wallet) {
			wallets = append(wallets, e.Wallet)
		}
	}
	return wallets
}

// TestWhoHearsWhat: superadmins everything, a role that is bound to an agent its players
// alone, one without the audit log and players no admin's doings.
func TestWhoHearsWhat(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.acme()
	ann, bob := h.of("acme", "ann", 10_000), h.player("bob", 10_000)
	ada := h.admin("ada", "admin")
	ok(h.Admin.AdjustBalance(h.ctx, ada, gift("ann", 500)))(t)
	ok(h.Admin.AdjustBalance(h.ctx, ada, gift("bob", 500)))(t)
	ok(h.Play.Play(h.ctx, ann, flip(100)))(t)
	ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
	page := func(who app.Caller, f stream.Filter) []stream.Event {
		t.Helper()
		return ok(h.Events.AdminEventPage(h.ctx, who, f, stream.Cursor{}, 500))(t).Events
	}
	all := h.committed(stream.Filter{})
	if got := page(h.admin("sue", "superadmin"), stream.Filter{}); len(got) < len(all) || !slices.Equal(ids(got[:len(all)]), ids(all)) {
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
	bound, bare := page(h.founder("opal", "operator", "acme"), stream.Filter{}), page(h.admin("sam", "support"), stream.Filter{})
	if got := concerned(bound); !slices.Equal(got, []wallet.Address{ann.Wallet}) {
		t.Errorf("a role of acme hears of %v", got)
	}
	if got := concerned(bare); !slices.Contains(got, ann.Wallet) || !slices.Contains(got, bob.Wallet) {
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
	l := ok(h.Events.OwnEvents(h.ctx, ann, nil, &stream.Cursor{}))(t)
	defer l.Close()
	own := heard(t, l, 4)
	if got := concerned(own); !slices.Equal(got, []wallet.Address{ann.Wallet}) || len(by(own)) > 0 {
		t.Errorf("a player hears of %v, by %v", got, by(own))
	}
}

// TestAnErrorLosesNoEvent: what couldn't be looked up is heard when it can.
func TestAnErrorLosesNoEvent(t *testing.T) {
	t.Parallel()
	players := &forgetful{}
	h := open(t, func(d *app.Deps) {
		players.Players = d.Store.Players
		d.Store.Players = players
	})
	h.acme()
	opal := h.founder("opal", "operator", "acme")
	ann := h.of("acme", "ann", 10_000)
	want := ok(h.Events.AdminEventPage(h.ctx, opal, stream.Filter{Wallet: ann.Wallet}, stream.Cursor{}, 500))(t).Events
	l := ok(h.Events.AdminEvents(h.ctx, opal, stream.Filter{Wallet: ann.Wallet}, &stream.Cursor{}))(t)
	defer l.Close()
	players.away.Store(true)
	ctx, cancel := context.WithTimeout(h.ctx, 20*time.Second)
	defer cancel()
	var got []stream.Event
	for {
		some, err := l.Next(ctx)
		if got = append(got, some...); err == nil {
			continue
		}
		if !errors.Is(err, errAway) {
			t.Fatal(err)
		}
		break
	}
	if len(got) >= len(want) {
		t.Fatalf("nothing of %d events had to be looked up", len(want))
	}
	players.away.Store(false)
	got = append(got, heard(t, l, len(want)-len(got))...)
	if !slices.Equal(ids(got), ids(want)) {
		t.Errorf("heard %v, want %v", ids(got), ids(want))
	}
	silent(t, l)
}

// putBack are the events of a ledger of which blocks are taken: a place after them hears
// of it.
type putBack struct {
	ports.Events
	taken atomic.Int64 // blocks of lane 0 from this one on, 0 for none
}

func (p *putBack) After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	if from := p.taken.Load(); from > 0 && after.Mark(0).Seq >= from {
		return stream.Lost(stream.Cursor{Epoch: 1}, hashchain.Link{Head: hashchain.Head{Seq: from}, Epoch: 2}, fakes.Start), nil
	}
	return p.Events.After(ctx, after, f, limit)
}

// TestARestoreIsHeardByWhoIsListening, once, and then everything that their place has not
// passed.
func TestARestoreIsHeardByWhoIsListening(t *testing.T) {
	t.Parallel()
	events := &putBack{}
	h := open(t, func(d *app.Deps) {
		events.Events = d.Store.Events
		d.Store.Events = events
	})
	alice := h.player("alice", 10_000)
	own := ok(h.Events.OwnEvents(h.ctx, alice, nil, nil))(t)
	defer own.Close()
	everybody := ok(h.Events.Listen(h.ctx, stream.Filter{}, nil))(t)
	defer everybody.Close()
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	h.handedOut()
	for _, l := range []*appevents.Listener{own, everybody} {
		heard(t, l, 2)
		silent(t, l)
	}
	events.taken.Store(2)
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	h.handedOut()
	for _, l := range []*appevents.Listener{own, everybody} {
		// The place of the page is before everything, so that everything is heard again.
		first := heard(t, l, 1)
		if len(first) != 1 || first[0].Type != stream.LedgerRestored {
			t.Errorf("it hears %v first", first)
		}
	}
	events.taken.Store(0)
	want := h.committed(stream.Filter{Wallet: alice.Wallet})
	if got := ids(heard(t, own, len(want))); !slices.Equal(got, ids(want)) {
		t.Errorf("and then %v, want %v", got, ids(want))
	}
}

// TestWhatWasReadIsNotHandedOutAgain: whoever begins between a commit and its handing out
// reads what was committed and doesn't hear it twice.
func TestWhatWasReadIsNotHandedOutAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	earlier := ok(h.Events.OwnEvents(h.ctx, alice, nil, nil))(t)
	defer earlier.Close()
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	want := h.committed(stream.Filter{Wallet: alice.Wallet})
	later := ok(h.Events.OwnEvents(h.ctx, alice, nil, &stream.Cursor{}))(t)
	defer later.Close()
	if got := ids(heard(t, later, len(want))); !slices.Equal(got, ids(want)) {
		t.Errorf("read %v, want %v", got, ids(want))
	}
	h.handedOut()
	heard(t, earlier, 2)
	silent(t, later)
}
