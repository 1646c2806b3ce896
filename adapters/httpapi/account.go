package httpapi

import (
	"net/http"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/ports"
)

type balanceBody struct {
	Token   string `json:"token"`
	Balance int64  `json:"balance"`
}

func (a *API) balance(r *request) (answer, error) {
	balances, err := a.casino.Balances(r.context(), r.caller)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Balances []balanceBody `json:"balances"`
	}{each(balances, balanceOf)}), nil
}

// transaction is one line of a player's account.
type transaction struct {
	ID          string                `json:"id"`
	Type        ports.TransactionType `json:"type"`
	Direction   string                `json:"direction"`
	Status      string                `json:"status"`
	Token       string                `json:"token"`
	Amount      *int64                `json:"amount"`
	Destination *string               `json:"destination"`
	Signature   *string               `json:"signature"`
	Reason      *string               `json:"reason"`
	CreatedAt   int64                 `json:"createdAt"`
	UpdatedAt   int64                 `json:"updatedAt"`
}

func transactionOf(t ports.Transaction) transaction {
	body := transaction{
		ID: t.ID, Type: t.Type, Direction: "debit", Status: t.Status, Token: string(t.Token),
		Destination: orNull(t.Destination), Signature: orNull(t.Signature), Reason: orNull(t.Reason),
		CreatedAt: millis(t.CreatedAt), UpdatedAt: millis(t.UpdatedAt),
	}
	if t.Credit {
		body.Direction = "credit"
	}
	if t.Amount > 0 {
		amount := int64(t.Amount)
		body.Amount = &amount
	}
	return body
}

func (a *API) accountTransactions(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	if f.err != nil {
		return answer{}, f.err
	}
	found, err := a.casino.AccountTransactions(r.context(), r.caller, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Transactions []transaction `json:"transactions"`
		listInfo     `json:",inline"`
	}{each(found.Transactions, transactionOf), listOf(wanted, found.PageInfo)}), nil
}

// deposit answers 200 with the balance for a credited claim and 202 without for
// one that waits.
func (a *API) deposit(r *request) (answer, error) {
	f := r.body("signature", "token")
	signature := f.text("signature")
	if err := deposit.CheckSignature(signature); f.err == nil && err != nil {
		f.fail(err)
	}
	mint := f.token()
	if f.err != nil {
		return answer{}, f.err
	}
	claimed, err := a.casino.Deposit(r.context(), r.caller, signature, mint)
	if err != nil {
		return answer{}, err
	}
	line := transactionOf(claimTransaction(claimed.Claim))
	if claimed.Claim.Status != deposit.Credited {
		return answer{status: http.StatusAccepted, body: struct {
			Transaction transaction `json:"transaction"`
		}{line}}, nil
	}
	return ok(struct {
		Transaction transaction `json:"transaction"`
		Balance     int64       `json:"balance"`
	}{line, int64(claimed.Balance)}), nil
}

func claimTransaction(c deposit.Claim) ports.Transaction {
	return ports.Transaction{
		ID: c.ID, Wallet: c.Wallet, Type: ports.DepositTransaction, Credit: true, Status: string(c.Status),
		Token: c.Token, Amount: c.Amount, Signature: c.Signature, Reason: c.Reason, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
	}
}
