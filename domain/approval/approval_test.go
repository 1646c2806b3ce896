package approval_test

import (
	"errors"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

var (
	policy = rbac.DefaultPolicy()
	noon   = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	credit = approval.Request{
		Kind: approval.Adjustment, Wallet: "alice", Token: money.SOL, Amount: 700, Reason: "a jackpot that was lost",
	}
)

// finn makes every request in these tests.
var finn = holder("finn", "finance", 24)

// holder returns an admin with a role of this age at noon, granted by a different person
// for each.
func holder(name wallet.Address, role string, hours int) rbac.Assignment {
	return rbac.Assignment{Wallet: name, Role: role, GrantedBy: "who granted " + name, GrantedAt: noon.Add(-time.Duration(hours) * time.Hour)}
}

func asked(t *testing.T) approval.Approval {
	t.Helper()
	a, err := approval.New("a1", credit, "acme", finn, policy, noon)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestARequestIsOpenForADay(t *testing.T) {
	t.Parallel()
	want := approval.Approval{
		ID: "a1", Request: credit, Agent: "acme", By: "finn", Status: approval.Open, CreatedAt: noon, ExpiresAt: noon.Add(24 * time.Hour),
	}
	if got := asked(t); got != want {
		t.Errorf("got %+v", got)
	}
}

func TestASecondPersonDecides(t *testing.T) {
	t.Parallel()
	later := noon.Add(time.Hour)
	for name, approve := range map[string]bool{"approved": true, "rejected": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := asked(t)
			want.DecidedBy, want.DecidedAt, want.Status = "ada", later, approval.Refused
			if approve {
				want.Status = approval.Approved
			}
			got, err := asked(t).Decide(holder("ada", "admin", 25), finn, policy, approve, later)
			if err != nil || got != want {
				t.Fatalf("got %+v, %v", got, err)
			}
			_, err = got.Decide(holder("eve", "admin", 99), finn, policy, true, later)
			var refusal *fault.Error
			if !errors.As(err, &refusal) || refusal.Kind != fault.InvalidState || refusal.Details["status"] != string(want.Status) {
				t.Errorf("decided twice: %v", err)
			}
		})
	}
}

func TestWhoMayNotRequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		by   rbac.Assignment
		want fault.Kind
	}{
		"without the permission":            {holder("sue", "support", 99), fault.AdminForbidden},
		"without any role":                  {holder("sue", "", 99), fault.AdminForbidden},
		"about their own balance":           {holder("alice", "finance", 99), fault.Forbidden},
		"with a role of this morning":       {holder("finn", "finance", 23), fault.Forbidden},
		"with a role of tomorrow's granter": {holder("finn", "finance", -1), fault.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := approval.New("a1", credit, "", c.by, policy, noon); !fault.Is(err, c.want) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestWhoMayNotDecide(t *testing.T) {
	t.Parallel()
	soon := noon.Add(time.Minute)
	for name, c := range map[string]struct {
		by      rbac.Assignment
		approve bool
		at      time.Time
		want    fault.Kind // Internal: allowed
	}{
		"who asked, approving":                {holder("finn", "finance", 99), true, soon, fault.Forbidden},
		"who asked, rejecting":                {holder("finn", "finance", 99), false, soon, fault.Internal},
		"the player, approving":               {holder("alice", "superadmin", 99), true, soon, fault.Forbidden},
		"a role of this morning":              {holder("ada", "admin", 1), true, soon, fault.Forbidden},
		"a role of this morning, rejecting":   {holder("ada", "admin", 1), false, soon, fault.Internal},
		"without the permission":              {holder("ada", "ops", 99), true, soon, fault.AdminForbidden},
		"without the permission, rejecting":   {holder("ada", "ops", 99), false, soon, fault.AdminForbidden},
		"a moment before its end":             {holder("ada", "admin", 99), true, noon.Add(24*time.Hour - 1), fault.Internal},
		"at its end":                          {holder("ada", "admin", 99), true, noon.Add(24 * time.Hour), fault.InvalidState},
		"after its end, without a permission": {holder("ada", "ops", 99), true, noon.Add(48 * time.Hour), fault.AdminForbidden},
		"after its end, by the one who asked": {holder("finn", "finance", 99), true, noon.Add(48 * time.Hour), fault.InvalidState},
		"a role exactly a day old":            {holder("ada", "admin", 24), true, noon, fault.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := asked(t).Decide(c.by, finn, policy, c.approve, c.at)
			if c.want == fault.Internal && err != nil || c.want != fault.Internal && !fault.Is(err, c.want) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

// TestARequestIsVoidWithoutItsMakersRole: a request is void when its maker loses the role.
func TestARequestIsVoidWithoutItsMakersRole(t *testing.T) {
	t.Parallel()
	ada := holder("ada", "admin", 99)
	role := func(change func(*rbac.Assignment)) rbac.Assignment {
		first := finn
		change(&first)
		return first
	}
	for name, c := range map[string]struct {
		first rbac.Assignment
		void  bool
	}{
		"as it was":                  {finn, false},
		"revoked":                    {rbac.Assignment{Wallet: "finn"}, true},
		"without the permission":     {role(func(a *rbac.Assignment) { a.Role = "support" }), true},
		"revoked and granted anew":   {role(func(a *rbac.Assignment) { a.GrantedAt = noon.Add(time.Second) }), true},
		"of the player's agent":      {role(func(a *rbac.Assignment) { a.AgentCode = "acme" }), false},
		"of another agent":           {role(func(a *rbac.Assignment) { a.AgentCode = "rival" }), true},
		"another one that allows it": {role(func(a *rbac.Assignment) { a.Role = "admin" }), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := asked(t).Decide(ada, c.first, policy, true, noon)
			var refusal *fault.Error
			if c.void != (errors.As(err, &refusal) && refusal.Kind == fault.InvalidState && refusal.Details["status"] == "void") || !c.void && err != nil {
				t.Errorf("approved: %v", err)
			}
			if got, err := asked(t).Decide(ada, c.first, policy, false, noon); err != nil || got.Status != approval.Refused {
				t.Errorf("rejected: %+v, %v", got, err)
			}
		})
	}
}

func TestTwoPersonsAreNotOfOneOrigin(t *testing.T) {
	t.Parallel()
	ada := holder("ada", "admin", 24*29)
	ada.GrantedBy = "finn"
	if _, err := asked(t).Decide(ada, finn, policy, true, noon); !fault.Is(err, fault.Forbidden) {
		t.Errorf("29 days after the first person granted the second one's role: %v", err)
	}
	if _, err := asked(t).Decide(ada, finn, policy, false, noon); err != nil {
		t.Errorf("rejecting: %v", err)
	}
	ada.GrantedAt = noon.Add(-31 * 24 * time.Hour)
	if _, err := asked(t).Decide(ada, finn, policy, true, noon); err != nil {
		t.Errorf("after 31 days: %v", err)
	}
}

func TestEveryKindNeedsAPermissionOfThePolicy(t *testing.T) {
	t.Parallel()
	want := map[approval.Kind]rbac.Permission{
		approval.Adjustment: rbac.BalancesWrite, approval.DepositResolution: rbac.BalancesWrite,
		approval.PayoutsResume: rbac.WithdrawApprove, approval.AgentFunds: rbac.BalancesWrite,
		approval.ProviderWin: rbac.BalancesWrite, approval.UnclaimedAssignment: rbac.BalancesWrite,
		approval.Correction: rbac.BalancesWrite, approval.CapitalCorrection: rbac.BalancesWrite, approval.AdmissionOverruling: rbac.BalancesWrite,
	}
	if len(approval.Kinds()) != len(want) {
		t.Errorf("kinds: %v", approval.Kinds())
	}
	for _, kind := range approval.Kinds() {
		if kind.Permission() != want[kind] {
			t.Errorf("%s needs %s", kind, kind.Permission())
		}
	}
}
