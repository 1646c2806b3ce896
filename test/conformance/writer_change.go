package conformance

import (
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

func changeIsCommittedWhole(b *bench) {
	b.commit(b.login(alice, b.now().UnixMilli()))
	b.commit(b.credit(alice, "tx", money.SOL, 1000))
	played := b.commit(b.play(alice, 100))
	round := played.Change.Round
	if round == nil || played.Change.Balance != round.Balance {
		b.Fatalf("the receipt has round %+v and balance %d", round, played.Change.Balance)
	}
	if got := b.balance(alice); got != round.Balance || got != 900+round.Payout {
		b.Errorf("balance %d after a round that leaves %d", got, round.Balance)
	}
	pair := must(b.ActivePair(background, alice))(b)
	if pair.Nonce != 1 || pair.ID != round.PairID || pair.Commitment != round.Commitment {
		b.Errorf("pair %+v after round %+v", pair, round)
	}
	kept := must(b.Round(background, round.ID))(b)
	b.same("the round", kept, withoutTheory(*round))
	lines := must(b.Transactions(background, ports.TransactionFilter{Wallet: alice}, whole))(b)
	if lines.Total != 1 || lines.Transactions[0].Amount != 1000 {
		b.Errorf("transactions %+v", lines)
	}
	for _, figures := range must(b.Daily(background, "0000-01-01", "9999-12-31"))(b) {
		if figures.Rounds != 1 || figures.Wagered != money.TotalOf(100) || figures.Paid != money.TotalOf(round.Payout) {
			b.Errorf("figures %+v", figures)
		}
	}
	b.sound()
}

// itemsOfOneWalletHappenInTurn has each decision write down the balance it saw:
// were two to see the same one, a number would be missing.
func itemsOfOneWalletHappenInTurn(b *bench) {
	b.signIn(alice, 0)
	const each, clients = 12, 8
	var mu sync.Mutex
	var left []int
	atOnce(clients, func(int) {
		for range each {
			receipt, err := b.Commit(background, b.adjust(alice, 1))
			if err != nil {
				b.Error(err)
				return
			}
			mu.Lock()
			left = append(left, int(receipt.Change.Balance))
			mu.Unlock()
		}
	})
	slices.Sort(left)
	for i, balance := range left {
		if balance != i+1 {
			b.Fatalf("the balances returned are %v", left)
		}
	}
	if got := b.balance(alice); got != each*clients {
		b.Errorf("balance %d after %d credits of 1", got, each*clients)
	}
	b.sound()
}

func decisionSeesWhatWasAskedFor(b *bench) {
	b.signIn(alice, 1000)
	b.commit(b.credit(alice, "tx", usd, 50))
	b.grant(admin, "finance")
	request := b.commit(b.withdraw(alice, 100)).Change.Withdrawal
	b.commit(b.claim(alice, "waiting", usd, deposit.Verdict{Status: deposit.Pending}))
	ref := deposit.Ref{Signature: fakes.Signature("waiting"), Token: usd}

	look := func(needs player.Needs) (seen player.View) {
		item := player.Item{
			Wallet: alice, At: b.now(), Needs: needs, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}},
			Decide: func(v player.View) (player.Change, error) {
				seen = v
				return player.Change{}, fault.New(fault.Forbidden, "only looking")
			},
		}
		b.refuse(item, fault.Forbidden)
		return seen
	}
	nothing := look(player.Needs{})
	if nothing.Player.Wallet != alice || nothing.Player.Agent != player.HouseAgent || !nothing.Player.Known() {
		b.Errorf("the player is %+v", nothing.Player)
	}
	if len(nothing.Balances)+len(nothing.Withdrawals)+len(nothing.Deposits)+len(nothing.Roles)+len(nothing.Unclaimed) != 0 ||
		nothing.Pair.ID != "" || nothing.OpenWithdrawals+nothing.OpenDeposits != 0 {
		b.Errorf("an item without needs sees %+v", nothing)
	}
	all := look(player.Needs{
		Tokens: []money.Token{money.SOL, usd, fakes.Mint("never")}, Pair: true, Withdrawals: []string{request.ID, "none"},
		Deposits: []deposit.Ref{ref, {Signature: "none", Token: usd}}, Open: true, Unclaimed: true,
		Roles: []wallet.Address{admin, bob},
	})
	b.same("balances", all.Balances, map[money.Token]money.Amount{money.SOL: 900, usd: 50})
	b.same("withdrawals", all.Withdrawals[request.ID], *request)
	b.same("claims", all.Deposits[ref].Status, deposit.Pending)
	b.same("roles", all.Roles[admin].Role, "finance")
	if len(all.Withdrawals) != 1 || len(all.Deposits) != 1 || len(all.Roles) != 1 || len(all.Unclaimed) != 0 {
		b.Errorf("an item that needs all sees %+v", all)
	}
	if all.OpenWithdrawals != 1 || all.OpenDeposits != 1 {
		b.Errorf("%d withdrawals and %d claims are open", all.OpenWithdrawals, all.OpenDeposits)
	}
	if err := all.Pair.Verify(); err != nil || all.Pair.Nonce != 0 || all.Pair.Next.ID == "" {
		b.Errorf("the pair is not open to its decision: %v", err)
	}
	draw := all.Pair
	draw.Next = fairness.NextSeed{}
	if seen := look(player.Needs{Draw: true}).Pair; !seen.Equal(draw) {
		b.Errorf("an item that needs to draw sees the pair %+v", seen)
	}
}

