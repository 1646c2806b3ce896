package conformance

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// PastBalances is the suite of ports.PastBalances.
func PastBalances(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, pastBalancesCases)
}

var pastBalancesCases = []story{
	{"a balance at a moment is the one after the last booking by then, whatever booked it", Rows, func(b *bench) { b.replays(300) }},
	{"nothing was booked before the first booking, and a stranger has nothing", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		blocks := b.chained()
		b.same("before", must(b.BalancesAt(background, alice, blocks[0].At.Add(-time.Hour)))(b), []ports.TokenBalance{})
		b.same("a stranger", must(b.BalancesAt(background, carol, b.now()))(b), []ports.TokenBalance{})
	}},
	{"what was booked after a moment is left out, however much it is, also while the clock was set back", Rows, func(b *bench) {
		b.signIn(alice, 100_000)
		b.commit(b.adjust(alice, 7))
		then := b.clock.Now()
		for range 200 {
			b.commit(b.adjust(alice, 1))
		}
		for range 80 {
			b.commit(b.play(alice, 3))
		}
		b.clock.Set(b.clock.Now().Add(-20 * time.Second))
		for range 10 {
			b.commit(b.play(alice, 5))
			b.commit(b.adjust(alice, 2))
		}
		blocks := b.inOrder(b.chained())
		b.samePast(blocks, alice, then)
		for i := 0; i < len(blocks); i += 7 {
			b.samePast(blocks, alice, blocks[i].At)
		}
	}},
	{"what an agent's site booked is no balance here", Rows, func(b *bench) {
		b.prepaidAgent("acme", 1_000, 0)
		b.member(carol, "acme")
		b.commit(b.adjust(carol, 40))
		delivery := b.bet(carol, "acme", "s1", "30")
		b.commit(b.responded(delivery, seamless.SiteAccepted))
		blocks := b.inOrder(b.chained())
		b.samePast(blocks, carol, b.now())
	}},
	{"what is booked at the same time comes in the order of the ledger", Races, func(b *bench) {
		b.signIn(alice, 100_000)
		for range 3 {
			var items []player.Item
			for i := range 12 {
				item := b.play(alice, money.Amount(i+1))
				if i%4 == 1 {
					item = b.adjust(alice, int64(i))
				}
				items = append(items, item)
			}
			first := b.does(bob, player.Needs{}, func(player.View) player.Change { return player.Change{} })
			b.behindOne(first, items, func(i int, err error) { b.errorIf(err != nil, "item %d: %v", i, err) })
		}
		blocks := b.inOrder(b.chained())
		for _, block := range blocks {
			b.samePast(blocks, alice, block.At)
			b.samePast(blocks, alice, block.At.Add(-time.Microsecond)) // a block's moment is that of its last item
		}
		b.sound()
	}},
	{"liabilities at a moment are those of the newest snapshot that was stated by then", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.fails(fault.NotFound, errorOf(b.LiabilitiesAt(background, b.now())))
		var stated []ports.Liabilities
		for i := range 3 {
			if i > 0 {
				b.commit(b.credit(alice, fmt.Sprint("t", i), usd, 700))
				b.commit(b.withdraw(alice, 1_000))
			}
			b.clock.Advance(time.Hour)
			s, debts := b.snapshotNow()
			at := must(checkpoint.Parse(s.Signed.Text))(b).At
			want := ports.Liabilities{At: at}
			for _, l := range s.Ledgers {
				want.Tokens = append(want.Tokens, ports.TokenLiabilities{Token: l.Token, Sum: l.Root().Sum, Held: debts[l.Token][alice].Held})
			}
			stated = append(stated, want)
		}
		b.reopen()
		for i, want := range stated {
			for _, at := range []time.Time{want.At, want.At.Add(time.Minute)} {
				b.same(fmt.Sprint("snapshot ", i), must(b.LiabilitiesAt(background, at))(b), want)
			}
		}
		b.fails(fault.NotFound, errorOf(b.LiabilitiesAt(background, stated[0].At.Add(-time.Millisecond))), "before the first")
	}},
}

