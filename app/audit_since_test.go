package app_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// left is what an audit leaves to the next one.
type left map[string]string

func (l left) put(key, value []byte) error {
	l[string(key)] = string(value)
	return nil
}

func (l left) records(visit func(key, value []byte) error) error {
	for _, key := range slices.Sorted(maps.Keys(l)) {
		if err := visit([]byte(key), []byte(l[key])); err != nil {
			return err
		}
	}
	return nil
}

func (h *house) more() {
	h.t.Helper()
	alice, bob := caller("alice"), caller("bob")
	ok(h.Play.Play(h.ctx, alice, flip(100)))(h.t)
	ok(h.Play.Rotate(h.ctx, bob, play.RotateRequest{}))(h.t)
	ok(h.Play.Play(h.ctx, bob, play.PlayRequest{GameType: "dice", Wager: 200, Token: sol}))(h.t)
	ok(h.Admin.AdjustBalance(h.ctx, caller("ada"), gift("bob", 78)))(h.t)
	h.withdraw(bob, 1_500)
}

// TestAnAuditGoesOnFromAnEarlierOne: it reads what came since, and leaves what an audit of
// everything leaves.
func TestAnAuditGoesOnFromAnEarlierOne(t *testing.T) {
	t.Parallel()
	h := played(t)
	first, second, whole := left{}, left{}, left{}
	before := ok(audit.NewAuditor(h.store, h.Games, nil).LeaveTo(first.put).Run(h.ctx))(t)
	equal(t, "findings", strings.Join(before.Findings, "\n"), "")
	h.more()
	since := ok(audit.NewAuditor(h.store, h.Games, nil).Since(first.records).LeaveTo(second.put).Run(h.ctx))(t)
	equal(t, "findings since", strings.Join(since.Findings, "\n"), "")
	all := ok(audit.NewAuditor(h.store, h.Games, nil).LeaveTo(whole.put).Run(h.ctx))(t)
	equal(t, "rounds since", since.Rounds, 2)
	equal(t, "blocks since", since.Blocks, all.Blocks-before.Blocks)
	for _, key := range slices.Sorted(maps.Keys(whole)) {
		if second[key] != whole[key] {
			t.Errorf("%q: left %q, an audit of everything leaves %q", key, second[key], whole[key])
		}
	}
	equal(t, "records", len(second), len(whole))
	again := ok(audit.NewAuditor(h.store, h.Games, nil).Since(second.records).Run(h.ctx))(t)
	equal(t, "findings of nothing new", strings.Join(again.Findings, "\n"), "")
	equal(t, "blocks of nothing new", again.Blocks, 0)
}

// TestRowsOfExpiredSignInsAreNoFinding: they lie there until they are pruned, which nobody
// does while the service is stopped.
func TestRowsOfExpiredSignInsAreNoFinding(t *testing.T) {
	t.Parallel()
	h := played(t)
	ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	h.clock.Advance(24 * time.Hour)
	first, second := left{}, left{}
	everything := ok(audit.NewAuditor(h.store, h.Games, nil).LeaveTo(first.put).At(h.clock.Now()).Run(h.ctx))(t)
	equal(t, "findings", strings.Join(everything.Findings, "\n"), "")
	since := ok(audit.NewAuditor(h.store, h.Games, nil).Since(first.records).LeaveTo(second.put).At(h.clock.Now()).Run(h.ctx))(t)
	equal(t, "findings since", strings.Join(since.Findings, "\n"), "")
	again := ok(audit.NewAuditor(h.store, h.Games, nil).Since(second.records).At(h.clock.Now()).Run(h.ctx))(t)
	equal(t, "findings since that", strings.Join(again.Findings, "\n"), "")
}

func TestAnAuditSinceFindsWhatWasChanged(t *testing.T) {
	t.Parallel()
	h := played(t)
	first := left{}
	ok(audit.NewAuditor(h.store, h.Games, nil).LeaveTo(first.put).Run(h.ctx))(t)
	h.more()
	one := money.TotalOf(1)
	for name, c := range map[string]struct {
		forged
		want string
	}{
		"a balance": {forged{balances: func(all []ledger.Balance) []ledger.Balance {
			for i := range all {
				all[i].Amount = all[i].Amount.Add(one)
			}
			return all
		}}, "its transfers add up to"},
		"a balance that's gone": {forged{balances: func(all []ledger.Balance) []ledger.Balance {
			return slices.DeleteFunc(all, func(b ledger.Balance) bool { return b.Amount.Sign() > 0 })
		}}, "has no balance of"},
		"a kept total": {forged{totals: func(all []ledger.Balance) []ledger.Balance {
			all[0].Amount = all[0].Amount.Add(one)
			return all
		}}, "kept total of adjustment"},
		"a daily figure": {forged{daily: func(all []ports.DailyFigure) []ports.DailyFigure {
			all[0].Paid = all[0].Paid.Add(one)
			return all
		}}, "kept figures of"},
		"a new block": {forged{blocks: func(all []ports.Block) []ports.Block {
			all[len(all)-1].At = all[len(all)-1].At.Add(1_000_000)
			return all
		}}, "its content was changed"},
		"the block before": {forged{blocks: func(all []ports.Block) []ports.Block {
			for i := range all {
				all[i].Previous[0] ^= 1
			}
			return all
		}}, "names another block before it"},
		"new blocks that are gone": {forged{blocks: func(all []ports.Block) []ports.Block { return all[:len(all)-5] }}, "its head is"},
	} {
		c.AuditStore = h.store
		report := ok(audit.NewAuditor(c.forged, h.Games, nil).Since(first.records).Run(h.ctx))(t)
		if got := strings.Join(report.Findings, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
}

func TestRecordsOfNoAuditAreRefused(t *testing.T) {
	t.Parallel()
	h := played(t)
	for name, l := range map[string]left{
		"no record": {"0l": "x"}, "a row": {"4": "r"}, "nothing": {"": ""}, "half a lane": {"0l": "c"},
	} {
		if _, err := audit.NewAuditor(h.store, h.Games, nil).Since(l.records).Run(h.ctx); err == nil {
			t.Errorf("%s was taken over", name)
		}
	}
}
