package game_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

// published is one row of other houses' published rounds.
type published struct {
	Scheme, ServerSeed, ClientSeed, GameHash, Salt, Risk, Difficulty string
	Nonce                                                            int64
	Rows, Segments                                                   int
	Expected                                                         json.RawMessage
}

// publishedFile reads a file of the folder that the environment names. The published
// rounds and tables are not part of the repository.
func publishedFile(t *testing.T, name string, into any) {
	t.Helper()
	folder := os.Getenv("CASINO_TEST_VECTORS")
	if folder == "" {
		t.Skip("CASINO_TEST_VECTORS is not set: the folder of fairness.json and payout-tables.json, published rounds and tables of other houses") // allowed: they are not part of the repository
	}
	raw, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

// publishedSchemes are the rounds that our games reproduce, and their number.
var publishedSchemes = map[string]struct {
	rows      int
	reproduce func(*testing.T, published) any
}{
	"stake.dice":     {62, reproduceDice},
	"stake.limbo.v2": {10, reproduceLimbo},
	"stake.crash":    {10, reproduceCrash},
	"stake.flip":     {10, reproduceFlips},
	"stake.mines": {49, func(t *testing.T, row published) any {
		return rowResult(t, game.Mines(), row, "mines", 24).Get("mines")
	}},
	"stake.mines.1based.sorted24": {3, func(t *testing.T, row published) any {
		return sortedFrom1(rowResult(t, game.Mines(), row, "mines", 24).Get("mines"))
	}},
	"stake.plinko.directions": {49, reproducePath},
	"stake.plinko.index": {27, func(t *testing.T, row published) any {
		return rowResult(t, game.Plinko(), row, "rows", row.Rows, "risk", row.Risk).Get("bucket")
	}},
	"stake.keno": {49, func(t *testing.T, row published) any { return rowResult(t, game.Keno(), row).Get("draws") }},
	"stake.keno.1based": {3, func(t *testing.T, row published) any {
		return from1(rowResult(t, game.Keno(), row).Get("draws"))
	}},
	"stake.wheel": {37, reproduceWheel},
	"stake.wheel.index": {15, func(t *testing.T, row published) any {
		return rowResult(t, game.Wheel(), row, "segments", row.Segments, "risk", row.Risk).Get("index")
	}},
	"stake.roulette": {52, func(t *testing.T, row published) any { return rowResult(t, game.Roulette(), row).Get("number") }},
	"stake.baccarat": {11, reproduceBaccarat},
	"stake.diamonds": {3, func(t *testing.T, row published) any {
		return texts(rowResult(t, game.Diamonds(), row).Get("gems"), strings.ToUpper)
	}},
	"stake.dragontower": {5, func(t *testing.T, row published) any {
		return rowResult(t, game.DragonTower(), row, "difficulty", row.Difficulty).Get("levels")
	}},
	"stake.hilo":             {11, reproduceHilo},
	"stake.hilo.cards":       {3, reproduceHilo},
	"stake.cards.infinite":   {3, reproduceCards},
	"stake.blackjack":        {21, reproduceBlackjack},
	"stake.videopoker":       {11, reproducePoker},
	"stake.videopoker.cards": {3, reproducePoker},
}

// Published rounds are reproduced if the environment names their folder. The rows are
// counted, so that none is skipped silently.
func TestPublishedVectors(t *testing.T) {
	t.Parallel()
	var file struct{ Vectors []published }
	publishedFile(t, "fairness.json", &file)
	seen := map[string]int{}
	for i, row := range file.Vectors {
		scheme, ours := publishedSchemes[row.Scheme]
		if !ours {
			if scheme, ours = publishedForms[row.Scheme]; !ours {
				t.Errorf("row %d: %s is not known here", i, row.Scheme)
				continue
			}
		}
		if seen[row.Scheme]++; scheme.reproduce == nil {
			continue
		}
		got := scheme.reproduce(t, row)
		if shown, ok := got.(game.Value); ok {
			got = plain(shown)
		}
		var want any
		if err := json.Unmarshal(row.Expected, &want); err != nil || want == nil || want == "" {
			t.Fatalf("row %d: %s", i, row.Expected)
		}
		wanted, _ := json.Marshal(want)
		if text, err := json.Marshal(got); err != nil || string(text) != string(wanted) {
			t.Errorf("row %d, %s: %s, published %s, %v", i, row.Scheme, text, wanted, err)
		}
	}
	all := 0
	for name, scheme := range publishedSchemes {
		if seen[name] != scheme.rows {
			t.Errorf("%d rows of %s, want %d", seen[name], name, scheme.rows)
		}
		all += seen[name]
	}
	for name, scheme := range publishedForms {
		if seen[name] != scheme.rows {
			t.Errorf("%d rows of %s, want %d", seen[name], name, scheme.rows)
		}
		all += seen[name]
	}
	if all != publishedRows {
		t.Errorf("%d rows, want %d", all, publishedRows)
	}
	t.Logf("reproduced: %v", seen)
}

// plain converts an outcome's numbers and lists to the form of encoding/json.
func plain(v game.Value) any {
	if v.Kind() != game.ListKind {
		return json.Number(v.NumberText())
	}
	all := []any{}
	for item := range v.Items() {
		all = append(all, plain(item))
	}
	return all
}

// texts returns a list's texts, each changed.
func texts(list game.Value, change func(string) string) []string {
	var all []string
	for item := range list.Items() {
		all = append(all, change(item.Text()))
	}
	return all
}

func rowResult(t *testing.T, g game.Game, row published, config ...any) game.Value {
	t.Helper()
	return prepare(t, g, config...).Play(stream(row.ServerSeed, row.ClientSeed, row.Nonce)).Outcome
}

// from1 converts numbers counted from 0 to numbers counted from 1.
func from1(list game.Value) (numbers []int64) {
	for item := range list.Items() {
		n, _ := item.Int()
		numbers = append(numbers, n+1)
	}
	return numbers
}

func sortedFrom1(list game.Value) []int64 {
	numbers := from1(list)
	for i := range numbers {
		for j := range numbers[:i] {
			if numbers[j] > numbers[i] {
				numbers[i], numbers[j] = numbers[j], numbers[i]
			}
		}
	}
	return numbers
}

func reproduceDice(t *testing.T, row published) any {
	t.Helper()
	return rowResult(t, game.Dice(), row).Get("roll").NumberText()
}

func reproduceLimbo(t *testing.T, row published) any {
	t.Helper()
	return rowResult(t, game.Limbo(), row).Get("multiplier").NumberText()
}

// reproduceCrash takes the draw from the chain of game hashes that the published
// game used: HMAC(key = hash as text, message = salt).
func reproduceCrash(t *testing.T, row published) any {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(row.GameHash))
	mac.Write([]byte(row.Salt))
	result := play(prepare(t, game.Crash()), binary.BigEndian.Uint32(mac.Sum(nil)))
	return result.Outcome.Get("crash").NumberText()
}

