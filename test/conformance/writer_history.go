package conformance

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/history"
)

// historian acts for one wallet and records the answers.
type historian struct {
	*bench
	*history.History
	client int
}

var writerHistoryCases = []story{
	{"the history of a wallet is linearizable", Races, func(b *bench) {
		// Asks whether a wallet that does one thing at a time could have given all the answers that its
		// clients got.
		b.check(recorded(b).Check())
		b.sound()
	}},
}

// recorded lets clients of one wallet do everything that shows its balance or its
// nonces, with some answers lost, and returns the answers.
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

// ask commits an item until its answer is known, and then once more: the same
// item gets the same answer. It reports whether the item was accepted.
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

// refusal is one that is possible for a wallet; any other is a defect.
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
