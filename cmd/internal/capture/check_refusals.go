package capture

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/refusal"
)

// declined is a bet that wasn't taken: refused, or never answered.
type declined struct {
	line, player, config int
	asked                Asked
	// code is the refusal's, empty of one that was never answered.
	code string
}

// readDeclined returns what a refused or an unanswered line says of a bet; false of one that says
// nothing of a bet, or is a step's.
func (c *checker) readDeclined(s *side, l Line) (d declined, said api.Failure, ok bool) {
	unreadable := l.Line == lineRefused && (json.Unmarshal(l.Answered, &said) != nil || said.Code == "")
	if l.Asked == nil || unreadable {
		c.addFinding(checkForm, finding{player: s.number}, "a refusal without a bet or an answer")
		return d, said, false
	}
	d = declined{line: c.line, player: s.number, config: l.Config, asked: *l.Asked, code: said.Code}
	return d, said, len(l.Asked.Actions) == 0
}

// readUnanswered takes a bet that got no answer, or one that says nothing about the bet.
func (c *checker) readUnanswered(s *side, l Line) {
	c.report.Unanswered++
	if d, _, ok := c.readDeclined(s, l); ok && s.pair != nil {
		s.pair.addAsk(d.config, d.asked, d.line, true)
	}
}

// readRefusal takes a bet that was refused. Nothing was drawn for it: no nonce is missing, no
// balance changes.
func (c *checker) readRefusal(s *side, l Line) {
	c.report.Refusals++
	d, said, ok := c.readDeclined(s, l)
	if !ok {
		return
	}
	if s.pair != nil {
		s.pair.addAsk(d.config, d.asked, d.line, true)
	}
	if len(c.keys) == 0 { // no receipts are given
		return
	}
	at := finding{player: s.number, config: d.config}
	c.countCheck(checkRefusal)
	if said.Receipt == nil {
		if isDecided(said) {
			c.addFinding(checkRefusal, at, "the bet was refused with %s, and the refusal that was asked for isn't signed: nobody can hold the house to why", said.Code)
		}
		return
	}
	signed := checkpoint.Signed{Text: said.Receipt.Text, Key: said.Receipt.Kid}
	if json.Unmarshal([]byte(`"`+said.Receipt.Signature+`"`), &signed.Signature) != nil {
		c.addFinding(checkRefusal, at, "the signature of the refusal can't be read")
		return
	}
	made, err := signed.Open(refusal.Purpose, c.keys...)
	var stated refusal.Stated
	if err == nil {
		stated, err = refusal.FromStatement(made)
	}
	if err != nil {
		c.addFinding(checkRefusal, at, "the receipt of the refusal doesn't hold: %v", err)
		return
	}
	c.checkStatedRefusal(s, d, stated, at)
}

// decided are the codes of refusals that come after the seed pair is known.
var decided = []string{
	"WAGER_OUT_OF_RANGE", "LIMIT_EXCEEDED", "GAME_DISABLED", "INSUFFICIENT_USER_FUNDS", "PLAYER_EXCLUDED", "PLAYER_FROZEN", "BLOCKED_AGENT",
	"TOO_MANY_OPEN", "TOKEN_NOT_ACCEPTED",
}

// isDecided reports whether a refusal comes after the seed pair is known, so that it is
// signed for whoever asks for that.
func isDecided(said api.Failure) bool {
	reason := said.Details["reason"]
	return slices.Contains(decided, said.Code) || said.Code == "API_CHECKING" && reason == "paused" || said.Code == "RATE_LIMITED" && reason == "pace"
}

// checkStatedRefusal compares what a signed refusal states with the bet, the pair, the rules
// and what is published.
func (c *checker) checkStatedRefusal(s *side, d declined, r refusal.Stated, at finding) {
	of := c.configs[d.config]
	if of == nil || of.gameType != d.asked.GameType {
		c.addFinding(checkForm, at, "the refusal is of no config of the capture")
		return
	}
	config, err := verifier.Value(d.asked.Config)
	order := refusal.Order{
		Steps: of.name == stepped, Game: d.asked.GameType, Token: money.Token(d.asked.Token), Wager: money.Amount(d.asked.Wager), Config: config, Key: d.asked.Key,
	}
	if err != nil {
		c.addFinding(checkForm, at, "the config that was asked for can't be read: %v", err)
		return
	}
	c.compareStated(s, d, r, order, at)
	if r.Code == "TOKEN_NOT_ACCEPTED" {
		return
	}
	if most, known := c.couldPay(of, order, r.MaxPayout); known && most != r.CouldPay {
		c.addFinding(checkRefusal, at, "the signed refusal states the most that the bet could pay as %d, by its rules it is %d", r.CouldPay, most)
	}
	_, fits := r.Balance.Add(r.CouldPay)
	if r.Code == "WAGER_OUT_OF_RANGE" && r.Allow(r.Wager) && fits || r.Code == "INSUFFICIENT_USER_FUNDS" && r.Balance >= r.Wager {
		c.addFinding(checkRefusal, at, "the bet of %d was refused with %s, and the figures of the signed refusal allow it: wagers from %d to %d, at most %d a round, room for %d, of which it could take %d, and a balance of %d",
			r.Wager, r.Code, r.MinWager, r.MaxWager, r.MaxPayout, r.Room, r.CouldPay, r.Balance)
	}
	c.stated = append(c.stated, statedLimits{at: finding{player: at.player, line: d.line, config: at.config}, token: r.Token, figures: r.Figures})
}

