package conformance

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Approvals is the suite of ports.Approvals, and of the Writer's handling of requests and votes.
func Approvals(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, approvalsCases, approvalsCountedCases, votesCountedCases)
}

var approvalsCases = []story{
	{"a request is stored as it was made", Rows, func(b *bench) {
		b.askers()
		asked := b.ask()
		want := approval.Approval{
			ID: asked.ID, Agent: player.HouseAgent, By: admin, Status: approval.Open, CreatedAt: asked.CreatedAt,
			ExpiresAt: asked.CreatedAt.Add(approval.OpenTime),
			Request: approval.Request{
				Kind: approval.Adjustment, Wallet: alice, Token: money.SOL, Amount: 2_000_000, Reason: "goodwill",
			},
		}
		b.same("what was asked", asked, want)
		b.reopen()
		b.same("what is stored", must(b.Approval(background, asked.ID))(b), want)
		b.same("balance", b.balance(alice), money.Amount(100))
		b.sound()
	}},
	{"an unknown request is not found", Rows, func(b *bench) {
		b.askers()
		b.fails(fault.NotFound, errorOf(b.Approval(background, "nothing")))
		b.refuse(b.decision(approval.Approval{ID: "nothing", Request: approval.Request{Wallet: alice}}, other, true), fault.NotFound)
	}},
	{"a decision closes the request in the commit of its effect", Rows, func(b *bench) {
		b.askers()
		asked := b.ask()
		b.refuse(b.decision(asked, admin, true), fault.Forbidden)
		done := b.commit(b.decision(asked, other, true)).Change
		closed := must(b.Approval(background, asked.ID))(b)
		b.same("the request", closed, *done.Approval)
		b.errorIf(closed.Status != approval.Approved || closed.DecidedBy != other || b.balance(alice) != 2_000_100,
			"it is %+v, alice has %d", closed, b.balance(alice))
		b.same("open ones", b.open(""), []string{})
		b.sound()
	}},
	{"a request is decided once", Logic, func(b *bench) {
		b.askers()
		asked := b.ask()
		b.commit(b.decision(asked, other, true))
		again := b.replay(b.decision(asked, other, false))
		b.errorIf(again.Change.Approval == nil || again.Change.Approval.Status != approval.Approved || again.Change.Adjustment == nil,
			"the first decision comes back as %+v", again.Change)
		free := b.decision(asked, other, false)
		free.Keys = []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}}
		b.refuse(free, fault.InvalidState)
	}},
	{"of racing decisions one wins", Races, func(b *bench) {
		b.askers()
		b.seasoned(carol, "finance")
		asked := b.ask()
		var won atomic.Int32
		items := []player.Item{
			b.decision(asked, other, true), b.decision(asked, carol, true), b.decision(asked, other, false), b.decision(asked, carol, false),
		}
		receipts := make([]player.Receipt, len(items))
		atOnce(len(items), func(i int) {
			receipt, err := b.Commit(background, items[i])
			b.check(err)
			if receipts[i] = receipt; !receipt.Replayed {
				won.Add(1)
			}
		})
		closed := must(b.Approval(background, asked.ID))(b)
		for _, receipt := range receipts {
			b.same("everybody's answer", *receipt.Change.Approval, closed)
		}
		want := map[approval.Status]money.Amount{approval.Approved: 2_000_100, approval.Refused: 100}
		b.errorIf(won.Load() != 1 || b.balance(alice) != want[closed.Status],
			"%d won, it is %s, alice has %d", won.Load(), closed.Status, b.balance(alice))
		b.sound()
	}},
	{"a decision sees requests about its own wallet", Logic, func(b *bench) {
		b.askers()
		b.signIn(bob, 0)
		asked := b.ask()
		stolen := asked
		stolen.Wallet = bob
		b.refuse(b.decision(stolen, other, true), fault.NotFound)
		b.same("open ones", b.open(""), []string{asked.ID})
	}},
	{"a request may be about no player", Rows, func(b *bench) {
		b.askers()
		at := b.now()
		asked := player.ApprovalRequest{
			ID: b.id(), Request: approval.Request{Kind: approval.PayoutsResume, Reason: "the leak is mended"}, By: admin,
			Policy: b.policy, AuditID: b.id(), At: at,
		}
		b.commit(itemOf("", at, operation(asked.ID), player.Needs{Roles: []wallet.Address{admin}},
			func(v player.View) (player.Change, error) { return player.RequestApproval(v, asked) }))
		stored := must(b.Approval(background, asked.ID))(b)
		item := b.decision(stored, other, true)
		item.Needs.Tokens = nil
		decision := player.ApprovalDecision{ID: asked.ID, By: other, Approve: true, Policy: b.policy, AuditID: b.id(), At: b.now()}
		item.Decide = func(v player.View) (player.Change, error) {
			return player.DecideApproval(v, decision, func(player.View, approval.Approval) (player.Change, error) {
				return player.Change{}, nil
			})
		}
		b.commit(item)
		closed := must(b.Approval(background, asked.ID))(b)
		b.errorIf(closed.Status != approval.Approved, "it is %+v", closed)
		b.sound()
	}},
	{"open requests are listed newest first, without what ended", Rows, func(b *bench) {
		b.askers()
		b.commit(b.loginAs(bob, b.now().UnixMilli(), "acme"))
		old := b.ask()
		b.clock.Advance(approval.OpenTime - time.Second)
		b.same("almost ended", b.open(""), []string{old.ID})
		b.clock.Advance(time.Second)
		b.same("ended", b.open(""), []string{})
		var mine, all []string
		for i := range 5 {
			item := b.credits(alice, 2_000_000)
			if i%2 == 1 {
				item = b.credits(bob, 2_000_000)
			}
			asked := b.commit(item).Change.Approval
			all = append(all, asked.ID)
			if asked.Wallet == bob {
				mine = append(mine, asked.ID)
			}
		}
		b.same("of one agent", b.open("acme"), newest(mine))
		b.same("of another", b.open("rival"), []string{})
		b.lists("open requests", newest(all), func(page ports.Page) ([]string, ports.PageInfo, error) {
			found, err := b.OpenApprovals(background, ports.ApprovalFilter{Now: b.clock.Now()}, page)
			return mapped(found.Approvals, func(a approval.Approval) string { return a.ID }), found.PageInfo, err
		})
	}},
	{"an item that made a request is replayed with it", Logic, func(b *bench) {
		b.askers()
		item := b.keyed(b.credits(alice, 2_000_000), "key", "print")
		first := b.commit(item)
		again := b.replay(item)
		b.same("the request", *again.Change.Approval, *first.Change.Approval)
		b.same("balance then", again.Change.Balance, money.Amount(100))
	}},
	{"votes count for items of other wallets", Rows, func(b *bench) {
		b.askers()
		all := b.rich(4)
		statuses := func(item player.Item) string { b.Helper(); return string(b.commit(item).Change.Withdrawal.Status) }
		b.same("the first", statuses(b.approving(all[0], admin)), "approved")
		b.reopen() // votes are stored
		b.same("a second, to the same destination", statuses(b.approving(all[1], other)), "pending")
		b.same("another admin's approval", statuses(b.approving(all[1], admin)), "approved")
		b.clock.Advance(player.VoteWindow + player.VoteSlot)
		b.same("a day later", statuses(b.approving(all[2], admin)), "approved")
		b.refuse(b.approving(all[2], other), fault.InvalidState)
		b.commit(b.credits(all[3].Wallet, 1))
		b.refuse(b.approving(all[3], admin), fault.Forbidden)
		b.clock.Advance(player.CreditorWindow)
		b.same("a month after the credit", statuses(b.approving(all[3], admin)), "approved")
		b.sound()
	}},
	{"votes of concurrent items see each other", Races, func(b *bench) {
		// Let one admin approve for many players at once: in any batches, only one withdrawal is
		// approved by that admin alone.
		b.askers()
		all := b.rich(6)
		items := make([]player.Item, len(all))
		for i, w := range all {
			items[i] = b.approving(w, admin)
		}
		statuses := make([]string, len(all))
		atOnce(len(all), func(i int) {
			receipt, err := b.Commit(background, items[i])
			if err != nil {
				b.Error(err)
				return
			}
			statuses[i] = string(receipt.Change.Withdrawal.Status)
		})
		slices.Sort(statuses)
		b.same("what became of them", statuses, strings.Fields("approved pending pending pending pending pending"))
		b.sound()
	}},
}

