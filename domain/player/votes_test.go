package player_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// asking is alice's pending withdrawal of 3000 to the payee, with admins old enough to
// decide it; above 5000 two persons are needed.
func asking(votes ...player.Vote) player.View {
	return player.View{
		Player:   player.Player{Wallet: alice, Agent: "acme", CreatedAt: noon.Add(-time.Hour)},
		Balances: map[money.Token]money.Amount{money.SOL: 100},
		Roles: map[wallet.Address]rbac.Assignment{
			finance: {Wallet: finance, Role: "finance"}, boss: {Wallet: boss, Role: rbac.Superadmin},
			"young": {Wallet: "young", Role: "finance", GrantedAt: noon.Add(-time.Hour)},
		},
		Withdrawals: map[string]withdrawal.Withdrawal{"w": {
			ID: "w", Wallet: alice, Token: money.SOL, Amount: 3000, Destination: payee, Status: withdrawal.Pending,
		}},
		Votes: votes,
	}
}

// counted is the view with the sums of its votes for the next one.
func counted(v player.View, next player.VotesNeed) player.View {
	if v.Counted == (player.Counted{}) {
		v.Counted = next.Count(v.Player.Wallet, v.Votes)
	}
	return v
}

func approve(v player.View, by wallet.Address, terms token.Terms) (player.Change, error) {
	w := v.Withdrawals["w"]
	v = counted(v, player.VotesNeed{Of: w.ID, Destination: w.Destination, Token: w.Token, By: by, At: noon})
	return player.Approve(v, player.WithdrawalDecision{
		ID: "w", By: by, Policy: rbac.DefaultPolicy(), Terms: terms, At: noon, AuditID: "a",
	})
}

// votersOf returns the admins who approved the withdrawal.
func votersOf(w withdrawal.Withdrawal) (voters []wallet.Address) {
	for _, a := range w.Approvals {
		voters = append(voters, a.By)
	}
	return voters
}

// voted is a vote of an hour ago for 2001 of another player, to another destination.
func voted(change func(*player.Vote)) player.Vote {
	y := player.Vote{
		Of: "earlier", Wallet: "bob", Destination: "elsewhere", Token: money.SOL, Amount: 2001, By: boss, At: noon.Add(-time.Hour),
	}
	change(&y)
	return y
}

func TestVotesOfADayCountTogether(t *testing.T) {
	t.Parallel()
	ofAlice := func(y *player.Vote) { y.Wallet = alice }
	for name, c := range map[string]struct {
		votes []player.Vote
		want  withdrawal.Status
	}{
		"nothing before":                {nil, withdrawal.Approved},
		"of others":                     {[]player.Vote{voted(func(*player.Vote) {})}, withdrawal.Approved},
		"of the same player":            {[]player.Vote{voted(ofAlice)}, withdrawal.Pending},
		"to the same destination":       {[]player.Vote{voted(func(y *player.Vote) { y.Destination = payee })}, withdrawal.Pending},
		"by the same person":            {[]player.Vote{voted(func(y *player.Vote) { y.By = finance })}, withdrawal.Pending},
		"just up to the threshold":      {[]player.Vote{voted(func(y *player.Vote) { ofAlice(y); y.Amount = 2000 })}, withdrawal.Approved},
		"in another token":              {[]player.Vote{voted(func(y *player.Vote) { ofAlice(y); y.Token = "usd" })}, withdrawal.Approved},
		"a day and a step ago":          {[]player.Vote{voted(func(y *player.Vote) { ofAlice(y); y.At = noon.Add(-24*time.Hour - 1) })}, withdrawal.Approved},
		"a day ago, in a step's time":   {[]player.Vote{voted(func(y *player.Vote) { ofAlice(y); y.At = noon.Add(-24 * time.Hour) })}, withdrawal.Pending},
		"of this very withdrawal":       {[]player.Vote{voted(func(y *player.Vote) { ofAlice(y); y.Of = "w" })}, withdrawal.Approved},
		"two of one thing count once":   {[]player.Vote{voted(func(y *player.Vote) { ofAlice(y); y.Amount = 1500 }), voted(func(y *player.Vote) { ofAlice(y); y.Amount = 1500; y.By = "eve" })}, withdrawal.Approved},
		"two things count both":         {[]player.Vote{voted(func(y *player.Vote) { ofAlice(y); y.Amount = 1500 }), voted(func(y *player.Vote) { ofAlice(y); y.Amount = 501; y.Of = "other" })}, withdrawal.Pending},
		"credits don't count":           {[]player.Vote{voted(func(y *player.Vote) { ofAlice(y); y.Credit = true })}, withdrawal.Approved},
		"more than an amount can count": {[]player.Vote{voted(func(y *player.Vote) { ofAlice(y); y.Amount = money.Max })}, withdrawal.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change, err := approve(asking(c.votes...), finance, terms())
			if err != nil {
				t.Fatal(err)
			}
			if change.Withdrawal.Status != c.want {
				t.Errorf("the withdrawal is %s", change.Withdrawal.Status)
			}
			want := []player.Vote{{Of: "w", Wallet: alice, Destination: payee, Token: money.SOL, Amount: 3000, By: finance, At: noon, Passes: c.want == withdrawal.Approved}}
			if len(c.votes) > 0 && c.votes[0].Of == "w" {
				want[0].After = c.votes[0].At
			}
			if fmt.Sprint(change.Votes) != fmt.Sprint(want) {
				t.Errorf("votes: %+v", change.Votes)
			}
		})
	}
	never := terms()
	never.TwoPersonAbove = token.NoTwoPerson
	change, err := approve(asking(voted(func(y *player.Vote) { y.Wallet, y.Amount = alice, money.Max })), finance, never)
	if err != nil || change.Withdrawal.Status != withdrawal.Approved {
		t.Errorf("without a threshold: %+v, %v", change.Withdrawal, err)
	}
}

