package player_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

var sent = deposit.Ref{Signature: "sig", Token: money.SOL}

// claim is a new deposit claim of the transaction.
func claim() deposit.Claim {
	return deposit.Claim{ID: "c1", Wallet: alice, Ref: sent, CreatedAt: at}
}

// standing adds an older claim of the same transaction to the view.
func standing(status deposit.Status, reason deposit.Reason) func(*player.View) {
	return func(v *player.View) { v.Deposits = map[deposit.Ref]deposit.Claim{sent: older(status, reason)} }
}

func older(status deposit.Status, reason deposit.Reason) deposit.Claim {
	return deposit.Claim{
		ID: "c0", Wallet: alice, Ref: sent, Status: status, Reason: string(reason), Amount: 7,
		CreatedAt: at.Add(-time.Hour), UpdatedAt: at.Add(-time.Minute),
	}
}

func open(claims int, more ...func(*player.View)) func(*player.View) {
	return func(v *player.View) {
		v.OpenDeposits = claims
		for _, change := range more {
			change(v)
		}
	}
}

func full(v *player.View) { v.Balances[money.SOL] = money.Max - 299 }

// credited is the change of a deposit of 300 lamports for the player.
func credited(v player.View, c deposit.Claim) player.Change {
	c.Status, c.Amount, c.Reason, c.UpdatedAt = deposit.Credited, 300, "", at
	moved, ok := v.Player.Protection.AddDeposit(money.SOL, 300, at)
	return player.Change{
		Deposit: &c, Balance: v.Balances[money.SOL] + 300, Player: metered(v, moved, ok),
		Postings: one(ledger.Deposit, string(money.SOL), "sig", ledger.System(ledger.Chain), ledger.PlayerOf(alice), 300),
	}
}

func TestDepositClaims(t *testing.T) {
	t.Parallel()
	judged := func(verdict deposit.Verdict) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) { return player.ClaimDeposit(v, claim(), verdict, at) }
	}
	waits := deposit.Verdict{Status: deposit.Pending}
	good := deposit.Verdict{Status: deposit.Credited, Amount: 300}
	refused := deposit.Verdict{Status: deposit.Rejected, Reason: deposit.Declined, Amount: 12}
	becomes := func(c deposit.Claim, verdict deposit.Verdict, since time.Time) func(player.View) player.Change {
		return func(player.View) player.Change {
			c.Status, c.Reason, c.Amount, c.UpdatedAt = verdict.Status, string(verdict.Reason), verdict.Amount, since
			return player.Change{Deposit: &c, Balance: 10_000}
		}
	}
	run(t, []decided{
		{name: "a new one waits", decide: judged(waits), want: becomes(claim(), waits, at)},
		{name: "the last place", view: open(deposit.OpenMax - 1), decide: judged(waits), want: becomes(claim(), waits, at)},
		{name: "no place", view: open(deposit.OpenMax), decide: judged(waits), refused: fault.TooManyOpen},
		{name: "one that waits keeps its place and its time", view: open(deposit.OpenMax, standing(deposit.Pending, "")),
			decide: judged(waits), want: becomes(older(deposit.Pending, ""), waits, at.Add(-time.Minute))},
		{name: "a rejected one that waits anew needs a place", view: open(deposit.OpenMax, standing(deposit.Rejected, deposit.Declined)),
			decide: judged(waits), refused: fault.TooManyOpen},
		{name: "a rejection needs none", view: open(deposit.OpenMax), decide: judged(refused), want: becomes(claim(), refused, at)},
		{name: "a rejected one waits anew", view: standing(deposit.Rejected, deposit.Declined), decide: judged(waits),
			want: becomes(older("", ""), waits, at)},
		{name: "rejected for the same reason", view: standing(deposit.Rejected, deposit.Declined), decide: judged(refused),
			want: becomes(older("", ""), refused, at.Add(-time.Minute))},
		{name: "rejected for another reason", view: standing(deposit.Rejected, deposit.Capital), decide: judged(refused),
			want: becomes(older("", ""), refused, at)},
		{name: "in review for the reason of a rejection", view: standing(deposit.Review, deposit.Declined), decide: judged(refused),
			want: becomes(older("", ""), refused, at)},
		{name: "credited already", view: standing(deposit.Credited, ""), decide: judged(good), refused: fault.InvalidState},
		{name: "good at once", decide: judged(good), want: func(v player.View) player.Change { return credited(v, claim()) }},
		{name: "good after waiting", view: standing(deposit.Pending, ""), decide: judged(good),
			want: func(v player.View) player.Change { return credited(v, older("", "")) }},
		{name: "up to what a balance holds", view: func(v *player.View) { v.Balances[money.SOL] = money.Max - 300 }, decide: judged(good),
			want: func(v player.View) player.Change { return credited(v, claim()) }},
		{name: "more than a balance holds", view: full, decide: judged(good), refused: fault.AmountOutOfRange},
		{name: "of a player without limits", view: func(v *player.View) { v.Player.Protection.Limits = nil }, decide: judged(good),
			want: func(player.View) player.Change {
				change := credited(known(), claim())
				change.Player = nil
				return change
			}},
	})
}

