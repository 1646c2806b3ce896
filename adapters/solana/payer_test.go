package solana_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

func approved(id string, terms token.Terms, amount money.Amount, to wallet.Address) withdrawal.Withdrawal {
	return withdrawal.Withdrawal{ID: id, Token: terms.Mint, Amount: amount, Destination: string(to), Status: withdrawal.Approved}
}

func (w *world) signed(id string, terms token.Terms, amount money.Amount, to wallet.Address) withdrawal.Attempt {
	w.Helper()
	attempt, err := w.Sign(w.Context(), approved(id, terms, amount, to), terms)
	if err != nil {
		w.Fatal(err)
	}
	return attempt
}

func decoded(t *testing.T, raw []byte) *sol.Transaction {
	t.Helper()
	tx, err := sol.TransactionFromBytes(raw)
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// step is one instruction decoded by an independent reader.
type step struct {
	program  sol.PublicKey
	accounts []string
	data     []byte
}

func steps(t *testing.T, tx *sol.Transaction) []step {
	t.Helper()
	var all []step
	for _, instruction := range tx.Message.Instructions {
		metas, err := instruction.ResolveInstructionAccounts(&tx.Message)
		if err != nil {
			t.Fatal(err)
		}
		s := step{program: tx.Message.AccountKeys[instruction.ProgramIDIndex], data: instruction.Data}
		for _, meta := range metas {
			s.accounts = append(s.accounts, meta.PublicKey.String())
		}
		all = append(all, s)
	}
	return all
}

// TestWhatIsSigned decodes the signed bytes and checks that they contain exactly these
// instructions.
func TestWhatIsSigned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	to := w.newWallet()
	destination, house := sol.MPK(string(to)), w.treasury.PublicKey()
	for name, terms := range map[string]token.Terms{"SOL": w.sol, "token": w.spl} {
		attempt := w.signed("withdrawal-77", terms, 4_000_000, to)
		tx := decoded(t, attempt.Transaction)
		if err := tx.VerifySignatures(); err != nil || len(tx.Signatures) != 1 || tx.Signatures[0].String() != attempt.Signature ||
			tx.Message.RecentBlockhash.String() != attempt.Blockhash || tx.Message.AccountKeys[0] != house || len(attempt.Transaction) > 1232 {
			t.Errorf("%s: %v, %+v", name, err, tx)
		}
		pays := []step{{sol.SystemProgramID, []string{house.String(), string(to)},
			binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, 4_000_000)}}
		if name == "token" {
			pays = []step{
				{sol.SPLAssociatedTokenAccountProgramID, []string{
					house.String(), w.account(destination).String(), string(to), string(w.spl.Mint),
					sol.SystemProgramID.String(), sol.TokenProgramID.String(),
				}, []byte{1}},
				{sol.TokenProgramID, []string{
					w.account(house).String(), string(w.spl.Mint), w.account(destination).String(), house.String(),
				}, append(binary.LittleEndian.AppendUint64([]byte{12}, 4_000_000), decimals)},
			}
		}
		got := steps(t, tx)
		if len(got) != len(pays)+3 {
			t.Fatalf("%s: %d instructions", name, len(got))
		}
		memo := got[len(got)-2] // immediately before the transfer: Token-2022 looks for it there
		got = append(append([]step(nil), got[:len(got)-2]...), got[len(got)-1], memo)
		for i, want := range pays {
			if g := got[i+2]; g.program != want.program || string(g.data) != string(want.data) || strings.Join(g.accounts, " ") != strings.Join(want.accounts, " ") {
				t.Errorf("%s: instruction %d is %+v, want %+v", name, i+2, g, want)
			}
		}
		if memo.program != sol.MemoProgramID || string(memo.data) != "withdrawal-77" || len(memo.accounts) != 0 {
			t.Errorf("%s: the memo is %+v", name, memo)
		}
		if got[0].program != sol.ComputeBudget || got[0].data[0] != 2 || got[1].program != sol.ComputeBudget || got[1].data[0] != 3 {
			t.Errorf("%s: the budget is %+v and %+v", name, got[0], got[1])
		}
	}
}

