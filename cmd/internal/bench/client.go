package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// client sends requests one after another with its own players.
type client struct {
	plan    *Plan
	tally   *tally
	clock   Clock
	open    *connection
	door    *entrance
	players []*Player
	turns   turns
	taken   []int  // number of turns taken in each part of the mix
	run     string // prefix of the ids of this client's callbacks
	sent    int
	body    []byte
	owned   []byte // the text before the amount of the played token in /balance
}

func newClient(plan *Plan, t *tally, clock Clock, n int) *client {
	c := &client{
		plan: plan, tally: t, clock: clock, open: plan.Service.newConnection(), door: plan.Service.newEntrance(), turns: newTurns(plan.Mix),
		taken: make([]int, len(plan.Mix)), run: fmt.Sprintf("bench-%x-%d-", clock.Now().UnixNano(), n),
		owned: fmt.Appendf(nil, `"token":%q,"balance":`, plan.Bet.Token),
	}
	for i := n; i < len(plan.Players); i += plan.Clients {
		c.players = append(c.players, plan.Players[i])
	}
	for range n % c.turns.sum { // start clients at different parts of the mix
		c.turns.nextPart()
	}
	return c
}

func (c *client) close() {
	c.open.close()
	c.door.close()
}

// pauseAfterLoss slows a client down while the service is unreachable.
const pauseAfterLoss = 10 * time.Millisecond

// runSchedule sends requests on schedule until the schedule ends.
func (c *client) runSchedule(ctx context.Context, s *schedule) {
	for {
		due, ok := s.waitForNext(ctx)
		if !ok {
			return
		}
		part := c.turns.nextPart()
		p := c.players[c.taken[part]%len(c.players)]
		c.taken[part]++
		if p.needsRenewal(due) {
			begun := c.clock.Now()
			c.renewSession(ctx, p)
			due = due.Add(c.clock.Now().Sub(begun))
		}
		was := c.sendRequest(ctx, c.plan.Mix[part].Kind, p)
		if ctx.Err() != nil && was.status == 0 {
			return // interrupted, not lost
		}
		c.tally.countRequest(part, due, c.clock.Now(), was)
		if was.status == 0 {
			select {
			case <-ctx.Done():
			case <-time.After(pauseAfterLoss):
			}
		}
	}
}

// renewSession replaces a session that is about to end, outside the measurement.
func (c *client) renewSession(ctx context.Context, p *Player) {
	got, err := c.door.signIn(ctx, p, c.clock.Now())
	if err != nil || got.status != 200 {
		return // the next request reports the error
	}
	if wrong := p.readSession(got.body); wrong != "" {
		c.tally.countBadAnswer("a renewed session: " + wrong)
	}
}

// reads are the paths that Read requests in turn.
var reads = [...]string{"/balance", "/seed", "/history"}

func (c *client) sendRequest(ctx context.Context, kind string, p *Player) outcome {
	c.sent++
	switch kind {
	case Play, Receipt:
		c.body = append(append(c.body[:0], `{"gameType":"`...), c.plan.Bet.GameType...)
		c.body = strconv.AppendInt(append(c.body, `","wager":`...), c.plan.Bet.Wager, 10)
		c.body = append(append(append(c.body, `,"token":"`...), c.plan.Bet.Token...), `"}`...)
		c.open.receipt = kind == Receipt
		got, err := c.open.sendRetried(ctx, "POST", "/play", p.Token, c.body)
		c.open.receipt = false
		if p.ears != nil && err == nil && got.status == 200 {
			if id, _, found := memberText(got.body, `"id":`); found {
				p.ears.matchBet(p, string(id), c.clock.Now(), false)
			}
		}
		return c.judgeAnswer(p, got, err, func(body []byte) string {
			if _, _, signed := memberText(body, `"signature":`); signed != (kind == Receipt) {
				return "a receipt where none was asked for, or none where one was"
			}
			return p.checkPlay(c.plan.Bet, body)
		})
	case Step:
		return c.stepRound(ctx, p)
	case Login:
		got, err := c.door.signIn(ctx, p, c.clock.Now())
		return c.judgeAnswer(p, got, err, p.readSession)
	case Callback:
		got, err := c.open.sendRetried(ctx, "POST", "/gold_api", "", c.callbackBody(p))
		if err == nil && got.status == 200 && isText(got.body, `"status":`, "0") {
			return refusalOutcome(got)
		}
		return c.judgeAnswer(p, got, err, func(body []byte) string { return p.checkCallback(c.plan.Bet.Shared, body) })
	case Read:
		kind = reads[p.reads%len(reads)]
		p.reads++
	}
	got, err := c.open.sendRetried(ctx, "GET", kind, p.Token, nil)
	return c.judgeAnswer(p, got, err, func(body []byte) string { return c.checkRead(kind, p, body) })
}

