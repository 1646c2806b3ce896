package httpapi

import (
	"math"
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app"
)

// agentCodeMax is the longest agent code, in characters.
const agentCodeMax = 64

func (a *API) login(r *request) (answer, error) {
	f := r.body()
	request := app.SignInRequest{
		Wallet:    f.Wallet(),
		Timestamp: f.Integer("timestamp", 0, math.MaxInt64),
		Signature: f.Signature(),
		AgentCode: f.Limited("agentCode", agentCodeMax),
		RequestID: r.caller.RequestID,
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	session, err := a.casino.SignIn(r.ctx, request)
	if err != nil {
		return answer{}, err
	}
	return ok(api.Session{Token: session.Token, Wallet: string(session.Wallet), ExpiresAt: millis(session.ExpiresAt)}), nil
}

func (a *API) logout(r *request) (answer, error) {
	if f := r.noBody(); f.Err != nil {
		return answer{}, f.Err
	}
	return answer{status: http.StatusNoContent}, a.casino.SignOut(r.ctx, r.caller)
}
