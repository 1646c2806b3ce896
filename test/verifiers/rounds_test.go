package verifiers_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// round is a round as GET /history/{id} returns it.
type round struct {
	game.RoundInputs
	Commitment, Multiplier string
	Outcome                game.Value
	Wager, Payout          money.Amount
}

// maker makes rounds that the seeds decide, from its own seed.
type maker struct {
	*rand.Rand
	registry *game.Registry
	games    []game.Game    // that are decided in one call
	stepped  []game.Stepped // that are played step by step
}

func newMaker(t *testing.T, seed uint64, known map[string]bool) maker {
	t.Helper()
	registry, err := game.NewRegistry(game.House()...)
	noError(t, err)
	m := maker{Rand: rand.New(rand.NewPCG(seed, 0x70797468)), registry: registry}
	for _, g := range registry.Games() {
		if game.AtOnce(g) && known[g.Rules()] {
			m.games = append(m.games, g)
		}
		if by, ok := g.(game.Stepped); ok && known[g.Rules()+" by steps"] {
			m.stepped = append(m.stepped, by)
		}
	}
	return m
}

// round makes a round of any game, decided in one call or played step by step.
func (m maker) round(t *testing.T) round {
	t.Helper()
	at := m.IntN(len(m.games) + len(m.stepped))
	if at >= len(m.games) {
		return m.steppedRound(t, m.stepped[at-len(m.games)])
	}
	g := m.games[at]
	return m.decided(t, game.RoundInputs{GameType: g.Type(), Rules: g.Rules(), Config: m.config(t, g)})
}

// decided fills in the seeds, their result, and a wager.
func (m maker) decided(t *testing.T, inputs game.RoundInputs) round {
	t.Helper()
	r := round{RoundInputs: inputs}
	if r.ServerSeed == "" {
		m.seeds(&r.RoundInputs)
	}
	result, commitment, err := m.registry.Verify(r.RoundInputs)
	if err != nil {
		t.Fatalf("%+v: %v", r.RoundInputs, err)
	}
	r.Commitment, r.Outcome, r.Multiplier = commitment, result.Outcome, m.decimals(t, result.Multiplier.String())
	for paid := false; !paid; {
		r.Wager = m.wager(result.Wagers)
		r.Payout, paid = r.Wager.Times(result.Multiplier)
	}
	return r
}

// wager returns a wager that a round may have.
func (m maker) wager(of game.Wagers) money.Amount {
	if of.Sum > 0 {
		return of.Sum
	}
	times := max(1, of.Stake.Num)
	return money.Amount(uint64(m.number(1, int64(math.MaxInt64/times))) * times)
}

// seeds draws seeds and a nonce.
func (m maker) seeds(inputs *game.RoundInputs) {
	inputs.ServerSeed, inputs.ClientSeed, inputs.Nonce = m.serverSeed(), m.clientSeed(), m.number(0, math.MaxInt64)
}

// config returns a config that can be played, with every field set.
func (m maker) config(t *testing.T, g game.Game) game.Value {
	t.Helper()
	for range 1000 {
		var members []game.Member
		for _, field := range g.Fields() {
			if given := field.Default.Kind() == game.Absent && !field.Optional; given || m.IntN(8) > 0 {
				value := m.value(t, field.Shape)
				if g.Rules() == "roulette/1" {
					value = m.bets()
				}
				members = append(members, game.Member{Name: field.Name, Value: value})
			}
		}
		if plan, err := game.Prepare(g, game.Object(members...), 0); err == nil {
			return plan.Config()
		}
	}
	t.Fatalf("no config of %s that can be played in 1000", g.Rules())
	return game.Value{}
}

// value returns a value of a shape, the limits of a range more often than the rest.
func (m maker) value(t *testing.T, shape game.Shape) game.Value {
	t.Helper()
	switch s := shape.(type) {
	case game.Flag:
		return game.Bool(m.IntN(2) == 0)
	case game.Number:
		return game.Dec(m.number(s.Min, s.Max), s.Decimals)
	case game.Choice:
		return s.Of[m.IntN(len(s.Of))]
	case game.ListOf:
		var items []game.Value
		seen := map[string]bool{}
		for want := s.MinItems + m.IntN(s.MaxItems-s.MinItems+1); len(items) < want; {
			item := m.value(t, s.Item)
			if !s.Distinct || !seen[item.String()] {
				items = append(items, item)
			}
			seen[item.String()] = true
		}
		return game.List(items...)
	case game.Record:
		var members []game.Member
		for _, field := range s.Fields {
			members = append(members, game.Member{Name: field.Name, Value: m.value(t, field.Shape)})
		}
		return game.Object(members...)
	default:
		t.Fatalf("values of %T are unknown here", shape)
		return game.Value{}
	}
}

