package ledger

import "github.com/casino-service/casino/domain/money"

// Unbalance sets one account's balance without its counter-account, which no posting can
// do.
func (b *Book) Unbalance(a Account, token money.Token, total money.Total) {
	b.balances[holding{a, token}] = total
}
