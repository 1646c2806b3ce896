package httpapi

import (
	"math"
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/domain/session"
)

// agentCodeMax is the longest agent code, in characters.
const agentCodeMax = 64

func (a *API) login(r *request) (answer, error) {
	f := r.body()
	request := accounts.SignInRequest{
		Wallet:    f.Wallet(),
		Timestamp: f.Integer("timestamp", 0, math.MaxInt64),
		Signature: f.Signature(),
		AgentCode: f.Limited("agentCode", agentCodeMax),
		RequestID: r.caller.RequestID,
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	opened, err := a.casino.Accounts.SignIn(r.ctx, request)
	if err != nil {
		return answer{}, err
	}
	return ok(api.Session{Token: opened.Token, Wallet: string(opened.Wallet), ExpiresAt: millis(opened.ExpiresAt)}), nil
}

func (a *API) logout(r *request) (answer, error) {
	if f := r.noBody(); f.Err != nil {
		return answer{}, f.Err
	}
	return answer{status: http.StatusNoContent}, a.casino.Accounts.SignOut(r.ctx, r.caller)
}

func (a *API) playSession(r *request) (answer, error) {
	began, played, err := a.casino.Accounts.PlaySession(r.ctx, r.caller)
	return ok(api.PlaySessionResponse{StartedAt: millis(began), Tokens: each(played, playedOf)}), err
}

func playedOf(p session.Played) api.PlayedToken {
	return api.PlayedToken{
		Token: string(p.Token), Rounds: p.Rounds, Wagered: total(p.Wagered), Won: total(p.Won), Net: total(p.Net()), NetDeposits: total(p.Deposited),
	}
}
