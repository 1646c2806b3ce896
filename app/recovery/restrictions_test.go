package recovery_test

import (
	"context"
	"strings"
	"testing"
	"time"

	kept "github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	apppayouts "github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	apprecovery "github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// forbidding is a casino that keeps its restrictions, and their places.
type forbidding struct {
	*house
	places  []apprecovery.NamedRestrictions
	witness *kept.Witness
	agents  map[string]agent.Agent
	acme    agent.Credentials
}

// forbids opens a casino with all subjects of restrictions. Two of them represent the
// database of one ledger, before and after a restore.
func forbids(t *testing.T, places []apprecovery.NamedRestrictions, kept *kept.Witness) *forbidding {
	t.Helper()
	h := open(t)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "ours"}); err != nil {
		t.Fatal(err)
	}
	f := &forbidding{house: h, places: places, witness: kept, agents: map[string]agent.Agent{}}
	for name, role := range map[string]string{"root": rbac.Superadmin, "fred": "finance", "sue": "support", "olga": "ops"} {
		f.NewAdmin(name, role)
	}
	for _, code := range []string{"acme", "idle", "calm"} {
		made, credentials, err := f.Admin.CreateAgent(f.Ctx, apptest.Caller("root"), code, admin.AgentRequest{Name: new(code)})
		if err != nil {
			t.Fatal(err)
		}
		if f.agents[code] = made; code == "acme" {
			f.acme = credentials
		}
	}
	for _, name := range []string{"alice", "bob", "carol", "dan"} {
		f.NewPlayer(name, 10_000)
	}
	apptest.OK(f.Accounts.SetLimits(f.Ctx, apptest.Caller("alice"), []protection.LimitRequest{{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Amount: 5_000}}))(t)
	f.Clock.Advance(time.Hour)
	f.house = f.Remade(func(d *app.Deps) { d.Restrictions = places })
	return f
}

// forbid makes a restriction of each kind, and lifts some of them again.
func (f *forbidding) forbid() {
	t, root := f.T, apptest.Caller("root")
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(apptest.ErrorOf(f.Accounts.SetFrozen(f.Ctx, root, string(fakes.Wallet("bob")), "odd bets", true)))
	must(apptest.ErrorOf(f.Accounts.SetFrozen(f.Ctx, root, string(fakes.Wallet("dan")), "odd bets", true)))
	must(apptest.ErrorOf(f.Accounts.SetFrozen(f.Ctx, root, string(fakes.Wallet("dan")), "looked at", false)))
	must(apptest.ErrorOf(f.Accounts.Exclude(f.Ctx, apptest.Caller("carol"), time.Time{}, true)))
	must(apptest.ErrorOf(f.Accounts.SetLimits(f.Ctx, apptest.Caller("alice"), []protection.LimitRequest{{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Amount: 300}})))
	must(f.Admin.RevokeRole(f.Ctx, root, string(fakes.Wallet("fred"))))
	must(apptest.ErrorOf(f.Admin.GrantRole(f.Ctx, root, string(fakes.Wallet("sue")), "readonly", "")))
	must(apptest.ErrorOf(f.Admin.GrantRole(f.Ctx, root, string(fakes.Wallet("nina")), "finance", "")))
	_, _, err := f.Admin.RotateCredentials(f.Ctx, root, f.agents["acme"].ID)
	must(err)
	must(apptest.ErrorOf(f.Admin.ChangeAgent(f.Ctx, root, f.agents["idle"].ID, admin.AgentRequest{Status: new(agent.Blocked)})))
	must(apptest.ErrorOf(f.Admin.ChangeAgent(f.Ctx, root, f.agents["calm"].ID, admin.AgentRequest{Status: new(agent.Blocked)})))
	must(apptest.ErrorOf(f.Admin.ChangeAgent(f.Ctx, root, f.agents["calm"].ID, admin.AgentRequest{Status: new(agent.Active)})))
	must(apptest.ErrorOf(f.Play.PausePlay(f.Ctx, root, play.PlayPauseRequest{GameType: "dice", AgentCode: "acme", Reason: "more wins than there should be"})))
	must(apptest.ErrorOf(f.Play.PausePlay(f.Ctx, root, play.PlayPauseRequest{Reason: "all of it"})))
	must(apptest.ErrorOf(f.Play.ResumePlay(f.Ctx, root, play.PlayPauseRequest{Reason: "all of it is well"})))
	must(apptest.ErrorOf(f.Payouts.PausePayouts(f.Ctx, root, "a key may have leaked")))
	f.SignIn("eve")
	must(apptest.ErrorOf(f.Accounts.Exclude(f.Ctx, apptest.Caller("eve"), f.Clock.Now().Add(48*time.Hour), false)))
	list := apptest.OK(f.Store.RoleList(f.Ctx))(t)
	must(f.witness.Keep(witness.Record{Ledger: "ours", RolesVersion: list.Version}))
}

