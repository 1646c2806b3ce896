package solana_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/validator"
)

// cluster is an adapter over several connections to one chain, each with a proxy of its
// own.
func (w *world) cluster(nodes int) (*solana.Cluster, []*validator.Proxy) {
	w.Helper()
	var doors []*validator.Proxy
	var urls []string
	for i := range nodes {
		door := validator.NewProxy(w, w.chain.Handler())
		doors, urls = append(doors, door), append(urls, fmt.Sprintf("%s/v2/s3cretkey%d", door.URL, i))
	}
	made, err := solana.NewCluster(solana.Config{
		Treasury: w.pair(), Tokens: []token.Terms{w.sol, w.spl}, Timeouts: solana.Timeouts{Tries: 1, BreakAfter: math.MaxUint32},
	}, "", urls...)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(made.Close)
	return made, doors
}

// TestClusterOnLocalnet: several working nodes behave as one.
func TestClusterOnLocalnet(t *testing.T) {
	t.Parallel()
	conforms(t, func(t *testing.T) conformance.Chain {
		w := newWorld(t)
		chain := w.conforming()
		cluster, doors := w.cluster(3)
		chain.ChainPorts = cluster
		chain.SetUnreachable = func(cut bool) {
			for _, door := range doors {
				if door.Spoil(nil); cut {
					door.Spoil(func(validator.Call) *validator.Reply { return &validator.Reply{Drop: true} })
				}
			}
		}
		chain.LoseAnswer = func() {
			for _, door := range doors {
				lost := false
				door.Spoil(func(c validator.Call) *validator.Reply {
					if lost || c.Method != "sendTransaction" {
						return nil
					}
					lost = true
					c.Pass()
					return &validator.Reply{Drop: true}
				})
			}
		}
		return chain
	})
}

// inflated makes a node report a deposit larger than it was.
func inflated(c validator.Call) *validator.Reply {
	if c.Method != "getTransaction" {
		return nil
	}
	answer := string(c.Pass())
	return &validator.Reply{Status: 200, Body: []byte(strings.Replace(answer, `"postBalances":[`, `"postBalances":[1`, 1))}
}

// TestOneNodeCannotMakeADeposit: a report of one node is never a finalized transaction,
// whether or not the other reports anything.
func TestOneNodeCannotMakeADeposit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	player := w.newWallet()
	w.fund(player, w.sol, 50_000_000)
	signature := w.deposit(player, w.sol, 1_000_000, false)
	w.finalize()
	cluster, doors := w.cluster(2)
	if seen, err := cluster.Observe(t.Context(), signature); err != nil || !seen.Finalized {
		t.Fatalf("%+v, %v", seen, err)
	}
	doors[1].Spoil(inflated)
	if seen, err := cluster.Observe(t.Context(), signature); seen.Finalized || !fault.Is(err, fault.External) || !strings.Contains(err.Error(), "agree") {
		t.Errorf("with a lie: %+v, %v", seen, err)
	}
	for _, f := range validator.Faults {
		doors[1].Spoil(f.Do)
		seen, err := cluster.Observe(t.Context(), signature)
		switch f.Name {
		case "accepted and forgotten", "a slot for a height": // not about this
			if err != nil || !seen.Finalized {
				t.Errorf("%s: %+v, %v", f.Name, seen, err)
			}
		default:
			if err != nil || !seen.Found || seen.Finalized || len(seen.Lamports) > 0 {
				t.Errorf("%s: %+v, %v, want found and not finalized", f.Name, seen, err)
			}
		}
	}
	if seen, err := cluster.Observe(t.Context(), fakes.Signature("never sent")); seen.Found {
		t.Errorf("%+v, %v", seen, err)
	}
	// Three nodes are two that agree and one that doesn't matter.
	three, doors := w.cluster(3)
	for _, door := range doors {
		door.Spoil(inflated)
		if seen, err := three.Observe(t.Context(), signature); err != nil || !seen.Finalized || seen.Lamports[0].Post > 60_000_000 {
			t.Errorf("one of three lies: %+v, %v", seen, err)
		}
		door.Spoil(nil)
	}
}

// TestNeverSeenNeedsTwo: a deposit claim is rejected because of it.
func TestNeverSeenNeedsTwo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cluster, doors := w.cluster(2)
	if seen, err := cluster.Observe(t.Context(), fakes.Signature("x")); err != nil || seen.Found {
		t.Errorf("%+v, %v", seen, err)
	}
	doors[0].Spoil(func(validator.Call) *validator.Reply { return &validator.Reply{Drop: true} })
	if _, err := cluster.Observe(t.Context(), fakes.Signature("x")); !fault.Is(err, fault.External) {
		t.Errorf("by one alone: %v", err)
	}
}

