package game

import (
	"slices"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
)

// RoundInputs is what anyone needs to recompute a round once its server seed is
// revealed.
type RoundInputs struct {
	GameType string
	// Rules is the version that the round was played by; empty is the one offered.
	Rules string
	// Config may leave out what has a default.
	Config Value
	// ServerSeed is the revealed seed as text.
	ServerSeed string
	ClientSeed string
	Nonce      int64
	// Actions are those of a round that was played step by step, in their order; nil for
	// one that was decided in one call.
	Actions []Value
}

// Commitment is the hash in hexadecimal that must have been published before the round.
func (c RoundInputs) Commitment() string {
	return fairness.ServerSeedFromText(c.ServerSeed).Commitment()
}

// seedTextMax is the longest server seed that Verify takes. Ours have 64
// characters, other houses' 32; there is no reason to hash more.
const seedTextMax = 128

// Verify recomputes a round from its claim and returns the result and the
// commitment that must have been published before it. It is the derivation that
// decides real rounds: Prepare, fairness.NewStream, Play; of a round that was played
// step by step Begin, fairness.NewStream, Replay, Settle. The multiplier is of
// everything that was staked.
//
// Faults name the field: "gameType" (InvalidGame; Invalid where it isn't played that
// way), "rules", "config.…", "serverSeed", "clientSeed", "nonce" and "actions…"
// (Invalid), in this order; a round that isn't ended by its actions is refused by
// "actions". Any other error is Play's or Replay's: the draws make the game break
// down, and such a round is void.
func (r *Registry) Verify(c RoundInputs) (result Result, commitment string, err error) {
	g, err := r.Rules(c.GameType, c.Rules)
	if err != nil {
		return Result{}, "", err
	}
	plan, steps, err := c.planned(g)
	if err != nil {
		return Result{}, "", err
	}
	if len(c.ServerSeed) == 0 || len(c.ServerSeed) > seedTextMax {
		return Result{}, "", fault.Field("serverSeed", "must be 1–%d characters", seedTextMax)
	}
	clientSeed, err := fairness.ParseClientSeed(c.ClientSeed)
	if err != nil {
		return Result{}, "", err
	}
	if c.Nonce < 0 {
		return Result{}, "", fault.Field("nonce", "must not be negative")
	}
	seed := fairness.ServerSeedFromText(c.ServerSeed)
	draws := func() Draws { return fairness.NewStream(seed, clientSeed, c.Nonce) }
	if steps != nil {
		result, err = replayed(steps, draws, c.Actions)
	} else {
		result, err = Play(plan, draws())
		result.Wagers = wagersOf(plan)
	}
	if err != nil {
		return Result{}, "", err
	}
	return result, seed.Commitment(), nil
}

// planned accepts the round's config, in the way that it was played.
func (c RoundInputs) planned(g Game) (plan Plan, steps Steps, err error) {
	if c.Actions == nil {
		plan, err = Prepare(g, c.Config, 0)
	} else {
		steps, err = Begin(g, c.Config, 0)
	}
	return plan, steps, err
}

// ActionsOf returns the actions of a list, as a round has them that was played step by
// step: nil for the absent value. Anything else is a fault of kind Invalid that names
// "actions". What they are is looked at when they are replayed.
func ActionsOf(list Value) ([]Value, error) {
	switch {
	case list.kind == Absent:
		return nil, nil
	case list.kind != ListKind:
		return nil, fault.Field("actions", "must be a list")
	case list.Len() > StepsMax:
		return nil, fault.Field("actions", "must be at most %d", StepsMax)
	}
	return slices.AppendSeq(make([]Value, 0, list.Len()), list.Items()), nil
}

// replayed folds a round to its end.
func replayed(steps Steps, draws func() Draws, actions []Value) (Result, error) {
	states, err := Replay(steps, draws, actions)
	if err != nil {
		return Result{}, err
	}
	end := states[len(states)-1]
	if !end.Ended {
		return Result{}, fault.Field("actions", "are not all: the round goes on after them")
	}
	return Settle(end), nil
}