// recovery returns a recovery of a restored database.
func (f *forbidding) recovery() *apprecovery.Recovery {
	f.T.Helper()
	f.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: f.Clock.Now(), Reason: "a head is gone"} })
	restoration := apprecovery.NewRestoration(apprecovery.RestorationOptions{
		Instance: "a", Memory: kept.New(), Witnesses: []apprecovery.NamedWitness{{Name: "kept", Witness: f.witness}}, Controls: f.Store, Blocks: f.Store,
		Checkpoints: f.Store, Origins: f.Store, Clock: f.Clock, Entropy: f.Entropy,
	})
	return apprecovery.NewRecovery(apprecovery.RecoveryOptions{
		Store: f.Store, Restoration: restoration, Chain: &quietChain{}, Seals: fakes.Authenticator{}, Rotated: fakes.Authenticator{},
		Policy: f.Policy, Restrictions: f.places, Clock: f.Clock, Entropy: f.Entropy,
		DrawnAt: func(string) (time.Time, bool) { return time.Time{}, false },
	})
}

func (f *forbidding) recovers() apprecovery.RecoveryReport {
	f.T.Helper()
	recovery := f.recovery()
	for range 20 {
		if recovery.Stage() == apprecovery.Recovered {
			return recovery.Report()
		}
		apptest.OK(recovery.Step(f.Ctx))(f.T)
	}
	f.T.Fatal("the recovery comes to no end")
	return apprecovery.RecoveryReport{}
}

// quietChain is a chain on which the treasury signed nothing.
type quietChain struct{ finalized uint64 }

func (*quietChain) Signed(context.Context, treasury.Position, int) (ports.TreasuryPage, error) {
	return ports.TreasuryPage{}, nil
}

func (c *quietChain) Heights(context.Context) (ports.Heights, error) {
	c.finalized++
	return ports.Heights{LastValid: 2, Finalized: c.finalized}, nil
}

// whats returns the results of restrictions, one per line.
func whats(all []apprecovery.Forbidden) string {
	var lines []string
	for _, f := range all {
		lines = append(lines, f.What)
	}
	return strings.Join(lines, "\n")
}