// seasoned gives a wallet a role that is old enough to vote.
func (b *bench) seasoned(w wallet.Address, role string) {
	b.Helper()
	b.grant(w, role)
	b.clock.Advance(rbac.MinAge)
}

// credits returns an item of a credit; above TwoPersonAbove it makes an approval request.
func (b *bench) credits(w wallet.Address, amount int64) player.Item {
	at := b.now()
	request := player.AdjustmentRequest{
		Adjustment: player.Adjustment{
			ID: b.id(), Wallet: w, Token: money.SOL, Amount: amount, Reason: "goodwill", By: admin, At: at,
		},
		Terms: terms(money.SOL), Policy: b.policy, ApprovalID: b.id(), AuditID: b.id(), RequestID: "req",
	}
	return itemOf(w, at, operation(request.ApprovalID),
		player.Needs{
			Tokens: []money.Token{money.SOL}, Roles: []wallet.Address{admin}, Votes: &player.VotesNeed{Token: money.SOL, By: admin, At: at},
		},
		func(v player.View) (player.Change, error) { return player.RequestAdjustment(v, request) })
}

// ask lets the admin request a credit to alice that needs a second admin.
func (b *bench) ask() approval.Approval {
	b.Helper()
	return *b.commit(b.credits(alice, 2_000_000)).Change.Approval
}

