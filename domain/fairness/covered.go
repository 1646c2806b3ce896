package fairness

import (
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/wallet"
)

// Seed pairs are covered when they are committed to, when they become active and when
// they retire. The nonces between are their rounds'.

// Covered is what blocks cover of a wallet's next seed.
func (n NextSeed) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, n.ID, w, event.Text("state", "next"), event.Text("commitment", n.Commitment))
}

// Covered is what blocks cover of a wallet's active pair.
func (p Pair) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, p.ID, w, event.Text("state", "active"), event.Text("commitment", p.Commitment),
		event.Text("clientSeed", p.ClientSeed), event.Text("clientSource", p.ClientSource.String()), event.Text("next", p.Next.ID),
		event.Int("epoch", p.Epoch), event.Time("since", p.Since))
}

// Covered is what blocks cover of a wallet's retired pair; next is the one after it. Of
// the seed they cover the hash that a commitment is: that of the text itself, so that it
// is compared where the pair has no rounds too.
func (r Revealed) Covered(w wallet.Address, next string) event.Event {
	return event.New(event.Pair, r.ID, w, event.Text("state", "retired"), event.Text("commitment", r.Commitment),
		event.Text("clientSeed", r.ClientSeed), event.Text("clientSource", r.ClientSource.String()), event.Text("next", next),
		event.Text("revealed", ServerSeedFromText(r.ServerSeed).Commitment()), event.Int("rounds", r.Rounds),
		event.Time("since", r.Since))
}