// decisionAsksForMore commits decisions that ask for one need after the other among others
// of their wallet, and one that never has enough.
func decisionAsksForMore(b *bench) {
	b.signIn(alice, 1000)
	b.grant(admin, rbac.Superadmin)
	answers := make(chan error)
	for i := range 8 {
		item := b.adjust(alice, 1)
		if i%2 == 0 {
			decide := item.Decide
			item.Needs = player.Needs{}
			item.Decide = func(v player.View) (player.Change, error) {
				switch {
				case len(v.Asked.Tokens) == 0:
					return player.Change{}, player.Missing(player.Needs{Tokens: []money.Token{money.SOL}})
				case v.Roles[admin].Role == "":
					return player.Change{}, player.Missing(player.Needs{Roles: []wallet.Address{admin}, Pair: true})
				case v.Pair.ID == "":
					return player.Change{}, errors.New("the pair isn't there")
				}
				return decide(v)
			}
		}
		go func() { _, err := b.Commit(background, item); answers <- err }()
	}
	for range 8 {
		if err := <-answers; err != nil {
			b.Error(err)
		}
	}
	if left := b.balance(alice); left != 1008 {
		b.Errorf("eight adjustments by 1 leave %d of 1000", left)
	}
	never := b.adjust(alice, 1)
	never.Decide = func(player.View) (player.Change, error) {
		return player.Change{}, player.Missing(player.Needs{Open: true})
	}
	b.refuse(never, fault.InvalidState)
	b.sound()
}

func unknownWalletsViewNamesIt(b *bench) {
	var seen player.View
	item := b.login(alice, b.now().UnixMilli())
	decide := item.Decide
	item.Decide = func(v player.View) (player.Change, error) {
		seen = v
		return decide(v)
	}
	b.commit(item)
	if seen.Player.Wallet != alice || seen.Player.Known() || len(seen.Balances) != 0 || seen.Pair.ID != "" {
		b.Errorf("the view of an unknown wallet is %+v", seen)
	}
}

func itemWithoutWallet(b *bench) {
	topUp := player.TopUp{Token: money.SOL, Amount: 5000, Reference: "signature", AuditID: b.id(), At: b.now()}
	booked := player.Item{
		At: topUp.At, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}},
		Decide: func(player.View) (player.Change, error) { return player.BookCapital(topUp) },
	}
	b.commit(booked)
	if got := must(b.Bankroll(background, money.SOL))(b); got != money.TotalOf(5000) {
		b.Errorf("the bankroll is %v after capital of 5000", got)
	}
	b.replay(booked)
	b.sound()
}

