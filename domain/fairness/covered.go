package fairness

import (
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/wallet"
)

// Seed pairs are covered when they are committed to, when they become active, when they
// close and when they retire. The nonces between are their rounds'.

// Covered is what blocks cover of a wallet's next seed.
func (n NextSeed) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, n.ID, w, event.Text("state", NextState), event.Text("commitment", n.Commitment))
}

// Covered is what blocks cover of a wallet's active pair.
func (p Pair) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, p.ID, w, event.Text("state", ActiveState), event.Text("commitment", p.Commitment),
		event.Text("clientSeed", p.ClientSeed), event.Text("clientSource", p.ClientSource.String()), event.Text("next", p.Next.ID),
		event.Int("epoch", p.Epoch), event.Time("since", p.Since))
}

// Covered is what blocks cover of a wallet's closing pair.
func (c Closing) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, c.ID, w, event.Text("state", ClosingState), event.Text("commitment", c.Commitment),
		event.Text("clientSeed", c.ClientSeed), event.Text("clientSource", c.ClientSource.String()), event.Text("next", c.NextID),
		event.Int("epoch", c.Epoch), event.Int("rounds", c.Nonce), event.Time("since", c.Since))
}

// Covered is what blocks cover of a wallet's retired pair; next is the one after it. Of
// the seed they cover the hash that a commitment is: that of the text itself, so that it
// is compared where the pair has no rounds too.
func (r Revealed) Covered(w wallet.Address, next string) event.Event {
	return event.New(event.Pair, r.ID, w, event.Text("state", RetiredState), event.Text("commitment", r.Commitment),
		event.Text("clientSeed", r.ClientSeed), event.Text("clientSource", r.ClientSource.String()), event.Text("next", next),
		event.Text("revealed", ServerSeedFromText(r.ServerSeed).Commitment()), event.Int("rounds", r.Rounds),
		event.Time("since", r.Since))
}

// PairState is what blocks cover of a pair, read back: its seed is never there.
type PairState struct {
	ID         string
	State      string // next, active, closing or retired
	Commitment string
	// ClientSeed and its source are of an active pair, a closing and a retired one.
	ClientSeed   string
	ClientSource ClientSource
	// Next is the pair after it, Rounds how many a closing or a retired one had.
	Next   string
	Rounds int64
	Since  time.Time
}

// The states.
const (
	NextState    = "next"
	ActiveState  = "active"
	ClosingState = "closing"
	RetiredState = "retired"
)

// FromCovered reads back what Covered wrote of a pair in any state.
func FromCovered(e event.Event) PairState {
	source, _ := ParseClientSource(e.Value("clientSource"))
	return PairState{
		ID: e.ID, State: e.Value("state"), Commitment: e.Value("commitment"), ClientSeed: e.Value("clientSeed"), ClientSource: source,
		Next: e.Value("next"), Rounds: e.Number("rounds"), Since: e.At("since"),
	}
}
