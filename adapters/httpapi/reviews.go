package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

func reviewOf(t seamless.Transaction) api.ProviderReview {
	return api.ProviderReview{
		ID: t.ID, Wallet: string(t.Wallet), AgentCode: t.Agent, Provider: t.Provider, GameCode: t.Game, TxnID: t.TxnID,
		Token: string(t.Token), Amount: int64(t.Win), Reason: t.Reason, CreatedAt: millis(t.At),
	}
}

func (a *API) listReviews(r *request) (answer, error) {
	return list[struct{}, seamless.Transaction, api.ProviderReview]{
		page: func(ctx context.Context, _ struct{}, page ports.Page) ([]seamless.Transaction, ports.PageInfo, error) {
			found, err := a.casino.Providers.ProviderReviews(ctx, r.caller, page)
			return found.Transactions, found.PageInfo, err
		},
		row: reviewOf,
		body: func(rows []api.ProviderReview, info api.PageInfo) any {
			return api.ProviderReviewPage{Reviews: rows, PageInfo: info}
		},
	}.serve(a, r)
}

func (a *API) decideReview(r *request) (answer, error) {
	f := r.body()
	decision := providers.ReviewDecision{ID: r.params["id"], Pay: f.Bool("pay"), Reason: f.Reason()}
	if f.Err != nil {
		return answer{}, f.Err
	}
	decided, err := a.casino.Providers.DecideProviderReview(r.ctx, r.caller, decision)
	if decided.Approval != nil {
		return awaitsApproval(*decided.Approval, false), err
	}
	return ok(api.DecidedReview{Review: reviewOf(decided.Transaction), Paid: decision.Pay, Balance: int64(decided.Balance)}), err
}