func TestWhoMayNotApprove(t *testing.T) {
	t.Parallel()
	always := terms()
	always.TwoPersonAbove = 0
	if _, err := approve(asking(), "young", always); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a young role is one of two: %v", err)
	}
	if _, err := approve(asking(), "young", terms()); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a young role below the threshold: %v", err)
	}
	credit := func(change func(*player.Vote)) player.Vote {
		return voted(func(y *player.Vote) {
			y.Credit, y.Wallet, y.Destination, y.By, y.Amount, y.Token = true, alice, "", finance, 1, "usd"
			change(y)
		})
	}
	for name, c := range map[string]struct {
		vote    player.Vote
		refused bool
	}{
		"who credited the player":    {credit(func(*player.Vote) {}), true},
		"29 days ago":                {credit(func(y *player.Vote) { y.At = noon.Add(1 - 30*24*time.Hour) }), true},
		"30 days ago":                {credit(func(y *player.Vote) { y.At = noon.Add(-30 * 24 * time.Hour) }), false},
		"who credited somebody else": {credit(func(y *player.Vote) { y.Wallet = "bob" }), false},
		"whom another credited":      {credit(func(y *player.Vote) { y.By = boss }), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := approve(asking(c.vote), finance, terms()); fault.Is(err, fault.Forbidden) != c.refused {
				t.Errorf("got %v", err)
			}
		})
	}
}

// credit makes the request with the sums of the view's votes.
func credit(v player.View, a player.AdjustmentRequest) (player.Change, error) {
	return player.RequestAdjustment(counted(v, player.VotesNeed{Token: a.Token, By: a.By, At: a.At}), a)
}

func adjustment(amount int64, by wallet.Address) player.AdjustmentRequest {
	return player.AdjustmentRequest{
		Adjustment: player.Adjustment{ID: "adj", Wallet: alice, Token: money.SOL, Amount: amount, Reason: "gift", By: by, At: noon},
		Terms:      terms(), Policy: rbac.DefaultPolicy(), ApprovalID: "app", AuditID: "a", RequestID: "r",
	}
}

func TestCreditsAboveTheThresholdBecomeRequests(t *testing.T) {
	t.Parallel()
	creditOf := func(change func(*player.Vote)) player.Vote {
		return voted(func(y *player.Vote) { y.Credit, y.Destination = true, ""; change(y) })
	}
	for name, c := range map[string]struct {
		amount int64
		votes  []player.Vote
		asked  bool
	}{
		"at the threshold":                {5000, nil, false},
		"above":                           {5001, nil, true},
		"together with one to the player": {3000, []player.Vote{creditOf(func(y *player.Vote) { y.Wallet = alice })}, true},
		"together with one by the admin":  {3000, []player.Vote{creditOf(func(y *player.Vote) { y.By = finance })}, true},
		"others' credits to others":       {3000, []player.Vote{creditOf(func(*player.Vote) {})}, false},
		"withdrawals don't count":         {3000, []player.Vote{voted(func(y *player.Vote) { y.By, y.Wallet = finance, alice })}, false},
		"a debit of any amount":           {-100, []player.Vote{creditOf(func(y *player.Vote) { y.Wallet, y.Amount = alice, money.Max })}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change, err := credit(asking(c.votes...), adjustment(c.amount, finance))
			if err != nil {
				t.Fatal(err)
			}
			if (change.Approval != nil) != c.asked || (change.Adjustment == nil) != c.asked || (len(change.Postings) == 0) != c.asked {
				t.Errorf("it came to %+v", change)
			}
			if c.asked && (change.Balance != 100 || change.Approval.Agent != "acme" || change.Approval.ExpiresAt != noon.Add(24*time.Hour)) {
				t.Errorf("asked as %+v, balance %d", change.Approval, change.Balance)
			}
		})
	}
	for by, kind := range map[wallet.Address]fault.Kind{"young": fault.Forbidden, support: fault.AdminForbidden} {
		if _, err := player.RequestAdjustment(asking(), adjustment(5001, by)); !fault.Is(err, kind) {
			t.Errorf("asked by %s: %v", by, err)
		}
	}
}

