package capture

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/money"
)

// state is the answer after the opening or a step of a round. For an ended round, Shown is
// its outcome.
type state struct {
	shown   jsontext.Value
	choices jsontext.Value
	actions jsontext.Value
	stake   int64
	ended   bool
}

// receiptKind is the kind of the leaf that proves the state.
func (s state) receiptKind() string {
	if s.ended {
		return "round"
	}
	return "round.open"
}

// readStepped reads an answer for a stepped round: the members that open and ended rounds
// have in common, and the state.
func readStepped(text jsontext.Value) (round api.Round, raw jsontext.Value, now state, balance int64, err error) {
	var body struct {
		Round   jsontext.Value `json:"round"`
		Balance int64          `json:"balance"`
	}
	var of struct {
		Status  string         `json:"status"`
		Wager   int64          `json:"wager"`
		Stake   int64          `json:"stake"`
		Shown   jsontext.Value `json:"shown"`
		Choices jsontext.Value `json:"choices"`
		Actions jsontext.Value `json:"actions"`
		Outcome jsontext.Value `json:"outcome"`
	}
	if err := json.Unmarshal(text, &body); err != nil {
		return round, nil, now, 0, err
	}
	if err := json.Unmarshal(body.Round, &of); err != nil {
		return round, nil, now, 0, err
	}
	if err := json.Unmarshal(body.Round, &round); err != nil {
		return round, nil, now, 0, err
	}
	now = state{shown: of.Shown, choices: of.Choices, actions: of.Actions, stake: of.Stake}
	if of.Status != api.StatusOpen {
		now = state{shown: of.Outcome, actions: of.Actions, stake: of.Wager, ended: true}
	}
	return round, body.Round, now, body.Balance, nil
}

// readOpening reads the opening of a round.
func (c *checker) readOpening(s *side, l Line) {
	c.report.Rounds++
	at := finding{player: s.number, config: l.Config}
	round, raw, now, balance, err := readStepped(l.Answered)
	if err != nil || l.Asked == nil {
		c.addFinding(checkForm, at, "the opening can't be read")
		return
	}
	at.round = round.ID
	r := &answered{line: c.line, config: l.Config, round: round, text: raw, asked: *l.Asked, balance: balance, states: []state{now}}
	c.checkNoOpenRound(s, at)
	c.checkNewID(r, at)
	r.receipt = c.checkReceipt(s, l, now.receiptKind(), at)
	c.checkWanted(r, at)
	c.checkExpected(r, at)
	c.checkPair(s, r, at)
	c.checkTime(r.round.CreatedAt, l, at)
	if !bytes.Equal(now.actions, []byte("[]")) || now.stake != l.Asked.Wager {
		c.addFinding(checkAsked, at, "the round begins with the actions %.200s and a stake of %d, asked for was %d", now.actions, now.stake, l.Asked.Wager)
	}
	c.checkMovement(s, r, l.Asked.Wager, at)
	if s.pair != nil {
		s.pair.addAsk(r.config, r.asked, false)
		s.pair.rounds = append(s.pair.rounds, r)
	}
}

// checkOpenedConfig recomputes the config of an opened round from its asked config, wager
// and maxPayout, and compares these with the request and with the published limits.
func (c *checker) checkOpenedConfig(r *answered, rules string, at finding) {
	g, err := c.games.Rules(r.asked.GameType, rules)
	if err != nil {
		c.addFinding(checkAsked, at, "the rules aren't known: %v", err)
		return
	}
	said := struct {
		Asked     jsontext.Value `json:"asked"`
		MaxPayout money.Amount   `json:"maxPayout"`
	}{r.asked.Config, c.rules.maxPayout(r.asked.GameType, r.asked.Token)}
	published := said.MaxPayout
	if err := json.Unmarshal(r.text, &said); err != nil { // a round that ended at once has neither
		c.addFinding(checkForm, at, "what was asked for can't be read: %v", err)
		return
	}
	if said.MaxPayout != published {
		c.unpublished = append(c.unpublished, unpublished{at, r.asked, said.MaxPayout})
	}
	sent, err := verifier.Steps(c.games, r.asked.GameType, rules, r.asked.Config, money.Amount(r.asked.Wager))
	if err != nil {
		c.addFinding(checkAsked, at, "the rules refuse the config that was asked for: %v", err)
		return
	}
	asked, err := verifier.Steps(c.games, r.asked.GameType, rules, said.Asked, money.Amount(r.asked.Wager))
	if err != nil || !asked.Config().Equal(sent.Config()) {
		c.addFinding(checkAsked, at, "asked was the config %s, the round says %s", verifier.Text(sent.Config()), said.Asked)
		return
	}
	took, err := verifier.Steps(c.games, r.asked.GameType, rules, r.round.Config, money.Amount(r.asked.Wager))
	if err == nil {
		err = bet.CheckConfig(g, took.Config(), sent.Config(), money.Amount(r.asked.Wager), said.MaxPayout)
	}
	if err != nil {
		c.addFinding(checkAsked, at, "the bound is not the published one: asked was the config %s, the round has %s: %v", verifier.Text(sent.Config()), r.round.Config, err)
	}
}

