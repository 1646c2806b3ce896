package chaos_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// byNonce sorts rounds by the nonce of their opening.
func byNonce(rounds []*held) []*held {
	return slices.SortedFunc(slices.Values(rounds), func(a, b *held) int { return int(a.drawn().nonce - b.drawn().nonce) })
}

// drawn is the facts a round is drawn from, by its first answer.
type drawn struct {
	commitment, clientSeed string
	nonce                  int64
	config                 json.RawMessage
}

func (h *held) drawn() drawn {
	if o := h.states[0].Open; o != nil {
		return drawn{o.ServerSeedHash, o.ClientSeed, o.Nonce, o.Config}
	}
	e := h.states[0].Ended
	return drawn{*e.ServerSeedHash, *e.ClientSeed, *e.Nonce, e.Config}
}

// folds computes a round again from the revealed seeds, and compares every answer to it with the
// computed state.
func (h *held) folds(seeds api.RevealedSeed, nonce int64) error {
	from, end := h.drawn(), h.states[len(h.states)-1].Ended
	seed := fairness.ServerSeedFromText(seeds.ServerSeed)
	if from.nonce != nonce || from.commitment != seed.Commitment() || from.clientSeed != seeds.ClientSeed || *end.Nonce != nonce {
		return fmt.Errorf("nonce %d of the pair %s, drawn as %+v", nonce, seeds.ServerSeedHash, from)
	}
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return err
	}
	rules, err := games.Game(h.game)
	if err != nil {
		return err
	}
	config, err := valueOf(from.config)
	if err != nil {
		return err
	}
	steps, err := game.Begin(rules, config, money.Amount(h.wager))
	if err != nil {
		return err
	}
	actions, err := valueOf(end.Actions)
	if err != nil {
		return err
	}
	taken := make([]game.Value, actions.Len())
	for i := range taken {
		taken[i] = actions.At(i)
	}
	states, err := game.Replay(steps, func() game.Draws { return fairness.NewStream(seed, from.clientSeed, nonce) }, taken)
	if err != nil {
		return err
	}
	if len(states) != len(h.states) || !states[len(states)-1].Ended {
		return fmt.Errorf("%d answers, %d states", len(h.states), len(states))
	}
	for i, state := range states {
		answered := h.states[i].Ended
		shown := json.RawMessage(nil)
		if answered != nil {
			shown = answered.Outcome
		} else {
			shown = h.states[i].Open.Shown
		}
		value, err := valueOf(shown)
		if err != nil || !value.Equal(state.Shown) {
			return fmt.Errorf("step %d showed %s, the seeds decide %v (%w)", i, shown, state.Shown, err)
		}
	}
	payout, ok := money.Amount(h.stake).Times(game.Settle(states[len(states)-1]).Multiplier)
	if !ok || int64(payout) != end.Payout {
		return fmt.Errorf("it paid %d, the seeds decide %d", end.Payout, payout)
	}
	return nil
}

// valueOf reads a value of a config, an action or a shown state.
func valueOf(text json.RawMessage) (game.Value, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return nextValue(decoder)
}

func nextValue(from *json.Decoder) (game.Value, error) {
	token, err := from.Token()
	if err != nil {
		return game.Value{}, err
	}
	switch of := token.(type) {
	case bool:
		return game.Bool(of), nil
	case string:
		return game.Text(of), nil
	case json.Number:
		if number, ok := game.ParseNumber(of.String()); ok {
			return number, nil
		}
	case json.Delim:
		if of == '[' {
			return listOf(from)
		}
		return objectOf(from)
	}
	return game.Value{}, fmt.Errorf("%v is no value", token)
}

func listOf(from *json.Decoder) (game.Value, error) {
	var items []game.Value
	for from.More() {
		item, err := nextValue(from)
		if err != nil {
			return game.Value{}, err
		}
		items = append(items, item)
	}
	_, err := from.Token()
	return game.List(items...), err
}

func objectOf(from *json.Decoder) (game.Value, error) {
	var members []game.Member
	for from.More() {
		name, err := from.Token()
		if err != nil {
			return game.Value{}, err
		}
		text, ok := name.(string)
		if !ok {
			return game.Value{}, errors.New("a member without a name")
		}
		value, err := nextValue(from)
		if err != nil {
			return game.Value{}, err
		}
		members = append(members, game.Member{Name: text, Value: value})
	}
	_, err := from.Token()
	return game.Object(members...), err
}
