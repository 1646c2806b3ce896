package admin_test

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
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestAuthorizeReadsTheRoleNow(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	apptest.Refused(t, apptest.ErrorOf(h.Admit(h.Ctx, apptest.Caller("ada"), rbac.AdminRead)), fault.AdminForbidden, "permission", "admin:read")
	ada := h.NewAdmin("ada", "support")
	admitted := apptest.OK(h.Admit(h.Ctx, ada, rbac.WithdrawReject))(t)
	apptest.Equal(t, "role", apptest.OK(h.Admin.AdminMe(h.Ctx, admitted))(t).Assignment.Role, "support")
	apptest.Refused(t, apptest.ErrorOf(h.Admit(h.Ctx, ada, rbac.WithdrawApprove)), fault.AdminForbidden, "permission", "withdraw:approve")
	h.NewAdmin("ada", "finance")
	apptest.OK(h.Admit(h.Ctx, ada, rbac.WithdrawApprove))(t)
	if err := h.RoleCommands().Revoke(h.Ctx, ada.Wallet); err != nil {
		t.Fatal(err)
	}
	apptest.Refused(t, apptest.ErrorOf(h.Admit(h.Ctx, ada, rbac.AdminRead)), fault.AdminForbidden)
}

func TestAdminMeReturnsTheRole(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	apptest.Refused(t, apptest.ErrorOf(h.Admin.AdminMe(h.Ctx, apptest.Caller("ada"))), fault.AdminForbidden)
	me := apptest.OK(h.Admin.AdminMe(h.Ctx, h.NewAdmin("ada", "ops")))(t)
	apptest.Equal(t, "wallet", me.Wallet, fakes.Wallet("ada"))
	apptest.Equal(t, "role", me.Role.Name, "ops")
	apptest.Equal(t, "level", me.Role.Level, 2)
	if !slices.Equal(me.Role.Permissions, []rbac.Permission{rbac.AdminRead, rbac.AdminWrite}) {
		t.Fatalf("permissions: %v", me.Role.Permissions)
	}
}

func TestAnAgentsAdminSeesOnlyItsOwnPlayers(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	h.NewPlayer("alice", 10_000)
	ada, page := h.NewAdmin("ada", "readonly"), ports.Page{Number: 1, Limit: 10}
	total := func(who app.Caller, filter ports.TransactionFilter) int {
		return apptest.OK(h.Admin.AdminTransactions(h.Ctx, who, filter, page))(t).Total
	}
	apptest.Equal(t, "everything", total(ada, ports.TransactionFilter{}), 1)
	apptest.Equal(t, "by agent", total(ada, ports.TransactionFilter{Agent: "rival"}), 0)
	for _, agent := range []string{"rival", player.HouseAgent} {
		h.EnsureAgent(agent)
		if err := h.RoleCommands().Grant(h.Ctx, fakes.Wallet(agent), "operator", agent); err != nil {
			t.Fatal(err)
		}
	}
	rival, own := apptest.Caller("rival"), apptest.Caller(player.HouseAgent)
	apptest.Equal(t, "the rival's", total(rival, ports.TransactionFilter{}), 0)
	apptest.Equal(t, "asking for another's", total(rival, ports.TransactionFilter{Agent: player.HouseAgent}), 0)
	apptest.Equal(t, "asking for a wallet", total(rival, ports.TransactionFilter{Wallet: fakes.Wallet("alice")}), 0)
	apptest.Equal(t, "its own", total(own, ports.TransactionFilter{}), 1)
	apptest.Equal(t, "its own, asking for another's", total(own, ports.TransactionFilter{Agent: "rival"}), 0)
	apptest.Equal(t, "its own by name", total(own, ports.TransactionFilter{Agent: player.HouseAgent}), 1)
	apptest.Refused(t, apptest.ErrorOf(h.Admin.AdminTransactions(h.Ctx, apptest.Caller("alice"), ports.TransactionFilter{}, page)), fault.AdminForbidden)
}