func firstSignInPaysUnclaimed(b *bench) {
	chain, waiting := ledger.System(ledger.Chain), ledger.UnclaimedOf(alice)
	for i, mint := range []money.Token{money.SOL, usd, money.SOL} {
		key := ledger.Key{Kind: ledger.Deposit, Scope: string(mint), ID: "tx" + strconv.Itoa(i)}
		b.commit(b.transfer(alice, key, ledger.Transfer{Debit: chain, Credit: waiting, Token: mint, Amount: 70}))
	}
	if len(must(b.Balances(background, alice))(b)) != 0 {
		b.Error("what is unclaimed shows as a balance")
	}
	b.commit(b.login(alice, b.now().UnixMilli()))
	if b.balance(alice) != 140 || b.balanceOf(alice, usd) != 70 {
		b.Errorf("balances %d and %d after the first sign-in", b.balance(alice), b.balanceOf(alice, usd))
	}
	b.commit(b.login(alice, b.now().UnixMilli()))
	if b.balance(alice) != 140 {
		b.Errorf("balance %d after the second sign-in", b.balance(alice))
	}
	b.sound()
}

func adjustments(b *bench) {
	b.signIn(alice, 0)
	for _, row := range []struct {
		amount int64
		left   money.Amount
	}{{500, 500}, {-200, 300}, {-300, 0}, {int64(money.Max), money.Max}} {
		receipt := b.commit(b.adjust(alice, row.amount))
		if receipt.Change.Balance != row.left || b.balance(alice) != row.left {
			b.Fatalf("adjusted by %d: returned %d, left %d, want %d", row.amount, receipt.Change.Balance, b.balance(alice), row.left)
		}
	}
	b.refuse(b.adjust(alice, 1), fault.AmountOutOfRange)
	b.commit(b.adjust(alice, -int64(money.Max)))
	b.refuse(b.adjust(alice, -1), fault.InsufficientFunds)
	b.refuse(b.adjust(bob, 1), fault.NotFound)
	b.refuse(b.adjust(admin, 1), fault.Forbidden)
	b.sound()
}

func voidRound(b *bench) {
	b.signIn(alice, 1000)
	before := must(b.ActivePair(background, alice))(b)
	broken := b.playIn(alice, money.SOL, 100, brokenGame{b.dice})
	broken.Needs.Draw, broken.Needs.Pair = true, false
	receipt := b.commit(broken)
	round := receipt.Change.Round
	if !round.Void || b.balance(alice) != 1000 {
		b.Errorf("round %+v leaves %d of 1000", round, b.balance(alice))
	}
	b.same("the round", must(b.Round(background, round.ID))(b), withoutTheory(*round))
	revealed := must(b.RevealedPair(background, before.ID))(b)
	if revealed.Rounds != 1 || revealed.Verify() != nil {
		b.Errorf("the pair is revealed as %+v", revealed)
	}
	after := must(b.ActivePair(background, alice))(b)
	if after.Commitment != before.Next.Commitment || after.Nonce != 0 || after.ClientSource != fairness.FromServer {
		b.Errorf("%+v follows %+v", after, before)
	}
	b.sound()
}

func openIsCounted(b *bench) {
	b.signIn(alice, 1000)
	var requests []player.Receipt
	for range 5 {
		requests = append(requests, b.commit(b.withdraw(alice, 10)))
	}
	b.refuse(b.withdraw(alice, 10), fault.TooManyOpen)
	b.commit(b.cancel(*requests[2].Change.Withdrawal))
	b.commit(b.withdraw(alice, 10))
	for i := range deposit.OpenMax {
		b.commit(b.claim(alice, strconv.Itoa(i), usd, deposit.Verdict{Status: deposit.Pending}))
	}
	b.refuse(b.claim(alice, "one more", usd, deposit.Verdict{Status: deposit.Pending}), fault.TooManyOpen)
	b.commit(b.credit(alice, "7", usd, 1))
	b.commit(b.claim(alice, "one more", usd, deposit.Verdict{Status: deposit.Pending}))
	b.sound()
}
