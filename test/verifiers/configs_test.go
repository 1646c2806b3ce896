package verifiers_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/game"
)

// configs are just inside and outside the limits of what can be played.
var configs = []struct{ gameType, texts string }{
	{"mines", `{} {"mines":24,"picks":[24]} {"mines":24,"picks":[0,1]} {"mines":1,"picks":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]}
		{"mines":2,"picks":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]} {"picks":[25]} {"picks":[-1]} {"picks":[]} {"picks":[3,3]}
		{"picks":3} {"picks":[[3]]} {"picks":["3"]} {"picks":[3.0]} {"mines":0} {"mines":25} {"mines":3.0} {"mines":"3"} {"mines":null} {"tiles":25}`},
	{"plinko", `{} {"rows":8} {"rows":7} {"rows":17} {"rows":8.0} {"risk":"expert"} {"risk":"classic"} {"risk":1}`},
	{"keno", `{} {"picks":[39]} {"picks":[40]} {"picks":[9,9]} {"picks":[0,1,2,3,4,5,6,7,8,9,10]} {"picks":[]} {"risk":"classic"} {"risk":"expert"}`},
	{"wheel", `{} {"segments":50} {"segments":60} {"segments":15} {"segments":10.0} {"segments":"10"} {"segments":true} {"risk":"high"} {"risk":"expert"}`},
	{"roulette", `{} {"bets":[]} {"bets":{}} {"bets":[1]} {"bets":[{"type":"red"}]} {"bets":[{"amount":1}]} {"bets":[{"type":"red","amount":1}]}
		{"bets":[{"type":"red","amount":1},{"type":"red","amount":1}]} {"bets":[{"type":"red","amount":1,"on":"x"}]} {"bets":[{"type":"basket","amount":1}]}
		{"bets":[{"type":"red","amount":0}]} {"bets":[{"type":"red","amount":1.0}]} {"bets":[{"type":"red","amount":100000000000000000}]}
		{"bets":[{"type":"red","amount":100000000000000001}]} {"bets":[{"type":"red","amount":100000000000000000},{"type":"odd","amount":1}]}
		{"bets":[{"type":"red","amount":99999999999999999},{"type":"odd","amount":1}]} {"bets":[{"type":"red","amount":1,"numbers":[]}]}
		{"bets":[{"type":"red","amount":1,"numbers":[1]}]} {"bets":[{"type":"straight","amount":1}]} {"bets":[{"type":"straight","amount":1,"numbers":[7,7]}]}
		{"bets":[{"type":"straight","amount":1,"numbers":[37]}]} {"bets":[{"type":"straight","amount":1,"numbers":[7.0]}]}
		{"bets":[{"type":"dozen1","amount":1,"numbers":[1,2,3,4,5,6,7,8,9,10,11,12]}]} ` +
		`{"bets":[` + strings.Repeat(`{"type":"low","amount":1},`, 63) + `{"type":"high","amount":1}]} ` +
		`{"bets":[` + strings.Repeat(`{"type":"low","amount":1},`, 64) + `{"type":"high","amount":1}]}`},
	{"baccarat", `{} {"bets":[]} {"bets":[{"on":"tie"}]} {"bets":[{"amount":1}]} {"bets":[{"on":"tie","amount":0}]} {"bets":[{"on":"pair","amount":1}]}
		{"bets":[{"on":"tie","amount":1},{"on":"banker","amount":2},{"on":"player","amount":3}]} {"bets":[{"on":"tie","amount":1},{"on":"tie","amount":2}]}
		{"bets":[{"on":"tie","amount":1,"type":"red"}]} {"bets":[{"on":"tie","amount":99999999999999999},{"on":"banker","amount":1}]}
		{"bets":[{"on":"tie","amount":100000000000000000},{"on":"banker","amount":1}]} {"bets":[{"on":"tie","amount":100000000000000001}]}`},
	{"diamonds", `{} {"risk":"low"}`},
	{"dragontower", `{} {"difficulty":"easy","picks":[3]} {"difficulty":"medium","picks":[0,3]} {"difficulty":"medium","picks":[2]} {"difficulty":"hard","picks":[1,1]}
		{"difficulty":"hard","picks":[2]} {"difficulty":"expert","picks":[3]} {"difficulty":"master","picks":[3]} {"difficulty":"easy","picks":[4]} {"picks":[-1]}
		{"picks":[]} {"picks":[0,0,0,0,0,0,0,0,0]} {"picks":[0,0,0,0,0,0,0,0,0,0]} {"difficulty":"simple"}`},
	{"hilo", `{} {"guesses":[]} {"guesses":["skip"]} {"guesses":["skip","skip","lower"]} {"guesses":["same"]} {"guesses":"higher"}
		{"guesses":["skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","higher"]}
		{"guesses":["skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","higher"]}`},
}

