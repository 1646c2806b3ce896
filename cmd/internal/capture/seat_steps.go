package capture

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/game"
)

// playSteps plays an open round to its end with random choices among the offered actions.
// If a further stake is refused, it chooses an action without one. It returns the ended round.
func (s *seat) playSteps(ctx context.Context, number int, stands api.Stepped) (*api.Round, error) {
	staking := true
	for stands.Open != nil {
		open := *stands.Open
		action, err := drawChoice(jsontext.Value(open.Choices), s.actions, staking)
		if err != nil {
			return nil, fmt.Errorf("round %s of %s: %w", open.ID, open.GameType, err)
		}
		asked := &Asked{GameType: open.GameType, Actions: []jsontext.Value{action}}
		err = s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) (err error) {
			stands, err = c.Step(ctx, open.ID, api.StepRequest{Step: open.Step, Action: action})
			return err
		})
		var refused *client.Error
		switch {
		case err == nil:
			staking = true
			if err := s.writeLine(Line{Line: lineStep, Config: number, Asked: asked}); err != nil {
				return nil, err
			}
		case staking && errors.As(err, &refused) && tooMuch(refused.Code):
			staking, stands = false, api.Stepped{Open: &open}
			if err := s.writeLine(Line{Line: lineRefused, Config: number, Asked: asked, Status: refused.Status}); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("step %d of round %s of %s, %s: %w", open.Step, open.ID, open.GameType, action, err)
		}
	}
	return stands.Ended, nil
}

// choice is an action that a round offers.
type choice struct {
	Action map[string]jsontext.Value `json:"action"`
	Fields schema                    `json:"fields"`
	Stake  int64                     `json:"stake"`
}

// schema is the part of JSON Schema that the service uses.
type schema struct {
	Type        string            `json:"type"`
	Enum        []jsontext.Value  `json:"enum"`
	Minimum     int64             `json:"minimum"`
	Maximum     int64             `json:"maximum"`
	Items       *schema           `json:"items"`
	MinItems    int               `json:"minItems"`
	MaxItems    int               `json:"maxItems"`
	UniqueItems bool              `json:"uniqueItems"`
	Properties  map[string]schema `json:"properties"`
}

// drawChoice draws one of the choices, and a value for each of its fields. Without staking
// it excludes choices with a further stake.
func drawChoice(offered jsontext.Value, draws game.Draws, staking bool) (jsontext.Value, error) {
	var all, choices []choice
	if err := json.Unmarshal(offered, &all); err != nil {
		return nil, fmt.Errorf("its choices can't be read: %w", err)
	}
	for _, c := range all {
		if staking || c.Stake == 0 {
			choices = append(choices, c)
		}
	}
	if len(choices) == 0 {
		return nil, errors.New("it is open and offers no possible action")
	}
	chosen := choices[draws.Pick(uint32(len(choices)))]
	for _, name := range slices.Sorted(maps.Keys(chosen.Fields.Properties)) {
		of := chosen.Fields.Properties[name]
		if _, constant := chosen.Action[name]; constant {
			continue
		}
		value, err := of.drawValue(draws)
		if err != nil {
			return nil, fmt.Errorf("its choice %s: %w", name, err)
		}
		chosen.Action[name] = value
	}
	return json.Marshal(chosen.Action, json.Deterministic(true))
}

// drawValue draws a value that the schema allows.
func (s schema) drawValue(draws game.Draws) (jsontext.Value, error) {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[draws.Pick(uint32(len(s.Enum)))], nil
	case s.Type == "boolean":
		return json.Marshal(draws.Pick(2) == 1)
	case s.Type == "integer" && s.Maximum >= s.Minimum && s.Maximum-s.Minimum < 1<<31:
		return json.Marshal(s.Minimum + int64(draws.Pick(uint32(s.Maximum-s.Minimum+1))))
	case s.Type == "array" && s.Items != nil && s.MaxItems >= s.MinItems:
		return s.drawList(draws)
	}
	return nil, fmt.Errorf("values of the type %q can't be drawn", s.Type)
}

// itemTries is the maximum number of draws for an item that isn't in the list yet.
const itemTries = 1000

func (s schema) drawList(draws game.Draws) (jsontext.Value, error) {
	items := make([]jsontext.Value, 0, s.MaxItems)
	seen := map[string]bool{}
	length := s.MinItems + int(draws.Pick(uint32(s.MaxItems-s.MinItems+1)))
	for range itemTries {
		if len(items) == length {
			break
		}
		item, err := s.Items.drawValue(draws)
		if err != nil {
			return nil, err
		}
		if s.UniqueItems && seen[string(item)] {
			continue
		}
		seen[string(item)] = true
		items = append(items, item)
	}
	return json.Marshal(items)
}
