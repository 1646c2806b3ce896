package player_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// held is a withdrawal of 600 with a fee of 50.
func held(status withdrawal.Status) withdrawal.Withdrawal {
	w := withdrawal.Withdrawal{
		ID: "w1", Wallet: alice, Token: money.SOL, Amount: 600, Fee: 50, Destination: payee, Status: status,
		CreatedAt: at.Add(-time.Hour), UpdatedAt: at.Add(-time.Hour),
	}
	if status == withdrawal.Sending {
		w.Attempt, w.Signature = 2, "s2"
	}
	return w
}

func holding(status withdrawal.Status, more ...func(*player.View)) func(*player.View) {
	return func(v *player.View) {
		v.Withdrawals = map[string]withdrawal.Withdrawal{"w1": held(status)}
		v.OpenWithdrawals = 1
		for _, change := range more {
			change(v)
		}
	}
}

func TestAdminsDecideWithdrawals(t *testing.T) {
	t.Parallel()
	decision := func(by wallet.Address) player.WithdrawalDecision {
		return player.WithdrawalDecision{
			ID: "w1", By: by, Policy: rbac.DefaultPolicy(), Terms: terms(), Note: "fine", Reason: "odd", AuditID: "a1", RequestID: "q1", At: at,
		}
	}
	approve := func(by wallet.Address) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) { return player.Approve(v, decision(by)) }
	}
	reject := func(by wallet.Address) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) { return player.Reject(v, decision(by)) }
	}
	approved := func(by wallet.Address) func(player.View) player.Change {
		return func(player.View) player.Change {
			w := held(withdrawal.Approved)
			w.Approvals, w.Note, w.UpdatedAt = []withdrawal.Approval{{By: by, At: at, Note: "fine", Needed: 1}}, "fine", at
			return player.Change{
				Withdrawal: &w, Balance: 10_000,
				Votes: []player.Vote{{Of: "w1", Wallet: alice, Destination: payee, Token: money.SOL, Amount: 600, By: by, At: at, Passes: true}},
				Audit: []audit.Record{{
					ID: "a1", Action: audit.WithdrawalApproved, By: by, Target: "w1", Before: "pending, approvals 0", After: "approved, approvals 1",
					At: at, RequestID: "q1",
				}},
			}
		}
	}
	run(t, []decided{
		{name: "approved", view: holding(withdrawal.Pending), decide: approve(finance), want: approved(finance)},
		{name: "approved by the agent's own admin", view: holding(withdrawal.Pending), decide: approve(ops), want: approved(ops)},
		{name: "approved without the permission", view: holding(withdrawal.Pending), decide: approve(support), refused: fault.AdminForbidden},
		{name: "approved, of nothing", decide: approve(finance), refused: fault.NotFound},
		{name: "approved, of another agent's player", view: holding(withdrawal.Pending, elsewhere), decide: approve(ops), refused: fault.NotFound},
		{name: "approved, of a frozen player", view: holding(withdrawal.Pending, func(v *player.View) { v.Player.Protection.Frozen = true }), decide: approve(finance),
			refused: fault.PlayerFrozen},
		{name: "approved when it is sent", view: holding(withdrawal.Sending), decide: approve(finance), refused: fault.InvalidState},
		{name: "approved by who credited the player", view: holding(withdrawal.Pending, func(v *player.View) {
			v.Votes = []player.Vote{{Of: "x0", Credit: true, Wallet: alice, Token: money.SOL, Amount: 1, By: finance, At: at.Add(-29 * 24 * time.Hour)}}
		}), decide: approve(finance), refused: fault.Forbidden},
		{name: "rejected", view: holding(withdrawal.Pending), decide: reject(support), want: func(player.View) player.Change {
			w := held(withdrawal.Rejected)
			w.Reason, w.UpdatedAt = "odd", at
			return player.Change{
				Withdrawal: &w, Balance: 10_650,
				Postings: one(ledger.Refund, "", "w1", ledger.HoldOf("w1"), ledger.PlayerOf(alice), 650),
				Audit: []audit.Record{{
					ID: "a1", Action: audit.WithdrawalRejected, By: support, Target: "w1", Before: "pending, approvals 0",
					After: `rejected, approvals 0, reason "odd"`, At: at, RequestID: "q1",
				}},
			}
		}},
		{name: "rejected without the permission", view: holding(withdrawal.Pending, func(v *player.View) {
			v.Roles[support] = rbac.Assignment{Wallet: support, Role: "ops"}
		}), decide: reject(support), refused: fault.AdminForbidden},
		{name: "rejected, of another agent's player", view: holding(withdrawal.Pending, elsewhere), decide: reject(ops), refused: fault.NotFound},
		{name: "rejected when it is sent", view: holding(withdrawal.Sending), decide: reject(support), refused: fault.InvalidState},
	})
	full := known()
	holding(withdrawal.Pending, func(v *player.View) { v.Balances[money.SOL] = money.Max - 649 })(&full)
	if change, err := reject(support)(full); !fault.Is(err, fault.AmountOutOfRange) || change.Withdrawal != nil {
		t.Errorf("a refund that doesn't fit: %+v, %v", change, err)
	}
}

