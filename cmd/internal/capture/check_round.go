package capture

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
)

// readRound reads a round as answered during play.
func (c *checker) readRound(s *side, l Line) {
	c.report.Rounds++
	at := finding{player: s.number, config: l.Config}
	var said api.Played
	var texts struct {
		Round jsontext.Value `json:"round"`
	}
	if l.Asked == nil || json.Unmarshal(l.Answered, &said) != nil || json.Unmarshal(l.Answered, &texts) != nil {
		c.addFinding(checkForm, at, "the round can't be read")
		return
	}
	r := &answered{line: c.line, config: l.Config, round: said.Round, text: texts.Round, asked: *l.Asked, balance: said.Balance}
	at.round = said.Round.ID
	c.checkNoOpenRound(s, at)
	c.checkNewID(r, at)
	r.receipt = c.checkReceipt(s, l, "round", at)
	c.checkWanted(r, at)
	c.checkExpected(r, at)
	c.checkPair(s, r, at)
	c.checkTime(r.round.CreatedAt, l, at)
	c.countCheck(checkBalance)
	if want := s.balance - r.round.Wager + r.round.Payout; !s.known || r.balance != want {
		c.addFinding(checkBalance, at, "the balance after the round is %d: it was %d, less the wager of %d, with the payout of %d, is %d",
			r.balance, s.balance, r.round.Wager, r.round.Payout, want)
	}
	s.setBalance(r.balance)
	if s.pair != nil {
		s.pair.addAsk(r.config, r.asked, r.void())
		s.pair.rounds = append(s.pair.rounds, r)
	}
}

// clocksApart is the maximum difference between a round's time and that of its response: a
// sign-in accepts clocks that differ by two minutes, and the response takes time.
const clocksApart = 3 * time.Minute

// checkTime compares the time in an answer with the time of its response.
func (c *checker) checkTime(created int64, l Line, at finding) {
	c.countCheck(checkCreated)
	apart := time.Duration(l.At-created) * time.Millisecond
	if apart.Abs() > clocksApart {
		c.addFinding(checkCreated, at, "the answer has the time %s, the response came at %s",
			time.UnixMilli(created).UTC().Format(time.RFC3339), time.UnixMilli(l.At).UTC().Format(time.RFC3339))
	}
}

// checkNewID reports ids that an earlier round had.
func (c *checker) checkNewID(r *answered, at finding) {
	if c.ids[r.round.ID] || r.round.ID == "" {
		c.addFinding(checkNonce, at, "two rounds have the id %q", r.round.ID)
	}
	c.ids[r.round.ID] = true
}

// checkWanted compares the round with the bet, and its config with the config that the
// rules make of the requested one.
func (c *checker) checkWanted(r *answered, at finding) {
	c.countCheck(checkAsked)
	of, got := c.configs[r.config], r.round
	if of == nil || of.gameType != r.asked.GameType {
		c.addFinding(checkForm, at, "the round is of no config of the capture")
		return
	}
	rules := ""
	if got.Rules != nil {
		rules = *got.Rules
	}
	if got.Provider != figure.Own || got.GameType != r.asked.GameType || got.Token != r.asked.Token || got.Wager != r.asked.Wager {
		c.addFinding(checkAsked, at, "asked was a round of %s for %d of %s, answered one of %s (%s) for %d of %s",
			r.asked.GameType, r.asked.Wager, r.asked.Token, got.GameType, got.Provider, got.Wager, got.Token)
		return
	}
	if rules != of.rules {
		c.addFinding(checkRules, at, "the round was played by the rules %q, published are %q", rules, of.rules)
		return
	}
	if len(r.states) > 0 {
		c.checkOpenedConfig(r, rules, at)
		return
	}
	wanted, err := verifier.Plan(c.games, r.asked.GameType, rules, r.asked.Config, money.Amount(r.asked.Wager))
	if err != nil {
		c.addFinding(checkAsked, at, "the rules refuse the config that was played: %v", err)
		return
	}
	took, err := verifier.Plan(c.games, r.asked.GameType, rules, got.Config, money.Amount(got.Wager))
	if err != nil || !took.Config().Equal(wanted.Config()) {
		c.addFinding(checkAsked, at, "asked was the config %s, the round has %s", verifier.Text(wanted.Config()), got.Config)
	}
}

// checkExpected compares the pair and the nonce of a round with those that its bet was for.
func (c *checker) checkExpected(r *answered, at finding) {
	if of := r.asked.ExpectedServerSeedHash; of != "" && of != textOf(r.round.ServerSeedHash) {
		c.addFinding(checkAsked, at, "the bet was for the pair %s, the round is of %s", of, textOf(r.round.ServerSeedHash))
	}
	if of := r.asked.ExpectedNonce; of != nil && numberText(of) != numberText(r.round.Nonce) {
		c.addFinding(checkAsked, at, "the bet was for the nonce %d, the round has %s", *of, numberText(r.round.Nonce))
	}
}

