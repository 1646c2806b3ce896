package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Transactions = (*Reads)(nil)
	_ ports.Withdrawals  = (*Reads)(nil)
	_ ports.Deposits     = (*Reads)(nil)
)

// transactionCells are the combinations of what transactions are narrowed by.
var transactionCells = "(SELECT k.type, k.status, c.token, c.agent FROM " + keptCells("transactions", false) + " AS c CROSS JOIN " +
	rows.TransactionKinds + " AS k)"

// Transactions serves ports.Transactions.
func (r *Reads) Transactions(ctx context.Context, filter ports.TransactionFilter, page ports.Page) (ports.TransactionPage, error) {
	l := listOf(rows.Transactions, "t.id")
	l.ofKeys = true
	l.owned(r.db.Dialect, filter.Wallet)
	kind := filter.Type != "" || filter.Status != ""
	wants := []wanted{
		{"type", string(filter.Type)}, {"status", filter.Status}, {"token", string(filter.Token)}, {"agent", filter.Agent},
	}
	switch {
	case filter.Wallet != "" && (kind || filter.Token != ""):
		l.by(transactionCells, wants, "token", "type", "status")
	case filter.Wallet != "":
		l.by("", wants)
	case filter.Agent != "" || filter.Token != "":
		l.by(transactionCells, wants, "agent", "token", "type", "status")
	case kind:
		l.by(rows.TransactionKinds, wants, "type", "status")
	}
	r.between(&l, "t.created_at", filter.From, filter.To, rows.IDSlack)
	found, info, err := listed(ctx, r, "list transactions", page, rows.Transactions,
		func(t *rows.Transaction) string { return t.ID }, l)
	answer := ports.TransactionPage{Transactions: make([]ports.Transaction, len(found)), PageInfo: info}
	for i, t := range found {
		answer.Transactions[i] = t.Line()
	}
	return answer, err
}

// Withdrawal serves ports.Withdrawals.
func (r *Reads) Withdrawal(ctx context.Context, id string) (withdrawal.Withdrawal, error) {
	found, err := r.withdrawals(ctx, "read withdrawal", from(r, rows.Transactions).where("t.id = ? AND t.type = 'withdrawal'", id))
	switch {
	case err != nil:
		return withdrawal.Withdrawal{}, err
	case len(found) == 0:
		return withdrawal.Withdrawal{}, fault.New(fault.NotFound, "no withdrawal %q", id)
	}
	return found[0], nil
}

// WithdrawalsIn serves ports.Withdrawals.
func (r *Reads) WithdrawalsIn(ctx context.Context, status withdrawal.Status, after string, limit int) ([]withdrawal.Withdrawal, error) {
	return r.withdrawals(ctx, "list withdrawals by status", from(r, rows.Transactions).
		where("t.type = 'withdrawal' AND t.status = ? AND t.id > ?", db.Word(status), after).order("t.id").limit(limit))
}

// OpenWithdrawals serves ports.Withdrawals.
func (r *Reads) OpenWithdrawals(ctx context.Context, w wallet.Address) ([]withdrawal.Withdrawal, error) {
	return r.withdrawals(ctx, "list open withdrawals", from(r, rows.Transactions).
		where("t.wallet = ? AND t.type = 'withdrawal' AND t.status IN ('pending', 'approved', 'sending', 'failed')", r.key(w)).order("t.id DESC"))
}

// withdrawals lists those of a query, with their approvals: two questions however many wait.
func (r *Reads) withdrawals(ctx context.Context, doing string, q *query[rows.Transaction]) ([]withdrawal.Withdrawal, error) {
	stored, err := q.kept(ctx, doing)
	found, at, ids := make([]withdrawal.Withdrawal, len(stored)), map[string]int{}, make([]any, len(stored))
	for i, t := range stored {
		found[i], at[t.ID], ids[i] = t.Withdrawal(), i, t.ID
	}
	if err != nil || len(found) == 0 {
		return found, err
	}
	return found, from(r, rows.Approvals).in("a.withdrawal_id", ids).order("a.withdrawal_id, a.n").each(ctx, "read approvals", func(a rows.Approval) error {
		w := &found[at[a.WithdrawalID]]
		w.Approvals = append(w.Approvals, a.Given())
		return nil
	})
}

// Attempt serves ports.Withdrawals.
func (r *Reads) Attempt(ctx context.Context, withdrawalID string) (withdrawal.Attempt, error) {
	a, err := from(r, rows.Attempts).where("a.withdrawal_id = ?", withdrawalID).order("a.number DESC").
		one(ctx, "read payout attempt", fault.New(fault.NotFound, "withdrawal %q has no signed transaction", withdrawalID))
	return a.Signed(), err
}

// Claim serves ports.Deposits.
func (r *Reads) Claim(ctx context.Context, w wallet.Address, ref deposit.Ref) (deposit.Claim, error) {
	t, err := from(r, rows.Transactions).
		where("t.wallet = ? AND t.signature = ? AND t.token = ? AND t.type = 'deposit'", r.key(w), ref.Signature, ref.Token).
		one(ctx, "read deposit", fault.New(fault.NotFound, "no claim to transaction %q", ref.Signature))
	if err != nil {
		return deposit.Claim{}, err
	}
	return t.Deposit(), nil
}

// ClaimsOf serves ports.Deposits.
func (r *Reads) ClaimsOf(ctx context.Context, ref deposit.Ref) ([]deposit.Claim, error) {
	return from(r, rows.Deposits).where("t.signature = ? AND t.token = ? AND t.type = 'deposit'", ref.Signature, ref.Token).order("t.id").
		kept(ctx, "list claims to a transaction")
}

// PendingClaims serves ports.Deposits.
func (r *Reads) PendingClaims(ctx context.Context, after string, limit int) ([]deposit.Claim, error) {
	return from(r, rows.Deposits).where("t.type = 'deposit' AND t.status = 'pending' AND t.id > ?", after).order("t.id").limit(limit).
		kept(ctx, "list waiting deposits")
}
