package audit

import (
	"context"
	"slices"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
)

// drawn is a nonce that a round used.
type drawn struct {
	pair, round string
	nonce       int64
}

// openedNonces returns the nonces of the rounds that a block opened, in order.
func (a *Auditor) openedNonces(at place, c hashchain.Content) (all []drawn) {
	for _, e := range c.Events {
		if e.Kind != event.OpenRound || e.Was != "" {
			continue
		}
		if bet.SharedIn(e) != (bet.Shared{}) {
			a.checkCrashOpening(at, e)
			continue
		}
		pair, nonce, ok := bet.DrawnFrom(e)
		if !ok {
			a.addFinding("%s: open round %s names no nonce", at, e.ID)
			continue
		}
		all = append(all, drawn{pair, e.ID, nonce})
		a.checkBound(at, e)
	}
	return all
}

// checkBound compares the bound of an opened round with the published function.
func (a *Auditor) checkBound(at place, e event.Event) {
	open, ok := bet.FromCovered(e)
	if !ok {
		return // reported where its actions are folded
	}
	rules, err := a.games.Rules(open.GameType, open.Rules)
	if err == nil {
		err = open.CheckBound(rules)
	}
	if err != nil {
		a.addFinding("%s: open round %s: %v", at, e.ID, err)
	}
}

// blockNonces adds the nonces of a block. Its rounds and its openings are separate lists in
// the block's order; this merges the openings of a pair by their nonces.
func (a *Auditor) blockNonces(at place, c hashchain.Content) error {
	opened := a.openedNonces(at, c)
	take := func(d drawn) error { return a.addNonce(at, c.Epoch, d) }
	for i := range c.Rounds {
		r := &c.Rounds[i]
		if r.Stepped() {
			continue
		}
		for len(opened) > 0 {
			first := slices.IndexFunc(opened, func(d drawn) bool { return d.pair == r.PairID })
			if first < 0 || opened[first].nonce > r.Nonce {
				break
			}
			if err := take(opened[first]); err != nil {
				return err
			}
			opened = slices.Delete(opened, first, first+1)
		}
		if err := take(drawn{r.PairID, r.ID, r.Nonce}); err != nil {
			return err
		}
	}
	for _, d := range opened {
		if err := take(d); err != nil {
			return err
		}
	}
	return nil
}

// checkStepped checks a stepped round: its theory, and, once its seed is revealed, that
// folding the rules gives its result and every state that was shown.
func (a *Auditor) checkStepped(ctx context.Context, at place, r *bet.Round) error {
	rules, err := a.games.Rules(r.GameType, r.Rules)
	var steps game.Steps
	if err == nil {
		steps, err = game.Begin(rules, r.Config, 0)
	}
	if err != nil {
		a.addFinding("%s: round %s: %v", at, r.ID, err)
		return nil
	}
	if !r.Void {
		if r.Theory, err = bet.TheoryOf(steps, bet.Open{Actions: r.Actions}.Taken(), r.Outcome); err != nil {
			a.addFinding("%s: round %s: %v", at, r.ID, err)
			return nil
		}
	}
	if err := a.addRoundFigure(at, *r); err != nil {
		return err
	}
	seed, err := a.seedOf(ctx, r.PairID)
	if err != nil || seed == "" || r.Void {
		return err
	}
	a.report.Recomputed++
	server := fairness.ServerSeedFromText(seed)
	folded, err := bet.Fold(*r, steps, server)
	switch {
	case err != nil:
		a.addFinding("%s: round %s can't be recomputed: %v", at, r.ID, err)
		return nil
	case server.Commitment() != r.Commitment:
		a.addFinding("%s: round %s: the revealed seed is not the one committed to", at, r.ID)
	case !folded.Result.Outcome.Equal(r.Outcome) || folded.Payout != r.Payout || !folded.Result.Wagers.Allow(r.Wager):
		a.addFinding("%s: round %s does not match its seeds", at, r.ID)
	}
	return a.addFolded(r.ID, folded.Shown)
}

// addFolded adds the states that an open round must have shown.
func (a *Auditor) addFolded(round string, states []string) error {
	return a.addRecord(thingKey(event.Event{Kind: event.OpenRound, ID: round}), foldRecord, func(p *packed) {
		p.integer(int64(len(states)))
		for _, shown := range states {
			p.text(shown)
		}
	})
}

// couldBegin reports whether the round's rules accept its config.
func (a *Auditor) couldBegin(r *bet.Round) bool {
	rules, err := a.games.Rules(r.GameType, r.Rules)
	if err == nil {
		_, err = game.Begin(rules, r.Config, 0)
	}
	return err == nil
}

// foldRecord has the states that an open round must have shown after each action.
const foldRecord = 's'

// checkShown compares the states in an open round's events with those folded from its
// seeds, if they are revealed.
func (g *thingGroup) checkShown(a *Auditor) {
	for i, shown := range g.shown {
		if g.folded != nil && !slices.Contains(g.folded, shown) {
			a.addFinding("%s %s: shown state %d does not match its seeds", g.kind, g.id, i+1)
		}
	}
	if n := len(g.folded); n > 0 && len(g.shown) > 0 && !slices.Contains(g.shown, g.folded[n-1]) {
		a.addFinding("%s %s: it ended in a state that was never shown", g.kind, g.id)
	}
}
