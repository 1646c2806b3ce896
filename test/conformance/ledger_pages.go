package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// LedgerPages is the suite of ports.LedgerPages.
func LedgerPages(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, ledgerPagesCases)
}

var ledgerPagesCases = []story{
	{"each row is in one page of its part, in order of keys", Rows, func(b *bench) {
		b.everyThing()
		b.severalOfEach()
		for _, limit := range []int{1, 2, 3, 1000} {
			things, balances := map[event.Kind]map[string]string{}, map[ledger.Account]ledger.Balance{}
			for _, part := range ports.LedgerParts() {
				last := ""
				for _, page := range b.pages(part, limit) {
					b.errorIf(len(page.Rows) > limit && manyRows[part],
						"%s, %d at a time: a page has %d rows", part, limit, len(page.Rows))
					for _, row := range page.Rows {
						b.errorIf(page.More && row.Key > page.Last || row.Key <= last && last != "",
							"%s, %d at a time: %q lies outside of its page, %q … %q", part, limit, row.Key, last, page.Last)
						for _, thing := range row.Things {
							of, key := ports.PartOfThing(thing.Kind, thing.ID)
							b.errorIf(of != part || key != row.Key || things[thing.Kind][thing.ID] != "",
								"%s %s is in part %s under %q, or twice", thing.Kind, thing.ID, part, row.Key)
							if things[thing.Kind] == nil {
								things[thing.Kind] = map[string]string{}
							}
							things[thing.Kind][thing.ID] = thing.Digest()
						}
						if part == ports.LedgerBalances || part == ports.LedgerHolds {
							if of, key := ports.PartOfBalance(row.Balance.Account, row.Balance.Token); of != part || key != row.Key {
								b.Errorf("%v is in part %s under %q", row.Balance.Account, part, row.Key)
							}
							balances[row.Balance.Account] = row.Balance
						}
						b.errorIf(part == ports.LedgerPlayerDays && row.Key != ports.KeyOfPlayerDay(row.Played.PlayerKey),
							"%+v is under %q", row.Played.PlayerKey, row.Key)
						b.errorIf(part == ports.LedgerFigures && row.Key != ports.KeyOfFigure(row.Figure.Key),
							"%+v is under %q", row.Figure.Key, row.Key)
					}
					last = page.Last
				}
			}
			b.sameAsWalked(things, balances)
		}
	}},
	{"a page holds what blocks up to its heads add up to, while others write", Races, func(b *bench) {
		b.busy(40, func() {
			for _, page := range b.pages(ports.LedgerBalances, 2) {
				book, _ := b.upTo(page.Heads)
				for _, row := range page.Rows {
					b.same(fmt.Sprint(row.Balance.Account, " holds"), book.Balance(row.Balance.Account, row.Balance.Token), row.Balance.Amount)
				}
			}
			for _, page := range b.pages(ports.LedgerPairs, 2) {
				_, rounds := b.upTo(page.Heads)
				for _, row := range page.Rows {
					b.same("the next nonce of pair "+row.Key, row.Next, rounds[row.Key])
				}
			}
		})
	}},
	{"sums come with the heads of their moment, and what open rounds may cost with what they come to, while others write", Races, func(b *bench) {
		b.signIn(admin, 100)
		cost := money.TotalOf(b.opened(admin, 100).Exposure)
		left := []ports.ExposureLine{{Token: money.SOL, Kept: cost, Open: cost}}
		b.busy(40, func() {
			sums := must(b.LedgerSums(background))(b)
			book, _ := b.upTo(sums.Heads)
			totals := book.Totals()
			for _, total := range sums.Totals {
				b.same(fmt.Sprint("the total of ", total.Account, " is"), totals[total.Account][total.Token], total.Amount)
			}
			for _, cost := range sums.Exposures {
				b.errorIf(cost.Kept != cost.Open || cost.Open.Cmp(left[0].Open) < 0, "open rounds may cost %+v", cost)
			}
		})
		b.same("what open rounds may cost", must(b.LedgerSums(background))(b).Exposures, left)
	}},
	{"an audit finds nothing, while others write", Races, func(b *bench) {
		games, err := fakes.LadderGames()
		b.ok(err)
		b.busy(60, func() {
			for _, store := range []audit.AuditStore{b.Ports, fewAtATime{b.Ports}} {
				report, err := audit.NewAuditor(store, games, nil).Run(background)
				b.ok(err)
				b.same("findings", report.Err(), nil)
			}
		})
	}},
	{"blocks after some heads come up to others", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		b.grant(admin, "support")
		early := must(b.Heads(background))(b)
		for range 5 {
			b.commit(b.play(alice, 1))
			b.grant(admin, "finance")
		}
		late := must(b.Heads(background))(b)
		b.commit(b.play(alice, 1))
		number := func(heads []hashchain.Head, lane int) int64 {
			at := slices.IndexFunc(heads, func(h hashchain.Head) bool { return h.Lane == lane })
			if at < 0 {
				return 0
			}
			return heads[at].Seq
		}
		var want, got []ports.Block
		for _, block := range b.chained() {
			if block.Seq > number(early, block.Lane) && block.Seq <= number(late, block.Lane) {
				want = append(want, block)
			}
		}
		slices.SortStableFunc(want, func(x, y ports.Block) int { return cmp.Compare(x.Lane, y.Lane) })
		b.ok(b.BlocksAfter(background, early, late, func(block ports.Block) error { got = append(got, block); return nil }))
		b.same("blocks", got, want)
	}},
	{"blocks tell the seeds of their rounds that are revealed, or leave them to Seeds", Rows, func(b *bench) {
		for _, who := range []wallet.Address{alice, bob} {
			b.signIn(who, 1000)
			b.commit(b.play(who, 1))
			b.commit(b.play(who, 1))
		}
		b.commit(b.rotate(alice, "mine"))
		b.commit(b.play(alice, 1))
		played, revealed := 0, 0
		if err := b.BlocksAfter(background, nil, must(b.Heads(background))(b), func(block ports.Block) error {
			for _, r := range block.Rounds {
				want, err := b.RevealedPair(background, r.PairID)
				if err != nil && !fault.Is(err, fault.NotFound) {
					return err
				}
				if seed := block.Revealed[r.PairID]; block.Revealed != nil && seed != want.ServerSeed {
					b.Errorf("the seed of pair %s is given as %q, and is %q", r.PairID, seed, want.ServerSeed)
				}
				if played++; want.ServerSeed != "" {
					revealed++
				}
			}
			return nil
		}); err != nil || played != 5 || revealed != 2 {
			b.Errorf("%d rounds, %d of revealed pairs: %v", played, revealed, err)
		}
	}},
	{"an error of visit ends the walk and is returned", Logic, func(b *bench) {
		b.everyThing()
		enough, visits := errors.New("enough"), 0
		heads := must(b.Heads(background))(b)
		if err := b.BlocksAfter(background, nil, heads, func(ports.Block) error { visits++; return enough }); !errors.Is(err, enough) || visits != 1 {
			b.Errorf("%d visits, %v", visits, err)
		}
	}},
}

