package bench

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// Rounds that Step plays: one mine among 25 tiles. Tiles are opened in order until the mine
// is hit, and cashed out after a number of tiles. One request in fourteen opens a round.
const (
	steppedGame  = "mines"
	steppedMines = 1
	steppedTiles = 20
)

// stepped is a player's open round.
type stepped struct {
	id   string // "" for none
	step int64
	// clean means that rounds left open by an earlier load were ended.
	clean bool
}

// stepRound opens a round, or takes the next action in the player's open round.
func (c *client) stepRound(ctx context.Context, p *Player) outcome {
	if !p.round.clean {
		if was := c.endRounds(ctx, p); !was.isSuccess() {
			return was
		}
	}
	if p.round.id == "" {
		c.body = fmt.Appendf(c.body[:0], `{"gameType":%q,"wager":%d,"token":%q,"config":{"mines":%d}}`,
			steppedGame, c.plan.Bet.Wager, c.plan.Bet.Token, steppedMines)
		got, err := c.open.sendRetried(ctx, "POST", "/rounds", p.Token, c.body)
		return c.judgeAnswer(p, got, err, func(body []byte) string { return p.checkOpening(c.plan.Bet, body) })
	}
	action := `{"type":"cashOut"}`
	if p.round.step < steppedTiles {
		action = fmt.Sprintf(`{"type":"open","tile":%d}`, p.round.step)
	}
	got, err := c.takeStep(ctx, p, p.round.id, p.round.step, action)
	return c.judgeAnswer(p, got, err, func(body []byte) string { return p.checkStep(c.plan.Bet, body) })
}

func (c *client) takeStep(ctx context.Context, p *Player, id string, step int64, action string) (answer, error) {
	c.body = fmt.Appendf(c.body[:0], `{"step":%d,"action":%s}`, step, action)
	return c.open.sendRetried(ctx, "POST", "/rounds/"+id+"/steps", p.Token, c.body)
}

// endOpenRounds ends rounds left open by an earlier load, before the measurement.
func (c *client) endOpenRounds(ctx context.Context) {
	if !c.plan.Mix.Has(Step) {
		return
	}
	for _, p := range c.players {
		if p.needsRenewal(c.clock.Now()) {
			c.renewSession(ctx, p)
		}
		c.endRounds(ctx, p) // after an error, the player's first step tries again
	}
}

// endRounds cashes out open rounds of an earlier load, or of a request without an answer,
// because a player may have only few open rounds.
func (c *client) endRounds(ctx context.Context, p *Player) outcome {
	got, err := c.open.sendRetried(ctx, "GET", "/rounds", p.Token, nil)
	var left api.OpenRoundsResponse
	if was := c.judgeAnswer(p, got, err, func(body []byte) string {
		if err := json.Unmarshal(body, &left); err != nil {
			return "/rounds shows no rounds"
		}
		return ""
	}); !was.isSuccess() {
		return was
	}
	for _, round := range left.Rounds {
		if round.GameType != steppedGame {
			continue
		}
		got, err := c.takeStep(ctx, p, round.ID, int64(round.Step), `{"type":"cashOut"}`)
		if was := c.judgeAnswer(p, got, err, func([]byte) string { return "" }); !was.isSuccess() {
			return was
		}
		p.forgetNonce()
	}
	p.round = stepped{clean: true}
	return outcome{}
}

// checkOpening compares the answer to an opening with the request and the player's balance.
// It returns the error as text, or "".
func (p *Player) checkOpening(bet Bet, body []byte) string {
	o, ok := readOpen(body)
	if !ok {
		return "the answer is not an open round"
	}
	before, nonceBefore, follows := p.house, p.nonce, p.followsNonce(o.pair, o.nonce)
	p.house, p.nonce, p.pair, p.provider.known = followed{o.balance, !bet.Shared}, o.nonce, o.pair, false
	p.round.id, p.round.step = o.id, 0
	switch {
	case o.step != 0 || o.wager != bet.Wager || !isText(body, `"gameType":`, steppedGame) || !isText(body, `"token":`, bet.Token):
		return "it is another round's"
	case before.known && o.balance != before.amount-o.wager:
		return fmt.Sprintf("the balance is %d, expected %d - %d", o.balance, before.amount, o.wager)
	case before.known && !follows:
		return fmt.Sprintf("the nonce is %d after %d", o.nonce, nonceBefore)
	}
	return ""
}

// checkStep compares the answer to an action with the previous state of the round.
func (p *Player) checkStep(bet Bet, body []byte) string {
	before, was := p.house, p.round
	if !isText(body, `"id":`, was.id) {
		return "it is another round's"
	}
	if o, ok := readOpen(body); ok {
		p.house, p.round.step = followed{o.balance, !bet.Shared}, o.step
		switch {
		case o.step != was.step+1:
			return fmt.Sprintf("step %d comes after %d", o.step, was.step)
		case before.known && o.balance != before.amount:
			return fmt.Sprintf("the balance is %d, expected %d", o.balance, before.amount)
		}
		return ""
	}
	s, ok := readPlay(body)
	if !ok {
		return "it is neither an open round nor a settled one"
	}
	p.house, p.round.id = followed{s.balance, !bet.Shared}, ""
	switch {
	case s.wager != bet.Wager:
		return "it is another bet's"
	case !s.paysWhatItSays():
		return fmt.Sprintf("the payout is %d for %d at ×%g", s.payout, s.wager, s.multiplier)
	case before.known && s.balance != before.amount+s.payout:
		return fmt.Sprintf("the balance is %d, expected %d + %d", s.balance, before.amount, s.payout)
	}
	return ""
}

// standing is the state of an open round in an answer.
type standing struct {
	id                          string
	wager, step, nonce, balance int64
	pair                        [hashLength]byte
}

// readOpen parses the answer for an open round. It reports false if the body isn't one.
func readOpen(body []byte) (standing, bool) {
	var o standing
	var ok [4]bool
	id, _, hasID := memberText(body, `"id":`)
	o.id = string(id)
	o.wager, ok[0] = memberNumber(body, `"wager":`)
	o.step, ok[1] = memberNumber(body, `"step":`)
	o.nonce, ok[2] = memberNumber(body, `"nonce":`)
	hash, _, _ := memberText(body, `"serverSeedHash":`)
	copy(o.pair[:], hash)
	_, last, _ := memberText(body, `"createdAt":`)
	o.balance, ok[3] = memberNumber(body[last:], `"balance":`)
	return o, hasID && isText(body, `"status":`, api.StatusOpen) && len(hash) == hashLength && isObject(body) && ok == [4]bool{true, true, true, true}
}
