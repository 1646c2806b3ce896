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

// Funds are the agents' prepaid accounts.
var Funds = table.ModelOf[FundsLine, FundsLine]()

// FundsLines are the same, as ports have them.
var FundsLines = table.ViewOf(Funds, func(f FundsLine) (ports.FundsLine, error) {
	return ports.FundsLine{FundsRef: f.FundsRef, Funds: f.Funds}, nil
})

var (
	addFunds = Funds.Insert("ON CONFLICT DO NOTHING")
	// An upsert, because rows that are there already are all it ever meets, and only
	// their values travel.
	writeFunds = Funds.Insert("ON CONFLICT (agent, token) DO UPDATE SET " + table.Excluded("balance", "reserved", "credit_limit"))
)

// Locks are the queries that lock and read what wallets share, in one order: agents' accounts
// and what players won at connections.
type Locks struct {
	funds table.Selection[FundsLine]
	hours table.Selection[wonHour]
}

// NewLocks returns the queries on a database.
func NewLocks(d db.Dialect) Locks {
	return Locks{
		Funds.Find("f.agent = s.agent AND f.token = s.token ORDER BY f.agent, f.token"+d.LockRows("f"), "agent", "token"),
		wonHours.Find("h.connection = s.connection AND h.token = s.token ORDER BY h.connection, h.token"+d.LockRows("h"), "connection", "token"),
	}
}

// AskFunds locks accounts and asks for them, into b.Funds.
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

// AddFunds makes accounts that are not there yet.
func AddFunds(b *batch.Batch, missing []agent.FundsRef) {
	rows := make([][]any, len(missing))
	for i, ref := range missing {
		rows[i] = addFunds.Row(&FundsLine{FundsRef: ref})
	}
	b.Ask("make agents' funds", addFunds.Query, rows, nil)
}

// FundsPart are the agents' accounts that items need, whoever's items they are.
type FundsPart struct {
	batch.NoPart
	changed map[agent.FundsRef]struct{}
}

func (*FundsPart) Show(b *batch.Batch, _ *player.Item, whole *player.View) { whole.Funds = b.Funds }

// Stage keeps what a change made of the accounts for the next item of the batch,
// whoever's it is.
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

// FundsOf serves ports.AgentFunds.
func (s *Store) FundsOf(ctx context.Context, code string) ([]ports.FundsLine, error) {
	q := read.From(s.Reads, FundsLines).Where("f.balance <> 0 OR f.reserved <> 0 OR f.credit_limit <> 0").Order("f.agent, f.token")
	if code != "" {
		q.Where("f.agent = ?", code)
	}
	return q.All(ctx, "read agents' funds")
}

// hourColumns are what was moved at a connection within an hour.
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
	wonHours = table.ModelOf[wonHour, wonHour]()
	betHours = table.ModelOf[betHour, betHour]()
)

var (
	addHours   = wonHours.Insert("ON CONFLICT DO NOTHING")
	writeHours = wonHours.Upsert("number", "hi", "lo")
	readBets   = betHours.Find("l.connection = s.connection AND l.token = s.token", "connection", "token")
	// The low parts add up below 2^41, so that the carry is 0 or 1. Bets of an hour that
	// is past are dropped, which makes the cap narrower.
	addBets = betHours.Insert(`ON CONFLICT (lane, connection, token) DO UPDATE SET
	hi = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.hi WHEN excluded.number < lane_provider_bets.number THEN lane_provider_bets.hi
		ELSE lane_provider_bets.hi + excluded.hi + ((lane_provider_bets.lo + excluded.lo) >> 40) END,
	lo = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.lo WHEN excluded.number < lane_provider_bets.number THEN lane_provider_bets.lo
		ELSE (lane_provider_bets.lo + excluded.lo) & 1099511627775 END,
	number = CASE WHEN excluded.number > lane_provider_bets.number THEN excluded.number ELSE lane_provider_bets.number END`)
)

// AskHours locks what was won and asks for it, into b.Hours, and then for what was bet:
// whatever is bet later makes the cap wider, and is not counted.
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

// AddHours makes rows that are not there yet.
func AddHours(b *batch.Batch, missing []seamless.HourRef) {
	rows := make([][]any, len(missing))
	for i, ref := range missing {
		rows[i] = addHours.Row(&wonHour{hourColumns: hourOf(ref, 0, money.Total{})})
	}
	b.Ask("make providers' hours", addHours.Query, rows, nil)
}

// HourPart are what the players of connections win, whoever's items they are.
type HourPart struct {
	batch.NoPart
	won  map[seamless.HourRef]struct{}
	bets map[seamless.HourRef]money.Total
}

// Answered begins hours that are new by the database's clock.
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

// Stage counts a transaction for the next item of the batch, whoever's it is.
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

// LaneBetPart writes what was bet into the rows of the lane.
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
