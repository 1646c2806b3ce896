package verifier

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// RoundBytesMax is the maximum size of a round for ReadRound.
const RoundBytesMax = 1 << 20

// ErrNotRevealed rejects a round whose server seed is not yet revealed.
var ErrNotRevealed = errors.New("the server seed is not revealed yet: rotate the seeds and take the round again from GET /history/{id}")

// ErrNotOurs rejects a round drawn by a game provider, under its own rules.
var ErrNotOurs = errors.New("a game provider has drawn the round: it has no seeds to recompute it from")

// Round is a round as the API returns it.
type Round struct {
	ID             string         `json:"id"`
	GameType       string         `json:"gameType"`
	Rules          string         `json:"rules"`
	Wager          *money.Amount  `json:"wager"`
	Payout         *money.Amount  `json:"payout"`
	Multiplier     jsontext.Value `json:"multiplier"`
	Config         jsontext.Value `json:"config"`
	Outcome        jsontext.Value `json:"outcome"`
	ServerSeedHash *string        `json:"serverSeedHash"`
	ServerSeed     *string        `json:"serverSeed"`
	ClientSeed     *string        `json:"clientSeed"`
	// ClientSeedSource is "player", "server" or "repeated"; empty where it isn't stated.
	ClientSeedSource string `json:"clientSeedSource"`
	Nonce            *int64 `json:"nonce"`
	// Actions lists the actions of a round played step by step; null or empty for a round
	// decided in one call.
	Actions jsontext.Value `json:"actions"`
	// Opened has the values at the opening of a stepped round, nil if the file lacks them.
	Opened *Opened `json:"-"`
}

// Opened holds the values that determine the bound of a stepped round.
type Opened struct {
	ID        string         `json:"id"`
	Wager     money.Amount   `json:"wager"`
	Asked     jsontext.Value `json:"asked"`
	MaxPayout money.Amount   `json:"maxPayout"`
}

