package token

import (
	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/seal"
)

// TermsPurpose is the purpose of the seals that terms carry.
const TermsPurpose = "token terms"

// Sealed is the message of the seal of the terms: all that is stored of them.
func (t Terms) Sealed() []byte {
	return canonical.Message("casino token terms 1", func(e *canonical.Encoder) {
		e.Text(string(t.Mint))
		e.Text(t.Symbol)
		e.Integer(int64(t.Decimals))
		e.Text(string(t.Program))
		for _, amount := range [...]int64{
			int64(t.MinDeposit), int64(t.MinWager), int64(t.MaxWager), int64(t.MaxPayout), int64(t.MinWithdrawal), int64(t.MaxWithdrawal),
			int64(t.TwoPersonAbove), int64(t.TwoPersonAbovePerDay), int64(t.PayoutCap), int64(t.PayoutCapPerHour), int64(t.NewAccountFee),
			int64(t.BankrollShare.Num), int64(t.BankrollShare.Den),
		} {
			e.Integer(amount)
		}
	})
}

// Seal returns the terms with their seals, for a store to keep.
func Seal(all []Terms, seals seal.Authenticator) ([]Terms, error) {
	sealed := make([]Terms, len(all))
	for i, t := range all {
		var err error
		if t.Seal, err = seal.Or(seals).Seal(TermsPurpose, t.Sealed()); err != nil {
			return nil, err
		}
		sealed[i] = t
	}
	return sealed, nil
}

// Proved reports whether the terms are as they were configured: those that are, are by
// whoever runs the service now, and the others by their seal.
func (t Terms) Proved(seals seal.Authenticator) bool {
	return !t.Closing || seal.Or(seals).Verify(TermsPurpose, t.Sealed(), t.Seal) == nil
}