// unpublished is the maxPayout of a round that differs from the one published before it.
type unpublished struct {
	finding
	asked     Asked
	maxPayout money.Amount
}

// checkUnpublished reports a maxPayout that was published neither before the rounds nor after
// them.
func (c *checker) checkUnpublished() {
	for _, one := range c.unpublished {
		if one.maxPayout != c.rulesAfter.maxPayout(one.asked.GameType, one.asked.Token) {
			c.addFinding(checkAsked, one.finding, "the bound follows from a maxPayout of %d, which is not published", one.maxPayout)
		}
	}
}

// checkNoOpenRound reports an open round if another line comes before its end.
func (c *checker) checkNoOpenRound(s *side, at finding) {
	if s.open != nil {
		c.addFinding(checkForm, at, "round %s isn't played to its end", s.open.round.ID)
		s.open = nil
	}
}

// checkMovement checks the balance after an answer for a round: stakes are subtracted, and
// the payout is added when the round has ended.
func (c *checker) checkMovement(s *side, r *answered, staked int64, at finding) {
	now := r.states[len(r.states)-1]
	want := s.balance - staked
	if now.ended {
		want += r.round.Payout
	} else {
		s.open = r
	}
	c.countCheck(checkBalance)
	if !s.known || r.balance != want {
		c.addFinding(checkBalance, at, "the balance is %d: it was %d, less the stake of %d, with a payout that the round may have ended with, is %d", r.balance, s.balance, staked, want)
	}
	s.setBalance(r.balance)
}

// readStep reads a step of the open round.
func (c *checker) readStep(s *side, l Line) {
	at := finding{player: s.number, config: l.Config}
	round, raw, now, balance, err := readStepped(l.Answered)
	if err != nil || l.Asked == nil || len(l.Asked.Actions) != 1 || s.open == nil {
		c.addFinding(checkForm, at, "the step can't be read, or is of no open round")
		return
	}
	r := s.open
	s.open = nil
	at.round = r.round.ID
	c.countCheck(checkAsked)
	before := r.states[len(r.states)-1]
	if round.ID != r.round.ID || !sameActions(before.actions, l.Asked.Actions[0], now.actions) {
		c.addFinding(checkAsked, at, "after the actions %.200s asked was %s, the round %s has %.200s", before.actions, l.Asked.Actions[0], round.ID, now.actions)
	}
	for name, members := range map[string][2]string{
		"serverSeedHash": {textOf(r.round.ServerSeedHash), textOf(round.ServerSeedHash)}, "clientSeed": {textOf(r.round.ClientSeed), textOf(round.ClientSeed)},
		"nonce": {numberText(r.round.Nonce), numberText(round.Nonce)}, "config": {string(r.round.Config), string(round.Config)}, "rules": {textOf(r.round.Rules), textOf(round.Rules)},
	} {
		if members[0] != members[1] {
			c.addFinding(checkBound, at, "%s was %s when the round was opened and is %s", name, members[0], members[1])
		}
	}
	if round.ServerSeed != nil {
		c.addFinding(checkHidden, at, "the server seed was shown while the pair was in use")
	}
	r.receipt = c.checkReceipt(s, l, now.receiptKind(), at)
	r.round, r.text, r.balance, r.states = round, raw, balance, append(r.states, now)
	c.checkMovement(s, r, now.stake-before.stake, at)
}

// sameActions reports whether now is the list before with taken appended.
func sameActions(before jsontext.Value, taken, now jsontext.Value) bool {
	var first, all []jsontext.Value
	if json.Unmarshal(before, &first) != nil || json.Unmarshal(now, &all) != nil || len(all) != len(first)+1 {
		return false
	}
	asked, took := taken.Clone(), all[len(first)].Clone()
	if asked.Canonicalize() != nil || took.Canonicalize() != nil || !bytes.Equal(asked, took) {
		return false
	}
	for i := range first {
		if !bytes.Equal(first[i], all[i]) {
			return false
		}
	}
	return true
}

// checkSteps compares the states and choices at each step with those computed from the
// revealed seeds.
func (c *checker) checkSteps(round verifier.Round, r *answered, at finding) {
	states, err := verifier.Fold(c.games, round)
	if err != nil || len(states) != len(r.states) {
		c.addFinding(checkOutcome, at, "the round can't be folded into the %d states that were answered: %v", len(r.states), err)
		return
	}
	first := money.Amount(r.asked.Wager)
	for i, is := range states {
		said := r.states[i]
		if !bytes.Equal(said.shown, verifier.Text(is.Shown)) || said.ended != is.Ended {
			c.addFinding(checkOutcome, at, "after %d actions %.200s was shown, the seeds decide %.200s", i, said.shown, verifier.Text(is.Shown))
		}
		if stake, fits := first.Times(is.Stake); !fits || int64(stake) != said.stake {
			c.addFinding(checkOutcome, at, "after %d actions %d was staked, the rules say %s times %d", i, said.stake, is.Stake, first)
		}
		if offers := verifier.Text(bet.Offers(is.Choices, first)); !said.ended && !bytes.Equal(said.choices, offers) {
			c.addFinding(checkOutcome, at, "after %d actions %.400s was offered, the rules offer %.400s", i, said.choices, offers)
		}
	}
}