// ReadRound reads a round from JSON: the response of GET /history/{id}, or the round in it.
// The member opened may hold the response of POST /rounds, or the round in it. Other members
// are ignored.
func ReadRound(text []byte) (Round, error) {
	if len(text) > RoundBytesMax {
		return Round{}, fmt.Errorf("a round has at most %d bytes", RoundBytesMax)
	}
	var file struct {
		Round
		Inner  *Round `json:"round"`
		Opened *struct {
			Opened
			Inner *Opened `json:"round"`
		} `json:"opened"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return Round{}, fmt.Errorf("no round: %w", err)
	}
	round := file.Round
	if file.Inner != nil {
		round = *file.Inner
	}
	if opened := file.Opened; opened != nil {
		if round.Opened = &opened.Opened; opened.Inner != nil {
			round.Opened = opened.Inner
		}
	}
	return round, nil
}

// Void reports whether the stake was returned because no outcome could be drawn.
func (r Round) Void() bool { return r.Outcome.Kind() == 'n' }

// Difference is a field in which the round differs from its recomputation.
type Difference struct {
	Name     string // as in the round's JSON
	Said, Is string // JSON, or a text
}

// Compare recomputes a round with the code that drew it and returns the differences, none
// if the round is correct. For a void round it compares only the refund. Faults are
// ErrNotOurs, ErrNotRevealed and those of game.Registry.Verify.
func Compare(games *game.Registry, r Round) ([]Difference, error) {
	claim, err := r.inputs()
	if err != nil {
		return nil, err
	}
	expected := game.Expected{Commitment: *r.ServerSeedHash, Wager: r.Wager, Payout: r.Payout}
	if expected.Outcome, err = wire.DecodeValue(r.Outcome); err != nil {
		return nil, fmt.Errorf("outcome: %w", err)
	}
	if expected.Multiplier, err = wire.DecodeValue(r.Multiplier); err != nil {
		return nil, fmt.Errorf("multiplier: %w", err)
	}
	result, commitment := game.Refund(), claim.Commitment()
	if !r.Void() {
		if result, _, err = games.Verify(claim); err != nil {
			return nil, err
		}
	}
	differences, err := r.compareBound(games, claim)
	if err != nil {
		return nil, err
	}
	named := expected.Differences(result, commitment)
	for _, one := range []Difference{
		{"serverSeedHash", expected.Commitment, commitment},
		{"outcome", string(r.Outcome), string(wire.EncodeValue(result.Outcome))},
		{"multiplier", string(r.Multiplier), result.Multiplier.NumberText()},
		{"wager", fmt.Sprint(*r.Wager), result.Wagers.Text()},
		{"payout", fmt.Sprint(*r.Payout), paidText(*r.Wager, result.Multiplier)},
	} {
		if slices.Contains(named, one.Name) {
			differences = append(differences, one)
		}
	}
	return differences, nil
}

// inputs returns the inputs for recomputing the round, or why it can't be recomputed.
func (r Round) inputs() (game.RoundInputs, error) {
	switch {
	case r.GameType == "":
		return game.RoundInputs{}, errors.New("no round: it has no gameType")
	case r.ServerSeedHash == nil && r.ServerSeed == nil:
		return game.RoundInputs{}, ErrNotOurs
	case r.ServerSeed == nil:
		return game.RoundInputs{}, ErrNotRevealed
	case r.Rules == "" || r.ClientSeed == nil || r.Nonce == nil || r.Wager == nil || r.Payout == nil || r.Multiplier.Kind() != '0' || r.Outcome == nil || r.ServerSeedHash == nil:
		return game.RoundInputs{}, errors.New("no round: rules, clientSeed, nonce, wager, payout, multiplier, outcome and serverSeedHash are all needed")
	}
	if _, err := fairness.ParseServerSeed(*r.ServerSeed); err != nil {
		return game.RoundInputs{}, err
	}
	return RoundInputs{
		GameType: r.GameType, Rules: r.Rules, Config: r.Config, ServerSeed: *r.ServerSeed, ClientSeed: *r.ClientSeed, Nonce: *r.Nonce,
		Actions: r.Actions,
	}.toDomain()
}

// compareBound compares the config with the one that follows from the opening.
func (r Round) compareBound(games *game.Registry, claim game.RoundInputs) ([]Difference, error) {
	if r.Opened == nil {
		return nil, nil
	}
	rules, err := games.Rules(claim.GameType, claim.Rules)
	if err != nil {
		return nil, err
	}
	asked, err := wire.DecodeValue(r.Opened.Asked)
	if err != nil {
		return nil, fmt.Errorf("opened.asked: %w", err)
	}
	if r.Opened.ID != r.ID {
		return nil, errors.New("opened: belongs to another round")
	}
	steps, err := bet.OpenedSteps(rules, asked, r.Opened.Wager, r.Opened.MaxPayout)
	if err != nil {
		return nil, fmt.Errorf("opened: %w", err)
	}
	took, err := game.Begin(rules, claim.Config, r.Opened.Wager)
	if err != nil {
		return nil, err
	}
	if !took.Config().Equal(steps.Config()) {
		return []Difference{{"config", string(r.Config), string(wire.EncodeValue(steps.Config()))}}, nil
	}
	return nil, nil
}

// Notes returns sentences for people: what the round doesn't prove, and what a void round's
// seeds would have paid.
func (r Round) Notes(games *game.Registry) (notes []string) {
	if r.Void() {
		claim, err := r.inputs()
		var result game.Result
		if err == nil {
			result, _, err = games.Verify(claim)
		}
		note := game.VoidNote(result.Multiplier, r.Wager)
		if err != nil {
			note = "The round is void: its stake was returned. What its seeds would have paid can't be told: " + err.Error()
		}
		notes = append(notes, note)
	}
	if source, known := fairness.ParseClientSource(r.ClientSeedSource); known && source.Unproven() != "" {
		notes = append(notes, source.Unproven())
	}
	if r.isBounded(games) && r.Opened == nil {
		notes = append(notes, "What was asked for at the opening isn't in the file: whether the round's bound is the published one was not checked (docs/fairness/steps.md).")
	}
	return notes
}

// isBounded reports whether the round was played step by step in a game that takes a bound.
func (r Round) isBounded(games *game.Registry) bool {
	if r.Actions.Kind() != '[' {
		return false
	}
	steps, err := Steps(games, r.GameType, r.Rules, r.Config, 0)
	_, capped := steps.(game.Capped)
	return err == nil && capped
}

// paidText returns a wager's payout as text.
func paidText(wager money.Amount, multiplier money.Ratio) string {
	payout, fits := wager.Times(multiplier)
	if !fits {
		return "more than can be paid"
	}
	return fmt.Sprint(payout)
}

// Fold recomputes the states of a round played step by step: at its opening, and after each
// action. Faults are those of Compare.
func Fold(games *game.Registry, r Round) ([]game.State, error) {
	if r.ServerSeed == nil {
		return nil, ErrNotRevealed
	}
	if r.ClientSeed == nil || r.Nonce == nil {
		return nil, errors.New("no round: clientSeed and nonce are needed")
	}
	inputs := RoundInputs{
		GameType: r.GameType, Rules: r.Rules, Config: r.Config, ServerSeed: *r.ServerSeed, ClientSeed: *r.ClientSeed, Nonce: *r.Nonce,
		Actions: r.Actions,
	}
	claim, err := inputs.toDomain()
	if err != nil {
		return nil, err
	}
	rules, err := games.Rules(claim.GameType, claim.Rules)
	if err != nil {
		return nil, err
	}
	steps, err := game.Begin(rules, claim.Config, 0)
	if err != nil {
		return nil, err
	}
	seed := fairness.ServerSeedFromText(claim.ServerSeed)
	return game.Replay(steps, func() game.Draws { return fairness.NewStream(seed, claim.ClientSeed, claim.Nonce) }, claim.Actions)
}
