package app_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

func TestAuthorizeReadsTheRoleNow(t *testing.T) {
	t.Parallel()
	h := bare(t)
	refused(t, no(h.Admit(h.ctx, caller("ada"), rbac.AdminRead)), fault.AdminForbidden, "permission", "admin:read")
	ada := h.admin("ada", "support")
	admitted := ok(h.Admit(h.ctx, ada, rbac.WithdrawReject))(t)
	equal(t, "role", ok(h.Admin.AdminMe(h.ctx, admitted))(t).Assignment.Role, "support")
	refused(t, no(h.Admit(h.ctx, ada, rbac.WithdrawApprove)), fault.AdminForbidden, "permission", "withdraw:approve")
	h.admin("ada", "finance")
	ok(h.Admit(h.ctx, ada, rbac.WithdrawApprove))(t)
	if err := h.roleCommands().Revoke(h.ctx, ada.Wallet); err != nil {
		t.Fatal(err)
	}
	refused(t, no(h.Admit(h.ctx, ada, rbac.AdminRead)), fault.AdminForbidden)
}

func TestAdminMeReturnsTheRole(t *testing.T) {
	t.Parallel()
	h := bare(t)
	refused(t, no(h.Admin.AdminMe(h.ctx, caller("ada"))), fault.AdminForbidden)
	me := ok(h.Admin.AdminMe(h.ctx, h.admin("ada", "ops")))(t)
	equal(t, "wallet", me.Wallet, fakes.Wallet("ada"))
	equal(t, "role", me.Role.Name, "ops")
	equal(t, "level", me.Role.Level, 2)
	if !slices.Equal(me.Role.Permissions, []rbac.Permission{rbac.AdminRead, rbac.AdminWrite}) {
		t.Fatalf("permissions: %v", me.Role.Permissions)
	}
}

func TestAnAgentsAdminSeesOnlyItsOwnPlayers(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.player("alice", 10_000)
	ada, page := h.admin("ada", "readonly"), ports.Page{Number: 1, Limit: 10}
	total := func(who app.Caller, filter ports.TransactionFilter) int {
		return ok(h.Admin.AdminTransactions(h.ctx, who, filter, page))(t).Total
	}
	equal(t, "everything", total(ada, ports.TransactionFilter{}), 1)
	equal(t, "by agent", total(ada, ports.TransactionFilter{Agent: "rival"}), 0)
	for _, agent := range []string{"rival", player.HouseAgent} {
		h.ensureAgent(agent)
		if err := h.roleCommands().Grant(h.ctx, fakes.Wallet(agent), "operator", agent); err != nil {
			t.Fatal(err)
		}
	}
	rival, own := caller("rival"), caller(player.HouseAgent)
	equal(t, "the rival's", total(rival, ports.TransactionFilter{}), 0)
	equal(t, "asking for another's", total(rival, ports.TransactionFilter{Agent: player.HouseAgent}), 0)
	equal(t, "asking for a wallet", total(rival, ports.TransactionFilter{Wallet: fakes.Wallet("alice")}), 0)
	equal(t, "its own", total(own, ports.TransactionFilter{}), 1)
	equal(t, "its own, asking for another's", total(own, ports.TransactionFilter{Agent: "rival"}), 0)
	equal(t, "its own by name", total(own, ports.TransactionFilter{Agent: player.HouseAgent}), 1)
	refused(t, no(h.Admin.AdminTransactions(h.ctx, caller("alice"), ports.TransactionFilter{}, page)), fault.AdminForbidden)
}

// gift is an adjustment of a named player's SOL.
func gift(name string, amount int64) admin.AdjustmentRequest {
	return admin.AdjustmentRequest{User: string(fakes.Wallet(name)), Token: sol, Amount: amount, Reason: "a gift"}
}

