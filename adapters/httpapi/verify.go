package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
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
	var refused error
	if claim.Actions, refused = game.ActionsOf(f.Value("actions")); refused != nil {
		f.Fail(refused)
	}
	var expected *game.Expected
	f.Object("expected", expectedNames, func(inner *parse.Fields) { expected = expectedOf(inner) })
	if f.Err != nil {
		return answer{}, f.Err
	}
	result, commitment, err := a.casino.VerifyRound(claim)
	if err != nil {
		return answer{}, err
	}
	body := api.Verified{Outcome: valueJSON(result.Outcome), Multiplier: ratio(result.Multiplier), ServerSeedHash: commitment}
	if expected != nil {
		differences := append([]string{}, expected.Differences(result, commitment)...)
		matches := len(differences) == 0
		body.Matches, body.Differences = &matches, differences
	}
	return ok(body), nil
}

var expectedNames = []string{"serverSeedHash", "outcome", "multiplier", "wager", "payout"}

func isHash(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == sha256.Size && strings.ToLower(text) == text
}

// expectedOf reads what a round is said to have been.
func expectedOf(f *parse.Fields) *game.Expected {
	e := &game.Expected{Outcome: f.Value("outcome"), Multiplier: f.Value("multiplier")}
	if hash := f.OptionalText("serverSeedHash"); hash != nil {
		if e.Commitment = *hash; !isHash(*hash) {
			f.Refuse("serverSeedHash", "must be %d hexadecimal digits in lower case", 2*sha256.Size)
		}
	}
	if f.Null("outcome") || f.Has("outcome") && e.Outcome.Kind() != game.ObjectKind {
		f.Refuse("outcome", "must be an object: a void round drew nothing")
	}
	if f.Has("multiplier") && (e.Multiplier.Kind() != game.NumberKind || strings.ContainsAny(e.Multiplier.NumberText(), "eE")) {
		f.Refuse("multiplier", "must be a number without an exponent")
	}
	if f.Has("wager") {
		wager := money.Amount(f.Amount("wager"))
		e.Wager = &wager
	}
	if f.Has("payout") {
		payout := money.Amount(f.AmountFrom("payout", 0))
		e.Payout = &payout
		f.Need("wager")
	}
	return e
}
