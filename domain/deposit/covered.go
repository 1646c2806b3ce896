package deposit

import (
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/money"
)

// Covered is what blocks cover of the claim.
func (c Claim) Covered() event.Event {
	return event.New(event.Deposit, c.ID, c.Wallet,
		event.Text("token", c.Token), event.Text("signature", c.Signature), event.Text("status", c.Status), event.Int("amount", c.Amount),
		event.Text("reason", c.Reason), event.Time("createdAt", c.CreatedAt), event.Time("updatedAt", c.UpdatedAt))
}

// FromCovered reads back what Covered wrote.
func FromCovered(e event.Event) Claim {
	return Claim{
		ID: e.ID, Wallet: e.Wallet, Ref: Ref{Signature: e.Value("signature"), Token: money.Token(e.Value("token"))},
		Status: Status(e.Value("status")), Amount: money.Amount(e.Number("amount")), Reason: e.Value("reason"),
		CreatedAt: e.At("createdAt"), UpdatedAt: e.At("updatedAt"),
	}
}