func TestPayoutsAreSignedAndSettled(t *testing.T) {
	t.Parallel()
	attempt := withdrawal.Attempt{WithdrawalID: "w1", Number: 1, Signature: "s1", Transaction: []byte{1}, Blockhash: "b", LastValidHeight: 9, Slot: 8, CreatedAt: at}
	capped := terms()
	capped.PayoutCap, capped.PayoutCapPerHour = 600, 1_000
	pay := func(worker string) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.PayOut(v, attempt, player.PayoutSigner{Worker: worker, Terms: capped, Unindexed: true}, at)
		}
	}
	sign := func(v player.View) (player.Change, error) { return player.Sign(v, attempt, at) }
	signed := func(player.View) player.Change {
		w := held(withdrawal.Sending)
		w.Attempt, w.Signature, w.UpdatedAt = 1, "s1", at
		return player.Change{Withdrawal: &w, Attempt: &attempt, Balance: 10_000}
	}
	leased := func(v *player.View) {
		v.Payouts = withdrawal.PayoutControls{Lease: withdrawal.Lease{Worker: "me", Until: at.Add(time.Second)}, Signed: money.TotalOf(400)}
	}
	block := func(v player.View) (player.Change, error) { return player.RecordObstacle(v, "w1", "no account") }
	settle := func(attempt int, outcome withdrawal.Outcome) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) { return player.Settle(v, "w1", attempt, outcome, at) }
	}
	cost := func(signature string, amount money.Amount) ledger.Posting {
		return one(ledger.PayoutFee, "", signature, ledger.System(ledger.Fees), ledger.System(ledger.Chain), amount)[0]
	}
	// paid is the end of a payout with a fee.
	paid := func(balance money.Amount, fee ledger.Account, costs ...ledger.Posting) func(player.View) player.Change {
		return func(player.View) player.Change {
			w := held(withdrawal.Sending)
			w.Status, w.UpdatedAt = withdrawal.Completed, at
			postings := one(ledger.Payout, "", "w1", ledger.HoldOf("w1"), ledger.System(ledger.Chain), 600)
			postings[0].Transfers = append(postings[0].Transfers, ledger.Transfer{Debit: ledger.HoldOf("w1"), Credit: fee, Token: money.SOL, Amount: 50})
			return player.Change{Withdrawal: &w, Balance: balance, Postings: append(postings, costs...)}
		}
	}
	final := func(fee, rent money.Amount) withdrawal.Outcome {
		return withdrawal.Outcome{Status: withdrawal.Finalized, Cost: withdrawal.Cost{Fee: fee, Rent: rent}}
	}
	errored := withdrawal.Outcome{Status: withdrawal.Errored, Reason: "frozen account", Cost: withdrawal.Cost{Fee: 5}}
	run(t, []decided{
		{name: "signed", view: holding(withdrawal.Approved), decide: sign, want: signed},
		{name: "signed for nothing", decide: sign, refused: fault.NotFound},
		{name: "signed before it is approved", view: holding(withdrawal.Pending), decide: sign, refused: fault.InvalidState},
		{name: "for a frozen player", view: holding(withdrawal.Approved, leased, func(v *player.View) { v.Player.Protection.Frozen = true }), decide: pay("me"),
			refused: fault.PlayerFrozen},
		{name: "by the worker that leased it", view: holding(withdrawal.Approved, leased), decide: pay("me"), want: signed},
		{name: "by another worker", view: holding(withdrawal.Approved, leased), decide: pay("you"), refused: fault.InvalidState},
		{name: "above the cap of an hour", view: holding(withdrawal.Approved, leased, func(v *player.View) { v.Payouts.Signed = money.TotalOf(401) }),
			decide: pay("me"), refused: fault.AmountOutOfRange},
		{name: "by a worker, of nothing", view: leased, decide: pay("me"), refused: fault.NotFound},
		{name: "blocked", view: holding(withdrawal.Approved), decide: block, want: func(player.View) player.Change {
			w := held(withdrawal.Approved)
			w.Reason = "no account"
			return player.Change{Withdrawal: &w, Balance: 10_000}
		}},
		{name: "blocked before it is approved", view: holding(withdrawal.Pending), decide: block, refused: fault.InvalidState},
		{name: "blocked, of nothing", decide: block, refused: fault.NotFound},
		{name: "paid to an account that was there", view: holding(withdrawal.Sending), decide: settle(2, final(5, 0)), want: paid(10_050, ledger.PlayerOf(alice), cost("s2", 5))},
		{name: "paid to an account that was opened", view: holding(withdrawal.Sending), decide: settle(2, final(5, 1)),
			want: paid(10_000, ledger.System(ledger.Fees), cost("s2", 6))},
		{name: "paid without a cost", view: holding(withdrawal.Sending), decide: settle(2, final(0, 0)), want: paid(10_050, ledger.PlayerOf(alice))},
		{name: "paid, and the fee doesn't fit", view: holding(withdrawal.Sending, func(v *player.View) { v.Balances[money.SOL] = money.Max - 49 }),
			decide: settle(2, final(0, 0)), want: paid(money.Max-49, ledger.System(ledger.Fees))},
		{name: "paid, and the fee just fits", view: holding(withdrawal.Sending, func(v *player.View) { v.Balances[money.SOL] = money.Max - 50 }),
			decide: settle(2, final(0, 0)), want: paid(money.Max, ledger.PlayerOf(alice))},
		{name: "failed", view: holding(withdrawal.Sending), decide: settle(2, errored), want: func(player.View) player.Change {
			w := held(withdrawal.Sending)
			w.Status, w.Reason, w.UpdatedAt = withdrawal.Failed, "frozen account", at
			return player.Change{Withdrawal: &w, Balance: 10_000, Postings: []ledger.Posting{cost("s2", 5)}}
		}},
		{name: "dead", view: holding(withdrawal.Sending), decide: settle(2, withdrawal.Outcome{Status: withdrawal.Dead}), want: func(player.View) player.Change {
			w := held(withdrawal.Sending)
			w.Status, w.UpdatedAt = withdrawal.Approved, at
			return player.Change{Withdrawal: &w, Balance: 10_000, DeadAttempt: 2}
		}},
		{name: "an older attempt", view: holding(withdrawal.Sending), decide: settle(1, final(5, 0)), refused: fault.InvalidState},
		{name: "a fate that is open", view: holding(withdrawal.Sending), decide: settle(2, withdrawal.Outcome{Status: withdrawal.Landed}), refused: fault.InvalidState},
		{name: "paid of nothing", decide: settle(2, final(5, 0)), refused: fault.NotFound},
		{name: "paid before it was sent", view: holding(withdrawal.Approved), decide: settle(0, final(5, 0)), refused: fault.InvalidState},
		{name: "failed before it was sent", view: holding(withdrawal.Approved), decide: settle(0, errored), refused: fault.InvalidState},
		{name: "dead before it was sent", view: holding(withdrawal.Approved), decide: settle(0, withdrawal.Outcome{Status: withdrawal.Dead}), refused: fault.InvalidState},
	})
}
