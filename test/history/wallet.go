package history

import (
	"fmt"
	"strings"

	"github.com/anishathalye/porcupine"

	"github.com/casino-service/casino/domain/withdrawal"
)

// state is a wallet between two operations.
type state struct {
	balance, held int64
	open          int    // withdrawals
	pair, next    string // commitments; empty until an answer contains them
	nonce         int64  // of the next round
}

// model is a wallet that does one thing at a time. Where an answer is missing it continues in
// each possible way.
func model(balance int64) porcupine.Model {
	wallet := porcupine.NondeterministicModel{
		Init: func() []any { return []any{state{balance: balance}} },
		Step: func(before, ask, response any) (after []any) {
			for _, s := range step(before.(state), ask.(Ask), response.(Response)) {
				after = append(after, s)
			}
			return after
		},
		Hash: func(s any) uint64 {
			return uint64(s.(state).balance)*0x9e3779b97f4a7c15 ^ uint64(s.(state).nonce) // overflow is fine for a hash
		},
		DescribeOperation: func(ask, response any) string { return describe(ask.(Ask), response.(Response)) },
		DescribeState:     func(s any) string { return fmt.Sprintf("%+v", s) },
	}
	return wallet.ToModel()
}

// step returns every possible state of the wallet after this request and answer; there is none if
// it can't have given the answer.
func step(s state, ask Ask, response Response) []state {
	switch response.Outcome {
	case Unknown:
		return append(unanswered(s, ask), s)
	case Short:
		return when((ask.Kind == Bet || ask.Kind == Withdrawal) && s.balance < ask.Amount, s)
	case Full:
		return when(ask.Kind == Withdrawal && s.open >= withdrawal.OpenMax, s)
	}
	after, ok := done(s, ask, response)
	return when(ok && after.balance >= 0 && after.held >= 0 && (response.Balance == nil || *response.Balance == after.balance), after)
}

func when(possible bool, s state) []state {
	if !possible {
		return nil
	}
	return []state{s}
}

// unanswered returns the states after a request if it was carried out.
func unanswered(s state, ask Ask) (after []state) {
	if ask.Kind != Bet {
		return step(s, ask, Response{Outcome: Done, Seed: Seed{Retired: s.pair, Rounds: s.nonce, Pair: s.next}})
	}
	for _, payout := range ask.Pays {
		after = append(after, step(s, ask, Response{Outcome: Done, Payout: payout, Seed: Seed{Pair: s.pair, Nonce: s.nonce}})...)
	}
	return after
}

// done returns the state after an operation that was carried out, and whether it is possible.
func done(s state, ask Ask, response Response) (after state, ok bool) {
	seed := response.Seed
	switch ask.Kind {
	case Bet:
		ok = s.balance >= ask.Amount && s.isPair(seed.Pair) && seed.Nonce == s.nonce
		s.balance += response.Payout - ask.Amount
		s.pair, s.nonce = either(s.pair, seed.Pair), s.nonce+1
	case Rotation:
		ok = s.isPair(seed.Retired) && seed.Rounds == s.nonce && agree(s.next, seed.Pair)
		s.pair, s.next, s.nonce = either(seed.Pair, s.next), seed.Next, 0
	case BalanceRead:
		ok = true // Balance is compared for every kind
	case SeedRead:
		ok = s.isPair(seed.Pair) && agree(s.next, seed.Next) && seed.Nonce == s.nonce
		s.pair, s.next = either(s.pair, seed.Pair), either(s.next, seed.Next)
	case Withdrawal:
		ok = s.open < withdrawal.OpenMax
		s.balance, s.held, s.open = s.balance-ask.Amount, s.held+ask.Amount, s.open+1
	case Cancellation:
		ok = s.open > 0
		s.balance, s.held, s.open = s.balance+ask.Amount, s.held-ask.Amount, s.open-1
	case Payout:
		ok = s.open > 0
		s.held, s.open = s.held-ask.Amount, s.open-1
	case Credit:
		ok = true
		s.balance += ask.Amount
	}
	return s, ok
}

// isPair reports whether the active pair can have this commitment.
func (s state) isPair(commitment string) bool { return agree(s.pair, commitment) }

// agree reports whether two commitments are equal as far as they are known.
func agree(a, b string) bool { return a == "" || b == "" || a == b }

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func describe(ask Ask, response Response) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s of %d: %s", ask.Kind, ask.Key, ask.Amount,
		[...]string{"no answer", "done", "too little", "too many open"}[response.Outcome])
	if response.Outcome == Done && ask.Kind == Bet {
		fmt.Fprintf(&text, ", paid %d", response.Payout)
	}
	if response.Balance != nil {
		fmt.Fprintf(&text, ", balance %d", *response.Balance)
	}
	if response.Seed != (Seed{}) {
		fmt.Fprintf(&text, ", seed %+v", response.Seed)
	}
	return text.String()
}
