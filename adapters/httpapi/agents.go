package httpapi

import (
	"net/http"
	"net/netip"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// agentRoutes returns the routes of agents and their prepaid accounts.
func (a *API) agentRoutes() []route {
	return []route{
		{operation.ListAgents, admins(rbac.AdminRead), noWindow, a.listAgents},
		{operation.CreateAgent, admins(rbac.AdminWrite), noWindow, a.createAgent},
		{operation.ChangeAgent, admins(rbac.AdminWrite), noWindow, a.changeAgent},
		{operation.DeleteAgent, admins(rbac.AdminWrite), noWindow, a.deleteAgent},
		{operation.RotateCredentials, admins(rbac.RolesWrite), noWindow, a.rotateCredentials},
		{operation.FundAgent, admins(rbac.BalancesWrite), noWindow, a.fundAgent},
		{operation.LimitCredit, admins(rbac.RolesWrite), noWindow, a.limitCredit},
	}
}

func agentOf(a agent.Agent, funds []ports.FundsLine) api.Agent {
	return api.Agent{
		ID: a.ID, AgentCode: a.Code, AgentName: a.Name, Status: a.Status,
		RTP: api.Number(a.RTP.String()), Percent: api.Number(a.Share.String()),
		SiteEndpoint: orNull(a.SiteEndpoint), IPAllowlist: mapEach(a.IPAllowlist, networkOf), Memo: orNull(a.Memo),
		Funds:     mapEach(funds, fundsOf),
		CreatedAt: unixMillis(a.CreatedAt), UpdatedAt: unixMillis(a.UpdatedAt),
	}
}

func fundsOf(l ports.FundsLine) api.Funds {
	return api.Funds{Token: string(l.Token), Balance: l.Balance, Reserved: int64(l.Reserved), CreditLimit: int64(l.CreditLimit)}
}

// networkOf formats a network; a network of one address becomes the address.
func networkOf(p netip.Prefix) string {
	if p.IsSingleIP() {
		return p.Addr().String()
	}
	return p.String()
}

// agentWithFunds returns an agent with its prepaid accounts.
func (a *API) agentWithFunds(r *request, of agent.Agent) (api.Agent, error) {
	funds, err := a.casino.Admin.AgentFunds(r.ctx, r.caller)
	return agentOf(of, funds[of.Code]), err
}

func (a *API) listAgents(r *request) (answer, error) {
	all, err := a.casino.Admin.Agents(r.ctx, r.caller)
	if err != nil {
		return answer{}, err
	}
	funds, err := a.casino.Admin.AgentFunds(r.ctx, r.caller)
	agents := mapEach(all, func(one agent.Agent) api.Agent { return agentOf(one, funds[one.Code]) })
	return answerRows(a, r, "agents", agents, api.AgentsResponse{Agents: agents}, err)
}

// allowlistMax is the maximum number of networks in a body.
const allowlistMax = 64

func agentWanted(f *parse.Fields) admin.AgentRequest {
	w := admin.AgentRequest{Name: f.OptionalText("agentName")}
	if text := f.OptionalText("status"); text != nil {
		status := agent.Status(*text)
		w.Status = &status
	}
	w.RTP, w.Share = f.Percent("rtp"), f.Percent("percent")
	w.SiteEndpoint = f.TextOrNull("siteEndpoint")
	if f.Has("ipAllowlist") {
		networks := []netip.Prefix{}
		f.Texts("ipAllowlist", allowlistMax, "must contain IP addresses or networks such as 192.0.2.0/24", func(text string) bool {
			network, err := agent.ParseNetwork(text)
			networks = append(networks, network)
			return err == nil
		})
		w.IPAllowlist = &networks
	}
	w.Memo = f.TextOrNull("memo")
	return w
}

func credentialsOf(a api.Agent, c agent.Credentials) api.AgentCredentials {
	return api.AgentCredentials{Agent: a, Token: c.Token.Reveal(), Secret: c.Secret.Reveal()}
}

func (a *API) createAgent(r *request) (answer, error) {
	f := r.readBody()
	code := f.Text("agentCode")
	f.Need("agentName")
	wanted := agentWanted(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	made, credentials, err := a.casino.Admin.CreateAgent(r.ctx, r.caller, code, wanted)
	return answer{status: http.StatusCreated, body: credentialsOf(agentOf(made, nil), credentials)}, err
}

func (a *API) changeAgent(r *request) (answer, error) {
	f := r.readBody()
	wanted := agentWanted(f)
	if f.Empty() && wanted.SiteEndpoint == nil && wanted.Memo == nil {
		f.Refuse("body", "must contain at least one field to change")
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	changed, err := a.casino.Admin.ChangeAgent(r.ctx, r.caller, r.params["id"], wanted)
	if err != nil {
		return answer{}, err
	}
	body, err := a.agentWithFunds(r, changed)
	return ok(api.AgentResponse{Agent: body}), err
}

func (a *API) deleteAgent(r *request) (answer, error) {
	return answer{status: http.StatusNoContent}, a.casino.Admin.DeleteAgent(r.ctx, r.caller, r.params["id"])
}

func (a *API) rotateCredentials(r *request) (answer, error) {
	changed, credentials, err := a.casino.Admin.RotateCredentials(r.ctx, r.caller, r.params["id"])
	if err != nil {
		return answer{}, err
	}
	body, err := a.agentWithFunds(r, changed)
	return ok(credentialsOf(body, credentials)), err
}

func (a *API) fundAgent(r *request) (answer, error) {
	b, err := r.readBooking()
	if err != nil {
		return answer{}, err
	}
	booked, err := a.casino.Admin.FundAgent(r.ctx, r.caller, admin.FundingRequest{
		AgentID: r.params["id"], Token: b.token, Amount: b.amount, Reason: b.reason, Idempotency: b.idempotency,
	})
	if err != nil {
		return answer{}, err
	}
	if booked.Approval != nil {
		return awaitsApproval(*booked.Approval, booked.Replayed), nil
	}
	done := booked.Funding
	return answer{status: http.StatusOK, replayed: booked.Replayed, body: api.Funded{
		AgentCode: done.Ref.Agent, Token: string(done.Ref.Token), Balance: done.Balance,
		Booking: api.Booking{ID: done.ID, Amount: done.Amount, Reason: done.Reason, CreatedAt: unixMillis(done.At)},
	}}, nil
}

func (a *API) limitCredit(r *request) (answer, error) {
	f := r.readBody()
	token, limit := f.Token(), f.AmountFrom("creditLimit", 0)
	if f.Err != nil {
		return answer{}, f.Err
	}
	line, err := a.casino.Admin.SetCreditLimit(r.ctx, r.caller, r.params["id"], token, limit)
	return ok(api.FundsResponse{Funds: fundsOf(line)}), err
}