func TestUnitLimitIsATenthAboveTheSimulation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for took, want := range map[int]uint32{1: 2, 10: 11, 1000: 1100, 1005: 1106, 1_400_000: 1_400_000} {
		w.spoiled(func(c call) *reply {
			if c.method != "simulateTransaction" {
				return nil
			}
			return c.result(map[string]any{"context": map[string]any{"slot": 1}, "value": map[string]any{"err": nil, "unitsConsumed": took}})
		})
		budget := steps(t, decoded(t, w.signed("w1", w.sol, 4_000_000, w.newWallet()).Transaction))[0]
		if got := binary.LittleEndian.Uint32(budget.data[1:]); got != want {
			t.Errorf("took %d, asks for %d, want %d", took, got, want)
		}
	}
}

func TestPriorityFeeFollowsTheMarketUpToItsCap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var locked []string
	prices := func(list ...uint64) {
		w.spoiled(func(c call) *reply {
			if c.method != "getRecentPrioritizationFees" {
				return nil
			}
			var asked struct{ Params [][]string }
			_ = json.Unmarshal(c.body, &asked)
			locked = asked.Params[0]
			blocks := make([]map[string]uint64, len(list))
			for i, price := range list {
				blocks[i] = map[string]uint64{"slot": uint64(i), "prioritizationFee": price}
			}
			return c.result(blocks)
		})
	}
	offered := func() (limit uint32, price uint64) {
		got := steps(t, decoded(t, w.signed("w1", w.spl, 4_000_000, fakes.Wallet("dave")).Transaction))
		return binary.LittleEndian.Uint32(got[0].data[1:]), binary.LittleEndian.Uint64(got[1].data[1:])
	}
	for want, list := range map[uint64][]uint64{0: {}, 7: {7}, 3: {4, 1, 2, 3}, 300: {100, 200, 300, 400, 0}} {
		prices(list...)
		if _, got := offered(); got != want {
			t.Errorf("of %v offers %d, want %d", list, got, want)
		}
	}
	for _, price := range []uint64{math.MaxUint64, 1_000_000_000_000} {
		prices(price)
		limit, got := offered()
		fee := (got*uint64(limit) + 999_999) / 1_000_000
		if fee > uint64(solana.DefaultPriorityFeeMax) || fee < uint64(solana.DefaultPriorityFeeMax)*99/100 {
			t.Errorf("at a market of %d it offers %d lamports", price, fee)
		}
	}
	house := w.treasury.PublicKey()
	dave := sol.MPK(string(fakes.Wallet("dave")))
	want := map[string]bool{house.String(): true, w.account(house).String(): true, w.account(dave).String(): true}
	for _, key := range locked {
		if !want[key] {
			t.Errorf("asked about %s, which it doesn't lock for writing", key)
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("didn't ask about %v", want)
	}
}

// TestNothingSignedLeavesBeforeSend watches every call that Sign makes.
func TestNothingSignedLeavesBeforeSend(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var bodies []string
	w.spoiled(func(c call) *reply {
		bodies = append(bodies, string(c.body))
		return nil
	})
	attempt := w.signed("w1", w.spl, 4_000_000, w.newWallet())
	simulated := false
	for _, body := range bodies {
		var asked struct {
			Method string
			Params []json.RawMessage
		}
		if err := json.Unmarshal([]byte(body), &asked); err != nil {
			t.Fatal(err)
		}
		if asked.Method == "sendTransaction" || strings.Contains(body, attempt.Signature) {
			t.Errorf("Sign sent %s", body)
		}
		if asked.Method != "simulateTransaction" {
			continue
		}
		simulated = true
		var text string
		_ = json.Unmarshal(asked.Params[0], &text)
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		if tx := decoded(t, raw); tx.Signatures[0] != (sol.Signature{}) {
			t.Error("what is simulated is signed")
		}
	}
	if !simulated {
		t.Error("nothing was simulated")
	}
}

func TestSendSendsTheSameBytesOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	attempt := w.signed("w1", w.spl, 4_000_000, w.newWallet())
	var sent string
	w.spoiled(func(c call) *reply {
		sent += string(c.body)
		return c.result(fakes.Signature("the node's own idea"))
	})
	if err := w.Send(t.Context(), attempt); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		base64.StdEncoding.EncodeToString(attempt.Transaction), `"skipPreflight":true`, `"maxRetries":0`, `"encoding":"base64"`,
	} {
		if strings.Count(sent, part) != 1 {
			t.Errorf("sent %s without %s", sent, part)
		}
	}
	for answer, fine := range map[string]bool{
		`{"code":-32002,"message":"Transaction simulation failed: This transaction has already been processed","data":{"err":"AlreadyProcessed"}}`: true,
		`{"code":-32002,"message":"failed","data":{"err":"AlreadyProcessed"}}`:                                                                     true,
		`{"code":-32002,"message":"Transaction simulation failed: Blockhash not found","data":{"err":"BlockhashNotFound"}}`:                        false,
		`{"code":-32005,"message":"Node is behind"}`:                                                                                               false,
	} {
		w.spoiled(func(c call) *reply {
			reply := c.result(nil)
			reply.body = []byte(strings.Replace(string(reply.body), `"result":null`, `"error":`+answer, 1))
			return reply
		})
		if err := w.Send(t.Context(), attempt); (err == nil) != fine {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

// badSigner returns responses that a broken or hostile signer might.
type badSigner struct {
	address wallet.Address
	sign    func(message []byte) ([]byte, error)
}

func (s badSigner) Address() wallet.Address                                { return s.address }
func (s badSigner) Sign(_ context.Context, message []byte) ([]byte, error) { return s.sign(message) }

func TestASignersSignatureIsVerified(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := ed25519.PrivateKey(w.treasury)
	for name, sign := range map[string]func([]byte) ([]byte, error){
		"an error":             func([]byte) ([]byte, error) { return nil, errors.New("locked") },
		"nothing":              func([]byte) ([]byte, error) { return nil, nil },
		"too much":             func(m []byte) ([]byte, error) { return append(ed25519.Sign(key, m), 0), nil },
		"another message's":    func(m []byte) ([]byte, error) { return ed25519.Sign(key, m[1:]), nil },
		"another key's":        func(m []byte) ([]byte, error) { return ed25519.Sign(fakes.Key("x"), m), nil },
		"of a changed message": func(m []byte) ([]byte, error) { m[len(m)-1] ^= 1; return ed25519.Sign(key, m), nil },
	} {
		node, err := solana.New(solana.Config{RPC: w.url, Treasury: badSigner{fakes.Wallet("treasury"), sign}, Tokens: []token.Terms{w.sol, w.spl}})
		if err != nil {
			t.Fatal(err)
		}
		if attempt, err := node.Sign(t.Context(), approved("w1", w.sol, 4_000_000, w.newWallet()), w.sol); err == nil {
			t.Errorf("%s: %+v", name, attempt)
		}
		node.Close()
	}
}

func TestDestinationsThatTheChainRefuses(t *testing.T) {
	t.Parallel()
	w := newRealWorld(t)
	mint := sol.MPK(string(w.spl.Mint))
	handed, frozen, funded := w.newWallet(), w.newWallet(), w.newWallet()
	for _, someone := range []wallet.Address{handed, frozen} {
		w.fund(someone, w.spl, 1)
	}
	key := w.keys[string(handed)]
	w.do(false, []sol.Instruction{spltoken.NewSetAuthorityInstruction(spltoken.AuthorityAccountOwner, w.authority.PublicKey(),
		w.account(key.PublicKey()), key.PublicKey(), nil).Build()}, key)
	w.do(false, []sol.Instruction{spltoken.NewFreezeAccountInstruction(w.account(sol.MPK(string(frozen))), mint, w.authority.PublicKey(), nil).Build()}, w.authority)
	// Lamports at the account's address don't give it an owner.
	w.airdrop(w.account(sol.MPK(string(funded))), 1_000_000)
	w.confirm()
	for _, bad := range []wallet.Address{handed, frozen} {
		if _, err := w.Sign(t.Context(), approved("w1", w.spl, 5, bad), w.spl); !fault.Is(err, fault.InvalidDestination) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	attempt := w.signed("w2", w.spl, 5, funded)
	if err := w.Send(t.Context(), attempt); err != nil {
		t.Fatal(err)
	}
	w.finalize()
	outcome, err := w.Outcome(t.Context(), attempt)
	if err != nil || outcome.Status != withdrawal.Finalized || outcome.Cost.Rent != 2_039_280-1_000_000 {
		t.Errorf("%+v, %v: the treasury added what was missing", outcome, err)
	}
}

func TestTheMissingRentIsReadFromTheNode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.spoiled(func(c call) *reply {
		if c.method == "getMinimumBalanceForRentExemption" {
			return c.result(3_000_000)
		}
		return nil
	})
	if _, err := w.Sign(t.Context(), approved("w1", w.sol, 2_999_999, w.newWallet()), w.sol); !fault.Is(err, fault.AmountOutOfRange) {
		t.Errorf("below what the node says: %v", err)
	}
	w.signed("w2", w.sol, 3_000_000, w.newWallet())
	old := w.newWallet()
	w.fund(old, w.sol, 1)
	w.confirm()
	w.signed("w3", w.sol, 1, old)
}

func TestFailedSimulationsSayWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for failure, want := range map[string]struct {
		kind fault.Kind
		text string
	}{
		`{"InsufficientFundsForRent":{"account_index":1}}`:  {fault.AmountOutOfRange, "too small"},
		`{"InsufficientFundsForRent":{"account_index":0}}`:  {fault.External, "account 0 would be left below"},
		`{"InsufficientFundsForRent":{"account_index":99}}`: {fault.External, "account 99"},
		`{"InstructionError":[3,{"Custom":1}]}`:             {fault.External, "instruction 3 (system program): insufficient lamports (error 1)"},
		`{"InstructionError":[2,"IllegalOwner"]}`:           {fault.External, "illegal owner"},
		`{"InstructionError":[200,{"Custom":6000}]}`:        {fault.External, "instruction 200: error 6000"},
		`{"InstructionError":[300,{"Custom":-1}]}`:          {fault.External, "InstructionError"},
		`"BlockhashNotFound"`:                               {fault.External, "blockhash not found"},
		`{"Something":["new"]}`:                             {fault.External, "Something"},
		`7`:                                                 {fault.External, "7"},
	} {
		w.spoiled(func(c call) *reply {
			if c.method != "simulateTransaction" {
				return nil
			}
			return c.result(map[string]any{"context": map[string]any{"slot": 1}, "value": map[string]any{"err": json.RawMessage(failure), "unitsConsumed": 5}})
		})
		_, err := w.Sign(t.Context(), approved("w1", w.sol, 4_000_000, fakes.Wallet("dave")), w.sol)
		if !fault.Is(err, want.kind) || !strings.Contains(err.Error(), want.text) {
			t.Errorf("%s: %v, want %q", failure, err, want.text)
		}
	}
	w.spoiled(func(c call) *reply {
		if c.method != "simulateTransaction" {
			return nil
		}
		return c.result(map[string]any{"context": map[string]any{"slot": 1}, "value": map[string]any{"err": json.RawMessage(`{"InstructionError":[2,"IllegalOwner"]}`)}})
	})
	if _, err := w.Sign(t.Context(), approved("w1", w.spl, 5, fakes.Wallet("dave")), w.spl); !fault.Is(err, fault.InvalidDestination) {
		t.Errorf("no account can be made: %v", err)
	}
}

func TestSignRefusesMixedUpTerms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.Sign(t.Context(), approved("w1", w.sol, 4_000_000, fakes.Wallet("dave")), w.spl); err == nil {
		t.Error("a withdrawal of SOL on the terms of another token")
	}
	long := approved(strings.Repeat("w", 2000), w.sol, 4_000_000, fakes.Wallet("dave"))
	if _, err := w.Sign(t.Context(), long, w.sol); err == nil {
		t.Error("a memo that doesn't fit a transaction")
	}
	other := w.spl
	other.Decimals = 9
	if _, err := w.Sign(t.Context(), approved("w1", w.spl, 5, fakes.Wallet("dave")), other); !fault.Is(err, fault.External) {
		t.Errorf("other decimals than the mint's: %v", err)
	}
}
