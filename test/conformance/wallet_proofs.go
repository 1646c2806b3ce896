package conformance

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// WalletProofs is the suite of ports.WalletProofs.
func WalletProofs(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, walletProofsCases)
}

var walletProofsCases = []story{
	{"the proof that was kept last is returned as it was", Rows, func(b *bench) {
		b.same("at first", must(b.WalletProof(background, alice))(b), proof.Proof{})
		b.signIn(alice, 1)
		made := proof.Proof{
			Wallet: alice, At: b.now(), Heads: must(b.Heads(background))(b), Rounds: 3, Seal: "k1:aa",
			Sums:  []proof.Sum{{Token: money.SOL, Player: 1, Owed: 2}, {Token: usd, Unclaimed: money.Max}},
			Holds: []proof.Hold{{Withdrawal: "w-1", Token: usd, Amount: 4}},
		}
		for range 2 {
			b.ok(b.KeepWalletProof(background, made))
			b.same("kept", must(b.WalletProof(background, alice))(b), made)
			made.Rounds, made.Seal, made.Sums, made.Holds = 5, "k2:bb", nil, nil
		}
		b.same("of another", must(b.WalletProof(background, bob))(b), proof.Proof{})
		if b.Durable {
			b.reopen()
			b.same("reopened", must(b.WalletProof(background, alice))(b).Rounds, int64(5))
		}
	}},
	{"a wallet's blocks have everything that moved its money, for any page limit", Rows, func(b *bench) {
		b.lived()
		b.owing(alice)
		for _, limit := range []int{1, 3, everything} {
			b.soundWallets(limit)
		}
	}},
	{"a wallet's blocks have corrections, and capital that was its deposit", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		b.commit(b.correct(*b.commit(b.adjust(alice, 70)).Change.Adjustment))
		b.commit(b.unclaimed(bob, "early", 900))
		b.commit(b.unclaimed(bob, "late", 500))
		sol := []money.Token{money.SOL}
		done := func(change player.Change, err error) player.Change { b.check(err); return change }
		assignment := player.Assignment{Sender: bob, Adjustment: player.Adjustment{
			ID: b.id(), Kind: player.Assigned, Wallet: alice, Token: money.SOL, Amount: 300, Reason: "hers", By: admin, At: b.now(), Reference: string(bob),
		}}
		b.commit(b.does(bob, player.Needs{Unclaimed: true}, func(v player.View) player.Change { return done(assignment.Take(v, b.id())) }))
		b.commit(b.does(alice, player.Needs{Tokens: sol}, func(v player.View) player.Change { return done(assignment.Credit(v, b.id())) }))
		b.commit(b.correct(assignment.Adjustment))
		ref := deposit.Ref{Signature: fakes.Signature("early"), Token: money.SOL}
		of := player.Needs{Tokens: sol, Unclaimed: true, Deposits: []deposit.Ref{ref}}
		topUp := player.TopUp{Token: money.SOL, Amount: 900, Reference: ref.Signature, AuditID: b.id(), At: b.now()}
		taken := b.commit(b.does(bob, of, func(v player.View) player.Change { return done(player.ReclaimCapital(v, topUp)) })).Change.Postings[0]
		b.signIn(bob, 0)
		b.soundWallets(everything)
		ids := player.Correction{ID: b.id(), AuditID: b.id()}
		back := b.does(bob, of, func(v player.View) player.Change {
			return done(player.ReturnAssigned(v, assignment.Adjustment, admin, b.now(), ids))
		})
		back.Keys = append(back.Keys, player.CorrectionKeyOf(assignment.TakenKey()))
		b.commit(back)
		asked := approval.Approval{By: admin, DecidedBy: other, DecidedAt: b.now(), Request: player.CapitalCorrectionRequest(taken, "bob's")}
		again := player.Correction{ID: b.id(), AuditID: b.id()}
		corrected := b.does(bob, of, func(v player.View) player.Change { return done(player.CorrectCapital(v, taken, asked, again)) })
		corrected.Keys = append(corrected.Keys, player.CorrectionKeyOf(taken.Key))
		b.commit(corrected)
		b.same("bob's balance", b.balance(bob), money.Amount(1_400))
		b.soundWallets(everything)
		b.sound()
	}},
	{"a page is as of one moment, while others play and pay", Races, func(b *bench) {
		b.guest(alice, 100_000)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range 60 {
				b.commitAsync(b.play(alice, 10))
				b.commitAsync(b.callback(alice, fmt.Sprint("t", i), seamless.DebitCredit, "1", "2"))
				if i%10 == 0 {
					b.commitAsync(b.withdraw(alice, 1))
				}
			}
		}()
		for ended := false; !ended; {
			select {
			case <-done:
				ended = true
			default:
			}
			b.soundWallets(everything)
		}
	}},
	{"blocks that were counted are left out", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		for range 5 {
			b.commit(b.play(alice, 1))
		}
		count, state, err := b.counted(alice, proof.Proof{}, time.Time{}, 2)
		b.ok(err)
		page := must(b.WalletBlocks(background, ports.WalletQuery{Wallet: alice, Counted: count.Counted, Limit: everything}))(b)
		b.errorIf(len(page.Blocks) > 0 || page.More, "%d blocks come again", len(page.Blocks))
		made, fits := count.Proof(state, b.now())
		b.commit(b.play(alice, 1))
		page = must(b.WalletBlocks(background, ports.WalletQuery{Wallet: alice, Counted: proof.Begin(alice, made).Counted, Limit: everything}))(b)
		b.errorIf(!fits || len(page.Blocks) != 1 || len(page.Blocks[0].Rounds) != 1,
			"%v, after one round there are %d blocks", fits, len(page.Blocks))
	}},
	{"blocks before the given time are left out, and no later ones", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		pending := *b.commit(b.withdraw(alice, 100)).Change.Withdrawal
		b.commit(b.play(alice, 1))
		count, state, err := b.counted(alice, proof.Proof{}, time.Time{}, everything)
		made, fits := count.Proof(state, b.now())
		if err != nil || !fits {
			b.Fatal(fits, err)
		}
		b.clock.Advance(time.Hour)
		since := b.clock.Now()
		none := must(b.WalletBlocks(background, ports.WalletQuery{Wallet: alice, Since: since, Limit: everything}))(b)
		b.same("blocks since", len(none.Blocks), 0)
		b.commit(b.cancel(pending)) // begun before
		b.commit(b.play(alice, 1))
		b.commit(b.credit(alice, "since", money.SOL, 7))
		if _, _, err := b.counted(alice, made, since, everything); err != nil {
			b.Error(err)
		}
	}},
	{"rounds that are played step by step add up, open and ended", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		open := b.opened(alice, 100, doubles)
		for _, limit := range []int{1, everything} {
			b.soundWallets(limit)
		}
		count, state, err := b.counted(alice, proof.Proof{}, time.Time{}, everything)
		made, fits := count.Proof(state, b.now())
		if err != nil || !fits {
			b.Fatal(fits, err)
		}
		b.clock.Advance(time.Hour)
		since := b.clock.Now()
		open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		if _, _, err := b.counted(alice, made, since, everything); err != nil {
			b.Error(err)
		}
		b.commit(b.playIn(alice, money.SOL, 10, brokenGame{b.dice})) // which closes the pair
		if _, _, err := b.counted(alice, made, since, everything); err != nil {
			b.Error(err)
		}
		b.commit(b.steps(open, fakes.CashOut))
		b.opened(alice, 50)
		if _, _, err := b.counted(alice, made, since, everything); err != nil {
			b.Error(err)
		}
		b.soundWallets(1)
		b.sound()
	}},
	{"heads that are no blocks here are said to be lost", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		heads := must(b.Heads(background))(b)
		ask := func(heads []hashchain.Head) bool {
			b.Helper()
			return must(b.WalletBlocks(background, ports.WalletQuery{Wallet: alice, Limit: 1, Heads: heads}))(b).Lost
		}
		b.commit(b.play(alice, 1))
		b.errorIf(ask(heads) || ask(nil), "blocks that are there are said to be lost")
		other := slices.Clone(heads)
		other[0].Hash[0]++
		beyond := append(slices.Clone(heads), hashchain.Head{Lane: 7, Seq: 9})
		b.errorIf(!ask(other) || !ask(beyond), "blocks that aren't there are not said to be lost")
	}},
	{"a wallet that was never seen has no blocks", Logic, func(b *bench) {
		b.signIn(alice, 1_000)
		page := must(b.WalletBlocks(background, ports.WalletQuery{Wallet: bob, Limit: everything}))(b)
		b.errorIf(len(page.Blocks) > 0 || page.More || page.Lost || len(page.State.Balances) > 0 || page.State.Nonces != 0,
			"%+v", page)
		b.check(proof.Begin(bob, proof.Proof{}).Check(page.State))
	}},
}

