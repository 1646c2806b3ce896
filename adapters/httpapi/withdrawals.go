package httpapi

import (
	"net/http"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/withdrawal"
)

type withdrawalBody struct {
	ID                 string            `json:"id"`
	Wallet             string            `json:"wallet"`
	Token              string            `json:"token"`
	Amount             int64             `json:"amount"`
	Fee                int64             `json:"fee"`
	Destination        string            `json:"destination"`
	DestinationIsOwner bool              `json:"destinationIsOwner"`
	Status             withdrawal.Status `json:"status"`
	Approvals          int               `json:"approvals"`
	Signature          *string           `json:"signature"`
	Reason             *string           `json:"reason"`
	Note               *string           `json:"note"`
	CreatedAt          int64             `json:"createdAt"`
	UpdatedAt          int64             `json:"updatedAt"`
}

func withdrawalOf(w withdrawal.Withdrawal) withdrawalBody {
	return withdrawalBody{
		ID: w.ID, Wallet: string(w.Wallet), Token: string(w.Token), Amount: int64(w.Amount), Fee: int64(w.Fee),
		Destination: w.Destination, DestinationIsOwner: w.Destination == string(w.Wallet),
		Status: w.Status, Approvals: len(w.Approvals),
		Signature: orNull(w.Signature), Reason: orNull(w.Reason), Note: orNull(w.Note),
		CreatedAt: millis(w.CreatedAt), UpdatedAt: millis(w.UpdatedAt),
	}
}

type withdrawalAndBalance struct {
	Withdrawal withdrawalBody `json:"withdrawal"`
	Balance    int64          `json:"balance"`
}

func (a *API) withdraw(r *request) (answer, error) {
	f := r.body("amount", "token", "destination")
	wanted := app.WithdrawRequest{Amount: f.amount("amount"), Token: f.token(), Destination: f.text("destination")}
	wanted.Idempotency = r.idempotency(f)
	if f.err != nil {
		return answer{}, f.err
	}
	made, err := a.casino.Withdraw(r.context(), r.caller, wanted)
	return answer{
		status: http.StatusCreated, replayed: made.Replayed,
		body: withdrawalAndBalance{withdrawalOf(made.Withdrawal), int64(made.Balance)},
	}, err
}

func (a *API) cancelWithdrawal(r *request) (answer, error) {
	if f := r.optionalBody(); f.err != nil {
		return answer{}, f.err
	}
	done, err := a.casino.CancelWithdrawal(r.context(), r.caller, r.params["id"])
	return ok(withdrawalAndBalance{withdrawalOf(done.Withdrawal), int64(done.Balance)}), err
}
