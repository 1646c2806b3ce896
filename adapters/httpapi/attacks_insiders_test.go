package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// grant has an admin give a name's wallet a role.
func (h *house) grant(as, name, role string) {
	h.Helper()
	h.ask(question{method: http.MethodPut, path: "/admin/roles/" + string(fakes.Wallet(name)), as: as, body: object{"role": role}}).ok(http.StatusOK)
}

func (h *house) credit(as, name string, amount int64) reply {
	h.Helper()
	return h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + string(fakes.Wallet(name)), as: as,
		body: object{"token": sol, "amount": amount, "reason": "a gift"}})
}

func (h *house) withdrawn(name string, amount int64) (id string) {
	h.Helper()
	return h.post(name, "/withdraw", h.withdrawBody(fmt.Sprint(amount))).ok(http.StatusCreated).text_("withdrawal", "id")
}

func (h *house) approve(as, id string) reply {
	h.Helper()
	return h.post(as, "/admin/withdraw/approve", object{"id": id})
}

// later advances the clock; all sign in again.
func (h *house) later(d time.Duration) {
	h.clock.Advance(d)
	clear(h.tokens)
}

// because asserts why an insider was refused.
func (r reply) because(reason string) {
	r.Helper()
	if r.is(http.StatusForbidden, "FORBIDDEN"); r.text_("details", "reason") != reason {
		r.Errorf("it says %s, want the reason %s", r.text, reason)
	}
}

// left returns the sum of approved withdrawals.
func (h *house) left() (sum money.Amount) {
	h.Helper()
	for _, status := range []withdrawal.Status{withdrawal.Approved, withdrawal.Sending, withdrawal.Completed} {
		all, err := h.store.WithdrawalsIn(h.Context(), status, "", 100)
		h.must(err)
		for _, w := range all {
			sum += w.Amount
		}
	}
	return sum
}

// TestOneSuperadminWithTwoFreshHatsMovesNothing repeats how 150 SOL left in a fifth of a
// second: two new finance roles, one credits, one approves.
func TestOneSuperadminWithTwoFreshHatsMovesNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("root", rbac.Superadmin, "")
	h.funded("mallory", sol, 1_000_000_000)
	h.grant("root", "hat", "finance")
	h.grant("root", "hood", "finance")
	h.credit("hat", "mallory", 500_000_000).because(rbac.TooYoung)
	id := h.withdrawn("mallory", 500_000_000)
	h.approve("hood", id).because(rbac.TooYoung)
	h.post("hood", "/admin/withdraw/reject", object{"id": id, "reason": "odd"}).ok(http.StatusOK)

	// A day later they still count as one person.
	h.later(rbac.MinAge)
	h.credit("hat", "mallory", 500_000_000).ok(http.StatusOK)
	id = h.withdrawn("mallory", 500_000_000)
	h.approve("hood", id).because(rbac.SameGrantor)
	h.approve("root", id).because(rbac.SameGrantor)
	h.approve("hat", id).because("credited")
	if left := h.left(); left != 0 {
		t.Errorf("%d left", left)
	}
}

// TestTheSecondVoteOfWhomTheFirstVoterGranted: 29 days after the grant it counts as the
// first voter's, after 31 days as another person's.
func TestTheSecondVoteOfWhomTheFirstVoterGranted(t *testing.T) {
	t.Parallel()
	for days, status := range map[int]int{29: http.StatusForbidden, 31: http.StatusOK} {
		h := newHouse(t)
		h.role("root", rbac.Superadmin, "")
		h.grant("root", "hat", "finance")
		h.later(time.Duration(days) * 24 * time.Hour)
		h.funded("mallory", sol, 5_000_000_000)
		id := h.withdrawn("mallory", 2_000_000_000)
		h.approve("root", id).ok(http.StatusOK)
		second := h.approve("hat", id)
		if status == http.StatusForbidden {
			second.because(rbac.SameGrantor)
		} else if second.ok(status).text_("withdrawal", "status") != "approved" {
			t.Errorf("after %d days: %s", days, second.text)
		}
	}
}