// checkPair checks that the round is the next one of its pair.
func (c *checker) checkPair(s *side, r *answered, at finding) {
	if s.pair == nil {
		c.addFinding(checkBound, at, "the round comes before a pair was begun")
		return
	}
	c.countCheck(checkBound)
	got := r.round
	if textOf(got.ServerSeedHash) != s.pair.commitment {
		c.addFinding(checkBound, at, "the round names the commitment %s, its pair has %s", textOf(got.ServerSeedHash), s.pair.commitment)
	}
	if textOf(got.ClientSeed) != s.pair.clientSeed {
		c.addFinding(checkBound, at, "the round names the client seed %q, chosen was %q", textOf(got.ClientSeed), s.pair.clientSeed)
	}
	if source := textOf(got.ClientSeedSource); source != "player" {
		c.addFinding(checkClientSeed, at, "the round's client seed is of the source %q: the house could know both seeds, so the round proves nothing", source)
	}
	if got.ServerSeed != nil {
		c.addFinding(checkHidden, at, "the server seed was shown while the pair was in use")
	}
	c.countCheck(checkNonce)
	if next := int64(len(s.pair.rounds)); got.Nonce == nil || *got.Nonce != next {
		c.addFinding(checkNonce, at, "the round has the nonce %s, the next one is %d", numberText(got.Nonce), next)
	}
}

func textOf(of *string) string {
	if of == nil {
		return ""
	}
	return *of
}

func numberText(of *int64) string {
	if of == nil {
		return "null"
	}
	return strconv.FormatInt(*of, 10)
}

// recomputeRound compares a round with the result of its revealed seed, and adds it to the
// statistics.
func (c *checker) recomputeRound(s *side, p *pair, r *answered) {
	at := finding{player: s.number, line: r.line, round: r.round.ID, config: r.config}
	c.countCheck(checkOutcome)
	var differences []verifier.Difference
	round, err := verifier.ReadRound(r.text)
	if kind := round.Actions.Kind(); len(r.states) == 0 && len(round.Actions) > 0 && kind != 'n' {
		c.addFinding(checkAsked, at, "a round that was played at once has actions: %.200s", round.Actions)
	}
	round.ServerSeed, round.ClientSeed = &p.reveal.ServerSeed, &p.clientSeed
	if err == nil {
		differences, err = verifier.Compare(c.games, round)
	}
	if err != nil {
		c.addFinding(checkOutcome, at, "the round can't be recomputed: %v", err)
		return
	}
	for _, d := range differences {
		if d.Name != "serverSeedHash" { // checkReveal reports it for the pair
			c.addFinding(checkOutcome, at, "%s: the round says %.200s, its seeds decide %.200s", d.Name, d.Said, d.Is)
		}
	}
	if len(r.states) > 0 && !round.Void() {
		c.checkSteps(round, r, at)
	}
	if round.Void() {
		c.addFinding(checkVoid, at, "the round is void: its stake went back, and no seed shows why; %s", c.wouldHavePaid(p, r))
		return
	}
	c.addSample(p, r)
}

// afterwards are members of a round that are missing or null in its answer during play.
var afterwards = []string{"serverSeed", "balanceBefore", "balanceAfter"}

// checkHistory compares a round in the history after the reveal with its answer during
// play.
func (c *checker) checkHistory(s *side, l Line) {
	var said api.RoundResponse
	var texts struct {
		Round map[string]jsontext.Value `json:"round"`
	}
	at := finding{player: s.number}
	if json.Unmarshal(l.Answered, &said) != nil || json.Unmarshal(l.Answered, &texts) != nil {
		c.addFinding(checkForm, at, "the round of the history can't be read")
		return
	}
	at.round = said.Round.ID
	var r *answered
	if s.ended != nil {
		if i := slices.IndexFunc(s.ended.rounds, func(r *answered) bool { return r.round.ID == said.Round.ID && !r.read }); i >= 0 {
			r = s.ended.rounds[i]
		}
	}
	if r == nil {
		c.addFinding(checkHistory, at, "the history answers a round that wasn't asked for")
		return
	}
	r.read, at.config = true, r.config
	if s.ended.retired {
		c.revealRetired(s, textOf(said.Round.ServerSeed))
	}
	c.countCheck(checkHistory)
	c.compareReceipt(r, l, at)
	var first map[string]jsontext.Value
	_ = json.Unmarshal(r.text, &first) // it was already read during play
	for _, name := range memberNames(first, texts.Round) {
		if !slices.Contains(afterwards, name) && !bytes.Equal(first[name], texts.Round[name]) {
			c.addFinding(checkHistory, at, "%s: at play it was %.200s, in the history it is %.200s", name, first[name], texts.Round[name])
		}
	}
	if textOf(said.Round.ServerSeed) != s.ended.reveal.ServerSeed {
		c.addFinding(checkHistory, at, "the history names the server seed %q, revealed was %q", textOf(said.Round.ServerSeed), s.ended.reveal.ServerSeed)
	}
	was := r.balance - r.round.Payout
	if len(r.states) == 0 { // stepped rounds take stakes before their end
		was += r.round.Wager
	}
	before, after := said.Round.BalanceBefore, said.Round.BalanceAfter
	if before == nil || after == nil || *after != r.balance || *before != was {
		c.addFinding(checkHistory, at, "the history has the balances %s and %s, at play they were %d and %d", numberText(before), numberText(after), was, r.balance)
	}
}

// memberNames returns the sorted names of the members of both.
func memberNames(one, other map[string]jsontext.Value) []string {
	var all []string
	for name := range one {
		all = append(all, name)
	}
	for name := range other {
		if one[name] == nil {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}
