package conformance

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// AuditLog is the suite of ports.AuditLog.
func AuditLog(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, auditLogCases)
}

var auditLogCases = []story{
	{"records come back as they were written", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		b.signIn(alice, 100)
		b.commit(b.adjust(alice, 7))
		var want []audit.Record
		for _, block := range b.chained() {
			want = append(want, block.Audit...)
		}
		b.fatalIf(len(want) < 3, "only %d records", len(want))
		b.reopen()
		found := must(b.Records(background, ports.AuditFilter{}, whole))(b)
		for i, record := range want {
			b.same("a record", found.Records[len(want)-1-i], record)
		}
	}},
	{"records are listed newest first, filtered by actor, action, target, part and time", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		b.signIn(alice, 100)
		b.signIn(bob, 100)
		b.commit(b.limit(bob, protection.Loss, 500))
		b.commit(b.imposed(bob, admin, 5000))
		var at []time.Time
		for range 4 {
			b.commit(b.adjust(alice, 7))
			b.commit(b.adjust(bob, 7))
			at = append(at, b.now())
		}
		var all []audit.Record
		for _, block := range b.chained() {
			all = append(all, block.Audit...)
		}
		for name, f := range map[string]ports.AuditFilter{
			"everything": {}, "by the admin": {By: admin}, "by alice": {By: alice}, "by nobody": {By: carol},
			"of alice": {Target: string(alice)}, "adjustments": {Action: audit.BalanceAdjusted},
			"from": {From: at[0]}, "to": {To: at[2]}, "between": {From: at[0], To: at[2]},
			"of admins": {Part: audit.Admins}, "of nobody": {Part: "nobody"}, "of players": {Part: audit.Players}, "of players by alice": {By: alice, Part: audit.Players},
			"adjustments of bob": {By: admin, Target: string(bob), Action: audit.BalanceAdjusted, From: at[1]},
		} {
			b.lists(name, chosen(all, func(r audit.Record) string { return r.ID }, func(r audit.Record) bool {
				return asked(f.By, r.By) && asked(f.Target, r.Target) && asked(f.Action, r.Action) && asked(f.Part, r.Part()) &&
					!r.At.Before(f.From) && (f.To.IsZero() || r.At.Before(f.To))
			}), b.recordIDs(f))
		}
	}},
	{"a walk without counting finds every record", Rows, func(b *bench) {
		for _, w := range []wallet.Address{alice, bob, carol, admin, other} {
			b.grant(w, "readonly")
		}
		counted := must(b.Records(background, ports.AuditFilter{}, whole))(b)
		walked := allPages(b, 2, func(page ports.Page) ([]audit.Record, ports.PageInfo, error) {
			found, err := b.Records(background, ports.AuditFilter{}, page)
			return found.Records, found.PageInfo, err
		})
		b.same("walked", walked, counted.Records)
	}},
}

func (b *bench) recordIDs(f ports.AuditFilter) pageOf {
	return func(page ports.Page) ([]string, ports.PageInfo, error) {
		found, err := b.Records(background, f, page)
		return mapped(found.Records, func(r audit.Record) string { return r.ID }), found.PageInfo, err
	}
}

// AuditRows is the suite of ports.AuditRows.
func AuditRows(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, auditRowsCases)
}

var auditRowsCases = []story{
	{"each thing is visited once, as its newest event made it", Rows, func(b *bench) {
		b.everyThing()
		b.reopen()
		count := b.soundThings()
		for _, kind := range event.Kinds() {
			b.errorIf(count[kind] == 0 && kind != event.Request && kind != event.Vote && kind != event.Login,
				"there is no %s", kind)
		}
	}},
	{"an error of visit ends the walk and is returned", Logic, func(b *bench) {
		b.everyThing()
		enough := errors.New("enough")
		visits := 0
		count := func() error { visits++; return enough }
		for _, walk := range []func() error{
			func() error {
				return b.Things(background, event.Withdrawal, func(event.Event) error { return count() })
			},
			func() error { return b.Things(background, event.Player, func(event.Event) error { return count() }) },
			func() error { return b.SealedSeeds(background, func(string, error) error { return count() }) },
		} {
			visits = 0
			err := walk()
			b.errorIf(!errors.Is(err, enough) || visits != 1, "%d visits, %v", visits, err)
		}
	}},
	{"each seed that is not revealed is opened and held against its commitment", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		b.commit(b.rotate(alice, "mine"))
		pair := must(b.ActivePair(background, alice))(b)
		got := map[string]bool{}
		b.ok(b.SealedSeeds(background, func(id string, wrong error) error {
			got[id] = wrong == nil
			return nil
		}))
		b.same("seeds", got, map[string]bool{pair.ID: true, pair.Next.ID: true})
	}},
}

