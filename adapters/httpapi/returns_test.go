package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/game"
)

// The figures of a config over HTTP are exact, are those of the completed config, and equal
// those of /public/games for the default one.
func TestReturnsOfConfigs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	games := got[[]api.Game](h)(h.client().Games(t.Context()))
	if len(games) != len(game.House()) {
		t.Errorf("%d games", len(games))
	}
	for _, g := range games {
		if string(g.ConfigSchema) == "null" {
			continue // TestReturnsBySteps has those that are only played step by step
		}
		of := got[api.ConfigReturn](h)(h.client().GameReturn(t.Context(), g.GameType, api.ReturnRequest{}))
		if of.GameType != g.GameType || of.Rules != g.Rules || of.RTP != g.RTP.Default || of.MaxMultiplierChance == nil || g.Explanation == nil {
			t.Errorf("%+v, want the default of %+v", of, g)
		}
	}
	for name, row := range map[string]struct {
		gameType, config, rtp, variance, decimal, most, chance, percent string
	}{
		"three flips":     {"coinflip", `{"flips":3}`, "99/100", "68607/10000", "6.860700", "7.92", "1/8", "12.500000"},
		"the first two":   {"hilo", `{"guesses":["higher"]}`, "", "", "", "12.87", "", "0.591716"},
		"all safe tiles":  {"mines", `{"mines":24,"picks":[0]}`, "", "", "", "24.75", "", "4.000000"},
		"a third of it":   {"dragontower", `{"picks":[0,1,3]}`, "", "", "", "2.34666666666666666", "", "42.187500"},
		"the tenth of 10": {"wheel", `{"risk":"high"}`, "42520176171/42949672960", "", "", "9.9", "", "10.000000"},
		"two bets":        {"roulette", `{"bets":[{"type":"red","amount":2},{"type":"straight","numbers":[1],"amount":1}]}`, "", "", "", "13.3333333333333333", "", "2.702703"},
		"a rare one":      {"mines", `{"mines":12,"picks":[0,1,2,3,4,5,6,7,8,9,10,11,12]}`, "", "", "", "5148297", "", "0.0000192297"},
	} {
		of := got[api.ConfigReturn](h)(h.client().GameReturn(t.Context(), row.gameType, api.ReturnRequest{Config: json.RawMessage(row.config)}))
		for what, c := range map[string][2]string{
			"return": {of.RTP.Ratio, row.rtp}, "variance": {of.Variance.Ratio, row.variance}, "decimal": {of.Variance.Decimal.String(), row.decimal},
			"most": {of.MaxMultiplier.String(), row.most}, "chance": {of.MaxMultiplierChance.Ratio, row.chance},
		} {
			if c[1] != "" && c[0] != c[1] {
				t.Errorf("%s: %s %s, want %s", name, what, c[0], c[1])
			}
		}
		if !strings.HasPrefix(of.MaxMultiplierChance.Percent.String(), row.percent) {
			t.Errorf("%s: %s %%, want %s", name, of.MaxMultiplierChance.Percent, row.percent)
		}
		if _, ok := new(big.Rat).SetString(of.RTP.Ratio); !ok {
			t.Errorf("%s: return %q", name, of.RTP.Ratio)
		}
	}
}