func TestDepositsWithoutAClaim(t *testing.T) {
	t.Parallel()
	receive := func(v player.View) (player.Change, error) { return player.ReceiveDeposit(v, claim(), 300, at) }
	run(t, []decided{
		{name: "of a player", decide: receive, want: func(v player.View) player.Change { return credited(v, claim()) }},
		{name: "that was claimed meanwhile", view: standing(deposit.Review, ""), decide: receive,
			want: func(v player.View) player.Change { return credited(v, older("", "")) }},
		{name: "that was credited meanwhile", view: standing(deposit.Credited, ""), decide: receive, refused: fault.InvalidState},
		{name: "of a wallet that never signed in", view: stranger, decide: receive, want: func(v player.View) player.Change {
			change := credited(known(), claim())
			change.Player, change.Balance = nil, 0
			change.Postings[0].Transfers[0].Credit = ledger.UnclaimedOf(alice)
			return change
		}},
		{name: "more than its unclaimed account holds", view: func(v *player.View) {
			stranger(v)
			v.Unclaimed = map[money.Token]money.Amount{money.SOL: money.Max - 299}
		}, decide: receive, refused: fault.AmountOutOfRange},
		{name: "whatever its balance", view: func(v *player.View) { stranger(v); full(v) }, decide: receive,
			want: func(v player.View) player.Change {
				change := credited(known(), claim())
				change.Player, change.Balance = nil, 0
				change.Postings[0].Transfers[0].Credit = ledger.UnclaimedOf(alice)
				return change
			}},
	})
}

// resolution is an admin's decision on the deposit. alone are terms under which one
// person may credit any amount.
var alone = token.Terms{TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson}

func resolution(by, first wallet.Address) player.DepositDecision {
	return player.DepositDecision{
		First: first, By: by, Terms: alone, Policy: rbac.DefaultPolicy(), Reason: "seen on chain", AuditID: "a1", RequestID: "q1", At: at,
	}
}

func resolvedRecord(before, after string) []audit.Record {
	return []audit.Record{{
		ID: "a1", Action: audit.DepositResolved, By: finance, Target: "sig", Before: before, After: after + ", reason seen on chain",
		At: at, RequestID: "q1",
	}}
}