// callbackBody returns a bet and its win in one message with a new id.
func (c *client) callbackBody(p *Player) []byte {
	g := c.plan.Callback
	c.body = fmt.Appendf(c.body[:0], `{"method":"transaction","agent_code":%q,"agent_secret":%q,"user_code":%q,"game_type":%q,%q:`+
		`{"provider_code":%q,"game_code":%q,"bet_money":%s,"win_money":%s,"txn_id":"%s%d","txn_type":"debit_credit"}}`,
		g.AgentCode, g.AgentSecret, p.Wallet, g.Type, g.Type, g.Provider, g.Game, callbackBetText, callbackWinText, c.run, c.sent)
	return c.body
}

// judgeAnswer returns the outcome of a request. Check examines the body of a 200 or 201
// answer.
func (c *client) judgeAnswer(p *Player, got answer, err error, check func([]byte) string) outcome {
	if err != nil {
		p.forgetNonce()
		return outcome{code: lossOf(err)}
	}
	if got.status == 200 || got.status == 201 {
		wrong := check(got.body)
		if wrong != "" { // don't compare the next answer with the values of this one
			p.forgetNonce()
		}
		return outcome{status: got.status, bad: wrong}
	}
	p.forgetNonce()
	was := refusalOutcome(got)
	if got.status == 500 {
		was.bad = fmt.Sprintf("500 %s", was.code)
	}
	return was
}

// refusalOutcome returns the outcome of a failure that the service reported, with its code.
// Answers to a provider have the code in their message.
func refusalOutcome(got answer) outcome {
	code, _, found := memberText(got.body, `"code":`)
	if !found {
		code, _, _ = memberText(got.body, `"msg":`)
	}
	if len(code) == 0 {
		code = []byte("no code")
	}
	return outcome{status: got.status, code: string(code)}
}

// lossOf describes briefly why a request had no answer, so that equal causes are counted
// together.
func lossOf(err error) string {
	var network *net.OpError
	switch {
	case errors.As(err, &network) && network.Timeout():
		return "timeout"
	case errors.As(err, &network) && network.Op == "dial":
		return "no connection"
	}
	return "connection lost"
}

// checkRead compares a read body with the known state of the player.
func (c *client) checkRead(path string, p *Player, body []byte) string {
	if !isObject(body) {
		return fmt.Sprintf("%s answered no JSON object", path)
	}
	switch path {
	case "/balance":
		at := bytes.Index(body, c.owned)
		if at < 0 {
			if p.house.known && p.house.amount > 0 {
				return fmt.Sprintf("/balance shows nothing of the %d that the player has", p.house.amount)
			}
			return ""
		}
		if amount, ok := memberNumber(body[at:], `"balance":`); !ok || p.house.known && amount != p.house.amount {
			return fmt.Sprintf("/balance shows %d, the last bet left %d", amount, p.house.amount)
		}
	case "/seed":
		nonce, ok := memberNumber(body, `"nonce":`)
		hash, _, found := memberText(body, `"serverSeedHash":`)
		if !ok || !found || len(hash) != hashLength {
			return "/seed shows no pair"
		}
		if p.house.known && !p.followsNonce([hashLength]byte(hash), nonce) {
			return fmt.Sprintf("/seed shows nonce %d after %d was used", nonce, p.nonce)
		}
	case "/history":
		if !bytes.Contains(body, []byte(`"rounds":[`)) {
			return "/history shows no rounds"
		}
	}
	return ""
}
