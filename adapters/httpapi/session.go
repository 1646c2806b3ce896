package httpapi

import (
	"math"
	"net/http"

	"github.com/casino-service/casino/app"
)

// agentCodeMax is the longest operator code, in characters.
const agentCodeMax = 64

type sessionBody struct {
	Token     string `json:"token"`
	Wallet    string `json:"wallet"`
	ExpiresAt int64  `json:"expiresAt"`
}

func (a *API) login(r *request) (answer, error) {
	f := r.body("wallet", "timestamp", "signature", "agentCode")
	request := app.SignInRequest{
		Wallet:    f.wallet(),
		Timestamp: f.integer("timestamp", 0, math.MaxInt64),
		Signature: f.signature(),
		AgentCode: f.limited("agentCode", agentCodeMax),
		RequestID: r.caller.RequestID,
	}
	if f.err != nil {
		return answer{}, f.err
	}
	session, err := a.casino.SignIn(r.context(), request)
	if err != nil {
		return answer{}, err
	}
	return ok(sessionBody{Token: session.Token, Wallet: string(session.Wallet), ExpiresAt: millis(session.ExpiresAt)}), nil
}

func (a *API) logout(r *request) (answer, error) {
	if f := r.optionalBody(); f.err != nil {
		return answer{}, f.err
	}
	return answer{status: http.StatusNoContent}, a.casino.SignOut(r.context(), r.caller)
}