// PastBalancesAtRandom compares balances of pairs of a wallet and a moment, at random, with a
// replay of the ledger.
func PastBalancesAtRandom(t *testing.T, newStore func(t *testing.T) Store, pairs int) {
	newBench(t, newStore(t)).replays(pairs)
}

// replays books at random, and compares what balances were at random moments and around each
// block with a replay of the ledger.
func (b *bench) replays(pairs int) {
	b.Helper()
	b.guest(alice, 50_000)
	b.guest(bob, 20_000)
	first := b.clock.Now()
	const seed = 7
	b.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // repeatable
	for i := range 120 {
		w := []wallet.Address{alice, bob}[random.IntN(2)]
		b.books(random, w, i)
		if random.IntN(4) == 0 {
			b.clock.Advance(time.Duration(random.IntN(90)) * time.Second)
		}
	}
	b.reopen()
	blocks := b.inOrder(b.chained())
	span := b.clock.Now().Sub(first)
	for range pairs {
		w := []wallet.Address{alice, bob, carol}[random.IntN(3)]
		b.samePast(blocks, w, first.Add(time.Duration(random.Int64N(int64(span)))).Truncate(time.Microsecond))
	}
	for _, block := range blocks {
		for _, off := range []time.Duration{-time.Microsecond, 0} {
			b.samePast(blocks, alice, block.At.Add(off))
		}
	}
	b.sound()
}

// books commits one of the things that move a balance, of every way in which one is kept.
func (b *bench) books(random *rand.Rand, w wallet.Address, i int) {
	b.Helper()
	switch random.IntN(9) {
	case 0:
		b.commit(b.credit(w, fmt.Sprint("tx", i), []money.Token{money.SOL, usd}[random.IntN(2)], 900))
	case 1:
		held := b.commit(b.withdraw(w, 50)).Change.Withdrawal
		if random.IntN(2) == 0 || must(b.OpenWithdrawals(background, w))(b)[0].ID != held.ID {
			b.commit(b.cancel(*held))
		} else {
			b.cancelAll(w)
		}
	case 2:
		b.commit(b.adjust(w, int64(random.IntN(200))-99))
	case 3:
		for _, open := range must(b.OpenRoundsOf(background, w))(b) {
			b.commit(b.steps(open, fakes.CashOut))
		}
		b.opened(w, 30)
	case 4:
		b.asked(w, fmt.Sprint("d", i), seamless.DebitCredit, "0.5", seamless.Decimal(fmt.Sprint("0.", random.IntN(9))))
		b.asked(w, fmt.Sprint("r", i), seamless.Debit, "900", "") // refused
	case 5:
		b.asked(w, fmt.Sprint("c", i), seamless.Credit, "", "0.25")
	case 6:
		if must(b.Balances(background, w))(b)[0].Token == usd || len(must(b.Balances(background, w))(b)) > 1 {
			b.commit(b.playIn(w, usd, 1, game.Coinflip()))
		}
	default:
		b.commit(b.playIn(w, money.SOL, money.Amount(random.IntN(40)+1), []game.Game{b.dice, game.Coinflip()}[random.IntN(2)]))
	}
}

// inOrder sorts blocks as the ledger has them.
func (b *bench) inOrder(blocks []ports.Block) []ports.Block {
	blocks = slices.Clone(blocks)
	slices.SortStableFunc(blocks, func(x, y ports.Block) int { return cmp.Compare(x.Number, y.Number) })
	return blocks
}

