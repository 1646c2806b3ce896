// Package payments stores deposits, withdrawals and adjustments.
package payments

import (
	"errors"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Transactions, ports.Withdrawals and ports.Deposits, and the adjustments
// of ports.Bookings.
type Store struct{ *change.Changes }

// Approval is the n-th approval of a withdrawal.
type Approval struct {
	bun.BaseModel `bun:"table:approvals,alias:a"`
	approvalColumns
	WithdrawalID string
	N            int
	Wallet       wallet.Address `bun:",type:uuid"` // of the withdrawal
}

// approvalColumns are the columns of a withdrawal.Approval.
type approvalColumns struct {
	By        wallet.Address `bun:"approver"`
	At        time.Time
	Note      string
	Attempt   int
	Needed    int
	Signature string
	Timestamp int64 `bun:"signed_at"`
	Treasury  wallet.Address
	Seal      string
}

// Approvals is the model of approvals of withdrawals.
var Approvals = table.ModelOf[Approval, Approval]()

// Given returns the approval itself.
func (a Approval) Given() withdrawal.Approval { return withdrawal.Approval(a.approvalColumns) }

var (
	readApprovals  = Approvals.Find("a.wallet = s.wallet AND a.withdrawal_id = s.id ORDER BY a.withdrawal_id, a.n", "wallet:uuid", "id")
	clearApprovals = db.NewQuery(`DELETE FROM approvals WHERE (wallet, withdrawal_id) IN (SELECT s.wallet, s.id FROM {sent} AS s)`, "wallet:uuid", "id")
	addApprovals   = Approvals.Insert("")
)

// The types of transaction that change. Every other type is a kind of adjustment.
const (
	depositType    = string(ports.DepositTransaction)
	withdrawalType = string(ports.WithdrawalTransaction)
)

// adjustmentStatus is the status of every adjustment.
const adjustmentStatus = "completed"

// TransactionKinds is a table of the possible types and statuses of transactions.
var TransactionKinds = func() string {
	var all []string
	kind := func(of, status string) { all = append(all, "SELECT '"+of+"' AS type, '"+status+"' AS status") }
	for _, of := range player.AdjustmentKinds() {
		kind(of.String(), adjustmentStatus)
	}
	for _, status := range [...]deposit.Status{deposit.Pending, deposit.Review, deposit.Credited, deposit.Rejected} {
		kind(depositType, string(status))
	}
	for _, status := range withdrawal.Statuses() {
		kind(withdrawalType, string(status))
	}
	return "(" + strings.Join(all, " UNION ALL ") + ")"
}()

// Transaction is a row of the table transactions: a deposit claim, a withdrawal or an adjustment.
type Transaction struct {
	bun.BaseModel `bun:"table:transactions,alias:t"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	ID            string         `bun:",pk"`
	Type          string         `bun:",pk"` // the type never changes
	Agent         string
	Credit        bool
	Status        string
	Token         money.Token
	Amount        money.Amount
	Destination   string
	Signature     string
	Reason        string
	Note          string
	Attempts      int
	Actor         wallet.Address
	Balance       money.Amount
	Seal          string // of a withdrawal's request
	Reference     string // of an adjustment
	CreatedAt     time.Time
	UpdatedAt     time.Time
	Fee           money.Amount `bun:",scanonly"` // in another table, as approvals are
	CorrectedBy   string       `bun:",scanonly"` // the row that has this one as its reference

	approvals []withdrawal.Approval
}

// Transactions is the model of deposit claims, withdrawals and adjustments.
var Transactions = table.ModelOf[Transaction, Transaction]().Reading("fee",
	"coalesce((SELECT w.fee FROM withdrawal_fees AS w WHERE w.wallet = @.wallet AND w.withdrawal_id = @.id), 0)").Reading("corrected_by",
	`CASE WHEN @.type IN ('adjustment', 'assignment') THEN coalesce((SELECT k.id FROM transactions AS k
		WHERE k.wallet = @.wallet AND k.reference = @.id AND k.type IN ('adjustment_correction', 'assignment_correction')), '') ELSE '' END`)

// withdrawalFee is a row of withdrawal_fees: the cost of a withdrawal beyond its amount.
type withdrawalFee struct {
	bun.BaseModel `bun:"table:withdrawal_fees,alias:w"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	WithdrawalID  string         `bun:",pk"`
	Fee           money.Amount
}

// The mappings between a transaction and a withdrawal, a deposit claim, an adjustment and a line
// of an account.
var (
	withdrawals = table.MappingOf[Transaction, withdrawal.Withdrawal](map[string]string{"Approvals": "", "Attempt": "Attempts", "Tag": ""})
	claims      = table.MappingOf[Transaction, deposit.Claim](nil)
	adjustments = table.MappingOf[Transaction, player.Adjustment](map[string]string{"Kind": "", "Amount": "", "By": "Actor", "At": "CreatedAt"})
	lines       = table.MappingOf[Transaction, ports.Transaction](map[string]string{"Corrects": ""})
)

// Deposits is a view of transactions as deposit claims.
var Deposits = table.ViewOf(Transactions, func(t Transaction) (deposit.Claim, error) { return claims.Value(&t), nil })

// Withdrawal returns the row as a withdrawal.
func (t Transaction) Withdrawal() withdrawal.Withdrawal {
	w := withdrawals.Value(&t)
	w.Approvals = slices.Clone(t.approvals)
	return w
}

// requested returns the withdrawal as it was requested.
func (t Transaction) requested() withdrawal.Withdrawal {
	w := withdrawals.Value(&t)
	w.Status, w.Attempt, w.Signature, w.Reason, w.Note, w.UpdatedAt = withdrawal.Pending, 0, "", "", "", w.CreatedAt
	return w
}

// adjustment returns the row as an adjustment of this kind.
func (t Transaction) adjustment(kind player.AdjustmentKind) player.Adjustment {
	a := adjustments.Value(&t)
	if a.Kind, a.Amount = kind, int64(t.Amount); !t.Credit {
		a.Amount = -a.Amount
	}
	return a
}

// line returns the row as a line of its player's account.
func (t Transaction) line() ports.Transaction {
	line := lines.Value(&t)
	if kind, _ := player.ParseAdjustmentKind(t.Type); kind.IsCorrection() {
		line.Corrects = t.Reference
	}
	return line
}

// setAdjustment sets the row's fields from the adjustment.
func (t *Transaction) setAdjustment(a *player.Adjustment) {
	adjustments.Set(t, a)
	t.Type, t.Credit, t.Amount = a.Kind.String(), a.Amount > 0, money.Amount(max(a.Amount, -a.Amount))
	t.Status, t.UpdatedAt = adjustmentStatus, a.At
}

// Covered returns the event that blocks cover for it, by its kind; approvals are those of a
// withdrawal.
func (t Transaction) Covered(approvals []withdrawal.Approval) event.Event {
	switch t.Type {
	case withdrawalType:
		t.approvals = approvals
		return t.Withdrawal().Covered()
	case depositType:
		return claims.Value(&t).Covered()
	}
	kind, _ := player.ParseAdjustmentKind(t.Type)
	return t.adjustment(kind).Covered()
}

var (
	readOwn          = Transactions.Find("t.id = s.id", "id")
	readTransactions = Transactions.Find("t.wallet = s.wallet AND t.id = s.id", "wallet:uuid", "id")
	readDeposits     = Transactions.Find("t.wallet = s.wallet AND t.signature = s.signature AND t.token = s.token AND t.type = 'deposit'",
		"wallet:uuid", "signature", "token")
	countOpen = db.NewQuery(`SELECT s.place, t.type, count(*) FROM {sent} AS s CROSS JOIN transactions AS t
		WHERE t.wallet = s.wallet
		AND (t.type = 'withdrawal' AND t.status IN ('pending', 'approved', 'sending', 'failed')
		  OR t.type = 'deposit' AND t.status = 'pending')
		GROUP BY s.place, t.type`, "wallet:uuid", "place:int")
	addTransactions    = Transactions.Insert("")
	changeTransactions = Transactions.Update(table.Update{
		Set: []string{"status", "amount", "signature", "reason", "note", "attempts", "updated_at"},
	})
	addWithdrawalFees = table.ModelOf[withdrawalFee, withdrawalFee]().Insert("")
)

// TransactionPart reads and writes the deposits, withdrawals and adjustments of the items.
type TransactionPart struct {
	batch.NoPart
	// stored are the stored transactions that the items need.
	stored map[string]Transaction
	staged map[string]stagedTransaction
}

// stagedTransaction is a transaction to be written by a batch.
type stagedTransaction struct {
	Transaction
	// stored is the stored transaction, nil if it is new.
	stored *Transaction
}

func neededWithdrawals(n *player.Needs) []string { return n.Withdrawals }

func (o *TransactionPart) Ask(b *batch.Batch) {
	ids := b.OwnIDs(neededWithdrawals)
	readTransactions.Ask(&b.Asks, "read withdrawals", ids, func(t Transaction) error {
		_, err := b.Owner(t.Wallet)
		if err == nil && t.Type == withdrawalType {
			batch.Put(&o.stored, t.ID, t)
		}
		return err
	})
	readApprovals.Ask(&b.Asks, "read approvals", ids, func(a Approval) error {
		if t, ok := o.stored[a.WithdrawalID]; ok && t.Type == withdrawalType {
			t.approvals = append(t.approvals, a.Given())
			o.stored[a.WithdrawalID] = t
		}
		return nil
	})
	readDeposits.Ask(&b.Asks, "read deposits", b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		for _, ref := range w.Needs.Deposits {
			add(w.Key, ref.Signature, string(ref.Token))
		}
	}), func(t Transaction) error {
		w, err := b.Owner(t.Wallet)
		if err == nil {
			batch.Put(&o.stored, t.ID, t)
			batch.Put(&w.View.Deposits, deposit.Ref{Signature: t.Signature, Token: t.Token}, claims.Value(&t))
		}
		return err
	})
	b.Ask("count what is open", countOpen, b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		if w.Needs.Open {
			add(w.Key, w.At)
		}
	}), func(row db.Row) error {
		var kind string
		var at, n int
		if err := row.Scan(&at, &kind, &n); err != nil {
			return err
		}
		if view := &b.Sorted[at].View; kind == withdrawalType {
			view.OpenWithdrawals = n
		} else {
			view.OpenDeposits = n
		}
		return nil
	})
}

