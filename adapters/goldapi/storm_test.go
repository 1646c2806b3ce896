package goldapi_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// message is one callback of the storm with its expected outcome.
type message struct {
	body        string
	refused     bool
	bet, win    money.Amount
	first       *said
	mu          sync.Mutex
	differences int
}

// TestStorm sends 1,000 mixed callbacks of one player, each one to three times and all
// in random order, sixty-four at a time, and compares the end with a model that counts
// each once.
func TestStorm(t *testing.T) {
	t.Parallel()
	h := open(t, onSQLite, generous, nil)
	const start = 5_000_000_000
	alice := h.enter("alice", start).launch()
	seed := uint64(20260321)
	random := rand.New(rand.NewPCG(seed, 1))
	messages := storm(string(alice.address), random)
	var deliveries []*message
	want := money.Amount(start)
	for _, m := range messages {
		for range 1 + random.IntN(3) {
			deliveries = append(deliveries, m)
		}
		if !m.refused {
			want += m.win - m.bet
		}
	}
	random.Shuffle(len(deliveries), func(i, j int) { deliveries[i], deliveries[j] = deliveries[j], deliveries[i] })
	queue := make(chan *message)
	var senders sync.WaitGroup
	for range 64 {
		senders.Go(func() {
			for m := range queue {
				h.deliver(m)
			}
		})
	}
	for _, m := range deliveries {
		queue <- m
	}
	close(queue)
	senders.Wait()
	refused, differences := 0, 0
	for _, m := range messages {
		differences += m.differences
		if m.refused != (m.first.Status == 0) {
			t.Errorf("%s is answered %+v", m.body, *m.first)
		}
		if m.refused {
			refused++
		}
	}
	if got := alice.balance(); got != want || differences > 0 {
		t.Errorf("seed %d: alice has %d, the model %d; %d repeats were answered otherwise than first", seed, got, want, differences)
	}
	if report := h.audited(); report.Transactions != len(messages) || refused == 0 {
		t.Errorf("%d transactions of %d messages, %d refused", report.Transactions, len(messages), refused)
	}
}

// storm draws a thousand messages: whole rounds, debits and credits of shared ids
// in any order, credits without debits, and bets that can't be taken.
func storm(user string, random *rand.Rand) []*message {
	var all []*message
	units := func(n money.Amount) string { return string(seamless.DecimalOf(n, scale)) }
	add := func(m *message) { all = append(all, m) }
	for i := 0; len(all) < 1000; i++ {
		txn := fmt.Sprint("storm-", i)
		bet, win := money.Amount(1+random.IntN(1_000_000)), money.Amount(random.IntN(2_000_000))
		switch random.IntN(5) {
		case 0, 1:
			add(&message{body: callback(user, txn, "debit_credit", units(bet), units(win)), bet: bet, win: win})
		case 2, 3:
			add(&message{body: callback(user, txn, "debit", units(bet), "0"), bet: bet})
			if len(all) < 1000 {
				add(&message{body: callback(user, txn, "credit", "0", units(win)), win: win})
			}
		default:
			if random.IntN(2) == 0 {
				add(&message{body: callback(user, txn, "credit", "0", units(win)), win: win})
			} else {
				add(&message{body: callback(user, txn, "debit", "1e12", "0"), refused: true})
			}
		}
	}
	return all
}

// deliver sends a message until its outcome is known, as providers do.
func (h *house) deliver(m *message) {
	for {
		got := h.post(m.body)
		if got.HTTP == http.StatusServiceUnavailable {
			continue
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.first == nil {
			m.first = &got
		}
		if *m.first != got {
			m.differences++
		}
		return
	}
}