// samePast compares a wallet's balances at a moment with a replay of the ledger.
func (b *bench) samePast(blocks []ports.Block, w wallet.Address, at time.Time) {
	b.Helper()
	running, then := map[money.Token]money.Amount{}, map[money.Token]money.Amount{}
	own := ledger.PlayerOf(w)
	for _, block := range blocks {
		for _, p := range block.Postings {
			for _, t := range p.Transfers {
				switch own {
				case t.Debit:
					running[t.Token] -= t.Amount
				case t.Credit:
					running[t.Token] += t.Amount
				default:
					continue
				}
				if !block.At.After(at) {
					then[t.Token] = running[t.Token]
				}
			}
		}
	}
	want := []ports.TokenBalance{}
	for token, amount := range then {
		want = append(want, ports.TokenBalance{Token: token, Amount: amount})
	}
	slices.SortFunc(want, func(x, y ports.TokenBalance) int { return cmp.Compare(x.Token, y.Token) })
	got, err := b.BalancesAt(background, w, at)
	b.fatalIf(err != nil, "%v", err)
	b.same(fmt.Sprintf("the balances of %s at %s", w, at.Format(time.RFC3339Nano)), got, want)
}

// DebtReader is the suite of ports.DebtReader.
func DebtReader(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, debtReaderCases)
}

var debtReaderCases = []story{
	{"what is owed is what the blocks up to the heads book", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.signIn(bob, 5_000)
		b.commit(b.credit(bob, "t1", usd, 77))
		b.commit(b.withdraw(alice, 400))
		b.commit(b.withdraw(alice, 500))
		b.opened(bob, 300)
		b.commit(b.transfer(carol, ledger.Key{Kind: ledger.Deposit, Scope: string(money.SOL), ID: "tx"}, ledger.Transfer{
			Debit: ledger.System(ledger.Chain), Credit: ledger.UnclaimedOf(carol), Token: money.SOL, Amount: 600,
		}))
		b.reopen()
		debts, heads, err := b.Debts(background)
		b.ok(err)
		b.same("the heads", heads, must(b.Heads(background))(b))
		b.same("what is owed", debts, solvency.Debts{
			money.SOL: {alice: {Available: 9_100, Held: 900}, bob: {Available: 4_700, Staked: 300}, carol: {Unclaimed: 600}},
			usd:       {bob: {Available: 77}},
		})
	}},
	{"debts and heads are of one moment", Races, func(b *bench) {
		b.signIn(alice, 100_000)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 40 {
				b.commit(b.play(alice, 5))
			}
		}()
		type seen struct {
			heads []hashchain.Head
			owed  money.Amount
		}
		var all []seen
		for playing := true; playing; {
			debts, heads, err := b.Debts(background)
			b.check(err)
			all = append(all, seen{heads, debts[money.SOL][alice].Available})
			select {
			case <-done:
				playing = false
			default:
			}
		}
		blocks := b.chained()
		for _, s := range all {
			var sum money.Amount
			for _, block := range blocks {
				if slices.ContainsFunc(s.heads, func(h hashchain.Head) bool { return h.Lane == block.Lane && h.Seq >= block.Seq }) {
					for _, p := range block.Postings {
						for _, t := range p.Transfers {
							switch ledger.PlayerOf(alice) {
							case t.Debit:
								sum -= t.Amount
							case t.Credit:
								sum += t.Amount
							}
						}
					}
				}
			}
			b.errorIf(sum != s.owed, "%d is owed at heads that book %d", s.owed, sum)
		}
	}},
	{"the blocks between two moments book what is owed at the second one and wasn't at the first", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		early := must(b.Heads(background))(b)
		b.commit(b.play(alice, 30))
		b.commit(b.withdraw(alice, 400))
		b.reopen()
		_, late, err := b.Debts(background)
		b.ok(err)
		want, sealed := []hashchain.Head{}, []hashchain.Head{}
		b.ok(b.BlocksAfter(background, early, late, func(block ports.Block) error { want = append(want, block.Head); return nil }))
		b.ok(b.SealedBlocks(background, early, late, func(block ports.Block) error { sealed = append(sealed, block.Head); return nil }))
		b.same("blocks", sealed, want)
		debts, heads, err := b.Debts(background)
		b.ok(err)
		all := solvency.BookedAfter(nil)
		b.ok(b.SealedBlocks(background, nil, heads, func(block ports.Block) error { return all.Add(block.Head, block.Content) }))
		b.ok(all.Check(debts, heads, nil, time.Time{}, checkpoint.Statement{}))
	}},
}

