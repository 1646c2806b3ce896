package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/test/fakes"
)

// staff is a casino with an admin of each name. Their roles are old enough for decisions of
// two persons.
func staff(t *testing.T, roles map[string]string) *house {
	t.Helper()
	h := openHouse(t, setup{config: manyLogins})
	for name, role := range roles {
		h.role(name, role, "")
	}
	h.clock.Advance(rbac.MinAge)
	return h
}

// as returns the typed client of a signed-in name.
func (h *house) as(name string) *client.Client { return h.client().WithToken(h.token(name)) }

// got returns the result of a call that must not fail: got(h)(call()).
func got[A any](h *house) func(A, error) A {
	return func(answer A, err error) A {
		h.Helper()
		if err != nil {
			h.Fatal(err)
		}
		return answer
	}
}

// code fails the test unless the call failed with the code.
func (h *house) code(want string, err error) {
	h.Helper()
	if got := client.CodeOf(err); got != want {
		h.Errorf("answered %v, want %s", err, want)
	}
}

func refusal[A any](_ A, err error) error { return err }

func address(name string) string { return string(fakes.Wallet(name)) }

func TestRolesOverHTTP(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin, "reader": "readonly"})
	root, reader := h.as("root"), h.as("reader")
	granted := got[api.Role](h)(root.GrantRole(t.Context(), address("olga"), api.GrantRequest{Role: "ops"}))
	if granted.Level != 2 || len(granted.Permissions) != 2 || granted.GrantedBy == nil || *granted.GrantedBy != address("root") {
		t.Errorf("granted %+v", granted)
	}
	if all := got[[]api.Role](h)(reader.ListRoles(t.Context())); len(all) != 3 {
		t.Errorf("%d roles are listed", len(all))
	}
	if one := got[api.Role](h)(reader.Role(t.Context(), address("root"))); one.Role != rbac.Superadmin || one.GrantedBy != nil {
		t.Errorf("root is %+v", one)
	}
	h.get("olga", "/admin/me").ok(http.StatusOK)
	h.code("ADMIN_FORBIDDEN", refusal(reader.GrantRole(t.Context(), address("x"), api.GrantRequest{Role: "ops"})))
	h.code("FORBIDDEN", refusal(root.GrantRole(t.Context(), address("x"), api.GrantRequest{Role: rbac.Superadmin})))
	h.code("INVALID_PARAMETER", refusal(root.GrantRole(t.Context(), "x", api.GrantRequest{Role: "ops"})))
	h.must(root.RevokeRole(t.Context(), address("olga")))
	h.get("olga", "/admin/me").is(http.StatusForbidden, "ADMIN_FORBIDDEN")
	h.code("NOT_FOUND", root.RevokeRole(t.Context(), address("olga")))
	h.code("FORBIDDEN", root.RevokeRole(t.Context(), address("root")))
	put := func(body any) reply {
		return h.ask(question{method: http.MethodPut, path: "/admin/roles/" + address("x"), as: "root", body: body})
	}
	put(object{}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("role")
	put(object{"role": ""}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("role")
	put(object{"role": "king"}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("role")
	put(object{"role": "operator"}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("agentCode")
	put(object{"role": "ops", "level": 1}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("level")
}

func TestALargeCreditOverHTTP(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"finn": "finance", "ada": "admin", "olga": "ops"})
	h.token("alice")
	credit := api.AdjustRequest{Token: sol, Amount: 1_000_000_001, Reason: "a jackpot", IdempotencyKey: "k"}
	asked := got[api.Adjusted](h)(h.as("finn").AdjustBalance(t.Context(), address("alice"), credit))
	if asked.Approval == nil || asked.Approval.Status != "open" || *asked.Approval.Request.Amount != credit.Amount {
		t.Fatalf("asked %+v", asked)
	}
	again := got[api.Adjusted](h)(h.as("finn").AdjustBalance(t.Context(), address("alice"), credit))
	if !again.Replayed || again.Approval == nil || again.Approval.ID != asked.Approval.ID {
		t.Errorf("asked again: %+v", again)
	}
	list := got[api.ApprovalPage](h)(h.as("olga").ListApprovals(t.Context(), api.ListApprovalsParams{Limit: 5}))
	if list.Total != 1 || list.Approvals[0].ID != asked.Approval.ID {
		t.Errorf("listed: %+v", list)
	}
	path := "/admin/approvals/" + asked.Approval.ID
	h.post("finn", path, object{"approve": true}).is(http.StatusForbidden, "FORBIDDEN")
	h.post("olga", path, object{"approve": true}).is(http.StatusForbidden, "ADMIN_FORBIDDEN")
	h.post("ada", path, object{"approve": "yes"}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("approve")
	h.post("ada", path, object{}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("approve")
	h.post("ada", "/admin/approvals/none", object{"approve": true}).is(http.StatusNotFound, "NOT_FOUND")
	done := got[api.ApprovalResponse](h)(h.as("ada").DecideApproval(t.Context(), asked.Approval.ID, api.ApprovalRequest{Approve: true})).Approval
	if done.Status != "approved" || *done.DecidedBy != address("ada") || h.balance("alice", sol) != money.Amount(credit.Amount) {
		t.Errorf("decided %+v", done)
	}
	h.post("ada", path, object{"approve": true}).is(http.StatusConflict, "INVALID_STATE")
}

// forget drops all tokens, because the clock was advanced.
func (h *house) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.tokens)
}