// AskOwnTransactions reads the withdrawals and adjustments with these ids, as the changes of the
// items that made them.
func AskOwnTransactions(b *batch.Batch, ids [][]any, found func(player.UniqueKey, wallet.Address, time.Time, player.Change)) {
	readOwn.Ask(&b.Asks, "read transactions", ids, func(t Transaction) error {
		if t.Type == withdrawalType {
			first := t.requested()
			found(player.UniqueKey{Kind: player.WithdrawalKey, ID: t.ID}, t.Wallet, t.CreatedAt,
				player.Change{Withdrawal: &first, Balance: t.Balance})
		} else if kind, ok := player.ParseAdjustmentKind(t.Type); ok {
			made := t.adjustment(kind)
			found(player.UniqueKey{Kind: player.AdjustmentKey, ID: t.ID}, t.Wallet, t.CreatedAt,
				player.Change{Adjustment: &made, Balance: t.Balance})
		}
		return nil
	})
}

// Answered adds the withdrawals to the views that need them.
func (o *TransactionPart) Answered(b *batch.Batch) error {
	for id, t := range o.stored {
		if t.Type == withdrawalType {
			batch.Put(&b.Wallets[t.Wallet].View.Withdrawals, id, t.Withdrawal())
		}
	}
	return nil
}

