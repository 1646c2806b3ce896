package capture

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// chosen is a played config of a game. W in its text stands for the wager, W/n for a part
// of it.
type chosen struct {
	name, text string
	// steps means that rounds are played in steps.
	steps bool
}

// stepped is the name of configs for stepped rounds.
const stepped = "steps"

// inSteps are the configs of stepped rounds.
var inSteps = map[string][]string{
	"mines":       {`{"mines":3}`, `{"mines":24}`, `{"mines":1,"maxMultiplier":1.5}`},
	"dragontower": {`{"difficulty":"medium"}`, `{"difficulty":"expert"}`},
	"hilo":        {`{}`, `{"maxMultiplier":20}`},
	"videopoker":  {`{}`},
	"blackjack":   {`{}`},
}

// configs are the played configs of each game: the default, those with the least and the
// greatest return, and limits of the allowed values. A game that isn't listed is played
// with its default.
var configs = map[string][]chosen{
	"dice": {
		{name: "default", text: `{}`},
		{name: "least", text: `{"target":2.76,"direction":"over"}`},
		{name: "greatest", text: `{"target":0.01,"direction":"under"}`},
		{name: "border", text: `{"target":1.99,"direction":"over"}`},
		{name: "border", text: `{"target":99.99,"direction":"over"}`},
		{name: "border", text: `{"target":98.01,"direction":"under"}`},
	},
	"limbo": {
		{name: "default", text: `{}`},
		{name: "least", text: `{"target":9999.67}`},
		{name: "greatest", text: `{"target":1.28}`},
		{name: "border", text: `{"target":1.01}`},
		{name: "border", text: `{"target":10000}`},
	},
	"crash": {
		{name: "default", text: `{}`},
		{name: "least", text: `{"cashout":999769.02}`},
		{name: "greatest", text: `{"cashout":1.28}`},
		{name: "border", text: `{"cashout":1.01}`},
		{name: "border", text: `{"cashout":1000000}`},
	},
	"coinflip": {
		{name: "default", text: `{}`},
		{name: "border", text: `{"side":"tails"}`},
		{name: "border", text: `{"side":"heads","flips":20}`},
		{name: "border", text: `{"side":"tails","flips":20}`},
	},
	"slots": {{name: "default", text: `{}`}},
	"mines": {
		{name: "default", text: `{"mines":3,"picks":[0]}`},
		{name: "least", text: `{"mines":1,"picks":[0,1]}`},
		{name: "greatest", text: `{"mines":1,"picks":[0,1,2]}`},
		{name: "border", text: `{"mines":24,"picks":[24]}`},
		{name: "border", text: `{"mines":1,"picks":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]}`},
		{name: "border", text: `{"mines":12,"picks":[0,1,2,3,4,5,6,7,8,9,10,11,12]}`},
	},
	"plinko": {
		{name: "default", text: `{}`},
		{name: "least", text: `{"rows":8,"risk":"medium"}`},
		{name: "greatest", text: `{"rows":11,"risk":"high"}`},
		{name: "border", text: `{"rows":8,"risk":"low"}`},
		{name: "border", text: `{"rows":16,"risk":"low"}`},
		{name: "border", text: `{"rows":16,"risk":"expert"}`},
	},
	"keno": {
		{name: "default", text: `{}`},
		{name: "least", text: `{"picks":[0,39],"risk":"medium"}`},
		{name: "greatest", text: `{"picks":[0,1,2,3,4,5,6,7,8],"risk":"low"}`},
		{name: "border", text: `{"picks":[39],"risk":"classic"}`},
		{name: "border", text: `{"picks":[30,31,32,33,34,35,36,37,38,39],"risk":"high"}`},
	},
	"wheel": {
		{name: "default", text: `{}`},
		{name: "least", text: `{"segments":50,"risk":"high"}`},
		{name: "greatest", text: `{"segments":40,"risk":"low"}`},
		{name: "border", text: `{"segments":10,"risk":"high"}`},
		{name: "border", text: `{"segments":50,"risk":"medium"}`},
	},
	"roulette": {
		{name: "default", text: `{}`},
		{name: "least", text: `{"bets":[{"type":"straight","numbers":[1],"amount":W}]}`},
		{name: "greatest", text: `{"bets":[{"type":"straight","numbers":[0],"amount":W}]}`},
		{name: "border", text: `{"bets":[{"type":"straight","numbers":[36],"amount":W}]}`},
		{name: "border", text: `{"bets":[{"type":"line","numbers":[31,32,33,34,35,36],"amount":W/2},{"type":"column3","amount":W/2}]}`},
		{name: "border", text: `{"bets":[{"type":"corner","numbers":[1,2,4,5],"amount":W/4},{"type":"split","numbers":[0,1],"amount":W/4},{"type":"low","amount":W/2}]}`},
	},
	"baccarat": {
		{name: "default", text: `{}`},
		{name: "least", text: `{"bets":[{"on":"tie","amount":W}]}`},
		{name: "greatest", text: `{"bets":[{"on":"banker","amount":W}]}`},
		{name: "border", text: `{"bets":[{"on":"player","amount":W/2},{"on":"banker","amount":W/4},{"on":"tie","amount":W/4}]}`},
	},
	"diamonds": {{name: "default", text: `{}`}},
	"dragontower": {
		{name: "default", text: `{}`},
		{name: "least", text: `{"difficulty":"expert","picks":[1,1,1,1,1,1,1,1,1]}`},
		{name: "greatest", text: `{"difficulty":"expert","picks":[0,0,0,0,0,0,0,0,0]}`},
		{name: "border", text: `{"difficulty":"easy","picks":[3,3,3,3,3,3,3,3,3]}`},
		{name: "border", text: `{"difficulty":"hard","picks":[1]}`},
		{name: "border", text: `{"difficulty":"master","picks":[3]}`},
	},
	"hilo": {
		{name: "default", text: `{}`},
		{name: "least", text: `{"guesses":["higher","higher","higher","higher","higher","higher","higher","higher","higher","higher","higher","higher","higher","higher","higher"]}`},
		{name: "greatest", text: `{"guesses":["lower","lower","lower","lower","lower","lower","lower","lower","lower","lower","lower","lower","lower","lower","lower"]}`},
		{name: "border", text: `{"guesses":["skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","skip","higher"]}`},
		{name: "border", text: `{"guesses":["higher","lower","skip","higher"]}`},
	},
}

// configsOf returns the configs of a game, the default if the game isn't listed.
func configsOf(gameType string) []chosen {
	listed := slices.Clip(configs[gameType])
	for _, text := range inSteps[gameType] {
		listed = append(listed, chosen{stepped, text, true})
	}
	if listed == nil {
		return []chosen{{name: "default", text: `{}`}}
	}
	return listed
}

// wagerParts divides every wager, so that its parts are integers.
const wagerParts = 4

var part = regexp.MustCompile(`W(?:/(\d+))?`)

// configFor returns the config for a wager.
func (c chosen) configFor(wager int64) jsontext.Value {
	return jsontext.Value(part.ReplaceAllStringFunc(c.text, func(found string) string {
		_, divisor, divided := strings.Cut(found, "/")
		units := wager
		if divided {
			n, _ := strconv.ParseInt(divisor, 10, 64) // the expression matches only digits
			units /= n
		}
		return strconv.FormatInt(units, 10)
	}))
}

// multiples are the played stakes, in multiples of the smallest.
var multiples = []int64{1, 2, 5, 10}