// things maps each thing to the state that its events give.
func (b *bench) things() map[event.Kind]map[string]event.Event {
	b.Helper()
	type step struct {
		made event.Event
		last bool
	}
	all := map[event.Kind]map[string][]step{}
	for _, block := range b.chained() {
		for _, e := range block.Events {
			if all[e.Kind] == nil {
				all[e.Kind] = map[string][]step{}
			}
			all[e.Kind][e.ID] = append(all[e.Kind][e.ID], step{e, true})
		}
	}
	newest := map[event.Kind]map[string]event.Event{}
	for kind, things := range all {
		newest[kind] = map[string]event.Event{}
		for id, steps := range things {
			// Each step is followed by at most one, in any lane.
			for _, later := range steps {
				if later.made.Was == "" {
					continue
				}
				at := slices.IndexFunc(steps, func(s step) bool { return s.last && s.made.Digest() == later.made.Was })
				if at < 0 {
					b.Errorf("%s %s was %s, which no event made it", kind, id, later.made.Was)
					continue
				}
				steps[at].last = false
			}
			for _, s := range steps {
				if !s.last || len(s.made.Fields) == 0 {
					continue
				}
				_, twice := newest[kind][id]
				b.errorIf(twice, "%s %s has two newest events", kind, id)
				newest[kind][id] = s.made
			}
		}
	}
	return newest
}

// soundThings compares the rows of things with their events.
func (b *bench) soundThings() map[event.Kind]int {
	b.Helper()
	newest, count := b.things(), map[event.Kind]int{}
	for _, kind := range event.Kinds() {
		b.ok(b.Things(background, kind, func(row event.Event) error {
			made, there := newest[kind][row.ID]
			delete(newest[kind], row.ID)
			count[kind]++
			switch {
			case !there:
				b.Errorf("%s %s: no event made it, or it comes twice", kind, row.ID)
			case row.Digest() != made.Digest() || row.Kind != kind:
				b.Errorf("%s %s differs in %v: %+v, its event made it %+v", kind, row.ID, row.Differences(made), row, made)
			case row.Was != "":
				b.Errorf("%s %s was %s", kind, row.ID, row.Was)
			}
			return nil
		}))
		if kind == event.Login { // used messages are deleted after their time
			continue
		}
		for id := range newest[kind] {
			b.Errorf("%s %s has events and no row", kind, id)
		}
	}
	return count
}

// everyThing makes at least one thing of each kind, most of them in several states.
func (b *bench) everyThing() {
	b.Helper()
	b.signIn(alice, 100_000)
	b.signIn(bob, 1_000)
	b.grant(admin, "superadmin")
	b.grant(carol, "finance")
	b.grant(carol, "support")
	b.grant(bob, "finance")
	b.revoke(bob)
	b.commit(b.rotate(alice, "mine"))
	b.commit(b.play(alice, 100))
	b.commit(b.adjust(alice, -5))
	b.commit(b.claim(alice, b.id(), usd, deposit.Verdict{Status: deposit.Review}))
	b.commit(b.withdraw(bob, 10))
	w := *b.commit(b.withdraw(alice, 100)).Change.Withdrawal
	b.commit(b.approve(w, admin))
	b.commit(b.sign(w, 1))
	b.commit(b.settle(w, 1, dead))
	b.commit(b.sign(w, 2))
	b.commit(b.settle(w, 2, finalized))
	open := b.opened(alice, 100, doubles)
	b.commit(b.steps(open, fakes.Double))
	b.commit(b.steps(b.opened(alice, 100), fakes.CashOut))
	b.raised(b.alarmed(alarm.LowFees, "SOL"))
	b.over(b.raised(b.alarmed(alarm.Insolvent, "SOL")))
	b.shared(25).plays(1, crashLife...)
}

// Origins is the suite of ports.Origins.
func Origins(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, originsCases)
}

var originsCases = []story{
	{"at first no origin is remembered", Rows, func(b *bench) {
		if _, remembered, err := b.Origin(background); err != nil || remembered != (witness.Origin{}) {
			b.Errorf("%v, %v", remembered, err)
		}
	}},
	{"the origin of the server stays while it is the same server", Rows, func(b *bench) {
		before, _, err := b.Origin(background)
		b.signIn(alice, 10)
		after, _, again := b.Origin(background)
		b.errorIf(err != nil || again != nil || before != after, "%v, then %v: %v, %v", before, after, err, again)
	}},
	{"the one that is remembered last replaces the one before", Rows, func(b *bench) {
		for _, origin := range []witness.Origin{{System: "7301", Timeline: 1}, {System: "7302", Timeline: 1 << 31}} {
			b.ok(b.RememberOrigin(background, origin))
			b.reopen()
			if _, remembered, err := b.Origin(background); err != nil || remembered != origin {
				b.Errorf("%v, %v", remembered, err)
			}
		}
	}},
}