// pages reads a part, with this many rows at a time.
func (b *bench) pages(part ports.LedgerPart, limit int) (pages []ports.LedgerPage) {
	b.Helper()
	for after, more := "", true; more; {
		page := must(b.LedgerPage(background, part, after, limit))(b)
		pages = append(pages, page)
		if after, more = page.Last, page.More; len(pages) > 10_000 {
			b.Fatal("pages never end")
		}
	}
	return pages
}

// manyRows are the parts that grow with time or players, with a separate key for each row.
var manyRows = map[ports.LedgerPart]bool{
	ports.LedgerPlayers: true, ports.LedgerPairs: true, ports.LedgerOpenRounds: true, ports.LedgerLogins: true, ports.LedgerRequests: true,
	ports.LedgerVotes: true, ports.LedgerBalances: true, ports.LedgerHolds: true, ports.LedgerProviderRounds: true, ports.LedgerCrashRounds: true,
}

// severalOfEach makes more of the things that everyThing makes once: votes on the same and on
// other subjects, requests, open rounds.
func (b *bench) severalOfEach() {
	b.Helper()
	var given []player.Vote
	same, coin := b.id(), money.Token(fakes.Wallet("a token")) // without votes before
	for _, of := range []string{same, same, b.id()} {
		for _, by := range []wallet.Address{admin, other} {
			given = append(given, b.votes(player.Vote{
				Of: of, Wallet: alice, Token: coin, Amount: 1, Destination: "there", By: by, At: b.now(),
			}, given))
			b.clock.Advance(time.Second)
		}
	}
	b.ask()
	b.ask()
	b.leased("worker", 1, 0)
	for c := b.shared(25); c.last == nil || c.last.Number < 11; {
		c.plays(int64(len(must(b.CrashRounds(background, c.published.Chain, 0, 100))(b)))+1, crashLife...)
	}
	for range 2 {
		b.commit(b.steps(b.opened(alice, 100, doubles), fakes.Double))
	}
}