// TestARecoveryForbidsAgain makes a restriction of each kind after a copy, and recovers
// from the copy: all are restored, except those that were lifted.
func TestARecoveryForbidsAgain(t *testing.T) {
	t.Parallel()
	places, heads := []apprecovery.NamedRestrictions{{Name: "kept", Restrictions: kept.NewRestrictions()}}, kept.New()
	now := forbids(t, places, heads)
	now.forbid()
	f := forbids(t, places, heads)

	var plan apprecovery.RecoveryReport
	recovery := f.recovery()
	f.CheckUnchanged(func() { plan = apptest.OK(recovery.Plan(f.Ctx))(t) })
	f.ChangeControls(func(s *control.State) { s.Restored = nil })
	report := f.recovers()
	wallet := func(name string) string { return string(fakes.Wallet(name)) }
	for _, want := range []string{
		"the role finance of " + wallet("fred") + " is revoked", "the role support of " + wallet("sue") + " becomes readonly",
		"player " + wallet("bob") + " is frozen", "player " + wallet("carol") + " is excluded permanently", "player " + wallet("alice") + " is limited as before",
		"agent idle is blocked", "the credentials of agent acme from before their rotation stop working", "dice of acme is paused", "payouts are paused",
	} {
		if got := whats(report.Restrictions.Again); strings.Count(got, want) != 1 {
			t.Errorf("%q is not said once to be forbidden again:\n%s", want, got)
		}
	}
	apptest.Equal(t, "planned and done", whats(plan.Restrictions.Again), whats(report.Restrictions.Again))
	apptest.Equal(t, "how much is forbidden again", len(report.Restrictions.Again), 9)
	for _, want := range []string{wallet("nina") + " was granted finance since", wallet("eve") + " was excluded until", "agent acme has no working credentials"} {
		if got := whats(report.Restrictions.ByHand); strings.Count(got, want) != 1 {
			t.Errorf("%q is not left to a person:\n%s", want, got)
		}
	}
	f.forbidden()

	again := f.recovers()
	if got := whats(again.Restrictions.Again); got != "" {
		t.Errorf("forbidden once more:\n%s", got)
	}
	f.forbidden()
}

// forbidden fails unless exactly the restrictions of forbid are in force.
func (f *forbidding) forbidden() {
	t := f.T
	t.Helper()
	roles := map[string]string{}
	for _, a := range apptest.OK(f.SealedRoles().Roles(f.Ctx))(t) {
		roles[string(a.Wallet)] = a.Role
	}
	for name, want := range map[string]string{"root": rbac.Superadmin, "olga": "ops", "sue": "readonly", "fred": "", "nina": ""} {
		apptest.Equal(t, "the role of "+name, roles[string(fakes.Wallet(name))], want)
	}
	for name, want := range map[string]protection.Status{"alice": protection.Active, "bob": protection.Frozen, "carol": protection.Excluded, "dan": protection.Active} {
		apptest.Equal(t, name+"'s status", apptest.OK(f.Accounts.Protection(f.Ctx, apptest.Caller(name)))(t).Status(f.Clock.Now()), want)
	}
	limits := apptest.OK(f.Accounts.Protection(f.Ctx, apptest.Caller("alice")))(t).Limits
	if len(limits) != 1 || limits[0].Amount != 300 {
		t.Errorf("alice's limits are %+v", limits)
	}
	for code, want := range map[string]bool{"acme": true, "idle": false, "calm": true} {
		apptest.Equal(t, code+" is open", apptest.OK(f.Store.Agent(f.Ctx, code))(t).Open(), want)
	}
	if apptest.OK(f.Store.AgentSecret(f.Ctx, "acme"))(t).Reveal() == f.acme.Secret.Reveal() {
		t.Error("the credentials of acme from before their rotation work")
	}
	pauses := apptest.OK(f.Store.State(f.Ctx))(t).Pauses
	if len(pauses) != 1 || pauses[0].GameType != "dice" || pauses[0].AgentCode != "acme" || pauses[0].Reason != "more wins than there should be" {
		t.Errorf("play is paused: %+v", pauses)
	}
	if pause := apptest.OK(f.Store.Pause(f.Ctx))(t); !pause.Paused || pause.Reason != "a key may have leaked" {
		t.Errorf("payouts: %+v", pause)
	}
	said := map[audit.Action]int{}
	for _, r := range f.AuditRecords() {
		if strings.Contains(r.After, "forbidden again after a recovery") {
			said[r.Action]++
		}
	}
	for _, action := range []audit.Action{
		audit.RoleRevoked, audit.RoleGranted, audit.PlayerFrozen, audit.PlayerExcluded, audit.LimitsChanged, audit.CredentialsRotated, audit.AgentChanged,
		audit.PlayPaused, audit.PayoutsPaused,
	} {
		apptest.Equal(t, "records of "+string(action), said[action], 1)
	}
}

