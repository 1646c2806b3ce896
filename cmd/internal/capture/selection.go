package capture

import (
	"slices"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/cmd/internal/statistics"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// ask is a bet that was sent while a nonce of its pair waited. It is declined if it was
// refused, not answered, or made void.
type ask struct {
	config   int
	asked    Asked
	nonce    int64
	declined bool
}

// addAsk notes a bet at the pair's waiting nonce.
func (p *pair) addAsk(config int, asked Asked, declined bool) {
	p.asks = append(p.asks, ask{config, asked, int64(len(p.rounds)), declined})
}

// stream gives the draws of a revealed pair's nonce.
func (p *pair) stream(nonce int64) *fairness.Stream {
	return fairness.NewStream(fairness.ServerSeedFromText(p.reveal.ServerSeed), p.clientSeed, nonce)
}

// selectionLevel is the level of all tests together whether refusals depend on outcomes: an
// honest service is accused in one of a million captures.
const selectionLevel = 1e-6

// selection is what the bets of a game that were declined, or of all games, come to by their
// seeds. An honest house decides before anything is drawn, so that none of them returns more
// than its stake in the mean, whatever was decided before. The bets at one nonce share its
// draws: of them first has the first, and further the mean of the others.
type selection struct {
	Declined
	first, further statistics.Purse
	draws          statistics.Cells
}

// addDeclined recomputes the bets of a revealed pair at the nonces that waited for them.
func (c *checker) addDeclined(p *pair) {
	for len(p.asks) > 0 {
		n := slices.IndexFunc(p.asks, func(a ask) bool { return a.nonce != p.asks[0].nonce })
		if n < 0 {
			n = len(p.asks)
		}
		c.addAsked(p, p.asks[:n])
		p.asks = p.asks[n:]
	}
}

// addAsked adds the bets at one nonce.
func (c *checker) addAsked(p *pair, asks []ask) {
	first, further, sum := asks[0], 0.0, 0.0
	for _, a := range asks[1:] {
		if paid, _, err := c.wouldPay(p, a); err == nil && a.declined {
			further, sum = further+1, sum+paid
		}
	}
	paid, variance, err := c.wouldPay(p, first)
	if err != nil {
		return // said of the bet
	}
	c.countCheck(checkSelection)
	for _, of := range []string{c.configs[first.config].gameType, ""} {
		s := c.selections[of]
		if s == nil {
			s = &selection{Declined: Declined{Game: of}}
			c.selections[of] = s
		}
		s.count(first.declined, paid)
		if first.declined {
			s.first.Add(paid, variance)
			s.draws.Add(p.stream(first.nonce).Next())
		}
		if further > 0 {
			s.further.Add(sum/further, variance)
		}
	}
}

func (d *Declined) count(declined bool, paid float64) {
	won := 0
	if paid > 1 {
		won = 1
	}
	if declined {
		d.Bets, d.Won, d.Paid = d.Bets+1, d.Won+won, d.Paid+paid
	} else {
		d.Taken, d.TakenWon = d.Taken+1, d.TakenWon+won
	}
}

// testSelection tests whether the bets that were declined are those that would have won.
func (c *checker) testSelection() {
	for _, of := range append(slices.Clone(c.report.Header.Games), "") {
		s := c.selections[of]
		if s == nil || s.Bets == 0 {
			continue
		}
		c.report.Selection = append(c.report.Selection,
			Test{Game: of, Test: "return of refused bets", P: s.first.Chance()},
			Test{Game: of, Test: "return of bets that were refused again", P: s.further.Chance()},
			Test{Game: of, Test: "first draws of refused bets", P: s.draws.Chance()})
		if s.Paid /= float64(s.Bets); of != "" {
			c.report.Declined = append(c.report.Declined, s.Declined)
		}
	}
	c.judgeTests(checkSelection, c.report.Selection, selectionLevel,
		"which bets were refused or left unanswered depends on what they would have paid; ")
}

// wouldPay returns what a bet pays at its nonce, in wagers, and its variance; a round that is
// played step by step as the rules end it for an absent player, without a variance.
func (c *checker) wouldPay(p *pair, a ask) (paid, variance float64, err error) {
	of, wager := c.configs[a.config], money.Amount(a.asked.Wager)
	if of == nil {
		return 0, 0, errNoConfig
	}
	if of.name != stepped {
		plan, err := verifier.Plan(c.games, of.gameType, of.rules, a.asked.Config, wager)
		if err != nil {
			return 0, 0, err
		}
		result, err := game.Play(plan, p.stream(a.nonce))
		return paidBy(result.Multiplier), c.oddsFor(a.config, a.asked.Wager, plan).variance, err
	}
	steps, err := verifier.Steps(c.games, of.gameType, of.rules, a.asked.Config, wager)
	if err != nil {
		return 0, 0, err
	}
	draws := func() game.Draws { return p.stream(a.nonce) }
	states, err := game.Replay(steps, draws, nil)
	for taken := []game.Value(nil); err == nil && !states[len(states)-1].Ended; {
		var action game.Value
		if action, err = game.Abandoned(steps, states[len(states)-1]); err == nil {
			taken = append(taken, action)
			states, err = game.Replay(steps, draws, taken)
		}
	}
	if err != nil {
		return 0, 0, err
	}
	return paidBy(states[len(states)-1].Multiplier), 0, nil
}

func paidBy(multiplier money.Ratio) float64 {
	return float64(multiplier.Num) / float64(max(1, multiplier.Den))
}
