package game_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
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
	for name, want := range map[string]int{"dice": 48, "limbo": 36, "crash": 36, "coinflip": 36, "slots": 25} {
		if seen[name] != want {
			t.Errorf("%d rounds of %s, want %d", seen[name], name, want)
		}
	}
	if bonuses != 6 {
		t.Errorf("%d rounds with free spins, want 6", bonuses)
	}
}

// published is one row of the field's published rounds.
type published struct {
	Scheme, ServerSeed, ClientSeed, GameHash, Salt string
	Nonce                                          int64
	Expected                                       json.RawMessage
}

// Published rounds are reproduced when the environment says where they are. The
// rows are counted, so that none is passed over in silence.
func TestPublishedVectors(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("CASINO_TEST_VECTORS")
	if folder == "" {
		t.Skip("CASINO_TEST_VECTORS is not set: the folder of fairness.json, published rounds of other houses") // allowed: the published rounds are not part of the repository
	}
	raw, err := os.ReadFile(filepath.Join(folder, "fairness.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []published }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for i, row := range file.Vectors {
		reproduce, ours := map[string]func(*testing.T, published) string{
			"stake.dice": reproduceDice, "stake.limbo.v2": reproduceLimbo,
			"stake.crash": reproduceCrash, "stake.flip": reproduceFlips,
		}[row.Scheme]
		if !ours {
			continue
		}
		seen[row.Scheme]++
		var want string
		if err := json.Unmarshal(row.Expected, &want); err != nil || want == "" {
			t.Fatalf("row %d: %s", i, row.Expected)
		}
		if got := reproduce(t, row); got != want {
			t.Errorf("row %d, %s: %s, published %s", i, row.Scheme, got, want)
		}
	}
	for scheme, want := range map[string]int{"stake.dice": 62, "stake.limbo.v2": 10, "stake.crash": 10, "stake.flip": 10} {
		if seen[scheme] != want {
			t.Errorf("%d rows of %s, want %d", seen[scheme], scheme, want)
		}
	}
	t.Logf("reproduced: %v", seen)
}

func reproduceDice(t *testing.T, row published) string {
	t.Helper()
	result := prepare(t, game.Dice()).Play(stream(row.ServerSeed, row.ClientSeed, row.Nonce))
	return result.Outcome.Get("roll").NumberText()
}

func reproduceLimbo(t *testing.T, row published) string {
	t.Helper()
	result := prepare(t, game.Limbo()).Play(stream(row.ServerSeed, row.ClientSeed, row.Nonce))
	return result.Outcome.Get("multiplier").NumberText()
}

// reproduceCrash takes the draw from the chain of game hashes that the published
// game used: HMAC(key = hash as text, message = salt).
func reproduceCrash(t *testing.T, row published) string {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(row.GameHash))
	mac.Write([]byte(row.Salt))
	result := play(prepare(t, game.Crash()), binary.BigEndian.Uint32(mac.Sum(nil)))
	return result.Outcome.Get("crash").NumberText()
}

func reproduceFlips(t *testing.T, row published) string {
	t.Helper()
	result := prepare(t, game.Coinflip(), "flips", 20).Play(stream(row.ServerSeed, row.ClientSeed, row.Nonce))
	text := ""
	for flip := range result.Outcome.Get("flips").Items() {
		text += map[string]string{"heads": "H", "tails": "T"}[flip.Text()]
	}
	return text
}
