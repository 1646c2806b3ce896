package player_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// always are terms under which everything needs two persons.
func always() token.Terms {
	bounds := terms()
	bounds.TwoPersonAbove = 0
	return bounds
}

// halfway is asking with one approval, an hour ago.
func halfway(by wallet.Address) player.View {
	v := asking()
	w := v.Withdrawals["w"]
	w.Approvals = []withdrawal.Approval{{By: by, At: noon.Add(-time.Hour)}}
	v.Withdrawals["w"] = w
	return v
}

func reasonOf(err error) any {
	var refused *fault.Error
	if !errors.As(err, &refused) {
		return nil
	}
	return refused.Details["reason"]
}

// TestAVoteFallsWithTheRole: a vote doesn't count if its admin couldn't give it again.
func TestAVoteFallsWithTheRole(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		role rbac.Assignment
		want withdrawal.Status
	}{
		"as it was":                {rbac.Assignment{Role: "finance", GrantedAt: noon.Add(-25 * time.Hour)}, withdrawal.Approved},
		"founding":                 {rbac.Assignment{Role: "finance", GrantedAt: noon, Founding: true}, withdrawal.Approved},
		"revoked":                  {rbac.Assignment{}, withdrawal.Pending},
		"revoked and granted anew": {rbac.Assignment{Role: "finance", GrantedAt: noon.Add(-24 * time.Hour)}, withdrawal.Pending},
		"made support":             {rbac.Assignment{Role: "support"}, withdrawal.Pending},
		"bound to another agent":   {rbac.Assignment{Role: "finance", AgentCode: "rival"}, withdrawal.Pending},
		"bound to the player's":    {rbac.Assignment{Role: "finance", AgentCode: "acme"}, withdrawal.Approved},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := halfway("first")
			c.role.Wallet, c.role.GrantedBy = "first", "eve"
			v.Roles["first"] = c.role
			change, err := approve(v, finance, always())
			if err != nil {
				t.Fatal(err)
			}
			if change.Withdrawal.Status != c.want || change.Votes[0].Passes != (c.want == withdrawal.Approved) {
				t.Errorf("it is %s, %+v", change.Withdrawal.Status, change.Votes)
			}
			if n := len(change.Withdrawal.Approvals); (n == 2) != (c.want == withdrawal.Approved) || change.Withdrawal.Approvals[n-1].By != finance {
				t.Errorf("approvals: %+v", change.Withdrawal.Approvals)
			}
			if _, err := player.Reject(v, player.WithdrawalDecision{ID: "w", By: finance, Policy: rbac.DefaultPolicy(), Reason: "odd", At: noon}); err != nil {
				t.Errorf("rejecting: %v", err)
			}
		})
	}
}

// TestAnAdminWithALostVoteMayVoteAgain uses a role that is old enough by then.
func TestAnAdminWithALostVoteMayVoteAgain(t *testing.T) {
	t.Parallel()
	v := halfway(finance)
	v.Roles[finance] = rbac.Assignment{Wallet: finance, Role: "finance", GrantedBy: "eve", GrantedAt: noon.Add(-24 * time.Hour)}
	change, err := approve(v, finance, always())
	if err != nil || change.Withdrawal.Status != withdrawal.Pending || len(change.Withdrawal.Approvals) != 1 {
		t.Errorf("%+v, %v", change.Withdrawal, err)
	}
}

