package httpapi

import (
	"context"
	"slices"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

func transactionOf(t ports.Transaction) api.Transaction {
	body := api.Transaction{
		ID: t.ID, Type: string(t.Type), Direction: "debit", Status: t.Status, Token: string(t.Token),
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

func adminTransactionOf(t ports.Transaction) api.AdminTransaction {
	return api.AdminTransaction{Transaction: transactionOf(t), Wallet: string(t.Wallet)}
}

func (a *API) accountTransactions(r *request) (answer, error) {
	return list[struct{}, ports.Transaction, api.Transaction]{
		page: func(ctx context.Context, _ struct{}, page ports.Page) ([]ports.Transaction, ports.PageInfo, error) {
			found, err := a.casino.Accounts.AccountTransactions(ctx, r.caller, page)
			return found.Transactions, found.PageInfo, err
		},
		row: transactionOf,
		body: func(rows []api.Transaction, info api.PageInfo) any {
			return api.TransactionPage{Transactions: rows, PageInfo: info}
		},
	}.serve(a, r)
}

func (a *API) adminTransactions(r *request) (answer, error) {
	return list[ports.TransactionFilter, ports.Transaction, api.AdminTransaction]{
		filter: func(q *parse.Query) ports.TransactionFilter {
			return ports.TransactionFilter{
				Type:   ports.TransactionType(q.Choice("type", each(ports.TransactionTypes(), func(t ports.TransactionType) string { return string(t) })...)),
				Status: q.Choice("status", transactionStatuses()...),
				Wallet: q.Wallet(), Token: q.Token(), Agent: q.Text("agentCode"),
				From: q.Time("from"), To: q.Time("to"),
			}
		},
		page: func(ctx context.Context, filter ports.TransactionFilter, page ports.Page) ([]ports.Transaction, ports.PageInfo, error) {
			found, err := a.casino.Admin.AdminTransactions(ctx, r.caller, filter, page)
			return found.Transactions, found.PageInfo, err
		},
		row: adminTransactionOf,
		body: func(rows []api.AdminTransaction, info api.PageInfo) any {
			return api.AdminTransactionPage{Transactions: rows, PageInfo: info}
		},
		name: "transactions", columns: transactionColumns,
	}.serve(a, r)
}

var transactionColumns = []sheet.Column[api.AdminTransaction]{
	sheet.Text("id", func(t api.AdminTransaction) string { return t.ID }),
	sheet.Moment("createdAt", func(t api.AdminTransaction) int64 { return t.CreatedAt }),
	sheet.Moment("updatedAt", func(t api.AdminTransaction) int64 { return t.UpdatedAt }),
	sheet.Text("wallet", func(t api.AdminTransaction) string { return t.Wallet }),
	sheet.Text("type", func(t api.AdminTransaction) string { return t.Type }),
	sheet.Text("direction", func(t api.AdminTransaction) string { return t.Direction }),
	sheet.Text("status", func(t api.AdminTransaction) string { return t.Status }),
	sheet.Text("token", func(t api.AdminTransaction) string { return t.Token }),
	sheet.NullInteger("amount", func(t api.AdminTransaction) *int64 { return t.Amount }),
	sheet.NullText("destination", func(t api.AdminTransaction) *string { return t.Destination }),
	sheet.NullText("signature", func(t api.AdminTransaction) *string { return t.Signature }),
	sheet.NullText("reason", func(t api.AdminTransaction) *string { return t.Reason }),
}

// transactionStatuses are all that a transaction can have: a deposit claim's, a withdrawal's,
// and "completed" of any other type, which is one of a withdrawal's.
func transactionStatuses() []string {
	all := []string{string(deposit.Pending), string(deposit.Review), string(deposit.Credited), string(deposit.Rejected)}
	for _, status := range withdrawal.Statuses() {
		if !slices.Contains(all, string(status)) {
			all = append(all, string(status))
		}
	}
	return all
}
