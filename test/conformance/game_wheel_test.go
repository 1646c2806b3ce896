package conformance

import (
	"math/big"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// wheel is a small correct game, which tests modify. Of 1,024 fields 1000/prize pay the prize;
// the config sets the first of them.
type wheel struct {
	title  string
	fields []game.Field
	rtp    func(game.RTP) game.RTP
	// bend changes a plan that was made for a stake.
	bend   func(p *wheelPlan, wager money.Amount)
	refuse func(config game.Value) error
	table  *game.Value
}

const wheelFields = 1024

type wheelPlan struct {
	game.Odds
	shown   game.Value
	moments func(game.Moments) game.Moments
	chance  *big.Rat // of the greatest multiplier, if it isn't that of the odds
	within  *big.Rat // tolerance of its stated moments
	rtp     uint64
	play    func(game.Draws) game.Result
}

// Within makes each plan a game.Nearly, with tolerance 0 unless another is set.
func (p *wheelPlan) Within() *big.Rat {
	if p.within != nil {
		return p.within
	}
	return new(big.Rat)
}

func newWheel() wheel {
	return wheel{title: "Wheel", fields: []game.Field{
		{Name: "prize", Title: "Prize", Description: "What a field pays.", Shape: game.Number{Min: 2, Max: 9}, Default: game.Int(2)},
		{Name: "last", Title: "Last", Description: "Whether the last fields pay.", Shape: game.Flag{}, Default: game.Bool(false)},
	}}
}

func (wheel) Type() string           { return "wheel" }
func (wheel) Rules() string          { return "wheel/1" }
func (w wheel) Title() string        { return w.title }
func (w wheel) Fields() []game.Field { return w.fields }

func wheelOdds(prize int64) game.Odds {
	return game.Odds{Prize: money.Ratio{Num: uint64(prize), Den: 1}, Wins: uint64(1000/prize) * (drawValues / wheelFields)}
}

func (w wheel) RTP() game.RTP {
	mean := func(prize int64) *big.Rat { return wheelOdds(prize).Moments().Mean }
	rtp := game.RTP{Default: mean(2), Min: mean(7), Max: mean(2)} // 7·142 is the least
	if w.rtp != nil {
		return w.rtp(rtp)
	}
	return rtp
}

func (w wheel) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	prize, _ := config.Get("prize").Int()
	if w.refuse != nil {
		if err := w.refuse(config); err != nil {
			return nil, err
		}
	}
	p := &wheelPlan{Odds: wheelOdds(max(prize, 2)), shown: config}
	p.rtp = p.Odds.RTPPartsPerBillion()
	paying, last := uint32(p.Wins>>22), config.Get("last").Bool()
	p.play = func(draws game.Draws) game.Result {
		field := draws.Pick(wheelFields)
		if last {
			field = wheelFields - 1 - field
		}
		return p.result(field, field < paying)
	}
	if w.bend != nil {
		w.bend(p, wager)
	}
	return p, nil
}

func (p *wheelPlan) result(field uint32, won bool) game.Result {
	result := game.Result{Outcome: game.Object(game.Member{Name: "field", Value: game.Int(int64(field))})}
	if won {
		result.Multiplier = p.Prize
	}
	return result
}

func (p *wheelPlan) Config() game.Value                { return p.shown }
func (p *wheelPlan) RTPPartsPerBillion() uint64        { return p.rtp }
func (p *wheelPlan) Play(draws game.Draws) game.Result { return p.play(draws) }
func (p *wheelPlan) GreatestChance() *big.Rat {
	if p.chance != nil {
		return p.chance
	}
	return p.Odds.GreatestChance()
}

func (p *wheelPlan) Moments() game.Moments {
	if p.moments != nil {
		return p.moments(p.Odds.Moments())
	}
	return p.Odds.Moments()
}

// played changes the results of a plan's rounds.
func played(bend func(p *wheelPlan, r game.Result) game.Result) func(*wheelPlan, money.Amount) {
	return func(p *wheelPlan, _ money.Amount) {
		play := p.play
		p.play = func(draws game.Draws) game.Result { return bend(p, play(draws)) }
	}
}

