package httpapi

import (
	"net/http"
	"net/netip"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/ports"
)

type agentBody struct {
	ID           string         `json:"id"`
	AgentCode    string         `json:"agentCode"`
	AgentName    string         `json:"agentName"`
	Status       agent.Status   `json:"status"`
	RTP          jsontext.Value `json:"rtp"`
	Percent      jsontext.Value `json:"percent"`
	SiteEndpoint *string        `json:"siteEndpoint"`
	IPAllowlist  []string       `json:"ipAllowlist"`
	Memo         *string        `json:"memo"`
	Funds        []fundsBody    `json:"funds"`
	CreatedAt    int64          `json:"createdAt"`
	UpdatedAt    int64          `json:"updatedAt"`
}

func agentOf(a agent.Agent, funds []ports.FundsLine) agentBody {
	return agentBody{
		ID: a.ID, AgentCode: a.Code, AgentName: a.Name, Status: a.Status,
		RTP: jsontext.Value(a.RTP.String()), Percent: jsontext.Value(a.Share.String()),
		SiteEndpoint: orNull(a.SiteEndpoint), IPAllowlist: each(a.IPAllowlist, networkOf), Memo: orNull(a.Memo),
		Funds:     each(funds, fundsOf),
		CreatedAt: millis(a.CreatedAt), UpdatedAt: millis(a.UpdatedAt),
	}
}

// networkOf writes a network of one address as the address.
func networkOf(p netip.Prefix) string {
	if p.IsSingleIP() {
		return p.Addr().String()
	}
	return p.String()
}

func (a *API) listAgents(r *request) (answer, error) {
	all, err := a.casino.Agents(r.context(), r.caller)
	if err != nil {
		return answer{}, err
	}
	funds, err := a.casino.OperatorFunds(r.context(), r.caller)
	return ok(struct {
		Agents []agentBody `json:"agents"`
	}{each(all, func(one agent.Agent) agentBody { return agentOf(one, funds[one.Code]) })}), err
}

// agentNames are the members of an agent that may be set.
var agentNames = []string{"agentName", "status", "rtp", "percent", "siteEndpoint", "ipAllowlist", "memo"}

// allowlistMax is how many networks a body may name.
const allowlistMax = 64

func (f *fields) agentWish() app.AgentWish {
	w := app.AgentWish{Name: f.optionalText("agentName")}
	if text := f.optionalText("status"); text != nil {
		status := agent.Status(*text)
		w.Status = &status
	}
	w.RTP, w.Share = f.percent("rtp"), f.percent("percent")
	w.SiteEndpoint = f.textOrNull("siteEndpoint")
	if _, given := f.values["ipAllowlist"]; given {
		networks := []netip.Prefix{}
		for _, value := range f.list("ipAllowlist", allowlistMax) {
			text, isText := unquote(value)
			network, err := agent.ParseNetwork(text)
			if !isText || err != nil {
				f.refuse("ipAllowlist", "must hold addresses or networks such as 192.0.2.0/24")
			}
			networks = append(networks, network)
		}
		w.IPAllowlist = &networks
	}
	w.Memo = f.textOrNull("memo")
	return w
}

type credentialsBody struct {
	Agent  agentBody `json:"agent"`
	Token  string    `json:"token"`
	Secret string    `json:"secret"`
}

func credentialsOf(a agentBody, c agent.Credentials) credentialsBody {
	return credentialsBody{Agent: a, Token: c.Token.Reveal(), Secret: c.Secret.Reveal()}
}

func (a *API) createAgent(r *request) (answer, error) {
	f := r.body(append([]string{"agentCode"}, agentNames...)...)
	code := f.text("agentCode")
	f.take("agentName")
	wish := f.agentWish()
	if f.err != nil {
		return answer{}, f.err
	}
	made, credentials, err := a.casino.CreateAgent(r.context(), r.caller, code, wish)
	return answer{status: http.StatusCreated, body: credentialsOf(agentOf(made, nil), credentials)}, err
}