func TestAnAdjustmentCreditsOrDebits(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.player("alice", 1_000)
	ada := h.admin("ada", "finance")
	request := gift("alice", 500)
	request.Idempotency = app.Idempotency{Key: "gift", Fingerprint: "print"}
	credit := ok(h.Admin.AdjustBalance(h.ctx, ada, request))(t)
	equal(t, "balance", credit.Balance, 1_500)
	h.books("player 1500, adjustment -500, chain -1000")
	debit := ok(h.Admin.AdjustBalance(h.ctx, ada, gift("alice", -1_500)))(t)
	equal(t, "balance", debit.Balance, 0)
	h.books("adjustment 1000, chain -1000")
	again := ok(h.Admin.AdjustBalance(h.ctx, ada, request))(t)
	equal(t, "replayed", again.Replayed, true)
	equal(t, "balance then", again.Balance, 1_500)
	equal(t, "adjustment", again.Adjustment, credit.Adjustment)

	records := h.records()
	last := records[len(records)-1]
	equal(t, "action", last.Action, audit.BalanceAdjusted)
	equal(t, "by", last.By, ada.Wallet)
	equal(t, "before", last.Before, "1500 "+sol)
	equal(t, "after", last.After, "0 "+sol)

	// What is owed in a token that closed can still be put right.
	old := gift("alice", 7)
	old.Token = string(closing.Mint)
	equal(t, "closing token", ok(h.Admin.AdjustBalance(h.ctx, ada, old))(t).Balance, 7)
	h.audited()
}

func TestAdjustmentRefusalsStoreNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.player("alice", 1_000)
	h.enter("ada")
	ada, ops := h.admin("ada", "finance"), h.admin("olga", "ops")
	with := func(change func(*admin.AdjustmentRequest)) admin.AdjustmentRequest {
		request := gift("alice", 1)
		change(&request)
		return request
	}
	refused(t, no(h.Admin.AdjustBalance(h.ctx, ops, admin.AdjustmentRequest{})), fault.AdminForbidden, "permission", "balances:write")
	for _, c := range []struct {
		name    string
		request admin.AdjustmentRequest
		kind    fault.Kind
		field   any
	}{
		{"no token", with(func(r *admin.AdjustmentRequest) { r.Token, r.Amount = "?", 0 }), fault.Invalid, "token"},
		{"nothing", with(func(r *admin.AdjustmentRequest) { r.Amount, r.Reason = 0, "" }), fault.Invalid, "amount"},
		{"the least integer", gift("alice", math.MinInt64), fault.Invalid, "amount"},
		{"no reason", with(func(r *admin.AdjustmentRequest) { r.Reason, r.User = "", "?" }), fault.Invalid, "reason"},
		{"long reason", with(func(r *admin.AdjustmentRequest) { r.Reason = strings.Repeat("x", 501) }), fault.Invalid, "reason"},
		{"no wallet", with(func(r *admin.AdjustmentRequest) { r.User = "?" }), fault.NotFound, nil},
		{"unknown player", gift("stranger", 1), fault.NotFound, nil},
		{"unknown token", with(func(r *admin.AdjustmentRequest) { r.Token = string(fakes.Mint("other")) }), fault.TokenNotAccepted, nil},
		{"below zero", gift("alice", -1_001), fault.InsufficientFunds, nil},
		{"far below zero", gift("alice", -math.MaxInt64), fault.InsufficientFunds, nil},
		{"above the top", gift("alice", math.MaxInt64), fault.AmountOutOfRange, "amount"},
		{"the admin's own", gift("ada", 1), fault.Forbidden, nil},
	} {
		h.unchanged(func() {
			err := no(h.Admin.AdjustBalance(h.ctx, ada, c.request))
			if !fault.Is(err, c.kind) {
				t.Fatalf("%s: got %v, want kind %d", c.name, err, c.kind)
			}
			refused(t, err, c.kind, "field", c.field)
		})
	}
	equal(t, "balance", h.balance("alice"), 1_000)
}

func TestSuperadminsAreSeededIntoAnEmptyTableOnly(t *testing.T) {
	t.Parallel()
	h := bare(t)
	seed := func(names ...string) {
		t.Helper()
		wallets := make([]wallet.Address, 0, len(names))
		for _, name := range names {
			wallets = append(wallets, fakes.Wallet(name))
		}
		if err := h.roleCommands().SeedSuperadmins(h.ctx, wallets); err != nil {
			t.Fatal(err)
		}
	}
	seed("root", "deputy")
	for _, name := range []string{"root", "deputy"} {
		ok(h.Admit(h.ctx, caller(name), rbac.RolesWrite))(t)
	}
	h.unchanged(func() { seed("intruder") })
	refused(t, no(h.Admit(h.ctx, caller("intruder"), rbac.AdminRead)), fault.AdminForbidden)
	records := h.records()
	equal(t, "records", len(records), 2)
	equal(t, "action", records[0].Action, audit.RoleGranted)
	equal(t, "after", records[0].After, rbac.Superadmin)
}

