package rbac_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

var (
	policy = rbac.DefaultPolicy()
	noon   = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
)

// published repeats the role table of the contract: changing the policy requires
// changing it too.
const published = `
superadmin 1 admin:read admin:write audit:read balances:write roles:write withdraw:approve withdraw:reject whitelabel:write
admin      2 admin:read admin:write audit:read balances:write withdraw:approve withdraw:reject whitelabel:write
finance    2 admin:read audit:read balances:write withdraw:approve withdraw:reject
ops        2 admin:read admin:write
support    2 admin:read withdraw:reject
readonly   2 admin:read
operator   3 admin:read
`

type row struct {
	name, level string
	permissions []string
}

func table() (rows []row) {
	for line := range strings.Lines(strings.TrimSpace(published)) {
		parts := strings.Fields(line)
		rows = append(rows, row{parts[0], parts[1], parts[2:]})
	}
	return rows
}

func TestEveryRoleHasExactlyItsPermissions(t *testing.T) {
	t.Parallel()
	if got, want := len(policy.Roles()), len(table()); got != want {
		t.Errorf("%d roles, the table has %d", got, want)
	}
	for _, want := range table() {
		t.Run(want.name, func(t *testing.T) {
			t.Parallel()
			role, known := policy.Role(want.name)
			if !known || string('0'+rune(role.Level)) != want.level {
				t.Fatalf("role %+v, known %v", role, known)
			}
			if bound := want.name == "operator"; role.NeedsAgent != bound {
				t.Errorf("NeedsAgent is %v", role.NeedsAgent)
			}
			for _, permission := range rbac.Permissions() {
				err := policy.Check(rbac.Assignment{Role: want.name}, permission)
				if allowed := slices.Contains(want.permissions, string(permission)); (err == nil) != allowed {
					t.Errorf("%s: %v", permission, err)
				}
			}
		})
	}
}

func TestPermissionsAreSortedAndWhole(t *testing.T) {
	t.Parallel()
	all := rbac.Permissions()
	if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("not sorted, or one is there twice: %v", all)
	}
	for _, role := range policy.Roles() {
		for _, permission := range role.Permissions {
			if !slices.Contains(all, permission) {
				t.Errorf("%s has %s, which Permissions leaves out", role.Name, permission)
			}
		}
	}
}

func TestARefusalNamesThePermission(t *testing.T) {
	t.Parallel()
	for name, who := range map[string]rbac.Assignment{
		"nobody": {}, "a role without it": {Role: "readonly"}, "a role that left the policy": {Role: "owner"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := policy.Check(who, rbac.BalancesWrite)
			refused, ok := err.(*fault.Error)
			if !ok || refused.Kind != fault.AdminForbidden || refused.Details["permission"] != "balances:write" {
				t.Errorf("got %#v", err)
			}
		})
	}
}

func TestTheZeroPolicyAllowsNothing(t *testing.T) {
	t.Parallel()
	if err := (rbac.Policy{}).Check(rbac.Assignment{Role: rbac.Superadmin}, rbac.AdminRead); err == nil {
		t.Error("it allows something")
	}
}

// TestGrantingReachesStrictlyLowerLevels tries every actor, target and role.
func TestGrantingReachesStrictlyLowerLevels(t *testing.T) {
	t.Parallel()
	level := map[string]string{"": "9"}
	names := []string{""}
	for _, r := range table() {
		level[r.name] = r.level
		names = append(names, r.name)
	}
	for _, actor := range names {
		for _, target := range names {
			for _, next := range names {
				err := policy.CanGrant(rbac.Assignment{Role: actor}, rbac.Assignment{Role: target}, next)
				// Of the default roles only superadmin has roles:write.
				want := actor == rbac.Superadmin && level[target] > level[actor] && level[next] > level[actor]
				if (err == nil) != want {
					t.Errorf("%q makes a %q a %q: %v", actor, target, next, err)
				}
			}
		}
	}
}

func TestGrantRefusals(t *testing.T) {
	t.Parallel()
	top := rbac.Assignment{Role: rbac.Superadmin}
	for name, c := range map[string]struct {
		actor, target rbac.Assignment
		role          string
		want          fault.Kind
	}{
		"no permission comes before an unknown role":  {rbac.Assignment{Role: "admin"}, rbac.Assignment{}, "owner", fault.AdminForbidden},
		"an unknown role comes before the level":      {top, top, "owner", fault.Invalid},
		"another superadmin is not below":             {top, top, "readonly", fault.Forbidden},
		"a second superadmin is made by the operator": {top, rbac.Assignment{}, rbac.Superadmin, fault.Forbidden},
		"a superadmin's role is not taken":            {top, top, "", fault.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := policy.CanGrant(c.actor, c.target, c.role); !fault.Is(err, c.want) {
				t.Errorf("got %v, want kind %d", err, c.want)
			}
		})
	}
	left := rbac.Assignment{Role: "a role that left the policy"}
	if err := policy.CanGrant(top, left, ""); err != nil {
		t.Errorf("a role that left the policy can't be taken away: %v", err)
	}
}

