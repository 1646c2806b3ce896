package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
)

func TestAgentsFundsOverHTTP(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin, "fin": "finance", "ada": "finance", "olga": "ops"})
	root, fin, olga := h.as("root"), h.as("fin"), h.as("olga")
	made := got[api.AgentCredentials](h)(olga.CreateAgent(t.Context(), api.CreateAgentRequest{AgentCode: "acme", AgentRequest: api.AgentRequest{AgentName: ptr("Acme")}}))
	h.secrets[made.Token], h.secrets[made.Secret] = "an agent's token", "an agent's secret"
	id, sol := made.Agent.ID, string(money.SOL)
	if made.Agent.Funds == nil || len(made.Agent.Funds) != 0 {
		t.Errorf("a new agent has %+v", made.Agent.Funds)
	}
	book := api.FundRequest{Token: sol, Amount: 5_000, Reason: "wire 7", IdempotencyKey: "wire-7"}
	for i := range 3 {
		booked := got[api.Funded](h)(fin.FundAgent(t.Context(), id, book))
		if booked.Balance != 5_000 || booked.AgentCode != "acme" || booked.Booking.Amount != 5_000 || booked.Replayed != (i > 0) {
			t.Errorf("booked %+v", booked)
		}
	}
	other := book
	other.Amount = 6_000
	h.code("IDEMPOTENCY_CONFLICT", refusal(fin.FundAgent(t.Context(), id, other)))
	h.code("ADMIN_FORBIDDEN", refusal(olga.FundAgent(t.Context(), id, book)))
	h.code("INSUFFICIENT_AGENT_FUNDS", refusal(fin.FundAgent(t.Context(), id, api.FundRequest{Token: sol, Amount: -5_001, Reason: "x"})))
	h.code("NOT_FOUND", refusal(fin.FundAgent(t.Context(), "none", api.FundRequest{Token: sol, Amount: 1, Reason: "x"})))
	h.code("INVALID_AGENT", refusal(fin.FundAgent(t.Context(), "house", api.FundRequest{Token: sol, Amount: 1, Reason: "x"})))
	h.code("TOKEN_NOT_ACCEPTED", refusal(fin.FundAgent(t.Context(), id, api.FundRequest{Token: address("none"), Amount: 1, Reason: "x"})))
	h.code("ADMIN_FORBIDDEN", refusal(fin.LimitCredit(t.Context(), id, api.CreditLimitRequest{Token: sol, CreditLimit: 100})))
	if limited := got[api.Funds](h)(root.LimitCredit(t.Context(), id, api.CreditLimitRequest{Token: sol, CreditLimit: 100})); limited.CreditLimit != 100 || limited.Balance != 5_000 {
		t.Errorf("limited to %+v", limited)
	}
	got[api.Funded](h)(fin.FundAgent(t.Context(), id, api.FundRequest{Token: sol, Amount: -5_050, Reason: "paid back"}))
	h.code("INVALID_STATE", refusal(root.LimitCredit(t.Context(), id, api.CreditLimitRequest{Token: sol, CreditLimit: 49})))
	h.code("INVALID_STATE", olga.DeleteAgent(t.Context(), id))
	for _, amount := range []string{`0`, `1.5`, `1e3`, `"5"`, `9223372036854775808`, `-9223372036854775808`} {
		h.ask(question{method: http.MethodPost, path: "/admin/legacy/agents/" + id + "/funds", as: "fin",
			body: `{"token":"` + sol + `","amount":` + amount + `,"reason":"x"}`}).is(http.StatusBadRequest, "INVALID_PARAMETER")
	}
	all := got[[]api.Agent](h)(olga.ListAgents(t.Context()))
	if len(all[0].Funds) != 1 || all[0].Funds[0] != (api.Funds{Token: sol, Balance: -50, CreditLimit: 100}) {
		t.Errorf("the agent has %+v", all[0].Funds)
	}
}

func TestLargeFundsTakeTwoPersons(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin, "fin": "finance", "ada": "finance", "olga": "ops"})
	made := got[api.AgentCredentials](h)(h.as("olga").CreateAgent(t.Context(), api.CreateAgentRequest{AgentCode: "acme", AgentRequest: api.AgentRequest{AgentName: ptr("Acme")}}))
	h.secrets[made.Token], h.secrets[made.Secret] = "an agent's token", "an agent's secret"
	sol := string(money.SOL)
	wanted := api.FundRequest{Token: sol, Amount: 1_000_000_001, Reason: "a year in advance"}
	asked := got[api.Funded](h)(h.as("fin").FundAgent(t.Context(), made.Agent.ID, wanted))
	if asked.Approval == nil || asked.Approval.Kind != "operator.funds" || *asked.Approval.Request.AgentCode != "acme" || asked.Balance != 0 {
		t.Fatalf("asked %+v", asked)
	}
	h.code("FORBIDDEN", refusal(h.as("fin").DecideApproval(t.Context(), asked.Approval.ID, api.ApprovalRequest{Approve: true})))
	done := got[api.ApprovalResponse](h)(h.as("ada").DecideApproval(t.Context(), asked.Approval.ID, api.ApprovalRequest{Approve: true})).Approval
	if done.Status != "approved" {
		t.Errorf("decided %+v", done)
	}
	all := got[[]api.Agent](h)(h.as("olga").ListAgents(t.Context()))
	if len(all[0].Funds) != 1 || all[0].Funds[0].Balance != 1_000_000_001 {
		t.Errorf("the agent has %+v", all[0].Funds)
	}
	// Small bookings of any account count together with it.
	if again := got[api.Funded](h)(h.as("fin").FundAgent(t.Context(), made.Agent.ID, api.FundRequest{Token: sol, Amount: 1, Reason: "x"})); again.Approval == nil {
		t.Errorf("booked without a second person: %+v", again)
	}
}

func TestDeliveriesOverHTTP(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin, "olga": "ops"})
	if page := got[api.DeliveryPage](h)(h.as("olga").ProviderRoutes(t.Context(), api.ProviderRoutesParams{Status: "open"})); len(page.Routes) != 0 {
		t.Errorf("open: %+v", page)
	}
	h.code("ADMIN_FORBIDDEN", refusal(h.as("olga").DecideProviderRoute(t.Context(), "none", api.DeliveryDecisionRequest{Action: "close", Reason: "x"})))
	h.code("NOT_FOUND", refusal(h.as("root").DecideProviderRoute(t.Context(), "none", api.DeliveryDecisionRequest{Action: "resend", Reason: "x"})))
	h.code("INVALID_PARAMETER", refusal(h.as("root").DecideProviderRoute(t.Context(), "none", api.DeliveryDecisionRequest{Action: "delete", Reason: "x"})))
	h.code("INVALID_PARAMETER", refusal(h.as("root").ProviderRoutes(t.Context(), api.ProviderRoutesParams{Status: "lost"})))
}