// TestNoNodeAloneEndsAPayout has one of two nodes tell every set of lies about payouts in
// every state: not even the complete lie gets a landed payout signed again.
func TestNoNodeAloneEndsAPayout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.slots(1000)
	cluster, doors := w.cluster(2)
	sent := func(id string) withdrawal.Attempt {
		attempt := w.signed(id, w.spl, 5, fakes.Wallet("dave"))
		if err := cluster.Send(t.Context(), attempt); err != nil {
			t.Fatal(err)
		}
		return attempt
	}
	long, never := sent("w1"), w.signed("w2", w.spl, 5, fakes.Wallet("dave"))
	w.expire()
	now := sent("w3")
	w.finalize()
	fresh := w.signed("w4", w.spl, 5, fakes.Wallet("dave"))
	for set := range allLies {
		for door := range doors {
			doors[door].Spoil(func(c validator.Call) *validator.Reply {
				for i, l := range lies {
					if set&(1<<i) != 0 && l.method == c.Method {
						r := l.answer(w, call{method: c.Method, body: c.Body})
						return &validator.Reply{Status: r.status, Body: r.body}
					}
				}
				return nil
			})
			for name, attempt := range map[string]withdrawal.Attempt{"landed long ago": long, "landed now": now, "fresh": fresh} {
				outcome, err := cluster.Outcome(t.Context(), attempt)
				if outcome.Status == withdrawal.Dead || err != nil && !fault.Is(err, fault.External) {
					t.Errorf("%s, lies %b of node %d: %+v, %v", name, set, door, outcome, err)
				}
			}
			doors[door].Spoil(nil)
		}
	}
	for attempt, want := range map[*withdrawal.Attempt]withdrawal.AttemptStatus{
		&long: withdrawal.Finalized, &now: withdrawal.Finalized, &never: withdrawal.Dead, &fresh: withdrawal.Unknown,
	} {
		if outcome, err := cluster.Outcome(t.Context(), *attempt); err != nil || outcome.Status != want {
			t.Errorf("the truth about %s: %+v, %v", attempt.WithdrawalID, outcome, err)
		}
	}
	// One node that invents a landing keeps a dead one open, and so does one that is
	// unreachable.
	for _, spoil := range []func(validator.Call) *validator.Reply{
		func(validator.Call) *validator.Reply { return &validator.Reply{Drop: true} },
		func(c validator.Call) *validator.Reply {
			if c.Method != "getSignatureStatuses" {
				return nil
			}
			return c.Result(statusOf(9, []any{map[string]any{"slot": 7, "err": nil, "confirmationStatus": "finalized"}}))
		},
	} {
		doors[0].Spoil(spoil)
		if outcome, _ := cluster.Outcome(t.Context(), never); outcome.Status == withdrawal.Dead || outcome.Status == withdrawal.Finalized {
			t.Errorf("one node alone: %+v", outcome)
		}
	}
}

// TestAForeignNodeIsNotAsked: another genesis hash is another chain.
func TestAForeignNodeIsNotAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cluster, doors := w.cluster(3)
	if _, err := cluster.Genesis(t.Context()); err != nil {
		t.Fatal(err)
	}
	elsewhere := func(c validator.Call) *validator.Reply {
		if c.Method == "getGenesisHash" {
			return c.Result(string(fakes.Mint("elsewhere")))
		}
		return nil
	}
	doors[1].Spoil(elsewhere)
	if err := cluster.Healthy(t.Context()); err != nil {
		t.Errorf("checked before: %v", err)
	}
	if _, err := cluster.Genesis(t.Context()); !fault.Is(err, fault.External) || !strings.Contains(err.Error(), "another chain") {
		t.Errorf("two chains: %v", err)
	}
	if err := cluster.Healthy(t.Context()); err == nil || !strings.Contains(err.Error(), "node 2") {
		t.Errorf("a foreign node is well: %v", err)
	}
	player := w.newWallet()
	w.fund(player, w.sol, 50_000_000)
	signature := w.deposit(player, w.sol, 1_000_000, false)
	w.finalize()
	if seen, err := cluster.Observe(t.Context(), signature); err != nil || !seen.Finalized {
		t.Errorf("two are left: %+v, %v", seen, err)
	}
	doors[2].Spoil(func(validator.Call) *validator.Reply { return &validator.Reply{Drop: true} })
	if seen, err := cluster.Observe(t.Context(), signature); err != nil || seen.Finalized {
		t.Errorf("one is left: %+v, %v", seen, err)
	}
	if _, err := solana.NewCluster(solana.Config{Treasury: w.pair()}, "", w.url); err == nil {
		t.Error("a cluster of one")
	}
	if _, err := solana.NewCluster(solana.Config{Treasury: w.pair()}, "", w.url, w.url); err == nil {
		t.Error("a node that agrees with itself")
	}
}

// TestANodeBehindIsAskedLast: reads of a single node come from a working one.
func TestANodeBehindIsAskedLast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.slots(1000)
	cluster, doors := w.cluster(2)
	asked := 0
	doors[0].Spoil(func(c validator.Call) *validator.Reply {
		switch c.Method {
		case "getSlot":
			return c.Result(100)
		case "getAccountInfo":
			asked++
		}
		return nil
	})
	if err := cluster.Healthy(t.Context()); err == nil || !strings.Contains(err.Error(), "node 1") || !strings.Contains(err.Error(), "behind") {
		t.Errorf("%v", err)
	}
	if held, err := cluster.Holding(t.Context(), w.spl); err != nil || held == 0 || asked > 0 {
		t.Errorf("%d, %v, the node behind was asked %d times", held, err, asked)
	}
	doors[1].Spoil(func(validator.Call) *validator.Reply { return &validator.Reply{Drop: true} })
	if held, err := cluster.Holding(t.Context(), w.spl); err != nil || held != money.Amount(plenty) || asked == 0 {
		t.Errorf("%d, %v: better one behind than none", held, err)
	}
}

func TestAClusterKeepsItsKeysToItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cluster, doors := w.cluster(2)
	attempt := w.signed("w1", w.spl, 5, fakes.Wallet("dave"))
	for _, f := range validator.Faults {
		for _, door := range doors {
			door.Spoil(f.Do)
		}
		_, err := cluster.Observe(t.Context(), fakes.Signature("x"))
		_, fate := cluster.Outcome(t.Context(), attempt)
		_, since := cluster.Since(t.Context(), w.sol, "", 0)
		for _, err := range []error{err, fate, since, cluster.Send(t.Context(), attempt), cluster.Healthy(t.Context())} {
			if err != nil && (strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "s3cret") || strings.Contains(err.Error(), "127.0.0.1:")) {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
}
