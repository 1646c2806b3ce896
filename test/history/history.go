// Package history records the requests of a wallet's clients with their responses and
// their order, and decides whether one wallet that does one thing at a time could have
// given these responses: whether the history is linearizable.
//
// A History is of one wallet and of what it has of one token. Every request is an
// Ask with its Response; a request that was repeated with its key until an
// answer came is one operation, from its first call to its first answer. An
// operation whose answer never came may have been carried out at any moment since,
// or not at all. The model is in wallet.go, the search is porcupine's.
package history

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// Kind is what a client asks for.
type Kind uint8

// The kinds of operations.
const (
	// Bet stakes Amount and pays Payout.
	Bet Kind = iota
	// Rotation retires the active seed pair.
	Rotation
	// BalanceRead and SeedRead change nothing.
	BalanceRead
	SeedRead
	// Withdrawal holds Amount.
	Withdrawal
	// Cancellation gives a held Amount back.
	Cancellation
	// Payout takes a held Amount away.
	Payout
	// Credit adds Amount: a deposit or an adjustment.
	Credit
)

func (k Kind) String() string {
	return [...]string{"bet", "rotation", "balance", "seed", "withdrawal", "cancellation", "payout", "credit"}[k]
}

// Ask is a request to a wallet. Amounts are in base units.
type Ask struct {
	Kind   Kind
	Key    string // names the operation in reports
	Amount int64
	Pays   []int64 // all that a bet may pay, for when its answer doesn't come
}

// Outcome is how a request ended.
type Outcome uint8

// The outcomes.
const (
	// Unknown: no answer came, or none that says whether it was carried out.
	Unknown Outcome = iota
	// Done: it was carried out.
	Done
	// Short: it was refused because the balance doesn't cover the amount.
	Short
	// Full: it was refused because as many withdrawals are open as may be.
	Full
)

// Response is the answer to a request.
type Response struct {
	Outcome Outcome
	Payout  int64  // of a bet
	Balance *int64 // after it, if the answer has it
	Seed    Seed   // of a bet, a rotation and a read of the seed
}

// Seed is what answers hold of seed pairs; an empty name wasn't in the answer.
type Seed struct {
	Pair    string // the commitment of the active pair, after a rotation the new one's
	Next    string // the commitment that follows
	Nonce   int64  // of a bet the one it used, else the next one's
	Retired string // a rotation's: the commitment of the pair it revealed
	Rounds  int64  // a rotation's: how many rounds that pair decided
}

// History is what happened to one wallet, as its clients saw it. Methods may be
// called by many goroutines.
type History struct {
	mu    sync.Mutex
	start int64 // the balance before the first operation
	clock int64 // counts calls and answers: an order that real time agrees with
	all   []*Operation
}

// New is the history of a wallet that has a balance and no open withdrawal.
func New(balance int64) *History { return &History{start: balance} }

// Operation is a request without its answer yet.
type Operation struct {
	of           *History
	client       int
	ask          Ask
	response     Response
	call, answer int64
}

func (h *History) tick() int64 {
	h.clock++
	return h.clock
}

// Begin records that a client asks now.
func (h *History) Begin(client int, ask Ask) *Operation {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := &Operation{of: h, client: client, ask: ask, call: h.tick(), answer: math.MaxInt64}
	h.all = append(h.all, o)
	return o
}

// Again records that a request which changes nothing, and whose answer was lost,
// is sent again now: the answer that comes is of this moment or later.
func (o *Operation) Again() {
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	o.call = o.of.tick()
}

// End records the answer, which came now.
func (o *Operation) End(response Response) {
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	if o.response = response; response.Outcome != Unknown {
		o.answer = o.of.tick()
	}
}

// Len is how many operations were begun.
func (h *History) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.all)
}

// checkWithin is how long the search may take for one wallet.
const checkWithin = time.Minute

// shown is how many operations an error shows on either side of the first one
// that fits nowhere.
const shown = 6

// Check returns nil when a wallet that does one thing at a time could have given
// all of these answers, and otherwise an error with the operations at which the
// longest explanation ends.
func (h *History) Check() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	operations := h.operations()
	m := model(h.start)
	result, found := porcupine.CheckOperationsVerbose(m, operations, checkWithin)
	switch result {
	case porcupine.Ok:
		return nil
	case porcupine.Unknown:
		return fmt.Errorf("%d operations are not decided within %v", len(operations), checkWithin)
	}
	var longest []porcupine.Operation
	for _, some := range found.PartialLinearizationsOperations()[0] {
		if len(some) > len(longest) {
			longest = some
		}
	}
	return fmt.Errorf("no order of %d operations gives these answers; %d of them fit:\n%s",
		len(operations), len(longest), report(m, operations, longest))
}

// operations leaves out reads that were never answered: they prove nothing.
func (h *History) operations() []porcupine.Operation {
	var all []porcupine.Operation
	for _, o := range h.all {
		if o.response.Outcome == Unknown && (o.ask.Kind == BalanceRead || o.ask.Kind == SeedRead) {
			continue
		}
		all = append(all, porcupine.Operation{ClientId: o.client, Input: o.ask, Output: o.response, Call: o.call, Return: o.answer})
	}
	return all
}

// report shows the end of an explanation with the states it leads to, and the
// operations that should come next.
func report(m porcupine.Model, all, explained []porcupine.Operation) string {
	var text strings.Builder
	state, placed := m.Init(), map[int64]bool{}
	for i, o := range explained {
		placed[o.Call] = true
		_, state = m.Step(state, o.Input, o.Output)
		if i >= len(explained)-shown {
			fmt.Fprintf(&text, "  %s\n    leaves %s\n", m.DescribeOperation(o.Input, o.Output), m.DescribeState(state))
		}
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(o porcupine.Operation) bool { return placed[o.Call] })
	slices.SortFunc(rest, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	for _, o := range rest[:min(len(rest), shown)] {
		fmt.Fprintf(&text, "  fits nowhere: %s\n", m.DescribeOperation(o.Input, o.Output))
	}
	return text.String()
}
