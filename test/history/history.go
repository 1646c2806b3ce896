// Package history records the requests of a wallet's clients with their responses and their
// order, and decides whether one wallet that does one thing at a time could have given these
// responses: whether the history is linearizable.
//
// A History covers one wallet and one token. Every request is an Ask with its Response; a request
// that was repeated with its key until it was answered is one operation, from its first call to
// its first answer. An operation without an answer may have been carried out at any later time,
// or never. The model is in wallet.go, the search is porcupine's.
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

// Kind is the kind of a client's request.
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
	// Cancellation returns a held Amount.
	Cancellation
	// Payout removes a held Amount.
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
	Pays   []int64 // all that a bet may pay, in case its answer is lost
}

// Outcome is how a request ended.
type Outcome uint8

// The outcomes.
const (
	// Unknown: no answer came, or one that doesn't say whether it was carried out.
	Unknown Outcome = iota
	// Done: it was carried out.
	Done
	// Short: it was refused because the balance doesn't cover the amount.
	Short
	// Full: it was refused because the maximum number of withdrawals is open.
	Full
)

// Response is the answer to a request.
type Response struct {
	Outcome Outcome
	Payout  int64  // of a bet
	Balance *int64 // after it, if the answer has it
	Seed    Seed   // of a bet, a rotation and a read of the seed
}

// Seed holds the facts about seed pairs in an answer; an empty name was not in it.
type Seed struct {
	Pair    string // the commitment of the active pair, after a rotation the new one's
	Next    string // the commitment of the next pair
	Nonce   int64  // for a bet the one it used, else the next one
	Retired string // for a rotation: the commitment of the revealed pair
	Rounds  int64  // for a rotation: how many rounds that pair decided
}

// History records the operations of one wallet as its clients saw them. Methods may be called
// concurrently.
type History struct {
	mu    sync.Mutex
	start int64 // the balance before the first operation
	clock int64 // counts calls and answers, in an order consistent with real time
	all   []*Operation
}

// New returns the history of a wallet with this balance and no open withdrawal.
func New(balance int64) *History { return &History{start: balance} }

// Operation is a request that is not answered yet.
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

// Begin records a client's request.
func (h *History) Begin(client int, ask Ask) *Operation {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := &Operation{of: h, client: client, ask: ask, call: h.tick(), answer: math.MaxInt64}
	h.all = append(h.all, o)
	return o
}

// Again records that a read whose answer was lost is sent again: its answer is from now or later.
func (o *Operation) Again() {
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	o.call = o.of.tick()
}

// End records the answer.
func (o *Operation) End(response Response) {
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	if o.response = response; response.Outcome != Unknown {
		o.answer = o.of.tick()
	}
}

// Len returns how many operations were begun.
func (h *History) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.all)
}

// checkWithin is how long the search for one wallet may take.
const checkWithin = time.Minute

// shown is how many operations an error shows before and after the first one that doesn't fit.
const shown = 6

// Check returns nil if a wallet that does one thing at a time could have given all of these
// answers, else an error with the operations at which the longest explanation ends.
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

// operations leaves out unanswered reads, which prove nothing.
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

// report shows the end of an explanation, the states it leads to, and the operations that should
// follow.
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