func TestAnApprovedCreditIsBookedAndRemembered(t *testing.T) {
	t.Parallel()
	v := asking()
	change, err := player.RequestAdjustment(v, adjustment(6000, finance))
	if err != nil {
		t.Fatal(err)
	}
	if v, err = player.Apply(v, change); err != nil {
		t.Fatal(err)
	}
	effect := func(v player.View, a approval.Approval) (player.Change, error) {
		return player.AdjustApproved(v, a, "adj", "audit", "r")
	}
	decision := player.ApprovalDecision{ID: "app", By: boss, Approve: true, Policy: rbac.DefaultPolicy(), AuditID: "b", At: noon.Add(time.Hour)}
	if _, err := player.DecideApproval(v, player.ApprovalDecision{ID: "other", By: boss, Policy: decision.Policy}, effect); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown request: %v", err)
	}
	rejection := decision
	rejection.Approve = false
	if refused, err := player.DecideApproval(v, rejection, effect); err != nil || refused.Adjustment != nil ||
		len(refused.Postings) > 0 || refused.Balance != 100 || refused.Approval.Status != approval.Refused {
		t.Errorf("a rejection came to %+v, %v", refused, err)
	}
	broken := errors.New("no money")
	if _, err := player.DecideApproval(v, decision, func(player.View, approval.Approval) (player.Change, error) {
		return player.Change{}, broken
	}); !errors.Is(err, broken) {
		t.Errorf("what can't be carried out: %v", err)
	}
	done, err := player.DecideApproval(v, decision, effect)
	if err != nil {
		t.Fatal(err)
	}
	if done.Balance != 6100 || done.Adjustment.By != finance || len(done.Audit) != 2 || done.Approval.DecidedBy != boss {
		t.Errorf("it came to %+v", done)
	}
	if v, err = player.Apply(v, done); err != nil {
		t.Fatal(err)
	}
	for _, by := range []wallet.Address{finance, boss} {
		if _, err := approve(v, by, terms()); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s voted for the credit and approves: %v", by, err)
		}
	}
}

func TestWhichVotesAViewHolds(t *testing.T) {
	t.Parallel()
	need := player.VotesNeed{Of: "w", Destination: "here", By: finance, At: noon}
	credit := func(y *player.Vote) { y.Wallet, y.Destination, y.Credit = alice, "", true }
	for name, c := range map[string]struct {
		change func(*player.Vote)
		want   bool
	}{
		"of others":                      {func(*player.Vote) {}, false},
		"in the withdrawal":              {func(y *player.Vote) { y.Of, y.At = "w", noon.AddDate(-1, 0, 0) }, true},
		"for the wallet, in another":     {func(y *player.Vote) { y.Wallet = alice }, false},
		"credited the wallet, weeks ago": {func(y *player.Vote) { credit(y); y.At = noon.Add(1 - 30*24*time.Hour) }, true},
		"a month ago":                    {func(y *player.Vote) { credit(y); y.At = noon.Add(-30 * 24 * time.Hour) }, false},
		"credited another":               {func(y *player.Vote) { credit(y); y.Wallet = "bob" }, false},
		"to the destination":             {func(y *player.Vote) { y.Destination = "here" }, false},
		"by the person":                  {func(y *player.Vote) { y.By = finance }, false},
	} {
		if got := need.Includes(alice, voted(c.change)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	of := voted(credit)
	of.Of = ""
	if (player.VotesNeed{By: finance, At: noon}).Includes(alice, of) {
		t.Error("a credit shows votes, of which it needs none")
	}
}
