package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

// readRoles counts how often roles are read, and has something happen after a read.
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

// ended takes from a listener until it ends.
func ended(t *testing.T, l *events.Listener) (all []stream.Event, err error) {
	t.Helper()
	for {
		some, err := l.Next(t.Context())
		if all = append(all, some...); err != nil {
			return all, err
		}
	}
}

// TestAListenerEndsWithTheRole, whichever instance changed it, whatever it filters, and
// before it hears what came afterwards; one that goes on by the new role is judged anew.
func TestAListenerEndsWithTheRole(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(at *house, root app.Caller, w wallet.Address) error{
		"revoked": func(at *house, root app.Caller, w wallet.Address) error {
			return at.Admin.RevokeRole(at.ctx, root, string(w))
		},
		"demoted and bound to an agent": func(at *house, root app.Caller, w wallet.Address) error {
			return no(at.Admin.GrantRole(at.ctx, root, string(w), "operator", "acme"))
		},
		"another role": func(at *house, root app.Caller, w wallet.Address) error {
			return no(at.Admin.GrantRole(at.ctx, root, string(w), "readonly", ""))
		},
		"granted by command": func(at *house, _ app.Caller, w wallet.Address) error {
			return at.roleCommands().Grant(at.ctx, w, "support", "")
		},
	} {
		for _, elsewhere := range []bool{false, true} {
			h := open(t)
			h.acme()
			root, finance, other := h.admin("root", "superadmin"), h.admin("finance", "finance"), h.admin("other", "finance")
			bob := h.player("bob", 10_000)
			by := h
			if elsewhere {
				by = h.remade(func(*app.Deps) {})
			}
			listeners := map[string]*events.Listener{}
			for name, f := range map[string]stream.Filter{
				"all": {}, "a type": {Types: []stream.Type{stream.RoundSettled}}, "a player": {Wallet: bob.Wallet},
			} {
				listeners[name] = ok(h.Events.AdminEvents(h.ctx, finance, f, nil))(t)
				defer listeners[name].Close()
			}
			unchanged := ok(h.Events.AdminEvents(h.ctx, other, stream.Filter{Types: []stream.Type{stream.RoundSettled}}, nil))(t)
			defer unchanged.Close()
			for _, l := range listeners {
				silent(t, l)
			}
			if err := change(by, root, finance.Wallet); err != nil {
				t.Fatal(err)
			}
			played := ok(by.Play.Play(h.ctx, bob, flip(100)))(t).Round.ID
			h.handedOut()
			for name, l := range listeners {
				if got, err := ended(t, l); len(got) > 0 || !fault.Is(err, fault.AdminForbidden) {
					t.Errorf("%s, elsewhere %v: of %s are heard %v, %v", what, elsewhere, name, ids(got), err)
				}
			}
			if got := heard(t, unchanged, 1); got[0].Subject != played {
				t.Errorf("%s: another admin hears %v", what, ids(got))
			}
			again, err := h.Events.AdminEventPage(h.ctx, finance, stream.Filter{}, stream.Cursor{}, 500)
			if what == "revoked" {
				refused(t, err, fault.AdminForbidden)
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if sees := slices.Contains(concerned(again.Events), bob.Wallet); sees == (what == "demoted and bound to an agent") {
				t.Errorf("%s: by the new role bob is heard: %v", what, sees)
			}
		}
	}
}

// TestARoleThatChangesWhileItBeginsEndsTheListener: nobody was there yet whom the event of
// the change could end.
func TestARoleThatChangesWhileItBeginsEndsTheListener(t *testing.T) {
	t.Parallel()
	roles := &readRoles{}
	h := open(t, func(d *app.Deps) { roles.RoleLists, d.Store.RoleLists = d.Store.RoleLists, roles })
	h.acme()
	finance, bob := h.admin("finance", "finance"), h.player("bob", 10_000)
	earlier := ok(h.Events.Listen(h.ctx, stream.Filter{}, nil))(t) // so that events are handed out
	defer earlier.Close()
	roles.happens = func() {
		h.founder("finance", "operator", "acme")
		h.handedOut()
	}
	l := ok(h.Events.AdminEvents(h.ctx, finance, stream.Filter{}, nil))(t)
	defer l.Close()
	ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
	h.handedOut()
	if got, err := ended(t, l); len(got) > 0 || !fault.Is(err, fault.AdminForbidden) {
		t.Errorf("heard are %v, %v", ids(got), err)
	}
}

// TestARoleThatCannotBeReadEndsNoListener but after an event of it: then the listener ends
// within a second, and it hears nothing meanwhile.
func TestARoleThatCannotBeReadEndsNoListener(t *testing.T) {
	t.Parallel()
	h := open(t)
	finance, bob := h.admin("finance", "finance"), h.player("bob", 10_000)
	unreadable, fails := fault.New(fault.Unavailable, "the database is gone"), 0
	l := ok(h.Events.AdminEvents(h.ctx, finance, stream.Filter{Types: []stream.Type{stream.RoundSettled}}, nil))(t)
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
	ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
	h.handedOut()

	slow = true
	if _, err := l.Next(h.ctx); !events.Unreadable(err) {
		t.Errorf("while the database is slow: %v", err)
	}
	slow, fails = false, 3
	over, done := context.WithDeadline(h.ctx, time.Unix(0, 0)) // a heartbeat is due
	defer done()
	equal(t, "heard when it can be read", len(ok(l.Next(over))(t)), 1)

	h.founder("finance", "finance", "")
	ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
	h.handedOut()
	fails = 3
	equal(t, "heard after an event of the role", len(ok(l.Next(over))(t)), 1)

	h.founder("finance", "finance", "")
	ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
	h.handedOut()
	slow = true
	for range 2 {
		if some, err := l.Next(h.ctx); len(some) > 0 || !fault.Is(err, fault.Forbidden) {
			t.Errorf("after an event of a role that can't be read: %v, %v", ids(some), err)
		}
	}
}

// TestRolesAreNotReadForEveryEvent: an event that changes no role has none read, however many
// listen.
func TestRolesAreNotReadForEveryEvent(t *testing.T) {
	t.Parallel()
	roles := &readRoles{}
	h := open(t, func(d *app.Deps) { roles.RoleLists, d.Store.RoleLists = d.Store.RoleLists, roles })
	finance, bob := h.admin("finance", "finance"), h.player("bob", 10_000)
	listeners := make([]*events.Listener, 20)
	for i := range listeners {
		listeners[i] = ok(h.Events.AdminEvents(h.ctx, finance, stream.Filter{}, nil))(t)
		defer listeners[i].Close()
	}
	ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
	h.handedOut()
	for _, l := range listeners { // each role is read once, when its listener begins
		heard(t, l, 2)
	}
	before := roles.reads.Load()
	for range 10 {
		ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
		h.handedOut()
	}
	for _, l := range listeners {
		heard(t, l, 20)
	}
	equal(t, "reads of roles", roles.reads.Load()-before, 0)
	h.admin("somebody else", "readonly")
	h.handedOut()
	for _, l := range listeners {
		heard(t, l, 1)
	}
	equal(t, "reads after somebody else's role changed", roles.reads.Load()-before, 0)
}

// TestAListenerEndsWithTheSession: by a sign-out at any instance, of which the player hears,
// and by the beginning of an epoch.
func TestAListenerEndsWithTheSession(t *testing.T) {
	t.Parallel()
	for what, ends := range map[string]func(h *house, bob app.Caller){
		"signed out":           func(h *house, bob app.Caller) { ok(0, h.Accounts.SignOut(h.ctx, bob))(h.t) },
		"signed out elsewhere": func(h *house, bob app.Caller) { ok(0, h.remade(func(*app.Deps) {}).Accounts.SignOut(h.ctx, bob))(h.t) },
		"a later epoch": func(h *house, _ app.Caller) {
			h.controls(func(s *control.State) { s.Restored = &control.Restored{At: fakes.Start, Reason: "a head is gone"} })
			h.begun()
		},
	} {
		h := open(t)
		bob, session := h.player("bob", 10_000), ports.Session{Wallet: fakes.Wallet("bob"), IssuedAt: h.clock.Now()}
		h.clock.Advance(1e9)
		all := ok(h.Events.OwnEvents(h.ctx, bob, nil, nil))(t)
		one := ok(h.Events.OwnEvents(h.ctx, bob, []stream.Type{stream.RoundSettled}, nil))(t)
		for _, l := range []*events.Listener{all, one} {
			defer l.Close()
			l.Until(func(ctx context.Context) error { return h.ConfirmSession(ctx, session) })
			silent(t, l)
		}
		ends(h, bob)
		h.handedOut()
		for name, l := range map[string]*events.Listener{"all": all, "a type": one} {
			got, err := ended(t, l)
			if name == "all" && what != "a later epoch" && len(got) == 1 && got[0].Type == stream.SessionEnded {
				got = nil
			}
			if len(got) > 0 || !fault.Is(err, fault.InvalidToken) {
				t.Errorf("%s: of %s are heard %v, %v", what, name, ids(got), err)
			}
		}
	}
}