func TestAnAdjustmentCreditsOrDebits(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	h.NewPlayer("alice", 1_000)
	ada := h.NewAdmin("ada", "finance")
	request := apptest.Gift("alice", 500)
	request.Idempotency = app.Idempotency{Key: "gift", Fingerprint: "print"}
	credit := apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, request))(t)
	apptest.Equal(t, "balance", credit.Balance, 1_500)
	h.CheckBooks("player 1500, adjustment -500, chain -1000")
	debit := apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, apptest.Gift("alice", -1_500)))(t)
	apptest.Equal(t, "balance", debit.Balance, 0)
	h.CheckBooks("adjustment 1000, chain -1000")
	again := apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, request))(t)
	apptest.Equal(t, "replayed", again.Replayed, true)
	apptest.Equal(t, "balance then", again.Balance, 1_500)
	apptest.Equal(t, "adjustment", again.Adjustment, credit.Adjustment)

	records := h.AuditRecords()
	last := records[len(records)-1]
	apptest.Equal(t, "action", last.Action, audit.BalanceAdjusted)
	apptest.Equal(t, "by", last.By, ada.Wallet)
	apptest.Equal(t, "before", last.Before, "1500 "+apptest.SOL)
	apptest.Equal(t, "after", last.After, "0 "+apptest.SOL)

	// Balances of a closed token can still be adjusted.
	old := apptest.Gift("alice", 7)
	old.Token = string(apptest.ClosingTerms.Mint)
	apptest.Equal(t, "closing token", apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, old))(t).Balance, 7)
	h.CheckAudit()
}

func TestAdjustmentRefusalsStoreNothing(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	h.NewPlayer("alice", 1_000)
	h.SignIn("ada")
	ada, ops := h.NewAdmin("ada", "finance"), h.NewAdmin("olga", "ops")
	with := func(change func(*admin.AdjustmentRequest)) admin.AdjustmentRequest {
		request := apptest.Gift("alice", 1)
		change(&request)
		return request
	}
	apptest.Refused(t, apptest.ErrorOf(h.Admin.AdjustBalance(h.Ctx, ops, admin.AdjustmentRequest{})), fault.AdminForbidden, "permission", "balances:write")
	for _, c := range []struct {
		name    string
		request admin.AdjustmentRequest
		kind    fault.Kind
		field   any
	}{
		{"no token", with(func(r *admin.AdjustmentRequest) { r.Token, r.Amount = "?", 0 }), fault.Invalid, "token"},
		{"nothing", with(func(r *admin.AdjustmentRequest) { r.Amount, r.Reason = 0, "" }), fault.Invalid, "amount"},
		{"the least integer", apptest.Gift("alice", math.MinInt64), fault.Invalid, "amount"},
		{"no reason", with(func(r *admin.AdjustmentRequest) { r.Reason, r.User = "", "?" }), fault.Invalid, "reason"},
		{"long reason", with(func(r *admin.AdjustmentRequest) { r.Reason = strings.Repeat("x", 501) }), fault.Invalid, "reason"},
		{"no wallet", with(func(r *admin.AdjustmentRequest) { r.User = "?" }), fault.NotFound, nil},
		{"unknown player", apptest.Gift("stranger", 1), fault.NotFound, nil},
		{"unknown token", with(func(r *admin.AdjustmentRequest) { r.Token = string(fakes.Mint("other")) }), fault.TokenNotAccepted, nil},
		{"below zero", apptest.Gift("alice", -1_001), fault.InsufficientFunds, nil},
		{"far below zero", apptest.Gift("alice", -math.MaxInt64), fault.InsufficientFunds, nil},
		{"above the top", apptest.Gift("alice", math.MaxInt64), fault.AmountOutOfRange, "amount"},
		{"the admin's own", apptest.Gift("ada", 1), fault.Forbidden, nil},
	} {
		h.CheckUnchanged(func() {
			err := apptest.ErrorOf(h.Admin.AdjustBalance(h.Ctx, ada, c.request))
			if !fault.Is(err, c.kind) {
				t.Fatalf("%s: got %v, want kind %d", c.name, err, c.kind)
			}
			apptest.Refused(t, err, c.kind, "field", c.field)
		})
	}
	apptest.Equal(t, "balance", h.Balance("alice"), 1_000)
}

