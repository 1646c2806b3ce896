package httpapi

import (
	"context"
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// depositRoutes returns the routes of deposits and unclaimed money.
func (a *API) depositRoutes() []route {
	return []route{
		{operation.Deposit, players, noWindow, a.deposit},
		{operation.DepositTransaction, players, noWindow, a.depositTransaction},
		{operation.ChainBalance, players, noWindow, a.chainBalance},
		{operation.UnclaimedBalances, admins(rbac.AdminRead), noWindow, a.listUnclaimed},
		{operation.AssignUnclaimed, admins(rbac.BalancesWrite), noWindow, a.assignUnclaimed},
		{operation.ResolveDeposit, admins(rbac.BalancesWrite), noWindow, a.resolveDeposit},
	}
}

// deposit answers 200 with the balance for a credited claim, and 202 without it for a
// waiting claim.
func (a *API) deposit(r *request) (answer, error) {
	f := r.readBody()
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
	body := api.Deposited{Transaction: transactionOf(ports.DepositLine(claimed.Claim)), Receipt: a.issueReceipt(r, claimed.Committed)}
	if claimed.Claim.Status != deposit.Credited {
		return answer{status: http.StatusAccepted, body: body}, nil
	}
	body.Balance = (*int64)(&claimed.Balance)
	return ok(body), nil
}

func (a *API) depositTransaction(r *request) (answer, error) {
	f := r.readBody()
	mint, amount := f.Token(), f.Amount("amount")
	if f.Err != nil {
		return answer{}, f.Err
	}
	built, err := a.casino.Deposits.DepositTransaction(r.ctx, r.caller, mint, money.Amount(amount))
	return ok(api.DepositTransaction{Transaction: built.Transaction, LastValidBlockHeight: int64(built.LastValidHeight)}), err
}

// chainBalance answers null for a balance that isn't known now.
func (a *API) chainBalance(r *request) (answer, error) {
	mint := r.query.Token()
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	held, known, err := a.casino.Deposits.Funds(r.ctx, r.caller, string(mint))
	body := api.ChainBalance{Token: string(mint)}
	if known {
		body.Balance = (*int64)(&held)
	}
	return ok(body), err
}

func (a *API) resolveDeposit(r *request) (answer, error) {
	f := r.readBody()
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

func (a *API) listUnclaimed(r *request) (answer, error) {
	return list[ports.UnclaimedFilter, ports.UnclaimedBalance, api.UnclaimedBalance, api.UnclaimedPage]{
		filter: func(q *parse.Query) ports.UnclaimedFilter {
			return ports.UnclaimedFilter{Wallet: q.Wallet(), Token: q.Token()}
		},
		page: func(ctx context.Context, filter ports.UnclaimedFilter, page ports.Page) ([]ports.UnclaimedBalance, ports.PageInfo, error) {
			found, err := a.casino.Deposits.UnclaimedBalances(ctx, r.caller, filter, page)
			return found.Balances, found.PageInfo, err
		},
		row: func(b ports.UnclaimedBalance) api.UnclaimedBalance {
			return api.UnclaimedBalance{Wallet: string(b.Wallet), Token: string(b.Token), Amount: int64(b.Amount)}
		},
		name: "unclaimed", columns: sheet.Columns[api.UnclaimedBalance](),
	}.servePage(a, r)
}

func (a *API) assignUnclaimed(r *request) (answer, error) {
	f := r.readBody()
	wanted := deposits.AssignRequest{
		Sender: f.Wallet(), To: f.Text("to"), Token: f.Token(), Amount: money.Amount(f.Amount("amount")), Reason: f.Reason(), Evidence: f.Text("evidence"),
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	assigned, err := a.casino.Deposits.AssignUnclaimed(r.ctx, r.caller, wanted)
	if err != nil {
		return answer{}, err
	}
	assigned.Replayed = false // there is no idempotency key
	return adjustedAnswer(assigned), nil
}
