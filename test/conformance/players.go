package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
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
		b.commit(itemOf(alice, at, operation(b.id()), player.Needs{},
			func(v player.View) (player.Change, error) { return player.EndSessions(v, auditID, "req", at) }))
		got := must(b.Player(background, alice))(b)
		b.errorIf(!got.SessionsFrom.Equal(at) || got.Agent != player.HouseAgent || !got.CreatedAt.Before(at),
			"the player is %+v", got)
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
		// Change two tokens in one item: a read of one without the other sees half a change.
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

// Seeds is the suite of ports.Seeds.
func Seeds(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, seedsCases)
}

var seedsCases = []story{
	{"the active pair comes with both commitments and no seed", Rows, func(b *bench) {
		item := b.login(alice, b.now().UnixMilli())
		made := b.commit(item).Change.Pair
		b.commit(b.credit(alice, "tx", money.SOL, 100))
		pair := must(b.ActivePair(background, alice))(b)
		b.errorIf(pair.Seed.Reveal() != "" || pair.Next.Seed.Reveal() != "", "the pair is open")
		want := *made
		want.Seed, want.Next.Seed = fairness.ServerSeed{}, fairness.ServerSeed{}
		b.same("the first pair", pair, want)
		b.commit(b.play(alice, 1))
		want.Nonce++
		b.same("after a round", must(b.ActivePair(background, alice))(b), want)
		rotated := b.commit(b.rotate(alice, " of the player: 100% ")).Change.Pair
		pair = must(b.ActivePair(background, alice))(b)
		if pair.ClientSeed != " of the player: 100% " || pair.ClientSource != fairness.FromPlayer ||
			pair.ID != want.Next.ID || pair.Commitment != want.Next.Commitment || pair.Next.Commitment != rotated.Next.Commitment {
			b.Errorf("after a rotation: %+v", pair)
		}
		server := b.commit(b.rotate(alice, "")).Change.Pair
		if pair = must(b.ActivePair(background, alice))(b); pair.ClientSource != fairness.FromServer || pair.ClientSeed != server.ClientSeed {
			b.Errorf("after a rotation without a seed: %+v", pair)
		}
	}},
	{"a wallet without a pair is not found", Logic, func(b *bench) {
		b.signIn(alice, 0)
		b.fails(fault.NotFound, errorOf(b.ActivePair(background, bob)))
		list := must(b.RevealedPairs(background, bob, whole))(b)
		b.errorIf(len(list.Pairs) != 0 || list.Total != 0, "%+v", list)
	}},
	{"retired pairs are listed newest first", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		b.signIn(bob, 0)
		want := map[string]fairness.Revealed{}
		var ids []string
		for i := range 8 {
			b.commit(b.rotate(bob, "bob's"))
			for range i % 3 {
				b.commit(b.play(alice, 1))
			}
			retired := *b.commit(b.rotate(alice, fmt.Sprint("seed ", i))).Change.Retired
			want[retired.ID] = retired
			ids = append(ids, retired.ID)
		}
		b.lists("retired pairs", newest(ids), func(page ports.Page) ([]string, ports.PageInfo, error) {
			listed, err := b.RevealedPairs(background, alice, page)
			ids := []string{}
			for _, pair := range listed.Pairs {
				b.same("a retired pair", pair, want[pair.ID])
				ids = append(ids, pair.ID)
			}
			return ids, listed.PageInfo, err
		})
	}},
	{"a retired pair is returned by its id and an active one is not found", Rows, func(b *bench) {
		b.signIn(alice, 100)
		first := must(b.ActivePair(background, alice))(b)
		b.commit(b.play(alice, 1))
		for _, id := range []string{first.ID, first.Next.ID, "nobody's", ""} {
			b.fails(fault.NotFound, errorOf(b.RevealedPair(background, id)), "pair ", id)
		}
		retired := *b.commit(b.rotate(alice, "mine")).Change.Retired
		b.same("the retired pair", must(b.RevealedPair(background, first.ID))(b), retired)
		b.fails(fault.NotFound, errorOf(b.RevealedPair(background, first.Next.ID)), "the pair that follows is shown")
	}},
	{"no read shows a seed that still decides rounds", Rows, func(b *bench) {
		// Search for every seed that was drawn and not yet revealed in all results of the ports,
		// and in the readable files of the store.
		b.signIn(alice, 1000)
		b.signIn(bob, 1000)
		revealed := map[string]bool{}
		for range 3 {
			b.commit(b.play(alice, 1))
			b.commit(b.keyed(b.play(bob, 1), b.id(), "print"))
			revealed[b.commit(b.keyed(b.rotate(alice, "mine"), b.id(), "print")).Change.Retired.ServerSeed] = true
		}
		for _, w := range []wallet.Address{alice, bob} {
			pair := must(b.ActivePair(background, w))(b)
			b.errorIf(pair.Seed.Reveal() != "" || pair.Next.Seed.Reveal() != "", "the pair of %s is open", w)
		}
		shown := b.snapshot()
		b.ok(b.Blocks(background, func(block ports.Block) error {
			shown += fmt.Sprintf("%+v %#v\n", block, block)
			return nil
		}))
		var written []byte
		if b.AtRest != nil {
			written = b.AtRest(b.T)
		}
		entropy := fakes.NewEntropy(1) // the draws of the story again
		for range 64 {
			raw := entropy.Seed()
			text := fairness.NewServerSeed(raw).Reveal()
			if revealed[text] {
				b.errorIf(!strings.Contains(shown, text), "the revealed seed %s is shown nowhere", text)
				continue
			}
			b.errorIf(strings.Contains(shown, text) || strings.Contains(shown, string(raw[:])),
				"a seed that still decides rounds is shown")
			b.errorIf(strings.Contains(string(written), text) || strings.Contains(string(written), string(raw[:])),
				"a seed that still decides rounds is written in the open")
		}
	}},
}