func (a *API) changeAgent(r *request) (answer, error) {
	f := r.body(agentNames...)
	wish := f.agentWish()
	if f.err == nil && len(f.names) == 0 {
		f.refuse("body", "must change something")
	}
	if f.err != nil {
		return answer{}, f.err
	}
	changed, err := a.casino.ChangeAgent(r.context(), r.caller, r.params["id"], wish)
	if err != nil {
		return answer{}, err
	}
	body, err := a.funded(r, changed)
	return ok(struct {
		Agent agentBody `json:"agent"`
	}{body}), err
}

func (a *API) deleteAgent(r *request) (answer, error) {
	if f := r.optionalBody(); f.err != nil {
		return answer{}, f.err
	}
	return answer{status: http.StatusNoContent}, a.casino.DeleteAgent(r.context(), r.caller, r.params["id"])
}

func (a *API) rotateCredentials(r *request) (answer, error) {
	if f := r.optionalBody(); f.err != nil {
		return answer{}, f.err
	}
	changed, credentials, err := a.casino.RotateCredentials(r.context(), r.caller, r.params["id"])
	if err != nil {
		return answer{}, err
	}
	body, err := a.funded(r, changed)
	return ok(credentialsOf(body, credentials)), err
}

type shareBody struct {
	Date      string         `json:"date"`
	AgentCode string         `json:"agentCode"`
	Token     string         `json:"token"`
	Rounds    int64          `json:"rounds"`
	Wagered   jsontext.Value `json:"wagered"`
	Paid      jsontext.Value `json:"paid"`
	GGR       jsontext.Value `json:"ggr"`
	Percent   jsontext.Value `json:"percent"`
	Share     jsontext.Value `json:"share"`
}

func (a *API) revenueShare(r *request) (answer, error) {
	f := r.filters()
	days, code := int(f.integer("days", daysDefault, app.DaysMax)), f.text("agentCode")
	if f.err != nil {
		return answer{}, f.err
	}
	rows, err := a.casino.RevenueShare(r.context(), r.caller, days, code)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Days   int         `json:"days"`
		Shares []shareBody `json:"shares"`
	}{days, each(rows, func(s app.ShareRow) shareBody {
		return shareBody{
			Date: s.Day, AgentCode: s.Agent, Token: string(s.Token), Rounds: s.Rounds, Wagered: total(s.Wagered), Paid: total(s.Paid),
			GGR: total(s.GGR()), Percent: jsontext.Value(s.Percent.String()), Share: jsontext.Value(s.Share.String()),
		}
	})}), nil
}

type providerGame struct {
	GameCode  string  `json:"gameCode"`
	Provider  string  `json:"provider"`
	Name      string  `json:"name"`
	Type      string  `json:"type"`
	Banner    *string `json:"banner"`
	Enabled   bool    `json:"enabled"`
	Vanished  bool    `json:"vanished"`
	UpdatedAt int64   `json:"updatedAt"`
}

func providerGameOf(g catalog.Game) providerGame {
	return providerGame{
		GameCode: g.Code, Provider: g.Provider, Name: g.Name, Type: g.Type, Banner: orNull(g.Banner), Enabled: g.Enabled,
		Vanished: g.Vanished, UpdatedAt: millis(g.UpdatedAt),
	}
}

func (a *API) providerGames(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	filter := ports.GameFilter{Provider: f.text("provider"), Query: f.text("q")}
	if text := f.choice("enabled", "true", "false"); text != "" {
		enabled := text == "true"
		filter.Enabled = &enabled
	}
	if f.err != nil {
		return answer{}, f.err
	}
	found, err := a.casino.ProviderGames(r.context(), r.caller, filter, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Games    []providerGame `json:"games"`
		listInfo `json:",inline"`
	}{each(found.Games, providerGameOf), listOf(wanted, found.PageInfo)}), nil
}

func (a *API) switchGame(r *request) (answer, error) {
	f := r.body("enabled")
	enabled := f.boolean("enabled")
	if f.err != nil {
		return answer{}, f.err
	}
	switched, err := a.casino.SwitchGame(r.context(), r.caller, r.params["gameCode"], enabled)
	return ok(struct {
		Game providerGame `json:"game"`
	}{providerGameOf(switched)}), err
}