// TestConfigsAtTheEnds checks that the programs accept exactly the configs that can be played.
func TestConfigsAtTheEnds(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(*testing.T, [][]byte) []answer{"Python": answers, "TypeScript": nodesAnswers} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			configsAtTheEnds(t, ask)
		})
	}
}

func configsAtTheEnds(t *testing.T, ask func(*testing.T, [][]byte) []answer) {
	t.Helper()
	m := newMaker(t, 0, nil)
	var lines [][]byte
	for _, of := range configs {
		for _, text := range strings.Fields(of.texts) {
			lines = append(lines, withConfig(of.gameType, text))
		}
	}
	for kind, places := range layouts() {
		for _, numbers := range places {
			text := strings.ReplaceAll(fmt.Sprint(numbers), " ", ",")
			lines = append(lines, withConfig("roulette", `{"bets":[{"type":"`+kind+`","numbers":`+text+`,"amount":1}]}`))
		}
	}
	played := 0
	for i, got := range ask(t, lines) {
		var differs []string
		read, err := verifier.ReadRound(lines[i])
		if err == nil {
			var found []verifier.Difference
			found, err = verifier.Compare(m.registry, read)
			for _, one := range found {
				differs = append(differs, one.Name)
			}
		}
		slices.Sort(differs)
		slices.Sort(got.Differs)
		if (got.Error == "") != (err == nil) || !slices.Equal(got.Differs, differs) {
			t.Errorf("%s\n%+v, in fact %v %v", lines[i], got, differs, err)
		}
		if err == nil {
			played++
		}
	}
	t.Logf("%d of %d can be played", played, len(lines))
}

func withConfig(gameType, config string) []byte {
	return fmt.Appendf(nil, `{"gameType":%q,"rules":"%s/1","config":%s,"serverSeed":%s,"serverSeedHash":%s,`+
		`"clientSeed":"my seed","nonce":3,"outcome":{},"multiplier":0,"wager":1,"payout":0}`, gameType, gameType, config, seedOfOurs, hashOfOurs)
}

// layouts are the numbers that bets with numbers might have: all within six of one another.
func layouts() map[string][][]int {
	all := map[string][][]int{}
	for kind, size := range map[string]int{"straight": 1, "split": 2, "street": 3, "corner": 4, "line": 6} {
		for first := range 37 {
			for others := range 1 << 5 {
				numbers := []int{first}
				for i := range 5 {
					if others>>i&1 == 1 {
						numbers = append(numbers, first+1+i)
					}
				}
				if len(numbers) == size && numbers[size-1] <= 36 {
					all[kind] = append(all[kind], numbers)
				}
			}
		}
	}
	return all
}

// placed are the layouts that are on the table, by the drawing code.
var placed = sync.OnceValue(func() map[string][][]int {
	registry, err := game.NewRegistry(game.House()...)
	if err != nil {
		panic(err)
	}
	g, err := registry.Rules("roulette", "roulette/1")
	if err != nil {
		panic(err)
	}
	on := map[string][][]int{}
	for kind, places := range layouts() {
		for _, numbers := range places {
			config := game.Object(game.Member{Name: "bets", Value: game.List(bet(kind, numbers, 1))})
			if _, err := game.Prepare(g, config, 0); err == nil {
				on[kind] = append(on[kind], numbers)
			}
		}
	}
	return on
})

func bet(kind string, numbers []int, amount int64) game.Value {
	members := []game.Member{{Name: "type", Value: game.Text(kind)}, {Name: "amount", Value: game.Int(amount)}}
	if len(numbers) > 0 {
		var items []game.Value
		for _, number := range numbers {
			items = append(items, game.Int(int64(number)))
		}
		members = append(members, game.Member{Name: "numbers", Value: game.List(items...)})
	}
	return game.Object(members...)
}

// bets returns some bets of a roulette table, with their numbers in any order.
func (m maker) bets() game.Value {
	kinds := strings.Fields("straight split street corner line column1 column2 column3 dozen1 dozen2 dozen3 red black odd even low high")
	many := []int{1, 1, 1 + m.IntN(4), 1 + m.IntN(64)}[m.IntN(4)]
	most := []int64{3, 1000, 1e17 / int64(many)}[m.IntN(3)]
	bets := make([]game.Value, many)
	for i := range bets {
		kind := kinds[m.IntN(len(kinds))]
		if i%2 == 0 {
			kind = kinds[m.IntN(5)]
		}
		var numbers []int
		if places := placed()[kind]; places != nil {
			numbers = slices.Clone(places[m.IntN(len(places))])
			m.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
		}
		bets[i] = bet(kind, numbers, m.number(1, most))
	}
	return game.List(bets...)
}

// TestRouletteTable checks that the bets of random rounds are those of a table.
func TestRouletteTable(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]int{"straight": 37, "split": 60, "street": 14, "corner": 23, "line": 11} {
		if got := len(placed()[kind]); got != want {
			t.Errorf("%d places for a %s, want %d", got, kind, want)
		}
	}
}
