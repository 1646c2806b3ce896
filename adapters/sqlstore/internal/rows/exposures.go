package rows

import (
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// Exposure is what open rounds of a token may cost, as one lane counts it: what was
// opened in it, less what ended in it. So a lane may count less than nothing.
type Exposure struct {
	bun.BaseModel `bun:"table:lane_exposures,alias:l"`
	Lane          int         `bun:",pk"`
	Token         money.Token `bun:",pk"`
	Sum
}

// Exposures are what open rounds may cost, as lanes count it.
var Exposures = modelOf[Exposure, Exposure]()

// OpenExposures is the same as open rounds add up to it.
var OpenExposures = View[Exposure]{
	"o.token, o.hi, o.lo",
	"(SELECT r.token, sum(r.exposure >> 40) AS hi, sum(r.exposure & 1099511627775) AS lo FROM open_rounds AS r GROUP BY r.token) AS o",
	Exposures.only("token", "hi", "lo").Scan,
}

var (
	addExposures  = Exposures.insert("ON CONFLICT (lane, token) DO UPDATE SET " + addUp("lane_exposures", ""))
	readExposures = Exposures.find("l.token = s.token", "token")
)

// exposures are what open rounds may cost. A batch reads it only where a round is opened:
// what the lane itself has is as it is, because nobody else writes there, and what another
// lane opens at the same moment stays within that lane's own part.
type exposures struct {
	plain
	asked  map[money.Token]map[int]money.Total // by lane
	taken  []int                               // lanes that somebody decides in
	staged map[money.Token]money.Total
}

func (o *exposures) ask(b *Batch) {
	var tokens []string
	for _, item := range b.Items {
		if token := string(item.Needs.Exposure); token != "" && !slices.Contains(tokens, token) {
			tokens = append(tokens, token)
		}
	}
	if len(tokens) == 0 {
		return
	}
	slices.Sort(tokens)
	sent := make([][]any, len(tokens))
	for i, token := range tokens {
		put(&o.asked, money.Token(token), map[int]money.Total{})
		sent[i] = []any{token}
	}
	// The lanes first: one that is taken later opens nothing before this batch has ended.
	if b.lanesTaken != nil {
		b.Ask("read the lanes in use", b.lanesTaken, [][]any{{1}}, func(row db.Row) error {
			var lane int
			err := row.Scan(&lane)
			o.taken = append(o.taken, lane)
			return err
		})
	}
	readExposures.ask(&b.Asks, "read what open rounds may cost", sent, func(of Exposure) error {
		o.asked[of.Token][of.Lane] = of.Total()
		return nil
	})
}

// show tells what the batch's earlier items left.
func (o *exposures) show(b *Batch, item *player.Item, whole *player.View) {
	whole.Exposed = nil
	token := item.Needs.Exposure
	if token == "" {
		return
	}
	lanes := o.asked[token]
	exposed := &bet.Exposed{Own: lanes[b.Head.Lane].Add(o.staged[token]), Unsettled: b.Unsettled}
	for _, lane := range o.taken {
		if lane != b.Head.Lane {
			exposed.Others = append(exposed.Others, lanes[lane])
		}
	}
	for lane, amount := range lanes {
		if lane != b.Head.Lane && !slices.Contains(o.taken, lane) {
			exposed.Idle = exposed.Idle.Add(amount)
		}
	}
	whole.Exposed = exposed
}

func (o *exposures) stage(_ *Batch, s *Step) {
	before := s.Wallet.View.OpenRounds
	if n := len(s.Change.Steps); n > 0 {
		last := &s.Change.Steps[n-1]
		if !has(before, last.ID) && !last.Ended {
			put(&o.staged, last.Token, o.staged[last.Token].AddAmount(last.Exposure))
		}
	}
	if r := s.Change.Round; r != nil {
		if ended, known := before[r.ID]; known {
			put(&o.staged, ended.Token, o.staged[ended.Token].Sub(money.TotalOf(ended.Exposure)))
		}
	}
}

func (o *exposures) write(b *Batch) error {
	var rows [][]any
	for token, amount := range o.staged {
		rows = append(rows, addExposures.row(&Exposure{Lane: b.Head.Lane, Token: token, Sum: sumOf(amount)}))
	}
	b.WriteSorted("add to what open rounds may cost", addExposures.query, rows)
	return nil
}
