package capture

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// chosen is a config that is played of a game. W in its text is the wager, W/n a part of it.
type chosen struct{ name, text string }

// configs are those that are played of each game: its default, those of the least and of
// the greatest return, and borders of what can be chosen. A game that isn't listed is
// played by its default.
var configs = map[string][]chosen{
	"dice": {
		{"default", `{}`},
		{"least", `{"target":2.76,"direction":"over"}`},
		{"greatest", `{"target":0.01,"direction":"under"}`},
		{"border", `{"target":1.99,"direction":"over"}`},
		{"border", `{"target":99.99,"direction":"over"}`},
		{"border", `{"target":98.01,"direction":"under"}`},
	},
	"limbo": {
		{"default", `{}`},
		{"least", `{"target":9999.67}`},
		{"greatest", `{"target":1.28}`},
		{"border", `{"target":1.01}`},
		{"border", `{"target":10000}`},
	},
	"crash": {
		{"default", `{}`},
		{"least", `{"cashout":999769.02}`},
		{"greatest", `{"cashout":1.28}`},
		{"border", `{"cashout":1.01}`},
		{"border", `{"cashout":1000000}`},
	},
	"coinflip": {
		{"default", `{}`},
		{"border", `{"side":"tails"}`},
		{"border", `{"side":"heads","flips":20}`},
		{"border", `{"side":"tails","flips":20}`},
	},
	"slots": {{"default", `{}`}},
	"mines": {
		{"default", `{"mines":3,"picks":[0]}`},
		{"least", `{"mines":1,"picks":[0,1]}`},
		{"greatest", `{"mines":1,"picks":[0,1,2]}`},
		{"border", `{"mines":24,"picks":[24]}`},
		{"border", `{"mines":1,"picks":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]}`},
		{"border", `{"mines":12,"picks":[0,1,2,3,4,5,6,7,8,9,10,11,12]}`},
	},
	"plinko": {
		{"default", `{}`},
		{"least", `{"rows":8,"risk":"medium"}`},
		{"greatest", `{"rows":11,"risk":"high"}`},
		{"border", `{"rows":8,"risk":"low"}`},
		{"border", `{"rows":16,"risk":"low"}`},
		{"border", `{"rows":16,"risk":"expert"}`},
	},
	"keno": {
		{"default", `{}`},
		{"least", `{"picks":[0,39],"risk":"medium"}`},
		{"greatest", `{"picks":[0,1,2,3,4,5,6,7,8],"risk":"low"}`},
		{"border", `{"picks":[39],"risk":"classic"}`},
		{"border", `{"picks":[30,31,32,33,34,35,36,37,38,39],"risk":"high"}`},
	},
	"wheel": {
		{"default", `{}`},
		{"least", `{"segments":50,"risk":"high"}`},
		{"greatest", `{"segments":40,"risk":"low"}`},
		{"border", `{"segments":10,"risk":"high"}`},
		{"border", `{"segments":50,"risk":"medium"}`},
	},
	"roulette": {
		{"default", `{}`},
		{"least", `{"bets":[{"type":"straight","numbers":[1],"amount":W}]}`},
		{"greatest", `{"bets":[{"type":"straight","numbers":[0],"amount":W}]}`},
		{"border", `{"bets":[{"type":"straight","numbers":[36],"amount":W}]}`},
		{"border", `{"bets":[{"type":"line","numbers":[31,32,33,34,35,36],"amount":W/2},{"type":"column3","amount":W/2}]}`},
		{"border", `{"bets":[{"type":"corner","numbers":[1,2,4,5],"amount":W/4},{"type":"split","numbers":[0,1],"amount":W/4},{"type":"low","amount":W/2}]}`},
	},
	"baccarat": {
		{"default", `{}`},
		{"least", `{"bets":[{"on":"tie","amount":W}]}`},
		{"greatest", `{"bets":[{"on":"banker","amount":W}]}`},
		{"border", `{"bets":[{"on":"player","amount":W/2},{"on":"banker","amount":W/4},{"on":"tie","amount":W/4}]}`},
	},
	"diamonds": {{"default", `{}`}},
	"dragontower": {
		{"default", `{}`},
		{"least", `{"difficulty":"expert","picks":[1,1,1,1,1,1,1,1,1]}`},
		{"greatest", `{"difficulty":"expert","picks":[0,0,0,0,0,0,0,0,0]}`},
		{"border", `{"difficulty":"easy","picks":[3,3,3,3,3,3,3,3,3]}`},
		{"border", `{"difficulty":"hard","picks":[1]}`},
		{"border", `{"difficulty":"master","picks":[3]}`},
	},
	"hilo": {
		{"default", `{}`},
		{"least", `{"guesses":["higher","higher","higher","higher","higher","higher","higher","higher","higher","higher","higher","higher","higher","higher","higher"]}`},
		{"greatest", `{"guesses":["lower","lower","lower","lower","lower","lower","lower","lower","lower","lower","lower","lower","lower","lower","lower"]}`},
		{"border", `{"guesses":["skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","higher"]}`},
		{"border", `{"guesses":["higher","lower","skip","higher"]}`},
	},
}

// of are the configs of a game.
func configsOf(gameType string) []chosen {
	if listed := configs[gameType]; listed != nil {
		return listed
	}
	return []chosen{{"default", `{}`}}
}

// wagerParts is what each wager is a multiple of, so that its parts are whole.
const wagerParts = 4

var part = regexp.MustCompile(`W(?:/(\d+))?`)

// with is the config for a wager.
func (c chosen) with(wager int64) jsontext.Value {
	return jsontext.Value(part.ReplaceAllStringFunc(c.text, func(found string) string {
		_, divisor, divided := strings.Cut(found, "/")
		units := wager
		if divided {
			n, _ := strconv.ParseInt(divisor, 10, 64) // digits, by the expression
			units /= n
		}
		return strconv.FormatInt(units, 10)
	}))
}

// multiples are the stakes that are played, in smallest ones.
var multiples = []int64{1, 2, 5, 10}
