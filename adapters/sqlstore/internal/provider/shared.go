package provider

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// FundsLine is an agent's prepaid account.
type FundsLine struct {
	bun.BaseModel `bun:"table:agent_funds,alias:f"`
	agent.FundsRef
	agent.Funds
}

// Funds is the model of agents' prepaid accounts.
var Funds = table.ModelOf[FundsLine, FundsLine]()

// FundsLines is a view of them in the form of ports.
var FundsLines = table.ViewOf(Funds, func(f FundsLine) (ports.FundsLine, error) {
	return ports.FundsLine{FundsRef: f.FundsRef, Funds: f.Funds}, nil
})

var (
	addFunds = Funds.Insert("ON CONFLICT DO NOTHING")
	// An upsert, because the rows always exist and only their values are sent.
	writeFunds = Funds.Insert("ON CONFLICT (agent, token) DO UPDATE SET " + table.Excluded("balance", "reserved", "credit_limit"))
)

// Locks are the queries that lock and read rows shared by wallets, in a fixed order: agents'
// accounts, then players' wins at connections.
type Locks struct {
	funds table.Selection[FundsLine]
	hours table.Selection[wonHour]
}

// NewLocks returns the queries for a database.
func NewLocks(d db.Dialect) Locks {
	return Locks{
		Funds.Find("f.agent = s.agent AND f.token = s.token ORDER BY f.agent, f.token"+d.LockRows("f"), "agent", "token"),
		wonHours.Find("h.connection = s.connection AND h.token = s.token ORDER BY h.connection, h.token"+d.LockRows("h"), "connection", "token"),
	}
}

// AskFunds locks accounts and reads them into b.Funds.
func (l Locks) AskFunds(b *batch.Batch, refs []agent.FundsRef) {
	rows := make([][]any, len(refs))
	for i, ref := range refs {
		rows[i] = []any{ref.Agent, string(ref.Token)}
	}
	l.funds.Ask(&b.Asks, "lock agents' funds", rows, func(f FundsLine) error {
		b.Funds[f.FundsRef] = f.Funds
		return nil
	})
}

// AddFunds inserts accounts that don't exist yet.
func AddFunds(b *batch.Batch, missing []agent.FundsRef) {
	rows := make([][]any, len(missing))
	for i, ref := range missing {
		rows[i] = addFunds.Row(&FundsLine{FundsRef: ref})
	}
	b.Ask("make agents' funds", addFunds.Query, rows, nil)
}

// FundsPart writes the agents' accounts that items of any wallet change.
type FundsPart struct {
	batch.NoPart
	changed map[agent.FundsRef]struct{}
}

func (*FundsPart) Show(b *batch.Batch, _ *player.Item, whole *player.View) { whole.Funds = b.Funds }

// Stage keeps the changed accounts for the next item of the batch, of any wallet.
func (o *FundsPart) Stage(b *batch.Batch, s *batch.Step) {
	for ref, after := range s.Next.Funds {
		if after != b.Funds[ref] {
			b.Funds[ref] = after
			batch.Put(&o.changed, ref, struct{}{})
		}
	}
}

func (o *FundsPart) Write(b *batch.Batch) error {
	var rows [][]any
	for ref := range o.changed {
		rows = append(rows, writeFunds.Row(&FundsLine{FundsRef: ref, Funds: b.Funds[ref]}))
	}
	b.WriteSorted("write agents' funds", writeFunds.Query, rows)
	return nil
}

// FundsOf implements ports.AgentFunds.
func (s *Store) FundsOf(ctx context.Context, code string) ([]ports.FundsLine, error) {
	q := read.From(s.Reads, FundsLines).Where("f.balance <> 0 OR f.reserved <> 0 OR f.credit_limit <> 0").Order("f.agent, f.token")
	if code != "" {
		q.Where("f.agent = ?", code)
	}
	return q.All(ctx, "read agents' funds")
}

// hourColumns are the amounts moved at a connection within an hour.
type hourColumns struct {
	Connection string      `bun:",pk"`
	Token      money.Token `bun:",pk"`
	Number     int64
	table.Sum
}

func hourOf(ref seamless.HourRef, number int64, sum money.Total) hourColumns {
	return hourColumns{ref.Connection, ref.Token, number, table.SumOf(sum)}
}

func (h hourColumns) ref() seamless.HourRef {
	return seamless.HourRef{Connection: h.Connection, Token: h.Token}
}

// wonHour is what a connection's players won there within an hour. Every win at a connection in a
// token locks this row.
type wonHour struct {
	bun.BaseModel `bun:"table:provider_hours,alias:h"`
	hourColumns
}

// betHour is what they bet there, counted by lane, so that bets don't wait for each other. Both
// tables keep only the latest hour.
type betHour struct {
	bun.BaseModel `bun:"table:lane_provider_bets,alias:l"`
	Lane          int `bun:",pk"`
	hourColumns
}

