package game

import (
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
// decides real rounds: Prepare, fairness.NewStream, Play.
//
// Faults name the field: "gameType" (InvalidGame), "rules", "config.…",
// "serverSeed", "clientSeed" and "nonce" (Invalid), in this order. Any other error
// is Play's: the draws make the game break down, and such a round is void.
func (r *Registry) Verify(c RoundInputs) (result Result, commitment string, err error) {
	g, err := r.Rules(c.GameType, c.Rules)
	if err != nil {
		return Result{}, "", err
	}
	plan, err := Prepare(g, c.Config, 0)
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
	result, err = Play(plan, fairness.NewStream(seed, clientSeed, c.Nonce))
	if err != nil {
		return Result{}, "", err
	}
	return result, seed.Commitment(), nil
}
