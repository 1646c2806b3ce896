package conformance

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Players is the suite of ports.Players.
func Players(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, playersCases)
}

var playersCases = []story{
	{"a player is returned as made", Rows, func(b *bench) {
		first := b.loginAs(alice, b.now().UnixMilli(), "agent-7")
		b.commit(first)
		b.commit(b.loginAs(alice, b.now().UnixMilli(), "agent-8"))
		b.same("the player", must(b.Player(background, alice))(b),
			player.Player{Wallet: alice, Agent: "agent-7", CreatedAt: first.At})
	}},
	{"a wallet that never signed in is not found", Rows, func(b *bench) {
		key := ledger.Key{Kind: ledger.Deposit, Scope: string(money.SOL), ID: "tx"}
		b.commit(b.transfer(bob, key, ledger.Transfer{
			Debit: ledger.System(ledger.Chain), Credit: ledger.UnclaimedOf(bob), Token: money.SOL, Amount: 5,
		}))
		b.commit(b.claim(carol, "tx 2", money.SOL, deposit.Verdict{Status: deposit.Pending}))
		for _, w := range people {
			b.fails(fault.NotFound, errorOf(b.Player(background, w)), w, " is")
		}
	}},
	{"a sign-out moves the beginning of sessions", Logic, func(b *bench) {
		b.signIn(alice, 0)
		at := b.now()
		auditID := b.id()
		b.commit(player.Item{
			Wallet: alice, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}},
			Decide: func(v player.View) (player.Change, error) { return player.EndSessions(v, auditID, "req", at) },
		})
		got := must(b.Player(background, alice))(b)
		if !got.SessionsFrom.Equal(at) || got.Agent != player.HouseAgent || !got.CreatedAt.Before(at) {
			b.Errorf("the player is %+v", got)
		}
		b.sound()
	}},
	{"balances are sorted by token and keep zeros", Rows, func(b *bench) {
		b.signIn(alice, 0)
		var want []ports.TokenBalance
		for i, name := range []string{"e", "a", "d", "b", "c"} {
			mint := fakes.Mint(name)
			b.commit(b.credit(alice, name, mint, money.Amount(i+1)))
			want = append(want, ports.TokenBalance{Token: mint, Amount: money.Amount(i + 1)})
		}
		b.commit(b.credit(alice, "sol", money.SOL, 10))
		b.commit(b.adjust(alice, -10))
		want = append(want, ports.TokenBalance{Token: money.SOL})
		slices.SortFunc(want, func(x, y ports.TokenBalance) int { return compareText(string(x.Token), string(y.Token)) })
		b.same("balances", must(b.Balances(background, alice))(b), want)
	}},
	{"an unknown wallet has no balances", Logic, func(b *bench) {
		b.signIn(alice, 100)
		b.commit(b.login(bob, b.now().UnixMilli()))
		for _, w := range people[1:] {
			b.same(fmt.Sprint(w, " has"), len(must(b.Balances(background, w))(b)), 0)
		}
	}},
	{"players are listed by wallet, of one agent or all", Rows, func(b *bench) {
		var all, acme []string
		for i, name := range []string{"e", "b", "a", "d", "c"} {
			agent := player.HouseAgent
			w := fakes.Wallet(name)
			if i%2 == 0 {
				agent = "acme"
				acme = append(acme, string(w))
			}
			b.commit(b.loginAs(w, b.now().UnixMilli(), agent))
			all = append(all, string(w))
		}
		b.commit(b.claim(carol, "tx", money.SOL, deposit.Verdict{Status: deposit.Pending})) // never signed in
		list := func(f ports.PlayerFilter) pageOf {
			return func(page ports.Page) ([]string, ports.PageInfo, error) {
				found, err := b.PlayerList(background, f, page)
				ids := []string{}
				for _, p := range found.Players {
					b.same("a listed player", p, must(b.Player(background, p.Wallet))(b))
					ids = append(ids, string(p.Wallet))
				}
				return ids, found.PageInfo, err
			}
		}
		b.lists("players", newest(all), list(ports.PlayerFilter{}))
		b.lists("players of one agent", newest(acme), list(ports.PlayerFilter{Agent: "acme"}))
		b.lists("one player", acme[:1], list(ports.PlayerFilter{Wallet: fakes.Wallet("e")}))
		b.lists("a player of another agent", nil, list(ports.PlayerFilter{Wallet: fakes.Wallet("e"), Agent: player.HouseAgent}))
	}},
	{"answers are at least as new as the last receipt", Rows, func(b *bench) {
		b.signIn(alice, 0)
		for range 60 {
			receipt := b.commit(b.adjust(alice, 3))
			b.same("balance", b.balance(alice), receipt.Change.Balance)
		}
	}},
	{"answers are of committed state", Races, func(b *bench) {
		// Moves two tokens in one item: whoever reads one without the other reads half a change.
		b.signIn(alice, 0)
		chain, account := ledger.System(ledger.Chain), ledger.PlayerOf(alice)
		done := make(chan struct{})
		var readers sync.WaitGroup
		readers.Go(func() {
			last := money.Amount(0)
			for {
				balances, err := b.Balances(background, alice)
				if err != nil {
					b.Error(err)
					return
				}
				if n := len(balances); n != 0 && (n != 2 || balances[0].Amount != balances[1].Amount || balances[0].Amount < last) {
					b.Errorf("after %d one reads %+v", last, balances)
					return
				} else if n == 2 {
					last = balances[0].Amount
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
		for range 80 {
			b.commit(b.transfer(alice, ledger.Key{Kind: ledger.Adjust, ID: b.id()},
				ledger.Transfer{Debit: chain, Credit: account, Token: money.SOL, Amount: 7},
				ledger.Transfer{Debit: chain, Credit: account, Token: usd, Amount: 7}))
		}
		close(done)
		readers.Wait()
	}},
}
