package payments

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// transactionCells is a table of the combinations of values that transactions are filtered by.
var transactionCells = "(SELECT k.type, k.status, c.token, c.agent FROM " + read.KeptCells("transactions", false) + " AS c CROSS JOIN " +
	TransactionKinds + " AS k)"

// Transactions implements ports.Transactions.
func (s *Store) Transactions(ctx context.Context, filter ports.TransactionFilter, page ports.Page) (ports.TransactionPage, error) {
	l := read.ListOf(Transactions, "t.id")
	l.ByKey = true
	l.Owned(s.DB.Dialect, filter.Wallet)
	kind := filter.Type != "" || filter.Status != ""
	wants := read.Filter{
		"type": string(filter.Type), "status": filter.Status, "token": string(filter.Token), "agent": filter.Agent,
	}
	switch {
	case filter.Wallet != "" && (kind || filter.Token != ""):
		l.By(transactionCells, wants, "token", "type", "status")
	case filter.Wallet != "":
		l.By("", wants)
	case filter.Agent != "" || filter.Token != "":
		l.By(transactionCells, wants, "agent", "token", "type", "status")
	case kind:
		l.By(TransactionKinds, wants, "type", "status")
	}
	s.Between(&l, "t.created_at", filter.From, filter.To, table.IDSlack)
	found, info, err := read.ListPage(ctx, s.Reads, "list transactions", page, Transactions,
		func(t *Transaction) string { return t.ID }, l)
	answer := ports.TransactionPage{Transactions: make([]ports.Transaction, len(found)), PageInfo: info}
	for i, t := range found {
		answer.Transactions[i] = t.line()
	}
	return answer, err
}

// Adjustment implements ports.Bookings.
func (s *Store) Adjustment(ctx context.Context, id string) (player.Adjustment, error) {
	t, err := read.From(s.Reads, Transactions).Where("t.id = ? AND t.type NOT IN ('deposit', 'withdrawal')", id).
		One(ctx, "read adjustment", fault.New(fault.NotFound, "no adjustment %q", id))
	kind, _ := player.ParseAdjustmentKind(t.Type)
	return t.adjustment(kind), err
}

// Withdrawal implements ports.Withdrawals.
func (s *Store) Withdrawal(ctx context.Context, id string) (withdrawal.Withdrawal, error) {
	found, err := ReadWithdrawals(ctx, s.Reads, "read withdrawal", read.From(s.Reads, Transactions).Where("t.id = ? AND t.type = 'withdrawal'", id))
	switch {
	case err != nil:
		return withdrawal.Withdrawal{}, err
	case len(found) == 0:
		return withdrawal.Withdrawal{}, fault.New(fault.NotFound, "no withdrawal %q", id)
	}
	return found[0], nil
}

// WithdrawalsIn implements ports.Withdrawals.
func (s *Store) WithdrawalsIn(ctx context.Context, status withdrawal.Status, after string, limit int) ([]withdrawal.Withdrawal, error) {
	return ReadWithdrawals(ctx, s.Reads, "list withdrawals by status", read.From(s.Reads, Transactions).
		Where("t.type = 'withdrawal' AND t.status = ? AND t.id > ?", db.Word(status), after).Order("t.id").Limit(limit))
}

// OpenWithdrawals implements ports.Withdrawals.
func (s *Store) OpenWithdrawals(ctx context.Context, w wallet.Address) ([]withdrawal.Withdrawal, error) {
	return ReadWithdrawals(ctx, s.Reads, "list open withdrawals", read.From(s.Reads, Transactions).
		Where("t.wallet = ? AND t.type = 'withdrawal' AND t.status IN ('pending', 'approved', 'sending', 'failed')", s.Key(w)).Order("t.id DESC"))
}

// ReadWithdrawals returns the withdrawals of a query, with their approvals, in two queries.
func ReadWithdrawals(ctx context.Context, r *read.Reads, doing string, q *read.Query[Transaction]) ([]withdrawal.Withdrawal, error) {
	stored, err := q.Kept(ctx, doing)
	found, at, ids := make([]withdrawal.Withdrawal, len(stored)), map[string]int{}, make([]any, len(stored))
	for i, t := range stored {
		found[i], at[t.ID], ids[i] = t.Withdrawal(), i, t.ID
	}
	if err != nil || len(found) == 0 {
		return found, err
	}
	return found, read.From(r, Approvals).In("a.withdrawal_id", ids).Order("a.withdrawal_id, a.n").Each(ctx, "read approvals", func(a Approval) error {
		w := &found[at[a.WithdrawalID]]
		w.Approvals = append(w.Approvals, a.Given())
		return nil
	})
}

// Claim implements ports.Deposits.
func (s *Store) Claim(ctx context.Context, w wallet.Address, ref deposit.Ref) (deposit.Claim, error) {
	t, err := read.From(s.Reads, Transactions).
		Where("t.wallet = ? AND t.signature = ? AND t.token = ? AND t.type = 'deposit'", s.Key(w), ref.Signature, ref.Token).
		One(ctx, "read deposit", fault.New(fault.NotFound, "no claim to transaction %q", ref.Signature))
	if err != nil {
		return deposit.Claim{}, err
	}
	return claims.Value(&t), nil
}

// ClaimsOf implements ports.Deposits.
func (s *Store) ClaimsOf(ctx context.Context, ref deposit.Ref) ([]deposit.Claim, error) {
	return read.From(s.Reads, Deposits).Where("t.signature = ? AND t.token = ? AND t.type = 'deposit'", ref.Signature, ref.Token).Order("t.id").
		Kept(ctx, "list claims to a transaction")
}

// PendingClaims implements ports.Deposits.
func (s *Store) PendingClaims(ctx context.Context, after string, limit int) ([]deposit.Claim, error) {
	return read.From(s.Reads, Deposits).Where("t.type = 'deposit' AND t.status = 'pending' AND t.id > ?", after).Order("t.id").Limit(limit).
		Kept(ctx, "list waiting deposits")
}
