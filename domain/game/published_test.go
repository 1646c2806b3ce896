package game_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// declaredFields repeats the fields offered to players: name; least, greatest and
// decimals of a number, the choices, or a list's items and lengths; and the default.
var declaredFields = map[string][]string{
	"dice":        {"target 1 9999 2 = 50.00", "direction over|under = over"},
	"limbo":       {"target 101 1000000 2 = 2.00"},
	"crash":       {"cashout 101 100000000 2 = 2.00"},
	"coinflip":    {"side heads|tails = heads", "flips 1 20 0 = 1"},
	"mines":       {"mines 1 24 0 = 3", "picks 1-24 distinct of 0 24 0 = [0]"},
	"plinko":      {"rows 8 16 0 = 16", "risk low|medium|high|expert = medium"},
	"keno":        {"picks 1-10 distinct of 0 39 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]", "risk classic|low|medium|high = classic"},
	"wheel":       {"segments 10|20|30|40|50 = 10", "risk low|medium|high = low"},
	"baccarat":    {"bets 1-3 of {on player|banker|tie = ; amount 1 100000000000000000 0 = } = "},
	"dragontower": {"difficulty easy|medium|hard|expert|master = easy", "picks 1-9 of 0 3 0 = [0]"},
	"hilo":        {"guesses 1-15 of higher|lower|skip = [\"higher\"]"},
	"roulette": {"bets 1-64 of {type straight|split|street|corner|line|column1|column2|column3|dozen1|dozen2|dozen3|red|black|odd|even|low|high = ; " +
		"numbers 1-6 distinct of 0 36 0 = ; amount 1 100000000000000000 0 = } = "},
	"slots":    nil, // another test checks its table
	"diamonds": nil,
}

func text(v game.Value) string {
	switch v.Kind() {
	case game.NumberKind:
		return v.NumberText()
	case game.ListKind:
		return v.String()
	}
	return v.Text()
}

func fieldsText(fields []game.Field) (all []string) {
	for _, field := range fields {
		all = append(all, fmt.Sprintf("%s %s = %s", field.Name, shapeText(field.Shape), text(field.Default)))
	}
	return all
}

func shapeText(shape game.Shape) string {
	switch s := shape.(type) {
	case game.Number:
		return fmt.Sprintf("%d %d %d", s.Min, s.Max, s.Decimals)
	case game.Choice:
		var of []string
		for _, choice := range s.Of {
			of = append(of, text(choice))
		}
		return strings.Join(of, "|")
	case game.ListOf:
		distinct := map[bool]string{true: "distinct "}[s.Distinct]
		return fmt.Sprintf("%d-%d %sof %s", s.MinItems, s.MaxItems, distinct, shapeText(s.Item))
	case game.Record:
		return "{" + strings.Join(fieldsText(s.Fields), "; ") + "}"
	}
	return ""
}

