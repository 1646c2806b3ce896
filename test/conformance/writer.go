package conformance

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/history"
)

// Writer is the suite of ports.Writer.
func Writer(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, writerChangeCases, writerCases, writerRefuseCases, writerLawCases, writerReplayCases, writerWithdrawalCases, writerSeedsCases, writerHistoryCases, writerQueueCases, writerFreshCases)
}

var writerCases = []story{
	{"adjustments credit and debit", Logic, adjustments},
}

var writerChangeCases = []story{
	{"a change is committed whole", Rows, func(b *bench) {
		b.commit(b.login(alice, b.now().UnixMilli()))
		b.commit(b.credit(alice, "tx", money.SOL, 1000))
		played := b.commit(b.play(alice, 100))
		round := played.Change.Round
		b.fatalIf(round == nil || played.Change.Balance != round.Balance,
			"the receipt has round %+v and balance %d", round, played.Change.Balance)
		got := b.balance(alice)
		b.errorIf(got != round.Balance || got != 900+round.Payout, "balance %d after a round that leaves %d", got, round.Balance)
		pair := must(b.ActivePair(background, alice))(b)
		b.errorIf(pair.Nonce != 1 || pair.ID != round.PairID || pair.Commitment != round.Commitment,
			"pair %+v after round %+v", pair, round)
		kept := must(b.Round(background, round.ID))(b)
		b.same("the round", kept, withoutTheory(*round))
		lines := must(b.Transactions(background, ports.TransactionFilter{Wallet: alice}, whole))(b)
		b.errorIf(lines.Total != 1 || lines.Transactions[0].Amount != 1000, "transactions %+v", lines)
		for _, figures := range must(b.Daily(background, "0000-01-01", "9999-12-31"))(b) {
			b.errorIf(figures.Rounds != 1 || figures.Wagered != money.TotalOf(100) || figures.Paid != money.TotalOf(round.Payout),
				"figures %+v", figures)
		}
		b.sound()
	}},
	{"items of one wallet happen one after the other", Races, func(b *bench) {
		// Let each decision write down the balance it saw: if two saw the same one, a number
		// would be missing.
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
			b.same(fmt.Sprint("a balance among ", left), balance, i+1)
		}
		b.same("balance", b.balance(alice), each*clients)
		b.sound()
	}},
	// Decisions ask for one need after the other, beside others of their wallet, and one never
	// has enough.
	{"a decision that asks for more is decided on that too", Races, func(b *bench) {
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
	}},
	{"a decision sees what its item asked for and no more", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		b.commit(b.credit(alice, "tx", usd, 50))
		b.grant(admin, "finance")
		request := b.commit(b.withdraw(alice, 100)).Change.Withdrawal
		b.commit(b.claim(alice, "waiting", usd, deposit.Verdict{Status: deposit.Pending}))
		ref := deposit.Ref{Signature: fakes.Signature("waiting"), Token: usd}

		look := func(needs player.Needs) (seen player.View) {
			item := itemOf(alice, b.now(), operation(b.id()), needs,
				func(v player.View) (player.Change, error) {
					seen = v
					return player.Change{}, fault.New(fault.Forbidden, "only looking")
				})
			b.refuse(item, fault.Forbidden)
			return seen
		}
		nothing := look(player.Needs{})
		b.errorIf(nothing.Player.Wallet != alice || nothing.Player.Agent != player.HouseAgent || !nothing.Player.Known(),
			"the player is %+v", nothing.Player)
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
		b.errorIf(len(all.Withdrawals) != 1 || len(all.Deposits) != 1 || len(all.Roles) != 1 || len(all.Unclaimed) != 0,
			"an item that needs all sees %+v", all)
		b.errorIf(all.OpenWithdrawals != 1 || all.OpenDeposits != 1,
			"%d withdrawals and %d claims are open", all.OpenWithdrawals, all.OpenDeposits)
		err := all.Pair.Verify()
		b.errorIf(err != nil || all.Pair.Nonce != 0 || all.Pair.Next.ID == "", "the pair is not open to its decision: %v", err)
		draw := all.Pair
		draw.Next = fairness.NextSeed{}
		if seen := look(player.Needs{Draw: true}).Pair; !seen.Equal(draw) {
			b.Errorf("an item that needs to draw sees the pair %+v", seen)
		}
	}},
	{"an unknown wallet's view names it", Logic, func(b *bench) {
		var seen player.View
		item := b.login(alice, b.now().UnixMilli())
		decide := item.Decide
		item.Decide = func(v player.View) (player.Change, error) {
			seen = v
			return decide(v)
		}
		b.commit(item)
		b.errorIf(seen.Player.Wallet != alice || seen.Player.Known() || len(seen.Balances) != 0 || seen.Pair.ID != "",
			"the view of an unknown wallet is %+v", seen)
	}},
	{"an item without a wallet moves money between system accounts", Rows, func(b *bench) {
		topUp := player.TopUp{Token: money.SOL, Amount: 5000, Reference: "signature", AuditID: b.id(), At: b.now()}
		booked := itemOf("", topUp.At, operation(b.id()), player.Needs{},
			func(player.View) (player.Change, error) { return player.BookCapital(topUp) })
		b.commit(booked)
		b.same("the bankroll is", must(b.Bankroll(background, money.SOL))(b), money.TotalOf(5000))
		b.replay(booked)
		b.sound()
	}},
	{"the first sign-in pays what arrived before", Rows, func(b *bench) {
		chain, waiting := ledger.System(ledger.Chain), ledger.UnclaimedOf(alice)
		for i, mint := range []money.Token{money.SOL, usd, money.SOL} {
			key := ledger.Key{Kind: ledger.Deposit, Scope: string(mint), ID: "tx" + strconv.Itoa(i)}
			b.commit(b.transfer(alice, key, ledger.Transfer{Debit: chain, Credit: waiting, Token: mint, Amount: 70}))
		}
		b.same("what is unclaimed shows as a balance", len(must(b.Balances(background, alice))(b)), 0)
		b.commit(b.login(alice, b.now().UnixMilli()))
		b.errorIf(b.balance(alice) != 140 || b.balanceOf(alice, usd) != 70,
			"balances %d and %d after the first sign-in", b.balance(alice), b.balanceOf(alice, usd))
		b.commit(b.login(alice, b.now().UnixMilli()))
		b.same("balance", b.balance(alice), 140)
		b.sound()
	}},
	{"a void round returns the stake and retires its pair", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		before := must(b.ActivePair(background, alice))(b)
		broken := b.playIn(alice, money.SOL, 100, brokenGame{b.dice})
		broken.Needs.Draw, broken.Needs.Pair = true, false
		receipt := b.commit(broken)
		round := receipt.Change.Round
		b.errorIf(!round.Void || b.balance(alice) != 1000, "round %+v leaves %d of 1000", round, b.balance(alice))
		b.same("the round", must(b.Round(background, round.ID))(b), withoutTheory(*round))
		revealed := must(b.RevealedPair(background, before.ID))(b)
		b.errorIf(revealed.Rounds != 1 || revealed.Verify() != nil, "the pair is revealed as %+v", revealed)
		after := must(b.ActivePair(background, alice))(b)
		b.errorIf(after.Commitment != before.Next.Commitment || after.Nonce != 0 || after.ClientSource != fairness.FromServer,
			"%+v follows %+v", after, before)
		b.sound()
	}},
	{"open withdrawals and waiting deposit claims are counted", Rows, func(b *bench) {
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
	}},
}

