package httpapi

import (
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/deposit"
)

// resolvedDeposit is a deposit after a person's word.
type resolvedDeposit struct {
	Signature string  `json:"signature"`
	Token     string  `json:"token"`
	Status    string  `json:"status"`
	Wallet    *string `json:"wallet"`
	Amount    *int64  `json:"amount"`
}

func (a *API) resolveDeposit(r *request) (answer, error) {
	f := r.body("signature", "token", "wallet", "reason")
	wanted := app.ResolveRequest{Signature: f.text("signature")}
	if err := deposit.CheckSignature(wanted.Signature); f.err == nil && err != nil {
		f.fail(err)
	}
	wanted.Token = f.token()
	if _, given := f.values["wallet"]; given {
		wanted.Wallet = f.wallet()
	}
	f.take("reason")
	wanted.Reason = f.limited("reason", reasonMax)
	if f.err != nil {
		return answer{}, f.err
	}
	done, err := a.casino.ResolveDeposit(r.context(), r.caller, wanted)
	if err != nil {
		return answer{}, err
	}
	if done.Asked != nil {
		return asked(*done.Asked, false), nil
	}
	body := resolvedDeposit{
		Signature: done.Signature, Token: string(done.Token), Status: string(done.Status), Wallet: orNull(string(done.Wallet)),
	}
	if done.Amount > 0 {
		amount := int64(done.Amount)
		body.Amount = &amount
	}
	return ok(struct {
		Deposit resolvedDeposit `json:"deposit"`
	}{body}), nil
}