// TestARecoveryKnowsWhatItDoesntKnow recovers without kept restrictions, or with an
// unreadable place.
func TestARecoveryKnowsWhatItDoesntKnow(t *testing.T) {
	t.Parallel()
	f := forbids(t, nil, kept.New())
	report := f.recovers()
	if !report.Restrictions.Since.IsZero() || len(report.Restrictions.Again) != 0 {
		t.Errorf("nothing is kept: %+v", report.Restrictions)
	}
	g := forbids(t, []apprecovery.NamedRestrictions{{Name: "away", Restrictions: away{}}}, kept.New())
	g.forbid() // restrictions that can't be kept are in force anyway
	if n := g.CountAlarms("a restriction is not kept outside the database"); n < 10 {
		t.Errorf("%d lines say that it isn't kept", n)
	}
	if report := g.recovers(); len(report.Restrictions.Unread) != 1 || report.Restrictions.Unread[0] != "away" {
		t.Errorf("a place that can't be read: %+v", report.Restrictions)
	}
}

type away struct{}

func (away) Keep(context.Context, string, []restriction.Restriction) error { return apptest.ErrAway }

func (away) Kept(context.Context, string) (ports.KeptRestrictions, error) {
	return ports.KeptRestrictions{}, apptest.ErrAway
}

// TestWhatIsForbiddenWhileRestoredForgetsNothing tightens a limit, and excludes for a time,
// on a database that lost tighter restrictions.
func TestWhatIsForbiddenWhileRestoredForgetsNothing(t *testing.T) {
	t.Parallel()
	places, heads := []apprecovery.NamedRestrictions{{Name: "kept", Restrictions: kept.NewRestrictions()}}, kept.New()
	forbids(t, places, heads).forbid()
	f := forbids(t, places, heads)
	f.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: f.Clock.Now(), Reason: "a head is gone"} })
	apptest.OK(f.Accounts.Exclude(f.Ctx, apptest.Caller("carol"), f.Clock.Now().Add(time.Hour), false))(t)
	apptest.OK(f.Accounts.SetLimits(f.Ctx, apptest.Caller("alice"), []protection.LimitRequest{{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Amount: 4_000}}))(t)
	f.ChangeControls(func(s *control.State) { s.Restored = nil })
	f.recovers()
	f.forbidden()
}

// TestWhatIsLiftedIsKeptAsLifted resumes payouts and grants a role again with the types
// that the command line uses.
func TestWhatIsLiftedIsKeptAsLifted(t *testing.T) {
	t.Parallel()
	f := forbids(t, nil, kept.New())
	place := kept.NewRestrictions()
	keeper := apprecovery.RestrictionKeeper{Places: []apprecovery.NamedRestrictions{{Name: "kept", Restrictions: place}}, Controls: f.Store}
	payouts := apppayouts.PayoutSwitch{Controls: keeper.Payouts(f.Store), Clock: f.Clock, Entropy: f.Entropy}
	commands := f.RoleCommands()
	commands.Roles = keeper.Roles(commands.Roles)
	fred := fakes.Wallet("fred")
	for _, forbidden := range []bool{true, false} {
		apptest.OK(payouts.Set(f.Ctx, forbidden, "to see"))(t)
		role := "finance"
		change := func() error { return commands.Grant(f.Ctx, fred, role, "") }
		if forbidden {
			role, change = "", func() error { return commands.Revoke(f.Ctx, fred) }
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		all := apptest.OK(place.Kept(f.Ctx, "ours"))(t).All
		if len(all) != 2 || all[0].Role != role || all[0].Subject != string(fred) || all[1].Kind != restriction.Payouts || all[1].Holds != forbidden {
			t.Errorf("forbidden %v is kept as %+v", forbidden, all)
		}
	}
}
