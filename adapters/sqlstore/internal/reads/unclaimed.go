package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/ports"
)

var _ ports.Unclaimed = (*Reads)(nil)

// unclaimed are the balances that the list shows, with their cursors.
const unclaimed = `(SELECT o.wallet, b.token, b.amount, o.wallet || ' ' || b.token AS place
	FROM balances AS b JOIN players AS o ON o.key = b.wallet WHERE b.kind = 'unclaimed' AND b.amount > 0) AS u`

// UnclaimedBalances serves ports.Unclaimed. It costs what is unclaimed in all, and each of
// those is a deposit.
func (r *Reads) UnclaimedBalances(ctx context.Context, filter ports.UnclaimedFilter, page ports.Page) (ports.UnclaimedPage, error) {
	l := list{columns: "u.wallet, u.token, u.amount", from: unclaimed, id: "u.place"}
	l.equals("u.wallet", string(filter.Wallet))
	l.equals("u.token", string(filter.Token))
	found, info, err := listed(ctx, r, "list unclaimed balances", page, func(row db.Row) (b ports.UnclaimedBalance, err error) {
		err = row.Scan(&b.Wallet, &b.Token, &b.Amount)
		return b, err
	}, func(b *ports.UnclaimedBalance) string { return string(b.Wallet) + " " + string(b.Token) }, l)
	return ports.UnclaimedPage{Balances: found, PageInfo: info}, err
}
