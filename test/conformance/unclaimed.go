package conformance

import (
	"testing"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Unclaimed is the suite of ports.Unclaimed.
func Unclaimed(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, unclaimedCases)
}

var unclaimedCases = []story{
	{"unclaimed balances above zero are listed by wallet and token, of one or all", Rows, func(b *bench) {
		move := func(w wallet.Address, id string, mint money.Token, amount money.Amount) {
			b.commit(b.transfer(w, ledger.Key{Kind: ledger.Deposit, Scope: string(mint), ID: id}, ledger.Transfer{
				Debit: ledger.System(ledger.Chain), Credit: ledger.UnclaimedOf(w), Token: mint, Amount: amount,
			}))
		}
		dave := fakes.Wallet("dave")
		b.signIn(alice, 0)
		b.commit(b.credit(alice, "hers", money.SOL, 9))
		move(bob, "1", money.SOL, 5)
		move(bob, "2", usd, 3)
		move(bob, "3", usd, 4)
		move(carol, "4", money.SOL, 2)
		move(dave, "5", money.SOL, 1)
		b.signIn(dave, 0)
		amounts := map[string]money.Amount{}
		line := func(w wallet.Address, token money.Token, amount money.Amount) string {
			id := string(w) + " " + string(token)
			amounts[id] = amount
			return id
		}
		bobs, usds := line(bob, money.SOL, 5), line(bob, usd, 7)
		all := []string{bobs, usds, line(carol, money.SOL, 2)}
		list := func(f ports.UnclaimedFilter) pageOf {
			return func(page ports.Page) ([]string, ports.PageInfo, error) {
				found, err := b.UnclaimedBalances(background, f, page)
				ids := []string{}
				for _, u := range found.Balances {
					id := string(u.Wallet) + " " + string(u.Token)
					b.same("the amount of "+id, u.Amount, amounts[id])
					ids = append(ids, id)
				}
				return ids, found.PageInfo, err
			}
		}
		b.lists("unclaimed balances", newest(all), list(ports.UnclaimedFilter{}))
		b.lists("of one wallet", newest([]string{bobs, usds}), list(ports.UnclaimedFilter{Wallet: bob}))
		b.lists("of one token", []string{usds}, list(ports.UnclaimedFilter{Token: usd}))
		b.lists("of a player", nil, list(ports.UnclaimedFilter{Wallet: dave}))
	}},
}
