package solana_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/validator"
)

// forgets makes a node report nothing of what was sent.
func (w *world) forgets(c validator.Call) *validator.Reply {
	for _, l := range lies[:2] { // the status and the transaction
		if l.method == c.Method {
			r := l.answer(w, call{method: c.Method, body: c.Body})
			return &validator.Reply{Status: r.status, Body: r.body}
		}
	}
	return nil
}

// TestOneNodeThatSawItLandKeepsAPayoutAlive: two of three nodes forgot a payout long after
// it landed and would prove it dead. It stays Landed, and the disagreement is reported,
// because a dead payout is signed again.
func TestOneNodeThatSawItLandKeepsAPayoutAlive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.slots(1000)
	cluster, doors := w.cluster(3)
	attempt := w.signed("w1", w.spl, 5, fakes.Wallet("dave"))
	if err := cluster.Send(t.Context(), attempt); err != nil {
		t.Fatal(err)
	}
	w.expire()
	w.finalize()
	for honest := range doors {
		for i, door := range doors {
			if door.Spoil(nil); i != honest {
				door.Spoil(w.forgets)
			}
		}
		outcome, err := cluster.Outcome(t.Context(), attempt)
		if outcome.Status != withdrawal.Landed || !fault.Is(err, fault.External) || !strings.Contains(err.Error(), "agree") {
			t.Errorf("node %d alone saw it: %+v, %v", honest+1, outcome, err)
		}
	}
	// Without the third node the two are believed, because their lie is complete. So the
	// test above depends on the third node.
	for _, door := range doors {
		door.Spoil(w.forgets)
	}
	if outcome, err := cluster.Outcome(t.Context(), attempt); err != nil || outcome.Status != withdrawal.Dead {
		t.Errorf("nobody saw it: %+v, %v", outcome, err)
	}
}

// TestARefusalIsReportedOnce: an error that every node would return is reported once, not
// as a list of unreachable nodes.
func TestARefusalIsReportedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cluster, _ := w.cluster(3)
	seen, err := cluster.Observe(t.Context(), "no signature")
	if !fault.Is(err, fault.Invalid) || strings.Contains(err.Error(), "\n") || seen.Found {
		t.Errorf("an observation of what is no signature: %+v, %v", seen, err)
	}
	broken := w.signed("w1", w.spl, 5, fakes.Wallet("dave"))
	broken.Transaction = broken.Transaction[1:]
	outcome, err := cluster.Outcome(t.Context(), broken)
	if err == nil || fault.Is(err, fault.External) || strings.Contains(err.Error(), "\n") || outcome.Status != withdrawal.Unknown {
		t.Errorf("the fate of bytes that nobody signed: %+v, %v", outcome, err)
	}
}