// Solvency is the suite of ports.Solvency.
func Solvency(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, solvencyCases)
}

var solvencyCases = []story{
	{"a snapshot is stored as it was made, with its record and its events in a block", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.commit(b.credit(alice, "t1", usd, money.Max-20_000))
		s, _ := b.snapshotNow()
		b.reopen()
		kept := must(b.Snapshots(background, 9))(b)
		want := s
		want.Ledgers = nil
		b.same("kept", kept, []ports.SolvencySnapshot{want})
		for _, l := range s.Ledgers {
			for i, chunk := range l.Chunks {
				for _, leaf := range chunk {
					found := must(b.SolvencyChunk(background, s.Hour, l.Token, leaf.Owner))(b)
					b.same("a chunk", found, ports.SolvencyChunk{Roots: l.Roots, Index: i, Chunk: chunk})
				}
			}
		}
		b.errorIf(len(b.recordsOf(audit.SolvencyStated)) != 1, "no record")
		var made int
		for _, block := range b.chained() {
			for _, e := range block.Events {
				if e.Kind == event.Solvency {
					made++
				}
			}
		}
		b.same("events", made, 2)
		b.sound()
	}},
	{"an owner is found in the chunk that may have its leaf, and in none before the first", Rows, func(b *bench) {
		debts := map[wallet.Address]solvency.Owed{}
		for i := range 3*solvency.ChunkSize/2 + 1 {
			debts[fakes.Wallet(fmt.Sprint("player", i))] = solvency.Owed{Available: money.Amount(i + 1), Held: money.Amount(i % 3)}
		}
		s := b.snapshotOf(solvency.Debts{money.SOL: debts}, nil)
		b.ok(b.addSnapshot(s, s.Hour))
		b.reopen()
		l := ledgerOf(s, money.SOL)
		for w, owed := range debts {
			owner := solvency.Owner(w, solvency.Salt(s.Key, w, s.Hour))
			c := must(b.SolvencyChunk(background, s.Hour, money.SOL, owner))(b)
			p, found := solvency.Prove(money.SOL, c.Roots, c.Index, c.Chunk, owner)
			b.fatalIf(!found || p.Owed != owed, "%s: %v, %+v", w, found, p)
		}
		b.fails(fault.NotFound, errorOf(b.SolvencyChunk(background, s.Hour, money.SOL, solvency.Hash{})), "before the first")
		b.fails(fault.NotFound, errorOf(b.SolvencyChunk(background, s.Hour, usd, l.Chunks[0][0].Owner)), "another token")
		b.fails(fault.NotFound, errorOf(b.SolvencyChunk(background, s.Hour.Add(time.Hour), money.SOL, l.Chunks[0][0].Owner)), "another hour")
	}},
	{"an hour has one snapshot, and none follows that is older", Races, func(b *bench) {
		b.signIn(alice, 10_000)
		debts, heads, err := b.Debts(background)
		b.ok(err)
		all := make([]ports.SolvencySnapshot, 6)
		for i := range all {
			all[i] = b.snapshotOf(debts, heads)
		}
		results := make([]error, len(all))
		atOnce(len(all), func(i int) { results[i] = b.addSnapshot(all[i], all[i].Hour) })
		stored := 0
		for _, err := range results {
			if err == nil {
				stored++
			} else {
				b.fails(fault.InvalidState, err)
			}
		}
		b.errorIf(stored != 1 || len(b.recordsOf(audit.SolvencyStated)) != 1, "%d were stored", stored)
		older := all[0]
		older.Hour = older.Hour.Add(-time.Hour)
		b.fails(fault.InvalidState, b.addSnapshot(older, older.Hour), "an older one")
		b.errorIf(len(must(b.Snapshots(background, 9))(b)) != 1, "more than one is kept")
	}},
	{"old snapshots are forgotten, the newest are listed first", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		var all []ports.SolvencySnapshot
		for range 4 {
			b.clock.Advance(time.Hour)
			debts, heads, err := b.Debts(background)
			b.ok(err)
			s := b.snapshotOf(debts, heads)
			b.ok(b.addSnapshot(s, s.Hour.Add(-2*time.Hour)))
			all = append(all, s)
		}
		hours := func(some []ports.SolvencySnapshot) []string {
			return mapped(some, func(s ports.SolvencySnapshot) string { return s.Hour.String() })
		}
		b.same("kept", hours(must(b.Snapshots(background, 9))(b)), hours([]ports.SolvencySnapshot{all[3], all[2], all[1]}))
		b.same("the newest", hours(must(b.Snapshots(background, 1))(b)), hours(all[3:]))
		owner := func(s ports.SolvencySnapshot) solvency.Hash { return ledgerOf(s, money.SOL).Chunks[0][0].Owner }
		b.fails(fault.NotFound, errorOf(b.SolvencyChunk(background, all[0].Hour, money.SOL, owner(all[0]))), "a forgotten one")
		_ = must(b.SolvencyChunk(background, all[1].Hour, money.SOL, owner(all[1])))(b)
	}},
	{"while the control state is restored no snapshot is stored", Logic, func(b *bench) {
		b.signIn(alice, 10_000)
		s := b.snapshotOf(solvency.Debts{}, nil)
		b.controls(b.went())
		b.fails(fault.Maintenance, b.addSnapshot(s, s.Hour))
		b.same("kept", must(b.Snapshots(background, 9))(b), []ports.SolvencySnapshot{})
	}},
}

