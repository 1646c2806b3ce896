package events_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// readRoles counts reads of roles, and runs a function after a read.
type readRoles struct {
	ports.RoleLists
	reads   atomic.Int64
	happens func()
}

func (r *readRoles) RoleList(ctx context.Context) (rbac.List, error) {
	r.reads.Add(1)
	list, err := r.RoleLists.RoleList(ctx)
	if happens := r.happens; happens != nil {
		r.happens = nil
		happens()
	}
	return list, err
}

// waitForEnd reads from a listener until it ends.
func waitForEnd(t *testing.T, l *events.Listener) (all []stream.Event, err error) {
	t.Helper()
	for {
		some, err := l.Next(t.Context())
		if all = append(all, some...); err != nil {
			return all, err
		}
	}
}

// TestAListenerEndsWithTheRole: on every instance, with every filter, and before later
// events. A new listener has the new role.
func TestAListenerEndsWithTheRole(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(at *house, root app.Caller, w wallet.Address) error{
		"revoked": func(at *house, root app.Caller, w wallet.Address) error {
			return at.Admin.RevokeRole(at.Ctx, root, string(w))
		},
		"demoted and bound to an agent": func(at *house, root app.Caller, w wallet.Address) error {
			return apptest.ErrorOf(at.Admin.GrantRole(at.Ctx, root, string(w), "operator", "acme"))
		},
		"another role": func(at *house, root app.Caller, w wallet.Address) error {
			return apptest.ErrorOf(at.Admin.GrantRole(at.Ctx, root, string(w), "readonly", ""))
		},
		"granted by command": func(at *house, _ app.Caller, w wallet.Address) error {
			return at.RoleCommands().Grant(at.Ctx, w, "support", "")
		},
	} {
		for _, elsewhere := range []bool{false, true} {
			h := open(t)
			h.CreateAcme()
			root, finance, other := h.NewAdmin("root", "superadmin"), h.NewAdmin("finance", "finance"), h.NewAdmin("other", "finance")
			bob := h.NewPlayer("bob", 10_000)
			by := h
			if elsewhere {
				by = h.Remade(func(*app.Deps) {})
			}
			listeners := map[string]*events.Listener{}
			for name, f := range map[string]stream.Filter{
				"all": {}, "a type": {Types: []stream.Type{stream.RoundSettled}}, "a player": {Wallet: bob.Wallet},
			} {
				listeners[name] = apptest.OK(h.Events.AdminEvents(h.Ctx, finance, f, nil))(t)
				defer listeners[name].Close()
			}
			unchanged := apptest.OK(h.Events.AdminEvents(h.Ctx, other, stream.Filter{Types: []stream.Type{stream.RoundSettled}}, nil))(t)
			defer unchanged.Close()
			for _, l := range listeners {
				checkSilent(t, l)
			}
			if err := change(by, root, finance.Wallet); err != nil {
				t.Fatal(err)
			}
			played := apptest.OK(by.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t).Round.ID
			h.handOutEvents()
			for name, l := range listeners {
				if got, err := waitForEnd(t, l); len(got) > 0 || !fault.Is(err, fault.AdminForbidden) {
					t.Errorf("%s, elsewhere %v: of %s are heard %v, %v", what, elsewhere, name, ids(got), err)
				}
			}
			if got := waitForEvents(t, unchanged, 1); got[0].Subject != played {
				t.Errorf("%s: another admin hears %v", what, ids(got))
			}
			again, err := h.Events.AdminEventPage(h.Ctx, finance, stream.Filter{}, stream.Cursor{}, 500)
			if what == "revoked" {
				apptest.Refused(t, err, fault.AdminForbidden)
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if sees := slices.Contains(walletsOf(again.Events), bob.Wallet); sees == (what == "demoted and bound to an agent") {
				t.Errorf("%s: by the new role bob is heard: %v", what, sees)
			}
		}
	}
}

// TestARoleThatChangesWhileItBeginsEndsTheListener: the event of the change came before the
// listener was added.
func TestARoleThatChangesWhileItBeginsEndsTheListener(t *testing.T) {
	t.Parallel()
	roles := &readRoles{}
	h := open(t, func(d *app.Deps) { roles.RoleLists, d.Store.RoleLists = d.Store.RoleLists, roles })
	h.CreateAcme()
	finance, bob := h.NewAdmin("finance", "finance"), h.NewPlayer("bob", 10_000)
	earlier := apptest.OK(h.Events.Listen(h.Ctx, stream.Filter{}, nil))(t) // so that events are passed on
	defer earlier.Close()
	roles.happens = func() {
		h.Founder("finance", "operator", "acme")
		h.handOutEvents()
	}
	l := apptest.OK(h.Events.AdminEvents(h.Ctx, finance, stream.Filter{}, nil))(t)
	defer l.Close()
	apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
	h.handOutEvents()
	if got, err := waitForEnd(t, l); len(got) > 0 || !fault.Is(err, fault.AdminForbidden) {
		t.Errorf("heard are %v, %v", ids(got), err)
	}
}

// TestARoleThatCannotBeReadEndsNoListener unless an event may have changed the role: then
// the listener ends within a second and gets no event in that time.
func TestARoleThatCannotBeReadEndsNoListener(t *testing.T) {
	t.Parallel()
	h := open(t)
	finance, bob := h.NewAdmin("finance", "finance"), h.NewPlayer("bob", 10_000)
	unreadable, fails := fault.New(fault.Unavailable, "the database is gone"), 0
	l := apptest.OK(h.Events.AdminEvents(h.Ctx, finance, stream.Filter{Types: []stream.Type{stream.RoundSettled}}, nil))(t)
	defer l.Close()
	var slow bool
	l.Until(func(ctx context.Context) error {
		if err := ctx.Err(); err != nil {
			t.Errorf("the check is made when its time is over: %v", err)
		}
		if slow {
			<-ctx.Done()
			return ctx.Err()
		}
		if fails--; fails >= 0 {
			return unreadable
		}
		return nil
	})
	apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
	h.handOutEvents()

	slow = true
	if _, err := l.Next(h.Ctx); !events.Unreadable(err) {
		t.Errorf("while the database is slow: %v", err)
	}
	slow, fails = false, 3
	over, done := context.WithDeadline(h.Ctx, time.Unix(0, 0)) // a heartbeat is due
	defer done()
	apptest.Equal(t, "heard when it can be read", len(apptest.OK(l.Next(over))(t)), 1)

	h.Founder("finance", "finance", "")
	apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
	h.handOutEvents()
	fails = 3
	apptest.Equal(t, "heard after an event of the role", len(apptest.OK(l.Next(over))(t)), 1)

	h.Founder("finance", "finance", "")
	apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
	h.handOutEvents()
	slow = true
	for range 2 {
		if some, err := l.Next(h.Ctx); len(some) > 0 || !fault.Is(err, fault.Forbidden) {
			t.Errorf("after an event of a role that can't be read: %v, %v", ids(some), err)
		}
	}
}

// TestRolesAreNotReadForEveryEvent: events that change no role cause no reads of roles,
// however many listeners there are.
func TestRolesAreNotReadForEveryEvent(t *testing.T) {
	t.Parallel()
	roles := &readRoles{}
	h := open(t, func(d *app.Deps) { roles.RoleLists, d.Store.RoleLists = d.Store.RoleLists, roles })
	finance, bob := h.NewAdmin("finance", "finance"), h.NewPlayer("bob", 10_000)
	listeners := make([]*events.Listener, 20)
	for i := range listeners {
		listeners[i] = apptest.OK(h.Events.AdminEvents(h.Ctx, finance, stream.Filter{}, nil))(t)
		defer listeners[i].Close()
	}
	apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
	h.handOutEvents()
	for _, l := range listeners { // each role is read once, when its listener begins
		waitForEvents(t, l, 2)
	}
	before := roles.reads.Load()
	for range 10 {
		apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
		h.handOutEvents()
	}
	for _, l := range listeners {
		waitForEvents(t, l, 20)
	}
	apptest.Equal(t, "reads of roles", roles.reads.Load()-before, 0)
	h.NewAdmin("somebody else", "readonly")
	h.handOutEvents()
	for _, l := range listeners {
		waitForEvents(t, l, 1)
	}
	apptest.Equal(t, "reads after somebody else's role changed", roles.reads.Load()-before, 0)
}

// TestAListenerEndsWithTheSession: by a sign-out at any instance, which the player gets as
// an event, and by the start of an epoch.
func TestAListenerEndsWithTheSession(t *testing.T) {
	t.Parallel()
	for what, ends := range map[string]func(h *house, bob app.Caller){
		"signed out": func(h *house, bob app.Caller) { apptest.OK(0, h.Accounts.SignOut(h.Ctx, bob))(h.T) },
		"signed out elsewhere": func(h *house, bob app.Caller) {
			apptest.OK(0, h.Remade(func(*app.Deps) {}).Accounts.SignOut(h.Ctx, bob))(h.T)
		},
		"a later epoch": func(h *house, _ app.Caller) {
			h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: fakes.Start, Reason: "a head is gone"} })
			h.BeginEpoch()
		},
	} {
		h := open(t)
		bob, session := h.NewPlayer("bob", 10_000), ports.Session{Wallet: fakes.Wallet("bob"), IssuedAt: h.Clock.Now()}
		h.Clock.Advance(1e9)
		all := apptest.OK(h.Events.OwnEvents(h.Ctx, bob, nil, nil))(t)
		one := apptest.OK(h.Events.OwnEvents(h.Ctx, bob, []stream.Type{stream.RoundSettled}, nil))(t)
		for _, l := range []*events.Listener{all, one} {
			defer l.Close()
			l.Until(func(ctx context.Context) error { return h.ConfirmSession(ctx, session) })
			checkSilent(t, l)
		}
		ends(h, bob)
		h.handOutEvents()
		for name, l := range map[string]*events.Listener{"all": all, "a type": one} {
			got, err := waitForEnd(t, l)
			if name == "all" && what != "a later epoch" && len(got) == 1 && got[0].Type == stream.SessionEnded {
				got = nil
			}
			if len(got) > 0 || !fault.Is(err, fault.InvalidToken) {
				t.Errorf("%s: of %s are heard %v, %v", what, name, ids(got), err)
			}
		}
	}
}
