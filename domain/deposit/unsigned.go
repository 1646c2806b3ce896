package deposit

import (
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// Unsigned is a transaction that pays a deposit once its player has signed it.
type Unsigned struct {
	// Transaction is as the chain encodes it, with room for the player's signature, which
	// is the only one that it needs.
	Transaction []byte
	// LastValidHeight is the height of the last block in which it can land.
	LastValidHeight uint64
}

// CheckAmount returns a fault that names the field "amount" unless so much of a token
// counts as a deposit.
func CheckAmount(amount money.Amount, terms token.Terms) error {
	if least := max(1, terms.MinDeposit); amount < least {
		return fault.New(fault.AmountOutOfRange, "amount: the smallest deposit of this token is %d base units", least).With("field", "amount")
	}
	return nil
}