// number returns a number in least … greatest: a limit, one of few digits, or any.
func (m maker) number(least, greatest int64) int64 {
	switch m.IntN(8) {
	case 0:
		return least
	case 1:
		return greatest
	case 2, 3, 4:
		return least + int64(m.Uint64N(uint64(greatest-least)+1)>>m.IntN(64))
	default:
		return least + int64(m.Uint64N(uint64(greatest-least)+1))
	}
}

func (m maker) serverSeed() string {
	seed := make([]byte, 32)
	for i := range seed {
		seed[i] = byte(m.Uint32())
	}
	return hex.EncodeToString(seed)
}

// clientSeed returns any printable ASCII, including colons, and blanks at its ends.
func (m maker) clientSeed() string {
	seed := make([]byte, m.number(1, 64))
	for i := range seed {
		seed[i] = byte(m.number(' ', '~'))
	}
	return string(seed)
}

// json writes a round as a client may keep it: members in any order, numbers with fewer or more
// trailing zeros.
func (m maker) json(r round) []byte {
	parts := []string{
		`"gameType":` + quoted(r.GameType), `"rules":` + quoted(r.Rules), `"config":` + m.text(r.Config, false),
		`"serverSeed":` + quoted(r.ServerSeed), `"serverSeedHash":` + quoted(r.Commitment), `"clientSeed":` + quoted(r.ClientSeed),
		fmt.Sprintf(`"nonce":%d,"wager":%d`, r.Nonce, r.Wager), fmt.Sprintf(`"payout":%d,"token":"any"`, r.Payout),
		`"outcome":` + m.text(r.Outcome, true), `"multiplier":` + m.zeros(r.Multiplier, true),
	}
	if r.Actions != nil {
		parts = append(parts, `"actions":`+m.text(game.List(r.Actions...), false))
	} else if m.IntN(2) == 0 {
		parts = append(parts, `"actions":null`)
	}
	m.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	text := "{" + strings.Join(parts, ",") + "}"
	if m.IntN(2) == 0 {
		text = `{"round":` + text + `}`
	}
	return []byte(text)
}

// text writes a value as JSON.
func (m maker) text(v game.Value, more bool) string {
	var parts []string
	switch v.Kind() {
	case game.ObjectKind:
		for name, value := range v.Members() {
			parts = append(parts, quoted(name)+":"+m.text(value, more))
		}
		m.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		return "{" + strings.Join(parts, ",") + "}"
	case game.ListKind:
		for item := range v.Items() {
			parts = append(parts, m.text(item, more))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case game.NumberKind:
		return m.zeros(v.NumberText(), more)
	case game.BoolKind:
		return strconv.FormatBool(v.Bool())
	default:
		return quoted(v.Text())
	}
}

// decimals writes a multiplier as the service or a client may: a fraction without a finite
// decimal is cut after 18 decimals, or written as floating point, or longer than necessary.
func (m maker) decimals(t *testing.T, multiplier string) string {
	t.Helper()
	if !strings.Contains(multiplier, "/") {
		return multiplier
	}
	exact, ok := new(big.Rat).SetString(multiplier)
	if !ok {
		t.Fatal(multiplier)
	}
	switch m.IntN(4) {
	case 0:
		near, _ := exact.Float64()
		return strconv.FormatFloat(near, 'f', -1, 64)
	case 1:
		return exact.FloatString(40)
	default:
		cut := exact.FloatString(30)
		return cut[:len(cut)-12]
	}
}

// zeros removes trailing zeros from a number's decimals or, if more is set, may add some.
func (m maker) zeros(number string, more bool) string {
	switch _, decimals, _ := strings.Cut(number, "."); {
	case decimals == "":
		return number
	case m.IntN(3) == 0:
		return strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
	case m.IntN(3) == 0 && more:
		return number + "00"
	}
	return number
}

func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return strings.TrimSpace(out.String())
}