func TestTheLastSuperadminKeepsTheRole(t *testing.T) {
	t.Parallel()
	h := bare(t)
	root, deputy := h.admin("root", rbac.Superadmin).Wallet, h.admin("deputy", rbac.Superadmin).Wallet
	if err := h.roleCommands().Revoke(h.ctx, deputy); err != nil {
		t.Fatal(err)
	}
	h.unchanged(func() {
		refused(t, h.roleCommands().Revoke(h.ctx, root), fault.InvalidState)
		refused(t, h.roleCommands().Grant(h.ctx, root, "admin", ""), fault.InvalidState)
		refused(t, h.roleCommands().Revoke(h.ctx, deputy), fault.NotFound)
		refused(t, h.roleCommands().Grant(h.ctx, deputy, "king", ""), fault.Invalid, "field", "role")
		refused(t, h.roleCommands().Grant(h.ctx, deputy, "operator", ""), fault.Invalid, "field", "agentCode")
	})
	ok(h.Admit(h.ctx, caller("root"), rbac.RolesWrite))(t)
}

// TestFoundingRolesComeBeforeTheFirstWithdrawal: afterwards nobody can make a second
// person out of nothing, whoever holds the command line.
func TestFoundingRolesComeBeforeTheFirstWithdrawal(t *testing.T) {
	t.Parallel()
	h := bare(t)
	founding := func(name string) bool {
		t.Helper()
		return ok(h.store.Role(h.ctx, fakes.Wallet(name)))(t).Founding
	}
	if err := h.roleCommands().SeedSuperadmins(h.ctx, []wallet.Address{fakes.Wallet("root")}); err != nil {
		t.Fatal(err)
	}
	if err := h.roleCommands().Found(h.ctx, fakes.Wallet("fay"), "finance", ""); err != nil {
		t.Fatal(err)
	}
	if err := h.roleCommands().Grant(h.ctx, fakes.Wallet("olga"), "finance", ""); err != nil {
		t.Fatal(err)
	}
	equal(t, "who is founding", [3]bool{founding("root"), founding("fay"), founding("olga")}, [3]bool{true, true, false})

	alice := h.player("alice", 10_000)
	cancelled := ok(h.Payouts.Withdraw(h.ctx, alice, payouts.WithdrawalRequest{Amount: 5_000, Token: sol, Destination: address("bob")}))(t)
	ok(h.Payouts.CancelWithdrawal(h.ctx, alice, cancelled.Withdrawal.ID))(t)
	h.unchanged(func() {
		refused(t, h.roleCommands().Found(h.ctx, fakes.Wallet("late"), "finance", ""), fault.InvalidState, "status", "founded")
		refused(t, h.roleCommands().Found(h.ctx, fakes.Wallet("olga"), "finance", ""), fault.InvalidState, "status", "founded")
	})
	if err := h.roleCommands().Grant(h.ctx, fakes.Wallet("fay"), "finance", ""); err != nil {
		t.Fatal(err)
	}
	equal(t, "a founding role that is granted again", founding("fay"), true)
}

// TestSuperadminsOfADatabaseThatPaysAreNew: an emptied table of roles founds nothing.
func TestSuperadminsOfADatabaseThatPaysAreNew(t *testing.T) {
	t.Parallel()
	h := bare(t)
	alice := h.player("alice", 10_000)
	ok(h.Payouts.Withdraw(h.ctx, alice, payouts.WithdrawalRequest{Amount: 5_000, Token: sol, Destination: address("bob")}))(t)
	if err := h.roleCommands().SeedSuperadmins(h.ctx, []wallet.Address{fakes.Wallet("root")}); err != nil {
		t.Fatal(err)
	}
	equal(t, "founding", ok(h.store.Role(h.ctx, fakes.Wallet("root")))(t).Founding, false)
}