func adjustments(b *bench) {
	b.signIn(alice, 0)
	for _, row := range []struct {
		amount int64
		left   money.Amount
	}{{500, 500}, {-200, 300}, {-300, 0}, {int64(money.Max), money.Max}} {
		receipt := b.commit(b.adjust(alice, row.amount))
		b.fatalIf(receipt.Change.Balance != row.left || b.balance(alice) != row.left,
			"adjusted by %d: returned %d, left %d, want %d", row.amount, receipt.Change.Balance, b.balance(alice), row.left)
	}
	b.refuse(b.adjust(alice, 1), fault.AmountOutOfRange)
	b.commit(b.adjust(alice, -int64(money.Max)))
	b.refuse(b.adjust(alice, -1), fault.InsufficientFunds)
	b.refuse(b.adjust(bob, 1), fault.NotFound)
	b.refuse(b.adjust(admin, 1), fault.Forbidden)
	b.sound()
}

var writerFreshCases = []story{
	{"a bet whose COMMIT lost its answer is booked once", Races, func(b *bench) {
		// Lose the answers of COMMITs of bets with new ids, as all real bets have: a run after
		// one without an answer must search for the id nevertheless.
		if b.LoseCommit == nil {
			return
		}
		b.signIn(alice, 1_000_000)
		for i, carriedOut := range []bool{true, false, true} {
			item := b.play(alice, 10)
			item.Fresh = true
			before, played := b.balance(alice), b.playedBy()
			b.LoseCommit(carriedOut)
			receipt, err := b.Commit(background, item)
			var refusal *fault.Error
			switch {
			case err == nil:
				b.freshAnswer(receipt, before)
				played++
			case !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] == nil:
				b.Errorf("bet %d, lost, carried out %v: %v", i, carriedOut, err)
			case refusal.Details["outcome"] != "none" && carriedOut:
				played++
			}
			b.same(fmt.Sprint("bet ", i, ", lost, carried out ", carriedOut), b.playedBy(), played)
		}
		b.sound()
	}},
}

// freshAnswer compares the answer to a bet with the stored data.
func (b *bench) freshAnswer(receipt player.Receipt, before money.Amount) {
	b.Helper()
	round := receipt.Change.Round
	b.fatalIf(round == nil, "a bet is answered with %+v", receipt.Change)
	stored := must(b.Round(background, round.ID))(b)
	b.same("the round returned", withoutTheory(*round), stored)
	b.same("the balance returned", round.Balance, before-round.Wager+round.Payout)
	b.same("the balance", b.balance(alice), round.Balance)
}

func (b *bench) playedBy() int {
	b.Helper()
	return must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, whole))(b).Total
}