// decision returns an item of another admin's decision on a request.
func (b *bench) decision(a approval.Approval, by wallet.Address, approve bool) player.Item {
	at := b.now()
	decision := player.ApprovalDecision{
		ID: a.ID, By: by, Approve: approve, Policy: b.policy, AuditID: b.id(), RequestID: "req", At: at,
	}
	id, auditID := b.id(), b.id()
	return itemOf(a.Wallet, at, player.UniqueKey{Kind: player.ApprovalKey, ID: a.ID},
		player.Needs{
			Tokens: []money.Token{money.SOL}, Roles: slices.Compact([]wallet.Address{by, a.By}), Approvals: []string{a.ID},
		},
		func(v player.View) (player.Change, error) {
			return player.DecideApproval(v, decision, func(v player.View, a approval.Approval) (player.Change, error) {
				return player.AdjustApproved(v, a, id, auditID, "req")
			})
		})
}

// askers creates alice, and two admins who may decide about alice.
func (b *bench) askers() {
	b.Helper()
	b.seasoned(admin, rbac.Superadmin)
	b.seasoned(other, "finance")
	b.signIn(alice, 100)
}

func (b *bench) open(agent string) []string {
	b.Helper()
	page := must(b.OpenApprovals(background, ports.ApprovalFilter{Now: b.clock.Now(), Agent: agent}, whole))(b)
	return mapped(page.Approvals, func(a approval.Approval) string { return a.ID })
}

// approving is approve including the votes that count for it.
func (b *bench) approving(w withdrawal.Withdrawal, by wallet.Address) player.Item {
	item := b.approve(w, by)
	item.Needs.Votes = &player.VotesNeed{Of: w.ID, Destination: w.Destination, Token: w.Token, By: by, At: item.At}
	return item
}

// rich returns withdrawals of n players who each withdraw 600,000; 1,000,000 is the threshold.
func (b *bench) rich(n int) []withdrawal.Withdrawal {
	b.Helper()
	all := make([]withdrawal.Withdrawal, n)
	for i := range all {
		w := fakes.Wallet(fmt.Sprint("rich ", i))
		b.signIn(w, 600_000)
		all[i] = *b.commit(b.withdraw(w, 600_000)).Change.Withdrawal
	}
	return all
}
