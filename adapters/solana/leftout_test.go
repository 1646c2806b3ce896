package solana_test

import (
	"encoding/json"
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/test/validator"
)

// leavesOut changes members of the meta of every transaction in a node's response.
func leavesOut(body []byte, change func(meta map[string]any)) any {
	var answer struct{ Result map[string]any }
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		panic(err)
	}
	if meta, ok := answer.Result["meta"].(map[string]any); ok {
		change(meta)
	}
	return answer.Result
}

// withoutTokens are the ways in which nodes leave out token balances.
var withoutTokens = map[string]func(meta map[string]any){
	"absent": func(meta map[string]any) { delete(meta, "preTokenBalances"); delete(meta, "postTokenBalances") },
	"null":   func(meta map[string]any) { meta["preTokenBalances"], meta["postTokenBalances"] = nil, nil },
	"empty":  func(meta map[string]any) { meta["preTokenBalances"], meta["postTokenBalances"] = []any{}, []any{} },
	// With a balance of 0 before, all that the treasury holds would be credited.
	"null before":  func(meta map[string]any) { meta["preTokenBalances"] = nil },
	"empty before": func(meta map[string]any) { meta["preTokenBalances"] = []any{} },
	"empty after":  func(meta map[string]any) { meta["postTokenBalances"] = []any{} },
}

// TestMissingTokenBalancesAreUnknown: missing balances don't prove that no tokens arrived,
// with one node and with two.
func TestMissingTokenBalancesAreUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	player := w.newWallet()
	w.fund(player, w.spl, 5_000_000)
	w.fund(player, w.sol, 50_000_000)
	signature := w.deposit(player, w.spl, 1_000_000, false)
	native := w.deposit(player, w.sol, 1_000_000, false)
	w.finalize()
	cluster, doors := w.cluster(2)
	where, err := w.Treasury(w.spl)
	if err != nil {
		t.Fatal(err)
	}
	unknown := func(name string, seen deposit.Observation, err error) {
		t.Helper()
		verdict := deposit.Judge(seen, player, w.spl, where)
		if err != nil || verdict != (deposit.Verdict{Status: deposit.Pending, Reason: deposit.Unreadable}) || deposit.Find(seen, w.spl, where) != verdict {
			t.Errorf("%s: %+v of %+v, %v", name, verdict, seen, err)
		}
	}
	for name, change := range withoutTokens {
		w.spoiled(func(c call) *reply {
			if c.method != "getTransaction" {
				return nil
			}
			return c.result(leavesOut(c.pass(), change))
		})
		seen, err := w.Observe(t.Context(), signature)
		unknown(name, seen, err)
		// No token program ran there: nothing is missing.
		w.wants(w.judged(native, player, w.sol), deposit.Credited, "", 1_000_000)
		spoil := func(c validator.Call) *validator.Reply {
			if c.Method != "getTransaction" {
				return nil
			}
			return c.Result(leavesOut(c.Pass(), change))
		}
		for _, spoilt := range [][]*validator.Proxy{doors[:1], doors[1:], doors} {
			for _, door := range doors {
				door.Spoil(nil)
			}
			for _, door := range spoilt {
				door.Spoil(spoil)
			}
			seen, err := cluster.Observe(t.Context(), signature)
			unknown(name+" in the cluster", seen, err)
		}
	}
	w.spoiled(nil)
	w.wants(w.judged(signature, player, w.spl), deposit.Credited, "", 1_000_000)
}

// TestTheTreasurysHistoryNeedsTokenBalances: a payout without them would look unpaid.
func TestTheTreasurysHistoryNeedsTokenBalances(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	to := w.newWallet()
	w.fund(to, w.spl, 1)
	w.do(false, []sol.Instruction{w.transfer(w.spl, w.treasury.PublicKey(), w.keys[string(to)].PublicKey(), 7)}, w.treasury)
	w.finalize()
	for name, change := range withoutTokens {
		w.spoiled(func(c call) *reply {
			if c.method != "getTransaction" {
				return nil
			}
			return c.result(leavesOut(c.pass(), change))
		})
		if page, err := w.Signed(t.Context(), treasury.Position{}, 100); !fault.Is(err, fault.External) {
			t.Errorf("%s: %+v, %v", name, page, err)
		}
	}
	w.spoiled(nil)
	if page, err := w.Signed(t.Context(), treasury.Position{}, 100); err != nil || len(page.Movements) != 1 {
		t.Errorf("%+v, %v", page, err)
	}
}

