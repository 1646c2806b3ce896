package rows

import (
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// FundsLine is an agent's prepaid account.
type FundsLine struct {
	bun.BaseModel `bun:"table:agent_funds,alias:f"`
	agent.FundsRef
	agent.Funds
}

// Funds are the agents' prepaid accounts.
var Funds = modelOf[FundsLine, FundsLine]()

// FundsLines are the same, as ports have them.
var FundsLines = viewOf(Funds, func(f FundsLine) (ports.FundsLine, error) {
	return ports.FundsLine{FundsRef: f.FundsRef, Funds: f.Funds}, nil
})

var (
	addFunds = Funds.insert("ON CONFLICT DO NOTHING")
	// An upsert, because rows that are there already are all it ever meets, and only
	// their values travel.
	writeFunds = Funds.insert("ON CONFLICT (agent, token) DO UPDATE SET " + Excluded("balance", "reserved", "credit_limit"))
)

// lockFundsOf locks agents' accounts in one order and reads them.
func lockFundsOf(d db.Dialect) selection[FundsLine] {
	return Funds.find("f.agent = s.agent AND f.token = s.token ORDER BY f.agent, f.token"+d.LockRows("f"), "agent", "token")
}

// AskFunds locks accounts and asks for them, into b.Funds.
func (b *Batch) AskFunds(refs []agent.FundsRef) {
	rows := make([][]any, len(refs))
	for i, ref := range refs {
		rows[i] = []any{ref.Agent, string(ref.Token)}
	}
	b.lockFunds.ask(&b.Asks, "lock agents' funds", rows, func(f FundsLine) error {
		b.Funds[f.FundsRef] = f.Funds
		return nil
	})
}

// AddFunds makes accounts that are not there yet.
func (b *Batch) AddFunds(missing []agent.FundsRef) {
	rows := make([][]any, len(missing))
	for i, ref := range missing {
		rows[i] = addFunds.row(&FundsLine{FundsRef: ref})
	}
	b.Ask("make agents' funds", addFunds.query, rows, nil)
}

// funds are the agents' accounts that items need, whoever's items they are.
type funds struct {
	plain
	changed map[agent.FundsRef]struct{}
}

func (*funds) show(b *Batch, _ *player.Item, whole *player.View) { whole.Funds = b.Funds }

// stage keeps what a change made of the accounts for the next item of the batch,
// whoever's it is.
func (o *funds) stage(b *Batch, s *Step) {
	for ref, after := range s.Next.Funds {
		if after != b.Funds[ref] {
			b.Funds[ref] = after
			put(&o.changed, ref, struct{}{})
		}
	}
}

func (o *funds) write(b *Batch) error {
	var rows [][]any
	for ref := range o.changed {
		rows = append(rows, writeFunds.row(&FundsLine{FundsRef: ref, Funds: b.Funds[ref]}))
	}
	b.WriteSorted("write agents' funds", writeFunds.query, rows)
	return nil
}
