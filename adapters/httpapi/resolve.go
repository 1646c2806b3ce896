package httpapi

import (
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/deposit"
)

func (a *API) resolveDeposit(r *request) (answer, error) {
	f := r.body()
	wanted := deposits.ResolveRequest{Signature: f.Text("signature")}
	if err := deposit.CheckSignature(wanted.Signature); err != nil {
		f.Fail(err)
	}
	wanted.Token = f.Token()
	if f.Has("wallet") {
		wanted.Wallet = f.Wallet()
	}
	wanted.Reason = f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	done, err := a.casino.Deposits.ResolveDeposit(r.ctx, r.caller, wanted)
	if err != nil {
		return answer{}, err
	}
	if done.Approval != nil {
		return awaitsApproval(*done.Approval, false), nil
	}
	body := api.ResolvedDeposit{
		Signature: done.Signature, Token: string(done.Token), Status: string(done.Status), Wallet: orNull(string(done.Wallet)),
	}
	if done.Amount > 0 {
		amount := int64(done.Amount)
		body.Amount = &amount
	}
	return ok(api.ResolvedResponse{Deposit: body}), nil
}
