package history_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/history"
)

// sound is a second, simple implementation of a wallet that answers correctly. It acts between
// call and answer of overlapping operations.
type sound struct {
	*history.History
	random        *rand.Rand
	balance, held int64
	open          []int64
	pair          int
	nonce         int64
	flight        []flight
}

// flight is an operation that was called, and its answer once it was carried out.
type flight struct {
	*history.Operation
	ask      history.Ask
	response history.Response
	carried  bool
	alone    bool // no overlap so far
	hurried  bool // answered before anything else begins
}

const stake = 100

func commitment(pair int) string { return fmt.Sprint("pair ", pair) }

// run lets clients overlap at random. spoil may change an answer before it is given, and the
// wallet itself; n is the number of earlier operations.
func run(seed uint64, operations int, spoil func(w *sound, n int, f *flight)) *history.History {
	w := &sound{History: history.New(1_000), random: rand.New(rand.NewPCG(seed, 7)), balance: 1_000}
	asked, carried := 0, 0
	for asked < operations || len(w.flight) > 0 {
		if asked < operations && len(w.flight) < 4 && w.random.IntN(5) < 2 {
			ask := w.draw(asked)
			for i := range w.flight {
				w.flight[i].alone = false
			}
			w.flight = append(w.flight, flight{Operation: w.Begin(len(w.flight), ask), ask: ask, alone: len(w.flight) == 0})
			asked++
			continue
		}
		if len(w.flight) == 0 {
			continue
		}
		at := w.random.IntN(len(w.flight))
		f := &w.flight[at]
		if !f.carried {
			f.response, f.carried = w.carry(f.ask), true
			spoil(w, carried, f)
			carried++
			if !f.hurried {
				continue
			}
		}
		f.End(f.response)
		w.flight = append(w.flight[:at], w.flight[at+1:]...)
	}
	for _, last := range []history.Kind{history.BalanceRead, history.SeedRead} {
		w.Begin(0, history.Ask{Kind: last, Key: "in the end"}).End(w.carry(history.Ask{Kind: last}))
	}
	return w.History
}

func (w *sound) draw(n int) history.Ask {
	ask := history.Ask{Key: fmt.Sprint(n), Kind: history.Kind(w.random.IntN(int(history.Credit) + 1))}
	switch {
	case w.random.IntN(2) == 0:
		ask.Kind = history.Bet
	case ask.Kind == history.Cancellation || ask.Kind == history.Payout:
		if len(w.open) == 0 {
			ask.Kind = history.BalanceRead
			break
		}
		ask.Amount, w.open = w.open[0], w.open[1:] // no other client sends this one
	case ask.Kind == history.Withdrawal && len(w.open)+len(w.flight) >= withdrawal.OpenMax:
		ask.Kind = history.SeedRead
	case ask.Kind == history.Withdrawal:
		ask.Amount = 10 + w.random.Int64N(500)
	case ask.Kind == history.Credit:
		ask.Amount = w.random.Int64N(50)
	}
	if ask.Kind == history.Bet {
		ask.Amount, ask.Pays = stake, []int64{0, 2 * stake}
	}
	return ask
}

func (w *sound) carry(ask history.Ask) history.Response {
	response := history.Response{Outcome: history.Done}
	switch ask.Kind {
	case history.Bet:
		if w.balance < ask.Amount {
			return history.Response{Outcome: history.Short}
		}
		response.Payout = ask.Pays[w.random.IntN(len(ask.Pays))]
		response.Seed = history.Seed{Pair: commitment(w.pair), Nonce: w.nonce}
		w.balance += response.Payout - ask.Amount
		w.nonce++
	case history.Rotation:
		response.Seed = history.Seed{Retired: commitment(w.pair), Rounds: w.nonce, Pair: commitment(w.pair + 1), Next: commitment(w.pair + 2)}
		w.pair, w.nonce = w.pair+1, 0
	case history.SeedRead:
		response.Seed = history.Seed{Pair: commitment(w.pair), Next: commitment(w.pair + 1), Nonce: w.nonce}
		return response
	case history.Withdrawal:
		if w.balance < ask.Amount {
			return history.Response{Outcome: history.Short}
		}
		w.balance, w.held = w.balance-ask.Amount, w.held+ask.Amount
		w.open = append(w.open, ask.Amount)
	case history.Cancellation:
		w.balance, w.held = w.balance+ask.Amount, w.held-ask.Amount
	case history.Payout:
		w.held -= ask.Amount
		return response
	case history.Credit:
		w.balance += ask.Amount
	}
	balance := w.balance
	response.Balance = &balance
	return response
}

