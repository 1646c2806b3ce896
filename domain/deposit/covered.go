package deposit

import "github.com/casino-service/casino/domain/event"

// Covered is what blocks cover of the claim.
func (c Claim) Covered() event.Event {
	return event.New(event.Deposit, c.ID, c.Wallet,
		event.Text("token", c.Token), event.Text("signature", c.Signature), event.Text("status", c.Status), event.Int("amount", c.Amount),
		event.Text("reason", c.Reason), event.Time("createdAt", c.CreatedAt), event.Time("updatedAt", c.UpdatedAt))
}
