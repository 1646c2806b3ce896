package player_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

const sol = string(money.SOL)

// adjusted is the change of an admin's credit or debit.
func adjusted(amount int64, by wallet.Address, voters ...wallet.Address) player.Change {
	after := money.Amount(10_000 + amount)
	change := player.Change{
		Adjustment: &player.Adjustment{ID: "x1", Wallet: alice, Token: money.SOL, Amount: amount, Reason: "goodwill", By: by, At: at},
		Balance:    after,
		Postings:   one(ledger.Adjust, "", "x1", ledger.System(ledger.Adjustment), ledger.PlayerOf(alice), money.Amount(amount)),
		Audit: []audit.Record{{
			ID: "a1", Action: audit.BalanceAdjusted, By: by, Target: "alice", Before: "10000 " + sol,
			After: money.TotalOf(after).String() + " " + sol, At: at, RequestID: "q1",
		}},
	}
	if amount < 0 {
		change.Postings = one(ledger.Adjust, "", "x1", ledger.PlayerOf(alice), ledger.System(ledger.Adjustment), money.Amount(-amount))
	}
	for i, voter := range voters {
		change.Votes = append(change.Votes, player.Vote{
			Of: "x1", Credit: true, Wallet: alice, Token: money.SOL, Amount: money.Amount(amount), By: voter, At: at,
			Passes: i == len(voters)-1,
		})
		if i > 0 {
			change.Votes[i].After = at
		}
	}
	return change
}

func TestAdminsAdjustBalances(t *testing.T) {
	t.Parallel()
	adjust := func(amount int64, by wallet.Address) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.RequestAdjustment(v, player.AdjustmentRequest{
				Adjustment: player.Adjustment{ID: "x1", Wallet: alice, Token: money.SOL, Amount: amount, Reason: "goodwill", By: by, At: at},
				Terms:      terms(), Policy: rbac.DefaultPolicy(), ApprovalID: "p1", AuditID: "a1", RequestID: "q1",
			})
		}
	}
	asked := func(amount int64, by wallet.Address) func(player.View) player.Change {
		return func(player.View) player.Change {
			return player.Change{
				Balance: 10_000,
				Approval: &approval.Approval{
					ID: "p1", Agent: "north", By: by, Status: approval.Open, CreatedAt: at, ExpiresAt: at.Add(24 * time.Hour),
					Request: approval.Request{Kind: approval.Adjustment, Wallet: alice, Token: money.SOL, Amount: amount, Reason: "goodwill"},
				},
				Audit: []audit.Record{{
					ID: "a1", Action: audit.ApprovalRequested, By: by, Target: "p1", After: "adjustment alice " + money.TotalOfInt(amount).String() + " " + sol,
					At: at, RequestID: "q1",
				}},
			}
		}
	}
	is := func(change player.Change) func(player.View) player.Change {
		return func(player.View) player.Change { return change }
	}
	run(t, []decided{
		{name: "a credit up to the threshold", decide: adjust(5_000, finance), want: is(adjusted(5_000, finance, finance))},
		{name: "a credit of one", decide: adjust(1, finance), want: is(adjusted(1, finance, finance))},
		{name: "a credit above the threshold becomes a request", decide: adjust(5_001, finance), want: asked(5_001, finance)},
		{name: "an agent's admin makes one too", decide: adjust(5_001, ops), want: asked(5_001, ops)},
		{name: "a debit needs one person", decide: adjust(-10_000, finance), want: is(adjusted(-10_000, finance))},
		{name: "a debit of more than there is", decide: adjust(-10_001, finance), refused: fault.InsufficientFunds},
		{name: "a debit of the least number", decide: adjust(math.MinInt64, finance), refused: fault.InsufficientFunds},
		{name: "nothing", decide: adjust(0, finance), refused: fault.InsufficientFunds},
		{name: "a credit of more than a balance holds", decide: adjust(math.MaxInt64-9_999, finance), refused: fault.AmountOutOfRange},
		{name: "without the permission", decide: adjust(1, support), refused: fault.AdminForbidden},
		{name: "of another agent's player", view: elsewhere, decide: adjust(1, ops), refused: fault.NotFound},
		{name: "of a wallet that never signed in", view: stranger, decide: adjust(1, finance), refused: fault.NotFound},
		{name: "of their own", decide: adjust(-1, alice), refused: fault.Forbidden},
		{name: "with a role of a moment ago", view: func(v *player.View) {
			v.Roles[finance] = rbac.Assignment{Wallet: finance, Role: "finance", GrantedAt: at.Add(-time.Hour)}
		}, decide: adjust(5_001, finance), refused: fault.Forbidden},
	})
}

