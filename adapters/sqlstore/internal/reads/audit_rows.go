package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
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

// Things serves ports.AuditRows.
func (r *Reads) Things(ctx context.Context, kind event.Kind, visit func(event.Event) error) error {
	switch kind {
	case event.Withdrawal:
		return r.withdrawalThings(ctx, visit)
	case event.Deposit:
		return r.lineThings(ctx, "t.type = 'deposit'", visit)
	case event.Adjustment:
		return r.lineThings(ctx, "t.type NOT IN ('deposit', 'withdrawal')", visit)
	case event.Request:
		return covered(ctx, r, kind, rows.ApprovalRequests.Select()+" ORDER BY a.id", rows.ApprovalRequests.Scan, approval.Approval.Covered, visit)
	case event.Vote:
		return covered(ctx, r, kind, rows.Votes.Select()+" ORDER BY y.subject, y.by_wallet, y.at", rows.Votes.Scan, player.Vote.Covered, visit)
	case event.Role:
		return covered(ctx, r, kind, rows.Roles.Select()+" ORDER BY r.wallet", rows.Roles.Scan, rbac.Assignment.Covered, visit)
	case event.Pair:
		return covered(ctx, r, kind, rows.SelectPairStates+" ORDER BY p.id", rows.ScanPairState, rows.PairState.Covered, visit)
	case event.Attempt, event.DeadAttempt:
		return r.attemptThings(ctx, kind, visit)
	case event.Login:
		return covered(ctx, r, kind, rows.Logins.Select()+rows.WhereLogins+" ORDER BY c.scope, c.id", rows.Logins.Scan, rows.CoveredLogin, visit)
	case event.Alarm:
		return covered(ctx, r, kind, rows.Alarms.Select()+" ORDER BY m.id", rows.Alarms.Scan, alarm.Alarm.Covered, visit)
	case event.OpenRound:
		return covered(ctx, r, kind, selectOpenRounds+" ORDER BY r.id", rows.OpenRounds.Scan, bet.Open.Covered, visit)
	case event.Player:
		return covered(ctx, r, kind, "SELECT "+rows.Players.Columns()+", "+rows.Protection+" FROM "+rows.Players.From()+rows.WithProtection+
			" WHERE p.created_at IS NOT NULL ORDER BY p.wallet", rows.ScanProtected, player.Player.Covered, visit)
	}
	return nil
}

// covered visits the rows of a query as what blocks cover of them.
func covered[T any](ctx context.Context, r *Reads, kind event.Kind, text string, scan func(db.Row) (T, error),
	of func(T) event.Event, visit func(event.Event) error,
) error {
	return each(ctx, r, "read each "+string(kind), text, nil, scan, func(row T) error { return visit(of(row)) })
}

func (r *Reads) lineThings(ctx context.Context, which string, visit func(event.Event) error) error {
	return each(ctx, r, "read transactions", rows.Transactions.Select()+" WHERE "+which+" ORDER BY t.id", nil, rows.Transactions.Scan,
		func(t rows.Transaction) error { return visit(t.Covered(nil)) })
}

func (r *Reads) attemptThings(ctx context.Context, kind event.Kind, visit func(event.Event) error) error {
	return each(ctx, r, "read payout attempts", rows.Attempts.Select()+" ORDER BY a.withdrawal_id, a.number", nil, rows.Attempts.Scan,
		func(a rows.Attempt) error {
			if kind == event.Attempt {
				return visit(a.Covered())
			}
			if dead, found := a.CoveredDead(); found {
				return visit(dead)
			}
			return nil
		})
}

// withdrawalsAtOnce is how many withdrawals an audit reads with their approvals.
const withdrawalsAtOnce = 500

// withdrawalThings reads withdrawals a page at a time, each page with its approvals.
func (r *Reads) withdrawalThings(ctx context.Context, visit func(event.Event) error) error {
	for after := ""; ; {
		page, err := every(ctx, r, "read withdrawals", rows.Transactions.Select()+` WHERE t.type = 'withdrawal' AND t.id > ?
			ORDER BY t.id LIMIT ?`, []any{after, withdrawalsAtOnce}, rows.Transactions.Scan)
		if err != nil || len(page) == 0 {
			return err
		}
		last := page[len(page)-1].ID
		given := map[string][]withdrawal.Approval{}
		if err := each(ctx, r, "read approvals", rows.Approvals.Select()+` WHERE a.withdrawal_id > ? AND a.withdrawal_id <= ?
			ORDER BY a.withdrawal_id, a.n`, []any{after, last}, rows.Approvals.Scan, func(a rows.Approval) error {
			given[a.WithdrawalID] = append(given[a.WithdrawalID], a.Given())
			return nil
		}); err != nil {
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

// Nonces serves ports.AuditRows.
func (r *Reads) Nonces(ctx context.Context, visit func(pair string, next int64) error) error {
	return each(ctx, r, "read seed pairs", rows.SelectPairStates+" ORDER BY p.id", nil, rows.ScanPairState,
		func(p rows.PairState) error { return visit(p.Next()) })
}

// SealedSeeds serves ports.AuditRows.
func (r *Reads) SealedSeeds(ctx context.Context, visit func(pair string, wrong error) error) error {
	for after, found := "", sealedAtOnce; found == sealedAtOnce; {
		page, err := every(ctx, r, "read sealed seeds", rows.SelectSealedSeeds+" WHERE p.sealed IS NOT NULL AND p.id "+beyond(after)+" ? ORDER BY p.id LIMIT ?",
			[]any{r.db.Dialect.ID(after), sealedAtOnce}, rows.ScanSealedSeed)
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
