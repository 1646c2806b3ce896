package player

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/withdrawal"
)

// LostPayout is a payout that the chain shows, of a withdrawal that the books don't know:
// it was asked for and paid after the backup that a database was restored from.
type LostPayout struct {
	treasury.Movement
	// Requested is when it was asked for, as far as that is known.
	Requested time.Time
	At        time.Time
}

// BringBack writes the withdrawal of a lost payout into the books again, as it was asked
// for, so that SettleByChain can complete it. The player's balance is held for it, and
// what the balance lacks becomes what the player owes.
func BringBack(v View, lost LostPayout) (Change, error) {
	switch _, known := v.Withdrawals[lost.WithdrawalID]; {
	case known:
		return Change{}, fault.New(fault.InvalidState, "the books know withdrawal %q", lost.WithdrawalID)
	case lost.Failed || len(lost.Payments) != 1:
		return Change{}, fault.New(fault.InvalidState, "transaction %s is not one payment", lost.Signature)
	case !v.Player.Known():
		return Change{}, fault.New(fault.NotFound, "wallet %s has never signed in", v.Player.Wallet)
	}
	paid := lost.Payments[0]
	w := withdrawal.Withdrawal{
		ID: lost.WithdrawalID, Wallet: v.Player.Wallet, Token: paid.Token, Amount: paid.Amount, Destination: paid.Destination,
		Status: withdrawal.Pending, CreatedAt: lost.Requested, UpdatedAt: lost.At,
	}
	held := min(v.Balances[paid.Token], paid.Amount)
	hold := ledger.HoldOf(w.ID)
	var transfers []ledger.Transfer
	if held > 0 {
		transfers = append(transfers, ledger.Transfer{Debit: ledger.PlayerOf(w.Wallet), Credit: hold, Token: paid.Token, Amount: held})
	}
	lacking := paid.Amount - held
	if lacking == 0 {
		return withdrawalChange(w, ledger.Withdraw, transfers, v.Balances[paid.Token]-held), nil
	}
	transfers = append(transfers, ledger.Transfer{Debit: ledger.System(ledger.Owed), Credit: hold, Token: paid.Token, Amount: lacking})
	change := withdrawalChange(w, ledger.Withdraw, transfers, v.Balances[paid.Token]-held)
	debt, fits := v.Player.Protection.Owes(paid.Token).Add(lacking)
	if !fits {
		return Change{}, fault.New(fault.AmountOutOfRange, "the player would owe more than the largest possible amount")
	}
	change.Player = v.owing(paid.Token, debt)
	return change, nil
}

// owing is the player's row with what is owed in a token.
func (v View) owing(token money.Token, debt money.Amount) *Player {
	row := v.Player
	row.Protection = row.Protection.WithDebt(token, debt)
	return &row
}

// repay takes what the player owes in a token from the balance, before a withdrawal of
// it. It returns the balance after it, and nil where nothing is owed.
func (v View) repay(withdrawalID string, token money.Token) (balance money.Amount, paid *ledger.Posting, err error) {
	balance = v.Balances[token]
	debt := v.Player.Protection.Owes(token)
	if debt == 0 {
		return balance, nil, nil
	}
	after, ok := balance.Sub(debt)
	if !ok {
		return balance, nil, fault.New(fault.InsufficientFunds,
			"the account owes %d base units, and the balance of %d doesn't cover that", debt, balance).With("owed", int64(debt))
	}
	return after, &ledger.Posting{
		Key: ledger.Key{Kind: ledger.Repayment, ID: withdrawalID},
		Transfers: []ledger.Transfer{{
			Debit: ledger.PlayerOf(v.Player.Wallet), Credit: ledger.System(ledger.Owed), Token: token, Amount: debt,
		}},
	}, nil
}

// owesNothing returns a fault of kind InvalidState while the player owes something in the
// token: nothing of it is paid out then.
func (v View) owesNothing(token money.Token) error {
	if debt := v.Player.Protection.Owes(token); debt > 0 {
		return fault.New(fault.InvalidState, "the player owes %d base units of this token", debt).
			With("status", OwingStatus).With("owed", int64(debt))
	}
	return nil
}

// OwingStatus is the status in the refusal to pay out to a player who owes something.
const OwingStatus = "owing"