// request is an approval request for a credit of 6,000.
func request() approval.Approval {
	return approval.Approval{
		ID: "p1", Agent: "north", By: finance, Status: approval.Open, CreatedAt: at.Add(-time.Hour), ExpiresAt: at.Add(time.Hour),
		Request: approval.Request{Kind: approval.Adjustment, Wallet: alice, Token: money.SOL, Amount: 6_000, Reason: "goodwill"},
	}
}

func pending(v *player.View) { v.Approvals = map[string]approval.Approval{"p1": request()} }

func TestASecondPersonDecides(t *testing.T) {
	t.Parallel()
	carriedOut := func(v player.View, a approval.Approval) (player.Change, error) {
		return player.AdjustApproved(v, a, "x1", "a1", "q1")
	}
	decide := func(by wallet.Address, approve bool, effect func(player.View, approval.Approval) (player.Change, error)) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.DecideApproval(v, player.ApprovalDecision{
				ID: "p1", By: by, Approve: approve, Policy: rbac.DefaultPolicy(), AuditID: "a2", RequestID: "q2", At: at,
			}, effect)
		}
	}
	closed := func(change player.Change, by wallet.Address, status approval.Status) func(player.View) player.Change {
		return func(player.View) player.Change {
			a := request()
			a.Status, a.DecidedBy, a.DecidedAt = status, by, at
			change.Approval = &a
			change.Audit = append(change.Audit, audit.Record{
				ID: "a2", Action: audit.ApprovalDecided, By: by, Target: "p1", Before: "open", After: string(status), At: at, RequestID: "q2",
			})
			return change
		}
	}
	fails := func(player.View, approval.Approval) (player.Change, error) {
		return player.Change{Balance: 1}, errors.New("can't be done")
	}
	run(t, []decided{
		{name: "approved", view: pending, decide: decide(boss, true, carriedOut), want: closed(adjusted(6_000, finance, finance, boss), boss, approval.Approved)},
		{name: "approved by the agent's own admin", view: pending, decide: decide(ops, true, carriedOut), want: closed(adjusted(6_000, finance, finance, ops), ops, approval.Approved)},
		{name: "rejected", view: pending, decide: decide(boss, false, fails), want: closed(player.Change{Balance: 10_000}, boss, approval.Refused)},
		{name: "approved by who made it", view: pending, decide: decide(finance, true, carriedOut), refused: fault.Forbidden},
		{name: "unknown", decide: decide(boss, true, carriedOut), refused: fault.NotFound},
		{name: "of another agent", view: func(v *player.View) {
			a := request()
			a.Agent = "south"
			v.Approvals = map[string]approval.Approval{"p1": a}
		}, decide: decide(ops, true, carriedOut), refused: fault.NotFound},
		{name: "whose effect can't be", view: pending, decide: decide(boss, true, fails), refused: fault.Internal},
		{name: "of more than a balance holds", view: func(v *player.View) { pending(v); v.Balances[money.SOL] = money.Max },
			decide: decide(boss, true, carriedOut), refused: fault.AmountOutOfRange},
	})
}

func TestRequestsWithoutAWalletAndAboutUnknownPlayers(t *testing.T) {
	t.Parallel()
	ask := func(r approval.Request, by wallet.Address) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.RequestApproval(v, player.ApprovalRequest{ID: "p1", Request: r, By: by, Policy: rbac.DefaultPolicy(), AuditID: "a1", RequestID: "q1", At: at})
		}
	}
	found := approval.Request{Kind: approval.DepositResolution, Wallet: alice, Token: money.SOL, Amount: 9, Reference: "sig", Reason: "seen"}
	resume := approval.Request{Kind: approval.PayoutsResume, Reason: "mended"}
	asked := func(r approval.Request, agent, after string, balance money.Amount) func(player.View) player.Change {
		return func(player.View) player.Change {
			return player.Change{
				Balance: balance,
				Approval: &approval.Approval{
					ID: "p1", Agent: agent, By: finance, Status: approval.Open, CreatedAt: at, ExpiresAt: at.Add(24 * time.Hour), Request: r,
				},
				Audit: []audit.Record{{ID: "a1", Action: audit.ApprovalRequested, By: finance, Target: "p1", After: after, At: at, RequestID: "q1"}},
			}
		}
	}
	run(t, []decided{
		{name: "a deposit", decide: ask(found, finance), want: asked(found, "north", "deposit alice 9 "+sol+" sig", 10_000)},
		{name: "payouts", view: func(v *player.View) { v.Player = player.Player{} }, decide: ask(resume, finance), want: asked(resume, "", "payouts.resume", 0)},
		{name: "of a wallet that never signed in", view: stranger, decide: ask(found, finance), refused: fault.NotFound},
		{name: "of another agent's player", view: elsewhere, decide: ask(found, ops), refused: fault.NotFound},
		{name: "of their own", view: stranger, decide: ask(found, alice), refused: fault.Forbidden},
		{name: "without the permission", view: stranger, decide: ask(found, support), refused: fault.AdminForbidden},
	})
}