func TestTwoVotesOfOneOriginAreOne(t *testing.T) {
	t.Parallel()
	role := func(w, by wallet.Address, days int) rbac.Assignment {
		return rbac.Assignment{Wallet: w, Role: "finance", GrantedBy: by, GrantedAt: noon.AddDate(0, 0, -days)}
	}
	for name, c := range map[string]struct {
		first, second rbac.Assignment
		one           bool
	}{
		"strangers":                             {role("first", "eve", 2), role(finance, "dan", 2), false},
		"the first granted the second's":        {role("first", "eve", 90), role(finance, "first", 29), true},
		"31 days ago":                           {role("first", "eve", 90), role(finance, "first", 31), false},
		"the second granted the first's":        {role("first", finance, 29), role(finance, "eve", 90), true},
		"one person granted both":               {role("first", "eve", 29), role(finance, "eve", 2), true},
		"one person, one of them 31 days ago":   {role("first", "eve", 31), role(finance, "eve", 2), false},
		"both were granted on the command line": {role("first", "", 3), role(finance, "", 2), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := halfway("first")
			v.Roles["first"], v.Roles[finance] = c.first, c.second
			change, err := approve(v, finance, always())
			if c.one && (!fault.Is(err, fault.Forbidden) || reasonOf(err) != rbac.SameGrantor) || !c.one && (err != nil || change.Withdrawal.Status != withdrawal.Approved) {
				t.Errorf("%+v, %v", change.Withdrawal, err)
			}
			// If one person is enough, the other vote's admin doesn't matter.
			if change, err := approve(v, finance, terms()); err != nil || change.Withdrawal.Status != withdrawal.Approved {
				t.Errorf("below the threshold: %+v, %v", change.Withdrawal, err)
			}
		})
	}
}