// everything is a page without a limit.
const everything = math.MaxInt32

// counted counts a wallet's blocks in pages, and returns the count with the state of a last,
// complete page.
func (b *bench) counted(w wallet.Address, from proof.Proof, since time.Time, limit int) (*proof.Count, proof.State, error) {
	b.Helper()
	count, after := proof.Begin(w, from), ""
	for {
		page := must(b.WalletBlocks(background, ports.WalletQuery{Wallet: w, Since: since, After: after, Counted: count.Counted, Limit: limit}))(b)
		b.fatalIf(len(page.Blocks) > limit, "%d blocks in a page of %d", len(page.Blocks), limit)
		for _, block := range page.Blocks {
			if err := count.Add(block); err != nil {
				return count, page.State, err
			}
		}
		switch {
		case page.More:
			after = page.Next
		case limit < everything:
			limit, after = everything, "" // and once more, for later commits
		default:
			return count, page.State, count.Check(page.State)
		}
	}
}

// soundWallets proves every wallet's balances.
func (b *bench) soundWallets(limit int) {
	b.Helper()
	held := map[wallet.Address]bool{}
	err := b.LiabilityBalances(background, func(balance ledger.Balance) error {
		if balance.Account.Kind != ledger.Hold {
			held[wallet.Address(balance.Account.Owner)] = true
		}
		return nil
	})
	b.ok(err)
	for w := range held {
		if _, _, err := b.counted(w, proof.Proof{}, time.Time{}, limit); err != nil {
			b.Errorf("%s: %v", w, err)
		}
	}
}

