package verifier_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/game"
)

// fractionMax is the longest fraction that the page shows.
const fractionMax = 60

// extremes are the configs with the least and the greatest return of a game, where one config of
// a round in one call has it.
var extremes = map[string][2]string{
	"dice":        {`{"target":2.76,"direction":"over"}`, `{"target":0.01,"direction":"under"}`},
	"limbo":       {`{"target":9999.67}`, `{"target":1.28}`},
	"crash":       {`{"cashout":999769.02}`, `{"cashout":1.28}`},
	"mines":       {`{"mines":1,"picks":[0,1]}`, `{"mines":1,"picks":[0,1,2]}`},
	"plinko":      {`{"rows":8,"risk":"medium"}`, `{"rows":11,"risk":"high"}`},
	"keno":        {`{"picks":[0,39],"risk":"medium"}`, `{"picks":[0,1,2,3,4,5,6,7,8],"risk":"low"}`},
	"wheel":       {`{"segments":50,"risk":"high"}`, `{"segments":40,"risk":"low"}`},
	"roulette":    {`{"bets":[{"type":"straight","numbers":[1],"amount":1}]}`, `{"bets":[{"type":"straight","numbers":[0],"amount":1}]}`},
	"baccarat":    {`{"bets":[{"on":"tie","amount":1}]}`, `{"bets":[{"on":"banker","amount":1}]}`},
	"dragontower": {`{"difficulty":"expert","picks":[1,1,1,1,1,1,1,1,1]}`, `{"difficulty":"expert","picks":[0,0,0,0,0,0,0,0,0]}`},
	"hilo":        {}, // those of the ways to guess card by card
}

// TestTheReturnsOfTheDocumentsAreTrue computes every return of the page from the games.
func TestTheReturnsOfTheDocumentsAreTrue(t *testing.T) {
	t.Parallel()
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		t.Fatal(err)
	}
	page := readDoc(t, "games.md")
	for _, block := range []string{returnRows(t, games), returnTables(t, games)} {
		if !strings.Contains(page, block) {
			t.Errorf("the page lacks\n%s", block)
		}
	}
}

// returnRows are the rows of each game: its default, least and greatest return.
func returnRows(t *testing.T, games *game.Registry) string {
	t.Helper()
	var rows strings.Builder
	row := func(name, which, config string, of *big.Rat) {
		if config != "" {
			which += ": `" + config + "`"
			if got := meanOf(t, games, name, config); got.Cmp(of) != 0 {
				t.Errorf("%s %s returns %s, not %s", name, which, got.RatString(), of.RatString())
			}
		}
		fraction := of.RatString()
		if len(fraction) > fractionMax {
			fraction = ""
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", name, which, fraction, percentOf(of, 6))
	}
	for _, g := range games.Games() {
		rtp := g.RTP()
		ends, varies := extremes[g.Type()]
		which := "default"
		if _, only := g.(game.Stepped); only && !game.AtOnce(g) {
			which = "the best way to play"
		}
		if !varies {
			if rtp.Min.Cmp(rtp.Max) != 0 {
				t.Errorf("the returns of %s aren't listed", g.Type())
			}
			if which == "default" {
				which = "every config"
			}
		}
		row(g.Type(), which, "", rtp.Default)
		if varies {
			row(g.Type(), "least", ends[0], rtp.Min)
			row(g.Type(), "greatest", ends[1], rtp.Max)
		}
	}
	return rows.String()
}

// returnTables are the returns in percent of every table of plinko, keno and wheel, and of every
// side in baccarat.
func returnTables(t *testing.T, games *game.Registry) string {
	t.Helper()
	var lines strings.Builder
	line := func(name, risk string, configs ...string) {
		fmt.Fprintf(&lines, "%-9s%-8s", name, risk)
		for _, config := range configs {
			lines.WriteString(" " + percentOf(meanOf(t, games, name, config), 4))
		}
		lines.WriteString("\n")
	}
	each := func(name, head, config string, sizes []any, risks ...string) {
		fmt.Fprintf(&lines, "%-17s", head)
		for _, size := range sizes {
			fmt.Fprintf(&lines, " %7v", size)
		}
		lines.WriteString("\n")
		for _, risk := range risks {
			var configs []string
			for _, size := range sizes {
				if n := size.(int); name == "keno" {
					numbers := make([]int, n)
					for i := range numbers {
						numbers[i] = i
					}
					size = strings.ReplaceAll(fmt.Sprint(numbers), " ", ",")
				}
				configs = append(configs, fmt.Sprintf(config, size, risk))
			}
			line(name, risk, configs...)
		}
	}
	each("plinko", "rows", `{"rows":%v,"risk":%q}`, []any{8, 9, 10, 11, 12, 13, 14, 15, 16}, "low", "medium", "high", "expert")
	each("keno", "numbers", `{"picks":%v,"risk":%q}`, []any{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, "classic", "low", "medium", "high")
	each("wheel", "segments", `{"segments":%v,"risk":%q}`, []any{10, 20, 30, 40, 50}, "low", "medium", "high")
	for _, on := range []string{"player", "banker", "tie"} {
		line("baccarat", on, `{"bets":[{"on":"`+on+`","amount":1}]}`)
	}
	return "```text\n" + lines.String() + "```\n"
}

func meanOf(t *testing.T, games *game.Registry, name, config string) *big.Rat {
	t.Helper()
	value, err := wire.DecodeValue([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	of, err := games.Return(name, value)
	if err != nil {
		t.Fatalf("%s %s: %v", name, config, err)
	}
	return of.Mean
}

func percentOf(of *big.Rat, decimals int) string {
	return new(big.Rat).Mul(of, big.NewRat(100, 1)).FloatString(decimals)
}