// RevealedSeeds is the suite of ports.RevealedSeeds.
func RevealedSeeds(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, revealedSeedsCases)
}

var revealedSeedsCases = []story{
	{"the seeds of retired pairs of several wallets come by their ids", Rows, func(b *bench) {
		b.signIn(alice, 100)
		b.signIn(bob, 100)
		want := map[string]string{}
		for range 3 {
			b.commit(b.play(alice, 1))
			for _, w := range []wallet.Address{alice, bob} {
				retired := b.commit(b.rotate(w, "mine")).Change.Retired
				want[retired.ID] = retired.ServerSeed
			}
		}
		b.same("all", must(b.RevealedSeeds(background, slices.Collect(maps.Keys(want))))(b), want)
		for id, seed := range want {
			b.same("one", must(b.RevealedSeeds(background, []string{id}))(b), map[string]string{id: seed})
		}
	}},
	{"pairs that still decide rounds and ids that no pair has are left out", Rows, func(b *bench) {
		b.signIn(alice, 100)
		retired := b.commit(b.rotate(alice, "mine")).Change.Retired
		active := must(b.ActivePair(background, alice))(b)
		b.same("retired alone", must(b.RevealedSeeds(background, []string{active.ID, active.Next.ID, retired.ID, "nobody's", ""}))(b),
			map[string]string{retired.ID: retired.ServerSeed})
	}},
	{"an id may be given twice, and no ids give an empty answer", Logic, func(b *bench) {
		b.signIn(alice, 100)
		retired := b.commit(b.rotate(alice, "mine")).Change.Retired
		b.same("twice", must(b.RevealedSeeds(background, []string{retired.ID, retired.ID}))(b), map[string]string{retired.ID: retired.ServerSeed})
		b.same("of none", len(must(b.RevealedSeeds(background, nil))(b)), 0)
	}},
	{"a seed is there as soon as its pair was retired", Rows, func(b *bench) {
		b.signIn(alice, 100)
		for range 20 {
			active := must(b.ActivePair(background, alice))(b)
			b.same("of the active pair", len(must(b.RevealedSeeds(background, []string{active.ID}))(b)), 0)
			retired := b.commit(b.rotate(alice, "mine")).Change.Retired
			b.same("at once", must(b.RevealedSeeds(background, []string{active.ID}))(b), map[string]string{active.ID: retired.ServerSeed})
		}
	}},
}
