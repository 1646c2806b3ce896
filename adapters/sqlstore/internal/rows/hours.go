package rows

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// hourRow is what the players of a connection won there within an hour, or bet there as
// one lane counts it.
type hourRow struct {
	seamless.HourRef
	lane   int
	number int64
	sum    money.Total
}

// wonHours has a row that every win of a connection and token locks. Bets are counted by
// lane, so that they wait for nobody: both tables keep the latest hour alone.
var (
	wonHours = table("provider_hours", "h",
		text("connection", func(h *hourRow) *string { return &h.Connection }).keyed(),
		text("token", func(h *hourRow) *money.Token { return &h.Token }).keyed(),
		integer("number", func(h *hourRow) *int64 { return &h.number }),
		high("hi", func(h *hourRow) money.Total { return h.sum }),
		low("lo", func(h *hourRow) money.Total { return h.sum }),
	)
	betHours = table("lane_provider_bets", "l",
		integer("lane", func(h *hourRow) *int { return &h.lane }).keyed(),
		text("connection", func(h *hourRow) *string { return &h.Connection }).keyed(),
		text("token", func(h *hourRow) *money.Token { return &h.Token }).keyed(),
		integer("number", func(h *hourRow) *int64 { return &h.number }),
		high("hi", func(h *hourRow) money.Total { return h.sum }),
		low("lo", func(h *hourRow) money.Total { return h.sum }),
	)
)

var (
	addHours   = wonHours.insert("ON CONFLICT DO NOTHING")
	writeHours = wonHours.upsert("number", "hi", "lo")
	readBets   = db.NewQuery(`SELECT l.connection, l.token, l.number, l.hi, l.lo FROM {sent} AS s CROSS JOIN lane_provider_bets AS l
		WHERE l.connection = s.connection AND l.token = s.token`, "connection", "token")
	// The low parts add up below 2^41, so that the carry is 0 or 1. Bets of an hour that
	// is past are dropped, which makes the cap narrower.
	addBets = betHours.insert(`ON CONFLICT (lane, connection, token) DO UPDATE SET
	hi = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.hi WHEN excluded.number < lane_provider_bets.number THEN lane_provider_bets.hi
		ELSE lane_provider_bets.hi + excluded.hi + ((lane_provider_bets.lo + excluded.lo) >> 40) END,
	lo = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.lo WHEN excluded.number < lane_provider_bets.number THEN lane_provider_bets.lo
		ELSE (lane_provider_bets.lo + excluded.lo) & 1099511627775 END,
	number = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.number ELSE lane_provider_bets.number END`)
)

// LockHours locks what the players of connections won, in one order, and reads it.
func LockHours(d db.Dialect) *db.Query {
	return db.NewQuery(`SELECT h.connection, h.token, h.number, h.hi, h.lo FROM {sent} AS s CROSS JOIN provider_hours AS h
		WHERE h.connection = s.connection AND h.token = s.token ORDER BY h.connection, h.token`+d.LockRows("h"), "connection", "token")
}

// AskHours asks for what was won by LockHours, into b.Hours, and then for what was bet:
// whatever is bet later makes the cap wider, and is not counted.
func (b *Batch) AskHours(lock *db.Query, refs []seamless.HourRef) {
	rows := make([][]any, len(refs))
	for i, ref := range refs {
		rows[i] = []any{ref.Connection, string(ref.Token)}
	}
	b.Ask("lock providers' hours", lock, rows, func(row db.Row) error {
		h, err := scanHour(row)
		b.Hours[h.HourRef] = seamless.Hour{Number: h.number, Won: h.sum}
		return err
	})
	b.bets = nil
	b.Ask("read providers' bets", readBets, rows, func(row db.Row) error {
		h, err := scanHour(row)
		b.bets = append(b.bets, h)
		return err
	})
}

func scanHour(row db.Row) (h hourRow, err error) {
	var hi, lo int64
	err = row.Scan(&h.Connection, &h.Token, &h.number, &hi, &lo)
	h.sum = money.TotalFromParts(hi, lo)
	return h, err
}

// AddHours makes rows that are not there yet.
func (b *Batch) AddHours(missing []seamless.HourRef) {
	rows := make([][]any, len(missing))
	for i, ref := range missing {
		rows[i] = addHours.row(&hourRow{HourRef: ref})
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
			if bets.HourRef == ref && bets.number == hour.Number {
				hour.Bet = hour.Bet.Add(bets.sum)
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
	for _, ref := range slices.SortedFunc(maps.Keys(o.won), seamless.HourRef.Compare) {
		hour := b.Hours[ref]
		rows = append(rows, writeHours.row(&hourRow{HourRef: ref, number: hour.Number, sum: hour.Won}))
	}
	b.Write("write providers' hours", writeHours.query, rows)
	return nil
}

// laneBets writes what was bet into the rows of the lane.
type laneBets struct {
	plain
	of *hours
}

func (o laneBets) write(b *Batch) error {
	var rows [][]any
	for _, ref := range slices.SortedFunc(maps.Keys(o.of.bets), seamless.HourRef.Compare) {
		rows = append(rows, addBets.row(&hourRow{HourRef: ref, lane: b.Head.Lane, number: seamless.HourOf(b.Now), sum: o.of.bets[ref]}))
	}
	b.Write("add to providers' bets", addBets.query, rows)
	return nil
}