func reproduceFlips(t *testing.T, row published) any {
	t.Helper()
	text := ""
	for flip := range rowResult(t, game.Coinflip(), row, "flips", 20).Get("flips").Items() {
		text += map[string]string{"heads": "H", "tails": "T"}[flip.Text()]
	}
	return text
}

func reproducePath(t *testing.T, row published) any {
	t.Helper()
	var turns []string
	for turn := range rowResult(t, game.Plinko(), row).Get("path").Items() {
		turns = append(turns, map[string]string{"0": "L", "1": "R"}[turn.NumberText()])
	}
	return turns
}

// reproduceWheel takes the number of segments from the published row.
func reproduceWheel(t *testing.T, row published) any {
	t.Helper()
	var of struct{ Segments int }
	if err := json.Unmarshal(row.Expected, &of); err != nil {
		t.Fatal(err)
	}
	index, _ := rowResult(t, game.Wheel(), row, "segments", of.Segments).Get("index").Int()
	return map[string]int{"result": int(index), "segments": of.Segments}
}

// cardNumbers converts our card names to the published numbers.
func cardNumbers(lists ...game.Value) []int {
	var numbers []int
	for _, list := range lists {
		for card := range list.Items() {
			number := 0
			for number < 52 && game.CardName(uint32(number)) != card.Text() {
				number++
			}
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// reproduceBaccarat lists the cards in the order dealt: two to the player, two to the
// banker, then the third ones.
func reproduceBaccarat(t *testing.T, row published) any {
	t.Helper()
	outcome := rowResult(t, game.Baccarat(), row)
	player, banker := cardNumbers(outcome.Get("player")), cardNumbers(outcome.Get("banker"))
	return append(append(append(append([]int{}, player[:2]...), banker[:2]...), player[2:]...), banker[2:]...)
}

// hiloCards plays the most guesses of a round.
func hiloCards(t *testing.T, row published) game.Value {
	t.Helper()
	guesses := make([]game.Value, 15)
	for i := range guesses {
		guesses[i] = game.Text("lower")
	}
	return rowResult(t, game.Hilo(), row, "guesses", game.List(guesses...)).Get("cards")
}

// reproduceHilo returns as many cards as published, as numbers or in the published
// spelling.
func reproduceHilo(t *testing.T, row published) any {
	t.Helper()
	var want []any
	if err := json.Unmarshal(row.Expected, &want); err != nil {
		t.Fatal(err)
	}
	cards := hiloCards(t, row)
	if _, spelled := want[0].(string); !spelled {
		return cardNumbers(cards)[:len(want)]
	}
	return texts(cards, func(card string) string {
		suits := map[string]string{"d": "diamond", "h": "heart", "s": "spade", "c": "club"}
		return card[:len(card)-1] + "-" + suits[card[len(card)-1:]]
	})[:len(want)]
}

// reproduceCards returns cards in the published spelling; there are more than in a round
// of hilo.
func reproduceCards(t *testing.T, row published) any {
	t.Helper()
	var want []string
	if err := json.Unmarshal(row.Expected, &want); err != nil {
		t.Fatal(err)
	}
	draws := stream(row.ServerSeed, row.ClientSeed, row.Nonce)
	for i := range want {
		want[i] = spelled(game.CardName(draws.Pick(52)))
	}
	return want
}

// spelled converts a card's name to a published spelling.
func spelled(card string) string {
	ranks := map[string]string{
		"2": "TWO", "3": "THREE", "4": "FOUR", "5": "FIVE", "6": "SIX", "7": "SEVEN", "8": "EIGHT", "9": "NINE", "10": "TEN",
		"J": "JACK", "Q": "QUEEN", "K": "KING", "A": "ACE",
	}
	suits := map[string]string{"d": "DIAMOND", "h": "HEART", "s": "SPADE", "c": "CLUB"}
	return ranks[card[:len(card)-1]] + " " + suits[card[len(card)-1:]]
}

// reproducePoker returns the ten cards of a round without held cards.
func reproducePoker(t *testing.T, row published) any {
	t.Helper()
	draws := func() game.Draws { return stream(row.ServerSeed, row.ClientSeed, row.Nonce) }
	end := ended(t, begin(t, game.VideoPoker()), draws, action("draw", "hold", listOf()))
	dealt, drawn := end.Outcome.Get("dealt"), end.Outcome.Get("cards")
	if !strings.Contains(string(row.Expected), `"`) {
		return append(cardNumbers(dealt), cardNumbers(drawn)...)
	}
	return append(texts(dealt, spelled), texts(drawn, spelled)...)
}

// reproduceBlackjack returns as many cards as published, in the order of a round in
// which the player hits until there are so many, or splits first.
func reproduceBlackjack(t *testing.T, row published) any {
	t.Helper()
	var want []int
	if err := json.Unmarshal(row.Expected, &want); err != nil {
		t.Fatal(err)
	}
	draws := func() game.Draws { return stream(row.ServerSeed, row.ClientSeed, row.Nonce) }
	steps, longest := begin(t, game.Blackjack()), []int{}
	for _, actions := range [][]game.Value{nil, {action("split")}} {
		states, err := game.Replay(steps, draws, actions)
		for ; err == nil; states, err = game.Replay(steps, draws, actions) {
			taken := slices.Clone(actions)
			for !states[len(states)-1].Ended {
				taken = append(taken, action("stand"))
				if states, err = game.Replay(steps, draws, taken); err != nil {
					t.Fatal(err)
				}
			}
			if cards := blackjackCards(states[len(states)-1].Shown); len(cards) > len(longest) {
				longest = cards
			}
			actions = append(actions, action("hit"))
		}
	}
	return longest[:min(len(longest), len(want))]
}

// blackjackCards returns a round's cards in the order drawn; of two hands only the first
// is hit.
func blackjackCards(end game.Value) []int {
	hand, dealer := cardNumbers(end.Get("hands").At(0)), cardNumbers(end.Get("dealer"))
	if end.Get("hands").Len() == 2 {
		other := cardNumbers(end.Get("hands").At(1))
		return slices.Concat([]int{hand[0], other[0]}, dealer[:2], []int{hand[1], other[1]}, hand[2:], other[2:], dealer[2:])
	}
	return slices.Concat(hand[:2], dealer[:2], hand[2:], dealer[2:])
}

// publishedTables are {table, rtp} by their criteria.
type publishedTables map[string]map[string]struct {
	Table []json.Number
	RTP   json.Number
}

// The tables of plinko, keno and wheel are the published ones, with the published
// returns.
func TestPublishedTables(t *testing.T) {
	t.Parallel()
	var file struct{ Plinko, Wheel, Keno publishedTables }
	publishedFile(t, "payout-tables.json", &file)
	compared := 0
	for _, row := range []struct {
		game         game.Game
		tables       publishedTables
		outer, inner string
	}{
		{game.Plinko(), file.Plinko, "rows", "risk"},
		{game.Wheel(), file.Wheel, "segments", "risk"},
		{game.Keno(), file.Keno, "risk", "picks"},
	} {
		for ours := range row.game.(game.Tabled).Table().Get("tables").Items() {
			want, ok := row.tables[text(ours.Get(row.outer))][text(ours.Get(row.inner))]
			if !ok || len(want.Table) != ours.Get("pays").Len() {
				t.Fatalf("%s: no table for %v", row.game.Type(), ours)
			}
			for i, pays := range want.Table {
				if got := numberRat(ours.Get("pays").At(i)); got.Cmp(ratOf(t, pays)) != 0 {
					t.Errorf("%s: %v pays %s at %d, published %s", row.game.Type(), ours, got, i, pays)
				}
			}
			compared++
			got := new(big.Rat).Mul(tablePlan(t, row.game, ours).Moments().Mean, big.NewRat(100, 1))
			if apart := got.Sub(got, ratOf(t, want.RTP)); apart.Abs(apart).Cmp(big.NewRat(1, 10_000)) > 0 {
				t.Errorf("%s: %v returns %s %% apart from what is published", row.game.Type(), ours, apart.FloatString(6))
			}
		}
	}
	if compared != 36+15+40 {
		t.Errorf("%d tables compared", compared)
	}
}

// tablePlan plans the config of a published table.
func tablePlan(t *testing.T, g game.Game, table game.Value) game.Plan {
	t.Helper()
	var config []any
	for name, v := range table.Members() {
		if name == "picks" {
			count, _ := strconv.Atoi(v.NumberText())
			v = firstNumbers(count)
		}
		if name != "pays" {
			config = append(config, name, v)
		}
	}
	return prepare(t, g, config...)
}

// firstNumbers returns 0 … count-1.
func firstNumbers(count int) game.Value {
	numbers := make([]game.Value, count)
	for i := range numbers {
		numbers[i] = game.Int(int64(i))
	}
	return game.List(numbers...)
}

func ratOf(t *testing.T, number json.Number) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(number.String())
	if !ok {
		t.Fatalf("number %q", number)
	}
	return r
}