func honest(*sound, int, *flight) {}

func TestSoundHistoriesPass(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		if err := run(seed, 300, honest).Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestUnansweredOperationsMayHaveHappenedOrNot loses answers of all kinds of operations that were
// carried out.
func TestUnansweredOperationsMayHaveHappenedOrNot(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		lost := run(seed, 120, func(_ *sound, n int, f *flight) {
			if n%15 == 14 {
				f.response = history.Response{}
			}
		})
		if err := lost.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	never := history.New(50)
	never.Begin(0, history.Ask{Kind: history.Bet, Amount: 50, Pays: []int64{0}})
	for _, balance := range []int64{50, 0} {
		never.Begin(1, history.Ask{Kind: history.BalanceRead}).End(history.Response{Outcome: history.Done, Balance: &balance})
	}
	if err := never.Check(); err != nil {
		t.Errorf("a bet that happened between two reads: %v", err)
	}
	back := int64(50)
	never.Begin(1, history.Ask{Kind: history.BalanceRead}).End(history.Response{Outcome: history.Done, Balance: &back})
	if never.Check() == nil {
		t.Error("a bet that happened and then had not is believed")
	}
}

// TestAnomaliesAreFound plants one anomaly in a correct history; it must be found in every
// history in which it occurred.
func TestAnomaliesAreFound(t *testing.T) {
	t.Parallel()
	for name, plant := range anomalies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			planted := 0
			for seed := range uint64(30) {
				done := false
				h := run(seed, 300, func(w *sound, n int, f *flight) {
					if n >= 60 && !done {
						done = plant(w, f)
					}
				})
				if !done {
					continue
				}
				planted++
				err := h.Check()
				if err == nil {
					t.Fatalf("seed %d: not found", seed)
				}
				if !strings.Contains(err.Error(), "fits nowhere") {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			if planted < 10 {
				t.Errorf("planted in %d histories only", planted)
			}
		})
	}
}

// anomalies change the wallet or an answer and report whether they could.
var anomalies = map[string]func(w *sound, f *flight) bool{
	"a balance from before the newest bet": func(w *sound, f *flight) bool {
		if f.ask.Kind != history.BalanceRead || !f.alone {
			return false // an overlapping operation might explain it
		}
		stale := *f.response.Balance + stake
		f.response.Balance, f.hurried = &stale, true
		return true
	},
	"a nonce from before the newest bet": func(w *sound, f *flight) bool {
		if f.ask.Kind != history.SeedRead || w.nonce == 0 || !f.alone {
			return false
		}
		f.response.Seed.Nonce--
		f.hurried = true
		return true
	},
	"an acknowledged bet is lost": func(w *sound, f *flight) bool {
		if f.ask.Kind != history.Bet || f.response.Outcome != history.Done {
			return false
		}
		w.balance -= f.response.Payout - stake
		w.nonce--
		return true
	},
	"a bet is applied twice": func(w *sound, f *flight) bool {
		if f.ask.Kind != history.Bet || f.response.Outcome != history.Done {
			return false
		}
		w.balance += f.response.Payout - stake
		w.nonce++
		return true
	},
	"a nonce is given twice": func(w *sound, f *flight) bool {
		if f.ask.Kind != history.Bet || f.response.Outcome != history.Done {
			return false
		}
		w.nonce--
		return true
	},
	"money that was spent is there for a withdrawal": func(w *sound, f *flight) bool {
		if f.ask.Kind != history.Withdrawal || f.response.Outcome != history.Done {
			return false
		}
		w.balance += f.ask.Amount
		return true
	},
	"a bet is refused with the money there": func(w *sound, f *flight) bool {
		if f.ask.Kind != history.Bet || f.response.Outcome != history.Done || w.balance < 6*stake {
			return false
		}
		w.balance -= f.response.Payout - stake
		w.nonce--
		f.response = history.Response{Outcome: history.Short}
		return true
	},
	"a cancelled withdrawal comes back twice": func(w *sound, f *flight) bool {
		if f.ask.Kind != history.Cancellation {
			return false
		}
		w.balance += f.ask.Amount
		return true
	},
	"a rotation forgets a round": func(_ *sound, f *flight) bool {
		if f.ask.Kind != history.Rotation || f.response.Seed.Rounds == 0 {
			return false
		}
		f.response.Seed.Rounds--
		return true
	},
}
