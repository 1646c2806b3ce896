package reads

import (
	"context"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
)

// pairsHeld is how many pairs a walk through blocks remembers, twice as many at most;
// pairsAtOnce is how many it asks for at a time.
const (
	pairsHeld   = 20_000
	pairsAtOnce = 500
)

// drawnFrom are the pairs that rounds of a walk were drawn from. Rounds of a pair lie near
// each other: a pair is read once where a join would find it for each round.
type drawnFrom struct{ newer, older map[string]fairness.Revealed }

func (d *drawnFrom) pair(id string) (p fairness.Revealed, known bool) {
	if p, known = d.newer[id]; known {
		return p, true
	}
	if p, known = d.older[id]; known {
		d.add(id, p)
	}
	return p, known
}

func (d *drawnFrom) add(id string, p fairness.Revealed) {
	if len(d.newer) >= pairsHeld || d.newer == nil {
		d.newer, d.older = map[string]fairness.Revealed{}, d.newer
	}
	d.newer[id] = p
}

// drawn completes rounds with what their pairs tell, and returns the server seeds of those
// pairs that are revealed, by pair. A round whose pair is missing, or one that no round can
// have been drawn from yet, stays without: its content is then not what its block covers.
func (r *Reads) drawn(ctx context.Context, known *drawnFrom, rounds []*bet.Round) (map[string]string, error) {
	found, revealed := map[string]fairness.Revealed{}, map[string]string{}
	var missing []string
	for _, round := range rounds {
		if _, seen := found[round.PairID]; seen {
			continue
		}
		p, here := known.pair(round.PairID)
		if found[round.PairID] = p; !here {
			missing = append(missing, round.PairID)
		}
	}
	for some := range slices.Chunk(missing, pairsAtOnce) {
		ids := make([]any, len(some))
		for i, id := range some {
			ids[i] = r.db.Dialect.ID(id)
		}
		if err := from(r, rows.DrawnFrom).where("p.state <> 'next'").in("p.id", ids).each(ctx, "read pairs of rounds", func(p fairness.Revealed) error {
			found[p.ID] = p
			known.add(p.ID, p)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	for _, round := range rounds {
		p := found[round.PairID]
		round.Commitment, round.ClientSeed, round.ClientSource = p.Commitment, p.ClientSeed, p.ClientSource
		if p.ServerSeed != "" {
			revealed[round.PairID] = p.ServerSeed
		}
	}
	return revealed, nil
}
