package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

var _ ports.AuditRows = (*Reads)(nil)

// thingTable reads rows of a table as what blocks cover of them, in the order of a key: all of
// them, or those of a page.
type thingTable func(ctx context.Context, r *Reads, doing string, page *pageAsk, visit func(event.Event) error) error

// thingsOf are the rows of a source as things.
func thingsOf[T any](s source[T], key, which string, covered func(T) event.Event) thingTable {
	return func(ctx context.Context, r *Reads, doing string, page *pageAsk, visit func(event.Event) error) error {
		q := from(r, s).order(key)
		if which != "" {
			q.where(which)
		}
		if page != nil {
			q.page(page, key)
		}
		return q.each(ctx, doing, func(row T) error { return visit(covered(row)) })
	}
}

// thingTables are the tables of things, by their kinds.
var thingTables = map[event.Kind]thingTable{
	event.Deposit:    thingsOf(rows.Transactions, "t.id", "t.type = 'deposit'", coveredLine),
	event.Adjustment: thingsOf(rows.Transactions, "t.id", "t.type NOT IN ('deposit', 'withdrawal')", coveredLine),
	event.Request:    thingsOf(rows.ApprovalRequests, "a.id", "", approval.Approval.Covered),
	event.Vote:       thingsOf(rows.Votes, "y.subject, y.by_wallet, y.at", "", player.Vote.Covered),
	event.Role:       thingsOf(rows.Roles, "r.wallet", "", rbac.Assignment.Covered),
	event.Pair:       thingsOf(rows.PairStates, "p.id", "", rows.PairState.Covered),
	event.Attempt:    thingsOf(rows.Attempts, "a.withdrawal_id, a.number", "", rows.Attempt.Covered),
	event.Login:      thingsOf(rows.Logins, "c.scope, c.id", rows.WhereLogins, rows.CoveredLogin),
	event.Alarm:      thingsOf(rows.Alarms, "m.id", "", alarm.Alarm.Covered),
	event.OpenRound:  thingsOf(rows.StandingRounds, "r.id", "", bet.Open.Covered),
	event.Player:     thingsOf(rows.ProtectedPlayers, "p.wallet", "p.created_at IS NOT NULL", player.Player.Covered),
}

func coveredLine(t rows.Transaction) event.Event { return t.Covered(nil) }

// Things serves ports.AuditRows.
func (r *Reads) Things(ctx context.Context, kind event.Kind, visit func(event.Event) error) error {
	if kind == event.Withdrawal {
		return r.withdrawalThings(ctx, visit)
	}
	if kind == event.DeadAttempt {
		return from(r, rows.Attempts).order("a.withdrawal_id, a.number").each(ctx, "read payout attempts", func(a rows.Attempt) error {
			if dead, found := a.CoveredDead(); found {
				return visit(dead)
			}
			return nil
		})
	}
	if table, known := thingTables[kind]; known {
		return table(ctx, r, "read each "+string(kind), nil, visit)
	}
	return nil
}

// withdrawalsAtOnce is how many withdrawals an audit reads with their approvals.
const withdrawalsAtOnce = 500

// withdrawalThings reads withdrawals a page at a time, each page with its approvals.
func (r *Reads) withdrawalThings(ctx context.Context, visit func(event.Event) error) error {
	for after := ""; ; {
		page, err := from(r, rows.Transactions).where("t.type = 'withdrawal' AND t.id > ?", after).order("t.id").limit(withdrawalsAtOnce).
			all(ctx, "read withdrawals")
		if err != nil || len(page) == 0 {
			return err
		}
		last := page[len(page)-1].ID
		given, err := r.approvalsGiven(ctx, after, last)
		if err != nil {
			return err
		}
		for _, t := range page {
			if err := visit(t.Covered(given[t.ID])); err != nil {
				return err
			}
		}
		after = last
	}
}

// approvalsGiven reads the approvals of withdrawals after an id, up to another unless that is
// empty.
func (r *Reads) approvalsGiven(ctx context.Context, after, last string) (map[string][]withdrawal.Approval, error) {
	given := map[string][]withdrawal.Approval{}
	q := from(r, rows.Approvals).where("a.withdrawal_id > ?", after).order("a.withdrawal_id, a.n")
	if last != "" {
		q.where("a.withdrawal_id <= ?", last)
	}
	return given, q.each(ctx, "read approvals", func(a rows.Approval) error {
		given[a.WithdrawalID] = append(given[a.WithdrawalID], a.Given())
		return nil
	})
}

// SealedSeeds serves ports.AuditRows.
func (r *Reads) SealedSeeds(ctx context.Context, visit func(pair string, wrong error) error) error {
	for after, found := "", sealedAtOnce; found == sealedAtOnce; {
		page, err := from(r, rows.SealedSeeds).where("p.sealed IS NOT NULL AND p.id "+beyond(after)+" ?", r.db.Dialect.ID(after)).order("p.id").
			limit(sealedAtOnce).all(ctx, "read sealed seeds")
		if err != nil {
			return err
		}
		found = len(page)
		for _, s := range page {
			id, wrong := s.Check(r.sealer)
			if err := visit(id, wrong); err != nil {
				return err
			}
			after = id
		}
	}
	return nil
}