// TestACreditAndAnApprovalAreTwoVotes: the admin who credited an accomplice and the one
// who approves the accomplice's withdrawal must be two persons.
func TestACreditAndAnApprovalAreTwoVotes(t *testing.T) {
	t.Parallel()
	credit := func(by, grantor wallet.Address, days int) player.Vote {
		y := player.Vote{
			Of: "gift", Credit: true, Wallet: alice, Token: "usd", Amount: 1, By: by, At: noon.Add(-time.Hour), Passes: true, GrantedBy: grantor,
		}
		if days > 0 {
			y.GrantedAt = noon.AddDate(0, 0, -days)
		}
		return y
	}
	mine := rbac.Assignment{Wallet: finance, Role: "finance", GrantedBy: "eve", GrantedAt: noon.AddDate(0, 0, -2)}
	for name, c := range map[string]struct {
		credit player.Vote
		reason any
	}{
		"their own":                       {credit(finance, "", 0), "credited"},
		"a founder's":                     {credit("first", "", 0), nil},
		"of whom the same person granted": {credit("first", "eve", 29), rbac.SameGrantor},
		"31 days before":                  {credit("first", "eve", 31), nil},
		"of whoever granted their role":   {credit("eve", "", 0), rbac.SameGrantor},
		"of whose role they granted":      {credit("first", finance, 3), rbac.SameGrantor},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := asking(c.credit)
			v.Roles[finance] = mine
			_, err := approve(v, finance, terms())
			if reasonOf(err) != c.reason || (err != nil) != (c.reason != nil) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestAVoteKeepsTheOriginOfItsRole(t *testing.T) {
	t.Parallel()
	v := asking()
	granted := noon.AddDate(0, 0, -2)
	v.Roles[finance] = rbac.Assignment{Wallet: finance, Role: "finance", GrantedBy: "eve", GrantedAt: granted}
	v.Roles[boss] = rbac.Assignment{Wallet: boss, Role: rbac.Superadmin, GrantedAt: granted, Founding: true}
	for by, want := range map[wallet.Address]player.Vote{finance: {GrantedBy: "eve", GrantedAt: granted}, boss: {}} {
		for name, do := range map[string]func() (player.Change, error){
			"approves": func() (player.Change, error) { return approve(v, by, terms()) },
			"credits":  func() (player.Change, error) { return player.RequestAdjustment(v, adjustment(5, by)) },
		} {
			change, err := do()
			if err != nil {
				t.Fatal(err)
			}
			if y := change.Votes[0]; y.GrantedBy != want.GrantedBy || !y.GrantedAt.Equal(want.GrantedAt) {
				t.Errorf("%s %s: %+v", by, name, y)
			}
		}
	}
}

// TestApproveAsksForVotersItDoesNotSee: otherwise a vote given between the reading and
// the lock would count without a check of its role.
func TestApproveAsksForVotersItDoesNotSee(t *testing.T) {
	t.Parallel()
	v := halfway("first")
	v.Asked = &player.Needs{Roles: []wallet.Address{finance}}
	_, err := player.Approve(v, player.WithdrawalDecision{
		ID: "w", By: finance, Policy: rbac.DefaultPolicy(), Terms: always(), At: noon, AuditID: "a",
	})
	if more, missing := player.MissingNeeds(err); !missing || !reflect.DeepEqual(more, player.Needs{Roles: []wallet.Address{"first"}}) {
		t.Errorf("%+v, %v", more, err)
	}
}

// TestAllAdminsTogetherHaveALimit holds for any admins, players and destinations.
func TestAllAdminsTogetherHaveALimit(t *testing.T) {
	t.Parallel()
	daily := terms()
	daily.TwoPersonAbovePerDay = 10_000
	for passed, alone := range map[money.Amount]bool{0: true, 7_000: true, 7_001: false, money.Max: false} {
		v := asking()
		v.Counted.All = money.TotalOf(passed)
		change, err := approve(v, finance, daily)
		if err != nil || (change.Withdrawal.Status == withdrawal.Approved) != alone {
			t.Errorf("after %d a withdrawal is %+v, %v", passed, change.Withdrawal, err)
		}
		request := adjustment(3_000, finance)
		request.Terms = daily
		change, err = player.RequestAdjustment(v, request)
		if err != nil || (change.Adjustment != nil) != alone {
			t.Errorf("after %d a credit is %+v, %v", passed, change, err)
		}
	}
}

func TestWhatCountsTowardsTheLimitOfADay(t *testing.T) {
	t.Parallel()
	need := player.VotesNeed{Destination: "here", Token: money.SOL, By: finance, At: noon}
	vote := func(change func(*player.Vote)) player.Vote {
		return voted(func(y *player.Vote) { y.Passes = true; change(y) })
	}
	for name, c := range map[string]struct {
		vote player.Vote
		want bool
	}{
		"of anybody":                {vote(func(*player.Vote) {}), true},
		"that let nothing go":       {vote(func(y *player.Vote) { y.Passes = false }), false},
		"in another token":          {vote(func(y *player.Vote) { y.Token = "usd" }), false},
		"in a credit":               {vote(func(y *player.Vote) { y.Credit, y.Destination = true, "" }), false},
		"a day ago":                 {vote(func(y *player.Vote) { y.At = noon.Add(-player.VoteWindow) }), true},
		"a day and a step ago":      {vote(func(y *player.Vote) { y.At = noon.Add(-player.VoteWindow - player.VoteSlot) }), false},
		"by a clock that is ahead":  {vote(func(y *player.Vote) { y.At = noon.Add(time.Hour) }), true},
		"the step before the first": {vote(func(y *player.Vote) { y.At = noon.Add(-player.VoteWindow - 1) }), false},
	} {
		if got := need.Count("another", []player.Vote{c.vote}).All.Sign() > 0; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	credit := player.VotesNeed{Token: money.SOL, By: finance, At: noon}
	counts := func(y player.Vote) bool { return credit.Count(alice, []player.Vote{y}).All.Sign() > 0 }
	if !counts(vote(func(y *player.Vote) { y.Credit, y.Destination = true, "" })) || counts(vote(func(*player.Vote) {})) {
		t.Error("credits and withdrawals count apart")
	}
}

func TestYoungRolesOnlyStop(t *testing.T) {
	t.Parallel()
	v := asking()
	if _, err := player.RequestAdjustment(v, adjustment(1, "young")); reasonOf(err) != rbac.TooYoung {
		t.Errorf("credits: %v", err)
	}
	if _, err := player.RequestAdjustment(v, adjustment(-1, "young")); err != nil {
		t.Errorf("debits: %v", err)
	}
	if _, err := approve(v, "young", terms()); reasonOf(err) != rbac.TooYoung {
		t.Errorf("approves: %v", err)
	}
	if _, err := player.Reject(v, player.WithdrawalDecision{ID: "w", By: "young", Policy: rbac.DefaultPolicy(), Reason: "odd", At: noon}); err != nil {
		t.Errorf("rejects: %v", err)
	}
	founder := v.Roles["young"]
	founder.Founding = true
	v.Roles["young"] = founder
	if _, err := approve(v, "young", terms()); err != nil {
		t.Errorf("a founder approves: %v", err)
	}
}
