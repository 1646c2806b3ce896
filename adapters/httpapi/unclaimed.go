package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

func (a *API) listUnclaimed(r *request) (answer, error) {
	return list[ports.UnclaimedFilter, ports.UnclaimedBalance, api.UnclaimedBalance]{
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
		body: func(rows []api.UnclaimedBalance, info api.PageInfo) any {
			return api.UnclaimedPage{Unclaimed: rows, PageInfo: info}
		},
	}.serve(a, r)
}

func (a *API) assignUnclaimed(r *request) (answer, error) {
	f := r.body()
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
	assigned.Replayed = false // the same request again is no repeat under a key
	return adjustedAnswer(assigned), nil
}
