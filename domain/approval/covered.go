package approval

import "github.com/casino-service/casino/domain/event"

// Covered is what blocks cover of the request.
func (a Approval) Covered() event.Event {
	return event.New(event.Request, a.ID, a.Wallet,
		event.Text("kind", a.Kind), event.Text("agent", a.Agent), event.Text("token", a.Token), event.Int("amount", a.Amount),
		event.Text("signature", a.Signature), event.Text("reason", a.Reason), event.Text("by", a.By), event.Text("status", a.Status),
		event.Time("createdAt", a.CreatedAt), event.Time("expiresAt", a.ExpiresAt),
		event.Text("decidedBy", a.DecidedBy), event.Time("decidedAt", a.DecidedAt))
}
