package onchain_test

import (
	"bytes"
	"math"
	"net/http"
	"reflect"
	"regexp"
	"testing"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/validator"
)

// rewritten answers a method with the node's own response, partly changed.
func rewritten(method, from, to string) func(validator.Call) *validator.Reply {
	return func(c validator.Call) *validator.Reply {
		if c.Method != method {
			return nil
		}
		return &validator.Reply{Status: http.StatusOK, Body: bytes.ReplaceAll(c.Pass(), []byte(from), []byte(to))}
	}
}

// TestOneLyingNodeOfTwo checks that a deposit reported by only one of two nodes is not credited;
// when the node stops lying, the payment is credited without another call.
func TestOneLyingNodeOfTwo(t *testing.T) {
	t.Parallel()
	doors := make([]*validator.Proxy, 2)
	s := newStageOn(t, planted{chain: func(s *stage, _ app.Chain) app.Chain { return s.cluster(doors) }}, validator.StartLight)
	for name, lie := range map[string]func(validator.Call) *validator.Reply{
		"more arrived":          rewritten("getTransaction", `"amount":"100000`, `"amount":"900000`),
		"it never happened":     rewritten("getSignatureStatuses", `"value":[{`, `"value":[null],"was":[{`),
		"it isn't there":        func(c validator.Call) *validator.Reply { return nothing(c, "getTransaction") },
		"it is not final":       rewritten("getSignatureStatuses", `"finalized"`, `"confirmed"`),
		"it failed":             rewritten("getSignatureStatuses", `"err":null`, `"err":"AccountNotFound"`),
		"another owner paid it": rewritten("getTransaction", `"owner":"`, `"was":"1","owner":"1`),
		"a page instead":        rewritten("getTransaction", `{`, `<`),
	} {
		for door := range doors {
			alice := s.join()
			signature := s.do(s.pays(alice, s.usd, paid), alice.PrivateKey)
			doors[door].Spoil(lie)
			s.finalize()
			truth, err := s.node.Observe(s.Context(), signature)
			noError(t, err)
			if seen, err := s.newNode(doors[door].URL).Observe(s.Context(), signature); err == nil && reflect.DeepEqual(seen, truth) {
				t.Errorf("%s: that is the truth", name)
			}
			for range 3 {
				answer, err := s.Deposits.Deposit(s.Context(), alice.Caller, signature, string(s.usd.Mint))
				if err != nil && !fault.Is(err, fault.External) || answer.Balance != 0 {
					t.Errorf("%s, node %d: %+v, %v", name, door, answer, err)
				}
			}
			if got := s.balance(alice, s.usd); got != 0 {
				t.Errorf("%s, node %d: %d were credited by one node's report", name, door, got)
			}
			doors[door].Spoil(nil)
			s.follow()
			s.watch()
			if got := s.balance(alice, s.usd); got != paid {
				t.Errorf("%s, node %d: %d in the end", name, door, got)
			}
		}
	}
	for _, fault := range s.solvent() {
		t.Error(fault)
	}
}

// failure matches the error of a transfer of too much.
var failure = regexp.MustCompile(`"err":\{"InstructionError":\[\d+,\{"Custom":\d+\}\]\}`)

// TestADepositOneNodeMadeUp uses a real signature, with a payment that one of two nodes invents.
func TestADepositOneNodeMadeUp(t *testing.T) {
	t.Parallel()
	doors := make([]*validator.Proxy, 2)
	s := newStageOn(t, planted{chain: func(s *stage, _ app.Chain) app.Chain { return s.cluster(doors) }}, validator.StartLight)
	mallory := s.join()
	tiny := s.do(s.pays(mallory, s.sol, minDeposit-1), mallory.PrivateKey)
	failed := s.failing(s.pays(mallory, s.usd, 2*fortune), mallory.PrivateKey)
	s.finalize()
	for _, door := range doors {
		for signature, lie := range map[string]func(validator.Call) *validator.Reply{
			tiny: rewritten("getTransaction", `"postBalances":[`, `"postBalances":[1`),
			failed: func(c validator.Call) *validator.Reply {
				if c.Method != "getSignatureStatuses" && c.Method != "getTransaction" {
					return nil
				}
				return &validator.Reply{Status: http.StatusOK, Body: failure.ReplaceAll(c.Pass(), []byte(`"err":null`))}
			},
		} {
			door.Spoil(lie)
			terms := s.sol
			if signature == failed {
				terms = s.usd
			}
			alone := s.newNode(door.URL)
			seen, err := alone.Observe(s.Context(), signature)
			where, _ := alone.Treasury(terms)
			believed := deposit.Judge(seen, mallory.Wallet, terms, where)
			if err != nil || seen.Failed || signature == tiny && believed.Reason == deposit.BelowMinimum {
				t.Errorf("one node alone doesn't count: %+v, %v", believed, err)
			}
			for _, terms := range []token.Terms{s.sol, s.usd} {
				_, err := s.Deposits.Deposit(s.Context(), mallory.Caller, signature, string(terms.Mint))
				if err != nil && !fault.Is(err, fault.External) && !fault.Is(err, fault.DepositRejected) {
					t.Errorf("%v", err)
				}
				if got := s.balance(mallory, terms); got != 0 {
					t.Errorf("%d of %s were invented", got, terms.Symbol)
				}
			}
			door.Spoil(nil)
		}
	}
}

func nothing(c validator.Call, method string) *validator.Reply {
	if c.Method != method {
		return nil
	}
	return c.Result(nil)
}

// cluster returns an adapter over any number of proxies of the chain.
func (s *stage) cluster(doors []*validator.Proxy) *solana.Cluster {
	s.Helper()
	var urls []string
	for i := range doors {
		doors[i] = validator.NewProxy(s, s.chain.Handler())
		urls = append(urls, doors[i].URL)
	}
	made, err := solana.NewCluster(solana.Config{
		Treasury: s.pair(), Tokens: []token.Terms{s.sol, s.usd, s.fee, s.late},
		Timeouts: solana.Timeouts{Tries: 1, BreakAfter: math.MaxUint32},
	}, "", urls...)
	noError(s, err)
	s.Cleanup(made.Close)
	return made
}