// sameAsWalked compares the contents of pages with the results of the other ports.
func (b *bench) sameAsWalked(things map[event.Kind]map[string]string, balances map[ledger.Account]ledger.Balance) {
	b.Helper()
	for _, kind := range event.Kinds() {
		want := map[string]string{}
		b.ok(b.Things(background, kind, func(e event.Event) error { want[e.ID] = e.Digest(); return nil }))
		b.errorIf(len(want)+len(things[kind]) > 0 && !reflect.DeepEqual(things[kind], want),
			"%s: pages have %v, there are %v", kind, things[kind], want)
	}
	want := map[ledger.Account]ledger.Balance{}
	b.ok(b.LiabilityBalances(background, func(held ledger.Balance) error { want[held.Account] = held; return nil }))
	b.same("balances", balances, want)
}

// busy lets several clients change rows, in a number of steps each, and runs prove repeatedly
// until they are done.
func (b *bench) busy(steps int, prove func()) {
	b.Helper()
	var clients sync.WaitGroup
	done := make(chan struct{})
	for _, w := range []wallet.Address{alice, bob, carol} {
		b.signIn(w, 1_000_000)
		b.commit(b.play(w, 1))
		clients.Go(func() {
			for step := range steps {
				switch step % 10 {
				case 3:
					b.commit(b.rotate(w, "mine"))
				case 4:
					b.commit(b.login(w, b.now().UnixMilli()+int64(step)))
				case 5:
					asked := *b.commit(b.withdraw(w, 10)).Change.Withdrawal
					b.commit(b.play(w, 1))
					b.commit(b.cancel(asked))
				case 6:
					b.climbs(w, 10, fakes.CashOut)
				case 7:
					b.commit(b.adjust(w, -1))
				case 8:
					b.commit(b.claim(w, b.id(), usd, deposit.Verdict{Status: deposit.Review}))
				default:
					b.commit(b.play(w, 1))
				}
			}
		})
	}
	go func() {
		clients.Wait()
		close(done)
	}()
	for {
		select {
		case <-done:
			prove()
			return
		default:
			prove()
		}
	}
}

// upTo sums up the blocks up to some heads.
func (b *bench) upTo(heads []hashchain.Head) (book ledger.Book, rounds map[string]int64) {
	b.Helper()
	rounds = map[string]int64{}
	b.ok(b.BlocksAfter(background, nil, heads, func(block ports.Block) error {
		for _, p := range block.Postings {
			if err := book.Add(p); err != nil {
				return err
			}
		}
		for _, r := range block.Rounds {
			if !r.Stepped() {
				rounds[r.PairID]++
			}
		}
		for _, e := range block.Events {
			if pair, _, opened := bet.DrawnFrom(e); opened && e.Kind == event.OpenRound && e.Was == "" {
				rounds[pair]++
			}
		}
		return nil
	}))
	return book, rounds
}

// fewAtATime returns every part in many pages, each from its own snapshot.
type fewAtATime struct{ Ports }

// LedgerPage implements ports.LedgerPages.
func (f fewAtATime) LedgerPage(ctx context.Context, part ports.LedgerPart, after string, _ int) (ports.LedgerPage, error) {
	return f.Ports.LedgerPage(ctx, part, after, 2)
}