func TestProtectionIsChanged(t *testing.T) {
	t.Parallel()
	frozen := func(s protection.State) (protection.State, error) { return s.Freeze(true), nil }
	protect := func(by wallet.Address, reason string, change func(protection.State) (protection.State, error)) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.Protect(v, player.ProtectionRequest{
				By: by, Policy: rbac.DefaultPolicy(), Action: audit.Action("player.protected"), AuditID: "a1", RequestID: "q1", At: at, Reason: reason, Change: change,
			})
		}
	}
	limits := ", deposit day 50000 " + sol + ", loss day 50000 " + sol + ", wager day 50000 " + sol
	becomes := func(by wallet.Address, next func(*player.Player), before, after string) func(player.View) player.Change {
		return func(v player.View) player.Change {
			row := v.Player
			next(&row)
			return player.Change{Player: &row, Audit: []audit.Record{{
				ID: "a1", Action: "player.protected", By: by, Target: "alice", Before: before, After: after, At: at, RequestID: "q1",
			}}}
		}
	}
	freezes := func(p *player.Player) { p.Protection.Frozen = true }
	admin := func(v *player.View) { v.Roles[ops] = rbac.Assignment{Wallet: ops, Role: "admin", AgentCode: "north"} }
	until := at.Add(48 * time.Hour)
	pause := func(forever bool) func(protection.State) (protection.State, error) {
		return func(s protection.State) (protection.State, error) {
			s.ExcludedUntil, s.Excluded = until, forever
			return s, nil
		}
	}
	waiting := func(v *player.View) {
		v.Player.Protection.Limits = []protection.Limit{
			{Kind: protection.Deposit, Period: protection.Day, Token: money.SOL, Amount: 5, Lifted: true, NextAt: until, From: at, Since: at},
			{Kind: protection.Wager, Period: protection.Week, Token: money.SOL, Amount: 6, Next: 7, NextAt: until, From: at, Since: at},
		}
	}
	run(t, []decided{
		{name: "by the player", decide: protect(alice, "", frozen), want: becomes(alice, freezes, "active"+limits, "frozen"+limits)},
		{name: "by an admin", decide: protect(boss, "a call", frozen), want: becomes(boss, freezes, "active"+limits, "frozen"+limits+`, reason "a call"`)},
		{name: "by the agent's own admin", view: admin, decide: protect(ops, "a call", frozen),
			want: becomes(ops, freezes, "active"+limits, "frozen"+limits+`, reason "a call"`)},
		{name: "by an admin for themselves", decide: protect(alice, "a call", frozen),
			want: becomes(alice, freezes, "active"+limits, "frozen"+limits+`, reason "a call"`)},
		{name: "an exclusion for a time", decide: protect(alice, "", pause(false)),
			want: becomes(alice, func(p *player.Player) { p.Protection.ExcludedUntil = until }, "active"+limits, "excluded, until 2026-11-23T15:30:00Z"+limits)},
		{name: "an exclusion for ever", decide: protect(alice, "", pause(true)),
			want: becomes(alice, func(p *player.Player) { p.Protection.ExcludedUntil, p.Protection.Excluded = until, true },
				"active"+limits, "excluded, for ever"+limits)},
		{name: "an exclusion that is over", view: func(v *player.View) { v.Player.Protection.ExcludedUntil = at }, decide: protect(alice, "", frozen),
			want: becomes(alice, freezes, "active"+limits, "frozen"+limits)},
		{name: "limits that change later", view: waiting, decide: protect(alice, "", frozen), want: becomes(alice, freezes,
			"active, deposit day 5 "+sol+" (ends 2026-11-23T15:30:00Z), wager week 6 "+sol+" (7 from 2026-11-23T15:30:00Z)",
			"frozen, deposit day 5 "+sol+" (ends 2026-11-23T15:30:00Z), wager week 6 "+sol+" (7 from 2026-11-23T15:30:00Z)")},
		{name: "what the change refuses", decide: protect(alice, "", func(protection.State) (protection.State, error) {
			return protection.State{}, fault.New(fault.InvalidState, "no")
		}), refused: fault.InvalidState},
		{name: "without the permission", decide: protect(finance, "a call", frozen), refused: fault.AdminForbidden},
		{name: "another player without a reason", decide: protect(support, "", frozen), refused: fault.AdminForbidden},
		{name: "of another agent's player", view: func(v *player.View) { admin(v); elsewhere(v) }, decide: protect(ops, "a call", frozen), refused: fault.NotFound},
		{name: "of a wallet that never signed in", view: stranger, decide: protect(boss, "a call", frozen), refused: fault.NotFound},
		{name: "of oneself before the first sign-in", view: stranger, decide: protect(alice, "", frozen), refused: fault.NotFound},
	})
}