// Check refuses new transactions with an existing id, and ids that weren't drawn at their rows'
// times.
func (o *TransactionPart) Check(b *batch.Batch, s *batch.Step) error {
	if w := s.Change.Withdrawal; w != nil {
		if err := errors.Join(b.CheckID(w.ID, w.CreatedAt), o.unique(w.ID, batch.Has(s.Seen.Withdrawals, w.ID))); err != nil {
			return err
		}
	}
	if d := s.Change.Deposit; d != nil {
		if err := errors.Join(b.CheckID(d.ID, d.CreatedAt), o.unique(d.ID, batch.Has(s.Seen.Deposits, d.Ref))); err != nil {
			return err
		}
	}
	if a := s.Change.Adjustment; a != nil {
		return errors.Join(b.CheckID(a.ID, a.At), o.unique(a.ID, false))
	}
	return nil
}

func (o *TransactionPart) unique(id string, seen bool) error {
	return batch.Unique("transaction", id, !seen && (batch.Has(o.stored, id) || batch.Has(o.staged, id)))
}

func (o *TransactionPart) Stage(_ *batch.Batch, s *batch.Step) {
	c := s.Change
	row := func(id string) stagedTransaction {
		if staged, ok := o.staged[id]; ok {
			return staged
		}
		if stored, ok := o.stored[id]; ok {
			return stagedTransaction{Transaction: stored, stored: &stored}
		}
		return stagedTransaction{Transaction: Transaction{Agent: s.Next.Player.Agent, Balance: c.Balance}}
	}
	if w := c.Withdrawal; w != nil {
		t := row(w.ID)
		withdrawals.Set(&t.Transaction, w)
		t.Type, t.approvals = withdrawalType, w.Approvals
		batch.Put(&o.staged, t.ID, t)
	}
	if d := c.Deposit; d != nil {
		t := row(d.ID)
		claims.Set(&t.Transaction, d)
		t.Type, t.Credit = depositType, true
		batch.Put(&o.staged, t.ID, t)
	}
	if a := c.Adjustment; a != nil {
		t := row(a.ID)
		t.setAdjustment(a)
		batch.Put(&o.staged, t.ID, t)
	}
}

