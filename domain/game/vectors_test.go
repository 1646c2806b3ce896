package game_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

// decode reads JSON as a Value, decimals exact and members in order.
func decode(t testing.TB, raw []byte) game.Value {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	v := decodeNext(t, decoder)
	if _, err := decoder.Token(); err != io.EOF {
		t.Fatalf("more than one value in %s", raw)
	}
	return v
}

func decodeNext(t testing.TB, decoder *json.Decoder) game.Value {
	t.Helper()
	token, err := decoder.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token := token.(type) {
	case bool:
		return game.Bool(token)
	case string:
		return game.Text(token)
	case json.Number:
		v, ok := game.ParseNumber(token.String())
		if !ok {
			t.Fatalf("number %q", token)
		}
		return v
	}
	var members []game.Member
	var items []game.Value
	for decoder.More() {
		if token == json.Delim('{') {
			name, _ := decoder.Token()
			members = append(members, game.Member{Name: name.(string), Value: decodeNext(t, decoder)})
		} else {
			items = append(items, decodeNext(t, decoder))
		}
	}
	if closing, _ := decoder.Token(); closing == json.Delim('}') {
		return game.Object(members...)
	}
	return game.List(items...)
}

// numbers turns texts that are decimals in a checked-in config into numbers.
func numbers(t testing.TB, config game.Value) game.Value {
	t.Helper()
	var members []game.Member
	for name, v := range config.Members() {
		if number, ok := game.ParseNumber(v.Text()); ok {
			v = number
		}
		members = append(members, game.Member{Name: name, Value: v})
	}
	return game.Object(members...)
}

func standard(t testing.TB) *game.Registry {
	t.Helper()
	registry, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// Another implementation, in another language, made testdata/rounds.json.
func TestGamesAgreeWithNode(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/rounds.json")
	if err != nil {
		t.Fatal(err)
	}
	var rounds []struct {
		Game, ServerSeed, Commitment, ClientSeed, Multiplier string
		Nonce                                                int64
		Config, Outcome                                      json.RawMessage
	}
	if err := json.Unmarshal(raw, &rounds); err != nil {
		t.Fatal(err)
	}
	registry := standard(t)
	seen, bonuses := map[string]int{}, 0
	for _, r := range rounds {
		seen[r.Game]++
		result, commitment, err := registry.Verify(game.RoundInputs{
			GameType: r.Game, Config: numbers(t, decode(t, r.Config)),
			ServerSeed: r.ServerSeed, ClientSeed: r.ClientSeed, Nonce: r.Nonce,
		})
		if err != nil || commitment != r.Commitment {
			t.Fatalf("%s nonce %d: commitment %s, %v", r.Game, r.Nonce, commitment, err)
		}
		if want := decode(t, r.Outcome); !sameJSON(result.Outcome, want) {
			t.Errorf("%s %s nonce %d:\n got %v\nwant %v", r.Game, r.Config, r.Nonce, result.Outcome, want)
		}
		if result.Multiplier.String() != r.Multiplier {
			t.Errorf("%s %s nonce %d pays %s, want %s", r.Game, r.Config, r.Nonce, result.Multiplier, r.Multiplier)
		}
		if result.Outcome.Get("freeSpins").Len() > 0 {
			bonuses++
		}
	}
	for name, want := range map[string]int{
		"dice": 48, "limbo": 36, "crash": 36, "coinflip": 36, "slots": 25, "mines": 48, "plinko": 48, "keno": 48, "wheel": 36,
		"roulette": 36, "diamonds": 24, "baccarat": 36, "dragontower": 60, "hilo": 48,
	} {
		if seen[name] != want {
			t.Errorf("%d rounds of %s, want %d", seen[name], name, want)
		}
	}
	if bonuses != 6 {
		t.Errorf("%d rounds with free spins, want 6", bonuses)
	}
}
