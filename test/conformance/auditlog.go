package conformance

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
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
		if len(want) < 3 {
			b.Fatalf("only %d records", len(want))
		}
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
			var want []string
			for _, r := range all {
				if (f.By == "" || r.By == f.By) && (f.Target == "" || r.Target == f.Target) && (f.Action == "" || r.Action == f.Action) && (f.Part == "" || r.Part() == f.Part) &&
					!r.At.Before(f.From) && (f.To.IsZero() || r.At.Before(f.To)) {
					want = append(want, r.ID)
				}
			}
			b.lists(name, newest(want), b.recordIDs(f))
		}
	}},
	{"a walk without counting finds every record", Rows, func(b *bench) {
		for _, w := range []wallet.Address{alice, bob, carol, admin, other} {
			b.grant(w, "readonly")
		}
		counted := must(b.Records(background, ports.AuditFilter{}, whole))(b)
		walked := 0
		for page := (ports.Page{Number: 1, Limit: 2, Uncounted: true}); ; {
			found := must(b.Records(background, ports.AuditFilter{}, page))(b)
			if found.Total != 0 || found.Capped {
				b.Errorf("an uncounted page has total %d", found.Total)
			}
			walked += len(found.Records)
			if page.After = found.Next; page.After == "" {
				break
			}
		}
		b.same("walked", walked, counted.Total)
	}},
	{"records outlive reopening", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		before := must(b.Records(background, ports.AuditFilter{}, whole))(b)
		b.reopen()
		b.same("records", must(b.Records(background, ports.AuditFilter{}, whole))(b), before)
	}},
}

func (b *bench) recordIDs(f ports.AuditFilter) pageOf {
	return func(page ports.Page) ([]string, ports.PageInfo, error) {
		found, err := b.Records(background, f, page)
		ids := []string{}
		for _, r := range found.Records {
			ids = append(ids, r.ID)
		}
		return ids, found.PageInfo, err
	}
}
