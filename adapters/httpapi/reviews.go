package httpapi

import (
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/seamless"
)

// reviewBody is a provider's win that waits for a person.
type reviewBody struct {
	ID        string          `json:"id"`
	Wallet    string          `json:"wallet"`
	AgentCode string          `json:"agentCode"`
	Provider  string          `json:"provider"`
	GameCode  string          `json:"gameCode"`
	TxnID     string          `json:"txnId"`
	Token     string          `json:"token"`
	Amount    int64           `json:"amount"`
	Reason    seamless.Reason `json:"reason"`
	CreatedAt int64           `json:"createdAt"`
}

func reviewOf(t seamless.Transaction) reviewBody {
	return reviewBody{
		ID: t.ID, Wallet: string(t.Wallet), AgentCode: t.Agent, Provider: t.Provider, GameCode: t.Game, TxnID: t.TxnID,
		Token: string(t.Token), Amount: int64(t.Win), Reason: t.Reason, CreatedAt: millis(t.At),
	}
}

func (a *API) listReviews(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	if f.err != nil {
		return answer{}, f.err
	}
	found, err := a.casino.ProviderReviews(r.context(), r.caller, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Reviews  []reviewBody `json:"reviews"`
		listInfo `json:",inline"`
	}{each(found.Transactions, reviewOf), listOf(wanted, found.PageInfo)}), nil
}

func (a *API) decideReview(r *request) (answer, error) {
	f := r.body("pay", "reason")
	word := app.ReviewWord{ID: r.params["id"], Pay: f.boolean("pay"), Reason: f.reason()}
	if f.err != nil {
		return answer{}, f.err
	}
	decided, err := a.casino.DecideProviderReview(r.context(), r.caller, word)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Review  reviewBody `json:"review"`
		Paid    bool       `json:"paid"`
		Balance int64      `json:"balance"`
	}{reviewOf(decided.Transaction), word.Pay, int64(decided.Balance)}), nil
}
