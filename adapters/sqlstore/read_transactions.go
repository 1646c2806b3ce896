package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Transactions = (*Store)(nil)
	_ ports.Withdrawals  = (*Store)(nil)
	_ ports.Deposits     = (*Store)(nil)
)

// Transactions serves ports.Transactions.
func (s *Store) Transactions(ctx context.Context, filter ports.TransactionFilter, page ports.Page) (ports.TransactionPage, error) {
	answer := ports.TransactionPage{Transactions: []ports.Transaction{}}
	slack, err := s.slack(ctx, filter.From, filter.To)
	if err != nil {
		return answer, err
	}
	l := s.transactionList(filter, slack)
	l.tally = s.countedTransactions(filter, slack)
	info, err := s.listed(ctx, "list transactions", l, page, func(row *sql.Rows) (string, error) {
		t, err := scanTransaction(row)
		answer.Transactions = append(answer.Transactions, t.line())
		return t.id, err
	})
	answer.PageInfo = info
	return answer, err
}

// transactionList are the transactions under a filter, whose ids are within a slack
// of their moments.
func (s *Store) transactionList(filter ports.TransactionFilter, slack time.Duration) list {
	l := list{columns: transactionColumns, from: "transactions AS t", id: "t.id", slack: slack}
	l.equals("t.wallet", string(filter.Wallet))
	l.standing(filter, "t.")
	s.between(&l, "t.created_at", filter.From, filter.To)
	return l
}

// line is the row as a line of an account.
func (t transaction) line() ports.Transaction {
	return ports.Transaction{
		ID: t.id, Wallet: t.wallet, Type: ports.TransactionType(t.kind), Credit: t.credit, Status: t.status,
		Token: t.token, Amount: t.amount, Destination: t.destination, Signature: t.signature, Reason: t.reason,
		CreatedAt: t.createdAt, UpdatedAt: t.updatedAt,
	}
}

// Withdrawal serves ports.Withdrawals.
func (s *Store) Withdrawal(ctx context.Context, id string) (withdrawal.Withdrawal, error) {
	found, err := s.withdrawals(ctx, "read withdrawal", `t.id = ? AND t.type = 'withdrawal'`, id)
	switch {
	case err != nil:
		return withdrawal.Withdrawal{}, err
	case len(found) == 0:
		return withdrawal.Withdrawal{}, fault.New(fault.NotFound, "no withdrawal %q", id)
	}
	return found[0], nil
}

// WithdrawalsIn serves ports.Withdrawals.
func (s *Store) WithdrawalsIn(ctx context.Context, status withdrawal.Status, after string, limit int) ([]withdrawal.Withdrawal, error) {
	return s.withdrawals(ctx, "list withdrawals by status", `t.type = 'withdrawal' AND t.status = ? AND t.id > ? ORDER BY t.id LIMIT ?`,
		string(status), after, limit)
}

// OpenWithdrawals serves ports.Withdrawals.
func (s *Store) OpenWithdrawals(ctx context.Context, w wallet.Address) ([]withdrawal.Withdrawal, error) {
	return s.withdrawals(ctx, "list open withdrawals", `t.wallet = ? AND t.type = 'withdrawal'
		AND t.status IN ('pending', 'approved', 'sending', 'failed') ORDER BY t.id DESC`, string(w))
}

// withdrawals lists those under a condition, with their approvals: two questions
// however many wait.
func (s *Store) withdrawals(ctx context.Context, doing, which string, arguments ...any) ([]withdrawal.Withdrawal, error) {
	found, at, ids := []withdrawal.Withdrawal{}, map[string]int{}, []string{}
	err := s.rows(ctx, doing, "SELECT "+transactionColumns+" FROM transactions AS t WHERE "+which, arguments, func(row *sql.Rows) error {
		t, err := scanTransaction(row)
		at[t.id], ids, found = len(found), append(ids, t.id), append(found, t.withdrawal())
		return err
	})
	if err != nil || len(found) == 0 {
		return found, err
	}
	err = s.rows(ctx, "read approvals", "SELECT withdrawal_id, approver, at, note FROM approvals WHERE withdrawal_id IN (?) ORDER BY withdrawal_id, n",
		[]any{bun.In(ids)}, func(row *sql.Rows) error {
			var id string
			var a withdrawal.Approval
			var micros int64
			err := row.Scan(&id, &a.By, &micros, &a.Note)
			a.At = moment(micros)
			w := &found[at[id]]
			w.Approvals = append(w.Approvals, a)
			return err
		})
	return found, err
}

// Attempt serves ports.Withdrawals.
func (s *Store) Attempt(ctx context.Context, withdrawalID string) (withdrawal.Attempt, error) {
	var a withdrawal.Attempt
	err := s.one(ctx, "read payout attempt", `SELECT withdrawal_id, number, signature, bytes, blockhash, last_valid_height, slot, created_at
		FROM payout_attempts WHERE withdrawal_id = ? ORDER BY number DESC LIMIT 1`, []any{withdrawalID}, func(row *sql.Row) error {
		var height, slot, created int64
		if err := row.Scan(&a.WithdrawalID, &a.Number, &a.Signature, &a.Transaction, &a.Blockhash, &height, &slot, &created); err != nil {
			return err
		}
		a.LastValidHeight, a.Slot, a.CreatedAt = uint64(height), uint64(slot), moment(created)
		return nil
	}, fault.New(fault.NotFound, "withdrawal %q has no signed transaction", withdrawalID))
	if err != nil {
		return withdrawal.Attempt{}, err
	}
	return a, nil
}

// Claim serves ports.Deposits.
func (s *Store) Claim(ctx context.Context, w wallet.Address, ref deposit.Ref) (deposit.Claim, error) {
	var found transaction
	err := s.one(ctx, "read deposit", "SELECT "+transactionColumns+` FROM transactions AS t
		WHERE t.wallet = ? AND t.signature = ? AND t.token = ? AND t.type = 'deposit'`,
		[]any{string(w), ref.Signature, string(ref.Token)}, func(row *sql.Row) (err error) {
			found, err = scanTransaction(row)
			return err
		}, fault.New(fault.NotFound, "no claim to transaction %q", ref.Signature))
	if err != nil {
		return deposit.Claim{}, err
	}
	return found.deposit(), nil
}

// ClaimsTo serves ports.Deposits.
func (s *Store) ClaimsTo(ctx context.Context, ref deposit.Ref) ([]deposit.Claim, error) {
	found := []deposit.Claim{}
	err := s.rows(ctx, "list claims to a transaction", "SELECT "+transactionColumns+` FROM transactions AS t
		WHERE t.signature = ? AND t.token = ? AND t.type = 'deposit' ORDER BY t.id`,
		[]any{ref.Signature, string(ref.Token)}, func(row *sql.Rows) error {
			t, err := scanTransaction(row)
			found = append(found, t.deposit())
			return err
		})
	return found, err
}

// Waiting serves ports.Deposits.
func (s *Store) Waiting(ctx context.Context, after string, limit int) ([]deposit.Claim, error) {
	waiting := []deposit.Claim{}
	err := s.rows(ctx, "list waiting deposits", "SELECT "+transactionColumns+` FROM transactions AS t
		WHERE t.type = 'deposit' AND t.status = 'pending' AND t.id > ? ORDER BY t.id LIMIT ?`,
		[]any{after, limit}, func(row *sql.Rows) error {
			t, err := scanTransaction(row)
			waiting = append(waiting, t.deposit())
			return err
		})
	return waiting, err
}
