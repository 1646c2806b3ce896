package audit_test

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
	"github.com/casino-service/casino/test/apptest"
)

// left are the records that an audit leaves to the next one.
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

func (h *house) playMore() {
	h.T.Helper()
	alice, bob := apptest.Caller("alice"), apptest.Caller("bob")
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(h.T)
	apptest.OK(h.Play.Rotate(h.Ctx, bob, play.RotateRequest{}))(h.T)
	apptest.OK(h.Play.Play(h.Ctx, bob, play.PlayRequest{GameType: "dice", Wager: 200, Token: apptest.SOL}))(h.T)
	apptest.OK(h.Admin.AdjustBalance(h.Ctx, apptest.Caller("ada"), apptest.Gift("bob", 78)))(h.T)
	h.RequestWithdrawal(bob, 1_500)
}

// TestAnAuditGoesOnFromAnEarlierOne: it reads only later blocks, and leaves the same
// records as an audit of everything.
func TestAnAuditGoesOnFromAnEarlierOne(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	first, second, whole := left{}, left{}, left{}
	before := apptest.OK(audit.NewAuditor(h.Store, h.Games, nil).LeaveTo(first.put).Run(h.Ctx))(t)
	apptest.Equal(t, "findings", strings.Join(before.Findings, "\n"), "")
	h.playMore()
	since := apptest.OK(audit.NewAuditor(h.Store, h.Games, nil).Since(first.records).LeaveTo(second.put).Run(h.Ctx))(t)
	apptest.Equal(t, "findings since", strings.Join(since.Findings, "\n"), "")
	all := apptest.OK(audit.NewAuditor(h.Store, h.Games, nil).LeaveTo(whole.put).Run(h.Ctx))(t)
	apptest.Equal(t, "rounds since", since.Rounds, 2)
	apptest.Equal(t, "blocks since", since.Blocks, all.Blocks-before.Blocks)
	for _, key := range slices.Sorted(maps.Keys(whole)) {
		if second[key] != whole[key] {
			t.Errorf("%q: left %q, an audit of everything leaves %q", key, second[key], whole[key])
		}
	}
	apptest.Equal(t, "records", len(second), len(whole))
	again := apptest.OK(audit.NewAuditor(h.Store, h.Games, nil).Since(second.records).Run(h.Ctx))(t)
	apptest.Equal(t, "findings of nothing new", strings.Join(again.Findings, "\n"), "")
	apptest.Equal(t, "blocks of nothing new", again.Blocks, 0)
}

// TestRowsOfExpiredSignInsAreNoFinding: such rows exist until the service prunes them.
func TestRowsOfExpiredSignInsAreNoFinding(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
	h.Clock.Advance(24 * time.Hour)
	first, second := left{}, left{}
	everything := apptest.OK(audit.NewAuditor(h.Store, h.Games, nil).LeaveTo(first.put).At(h.Clock.Now()).Run(h.Ctx))(t)
	apptest.Equal(t, "findings", strings.Join(everything.Findings, "\n"), "")
	since := apptest.OK(audit.NewAuditor(h.Store, h.Games, nil).Since(first.records).LeaveTo(second.put).At(h.Clock.Now()).Run(h.Ctx))(t)
	apptest.Equal(t, "findings since", strings.Join(since.Findings, "\n"), "")
	again := apptest.OK(audit.NewAuditor(h.Store, h.Games, nil).Since(second.records).At(h.Clock.Now()).Run(h.Ctx))(t)
	apptest.Equal(t, "findings since that", strings.Join(again.Findings, "\n"), "")
}

func TestAnAuditSinceFindsWhatWasChanged(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	first := left{}
	apptest.OK(audit.NewAuditor(h.Store, h.Games, nil).LeaveTo(first.put).Run(h.Ctx))(t)
	h.playMore()
	one := money.TotalOf(1)
	for name, c := range map[string]struct {
		apptest.Forged
		want string
	}{
		"a balance": {apptest.Forged{Balances: func(all []ledger.Balance) []ledger.Balance {
			for i := range all {
				all[i].Amount = all[i].Amount.Add(one)
			}
			return all
		}}, "its transfers add up to"},
		"a balance that's gone": {apptest.Forged{Balances: func(all []ledger.Balance) []ledger.Balance {
			return slices.DeleteFunc(all, func(b ledger.Balance) bool { return b.Amount.Sign() > 0 })
		}}, "has no balance of"},
		"a kept total": {apptest.Forged{Totals: func(all []ledger.Balance) []ledger.Balance {
			all[0].Amount = all[0].Amount.Add(one)
			return all
		}}, "kept total of adjustment"},
		"a daily figure": {apptest.Forged{Daily: func(all []ports.DailyFigure) []ports.DailyFigure {
			all[0].Paid = all[0].Paid.Add(one)
			return all
		}}, "kept figures of"},
		"a new block": {apptest.Forged{Blocks: func(all []ports.Block) []ports.Block {
			all[len(all)-1].At = all[len(all)-1].At.Add(1_000_000)
			return all
		}}, "its content was changed"},
		"the block before": {apptest.Forged{Blocks: func(all []ports.Block) []ports.Block {
			for i := range all {
				all[i].Previous[0] ^= 1
			}
			return all
		}}, "names another block before it"},
		"new blocks that are gone": {apptest.Forged{Blocks: func(all []ports.Block) []ports.Block { return all[:len(all)-5] }}, "its head is"},
	} {
		c.AuditStore = h.Store
		report := apptest.OK(audit.NewAuditor(c.Forged, h.Games, nil).Since(first.records).Run(h.Ctx))(t)
		if got := strings.Join(report.Findings, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
}

func TestRecordsOfNoAuditAreRefused(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	for name, l := range map[string]left{
		"no record": {"0l": "x"}, "a row": {"4": "r"}, "nothing": {"": ""}, "half a lane": {"0l": "c"},
	} {
		if _, err := audit.NewAuditor(h.Store, h.Games, nil).Since(l.records).Run(h.Ctx); err == nil {
			t.Errorf("%s was taken over", name)
		}
	}
}
