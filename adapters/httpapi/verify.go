package httpapi

import (
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/game"
)

// verify recomputes a round; it looks nothing up, so it tells nobody's seeds.
func (a *API) verify(r *request) (answer, error) {
	f := r.body("gameType", "rules", "config", "serverSeed", "clientSeed", "nonce")
	claim := game.Claim{GameType: f.text("gameType"), Rules: f.limited("rules", nameBytesMax), Config: f.config(), ServerSeed: f.text("serverSeed")}
	if seed := f.clientSeed(true); seed != nil {
		claim.ClientSeed = *seed
	}
	claim.Nonce = f.integer("nonce", 0, math.MaxInt64)
	if f.err != nil {
		return answer{}, f.err
	}
	result, commitment, err := a.casino.VerifyRound(claim)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Outcome        jsontext.Value `json:"outcome"`
		Multiplier     jsontext.Value `json:"multiplier"`
		ServerSeedHash string         `json:"serverSeedHash"`
	}{valueJSON(result.Outcome), ratioJSON(result.Multiplier), commitment}), nil
}