func TestAdminsDecideDeposits(t *testing.T) {
	t.Parallel()
	resolve := func(r player.DepositDecision) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) { return player.ResolveDeposit(v, claim(), 300, r) }
	}
	vote := func(by wallet.Address, of string) player.Vote {
		return player.Vote{Of: of, Credit: true, Wallet: alice, Token: money.SOL, Amount: 300, By: by, At: at, Passes: by == finance}
	}
	sol := string(money.SOL)
	above := resolution(finance, "")
	above.Terms.TwoPersonAbove = 299
	run(t, []decided{
		{name: "by one person", decide: resolve(resolution(finance, "")), want: func(v player.View) player.Change {
			change := credited(v, claim())
			change.Audit, change.Votes = resolvedRecord("", "credited 300 "+sol+" of alice"), []player.Vote{vote(finance, "c1")}
			return change
		}},
		{name: "who asked for it too", decide: resolve(resolution(finance, finance)), want: func(v player.View) player.Change {
			change := credited(v, claim())
			change.Audit, change.Votes = resolvedRecord("", "credited 300 "+sol+" of alice"), []player.Vote{vote(finance, "c1")}
			return change
		}},
		{name: "by two, of one in review", view: standing(deposit.Review, deposit.Declined), decide: resolve(resolution(finance, boss)),
			want: func(v player.View) player.Change {
				change := credited(v, older("", ""))
				change.Audit = resolvedRecord("review 7 "+sol+" of alice", "credited 300 "+sol+" of alice")
				change.Votes = []player.Vote{vote(boss, "c0"), vote(finance, "c0")}
				change.Votes[1].After = at
				return change
			}},
		{name: "by one person, above the threshold", decide: resolve(above), refused: fault.Forbidden},
		{name: "with a role of today", view: func(v *player.View) {
			role := v.Roles[finance]
			role.GrantedAt = at.Add(-time.Hour)
			v.Roles[finance] = role
		}, decide: resolve(resolution(finance, "")), refused: fault.Forbidden},
		{name: "of their own", decide: resolve(resolution(alice, "")), refused: fault.Forbidden},
		{name: "without the permission", decide: resolve(resolution(support, "")), refused: fault.AdminForbidden},
		{name: "of a wallet that never signed in", view: stranger, decide: resolve(resolution(finance, "")), refused: fault.NotFound},
		{name: "credited already", view: standing(deposit.Credited, ""), decide: resolve(resolution(finance, "")), refused: fault.InvalidState},
		{name: "more than a balance holds", view: full, decide: resolve(resolution(finance, "")), refused: fault.AmountOutOfRange},
	})
}

func TestAdminsDeclineDeposits(t *testing.T) {
	t.Parallel()
	decline := func(by wallet.Address) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) { return player.DeclineDeposit(v, sent, resolution(by, "")) }
	}
	found := func(by wallet.Address) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) { return player.DeclineParked(v, sent, resolution(by, "")) }
	}
	sol := string(money.SOL)
	run(t, []decided{
		{name: "in review", view: standing(deposit.Review, ""), decide: decline(finance), want: func(player.View) player.Change {
			declined := older(deposit.Rejected, deposit.Declined)
			declined.UpdatedAt = at
			return player.Change{
				Deposit: &declined, Balance: 10_000, Audit: resolvedRecord("review 7 "+sol+" of alice", "rejected 7 "+sol+" of alice"),
			}
		}},
		{name: "that waits for the chain", view: standing(deposit.Pending, ""), decide: decline(finance), refused: fault.InvalidState},
		{name: "of their own", view: standing(deposit.Review, ""), decide: decline(alice), refused: fault.Forbidden},
		{name: "without the permission", view: standing(deposit.Review, ""), decide: decline(support), refused: fault.AdminForbidden},
		{name: "that nobody claimed", decide: found(finance), want: func(player.View) player.Change {
			return player.Change{Audit: resolvedRecord("review 0 "+sol, "rejected 0 "+sol)}
		}},
		{name: "that nobody claimed, without the permission", decide: found(support), refused: fault.AdminForbidden},
	})
}

func TestATopUpThatWasFoundAsADeposit(t *testing.T) {
	t.Parallel()
	take := func(amount money.Amount) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.ReclaimCapital(v, player.TopUp{Token: money.SOL, Amount: amount, Reference: "sig", AuditID: "a1", At: at})
		}
	}
	unclaimed := func(v *player.View) { stranger(v); standing(deposit.Credited, "")(v) }
	run(t, []decided{
		{name: "becomes capital", view: unclaimed, decide: take(7), want: func(player.View) player.Change {
			taken := older(deposit.Rejected, deposit.Capital)
			taken.UpdatedAt = at
			return player.Change{
				Deposit:  &taken,
				Postings: one(ledger.TopUp, string(money.SOL), "sig", ledger.UnclaimedOf(alice), ledger.System(ledger.Capital), 7),
				Audit: []audit.Record{{
					ID: "a1", Action: audit.CapitalBooked, Target: "sig", After: "7 " + string(money.SOL), At: at,
				}},
			}
		}},
		{name: "of another amount", view: unclaimed, decide: take(8), refused: fault.AmountOutOfRange},
		{name: "of a player", view: standing(deposit.Credited, ""), decide: take(7), refused: fault.InvalidState},
		{name: "that wasn't credited", view: func(v *player.View) { stranger(v); standing(deposit.Review, "")(v) }, decide: take(7), refused: fault.InvalidState},
	})
}
