package rbac_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

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
