package solana_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	sol "github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// lie is one false thing that a node may report.
type lie struct {
	name   string
	method string
	answer func(w *world, c call) *reply
}

func statusOf(slot int, value any) map[string]any {
	return map[string]any{"context": map[string]any{"slot": slot}, "value": value}
}

// farAhead is beyond every slot of these tests.
const farAhead = 50_000_000

var lies = []lie{
	{"the status is null", "getSignatureStatuses", func(_ *world, c call) *reply { return c.result(statusOf(farAhead, []any{nil})) }},
	{"the transaction is null", "getTransaction", func(_ *world, c call) *reply { return c.result(nil) }},
	{"the blockhash is invalid", "isBlockhashValid", func(_ *world, c call) *reply { return c.result(statusOf(farAhead, false)) }},
	{"the height is far ahead", "getBlockHeight", func(_ *world, c call) *reply { return c.result(22_000_000) }},
	{"the node is pruned", "getFirstAvailableBlock", func(_ *world, c call) *reply { return c.result(farAhead) }},
}

// telling makes the node tell the lies of a bit set.
func (w *world) telling(set int) (names string) {
	chosen := map[string]lie{}
	for i, l := range lies {
		if set&(1<<i) != 0 {
			chosen[l.method] = l
			names += "; " + l.name
		}
	}
	w.spoiled(func(c call) *reply {
		if l, lies := chosen[c.method]; lies {
			return l.answer(w, c)
		}
		return nil
	})
	return names
}

// The lies that matter for a landed payout: those that hide it, and those that make the
// hiding credible.
const (
	nullStatus = 1 << iota
	nullTransaction
	invalidBlockhash
	highHeight
	pruned
	allLies
)

// TestNoLieButTheWholeOneMakesAPayoutDead tells every set of lies about payouts in every
// state. Dead may be reported only for a dead payout, or if the node lies in both places
// where the payout could be found, with an honest clock. Therefore large payouts need a
// second node.
func TestNoLieButTheWholeOneMakesAPayoutDead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.slots(1000)
	sent := func(id string) withdrawal.Attempt {
		attempt := w.signed(id, w.spl, 5, fakes.Wallet("dave"))
		if err := w.Send(t.Context(), attempt); err != nil {
			t.Fatal(err)
		}
		return attempt
	}
	landedLongAgo, neverSent := sent("w1"), w.signed("w2", w.spl, 5, fakes.Wallet("dave"))
	w.expire()
	finalizedNow := sent("w3")
	w.finalize()
	landedNow, freshlySigned := sent("w4"), w.signed("w5", w.spl, 5, fakes.Wallet("dave"))
	for set := range allLies {
		named := w.telling(set)
		may := func(name string, attempt withdrawal.Attempt, dead bool) {
			outcome, err := w.Outcome(t.Context(), attempt)
			if outcome.Status == withdrawal.Dead != dead {
				t.Errorf("%s is %+v (%v)%s", name, outcome, err, named)
			}
			if err != nil && !fault.Is(err, fault.External) {
				t.Errorf("%s: %v%s", name, err, named)
			}
		}
		honestClock := set&(highHeight|pruned) == 0
		may("never sent", neverSent, honestClock)
		may("landed long ago", landedLongAgo, honestClock && set&nullStatus != 0 && set&nullTransaction != 0)
		may("finalized now", finalizedNow, false)
		may("landed now", landedNow, false)
		may("freshly signed", freshlySigned, false)
	}
	w.spoiled(nil)
	for _, attempt := range []withdrawal.Attempt{landedLongAgo, finalizedNow} {
		if outcome, err := w.Outcome(t.Context(), attempt); err != nil || outcome.Status != withdrawal.Finalized {
			t.Errorf("the truth: %+v, %v", outcome, err)
		}
	}
}

// TestASlotIsNoHeight: on a chain as old as mainnet, a node that reports slots as
// heights is found out when signing and when following.
func TestASlotIsNoHeight(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.slots(400_000_000)
	attempt := w.signed("w1", w.spl, 5, fakes.Wallet("dave"))
	w.spoiled(func(c call) *reply {
		if c.method != "getBlockHeight" {
			return nil
		}
		return c.result(400_000_500)
	})
	outcome, err := w.Outcome(t.Context(), attempt)
	if outcome.Status != withdrawal.Unknown || !fault.Is(err, fault.External) || !strings.Contains(err.Error(), "height") {
		t.Errorf("%+v, %v", outcome, err)
	}
	w.spoiled(func(c call) *reply {
		if c.method != "getLatestBlockhash" {
			return nil
		}
		return c.result(statusOf(400_000_100, map[string]any{"blockhash": attempt.Blockhash, "lastValidBlockHeight": 400_000_250}))
	})
	if signed, err := w.Sign(t.Context(), approved("w2", w.spl, 5, fakes.Wallet("dave")), w.spl); err == nil {
		t.Errorf("signed over a height that is a slot: %+v", signed)
	}
}