// compareStated finds what a signed refusal states otherwise than it is.
func (c *checker) compareStated(s *side, d declined, r refusal.Stated, order refusal.Order, at finding) {
	type fact struct {
		name, stated, is string
	}
	facts := []fact{
		{"order", r.Order, order.Digest()}, {"game", r.Game, order.Game}, {"token", string(r.Token), string(order.Token)},
		{"wager", fmt.Sprint(r.Wager), fmt.Sprint(order.Wager)}, {"code", r.Code, d.code},
	}
	if players := c.report.Header.Players; s.number <= len(players) && players[s.number-1] != "" {
		facts = append(facts, fact{"wallet", string(r.Wallet), players[s.number-1]})
	}
	if s.pair != nil {
		facts = append(facts, fact{"commitment", r.Commitment, s.pair.commitment}, fact{"nonce", fmt.Sprint(r.Nonce), fmt.Sprint(len(s.pair.rounds))})
	}
	if s.known {
		facts = append(facts, fact{"balance", fmt.Sprint(r.Balance), fmt.Sprint(s.balance)})
	}
	for _, f := range facts {
		if f.stated != f.is {
			c.addFinding(checkRefusal, at, "the signed refusal states the %s %s, it is %s", f.name, f.stated, f.is)
		}
	}
}

// couldPay is the most that an order can pay by its rules.
func (c *checker) couldPay(of *played, o refusal.Order, maxPayout money.Amount) (money.Amount, bool) {
	rules, err := c.games.Rules(of.gameType, of.rules)
	if err != nil {
		return 0, false
	}
	if !o.Steps {
		order, err := bet.NewOrder(rules, o.Config, o.Wager)
		return order.Figures().CouldPay, err == nil
	}
	opening, err := bet.NewOpening(rules, o.Config, o.Wager)
	opening.Terms.MaxPayout = maxPayout
	return opening.Figures(bet.Exposed{}).CouldPay, err == nil
}

// statedLimits are the limits that a signed refusal states.
type statedLimits struct {
	at      finding
	token   money.Token
	figures bet.Figures
}

// readLimits takes the published limits.
func (c *checker) readLimits(l Line) {
	var said api.PublicLimitsResponse
	if err := json.Unmarshal(l.Answered, &said); err != nil {
		c.addFinding(checkForm, finding{}, "the published limits can't be read: %v", err)
		return
	}
	c.limits = append(c.limits, said.Tokens...)
}

// readKeys takes the keys that receipts are signed with.
func (c *checker) readKeys(l Line) {
	var said api.PublicKeysResponse
	if err := json.Unmarshal(l.Answered, &said); err != nil {
		c.addFinding(checkForm, finding{}, "the published keys can't be read: %v", err)
		return
	}
	for _, k := range said.Keys {
		var der []byte
		key, err := checkpoint.Key{}, json.Unmarshal([]byte(`"`+k.PublicKey+`"`), &der)
		if err == nil {
			key, err = checkpoint.KeyOf(k.Kid, der)
		}
		if err != nil {
			c.addFinding(checkForm, finding{}, "the key %q can't be read: %v", k.Kid, err)
		} else if k.Use == "receipts" {
			c.keys = append(c.keys, key)
		}
	}
}

// checkLimits compares the limits that refusals state with those that were published during
// the capture. Limits may change meanwhile: those of one answer at least must be the same.
func (c *checker) checkLimits() {
	for _, s := range c.stated {
		c.countCheck(checkLimits)
		f := s.figures
		published := slices.ContainsFunc(c.limits, func(t api.TokenLimits) bool {
			return t.Token == string(s.token) && !t.Closing && t.MinWager == int64(f.MinWager) && t.MaxWager == int64(f.MaxWager) && t.MaxPayout == int64(f.MaxPayout)
		})
		if !published && len(c.limits) > 0 {
			c.addFinding(checkLimits, s.at, "the bet was refused by limits that were never published: wagers from %d to %d, at most %d a round", f.MinWager, f.MaxWager, f.MaxPayout)
		}
	}
}

// wouldHavePaid returns what a void round would have paid by its seeds, in words.
func (c *checker) wouldHavePaid(p *pair, r *answered) string {
	of := c.configs[r.config]
	if of == nil || len(r.states) > 0 {
		return "what its seeds would have paid is up to its actions"
	}
	_, result, err := c.wouldBe(p, of, r.asked, r.nonce())
	if err != nil {
		return "its seeds decide nothing: " + err.Error()
	}
	return "by its seeds it would have paid " + result.Multiplier.NumberText() + " times its wager"
}

// wouldBe returns what a bet comes to at a nonce of a revealed pair.
func (c *checker) wouldBe(p *pair, of *played, asked Asked, nonce int64) (plan game.Plan, result game.Result, err error) {
	if plan, err = verifier.Plan(c.games, of.gameType, of.rules, asked.Config, money.Amount(asked.Wager)); err == nil {
		result, err = game.Play(plan, p.stream(nonce))
	}
	return plan, result, err
}
