package wire

import (
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// approvalAnswer is an approval request as it is kept with a unique key.
type approvalAnswer struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	Wallet    string `json:"wallet,omitzero"`
	Token     string `json:"token,omitzero"`
	Amount    int64  `json:"amount,omitzero"`
	Reference string `json:"reference,omitzero"`
	Reason    string `json:"reason,omitzero"`
	Agent     string `json:"agent,omitzero"`
	By        string `json:"by"`
	Status    string `json:"status"`
	CreatedAt int64  `json:"createdAt"`
	ExpiresAt int64  `json:"expiresAt"`
	DecidedBy string `json:"decidedBy,omitzero"`
	DecidedAt int64  `json:"decidedAt,omitzero"`
}

func ofApproval(a approval.Approval) *approvalAnswer {
	kept := &approvalAnswer{
		ID: a.ID, Kind: string(a.Kind), Wallet: string(a.Wallet), Token: string(a.Token), Amount: a.Amount,
		Reference: a.Reference, Reason: a.Reason, Agent: a.Agent, By: string(a.By), Status: string(a.Status),
		CreatedAt: a.CreatedAt.UnixMicro(), ExpiresAt: a.ExpiresAt.UnixMicro(), DecidedBy: string(a.DecidedBy),
	}
	if !a.DecidedAt.IsZero() {
		kept.DecidedAt = a.DecidedAt.UnixMicro()
	}
	return kept
}

func (a *approvalAnswer) approval() *approval.Approval {
	made := &approval.Approval{
		ID: a.ID, Agent: a.Agent, By: wallet.Address(a.By), Status: approval.Status(a.Status),
		Request: approval.Request{
			Kind: approval.Kind(a.Kind), Wallet: wallet.Address(a.Wallet), Token: money.Token(a.Token), Amount: a.Amount,
			Reference: a.Reference, Reason: a.Reason,
		},
		CreatedAt: moment(a.CreatedAt), ExpiresAt: moment(a.ExpiresAt), DecidedBy: wallet.Address(a.DecidedBy),
	}
	if a.DecidedAt != 0 {
		made.DecidedAt = moment(a.DecidedAt)
	}
	return made
}