// ledgerOf is a token's ledger of a snapshot.
func ledgerOf(s ports.SolvencySnapshot, token money.Token) solvency.Ledger {
	return s.Ledgers[slices.IndexFunc(s.Ledgers, func(l solvency.Ledger) bool { return l.Token == token })]
}

// snapshotOf makes a snapshot of the present hour.
func (b *bench) snapshotOf(debts solvency.Debts, heads []hashchain.Head) ports.SolvencySnapshot {
	b.Helper()
	at := b.now()
	hour, salts := at.Truncate(time.Hour), b.entropy.Seed()
	s := ports.SolvencySnapshot{Hour: hour, Key: salts[:]}
	var stated []solvency.Stated
	for _, token := range []money.Token{money.SOL, usd} { // one in which nothing is owed too
		l := must(solvency.NewLedger(token, s.Key, hour, debts[token]))(b)
		s.Ledgers = append(s.Ledgers, l)
		stated = append(stated, solvency.Stated{Token: token, Root: l.Root(), Leaves: l.Size(), Treasury: "address"})
	}
	slices.SortFunc(s.Ledgers, func(x, y solvency.Ledger) int { return cmp.Compare(x.Token, y.Token) })
	of := checkpoint.Statement{Purpose: solvency.Purpose, Ledger: "ledger", Epoch: 1, At: at.Truncate(time.Millisecond), Heads: heads, Facts: solvency.Facts(stated)}
	s.Signed = checkpoint.Signed{Text: must(of.Text())(b), Key: "k1", Signature: []byte{1, 0, 255}}
	return s
}

func (b *bench) addSnapshot(s ports.SolvencySnapshot, keepFrom time.Time) error {
	b.Helper()
	of := must(checkpoint.Parse(s.Signed.Text))(b)
	var made []event.Event
	for _, l := range s.Ledgers {
		made = append(made, l.Event(of.At, of.Heads))
	}
	return b.AddSnapshot(background, s, keepFrom, audit.Record{ID: b.id(), Action: audit.SolvencyStated, Target: "hour", At: b.now()}, made)
}

// snapshotNow stores a snapshot of what is owed.
func (b *bench) snapshotNow() (ports.SolvencySnapshot, solvency.Debts) {
	b.Helper()
	debts, heads, err := b.Debts(background)
	b.ok(err)
	s := b.snapshotOf(debts, heads)
	b.ok(b.addSnapshot(s, s.Hour))
	return s, debts
}
