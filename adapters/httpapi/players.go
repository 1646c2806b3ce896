package httpapi

import (
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/ports"
)

func badAddress(name string) error {
	return fault.Field(name, "must be the base58 of an Ed25519 public key")
}

type playerBody struct {
	Wallet    string              `json:"wallet"`
	AgentCode string              `json:"agentCode"`
	Status    protection.Standing `json:"status"`
	CreatedAt int64               `json:"createdAt"`
}

func (a *API) playerOf(p player.Player) playerBody {
	return playerBody{
		Wallet: string(p.Wallet), AgentCode: p.Agent, Status: p.Protection.Standing(a.casino.Clock.Now()), CreatedAt: millis(p.CreatedAt),
	}
}

func balanceOf(b ports.TokenBalance) balanceBody {
	return balanceBody{Token: string(b.Token), Balance: int64(b.Amount)}
}

func (a *API) listPlayers(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	filter := ports.PlayerFilter{Wallet: f.wallet(), Agent: f.text("agentCode")}
	if f.err != nil {
		return answer{}, f.err
	}
	found, err := a.casino.AdminPlayers(r.context(), r.caller, filter, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Players  []playerBody `json:"players"`
		listInfo `json:",inline"`
	}{each(found.Players, a.playerOf), listOf(wanted, found.PageInfo)}), nil
}

type playerDetails struct {
	playerBody      `json:",inline"`
	Exclusion       exclusionBody    `json:"exclusion"`
	Limits          []limitBody      `json:"limits"`
	Balances        []balanceBody    `json:"balances"`
	OpenWithdrawals []withdrawalBody `json:"openWithdrawals"`
}

func (a *API) adminPlayer(r *request) (answer, error) {
	found, err := a.casino.AdminPlayer(r.context(), r.caller, r.params["wallet"])
	if err != nil {
		return answer{}, err
	}
	return ok(playerDetails{
		playerBody: a.playerOf(found.Player), Exclusion: a.exclusionOf(found.Protection), Limits: limitsOf(found.Protection),
		Balances: each(found.Balances, balanceOf), OpenWithdrawals: each(found.OpenWithdrawals, withdrawalOf),
	}), nil
}

func (a *API) adminBalances(r *request) (answer, error) {
	balances, err := a.casino.AdminBalances(r.context(), r.caller, r.params["user"])
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Wallet   string        `json:"wallet"`
		Balances []balanceBody `json:"balances"`
	}{r.params["user"], each(balances, balanceOf)}), nil
}

// rebind binds a player to another operator.
func (a *API) rebind(r *request) (answer, error) {
	f := r.body("agentCode", "reason")
	f.take("agentCode")
	agent := f.limited("agentCode", agentCodeMax)
	reason := f.reason()
	if f.err != nil {
		return answer{}, f.err
	}
	found, err := a.casino.Rebind(r.context(), r.caller, r.params["wallet"], agent, reason)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Player playerBody `json:"player"`
	}{a.playerOf(found)}), nil
}