var (
	wonHours = table.ModelOf[wonHour, wonHour]()
	betHours = table.ModelOf[betHour, betHour]()
)

var (
	addHours   = wonHours.Insert("ON CONFLICT DO NOTHING")
	writeHours = wonHours.Upsert("number", "hi", "lo")
	readBets   = betHours.Find("l.connection = s.connection AND l.token = s.token", "connection", "token")
	// The sum of two low parts is below 2^41, so the carry is 0 or 1. Bets of a past hour are
	// dropped, which only lowers the cap.
	addBets = betHours.Insert(`ON CONFLICT (lane, connection, token) DO UPDATE SET
	hi = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.hi WHEN excluded.number < lane_provider_bets.number THEN lane_provider_bets.hi
		ELSE lane_provider_bets.hi + excluded.hi + ((lane_provider_bets.lo + excluded.lo) >> 40) END,
	lo = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.lo WHEN excluded.number < lane_provider_bets.number THEN lane_provider_bets.lo
		ELSE (lane_provider_bets.lo + excluded.lo) & 1099511627775 END,
	number = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.number ELSE lane_provider_bets.number END`)
)

// AskHours locks the wins, reads them into b.Hours, and then reads the bets. Later bets would
// only raise the cap and are not counted.
func (l Locks) AskHours(b *batch.Batch, refs []seamless.HourRef) {
	rows := make([][]any, len(refs))
	for i, ref := range refs {
		rows[i] = []any{ref.Connection, string(ref.Token)}
	}
	l.hours.Ask(&b.Asks, "lock providers' hours", rows, func(h wonHour) error {
		b.Hours[h.ref()] = seamless.Hour{Number: h.Number, Won: h.Total()}
		return nil
	})
	b.Bets = nil
	readBets.Ask(&b.Asks, "read providers' bets", rows, func(h betHour) error {
		b.Bets = append(b.Bets, batch.HourBet{Ref: h.ref(), Number: h.Number, Amount: h.Total()})
		return nil
	})
}

// AddHours inserts rows that don't exist yet.
func AddHours(b *batch.Batch, missing []seamless.HourRef) {
	rows := make([][]any, len(missing))
	for i, ref := range missing {
		rows[i] = addHours.Row(&wonHour{hourColumns: hourOf(ref, 0, money.Total{})})
	}
	b.Ask("make providers' hours", addHours.Query, rows, nil)
}

// HourPart writes what players of connections win, by items of any wallet.
type HourPart struct {
	batch.NoPart
	won  map[seamless.HourRef]struct{}
	bets map[seamless.HourRef]money.Total
}

// Answered begins new hours by the database's clock.
func (*HourPart) Answered(b *batch.Batch) error {
	for ref, kept := range b.Hours {
		hour := kept.In(seamless.HourOf(b.Now))
		for _, bets := range b.Bets {
			if bets.Ref == ref && bets.Number == hour.Number {
				hour.Bet = hour.Bet.Add(bets.Amount)
			}
		}
		b.Hours[ref] = hour
	}
	return nil
}

func (*HourPart) Show(b *batch.Batch, _ *player.Item, whole *player.View) { whole.Hours = b.Hours }

// Stage counts a transaction for the next item of the batch, of any wallet.
func (o *HourPart) Stage(b *batch.Batch, s *batch.Step) {
	t := s.Change.Seamless
	if t == nil {
		return
	}
	ref := t.HourRef()
	if hour, locked := b.Hours[ref]; locked {
		b.Hours[ref] = hour.With(*t)
		if t.Counts() {
			batch.Put(&o.won, ref, struct{}{})
		}
	}
	if bet := (seamless.Hour{}).With(*t).Bet; bet.Sign() > 0 {
		batch.Put(&o.bets, ref, o.bets[ref].Add(bet))
	}
}

func (o *HourPart) Write(b *batch.Batch) error {
	var rows [][]any
	for ref := range o.won {
		hour := b.Hours[ref]
		rows = append(rows, writeHours.Row(&wonHour{hourColumns: hourOf(ref, hour.Number, hour.Won)}))
	}
	b.WriteSorted("write providers' hours", writeHours.Query, rows)
	return nil
}

// LaneBetPart writes the bets into the rows of the lane.
type LaneBetPart struct {
	batch.NoPart
	Of *HourPart
}

func (o LaneBetPart) Write(b *batch.Batch) error {
	var rows [][]any
	for ref, bet := range o.Of.bets {
		rows = append(rows, addBets.Row(&betHour{Lane: b.Head.Lane, hourColumns: hourOf(ref, seamless.HourOf(b.Now), bet)}))
	}
	b.WriteSorted("add to providers' bets", addBets.Query, rows)
	return nil
}