// SealedRows is the suite of ports.SealedRows.
func SealedRows(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, sealedRowsCases)
}

var sealedRowsCases = []story{
	{"each row that carries a seal is visited with what the seal is of", Rows, func(b *bench) {
		b.sealedThings()
		seen := map[string]int{}
		for _, row := range b.sealedRows() {
			b.same(fmt.Sprint(row.Purpose, " ", row.ID), (fakes.Authenticator{}).Verify(row.Purpose, row.Message, row.Seal), nil)
			seen[row.Purpose]++
		}
		for _, purpose := range sealedPurposes {
			b.same("rows sealed as "+purpose, seen[purpose], 1)
		}
	}},
	{"a row without a seal is not visited", Rows, func(b *bench) {
		b.know(terms(usd))
		b.signIn(alice, 100)
		b.commit(b.bringBack(alice, b.id(), "paid", usd, 40))
		b.same("sealed rows", len(b.sealedRows()), 0)
	}},
	{"seals are replaced, each row's own", Rows, func(b *bench) {
		b.sealedThings()
		before := b.sealedRows()
		var replaced []seal.Replacement
		for _, row := range before {
			replaced = append(replaced, seal.Replacement{Row: row, By: "k9:" + row.Purpose})
		}
		b.same("replaced", must(b.Reseal(background, replaced))(b), len(before))
		for i, row := range b.sealedRows() {
			before[i].Seal = "k9:" + before[i].Purpose
			b.same("resealed", row, before[i])
		}
		b.same("again", must(b.Reseal(background, replaced))(b), 0)
		b.same("none", must(b.Reseal(background, nil))(b), 0)
	}},
	{"a seal that is another by now stays", Rows, func(b *bench) {
		b.sealedThings()
		before := b.sealedRows()
		var replaced []seal.Replacement
		for _, row := range before {
			row.Seal = "k1:other"
			replaced = append(replaced, seal.Replacement{Row: row, By: "k9:late"})
		}
		b.same("replaced", must(b.Reseal(background, replaced))(b), 0)
		b.same("rows", b.sealedRows(), before)
	}},
	{"an error of visit ends the walk", Logic, func(b *bench) {
		b.sealedThings()
		stop, seen := errors.New("enough"), 0
		err := b.Store.SealedRows(background, func(seal.Row) error {
			seen++
			return stop
		})
		b.errorIf(!errors.Is(err, stop) || seen != 1, "%d visits, %v", seen, err)
	}},
}

// sealedPurposes are the purposes of the rows that stories seal.
var sealedPurposes = []string{
	withdrawal.RequestPurpose, withdrawal.ApprovalPurpose, withdrawal.AttemptPurpose, rbac.RolesPurpose, token.TermsPurpose, proof.Purpose,
}

// sealedThings makes the service seal at least one row of every purpose.
func (b *bench) sealedThings() {
	b.Helper()
	seals := fakes.Authenticator{}
	b.know(must(token.Seal([]token.Terms{terms(usd)}, seals))(b)...)
	w := b.payable(alice, usd, 2_000)
	attempt := b.sign(w, 1)
	decide := attempt.Decide
	attempt.Decide = func(v player.View) (player.Change, error) {
		change, err := decide(v)
		if err == nil {
			change.Attempt.Seal, err = seals.Seal(withdrawal.AttemptPurpose, change.Attempt.Sealed())
		}
		return change, err
	}
	b.commit(attempt)
	made := proof.Proof{Wallet: alice, At: b.now(), Rounds: 1}
	made.Seal, _ = seals.Seal(proof.Purpose, made.Sealed())
	b.ok(b.KeepWalletProof(background, made))
	b.ok(b.ChangeRoleList(background, bob, func(now rbac.List) (rbac.List, audit.Record, error) {
		next := now.With(bob, &rbac.Assignment{Role: "support", GrantedAt: b.now()}, 0)
		var err error
		next.Seal, err = seals.Seal(rbac.RolesPurpose, next.Sealed())
		return next, audit.Record{ID: b.id(), Action: audit.RoleGranted, By: admin, Target: string(bob), At: b.now()}, err
	}))
}

// sealedRows returns the rows of the purposes that stories seal: a store seals its blocks itself.
func (b *bench) sealedRows() (all []seal.Row) {
	b.Helper()
	if err := b.Store.SealedRows(background, func(row seal.Row) error {
		if slices.Contains(sealedPurposes, row.Purpose) {
			all = append(all, row)
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	return all
}