// TestLamportsAtATokenAddressAreNoTokenAccount: lamports sent to the address of an account
// that the treasury hasn't opened make nothing unreadable.
func TestLamportsAtATokenAddressAreNoTokenAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	player := w.newWallet()
	w.fund(player, w.spl, 5_000_000)
	key := w.keys[string(player)]
	unopened, _, err := sol.FindAssociatedTokenAddressWithProgram(w.treasury.PublicKey(), sol.MPK(string(w.spl.Mint)), sol.Token2022ProgramID)
	if err != nil {
		t.Fatal(err)
	}
	w.airdrop(unopened, 1_000_000)
	open := associatedtoken.NewCreateIdempotentInstruction(key.PublicKey(), key.PublicKey(), sol.MPK(string(w.spl.Mint))).Build()
	pays := w.transfer(w.spl, key.PublicKey(), w.treasury.PublicKey(), 1_000_000)
	touches := sol.NewInstruction(sol.SystemProgramID, sol.AccountMetaSlice{
		sol.Meta(key.PublicKey()).WRITE().SIGNER(), sol.Meta(unopened).WRITE(),
	}, append([]byte{2, 0, 0, 0}, 1, 0, 0, 0, 0, 0, 0, 0))
	signature := w.do(false, []sol.Instruction{open, touches, pays}, key)
	w.wants(w.judged(signature, player, w.spl), deposit.Credited, "", 1_000_000)
}

// TestAHistoryThatLeavesSomethingOutIsNoHistory: a signature without its slot would end the
// walk, and a missing list would move the cursor past its entries.
func TestAHistoryThatLeavesSomethingOutIsNoHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	player := w.newWallet()
	w.fund(player, w.spl, 5_000_000)
	w.deposit(player, w.spl, 1_000_000, false)
	w.finalize()
	whole, err := w.Since(t.Context(), w.spl, "", 100)
	if err != nil || len(whole.Entries) == 0 {
		t.Fatalf("%+v, %v", whole, err)
	}
	for _, member := range []string{"slot", "err", "confirmationStatus", "signature", "everything"} {
		w.spoiled(func(c call) *reply {
			if c.method != "getSignaturesForAddress" {
				return nil
			}
			var answer struct{ Result []map[string]any }
			if err := json.Unmarshal(c.pass(), &answer); err != nil {
				panic(err)
			}
			if member == "everything" {
				return c.result(nil)
			}
			delete(answer.Result[0], member)
			return c.result(answer.Result)
		})
		if page, err := w.Since(t.Context(), w.spl, "", 100); !fault.Is(err, fault.External) {
			t.Errorf("without %s: %+v, %v", member, page, err)
		}
	}
}

// TestAnAccountThatIsNotShownIsUnknown: without its owner it would read as the system
// program's, and without a value as one that doesn't exist.
func TestAnAccountThatIsNotShownIsUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	to := w.newWallet()
	w.fund(to, w.sol, 1)
	w.confirm()
	for name, change := range map[string]func(result map[string]any){
		"no value": func(result map[string]any) { delete(result, "value") },
		"no owner": func(result map[string]any) { delete(result["value"].(map[string]any), "owner") },
		"no data":  func(result map[string]any) { delete(result["value"].(map[string]any), "data") },
	} {
		w.spoiled(func(c call) *reply {
			if c.method != "getAccountInfo" {
				return nil
			}
			var answer struct{ Result map[string]any }
			if err := json.Unmarshal(c.pass(), &answer); err != nil {
				panic(err)
			}
			change(answer.Result)
			return c.result(answer.Result)
		})
		if attempt, err := w.Sign(t.Context(), approved("w1", w.sol, 4_000_000, to), w.sol); !fault.Is(err, fault.External) {
			t.Errorf("%s: %+v, %v", name, attempt, err)
		}
	}
}