func (o *TransactionPart) Write(b *batch.Batch) error {
	var fresh, fees, changed, cleared, approvals [][]any
	var cells batch.ListCells
	hadApprovals := 0
	for _, t := range o.staged {
		switch {
		case t.stored == nil:
			fresh = append(fresh, addTransactions.Row(&t.Transaction))
			cells.Add(batch.ListCell{List: "transactions", Token: t.Token, Agent: t.Agent})
			if t.Fee > 0 {
				fees = append(fees, addWithdrawalFees.Row(&withdrawalFee{Wallet: t.Wallet, WithdrawalID: t.ID, Fee: t.Fee}))
			}
		default:
			changed = append(changed, changeTransactions.Row(&t.Transaction))
			if len(t.stored.approvals) > 0 {
				cleared = append(cleared, []any{table.WalletKey(t.Wallet), t.ID})
				hadApprovals += len(t.stored.approvals)
			}
		}
		for n, a := range t.approvals {
			approvals = append(approvals, addApprovals.Row(&Approval{approvalColumns: approvalColumns(a), WithdrawalID: t.ID, N: n, Wallet: t.Wallet}))
		}
	}
	b.WriteSorted("write transactions", addTransactions.Query, fresh)
	b.Ask("write cells of lists", batch.AddCells.Query, cells.Rows(), nil)
	b.WriteSorted("write fees of withdrawals", addWithdrawalFees.Query, fees)
	b.WriteSorted("write transactions", changeTransactions.Query, changed)
	b.WriteCounted("clear approvals", clearApprovals, cleared, hadApprovals)
	b.WriteSorted("write approvals", addApprovals.Query, approvals)
	return nil
}
