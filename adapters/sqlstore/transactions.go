package sqlstore

import (
	"slices"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// The types of transaction as they are stored.
const (
	depositType    = string(ports.DepositTransaction)
	withdrawalType = string(ports.WithdrawalTransaction)
	adjustmentType = string(ports.AdjustmentTransaction)
)

// adjustmentStatus is what every adjustment is.
const adjustmentStatus = "completed"

// transaction is a row of the table of that name: a deposit claim, a withdrawal
// or an adjustment.
type transaction struct {
	id, kind                       string
	wallet                         wallet.Address
	agent                          string
	credit                         bool
	status                         string
	token                          money.Token
	amount, fee                    money.Amount
	destination, signature, reason string
	note                           string
	attempts                       int
	actor                          wallet.Address
	balance                        money.Amount
	createdAt, updatedAt           time.Time

	// approvals are in a table of their own.
	approvals []withdrawal.Approval
}

// transactionColumns are the columns in the order of scanTransaction.
const transactionColumns = `t.id, t.type, t.wallet, t.agent, t.credit, t.status, t.token, t.amount, t.destination,
	t.signature, t.reason, t.note, t.attempts, t.actor, t.balance, t.created_at, t.updated_at,
	coalesce((SELECT f.fee FROM withdrawal_fees AS f WHERE f.withdrawal_id = t.id), 0)`

func scanTransaction(row interface{ Scan(...any) error }) (t transaction, err error) {
	var created, updated int64
	err = row.Scan(&t.id, &t.kind, &t.wallet, &t.agent, &t.credit, &t.status, &t.token, &t.amount, &t.destination,
		&t.signature, &t.reason, &t.note, &t.attempts, &t.actor, &t.balance, &created, &updated, &t.fee)
	t.createdAt, t.updatedAt = moment(created), moment(updated)
	return t, err
}

// withdrawal is the row as the withdrawal it is.
func (t transaction) withdrawal() withdrawal.Withdrawal {
	return withdrawal.Withdrawal{
		ID: t.id, Wallet: t.wallet, Token: t.token, Amount: t.amount, Fee: t.fee, Destination: t.destination,
		Status: withdrawal.Status(t.status), Approvals: slices.Clone(t.approvals), Attempt: t.attempts,
		Signature: t.signature, Reason: t.reason, Note: t.note, CreatedAt: t.createdAt, UpdatedAt: t.updatedAt,
	}
}

// requested is the withdrawal as it was when it was asked for.
func (t transaction) requested() withdrawal.Withdrawal {
	return withdrawal.Withdrawal{
		ID: t.id, Wallet: t.wallet, Token: t.token, Amount: t.amount, Fee: t.fee, Destination: t.destination,
		Status: withdrawal.Pending, CreatedAt: t.createdAt, UpdatedAt: t.createdAt,
	}
}

// deposit is the row as the deposit claim it is.
func (t transaction) deposit() deposit.Claim {
	return deposit.Claim{
		ID: t.id, Wallet: t.wallet, Ref: deposit.Ref{Signature: t.signature, Token: t.token},
		Status: deposit.Status(t.status), Amount: t.amount, Reason: t.reason,
		CreatedAt: t.createdAt, UpdatedAt: t.updatedAt,
	}
}

// adjustment is the row as the adjustment it is.
func (t transaction) adjustment() player.Adjustment {
	signed := int64(t.amount)
	if !t.credit {
		signed = -signed
	}
	return player.Adjustment{
		ID: t.id, Wallet: t.wallet, Token: t.token, Amount: signed, Reason: t.reason, By: t.actor, At: t.createdAt,
	}
}

// ofWithdrawal, ofDeposit and ofAdjustment return the row after a change of what
// it is about.
func (t transaction) ofWithdrawal(w withdrawal.Withdrawal) transaction {
	t.id, t.kind, t.wallet, t.token, t.amount, t.fee = w.ID, withdrawalType, w.Wallet, w.Token, w.Amount, w.Fee
	t.destination, t.status, t.attempts, t.signature = w.Destination, string(w.Status), w.Attempt, w.Signature
	t.reason, t.note, t.createdAt, t.updatedAt = w.Reason, w.Note, w.CreatedAt, w.UpdatedAt
	t.approvals = w.Approvals
	return t
}

func (t transaction) ofDeposit(c deposit.Claim) transaction {
	t.id, t.kind, t.wallet, t.credit = c.ID, depositType, c.Wallet, true
	t.signature, t.token, t.status, t.amount = c.Signature, c.Token, string(c.Status), c.Amount
	t.reason, t.createdAt, t.updatedAt = c.Reason, c.CreatedAt, c.UpdatedAt
	return t
}

func (t transaction) ofAdjustment(a player.Adjustment) transaction {
	t.id, t.kind, t.wallet, t.credit = a.ID, adjustmentType, a.Wallet, a.Amount > 0
	t.amount = money.Amount(max(a.Amount, -a.Amount))
	t.status, t.token, t.reason, t.actor = adjustmentStatus, a.Token, a.Reason, a.By
	t.createdAt, t.updatedAt = a.At, a.At
	return t
}

var (
	readTransactions = newQuery(`SELECT `+transactionColumns+`
		FROM {sent} AS s CROSS JOIN transactions AS t WHERE t.id = s.id`, "id")
	readDeposits = newQuery(`SELECT `+transactionColumns+` FROM {sent} AS s CROSS JOIN transactions AS t
		WHERE t.wallet = s.wallet AND t.signature = s.signature AND t.token = s.token AND t.type = 'deposit'`,
		"wallet", "signature", "token")
	readApprovals = newQuery(`SELECT a.withdrawal_id, a.approver, a.at, a.note
		FROM {sent} AS s CROSS JOIN approvals AS a WHERE a.withdrawal_id = s.id ORDER BY a.withdrawal_id, a.n`, "id")

	insertTransactions = insert("transactions", "",
		"id", "type", "wallet", "agent", "credit:bool", "status", "token", "amount:int", "destination", "signature",
		"reason", "note", "attempts:int", "actor", "balance:int", "created_at:int", "updated_at:int")
	insertWithdrawalFees = insert("withdrawal_fees", "", "withdrawal_id", "fee:int")
	updateTransactions   = change(`UPDATE transactions SET status = s.status, amount = s.amount,
		signature = s.signature, reason = s.reason, note = s.note, attempts = s.attempts, updated_at = s.updated_at
		FROM {sent} AS s WHERE transactions.id = s.id AND transactions.type = s.type`,
		"id", "type", "status", "amount:int", "signature", "reason", "note", "attempts:int", "updated_at:int")
	clearApprovals  = newQuery(`DELETE FROM approvals WHERE withdrawal_id IN (SELECT s.id FROM {sent} AS s)`, "id")
	insertApprovals = insert("approvals", "", "withdrawal_id", "n:int", "wallet", "approver", "at:int", "note")
	insertAttempts  = insert("payout_attempts", "", "withdrawal_id", "number:int", "wallet", "signature", "bytes:bytes",
		"blockhash", "last_valid_height:int", "slot:int", "created_at:int", "dead:bool")
	buryAttempts = change(`UPDATE payout_attempts SET dead = TRUE FROM {sent} AS s
		WHERE payout_attempts.withdrawal_id = s.withdrawal_id AND payout_attempts.number = s.number
		AND NOT payout_attempts.dead`, "withdrawal_id", "number:int")
)

func (r *run) askTransactions(doing string, q *query, rows [][]any, found func(transaction)) {
	r.ask(doing, q, rows, func(row Row) error {
		t, err := scanTransaction(row)
		if err == nil {
			found(t)
		}
		return err
	})
}

func (r *run) askApprovals(ids [][]any, found func(id string, a withdrawal.Approval)) {
	r.ask("read approvals", readApprovals, ids, func(row Row) error {
		var id string
		var a withdrawal.Approval
		var at int64
		if err := row.Scan(&id, &a.By, &at, &a.Note); err != nil {
			return err
		}
		a.At = moment(at)
		found(id, a)
		return nil
	})
}

// transactionRow is a transaction as a batch leaves it.
type transactionRow struct {
	transaction
	// stored is the transaction as it is stored, nil when it is new.
	stored *transaction
}

// attemptKey names a payout attempt.
type attemptKey struct {
	withdrawal string
	number     int
}

// stageTransactions notes what a change makes of deposits, withdrawals and
// adjustments, and of payout attempts.
func (o *output) stageTransactions(h *holdings, agent string, c player.Change) {
	row := func(id string) transactionRow {
		if staged, ok := o.transactions[id]; ok {
			return staged
		}
		if stored, ok := h.rows[id]; ok {
			return transactionRow{transaction: stored, stored: &stored}
		}
		return transactionRow{transaction: transaction{agent: agent, balance: c.Balance}}
	}
	if c.Withdrawal != nil {
		t := row(c.Withdrawal.ID)
		t.transaction = t.ofWithdrawal(*c.Withdrawal)
		o.transactions[t.id] = t
	}
	if c.Deposit != nil {
		t := row(c.Deposit.ID)
		t.transaction = t.ofDeposit(*c.Deposit)
		o.transactions[t.id] = t
	}
	if c.Adjustment != nil {
		t := row(c.Adjustment.ID)
		t.transaction = t.ofAdjustment(*c.Adjustment)
		o.transactions[t.id] = t
	}
	if c.Attempt != nil {
		o.attempts[attemptKey{c.Attempt.WithdrawalID, c.Attempt.Number}] = *c.Attempt
	}
	if c.DeadAttempt != 0 && c.Withdrawal != nil {
		o.dead[attemptKey{c.Withdrawal.ID, c.DeadAttempt}] = true
	}
}

func (r *run) writeTransactions() {
	var fresh, fees, changed, cleared, approvals [][]any
	hadApprovals := 0
	for _, t := range sorted(r.out.transactions) {
		if t.stored == nil && t.fee > 0 {
			fees = append(fees, []any{t.id, int64(t.fee)})
		}
		if t.stored == nil {
			fresh = append(fresh, []any{t.id, t.kind, string(t.wallet), t.agent, t.credit, t.status, string(t.token),
				int64(t.amount), t.destination, t.signature, t.reason, t.note, t.attempts, string(t.actor),
				int64(t.balance), micros(t.createdAt), micros(t.updatedAt)})
		} else {
			changed = append(changed, []any{t.id, t.kind, t.status, int64(t.amount), t.signature, t.reason, t.note,
				t.attempts, micros(t.updatedAt)})
			if len(t.stored.approvals) > 0 {
				cleared = append(cleared, []any{t.id})
				hadApprovals += len(t.stored.approvals)
			}
		}
		for n, a := range t.approvals {
			approvals = append(approvals, []any{t.id, n, string(t.wallet), string(a.By), micros(a.At), a.Note})
		}
	}
	r.write("write transactions", insertTransactions, fresh)
	r.write("write fees of withdrawals", insertWithdrawalFees, fees)
	r.write("write transactions", updateTransactions, changed)
	r.writeCounted("clear approvals", clearApprovals, cleared, hadApprovals)
	r.write("write approvals", insertApprovals, approvals)
}

func (r *run) writeAttempts() {
	var fresh, buried [][]any
	for key, a := range r.out.attempts {
		fresh = append(fresh, []any{a.WithdrawalID, a.Number, string(r.out.transactions[a.WithdrawalID].wallet), a.Signature,
			a.Transaction, a.Blockhash, int64(a.LastValidHeight), int64(a.Slot), micros(a.CreatedAt), r.out.dead[key]})
	}
	for key := range r.out.dead {
		if _, isNew := r.out.attempts[key]; !isNew {
			buried = append(buried, []any{key.withdrawal, key.number})
		}
	}
	slices.SortFunc(fresh, compareRows)
	slices.SortFunc(buried, compareRows)
	r.write("write payout attempts", insertAttempts, fresh)
	r.write("bury payout attempts", buryAttempts, buried)
}