func TestAnAgentGoesWithTheRolesThatNeedOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ role, agent, field string }{
		"an operator of an agent":      {"operator", "acme", ""},
		"an operator of nobody":        {"operator", "", "agentCode"},
		"an admin of an agent":         {"admin", "acme", "agentCode"},
		"an admin":                     {"admin", "", ""},
		"an unknown role":              {"owner", "", "role"},
		"no role":                      {"", "", "role"},
		"another spelling of the role": {"Admin", "", "role"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := policy.Assign("alice", c.role, c.agent, noon)
			if c.field == "" {
				if want := (rbac.Assignment{Wallet: "alice", Role: c.role, AgentCode: c.agent, GrantedAt: noon}); err != nil || got != want {
					t.Errorf("got %+v, %v", got, err)
				}
				return
			}
			if refused, ok := err.(*fault.Error); !ok || refused.Kind != fault.Invalid || refused.Details["field"] != c.field {
				t.Errorf("got %+v, %#v", got, err)
			}
		})
	}
}

func TestTheLastSuperadminStays(t *testing.T) {
	t.Parallel()
	top := func(w wallet.Address) rbac.Assignment { return rbac.Assignment{Wallet: w, Role: rbac.Superadmin} }
	admin := func(w wallet.Address) rbac.Assignment { return rbac.Assignment{Wallet: w, Role: "admin"} }
	lower, same := admin("alice"), top("alice")
	for name, c := range map[string]struct {
		all  []rbac.Assignment
		next *rbac.Assignment
		stay bool
	}{
		"alone, revoked":                   {[]rbac.Assignment{top("alice")}, nil, true},
		"alone, demoted":                   {[]rbac.Assignment{top("alice"), admin("bob")}, &lower, true},
		"alone, granted again":             {[]rbac.Assignment{top("alice")}, &same, false},
		"one of two, revoked":              {[]rbac.Assignment{top("alice"), top("bob")}, nil, false},
		"one of two, listed the other way": {[]rbac.Assignment{top("bob"), top("alice")}, &lower, false},
		"not at the top":                   {[]rbac.Assignment{admin("alice")}, nil, false},
		"the first of all":                 {nil, &same, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := policy.KeepsTop(c.all, "alice", c.next)
			if fault.Is(err, fault.InvalidState) != c.stay || (err != nil) != c.stay {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAnEmbeddersOwnPolicy(t *testing.T) {
	t.Parallel()
	own := rbac.NewPolicy(
		rbac.Role{Name: "owner", Level: 1, Permissions: rbac.Permissions()},
		rbac.Role{Name: "lead", Level: 2, Permissions: []rbac.Permission{rbac.AdminRead, rbac.RolesWrite}},
		rbac.Role{Name: "clerk", Level: 3},
		rbac.Role{Name: "clerk", Level: 3, Permissions: []rbac.Permission{rbac.AdminRead}},
	)
	lead, clerk := rbac.Assignment{Role: "lead"}, rbac.Assignment{Role: "clerk"}
	if err := own.CanGrant(lead, rbac.Assignment{}, "clerk"); err != nil {
		t.Errorf("a lead can't make a clerk: %v", err)
	}
	if err := own.CanGrant(lead, clerk, "lead"); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a lead makes a lead: %v", err)
	}
	if err := own.Check(clerk, rbac.AdminRead); err != nil {
		t.Errorf("the last role of a name does not count: %v", err)
	}
	if err := own.KeepsTop([]rbac.Assignment{{Wallet: "alice", Role: "owner"}}, "alice", nil); err == nil {
		t.Error("the last owner went")
	}
}

// TestARoleThatLeftThePolicyIsNotTheTop: otherwise the last superadmin could be removed
// because another wallet has a role that no longer exists.
func TestARoleThatLeftThePolicyIsNotTheTop(t *testing.T) {
	t.Parallel()
	all := []rbac.Assignment{{Wallet: "a", Role: rbac.Superadmin}, {Wallet: "b", Role: "owner"}}
	if err := policy.KeepsTop(all, "a", nil); !fault.Is(err, fault.InvalidState) {
		t.Errorf("the last superadmin goes: %v", err)
	}
	if err := policy.KeepsTop(all, "b", nil); err != nil {
		t.Errorf("somebody without power goes: %v", err)
	}
}

func TestARoleCountsAfterADay(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]bool{0: false, rbac.MinAge - 1: false, rbac.MinAge: true, 2 * rbac.MinAge: true} {
		a := rbac.Assignment{Role: "finance", GrantedAt: noon.Add(-age)}
		err := a.CheckAge(noon)
		if (err == nil) != want || err != nil && !fault.Is(err, fault.Forbidden) {
			t.Errorf("a role of %v: %v", age, err)
		}
		if refused, ok := err.(*fault.Error); ok && (refused.Details["reason"] != rbac.TooYoung ||
			refused.Details["from"] != a.GrantedAt.Add(rbac.MinAge).UnixMilli()) {
			t.Errorf("a role of %v: details %v", age, refused.Details)
		}
		if a.Founding = true; a.CheckAge(noon) != nil {
			t.Errorf("a founding role of %v is young", age)
		}
	}
}

func TestTwoVotesThatAreOne(t *testing.T) {
	t.Parallel()
	const month = rbac.GrantWindow
	role := func(w, by wallet.Address, age time.Duration) rbac.Assignment {
		return rbac.Assignment{Wallet: w, Role: "finance", GrantedBy: by, GrantedAt: noon.Add(-age)}
	}
	founding := role("ada", "", month-1)
	founding.Founding = true
	for name, c := range map[string]struct {
		a, b rbac.Assignment
		one  bool
	}{
		"granted by others":                       {role("ada", "eve", 0), role("ben", "dan", 0), false},
		"one granted the other's":                 {role("ada", "eve", 0), role("ben", "ada", month-1), true},
		"30 days ago":                             {role("ada", "eve", 0), role("ben", "ada", month), false},
		"one person granted both":                 {role("ada", "eve", month-1), role("ben", "eve", 0), true},
		"one of them 30 days ago":                 {role("ada", "eve", month), role("ben", "eve", 0), false},
		"both on the command line":                {role("ada", "", 0), role("ben", "", 0), true},
		"on the command line, a month ago":        {role("ada", "", month), role("ben", "", month), false},
		"a founding role and one from the line":   {founding, role("ben", "", 0), false},
		"a founder granted the other's":           {founding, role("ben", "ada", 0), true},
		"a founder's role that somebody gave her": {founding, role("", "", 0), false},
	} {
		for order, err := range map[string]error{"": c.a.CheckApart(c.b, noon), ", the other way": c.b.CheckApart(c.a, noon)} {
			if (err != nil) != c.one {
				t.Errorf("%s%s: %v", name, order, err)
			}
			if refused, ok := err.(*fault.Error); err != nil && (!ok || refused.Kind != fault.Forbidden || refused.Details["reason"] != rbac.SameGrantor) {
				t.Errorf("%s%s: %#v", name, order, err)
			}
		}
	}
}

func TestOnlyAPromotionMakesARoleYoung(t *testing.T) {
	t.Parallel()
	policy := rbac.NewPolicy(append(policy.Roles(),
		rbac.Role{Name: "branch", Level: 3, Permissions: []rbac.Permission{rbac.AdminRead, rbac.BalancesWrite}, NeedsAgent: true})...)
	old := func(role, agent string) rbac.Assignment {
		return rbac.Assignment{Wallet: "ada", Role: role, AgentCode: agent, GrantedBy: "eve", GrantedAt: noon.Add(-rbac.GrantWindow), Founding: true}
	}
	for name, c := range map[string]struct {
		before      rbac.Assignment
		role, agent string
		keeps       bool
	}{
		"the first":              {rbac.Assignment{}, "readonly", "", false},
		"the same":               {old("finance", ""), "finance", "", true},
		"a demotion":             {old("finance", ""), "support", "", true},
		"a promotion":            {old("support", ""), "finance", "", false},
		"other permissions":      {old("ops", ""), "support", "", false},
		"from all to one agent":  {old("finance", ""), "branch", "acme", true},
		"the same agent":         {old("branch", "acme"), "branch", "acme", true},
		"another agent":          {old("branch", "acme"), "branch", "rival", false},
		"from one agent to all":  {old("branch", "acme"), "readonly", "", false},
		"a role that is no more": {old("owner", ""), "readonly", "", false},
	} {
		next := rbac.Assignment{Wallet: "ada", Role: c.role, AgentCode: c.agent, GrantedBy: "dan", GrantedAt: noon}
		want := next
		if c.keeps {
			want.GrantedBy, want.GrantedAt, want.Founding = c.before.GrantedBy, c.before.GrantedAt, c.before.Founding
		}
		if got := policy.Follow(c.before, next); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	young := rbac.Assignment{Wallet: "ada", Role: "finance", GrantedAt: noon}
	founding := rbac.Assignment{Wallet: "ada", Role: "finance", GrantedAt: noon.Add(time.Hour), Founding: true}
	if got := policy.Follow(young, founding); got != founding {
		t.Errorf("a founding grant of the role that somebody has: %+v", got)
	}
}
