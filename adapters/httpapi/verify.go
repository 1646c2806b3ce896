package httpapi

import (
	"math"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/game"
)

// rulesNameMax is the longest name of a game's rules, in characters.
const rulesNameMax = 64

// verify recomputes a round; it looks nothing up, so it reveals nobody's seeds.
func (a *API) verify(r *request) (answer, error) {
	f := r.body()
	claim := game.RoundInputs{GameType: f.Text("gameType"), Rules: f.Limited("rules", rulesNameMax), Config: f.Config(), ServerSeed: f.Text("serverSeed")}
	if seed := f.ClientSeed(true); seed != nil {
		claim.ClientSeed = *seed
	}
	claim.Nonce = f.Integer("nonce", 0, math.MaxInt64)
	if f.Err != nil {
		return answer{}, f.Err
	}
	result, commitment, err := a.casino.VerifyRound(claim)
	if err != nil {
		return answer{}, err
	}
	return ok(api.Verified{Outcome: valueJSON(result.Outcome), Multiplier: ratio(result.Multiplier), ServerSeedHash: commitment}), nil
}
