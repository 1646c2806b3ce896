package httpapi

import (
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

func balanceOf(b ports.TokenBalance) api.Balance {
	return api.Balance{Token: string(b.Token), Balance: int64(b.Amount)}
}

func (a *API) balance(r *request) (answer, error) {
	balances, err := a.casino.Accounts.Balances(r.ctx, r.caller)
	return ok(api.BalancesResponse{Balances: each(balances, balanceOf)}), err
}

// deposit answers 200 with the balance for a credited claim and 202 without for
// one that waits.
func (a *API) deposit(r *request) (answer, error) {
	f := r.body()
	signature := f.Text("signature")
	if err := deposit.CheckSignature(signature); err != nil {
		f.Fail(err)
	}
	mint := f.Token()
	if f.Err != nil {
		return answer{}, f.Err
	}
	claimed, err := a.casino.Deposits.Deposit(r.ctx, r.caller, signature, mint)
	if err != nil {
		return answer{}, err
	}
	body := api.Deposited{Transaction: transactionOf(ports.DepositLine(claimed.Claim))}
	if claimed.Claim.Status != deposit.Credited {
		return answer{status: http.StatusAccepted, body: body}, nil
	}
	body.Balance = (*int64)(&claimed.Balance)
	return ok(body), nil
}

func (a *API) depositTransaction(r *request) (answer, error) {
	f := r.body()
	mint, amount := f.Token(), f.Amount("amount")
	if f.Err != nil {
		return answer{}, f.Err
	}
	built, err := a.casino.Deposits.DepositTransaction(r.ctx, r.caller, mint, money.Amount(amount))
	return ok(api.DepositTransaction{Transaction: built.Transaction, LastValidBlockHeight: int64(built.LastValidHeight)}), err
}
