package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// shared is a finalized payment by two wallets in one transaction.
func (h *house) shared(one, two string) string {
	h.Helper()
	for _, name := range []string{one, two} {
		h.chain.Fund(fakes.Wallet(name), money.SOL, 5_000)
	}
	signature := h.chain.SharedDeposit(fakes.Wallet(one), fakes.Wallet(two), money.SOL, 5_000)
	h.chain.Finalize()
	return signature
}

// watch runs the deposit watcher once.
func (h *house) watch() {
	h.Helper()
	watcher := h.casino.Deposits.DepositWatcher()
	for worked := true; worked; {
		var err error
		worked, err = watcher.Step(h.Context())
		h.must(err)
	}
}

func TestADepositInReviewIsDecidedByAnAdmin(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{deps: func(d *app.Deps) {
		cautious := tokens[0]
		cautious.TwoPersonAbove = 9_999
		d.Tokens = token.NewBook(cautious)
	}})
	h.role("finance", "finance", "")
	h.role("second", "finance", "")
	h.role("support", "support", "")
	h.clock.Advance(rbac.MinAge)
	signature := h.shared("alice", "bob")
	claim := object{"signature": signature, "token": sol}
	h.post("alice", "/deposit", claim).is(http.StatusAccepted, "")
	h.post("bob", "/deposit", claim).is(http.StatusAccepted, "")
	word := object{"signature": signature, "token": sol, "wallet": string(fakes.Wallet("alice")), "reason": "she called"}
	const path = "/admin/deposits/resolve"
	h.post("alice", path, word).is(http.StatusForbidden, "ADMIN_FORBIDDEN")
	h.post("support", path, word).is(http.StatusForbidden, "ADMIN_FORBIDDEN")
	for field, value := range map[string]any{
		"signature": "x", "token": "x", "wallet": "x", "reason": "",
	} {
		broken := object{"signature": signature, "token": sol, "wallet": string(fakes.Wallet("alice")), "reason": "she called"}
		broken[field] = value
		h.post("finance", path, broken).is(http.StatusBadRequest, "INVALID_PARAMETER").names(field)
		if field != "wallet" {
			delete(broken, field)
			h.post("finance", path, broken).is(http.StatusBadRequest, "INVALID_PARAMETER").names(field)
		}
	}
	h.post("finance", path, object{"signature": fakes.Signature("never"), "token": sol, "reason": "r"}).is(http.StatusNotFound, "NOT_FOUND")

	ctx := t.Context()
	h.clock.Advance(time.Second)
	finance, _, err := h.client().SignIn(ctx, fakes.Key("finance"), h.clock.Now())
	h.must(err)
	request := h.post("finance", path, word).ok(http.StatusAccepted)
	asked := request.text_("approval", "id")
	if amount := request.integer("approval", "request", "amount"); amount != 10_000 {
		t.Errorf("the second person sees the amount %d", amount)
	}
	h.post("finance", "/admin/approvals/"+asked, object{"approve": true}).is(http.StatusForbidden, "FORBIDDEN")
	h.post("second", "/admin/approvals/"+asked, object{"approve": true}).ok(http.StatusOK)
	for range 2 {
		done, err := finance.ResolveDeposit(ctx, api.ResolveRequest{
			Signature: signature, Token: sol, Wallet: string(fakes.Wallet("alice")), Reason: "she called",
		})
		h.must(err)
		if done := done.Deposit; done.Status != "credited" || *done.Amount != 10_000 || *done.Wallet != string(fakes.Wallet("alice")) {
			t.Errorf("%+v", done)
		}
	}
	if h.balance("alice", sol) != 10_000 || h.balance("bob", sol) != 0 {
		t.Errorf("alice has %d, bob %d", h.balance("alice", sol), h.balance("bob", sol))
	}
	word["wallet"] = string(fakes.Wallet("bob"))
	h.post("finance", path, word).is(http.StatusConflict, "DEPOSIT_TAKEN")
	h.post("bob", "/deposit", claim).is(http.StatusBadRequest, "DEPOSIT_REJECTED")

	second := h.shared("alice", "bob")
	h.post("alice", "/deposit", object{"signature": second, "token": sol}).is(http.StatusAccepted, "")
	declined, err := finance.ResolveDeposit(ctx, api.ResolveRequest{Signature: second, Token: sol, Reason: "stolen"})
	h.must(err)
	if declined := declined.Deposit; declined.Status != "rejected" || declined.Amount != nil || declined.Wallet != nil {
		t.Errorf("%+v", declined)
	}
}

func TestPayoutsArePausedByOnePerson(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("support", "support", "")
	h.role("readonly", "readonly", "")
	const path = "/admin/payouts/pause"
	h.post("readonly", path, object{"reason": "r"}).is(http.StatusForbidden, "ADMIN_FORBIDDEN")
	h.post("support", path, object{}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("reason")
	h.post("support", path, object{"reason": ""}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("reason")
	h.clock.Advance(time.Second)
	support, _, err := h.client().SignIn(t.Context(), fakes.Key("support"), h.clock.Now())
	h.must(err)
	for range 2 {
		stands, err := support.PausePayouts(t.Context(), api.PayoutsRequest{Reason: "odd payouts"})
		h.must(err)
		if !stands.Paused || *stands.By != string(fakes.Wallet("support")) || *stands.Reason != "odd payouts" || *stands.UpdatedAt <= 0 {
			t.Errorf("%+v", stands)
		}
	}
	pause, err := h.store.Pause(t.Context())
	h.must(err)
	if !pause.Paused {
		t.Error("payouts are still made")
	}
}

func TestPayoutsAreResumedByTwoPersons(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("ada", "finance", "")
	h.role("ben", "finance", "")
	h.clock.Advance(48 * time.Hour) // roles are old enough
	const path = "/admin/payouts/resume"
	h.post("ada", path, object{"reason": "fine"}).is(http.StatusConflict, "INVALID_STATE")
	h.post("ada", "/admin/payouts/pause", object{"reason": "odd"}).ok(http.StatusOK)
	h.post("ada", path, object{}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("reason")
	h.clock.Advance(time.Second)
	ada, _, err := h.client().SignIn(t.Context(), fakes.Key("ada"), h.clock.Now())
	h.must(err)
	asked, err := ada.ResumePayouts(t.Context(), api.PayoutsRequest{Reason: "fine"})
	h.must(err)
	if asked.Kind != "payouts.resume" || asked.Status != "open" {
		t.Errorf("%+v", asked)
	}
	h.post("ada", "/admin/approvals/"+asked.ID, object{"approve": true}).is(http.StatusForbidden, "FORBIDDEN")
	h.post("ben", "/admin/approvals/"+asked.ID, object{"approve": true}).ok(http.StatusOK)
	pause, err := h.store.Pause(t.Context())
	h.must(err)
	if pause.Paused {
		t.Error("payouts are still paused")
	}
}