func TestARevokedAdminsFirstVoteIsVoid(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("root", rbac.Superadmin, "")
	h.role("eve", "finance", "")
	h.role("ada", "finance", "")
	h.funded("mallory", sol, 5_000_000_000)
	id := h.withdrawn("mallory", 2_000_000_000)
	h.approve("eve", id).ok(http.StatusOK)
	h.credit("eve", "mallory", 3_000_000_000).ok(http.StatusAccepted)
	request := h.get("root", "/admin/approvals").ok(http.StatusOK).at("approvals").([]any)[0].(map[string]any)["id"].(string)
	h.ask(question{method: http.MethodDelete, path: "/admin/roles/" + string(fakes.Wallet("eve")), as: "root"}).ok(http.StatusNoContent)
	answer := h.approve("ada", id).ok(http.StatusOK)
	if answer.text_("withdrawal", "status") != "pending" || answer.integer("withdrawal", "approvals") != 1 {
		t.Errorf("after one person who has a role: %s", answer.text)
	}
	void := h.post("ada", "/admin/approvals/"+request, object{"approve": true}).is(http.StatusConflict, "INVALID_STATE")
	if void.text_("details", "status") != "void" {
		t.Errorf("the request: %s", void.text)
	}
	h.post("ada", "/admin/approvals/"+request, object{"approve": false}).ok(http.StatusOK)
	if left := h.left(); left != 0 {
		t.Errorf("%d left", left)
	}
}

func TestAFreezeAfterTheApprovalHoldsThePayout(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("finance", "finance", "")
	h.newcomer("support", "admin", "")
	h.funded("mallory", sol, 1_000_000_000)
	id := h.withdrawn("mallory", 500_000_000)
	h.approve("finance", id).ok(http.StatusOK)
	freeze := func(frozen bool) {
		t.Helper()
		h.post("support", "/admin/players/"+string(fakes.Wallet("mallory"))+"/freeze", object{"frozen": frozen, "reason": "under review"}).ok(http.StatusOK)
	}
	freeze(true)
	pass := func() {
		t.Helper()
		worker := h.casino.Payouts.PayoutWorker()
		for worked := true; worked; {
			var err error
			worked, err = worker.Step(t.Context())
			h.must(err)
		}
	}
	standing := func() withdrawal.Withdrawal {
		t.Helper()
		w, err := h.store.Withdrawal(t.Context(), id)
		h.must(err)
		return w
	}
	pass()
	if w := standing(); w.Status != withdrawal.Approved || w.Attempt != 0 || w.Reason != player.FrozenReason {
		t.Errorf("while frozen: %+v", w)
	}
	freeze(false)
	pass()
	if w := standing(); w.Status != withdrawal.Sending || w.Attempt != 1 {
		t.Errorf("afterwards: %+v", w)
	}
}

// TestSplittingMeetsTheLimitOfADay: other players, other destinations, other admins, and
// the next morning.
func TestSplittingMeetsTheLimitOfADay(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: manyLogins, deps: func(d *app.Deps) {
		daily := tokens[0]
		daily.TwoPersonAbove, daily.TwoPersonAbovePerDay = token.NoTwoPerson, 1_000_000_000
		d.Tokens = token.NewBook(daily)
	}})
	admins := []string{"a", "b", "c", "d"}
	for _, name := range admins {
		h.role(name, "finance", "")
	}
	statuses := ""
	for i, whose := range []string{"p1", "p2", "p3", "p4"} {
		h.funded(whose, sol, 1_000_000_000)
		statuses += h.approve(admins[i], h.withdrawn(whose, 400_000_000)).ok(http.StatusOK).text_("withdrawal", "status") + " "
		h.later(7 * time.Hour)
	}
	// 28 hours have passed: the first one is out of the window.
	h.funded("p5", sol, 1_000_000_000)
	statuses += h.approve("a", h.withdrawn("p5", 400_000_000)).ok(http.StatusOK).text_("withdrawal", "status")
	if statuses != "approved approved pending pending approved" {
		t.Errorf("they are %s", statuses)
	}
	if left := h.left(); left != 1_200_000_000 {
		t.Errorf("%d left", left)
	}
}

func TestAPauseOverAPauseIsANewOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("ada", "finance", "")
	h.role("ben", "finance", "")
	h.newcomer("sue", "support", "")
	pause := func(as, reason string) {
		h.post(as, "/admin/payouts/pause", object{"reason": reason}).ok(http.StatusOK)
	}
	pause("ada", "maintenance")
	request := h.post("ada", "/admin/payouts/resume", object{"reason": "done"}).ok(http.StatusAccepted).text_("approval", "id")
	h.clock.Advance(time.Second)
	pause("sue", "payouts that nobody asked for")
	refused := h.post("ben", "/admin/approvals/"+request, object{"approve": true}).is(http.StatusConflict, "INVALID_STATE")
	if refused.text_("details", "status") != "paused" {
		t.Errorf("it says %s", refused.text)
	}
	if stands, err := h.store.Pause(t.Context()); err != nil || !stands.Paused {
		t.Errorf("payouts are %+v, %v", stands, err)
	}
}
