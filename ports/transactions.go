package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// TransactionType is a kind of account movement that isn't a bet.
type TransactionType string

// The types of transaction.
const (
	DepositTransaction    TransactionType = "deposit"
	WithdrawalTransaction TransactionType = "withdrawal"
	AdjustmentTransaction TransactionType = "adjustment"
)

// TransactionTypes returns every type, including each kind of adjustment.
func TransactionTypes() []TransactionType {
	types := []TransactionType{DepositTransaction, WithdrawalTransaction}
	for _, kind := range player.AdjustmentKinds() {
		types = append(types, TransactionType(kind.String()))
	}
	return types
}

// Transaction is one line of a player's account: a deposit claim, a withdrawal or an
// adjustment, with that thing's id.
type Transaction struct {
	ID     string
	Wallet wallet.Address
	Type   TransactionType
	// Credit reports that the player receives the money.
	Credit bool
	// Status is that of the claim or withdrawal; an adjustment is "completed".
	Status string
	Token  money.Token
	Amount money.Amount
	// Destination, Signature and Reason are empty if they don't apply.
	Destination string
	Signature   string
	Reason      string
	// Corrects is the id of the adjustment that this one reverses, CorrectedBy that of the
	// correction that reverses this one.
	Corrects    string
	CorrectedBy string
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// DepositLine converts a deposit claim to a line of its player's account.
func DepositLine(c deposit.Claim) Transaction {
	return Transaction{
		ID: c.ID, Wallet: c.Wallet, Type: DepositTransaction, Credit: true, Status: string(c.Status),
		Token: c.Token, Amount: c.Amount, Signature: c.Signature, Reason: c.Reason,
		CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
	}
}

// WithdrawalLine converts a withdrawal to a line of its player's account.
func WithdrawalLine(w withdrawal.Withdrawal) Transaction {
	return Transaction{
		ID: w.ID, Wallet: w.Wallet, Type: WithdrawalTransaction, Status: string(w.Status),
		Token: w.Token, Amount: w.Amount, Destination: w.Destination, Signature: w.Signature, Reason: w.Reason,
		CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
}

// AdjustmentLine converts an adjustment to a line of its player's account.
func AdjustmentLine(a player.Adjustment) Transaction {
	line := Transaction{
		ID: a.ID, Wallet: a.Wallet, Type: TransactionType(a.Kind.String()), Credit: a.Amount > 0,
		Status: string(withdrawal.Completed), Token: a.Token, Amount: money.Amount(max(a.Amount, -a.Amount)), Reason: a.Reason,
		CreatedAt: a.At, UpdatedAt: a.At,
	}
	if a.Kind.IsCorrection() {
		line.Corrects = a.Reference
	}
	return line
}

// Transactions reads deposits, withdrawals and adjustments as one list.
type Transactions interface {
	// Transactions lists transactions newest first.
	Transactions(ctx context.Context, filter TransactionFilter, page Page) (TransactionPage, error)
}

// TransactionFilter narrows a list of transactions; zero fields don't. From (inclusive)
// and To (exclusive) bound CreatedAt.
type TransactionFilter struct {
	Wallet   wallet.Address
	Type     TransactionType
	Status   string
	Token    money.Token
	Agent    string
	From, To time.Time
}

// TransactionPage is a page of transactions.
type TransactionPage struct {
	Transactions []Transaction
	PageInfo
}

// Withdrawals reads withdrawals for decisions and for the payout worker.
type Withdrawals interface {
	// Withdrawal returns one withdrawal, or NotFound.
	Withdrawal(ctx context.Context, id string) (withdrawal.Withdrawal, error)
	// WithdrawalsIn lists up to limit withdrawals of a status with ids after the given one,
	// oldest first. A worker continues by passing the last id it saw, and starts over with
	// "" at the end.
	WithdrawalsIn(ctx context.Context, status withdrawal.Status, after string, limit int) ([]withdrawal.Withdrawal, error)
	// OpenWithdrawals lists the wallet's withdrawals that still hold money, newest first.
	OpenWithdrawals(ctx context.Context, w wallet.Address) ([]withdrawal.Withdrawal, error)
	// Attempt returns the newest signed transaction of a withdrawal, or NotFound.
	Attempt(ctx context.Context, withdrawalID string) (withdrawal.Attempt, error)
}