// historian acts for one wallet and records the answers.
type historian struct {
	*bench
	*history.History
	client int
}

var writerHistoryCases = []story{
	{"the history of a wallet is linearizable", Races, func(b *bench) {
		// Check whether a wallet that does one thing at a time could have given all the answers.
		b.check(recorded(b).Check())
		b.sound()
	}},
}

// recorded lets clients of one wallet do everything that shows its balance or its nonces, with
// some answers lost, and returns the answers.
func recorded(b *bench) *history.History {
	const clients, each, start = 8, 50, 2_000
	b.signIn(alice, start)
	h := history.New(start)
	atOnce(clients, func(client int) {
		asking := historian{b, h, client}
		for n := range each {
			asking.one(n)
		}
	})
	last := historian{b, h, clients}
	last.readBalance()
	last.readSeed()
	return h
}

// one does the n-th thing.
func (h historian) one(n int) {
	switch turn := n + 3*h.client; {
	case turn%13 == 6:
		h.ask(history.Ask{Kind: history.Rotation}, h.rotate(alice, "of the player"))
	case turn%11 == 3:
		h.withdrawAndCancel()
	case turn%9 == 4:
		h.ask(history.Ask{Kind: history.Credit, Amount: 150}, h.adjust(alice, 150))
	case turn%5 == 1:
		h.readBalance()
	case turn%7 == 2:
		h.readSeed()
	default:
		if turn%8 == 5 && h.LoseCommit != nil {
			h.LoseCommit(turn%16 < 8)
		}
		h.ask(history.Ask{Kind: history.Bet, Amount: 300}, h.play(alice, 300))
	}
}

func (h historian) withdrawAndCancel() {
	ask := history.Ask{Kind: history.Withdrawal, Amount: 70}
	asked, ok := h.ask(ask, h.withdraw(alice, money.Amount(ask.Amount)))
	if !ok {
		return
	}
	ask.Kind = history.Cancellation
	if asked, ok = h.ask(ask, h.cancel(*asked.Withdrawal)); ok && asked.Withdrawal.Status != withdrawal.Cancelled {
		h.Errorf("a cancelled withdrawal is %v", asked.Withdrawal.Status)
	}
}

// ask commits an item until its answer is known, and then again: the same item gets the same
// answer. It reports whether the item was accepted.
func (h historian) ask(ask history.Ask, item player.Item) (got player.Change, ok bool) {
	ask.Key = item.Keys[0].ID
	operation := h.Begin(h.client, ask)
	receipt, err := h.Commit(background, item)
	for fault.Is(err, fault.Unavailable) || fault.Is(err, fault.RateLimited) {
		runtime.Gosched()
		receipt, err = h.Commit(background, item)
	}
	if err != nil {
		operation.End(history.Response{Outcome: h.refusal(err)})
		return got, false
	}
	got = receipt.Change
	balance := int64(got.Balance)
	answer := history.Response{Outcome: history.Done, Balance: &balance}
	switch ask.Kind {
	case history.Bet:
		answer.Payout = int64(got.Round.Payout)
		answer.Seed = history.Seed{Pair: got.Round.PairID, Nonce: got.Round.Nonce}
	case history.Rotation:
		answer.Balance = nil
		answer.Seed = history.Seed{Retired: got.Retired.ID, Rounds: got.Retired.Rounds, Pair: got.Pair.ID, Next: got.Pair.Next.ID}
	}
	operation.End(answer)
	again, err := h.Commit(background, item)
	for fault.Is(err, fault.Unavailable) || fault.Is(err, fault.RateLimited) {
		runtime.Gosched()
		again, err = h.Commit(background, item)
	}
	if err != nil || !again.Replayed || again.Change.Balance != got.Balance {
		h.Errorf("%v, asked again: balance %d and then %d, replayed %v, %v", ask, got.Balance, again.Change.Balance, again.Replayed, err)
	}
	return got, true
}

// refusal returns the outcome of a refusal that a wallet may get; any other is a defect.
func (h historian) refusal(err error) history.Outcome {
	var refused *fault.Error
	if errors.As(err, &refused) {
		switch refused.Kind {
		case fault.InsufficientFunds:
			return history.Short
		case fault.TooManyOpen:
			return history.Full
		}
	}
	h.Error(err)
	return history.Unknown
}

func (h historian) readBalance() {
	operation := h.Begin(h.client, history.Ask{Kind: history.BalanceRead, Key: fmt.Sprint("look ", h.client)})
	balance := int64(h.balance(alice))
	operation.End(history.Response{Outcome: history.Done, Balance: &balance})
}

func (h historian) readSeed() {
	operation := h.Begin(h.client, history.Ask{Kind: history.SeedRead, Key: fmt.Sprint("look ", h.client)})
	pair, err := h.ActivePair(background, alice)
	if err != nil {
		h.Error(err)
		return
	}
	operation.End(history.Response{Outcome: history.Done, Seed: history.Seed{Pair: pair.ID, Next: pair.Next.ID, Nonce: pair.Nonce}})
}