// TestTheNullIsReadAgain lands the payout between the first read and the expiry. Signing
// again after only one read would pay twice.
func TestTheNullIsReadAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	attempt := w.signed("w1", w.spl, 5, fakes.Wallet("dave"))
	looks := 0
	w.spoiled(func(c call) *reply {
		if c.method == "getSignatureStatuses" {
			if looks++; looks == 1 {
				answer := c.result(statusOf(1, []any{nil}))
				if err := w.past(attempt); err != nil {
					t.Error(err)
				}
				w.expire()
				return answer
			}
		}
		return nil
	})
	outcome, err := w.Outcome(t.Context(), attempt)
	if err != nil || outcome.Status != withdrawal.Finalized || looks != 2 {
		t.Errorf("%+v, %v after %d looks", outcome, err, looks)
	}
}

// past lands an attempt past the proxy.
func (w *world) past(attempt withdrawal.Attempt) error {
	tx, err := sol.TransactionFromBytes(attempt.Transaction)
	if err == nil {
		_, err = w.chain.Submit(tx)
	}
	return err
}

func TestEveryCallOfFateMayFail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sent, kept := w.signed("w1", w.spl, 5, fakes.Wallet("dave")), w.signed("w2", w.spl, 5, fakes.Wallet("dave"))
	if err := w.Send(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	w.expire()
	for _, spoil := range spoils {
		for _, attempt := range []withdrawal.Attempt{sent, kept} {
			for nth := 1; ; nth++ {
				var calls atomic.Int64
				w.spoiled(func(c call) *reply {
					if calls.Add(1) == int64(nth) {
						return spoil.do(c)
					}
					return nil
				})
				outcome, err := w.Outcome(t.Context(), attempt)
				if calls.Load() < int64(nth) {
					break // the call to spoil never came: all were tried
				}
				if err == nil || outcome.Status == withdrawal.Dead || outcome.Status == withdrawal.Finalized {
					t.Errorf("%s at call %d: %+v, %v", spoil.name, nth, outcome, err)
				}
			}
		}
	}
}

// spoils are the ways in which a response goes wrong in transit.
var spoils = []struct {
	name string
	do   func(call) *reply
}{
	{"dropped", unreachable},
	{"carried out and dropped", answerLost},
	{"too many requests", func(call) *reply { return &reply{status: http.StatusTooManyRequests, body: []byte("slow down")} }},
	{"a page", func(call) *reply { return &reply{status: http.StatusOK, body: []byte("<html>maintenance</html>")} }},
	{"a gateway's page", func(c call) *reply {
		c.pass()
		return &reply{status: http.StatusBadGateway, body: []byte("<html>bad gateway</html>")}
	}},
	{"cut off", func(c call) *reply {
		whole := c.pass()
		return &reply{status: http.StatusOK, body: whole[:len(whole)/2]}
	}},
	{"behind", func(c call) *reply {
		answer := c.result(nil)
		answer.body = []byte(strings.Replace(string(answer.body), `"result":null`, `"error":{"code":-32005,"message":"Node is behind by 150 slots"}`, 1))
		return answer
	}},
	{"an empty object", func(c call) *reply { return &reply{status: http.StatusOK, body: []byte("{}")} }},
}