func TestPlayersAreReboundWithTheirHoldings(t *testing.T) {
	t.Parallel()
	rebind := func(by wallet.Address, to string) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.Rebind(v, player.RebindRequest{
				By: by, Policy: rbac.DefaultPolicy(), Agent: to, Reason: "moved", AuditID: "a1", RequestID: "q1", At: at,
			})
		}
	}
	const usd = money.Token("usd")
	rich := func(v *player.View) {
		v.Balances[usd], v.Balances["none"] = 1, 0
		v.Withdrawals = map[string]withdrawal.Withdrawal{
			"w2": {ID: "w2", Token: usd, Amount: 20, Status: withdrawal.Sending}, "w1": {ID: "w1", Token: money.SOL, Amount: 10, Status: withdrawal.Pending},
			"w0": {ID: "w0", Token: money.SOL, Amount: 5, Status: withdrawal.Completed},
		}
		v.OpenWithdrawals = 2
	}
	run(t, []decided{
		{name: "to another agent", view: rich, decide: rebind(boss, "south"), want: func(v player.View) player.Change {
			row := v.Player
			row.Agent = "south"
			return player.Change{
				Player: &row,
				Rebinding: &player.Rebinding{From: "north", To: "south", Holdings: []player.Holding{
					{Account: ledger.PlayerOf(alice), Token: money.SOL, Amount: 10_000}, {Account: ledger.PlayerOf(alice), Token: usd, Amount: 1},
					{Account: ledger.HoldOf("w1"), Token: money.SOL, Amount: 10}, {Account: ledger.HoldOf("w2"), Token: usd, Amount: 20},
				}},
				Audit: []audit.Record{{
					ID: "a1", Action: audit.PlayerRebinding, By: boss, Target: "alice", Before: "north", After: `south, reason "moved"`, At: at, RequestID: "q1",
				}},
			}
		}},
		{name: "to the same", decide: rebind(boss, "north"), want: func(v player.View) player.Change { return player.Change{Player: &v.Player} }},
		{name: "when a withdrawal was opened", view: func(v *player.View) { rich(v); v.OpenWithdrawals = 3 }, decide: rebind(boss, "south"), refused: fault.Unavailable},
		{name: "without the permission", decide: rebind(finance, "south"), refused: fault.AdminForbidden},
		{name: "by an admin of an agent", view: func(v *player.View) {
			v.Roles[ops] = rbac.Assignment{Wallet: ops, Role: "superadmin", AgentCode: "north"}
		}, decide: rebind(ops, "south"), refused: fault.NotFound},
		{name: "of a wallet that never signed in", view: stranger, decide: rebind(boss, "south"), refused: fault.NotFound},
	})
}

func TestWhoMayBet(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(*player.View)
		wager  money.Amount
		want   fault.Kind
	}{
		"anybody":            {func(*player.View) {}, 50_000, 0},
		"frozen":             {func(v *player.View) { v.Player.Protection.Frozen, v.AgentBlocked = true, true }, 1, fault.PlayerFrozen},
		"excluded":           {func(v *player.View) { v.Player.Protection.Excluded, v.AgentBlocked = true, true }, 1, fault.PlayerExcluded},
		"of a blocked agent": {func(v *player.View) { v.AgentBlocked, v.GameDisabled = true, true }, 1, fault.BlockedAgent},
		"of a disabled game": {func(v *player.View) { v.GameDisabled = true }, 50_001, fault.GameDisabled},
		"while all is paused": {func(v *player.View) {
			v.Control = &control.State{Epoch: 1, Pauses: []control.PlayPause{{}}}
		}, 50_001, fault.Maintenance},
		"while the game is paused": {func(v *player.View) {
			v.Control = &control.State{Epoch: 1, Pauses: []control.PlayPause{{GameType: "dice"}}}
		}, 1, fault.Maintenance},
		"while the agent's play is paused": {func(v *player.View) {
			v.Control = &control.State{Epoch: 1, Pauses: []control.PlayPause{{AgentCode: v.Player.Agent}}}
		}, 1, fault.Maintenance},
		"while other play is paused": {func(v *player.View) {
			v.Control = &control.State{Epoch: 1, Pauses: []control.PlayPause{{GameType: "plinko"}, {AgentCode: "another"}}}
		}, 50_000, 0},
		"above a limit": {func(*player.View) {}, 50_001, fault.LimitExceeded},
	} {
		v := known()
		row.change(&v)
		if err := v.MayBet("dice", money.SOL, row.wager, at); fault.KindOf(err) != row.want || err != nil && row.want == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
