package restriction_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/restriction"
)

var at = time.Unix(1_800_000_000, 0).UTC()

func TestEveryKindHasAnAction(t *testing.T) {
	t.Parallel()
	seen := map[restriction.Kind]bool{}
	for _, action := range []audit.Action{
		audit.RoleRevoked, audit.PlayerFrozen, audit.PlayerExcluded, audit.LimitsChanged, audit.AgentChanged, audit.CredentialsRotated,
		audit.PlayPaused, audit.PayoutsPaused,
	} {
		kind, kept := restriction.KindOf(action)
		if !kept {
			t.Errorf("%s is not kept", action)
		}
		seen[kind] = true
	}
	for _, kind := range restriction.Kinds() {
		if !seen[kind] {
			t.Errorf("no action makes %s", kind)
		}
	}
	// Lifting a restriction supersedes it.
	for lifts, forbids := range map[audit.Action]audit.Action{
		audit.RoleGranted: audit.RoleRevoked, audit.PlayerReleased: audit.PlayerFrozen, audit.PlayResumed: audit.PlayPaused,
		audit.PayoutsResumed: audit.PayoutsPaused,
	} {
		a, _ := restriction.KindOf(lifts)
		if b, kept := restriction.KindOf(forbids); a != b || !kept {
			t.Errorf("%s is of %q, %s of %q", lifts, a, forbids, b)
		}
	}
	if kind, kept := restriction.KindOf(audit.BalanceAdjusted); kept {
		t.Errorf("a credit is kept as %s", kind)
	}
}

func TestAPlayersKindsAreApart(t *testing.T) {
	t.Parallel()
	whole := protection.State{
		Frozen: true, Excluded: true, ExcludedUntil: at,
		Limits: []protection.Limit{{Kind: protection.Wager, Period: protection.Day, Amount: 5, Used: 3, Since: at}},
		Owed:   []protection.Debt{{Token: "SOL", Amount: 1}},
	}
	var again protection.State
	for _, kind := range []restriction.Kind{restriction.Frozen, restriction.Excluded, restriction.Limits} {
		r := restriction.OfPlayer(kind, "alice", whole, at)
		if !r.Holds || r.Kind != kind || r.Subject != "alice" || len(r.Protection.Owed) != 0 {
			t.Errorf("%+v", r)
		}
		if none := restriction.OfPlayer(kind, "alice", protection.State{}, at); none.Holds {
			t.Errorf("nothing is forbidden, and yet: %+v", none)
		}
		before := again
		if again, _ = again.Tightened(r.Protection, at.Add(-time.Hour)); len(again.Limits) == len(before.Limits) && again.Frozen == before.Frozen && again.Excluded == before.Excluded {
			t.Errorf("%s restricts nothing", kind)
		}
	}
	if !again.Frozen || !again.Excluded || len(again.Limits) != 1 || again.Limits[0].Used != 0 || whole.Limits[0].Used != 3 {
		t.Errorf("together they are %+v of %+v", again, whole)
	}
}

func TestLatestTakesOfEachSubjectTheLatest(t *testing.T) {
	t.Parallel()
	freeze := func(w string, after time.Duration, holds bool) restriction.Restriction {
		return restriction.Restriction{Kind: restriction.Frozen, Subject: w, At: at.Add(after), Holds: holds}
	}
	here := []restriction.Restriction{freeze("alice", 2, true), freeze("bob", 1, true)}
	there := []restriction.Restriction{freeze("bob", 3, false), freeze("alice", 1, false), {Kind: restriction.Role, Subject: "bob", At: at}}
	for _, all := range [][]restriction.Restriction{restriction.Latest(here, there), restriction.Latest(there, here)} {
		if len(all) != 3 || all[0].Kind != restriction.Role || !all[1].Holds || all[1].Subject != "alice" || all[2].Holds {
			t.Errorf("%+v", all)
		}
	}
	if first := restriction.Earliest(append(here, there...)); !first.Equal(at) {
		t.Errorf("the first is of %v", first)
	}
	if !restriction.Earliest(nil).IsZero() {
		t.Error("of none there is a first")
	}
}

func TestSubjectsOfPausesAreApart(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range [][2]string{{"", ""}, {"dice", ""}, {"", "dice"}, {"a/b", "c"}, {"b", "c"}, {"a/b/", ""}} {
		r := restriction.Restriction{Subject: restriction.PlaySubject(p[0], p[1])}
		if game, agent := r.Paused(); game != p[0] || agent != p[1] || seen[r.Subject] {
			t.Errorf("%q is %q of %q", r.Subject, game, agent)
		}
		seen[r.Subject] = true
	}
}