// uncounted makes rounds use more draws than can be counted.
func uncounted(bend func(*wheelPlan, money.Amount)) func(*wheelPlan, money.Amount) {
	return func(p *wheelPlan, wager money.Amount) {
		if bend != nil {
			bend(p, wager)
		}
		play := p.play
		p.play = func(draws game.Draws) game.Result {
			result := play(draws)
			draws.Pick(1 << 31)
			return result
		}
	}
}

// oneDraw makes rounds use one whole draw.
func oneDraw(won func(k uint32, p *wheelPlan) bool) func(*wheelPlan, money.Amount) {
	return func(p *wheelPlan, _ money.Amount) {
		p.play = func(draws game.Draws) game.Result {
			k := draws.Next()
			return p.result(k, won(k, p))
		}
	}
}

func pays(k uint32, p *wheelPlan) bool { return uint64(k) < p.Wins }

func onlyDefault(rtp game.RTP) game.RTP {
	return game.RTP{Default: rtp.Default, Min: rtp.Default, Max: rtp.Default}
}

func field(name string, shape game.Shape) game.Field {
	return game.Field{Name: name, Title: "T", Description: "D.", Shape: shape, Optional: true}
}

func moments(bend func(game.Moments) game.Moments) func(*wheelPlan, money.Amount) {
	return func(p *wheelPlan, _ money.Amount) { p.moments = bend }
}

// nearly states a tolerance of the moments, and a mean that is off by a part.
func nearly(within, off *big.Rat) func(*wheelPlan, money.Amount) {
	return func(p *wheelPlan, wager money.Amount) {
		p.within = within
		moments(func(m game.Moments) game.Moments {
			m.Mean.Mul(m.Mean, new(big.Rat).Add(off, big.NewRat(1, 1)))
			return m
		})(p, wager)
	}
}

// reaching states another chance of the greatest multiplier.
func reaching(chance *big.Rat) func(*wheelPlan, money.Amount) {
	return func(p *wheelPlan, _ money.Amount) { p.chance = chance }
}

func promising(mean *big.Rat) func(*wheelPlan, money.Amount) {
	return moments(func(m game.Moments) game.Moments { m.Mean = mean; return m })
}

func varying(by *big.Rat) func(*wheelPlan, money.Amount) {
	return moments(func(m game.Moments) game.Moments { m.MeanSquare.Add(m.MeanSquare, by); return m })
}

// fieldsLess lets the first of the paying fields lose, fieldsMore the last of the others win.
func fieldsLess(n int64) func(*wheelPlan, money.Amount) {
	return played(func(_ *wheelPlan, r game.Result) game.Result {
		if at, _ := r.Outcome.Get("field").Int(); at < n {
			r.Multiplier = money.Ratio{}
		}
		return r
	})
}

func fieldsMore(n int64) func(*wheelPlan, money.Amount) {
	return played(func(p *wheelPlan, r game.Result) game.Result {
		if at, _ := r.Outcome.Get("field").Int(); at >= wheelFields-n {
			r.Multiplier = p.Prize
		}
		return r
	})
}

// prizeAt lets one field pay a multiple of the prize.
func prizeAt(field int64, times uint64) func(*wheelPlan, money.Amount) {
	return played(func(p *wheelPlan, r game.Result) game.Result {
		if at, _ := r.Outcome.Get("field").Int(); at == field {
			r.Multiplier = money.Ratio{Num: p.Prize.Num * times, Den: p.Prize.Den}
		}
		return r
	})
}

// bound makes the plan state a greater maximum than it pays.
func bound(p *wheelPlan, most uint64) {
	paid := p.Prize
	play := p.play
	p.play = func(draws game.Draws) game.Result {
		result := play(draws)
		if result.Multiplier.Num > 0 {
			result.Multiplier = paid
		}
		return result
	}
	p.Prize = money.Ratio{Num: most, Den: 1}
}

func panicking(at func(k uint32) bool) func(*wheelPlan, money.Amount) {
	return oneDraw(func(k uint32, p *wheelPlan) bool {
		if at(k) {
			panic("no such field")
		}
		return pays(k, p)
	})
}

func nines(refusal error) func(game.Value) error {
	return func(config game.Value) error {
		if prize, _ := config.Get("prize").Int(); prize == 9 {
			return refusal
		}
		return nil
	}
}

// tabledWheel depends on a table.
type tabledWheel struct{ wheel }

func (w tabledWheel) Table() game.Value { return *w.table }