// lived does everything that can happen to wallets: deposits before and after the first sign-in,
// play of every kind, withdrawals that end in every way, debts.
func (b *bench) lived() {
	b.Helper()
	b.commit(b.unclaimed(bob, "early", 900))
	Populate(b.T, b.Store, func() {})
}

// unclaimed returns an item of a deposit that a watcher found.
func (b *bench) unclaimed(w wallet.Address, transaction string, amount money.Amount) player.Item {
	item := b.credit(w, transaction, money.SOL, amount)
	ref, at := deposit.Ref{Signature: fakes.Signature(transaction), Token: money.SOL}, item.At
	fresh := deposit.Claim{ID: item.Keys[0].ID, Wallet: w, Ref: ref, Status: deposit.Pending, CreatedAt: at, UpdatedAt: at}
	fresh.ID = b.id()
	item.Needs.Unclaimed = true
	item.Decide = func(v player.View) (player.Change, error) { return player.ReceiveDeposit(v, fresh, amount, at) }
	return item
}

// owing pays a wallet more than it has, after a restore, and lets it repay that.
func (b *bench) owing(w wallet.Address) {
	b.Helper()
	id := b.id()
	b.commit(b.bringBack(w, id, "paid twice", usd, 1_300))
	b.soundWallets(everything)
	lost := b.movement(id, "paid twice", usd, 1_300)
	b.commit(b.step(withdrawal.Withdrawal{ID: id, Wallet: w, Token: usd}, func(v player.View, at time.Time) (player.Change, error) {
		return player.SettleByChain(v, lost, at)
	}))
	b.soundWallets(everything)
	b.commit(b.credit(w, "to repay", usd, 2_000))
	b.commit(b.cancel(*b.commit(b.withdrawIn(w, usd, 500)).Change.Withdrawal))
}

// commitAsync commits an item on a goroutine other than the test's.
func (b *bench) commitAsync(item player.Item) {
	if _, err := b.Commit(background, item); err != nil && !fault.Is(err, fault.TooManyOpen) {
		b.Error(err)
	}
}
