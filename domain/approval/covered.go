package approval

import (
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Covered is what blocks cover of the request.
func (a Approval) Covered() event.Event {
	return event.New(event.Request, a.ID, a.Wallet,
		event.Text("kind", a.Kind), event.Text("agent", a.Agent), event.Text("token", a.Token), event.Int("amount", a.Amount),
		event.Text("reference", a.Reference), event.Text("reason", a.Reason), event.Text("by", a.By), event.Text("status", a.Status),
		event.Time("createdAt", a.CreatedAt), event.Time("expiresAt", a.ExpiresAt),
		event.Text("decidedBy", a.DecidedBy), event.Time("decidedAt", a.DecidedAt))
}

// FromCovered reads back what Covered wrote.
func FromCovered(e event.Event) Approval {
	return Approval{
		ID: e.ID, By: wallet.Address(e.Value("by")), Agent: e.Value("agent"), Status: Status(e.Value("status")),
		Request: Request{
			Kind: Kind(e.Value("kind")), Wallet: e.Wallet, Token: money.Token(e.Value("token")), Amount: e.Number("amount"),
			Reference: e.Value("reference"), Reason: e.Value("reason"),
		},
		CreatedAt: e.At("createdAt"), ExpiresAt: e.At("expiresAt"),
		DecidedBy: wallet.Address(e.Value("decidedBy")), DecidedAt: e.At("decidedAt"),
	}
}
