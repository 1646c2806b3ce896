package rows

import (
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// hourColumns are what was moved at a connection within an hour.
type hourColumns struct {
	Connection string      `bun:",pk"`
	Token      money.Token `bun:",pk"`
	Number     int64
	Sum
}

func hourOf(ref seamless.HourRef, number int64, sum money.Total) hourColumns {
	return hourColumns{ref.Connection, ref.Token, number, sumOf(sum)}
}

func (h hourColumns) ref() seamless.HourRef {
	return seamless.HourRef{Connection: h.Connection, Token: h.Token}
}

// wonHour is what the players of a connection won there within an hour, a row that every
// win of a connection and token locks.
type wonHour struct {
	bun.BaseModel `bun:"table:provider_hours,alias:h"`
	hourColumns
}

// betHour is what they bet there, counted by lane, so that bets wait for nobody: both
// tables keep the latest hour alone.
type betHour struct {
	bun.BaseModel `bun:"table:lane_provider_bets,alias:l"`
	Lane          int `bun:",pk"`
	hourColumns
}

var (
	wonHours = modelOf[wonHour, wonHour]()
	betHours = modelOf[betHour, betHour]()
)

var (
	addHours   = wonHours.insert("ON CONFLICT DO NOTHING")
	writeHours = wonHours.upsert("number", "hi", "lo")
	readBets   = betHours.find("l.connection = s.connection AND l.token = s.token", "connection", "token")
	// The low parts add up below 2^41, so that the carry is 0 or 1. Bets of an hour that
	// is past are dropped, which makes the cap narrower.
	addBets = betHours.insert(`ON CONFLICT (lane, connection, token) DO UPDATE SET
	hi = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.hi WHEN excluded.number < lane_provider_bets.number THEN lane_provider_bets.hi
		ELSE lane_provider_bets.hi + excluded.hi + ((lane_provider_bets.lo + excluded.lo) >> 40) END,
	lo = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.lo WHEN excluded.number < lane_provider_bets.number THEN lane_provider_bets.lo
		ELSE (lane_provider_bets.lo + excluded.lo) & 1099511627775 END,
	number = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.number ELSE lane_provider_bets.number END`)
)

// lockHoursOf locks what the players of connections won, in one order, and reads it.
func lockHoursOf(d db.Dialect) selection[wonHour] {
	return wonHours.find("h.connection = s.connection AND h.token = s.token ORDER BY h.connection, h.token"+d.LockRows("h"), "connection", "token")
}

// AskHours locks what was won and asks for it, into b.Hours, and then for what was bet:
// whatever is bet later makes the cap wider, and is not counted.
func (b *Batch) AskHours(refs []seamless.HourRef) {
	rows := make([][]any, len(refs))
	for i, ref := range refs {
		rows[i] = []any{ref.Connection, string(ref.Token)}
	}
	b.lockHours.ask(&b.Asks, "lock providers' hours", rows, func(h wonHour) error {
		b.Hours[h.ref()] = seamless.Hour{Number: h.Number, Won: h.Total()}
		return nil
	})
	b.bets = nil
	readBets.ask(&b.Asks, "read providers' bets", rows, func(h betHour) error {
		b.bets = append(b.bets, h)
		return nil
	})
}

// AddHours makes rows that are not there yet.
func (b *Batch) AddHours(missing []seamless.HourRef) {
	rows := make([][]any, len(missing))
	for i, ref := range missing {
		rows[i] = addHours.row(&wonHour{hourColumns: hourOf(ref, 0, money.Total{})})
	}
	b.Ask("make providers' hours", addHours.query, rows, nil)
}

// hours are what the players of connections win, whoever's items they are.
type hours struct {
	plain
	won  map[seamless.HourRef]struct{}
	bets map[seamless.HourRef]money.Total
}

// answered begins hours that are new by the database's clock.
func (*hours) answered(b *Batch) error {
	for ref, kept := range b.Hours {
		hour := kept.In(seamless.HourOf(b.Now))
		for _, bets := range b.bets {
			if bets.ref() == ref && bets.Number == hour.Number {
				hour.Bet = hour.Bet.Add(bets.Total())
			}
		}
		b.Hours[ref] = hour
	}
	return nil
}

func (*hours) show(b *Batch, _ *player.Item, whole *player.View) { whole.Hours = b.Hours }

// stage counts a transaction for the next item of the batch, whoever's it is.
func (o *hours) stage(b *Batch, s *Step) {
	t := s.Change.Seamless
	if t == nil {
		return
	}
	ref := t.HourRef()
	if hour, locked := b.Hours[ref]; locked {
		b.Hours[ref] = hour.With(*t)
		if t.Counts() {
			put(&o.won, ref, struct{}{})
		}
	}
	if bet := (seamless.Hour{}).With(*t).Bet; bet.Sign() > 0 {
		put(&o.bets, ref, o.bets[ref].Add(bet))
	}
}

func (o *hours) write(b *Batch) error {
	var rows [][]any
	for ref := range o.won {
		hour := b.Hours[ref]
		rows = append(rows, writeHours.row(&wonHour{hourColumns: hourOf(ref, hour.Number, hour.Won)}))
	}
	b.WriteSorted("write providers' hours", writeHours.query, rows)
	return nil
}

// laneBets writes what was bet into the rows of the lane.
type laneBets struct {
	plain
	of *hours
}

func (o laneBets) write(b *Batch) error {
	var rows [][]any
	for ref, bet := range o.of.bets {
		rows = append(rows, addBets.row(&betHour{Lane: b.Head.Lane, hourColumns: hourOf(ref, seamless.HourOf(b.Now), bet)}))
	}
	b.WriteSorted("add to providers' bets", addBets.query, rows)
	return nil
}