// TestReturnsBySteps: the figures of step-by-step play. A game with only such play returns
// them by default.
func TestReturnsBySteps(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	stepped := 0
	for _, g := range got[[]api.Game](h)(h.client().Games(t.Context())) {
		if g.Steps == nil {
			h.post("", "/public/games/"+g.GameType+"/return", object{"steps": true}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("gameType")
			continue
		}
		stepped++
		of := got[api.ConfigReturn](h)(h.client().GameReturn(t.Context(), g.GameType, api.ReturnRequest{Steps: true}))
		if of.RTP != g.Steps.Best || (of.Least == nil) != (g.Steps.Least == nil) || of.MaxMultiplier != g.Steps.MaxMultiplier || of.MaxStake != g.Steps.MaxStake || of.Variance != nil {
			t.Errorf("%+v, want %+v", of, g.Steps)
		}
		if only := string(g.ConfigSchema) == "null"; only {
			if plain := got[api.ConfigReturn](h)(h.client().GameReturn(t.Context(), g.GameType, api.ReturnRequest{})); plain.RTP != of.RTP || g.RTP.Default != of.RTP {
				t.Errorf("%+v, want %+v", plain, of)
			}
		}
	}
	if stepped != 5 {
		t.Errorf("%d games are played step by step", stepped)
	}
	for _, row := range []struct{ gameType, config, best, stake, most string }{
		{"videopoker", `{}`, "1653526326983/1661102543100", "1", "800"},
		{"blackjack", `{}`, "7016161098045143337706614398/7056410014866816666030739693", "4", "8"},
		{"mines", `{"mines":24}`, "99/100", "1", "24.75"},
		{"mines", `{"mines":3,"maxMultiplier":2}`, "99/100", "1", "1.9973"},
	} {
		of := got[api.ConfigReturn](h)(h.client().GameReturn(t.Context(), row.gameType, api.ReturnRequest{Steps: true, Config: json.RawMessage(row.config)}))
		if of.RTP.Ratio != row.best || of.MaxStake.String() != row.stake || of.MaxMultiplier.String() != row.most {
			t.Errorf("%s %s: %+v", row.gameType, row.config, of)
		}
	}
	h.post("", "/public/games/mines/return", object{"steps": true, "config": object{"picks": []int{1}}}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("config.picks")
	h.post("", "/public/games/mines/return", object{"steps": 1}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("steps")
}

// Invalid configs are rejected with their field, in every game, and nothing breaks.
func TestReturnsRefuseBadConfigs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	refused := func(gameType, body, code, field string) {
		t.Helper()
		h.post("", "/public/games/"+gameType+"/return", body).is(http.StatusBadRequest, code).names(field)
	}
	for _, row := range [][3]string{
		{"mines", `{"mines":25}`, "config.mines"},
		{"mines", `{"mines":20,"picks":[0,1,2,3,4,5]}`, "config.picks"},
		{"mines", `{"picks":[1,1]}`, "config.picks"},
		{"mines", `{"picks":[25]}`, "config.picks"},
		{"mines", `{"picks":[]}`, "config.picks"},
		{"plinko", `{"rows":17}`, "config.rows"},
		{"plinko", `{"risk":"classic"}`, "config.risk"},
		{"keno", `{"picks":[0,1,2,3,4,5,6,7,8,9,10]}`, "config.picks"},
		{"keno", `{"picks":[40]}`, "config.picks"},
		{"wheel", `{"segments":15}`, "config.segments"},
		{"roulette", `{"bets":[]}`, "config.bets"},
		{"roulette", `{"bets":[{"type":"split","numbers":[1,36],"amount":1}]}`, "config.bets"},
		{"roulette", `{"bets":[{"type":"red","numbers":[1],"amount":1}]}`, "config.bets"},
		{"roulette", `{"bets":[{"type":"red"}]}`, "config.bets"},
		{"roulette", `{"bets":[{"type":"red","amount":0}]}`, "config.bets"},
		{"roulette", `{"bets":[` + strings.Repeat(`{"type":"red","amount":1},`, 64) + `{"type":"red","amount":1}]}`, "config.bets"},
		{"baccarat", `{"bets":[{"on":"tie","amount":1},{"on":"tie","amount":1}]}`, "config.bets"},
		{"baccarat", `{"bets":[{"on":"dealer","amount":1}]}`, "config.bets"},
		{"diamonds", `{"gems":5}`, "config.gems"},
		{"dragontower", `{"difficulty":"hard","picks":[2]}`, "config.picks"},
		{"dragontower", `{"picks":[0,0,0,0,0,0,0,0,0,0]}`, "config.picks"},
		{"hilo", `{"guesses":["skip"]}`, "config.guesses"},
		{"hilo", `{"guesses":["same"]}`, "config.guesses"},
	} {
		refused(row[0], `{"config":`+row[1]+`}`, "INVALID_PARAMETER", row[2])
	}
	refused("chess", `{}`, "INVALID_GAME", "gameType")
	refused("mines", `{"config":[]}`, "INVALID_PARAMETER", "config")
	refused("mines", `{"wager":1}`, "INVALID_PARAMETER", "wager")
}

// A round of bets is played only if its parts add up to the wager, and its payout is shown
// as a number.
func TestPlayingGamesOfSeveralBets(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1<<30)
	play := func(gameType, config string, wager int64) reply {
		return h.post("alice", "/play", fmt.Sprintf(`{"gameType":%q,"wager":%d,"token":%q,"config":%s}`, gameType, wager, sol, config))
	}
	three := `{"bets":[{"type":"low","amount":%d},{"type":"dozen3","amount":10000},{"type":"corner","numbers":[22,19,20,23],"amount":10000}]}`
	play("roulette", fmt.Sprintf(three, 9_999), 30_000).is(http.StatusBadRequest, "INVALID_PARAMETER").names("config.bets")
	for range 12 {
		played := play("roulette", fmt.Sprintf(three, 10_000), 30_000).ok(http.StatusOK)
		var body struct {
			Round struct {
				Payout     int64
				Multiplier json.Number
				Outcome    struct{ Number int }
				Config     struct{ Bets []struct{ Numbers []int } }
			}
		}
		if err := json.Unmarshal(played.text, &body); err != nil {
			t.Fatal(err)
		}
		want := int64(0)
		switch n := body.Round.Outcome.Number; {
		case n >= 1 && n <= 18:
			want = 20_000
		case n >= 25:
			want = 30_000
		case n == 19 || n == 20 || n == 22 || n == 23:
			want = 90_000
		}
		if body.Round.Payout != want || fmt.Sprint(body.Round.Config.Bets[2].Numbers) != "[22 19 20 23]" {
			t.Errorf("%s: want %d", played.text, want)
		}
	}
	// A wager that could pay more than the limit is rejected before the draw.
	play("mines", `{"mines":12,"picks":[0,1,2,3,4,5,6,7,8,9,10,11,12]}`, 1<<28).is(http.StatusBadRequest, "WAGER_OUT_OF_RANGE").names("wager")
	play("hilo", `{"guesses":[`+strings.Repeat(`"lower",`, 14)+`"lower"]}`, 10_000).is(http.StatusBadRequest, "WAGER_OUT_OF_RANGE").names("wager")
}
