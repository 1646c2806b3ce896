package httpapi

import (
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

func badAddress(name string) error {
	return fault.Field(name, "must be the base58 of an Ed25519 public key")
}

type playerBody struct {
	Wallet    string `json:"wallet"`
	AgentCode string `json:"agentCode"`
	Status    string `json:"status"`
	CreatedAt int64  `json:"createdAt"`
}

func playerOf(p player.Player) playerBody {
	return playerBody{Wallet: string(p.Wallet), AgentCode: p.Agent, Status: "active", CreatedAt: millis(p.CreatedAt)}
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
	}{each(found.Players, playerOf), listOf(wanted, found.PageInfo)}), nil
}

type playerDetails struct {
	playerBody      `json:",inline"`
	Balances        []balanceBody    `json:"balances"`
	OpenWithdrawals []withdrawalBody `json:"openWithdrawals"`
}

func (a *API) adminPlayer(r *request) (answer, error) {
	found, err := a.casino.AdminPlayer(r.context(), r.caller, r.params["wallet"])
	if err != nil {
		return answer{}, err
	}
	return ok(playerDetailsOf(found)), nil
}

func playerDetailsOf(p app.PlayerDetails) playerDetails {
	return playerDetails{
		playerBody: playerOf(p.Player), Balances: each(p.Balances, balanceOf), OpenWithdrawals: each(p.OpenWithdrawals, withdrawalOf),
	}
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
