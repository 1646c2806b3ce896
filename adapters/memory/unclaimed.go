package memory

import (
	"context"

	"github.com/casino-service/casino/ports"
)

var _ ports.Unclaimed = (*Store)(nil)

// UnclaimedBalances serves ports.Unclaimed.
func (s *Store) UnclaimedBalances(_ context.Context, f ports.UnclaimedFilter, page ports.Page) (ports.UnclaimedPage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	place := func(b ports.UnclaimedBalance) string { return string(b.Wallet) + " " + string(b.Token) }
	var all []ports.UnclaimedBalance
	for w, v := range s.wallets {
		for token, amount := range v.Unclaimed {
			if amount > 0 {
				all = inserted(all, ports.UnclaimedBalance{Wallet: w, TokenBalance: ports.TokenBalance{Token: token, Amount: amount}}, place)
			}
		}
	}
	found, info, err := listed(all, place, func(b ports.UnclaimedBalance) bool {
		return wants(f.Wallet, b.Wallet) && wants(f.Token, b.Token)
	}, page)
	return ports.UnclaimedPage{Balances: found, PageInfo: info}, err
}
