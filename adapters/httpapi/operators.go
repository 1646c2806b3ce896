package httpapi

import (
	"math"
	"net/http"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// fundsBody is what stands in an operator's prepaid account.
type fundsBody struct {
	Token       string `json:"token"`
	Balance     int64  `json:"balance"`
	Reserved    int64  `json:"reserved"`
	CreditLimit int64  `json:"creditLimit"`
}

func fundsOf(l ports.FundsLine) fundsBody {
	return fundsBody{Token: string(l.Token), Balance: l.Balance, Reserved: int64(l.Reserved), CreditLimit: int64(l.CreditLimit)}
}

// funded is an agent with what stands in its accounts.
func (a *API) funded(r *request, of agent.Agent) (agentBody, error) {
	funds, err := a.casino.OperatorFunds(r.context(), r.caller)
	return agentOf(of, funds[of.Code]), err
}

type fundedBody struct {
	AgentCode string `json:"agentCode"`
	Token     string `json:"token"`
	Balance   int64  `json:"balance"`
	Booking   struct {
		ID        string `json:"id"`
		Amount    int64  `json:"amount"`
		Reason    string `json:"reason"`
		CreatedAt int64  `json:"createdAt"`
	} `json:"booking"`
}

func (a *API) fundAgent(r *request) (answer, error) {
	b, err := r.booking()
	if err != nil {
		return answer{}, err
	}
	booked, err := a.casino.FundOperator(r.context(), r.caller, app.FundRequest{
		AgentID: r.params["id"], Token: b.token, Amount: b.amount, Reason: b.reason, Idempotency: b.idempotency,
	})
	if err != nil {
		return answer{}, err
	}
	if booked.Asked != nil {
		return asked(*booked.Asked, booked.Replayed), nil
	}
	done := booked.Funding
	body := fundedBody{AgentCode: done.Ref.Agent, Token: string(done.Ref.Token), Balance: done.Balance}
	body.Booking.ID, body.Booking.Amount, body.Booking.Reason, body.Booking.CreatedAt = done.ID, done.Amount, done.Reason, millis(done.At)
	return answer{status: http.StatusOK, replayed: booked.Replayed, body: body}, nil
}

func (a *API) limitCredit(r *request) (answer, error) {
	f := r.body("token", "creditLimit")
	token, limit := f.token(), f.integer("creditLimit", 0, math.MaxInt64)
	if f.err != nil {
		return answer{}, f.err
	}
	line, err := a.casino.LimitCredit(r.context(), r.caller, r.params["id"], token, limit)
	return ok(struct {
		Funds fundsBody `json:"funds"`
	}{fundsOf(line)}), err
}

// routeBody is a leg of a provider's transaction on its way to an operator's site.
type routeBody struct {
	ID            string               `json:"id"`
	TransactionID string               `json:"transactionId"`
	Leg           seamless.Kind        `json:"leg"`
	Status        seamless.RouteStatus `json:"status"`
	Wallet        string               `json:"wallet"`
	AgentCode     string               `json:"agentCode"`
	SiteEndpoint  string               `json:"siteEndpoint"`
	Provider      string               `json:"provider"`
	GameCode      string               `json:"gameCode"`
	TxnID         string               `json:"txnId"`
	Token         string               `json:"token"`
	Amount        int64                `json:"amount"`
	CreatedAt     int64                `json:"createdAt"`
	UpdatedAt     int64                `json:"updatedAt"`
}

func routeOf(s seamless.Route) routeBody {
	return routeBody{
		ID: s.ID, TransactionID: s.TransactionID, Leg: s.Leg, Status: s.Status, Wallet: string(s.Wallet), AgentCode: s.Agent,
		SiteEndpoint: s.Site, Provider: s.Provider, GameCode: s.Game, TxnID: s.SiteTxnID, Token: string(s.Token),
		Amount: int64(s.Amount), CreatedAt: millis(s.At), UpdatedAt: millis(s.UpdatedAt),
	}
}

// routeStatuses are the statuses of routes, and "open" for all of which something
// is still to be done.
func routeStatuses() []string {
	all := []string{"open"}
	for _, status := range seamless.RouteStatuses() {
		all = append(all, string(status))
	}
	return all
}

func (a *API) listRoutes(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	filter := ports.RouteFilter{Agent: f.text("agentCode")}
	switch status := f.choice("status", routeStatuses()...); status {
	case "open":
		filter.Open = true
	default:
		filter.Status = seamless.RouteStatus(status)
	}
	if f.err != nil {
		return answer{}, f.err
	}
	found, err := a.casino.ForwardedRoutes(r.context(), r.caller, filter, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Routes   []routeBody `json:"routes"`
		listInfo `json:",inline"`
	}{each(found.Routes, routeOf), listOf(wanted, found.PageInfo)}), nil
}

func (a *API) orderRoute(r *request) (answer, error) {
	f := r.body("action", "reason")
	action := f.text("action")
	if action != "resend" && action != "close" {
		f.refuse("action", "must be resend or close")
	}
	word := app.RouteWord{ID: r.params["id"], Resend: action == "resend", Reason: f.reason()}
	if f.err != nil {
		return answer{}, f.err
	}
	ordered, err := a.casino.OrderRoute(r.context(), r.caller, word)
	return ok(struct {
		Route routeBody `json:"route"`
	}{routeOf(ordered)}), err
}
