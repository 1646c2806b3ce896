package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// houseGame holds the declarations of a house game. A game embeds it, and adds RTP and
// Plan or Begin.
type houseGame struct {
	gameType, rules, title, explanation string
	fields                              []Field
}

func (g houseGame) Type() string        { return g.gameType }
func (g houseGame) Rules() string       { return g.rules }
func (g houseGame) Title() string       { return g.title }
func (g houseGame) Explanation() string { return g.explanation }
func (g houseGame) Fields() []Field     { return g.fields }

// configured holds the config of a plan or of steps.
type configured struct{ config Value }

func (c configured) Config() Value { return c.config }

// payTables are the tables of a game in which the config selects one by a risk and a
// size, such as the number of rows. They are in the published order.
type payTables []payTable

// payTable is the payout of each index, in units of the game.
type payTable struct {
	*figures
	risk string
	size int
	pays []uint64
}

// find returns the table of a risk and a size, nil if not offered.
func (t payTables) find(risk string, size int) *payTable {
	for i := range t {
		if t[i].risk == risk && t[i].size == size {
			return &t[i]
		}
	}
	return nil
}

// rtp returns the range over all tables.
func (t payTables) rtp(risk string, size int) RTP {
	all := make([]*figures, len(t))
	for i := range t {
		all[i] = t[i].figures
	}
	return rtpAmong(t.find(risk, size).figures, all...)
}

// table returns {tables}: a list of the members that describe each table and its pays,
// in wagers with this number of decimals.
func (t payTables) table(decimals uint8, describe func(*payTable) []Member) Value {
	tables := make([]Value, len(t))
	for i := range t {
		tables[i] = Object(append(describe(&t[i]), Member{"pays", decimalsOf(t[i].pays, decimals)})...)
	}
	return Object(Member{"tables", List(tables...)})
}

// cappedSteps is the common part of Steps with the same return for every strategy: they
// can be cashed out, stake nothing further, and accept a bound on the payout.
type cappedSteps struct {
	configured
	game Stepped
	// bound is the greatest payout of a round.
	bound money.Ratio
}

func (s *cappedSteps) MaxStake() money.Ratio      { return money.Ratio{Num: 1, Den: 1} }
func (s *cappedSteps) MaxMultiplier() money.Ratio { return s.bound }
func (s *cappedSteps) Abandon(State) Value        { return cashOut }

func (s *cappedSteps) UpTo(most money.Ratio) (Steps, bool) {
	config, ok := cappedConfig(s.config, most)
	if !ok {
		return nil, false
	}
	steps, err := s.game.Begin(config, 0)
	return steps, err == nil
}

// stepsWithin returns the greatest number of steps, at most all, with a prize within the
// config's bound. It refuses a bound below the prize of the first step.
func stepsWithin(config Value, all int, pays func(steps int) money.Ratio) (int, error) {
	bound, bounded := capOf(config)
	for most := all; bounded && pays(most).Cmp(bound) > 0; most-- {
		if most == 1 {
			return 0, errCap(pays(1))
		}
		all = most - 1
	}
	return all, nil
}

// errCap refuses a bound below the first prize.
func errCap(least money.Ratio) error {
	return fault.Field("config."+capName, "must be at least %s, the prize of the first step", least.DecimalText(capDecimals))
}

// tilesTaken returns the tiles that the actions took, one a step, and whether the round
// was lost or has ended: by cashing out, by an unsafe tile, or by the last step.
func tilesTaken(actions []Value, most int, safe func(step int, tile uint8) bool) (tiles []uint8, lost, ended bool) {
	for _, action := range actions {
		tile, takes := action.Get("tile").Int()
		if !takes {
			return tiles, false, true // cashed out
		}
		lost = !safe(len(tiles), uint8(tile))
		tiles = append(tiles, uint8(tile))
		if lost || len(tiles) == most {
			return tiles, lost, true
		}
	}
	return tiles, false, false
}

// tileOffers returns the offers of a step: to take a tile, or to cash out.
func tileOffers(action string, tile Field, chance *big.Rat, next, now money.Ratio) []Offer {
	return []Offer{
		{Action: ActionOf(action), Fields: []Field{tile}, Chance: chance, Prize: ratioToRat(next)},
		{Action: cashOut, Chance: big.NewRat(1, 1), Prize: ratioToRat(now)},
	}
}

// returnAmong returns the range of the returns of these rounds and of cashing out at
// once, which pays 0.99.
func returnAmong(rounds ...*figures) StepReturn {
	of := StepReturn{Best: big.NewRat(99, 100), Least: big.NewRat(99, 100)}
	for _, round := range rounds {
		mean := round.Moments().Mean
		if mean.Cmp(of.Best) > 0 {
			of.Best = mean
		}
		if mean.Cmp(of.Least) < 0 {
			of.Least = mean
		}
	}
	return of
}

// stepVariance returns the variance of a step from a worth to that worth divided by the
// chance, or to nothing: worth² · (1/chance - 1).
func stepVariance(worth money.Ratio, chance *big.Rat) *big.Rat {
	variance := new(big.Rat).Inv(chance)
	variance.Sub(variance, big.NewRat(1, 1))
	square := ratioToRat(worth)
	return variance.Mul(variance, square.Mul(square, square))
}
