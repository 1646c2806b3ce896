package api

import (
	"time"

	"github.com/casino-service/casino/domain/withdrawal"
)

// Balance is what a player has of one token.
type Balance struct {
	Token   string `json:"token"`
	Balance int64  `json:"balance" units:"base"`
}

// BalancesResponse is a player's balances, sorted by token.
type BalancesResponse struct {
	Balances []Balance `json:"balances"`
}

// PlayerBalancesResponse is a player's balances as admins see them.
type PlayerBalancesResponse struct {
	Wallet   string    `json:"wallet"`
	Balances []Balance `json:"balances"`
}

// Transaction is a deposit, a withdrawal or an adjustment of a player's balance.
type Transaction struct {
	ID          string  `json:"id"`
	Type        string  `json:"type"`      // deposit, withdrawal or adjustment
	Direction   string  `json:"direction"` // credit or debit
	Status      string  `json:"status"`
	Token       string  `json:"token"`
	Amount      *int64  `json:"amount" units:"base"` // nil while a deposit's amount isn't known
	Destination *string `json:"destination"`
	Signature   *string `json:"signature"`
	Reason      *string `json:"reason"`
	CreatedAt   int64   `json:"createdAt"`
	UpdatedAt   int64   `json:"updatedAt"`
}

// AccountFilter chooses a page of the caller's transactions.
type AccountFilter struct {
	PageRequest
}

// TransactionPage is a page of the caller's transactions.
type TransactionPage struct {
	Transactions []Transaction `json:"transactions"`
	PageInfo     `json:",inline"`
}

// AdminTransaction is a transaction with the player's wallet.
type AdminTransaction struct {
	Transaction `json:",inline"`
	Wallet      string `json:"wallet"`
}

// AdminTransactionPage is a page of all players' transactions.
type AdminTransactionPage struct {
	Transactions []AdminTransaction `json:"transactions"`
	PageInfo     `json:",inline"`
}

// TransactionFilter narrows a list of transactions; zero fields don't narrow.
type TransactionFilter struct {
	PageRequest
	Type      string    `query:"type"`
	Status    string    `query:"status"`
	Wallet    string    `query:"wallet"`
	Token     string    `query:"token"`
	AgentCode string    `query:"agentCode"`
	From      time.Time `query:"from"`
	To        time.Time `query:"to"`
}

// DepositRequest names an on-chain deposit by its transaction's signature.
type DepositRequest struct {
	Signature string `json:"signature"`
	Token     string `json:"token"`
}

// Deposited is a registered deposit. Balance is nil until it is credited.
type Deposited struct {
	Transaction Transaction `json:"transaction"`
	Balance     *int64      `json:"balance,omitzero" units:"base"`
}

// DepositTransactionRequest asks for a transaction that deposits an amount of a token.
type DepositTransactionRequest struct {
	Token  string `json:"token"`
	Amount int64  `json:"amount" units:"base"`
}

// DepositTransaction is a transaction for the caller's wallet to sign, in base64, and the
// height of the last block in which it can land.
type DepositTransaction struct {
	Transaction          []byte `json:"transaction"`
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight"`
}

// WithdrawRequest asks for a withdrawal.
type WithdrawRequest struct {
	Amount         int64  `json:"amount" units:"base"`
	Token          string `json:"token"`
	Destination    string `json:"destination"`
	IdempotencyKey string `json:"-"`
}

// Withdrawal is a player's request to be paid on chain.
type Withdrawal struct {
	ID                 string            `json:"id"`
	Wallet             string            `json:"wallet"`
	Token              string            `json:"token"`
	Amount             int64             `json:"amount" units:"base"`
	Fee                int64             `json:"fee" units:"base"`
	Destination        string            `json:"destination"`
	DestinationIsOwner bool              `json:"destinationIsOwner"`
	Status             withdrawal.Status `json:"status"`
	Approvals          int               `json:"approvals"`
	Signature          *string           `json:"signature"`
	Reason             *string           `json:"reason"`
	Note               *string           `json:"note"`
	CreatedAt          int64             `json:"createdAt"`
	UpdatedAt          int64             `json:"updatedAt"`
}

// Withdrawn is a withdrawal and the player's balance after the step.
type Withdrawn struct {
	Withdrawal Withdrawal `json:"withdrawal"`
	Balance    int64      `json:"balance" units:"base"`
	Replayed   bool       `json:"-"`
}