func TestSuperadminsAreSeededIntoAnEmptyTableOnly(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	seed := func(names ...string) {
		t.Helper()
		wallets := make([]wallet.Address, 0, len(names))
		for _, name := range names {
			wallets = append(wallets, fakes.Wallet(name))
		}
		if err := h.RoleCommands().SeedSuperadmins(h.Ctx, wallets); err != nil {
			t.Fatal(err)
		}
	}
	seed("root", "deputy")
	for _, name := range []string{"root", "deputy"} {
		apptest.OK(h.Admit(h.Ctx, apptest.Caller(name), rbac.RolesWrite))(t)
	}
	h.CheckUnchanged(func() { seed("intruder") })
	apptest.Refused(t, apptest.ErrorOf(h.Admit(h.Ctx, apptest.Caller("intruder"), rbac.AdminRead)), fault.AdminForbidden)
	records := h.AuditRecords()
	apptest.Equal(t, "records", len(records), 2)
	apptest.Equal(t, "action", records[0].Action, audit.RoleGranted)
	apptest.Equal(t, "after", records[0].After, rbac.Superadmin)
}

func TestTheLastSuperadminKeepsTheRole(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	root, deputy := h.NewAdmin("root", rbac.Superadmin).Wallet, h.NewAdmin("deputy", rbac.Superadmin).Wallet
	if err := h.RoleCommands().Revoke(h.Ctx, deputy); err != nil {
		t.Fatal(err)
	}
	h.CheckUnchanged(func() {
		apptest.Refused(t, h.RoleCommands().Revoke(h.Ctx, root), fault.InvalidState)
		apptest.Refused(t, h.RoleCommands().Grant(h.Ctx, root, "admin", ""), fault.InvalidState)
		apptest.Refused(t, h.RoleCommands().Revoke(h.Ctx, deputy), fault.NotFound)
		apptest.Refused(t, h.RoleCommands().Grant(h.Ctx, deputy, "king", ""), fault.Invalid, "field", "role")
		apptest.Refused(t, h.RoleCommands().Grant(h.Ctx, deputy, "operator", ""), fault.Invalid, "field", "agentCode")
	})
	apptest.OK(h.Admit(h.Ctx, apptest.Caller("root"), rbac.RolesWrite))(t)
}

// TestFoundingRolesComeBeforeTheFirstWithdrawal: afterwards the command line can't create a
// second person with an old role.
func TestFoundingRolesComeBeforeTheFirstWithdrawal(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	founding := func(name string) bool {
		t.Helper()
		return apptest.OK(h.Store.Role(h.Ctx, fakes.Wallet(name)))(t).Founding
	}
	if err := h.RoleCommands().SeedSuperadmins(h.Ctx, []wallet.Address{fakes.Wallet("root")}); err != nil {
		t.Fatal(err)
	}
	if err := h.RoleCommands().Found(h.Ctx, fakes.Wallet("fay"), "finance", ""); err != nil {
		t.Fatal(err)
	}
	if err := h.RoleCommands().Grant(h.Ctx, fakes.Wallet("olga"), "finance", ""); err != nil {
		t.Fatal(err)
	}
	apptest.Equal(t, "who is founding", [3]bool{founding("root"), founding("fay"), founding("olga")}, [3]bool{true, true, false})

	alice := h.NewPlayer("alice", 10_000)
	cancelled := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, payouts.WithdrawalRequest{Amount: 5_000, Token: apptest.SOL, Destination: apptest.Address("bob")}))(t)
	apptest.OK(h.Payouts.CancelWithdrawal(h.Ctx, alice, cancelled.Withdrawal.ID))(t)
	h.CheckUnchanged(func() {
		apptest.Refused(t, h.RoleCommands().Found(h.Ctx, fakes.Wallet("late"), "finance", ""), fault.InvalidState, "status", "founded")
		apptest.Refused(t, h.RoleCommands().Found(h.Ctx, fakes.Wallet("olga"), "finance", ""), fault.InvalidState, "status", "founded")
	})
	if err := h.RoleCommands().Grant(h.Ctx, fakes.Wallet("fay"), "finance", ""); err != nil {
		t.Fatal(err)
	}
	apptest.Equal(t, "a founding role that is granted again", founding("fay"), true)
}

// TestSuperadminsOfADatabaseThatPaysAreNew: an emptied table of roles founds nothing.
func TestSuperadminsOfADatabaseThatPaysAreNew(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	alice := h.NewPlayer("alice", 10_000)
	apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, payouts.WithdrawalRequest{Amount: 5_000, Token: apptest.SOL, Destination: apptest.Address("bob")}))(t)
	if err := h.RoleCommands().SeedSuperadmins(h.Ctx, []wallet.Address{fakes.Wallet("root")}); err != nil {
		t.Fatal(err)
	}
	apptest.Equal(t, "founding", apptest.OK(h.Store.Role(h.Ctx, fakes.Wallet("root")))(t).Founding, false)
}
