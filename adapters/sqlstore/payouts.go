package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.PayoutQueue    = (*Store)(nil)
	_ ports.PayoutControls = (*Store)(nil)
)

// deskGuard is what everybody locks who signs a payout, leases one, or turns the
// switch. A batch locks it after its wallets and claims and before its lane.
const deskGuard = "payouts"

// Lease serves ports.PayoutQueue.
func (s *Store) Lease(ctx context.Context, id, worker string, now, until time.Time) (given bool, err error) {
	err = s.small(ctx, deskGuard, func(ctx context.Context, tx bun.Tx) error {
		result, err := tx.ExecContext(ctx, `INSERT INTO payout_leases (withdrawal_id, worker, until) VALUES (?, ?, ?)
			ON CONFLICT (withdrawal_id) DO UPDATE SET worker = excluded.worker, until = excluded.until
			WHERE payout_leases.worker = excluded.worker OR payout_leases.until <= ?`, id, worker, micros(until), micros(now))
		if err != nil {
			return wrap("lease a payout", err)
		}
		rows, err := result.RowsAffected()
		given = rows == 1
		return wrap("lease a payout", err)
	})
	return given && err == nil, err
}

// Release serves ports.PayoutQueue.
func (s *Store) Release(ctx context.Context, id, worker string) error {
	return s.small(ctx, deskGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM payout_leases WHERE withdrawal_id = ? AND worker = ?", id, worker)
		return wrap("release a payout", err)
	})
}

// PayoutState serves ports.PayoutQueue.
func (s *Store) PayoutState(ctx context.Context, q withdrawal.DeskQuery) (withdrawal.Desk, error) {
	return readDesk(ctx, s.read, q)
}

// Pause serves ports.PayoutControls.
func (s *Store) Pause(ctx context.Context) (withdrawal.Pause, error) { return readPause(ctx, s.read) }

// ChangePause serves ports.PayoutControls.
func (s *Store) ChangePause(ctx context.Context, decide ports.PauseDecision) error {
	return s.small(ctx, deskGuard, func(ctx context.Context, tx bun.Tx) error {
		now, err := readPause(ctx, tx)
		if err != nil {
			return err
		}
		next, record, err := decide(now)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO payout_pause (id, paused, actor, reason, at) VALUES (1, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET paused = excluded.paused, actor = excluded.actor, reason = excluded.reason, at = excluded.at`,
			next.Paused, string(next.By), next.Reason, micros(next.At))
		if err != nil {
			return wrap("turn the switch of payouts", err)
		}
		return s.sealAudit(ctx, tx, administrationLane, record)
	})
}

func readPause(ctx context.Context, db bun.IConn) (withdrawal.Pause, error) {
	var p withdrawal.Pause
	var at int64
	var by string
	err := db.QueryRowContext(ctx, "SELECT paused, actor, reason, at FROM payout_pause WHERE id = 1").
		Scan(&p.Paused, &by, &p.Reason, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return withdrawal.Pause{}, nil
	}
	if err != nil {
		return withdrawal.Pause{}, wrap("read the switch of payouts", err)
	}
	p.By, p.At = wallet.Address(by), moment(at)
	return p, nil
}

// halfBits splits amounts for summing: neither half of any number of them that
// an hour can hold overflows a sum.
const halfBits = 1 << 32

func readDesk(ctx context.Context, db bun.IConn, q withdrawal.DeskQuery) (withdrawal.Desk, error) {
	pause, err := readPause(ctx, db)
	if err != nil {
		return withdrawal.Desk{}, err
	}
	desk := withdrawal.Desk{Paused: pause.Paused}
	var until int64
	err = db.QueryRowContext(ctx, "SELECT worker, until FROM payout_leases WHERE withdrawal_id = ?", q.WithdrawalID).
		Scan(&desk.Lease.Worker, &until)
	switch {
	case err == nil:
		desk.Lease.Until = moment(until)
	case !errors.Is(err, sql.ErrNoRows):
		return withdrawal.Desk{}, wrap("read the lease of a payout", err)
	}
	var high, low int64
	err = db.QueryRowContext(ctx, `SELECT coalesce(sum(t.amount / ?), 0), coalesce(sum(t.amount % ?), 0)
		FROM payout_attempts AS a JOIN transactions AS t ON t.id = a.withdrawal_id
		WHERE a.created_at > ? AND NOT a.dead AND t.token = ?`, halfBits, halfBits, micros(q.Since), string(q.Token)).
		Scan(&high, &low)
	if err != nil {
		return withdrawal.Desk{}, wrap("sum what was signed", err)
	}
	desk.Signed = money.TotalOfProduct(uint64(high), halfBits).Add(money.TotalOfInt(low))
	return desk, nil
}

// loadDesks locks the desk and reads it for the entries that sign payouts.
func (r *run) loadDesks(ctx context.Context) error {
	for _, e := range r.entries {
		q := e.item.Needs.Desk
		if held, err := r.heldAgainst(e); q.WithdrawalID == "" || held != nil || err != nil {
			continue
		}
		if len(r.desks) == 0 {
			r.ask("lock the desk", lockGuards, [][]any{{deskGuard}}, nil)
			if err := r.send(ctx); err != nil {
				return err
			}
		}
		desk, err := readDesk(ctx, r.tx.session(), q)
		if err != nil {
			return err
		}
		r.desks[q.WithdrawalID] = desk
	}
	return nil
}

// desk is what an entry sees of the desk, after what entries before it in this
// batch signed.
func (r *run) desk(q withdrawal.DeskQuery) withdrawal.Desk {
	desk := r.desks[q.WithdrawalID]
	for key := range r.out.attempts {
		if t := r.out.transactions[key.withdrawal]; t.token == q.Token {
			desk.Signed = desk.Signed.AddAmount(t.amount)
		}
	}
	return desk
}
