package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/ports"
)

var _ ports.Unclaimed = (*Reads)(nil)

// UnclaimedBalances serves ports.Unclaimed. It costs what is unclaimed in all, and each of
// those is a deposit.
func (r *Reads) UnclaimedBalances(ctx context.Context, filter ports.UnclaimedFilter, page ports.Page) (ports.UnclaimedPage, error) {
	l := listOf(rows.Unclaimed, "u.place")
	l.equals("u.wallet", string(filter.Wallet))
	l.equals("u.token", string(filter.Token))
	found, info, err := listed(ctx, r, "list unclaimed balances", page, rows.Unclaimed,
		func(b *ports.UnclaimedBalance) string { return string(b.Wallet) + " " + string(b.Token) }, l)
	return ports.UnclaimedPage{Balances: found, PageInfo: info}, err
}
