package httpapi

import (
	"context"
	"math"
	"net/http"
	"slices"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

type adminIdentity struct {
	Wallet      string            `json:"wallet"`
	Role        string            `json:"role"`
	Level       int               `json:"level"`
	Permissions []rbac.Permission `json:"permissions"`
	AgentCode   *string           `json:"agentCode"`
}

func (a *API) adminMe(r *request) (answer, error) {
	me, err := a.casino.AdminMe(r.context(), r.caller)
	if err != nil {
		return answer{}, err
	}
	return ok(adminIdentity{
		Wallet: string(me.Wallet), Role: me.Role.Name, Level: me.Role.Level,
		Permissions: slices.Sorted(slices.Values(me.Role.Permissions)), AgentCode: orNull(me.AgentCode),
	}), nil
}

// adminTransaction is a line of a player's account with whose it is.
type adminTransaction struct {
	transaction `json:",inline"`
	Wallet      string `json:"wallet"`
}

func adminTransactionOf(t ports.Transaction) adminTransaction {
	return adminTransaction{transaction: transactionOf(t), Wallet: string(t.Wallet)}
}

// transactionStatuses are all that a line can have: a claim's, a withdrawal's,
// and "completed" of an adjustment, which is one of a withdrawal's.
func transactionStatuses() []string {
	all := []string{string(deposit.Pending), string(deposit.Review), string(deposit.Credited), string(deposit.Rejected)}
	for _, status := range withdrawal.Statuses() {
		if !slices.Contains(all, string(status)) {
			all = append(all, string(status))
		}
	}
	return all
}

func (a *API) adminTransactions(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	if r.csvWanted() {
		f.wholeList()
	}
	filter := ports.TransactionFilter{
		Type: ports.TransactionType(f.choice("type", string(ports.DepositTransaction),
			string(ports.WithdrawalTransaction), string(ports.AdjustmentTransaction))),
		Status: f.choice("status", transactionStatuses()...),
		Wallet: f.wallet(), Token: f.token(), Agent: f.text("agentCode"),
		From: f.time("from"), To: f.time("to"),
	}
	if f.err != nil {
		return answer{}, f.err
	}
	if r.csvWanted() {
		return listSheet(a, r, "transactions", transactionColumns, func(ctx context.Context, page ports.Page) ([]ports.Transaction, string, error) {
			found, err := a.casino.AdminTransactions(ctx, r.caller, filter, page)
			return found.Transactions, found.Next, err
		}, transactionCells)
	}
	found, err := a.casino.AdminTransactions(r.context(), r.caller, filter, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Transactions []adminTransaction `json:"transactions"`
		listInfo     `json:",inline"`
	}{each(found.Transactions, adminTransactionOf), listOf(wanted, found.PageInfo)}), nil
}

type adjustedBody struct {
	Wallet      string      `json:"wallet"`
	Token       string      `json:"token"`
	Balance     int64       `json:"balance"`
	Transaction transaction `json:"transaction"`
}

// reasonMax is how long a reason or a note may be, in characters.
const reasonMax = 500

// booking is what a person books by hand: positive in, negative out.
type booking struct {
	token       string
	amount      int64
	reason      string
	idempotency app.Idempotency
}

func (r *request) booking() (booking, error) {
	f := r.body("token", "amount", "reason")
	b := booking{token: f.token(), amount: f.integer("amount", -math.MaxInt64, math.MaxInt64)}
	if b.amount == 0 {
		f.refuse("amount", "must not be 0")
	}
	f.take("reason")
	b.reason, b.idempotency = f.limited("reason", reasonMax), r.idempotency(f)
	return b, f.err
}

func (a *API) adjustBalance(r *request) (answer, error) {
	b, err := r.booking()
	if err != nil {
		return answer{}, err
	}
	adjusted, err := a.casino.AdjustBalance(r.context(), r.caller, app.AdjustRequest{
		User: r.params["user"], Token: b.token, Amount: b.amount, Reason: b.reason, Idempotency: b.idempotency,
	})
	if err != nil {
		return answer{}, err
	}
	if adjusted.Asked != nil {
		return asked(*adjusted.Asked, adjusted.Replayed), nil
	}
	done := adjusted.Adjustment
	return answer{status: http.StatusOK, replayed: adjusted.Replayed, body: adjustedBody{
		Wallet: string(done.Wallet), Token: string(done.Token), Balance: int64(adjusted.Balance),
		Transaction: transactionOf(adjustmentTransaction(done)),
	}}, nil
}

func adjustmentTransaction(a player.Adjustment) ports.Transaction {
	return ports.Transaction{
		ID: a.ID, Wallet: a.Wallet, Type: ports.AdjustmentTransaction, Credit: a.Amount > 0,
		Status: string(withdrawal.Completed), Token: a.Token, Amount: money.Amount(max(a.Amount, -a.Amount)),
		Reason: a.Reason, CreatedAt: a.At, UpdatedAt: a.At,
	}
}

type decidedBody struct {
	Withdrawal withdrawalBody `json:"withdrawal"`
}

func (a *API) approveWithdrawal(r *request) (answer, error) {
	f := r.body("id", "note")
	word := app.Decision{ID: f.text("id"), Note: f.note()}
	word.Idempotency = r.idempotency(f)
	if f.err != nil {
		return answer{}, f.err
	}
	decided, err := a.casino.ApproveWithdrawal(r.context(), r.caller, word)
	return decisionAnswer(decided), err
}

func (a *API) rejectWithdrawal(r *request) (answer, error) {
	f := r.body("id", "reason")
	word := app.Decision{ID: f.text("id")}
	f.take("reason")
	word.Reason = f.limited("reason", reasonMax)
	word.Idempotency = r.idempotency(f)
	if f.err != nil {
		return answer{}, f.err
	}
	decided, err := a.casino.RejectWithdrawal(r.context(), r.caller, word)
	return decisionAnswer(decided), err
}

func decisionAnswer(decided app.WithdrawalAnswer) answer {
	return answer{status: http.StatusOK, replayed: decided.Replayed, body: decidedBody{withdrawalOf(decided.Withdrawal)}}
}

// note reads the optional "note", which may be empty.
func (f *fields) note() string {
	text := f.optionalText("note")
	if text == nil || *text == "" {
		return ""
	}
	return f.limited("note", reasonMax)
}
