package app

import (
	"context"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// BookCapital books what the operator put into the treasury under a reference
// that is used once: the transaction's signature. It reports false when the
// reference was booked before, as capital or as somebody's deposit.
func (c *Casino) BookCapital(ctx context.Context, token money.Token, amount money.Amount, reference string) (booked bool, err error) {
	topUp := player.TopUp{Token: token, Amount: amount, Reference: reference, AuditID: c.Entropy.ID(), At: c.now()}
	receipt, err := c.Store.Commit(ctx, player.Item{
		Claims: creditClaims(deposit.Ref{Signature: reference, Token: token}),
		At:     topUp.At,
		Decide: func(player.View) (player.Change, error) { return player.BooksCapital(topUp) },
	})
	return err == nil && !receipt.Replayed, err
}