// TestWhatLandedIsWhatWasSigned: cost and outcome are reported only for the signed bytes.
func TestWhatLandedIsWhatWasSigned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	attempt := w.signed("w1", w.sol, 4_000_000, w.newWallet())
	if err := w.Send(t.Context(), attempt); err != nil {
		t.Fatal(err)
	}
	w.finalize()
	for name, change := range map[string]string{
		`"fee":5000`:           `"fee":6000000000000000`,
		`"preBalances":[`:      `"preBalances":[7,`,
		`"err":null,"fee"`:     `"err":"AccountNotFound","fee"`,
		`"transaction":["`:     `"transaction":["AAAA`,
		`{"blockTime":`:        `null,"x":{"blockTime":`,
		`"postTokenBalances":`: `"postTokenBalances":[{"accountIndex":99}],"other":`,
	} {
		w.spoiled(func(c call) *reply {
			if c.method != "getTransaction" {
				return nil
			}
			body := string(c.pass())
			if !strings.Contains(body, name) {
				t.Errorf("the node's answer has no %s: %s", name, body)
			}
			return &reply{status: http.StatusOK, body: []byte(strings.Replace(body, name, change, 1))}
		})
		outcome, err := w.Outcome(t.Context(), attempt)
		if !fault.Is(err, fault.External) || outcome.Status != withdrawal.Landed || outcome.Cost != (withdrawal.Cost{}) {
			t.Errorf("%s: %+v, %v", name, outcome, err)
		}
	}
	w.spoiled(nil)
	outcome, err := w.Outcome(t.Context(), attempt)
	if err != nil || outcome != (withdrawal.Outcome{Status: withdrawal.Finalized, Cost: withdrawal.Cost{Fee: 5000}}) {
		t.Errorf("%+v, %v", outcome, err)
	}
}

func TestWhyAPayoutFailedIsDescribed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	attempt := w.signed("w1", w.spl, 5, w.newWallet())
	w.drain(w.spl)
	if err := w.Send(t.Context(), attempt); err != nil {
		t.Fatal(err)
	}
	w.finalize()
	outcome, err := w.Outcome(t.Context(), attempt)
	if err != nil || outcome.Status != withdrawal.Errored || outcome.Reason != "instruction 4 (token program): insufficient tokens (error 1)" {
		t.Errorf("%+v, %v", outcome, err)
	}
}

// TestDeadIsDead: bytes of a dead attempt never land, however often they are sent.
func TestDeadIsDead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	to := w.newWallet()
	attempt := w.signed("w1", w.spl, 5, to)
	for step := range 400 {
		outcome, err := w.Outcome(t.Context(), attempt)
		if err != nil {
			t.Fatal(err)
		}
		if outcome.Status == withdrawal.Dead {
			if err := w.Send(t.Context(), attempt); err != nil {
				t.Error(err)
			}
			if err := w.past(attempt); err == nil {
				t.Error("the chain took it")
			}
			if held := w.held(string(to), w.spl); held != 0 {
				t.Errorf("%d arrived", held)
			}
			fmt.Fprintln(t.Output(), "dead after", step, "slots")
			return
		}
		w.slots(1)
	}
	t.Error("never dead")
}

// TestDoubtsAboutADeadOne: each missing part of the proof leaves it open.
func TestDoubtsAboutADeadOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	attempt := w.signed("w1", w.spl, 5, fakes.Wallet("dave"))
	w.expire()
	nth := func(method string, which int, value any) func(call) *reply {
		calls := 0
		return func(c call) *reply {
			if c.method != method {
				return nil
			}
			if calls++; calls != which {
				return nil
			}
			return c.result(value)
		}
	}
	for name, spoil := range map[string]func(call) *reply{
		"valid in the finalized bank":         nth("isBlockhashValid", 1, statusOf(farAhead, true)),
		"valid in the confirmed bank":         nth("isBlockhashValid", 2, statusOf(farAhead, true)),
		"validity as of long ago":             nth("isBlockhashValid", 1, statusOf(1, false)),
		"the second status as of long ago":    nth("getSignatureStatuses", 2, statusOf(1, []any{nil})),
		"a slot before the signing":           nth("getSlot", 1, attempt.Slot-1),
		"a height beyond the slot":            nth("getBlockHeight", 1, farAhead),
		"a height that grew faster than that": nth("getBlockHeight", 1, attempt.Slot+260-31),
		"the first block is one too late":     nth("getFirstAvailableBlock", 1, attempt.Slot+1),
	} {
		w.spoiled(spoil)
		if outcome, err := w.Outcome(t.Context(), attempt); outcome.Status != withdrawal.Unknown || !fault.Is(err, fault.External) {
			t.Errorf("%s: %+v, %v", name, outcome, err)
		}
	}
	w.spoiled(nth("getFirstAvailableBlock", 1, attempt.Slot))
	if outcome, err := w.Outcome(t.Context(), attempt); err != nil || outcome.Status != withdrawal.Dead {
		t.Errorf("nothing is missing: %+v, %v", outcome, err)
	}
}
