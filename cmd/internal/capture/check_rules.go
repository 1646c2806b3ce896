package capture

import (
	"bytes"
	"math/big"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// published holds GET /public/games: for each game the JSON text of its members.
type published map[string]map[string]jsontext.Value

// changing are members that aren't rules, so that an operator may change them at any time.
var changing = []string{"limits"}

func readPublished(text jsontext.Value) (published, error) {
	var said struct {
		Games []map[string]jsontext.Value `json:"games"`
	}
	if err := json.Unmarshal(text, &said); err != nil {
		return nil, err
	}
	games := published{}
	for _, g := range said.Games {
		var gameType string
		if err := json.Unmarshal(g["gameType"], &gameType); err != nil {
			return nil, err
		}
		games[gameType] = g
	}
	return games, nil
}

// memberText returns the text of a string member.
func (p published) memberText(gameType, member string) (text string) {
	if value := p[gameType][member]; value != nil && json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// maxPayout returns the published maximum payout of a game's rounds in a token, 0 if there
// is none.
func (p published) maxPayout(gameType, token string) money.Amount {
	var limits []api.WagerLimits
	if json.Unmarshal(p[gameType]["limits"], &limits) != nil {
		return 0
	}
	for _, of := range limits {
		if of.Token == token {
			return money.Amount(of.MaxPayout)
		}
	}
	return 0
}

// checkPublished compares published games with the first ones, and those with the rules.
func (c *checker) checkPublished(l Line) {
	now, err := readPublished(l.Answered)
	if err != nil {
		c.addFinding(checkForm, finding{}, "the published games can't be read: %v", err)
		return
	}
	if c.rules == nil {
		c.rules = now
		for _, gameType := range c.report.Header.Games {
			c.checkStated(gameType)
		}
		return
	}
	c.rulesAfter = now
	for gameType, first := range c.rules {
		for member, value := range first {
			if !slices.Contains(changing, member) && !bytes.Equal(value, now[gameType][member]) {
				c.addFinding(checkRules, finding{}, "%s: the published %s changed while rounds were played: %.80s, then %.80s", gameType, member, value, now[gameType][member])
			}
		}
	}
}

// checkStated compares a published game with its rules.
func (c *checker) checkStated(gameType string) {
	c.countCheck(checkRules)
	g, err := c.games.Rules(gameType, c.rules.memberText(gameType, "rules"))
	if err != nil {
		c.addFinding(checkRules, finding{}, "%s: the rules %q aren't known here, its rounds can't be recomputed", gameType, c.rules.memberText(gameType, "rules"))
		return
	}
	var says api.Returns
	if err := json.Unmarshal(c.rules[gameType]["rtp"], &says); err != nil {
		c.addFinding(checkRules, finding{}, "%s: the published return can't be read: %v", gameType, err)
		return
	}
	returns := g.RTP()
	for name, of := range map[string]struct {
		said api.Return
		is   *big.Rat
	}{"default": {says.Default, returns.Default}, "min": {says.Min, returns.Min}, "max": {says.Max, returns.Max}} {
		if !isRatio(of.said.Ratio, of.is) {
			c.addFinding(checkRules, finding{}, "%s: the published return (%s) is %s, by its rules %s", gameType, name, of.said.Ratio, of.is.RatString())
		}
	}
	if tabled, ok := g.(game.Tabled); ok && !bytes.Equal(c.rules[gameType]["table"], verifier.Text(tabled.Table())) {
		c.addFinding(checkRules, finding{}, "%s: the published table is not that of the rules %s", gameType, g.Rules())
	}
}

func isRatio(said string, is *big.Rat) bool {
	ratio, ok := new(big.Rat).SetString(said)
	return ok && ratio.Cmp(is) == 0
}

// readConfig reads a config and checks the return that the service states for it.
func (c *checker) readConfig(l Line) {
	if l.Asked == nil || c.configs[l.Config] != nil || !slices.Contains(c.report.Header.Games, l.Asked.GameType) {
		c.addFinding(checkForm, finding{}, "a config without a unique number, or of a game that isn't captured")
		return
	}
	of := &played{gameType: l.Asked.GameType, name: l.Name, text: string(l.Asked.Config), rules: c.rules.memberText(l.Asked.GameType, "rules")}
	c.configs[l.Config] = of
	if l.Name == stepped { // the return of a stepped round depends on its actions
		return
	}
	c.countCheck(checkReturn)
	at := finding{config: l.Config}
	var says api.ConfigReturn
	if err := json.Unmarshal(l.Answered, &says); err != nil {
		c.addFinding(checkForm, at, "what the config returns can't be read: %v", err)
		return
	}
	plan, err := verifier.Plan(c.games, of.gameType, of.rules, l.Asked.Config, 0)
	if err != nil {
		c.addFinding(checkReturn, at, "the rules %s refuse the config: %v", of.rules, err)
		return
	}
	moments := plan.Moments()
	if says.Rules != of.rules {
		c.addFinding(checkReturn, at, "the service answered for the rules %s, the game has %s", says.Rules, of.rules)
	}
	if !isRatio(says.RTP.Ratio, moments.Mean) {
		c.addFinding(checkReturn, at, "the service says that it returns %s, by its rules it is %s", says.RTP.Ratio, moments.Mean.RatString())
	}
	if variance := moments.Variance(); !isRatio(says.Variance.Ratio, variance) {
		c.addFinding(checkReturn, at, "the service says that its variance is %s, by its rules it is %s", says.Variance.Ratio, variance.RatString())
	}
	if most := plan.MaxMultiplier().NumberText(); string(says.MaxMultiplier) != most {
		c.addFinding(checkReturn, at, "the service says that it pays %s at most, by its rules it is %s", says.MaxMultiplier, most)
	}
}