func TestGamesOfferWhatIsPublished(t *testing.T) {
	t.Parallel()
	for _, g := range game.Standard() {
		want, ok := declaredFields[g.Type()]
		if got := fieldsText(g.Fields()); !ok || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s offers\n%s\nwant\n%s", g.Type(), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestReturnsOfEachGame lists the range that each game states, to nine decimals.
func TestReturnsOfEachGame(t *testing.T) {
	t.Parallel()
	for _, g := range game.Standard() {
		rtp := g.RTP()
		if rtp.Min.Cmp(rtp.Default) > 0 || rtp.Default.Cmp(rtp.Max) > 0 || rtp.Max.Cmp(big.NewRat(1, 1)) > 0 {
			t.Errorf("%s returns %v … %v … %v", g.Type(), rtp.Min, rtp.Default, rtp.Max)
		}
		plan, err := game.Prepare(g, game.Object(), 0)
		if err != nil {
			t.Fatal(err)
		}
		if mean := plan.Moments().Mean; mean.Cmp(rtp.Default) != 0 {
			t.Errorf("%s returns %v by default, %v is promised", g.Type(), mean, rtp.Default)
		}
	}
	for _, flips := range []int64{1, 2, 19, 20} {
		plan := prepare(t, game.Coinflip(), "flips", game.Int(flips))
		if plan.Moments().Mean.Cmp(big.NewRat(99, 100)) != 0 || plan.MaxMultiplier() != (money.Ratio{Num: 99 << flips, Den: 100}) {
			t.Errorf("%d flips return %v of %v", flips, plan.Moments().Mean, plan.MaxMultiplier())
		}
	}
}

// TestPlansKeepTheirConfig: a plan's config, defaults filled in, can be planned again.
func TestPlansKeepTheirConfig(t *testing.T) {
	t.Parallel()
	for _, g := range game.Standard() {
		normal, err := game.Normalize(g.Fields(), game.Object())
		if err != nil {
			t.Fatal(err)
		}
		switch g.Type() { // left-out bets take the wager
		case "roulette":
			normal = object("bets", game.List(object("type", "red", "amount", 1)))
		case "baccarat":
			normal = object("bets", game.List(object("on", "player", "amount", 1)))
		}
		plan, err := game.Prepare(g, game.Object(), 0)
		if err != nil || !plan.Config().Equal(normal) {
			t.Errorf("%s: %v, %v, want %v", g.Type(), plan.Config(), err, normal)
		}
	}
	for _, row := range []struct {
		game game.Game
		name string
		with game.Value
	}{
		{game.Dice(), "target", game.Dec(4000, 2)}, {game.Dice(), "direction", game.Text("under")}, {game.Limbo(), "target", game.Dec(333, 2)},
		{game.Mines(), "picks", listOf(7, 3)}, {game.Plinko(), "risk", game.Text("high")}, {game.Keno(), "picks", listOf(9, 39)},
		{game.Wheel(), "segments", game.Int(30)}, {game.DragonTower(), "picks", listOf(2, 0)}, {game.Hilo(), "guesses", guessesOf("skip", "lower")},
		{game.Crash(), "cashout", game.Dec(777, 2)}, {game.Coinflip(), "side", game.Text("tails")}, {game.Coinflip(), "flips", game.Int(3)},
	} {
		if got := prepare(t, row.game, row.name, row.with).Config().Get(row.name); !got.Equal(row.with) {
			t.Errorf("%s: %s is kept as %v", row.game.Type(), row.name, got)
		}
	}
}

func TestFiguresAtTheEndsOfTheirArithmetic(t *testing.T) {
	t.Parallel()
	const lattice = 1 << 32
	ratio := func(num, den uint64) money.Ratio { return money.Ratio{Num: num, Den: den} }
	for name, odds := range map[string]game.Odds{
		"never":                     {Prize: ratio(2, 1), Wins: 0},
		"always":                    {Prize: ratio(1, 1), Wins: lattice},
		"one draw":                  {Prize: ratio(99, 100), Wins: 1},
		"all but one":               {Prize: ratio(99, 100), Wins: lattice - 1},
		"half":                      {Prize: ratio(198, 100), Wins: lattice / 2},
		"a prize just below 2^32":   {Prize: ratio(lattice-1, 1), Wins: 1},
		"a prize of 2^32":           {Prize: ratio(lattice, 1), Wins: 1},
		"a prize above 2^32":        {Prize: ratio(lattice+1, 1), Wins: lattice / 2},
		"a third":                   {Prize: ratio(1, 3), Wins: lattice / 2},
		"a seventh":                 {Prize: ratio(22, 7), Wins: 12_345},
		"ten-thousandths":           {Prize: ratio(19_800, 10_000), Wins: 2_147_483_648},
		"a denominator below 2^32":  {Prize: ratio(5, lattice-1), Wins: lattice / 2},
		"a denominator of 2^32":     {Prize: ratio(5, lattice), Wins: lattice / 2},
		"a variance beyond 64 bits": {Prize: ratio(lattice-1, 1), Wins: lattice / 2},
	} {
		moments := odds.Moments()
		if got, want := odds.RTPPartsPerBillion(), rounded(moments.Mean); got != want {
			t.Errorf("%s: a mean of %d, want %d", name, got, want)
		}
		want := rounded(moments.Variance())
		if most := new(big.Rat).SetFrac64(1<<62, 250_000_000); moments.Variance().Cmp(most) >= 0 { // 2^64 parts
			want = math.MaxUint64
		}
		if got := odds.VariancePartsPerBillion(); got != want {
			t.Errorf("%s: a variance of %d, want %d", name, got, want)
		}
	}
}

// publishedRows is the number of rows of fairness.json.
const publishedRows = 642

// publishedForms are rounds of forms without a game of ours, which our draws reproduce,
// and their number. Entries without rounds are reproduced in domain/fairness.
var publishedForms = map[string]struct {
	rows      int
	reproduce func(*testing.T, published) any
}{
	"stake.limbo.v1":     {52, reproduceOldLimbo},
	"stake.crash.raw":    {3, func(t *testing.T, row published) any { return reproducePoint(t, row, 99) }},
	"stake.slide.raw":    {3, func(t *testing.T, row published) any { return reproducePoint(t, row, 98) }},
	"stake.slots.scarab": {50, reproduceStops},
	"stake.diamondpoker": {49, reproduceTwoHands},
	"stake.floats":       {7, nil},
	"stake.bytes":        {9, nil},
	"commit.sha256utf8":  {13, nil},
	"chain.sha256hex":    {9, nil},
}

// reproduceOldLimbo computes an earlier form: 0.99 · 2^32 / k, rounded down.
func reproduceOldLimbo(t *testing.T, row published) any {
	t.Helper()
	k := int64(stream(row.ServerSeed, row.ClientSeed, row.Nonce).Next())
	return game.Dec(99<<32/k, 2).NumberText()
}

// reproducePoint computes crash before rounding, also for a game of another house with
// another share. The published points are doubles.
func reproducePoint(t *testing.T, row published, hundredths int64) any {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(row.GameHash))
	mac.Write([]byte(row.Salt))
	k := int64(binary.BigEndian.Uint32(mac.Sum(nil)))
	point := big.NewRat(hundredths<<32, 100*(k+1))
	if point.Cmp(big.NewRat(1, 1)) < 0 {
		point.SetInt64(1)
	}
	said, ok := new(big.Rat).SetString(string(row.Expected))
	if !ok {
		t.Fatalf("%s", row.Expected)
	}
	apart := new(big.Rat).Sub(said.Quo(said, point), big.NewRat(1, 1))
	if apart.Abs(apart).Cmp(big.NewRat(1, 1e15)) < 0 {
		return row.Expected
	}
	near, _ := point.Float64()
	return near
}

// reproduceStops returns the stops of another house's five reels, in each spin.
func reproduceStops(t *testing.T, row published) any {
	t.Helper()
	var spins [][]uint32
	if err := json.Unmarshal(row.Expected, &spins); err != nil {
		t.Fatal(err)
	}
	draws := stream(row.ServerSeed, row.ClientSeed, row.Nonce)
	for spin := range spins {
		spins[spin] = nil
		for _, length := range []uint32{30, 30, 30, 30, 41} {
			spins[spin] = append(spins[spin], draws.Pick(length))
		}
	}
	return spins
}

// reproduceTwoHands plays diamonds twice with the draws of one round. Its pink is called
// orange there.
func reproduceTwoHands(t *testing.T, row published) any {
	t.Helper()
	plan, draws := prepare(t, game.Diamonds()), stream(row.ServerSeed, row.ClientSeed, row.Nonce)
	orange := func(gem string) string { return strings.ReplaceAll(gem, "pink", "orange") }
	first := texts(plan.Play(draws).Outcome.Get("gems"), orange)
	return append(first, texts(plan.Play(draws).Outcome.Get("gems"), orange)...)
}

// decode parses JSON as a Value, decimals exact and members in order.
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

// numbers converts decimal texts in a checked-in config to numbers.
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

// An implementation in another language made testdata/rounds.json.
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
