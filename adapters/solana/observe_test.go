package solana_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// judged observes a finalized transaction and judges it for a claimant.
func (w *world) judged(signature string, claimant wallet.Address, terms token.Terms) deposit.Verdict {
	w.Helper()
	w.finalize()
	seen, err := w.Observe(w.Context(), signature)
	if err != nil {
		w.Fatal(err)
	}
	where, err := w.Treasury(terms)
	if err != nil {
		w.Fatal(err)
	}
	return deposit.Judge(seen, claimant, terms, where)
}

func (w *world) wants(got deposit.Verdict, status deposit.Status, reason deposit.Reason, amount money.Amount) {
	w.Helper()
	if got.Status != status || got.Reason != reason || got.Amount != amount {
		w.Errorf("%+v, want %s %q of %d", got, status, reason, amount)
	}
}

// TestAttacksOnDeposits lands attackers' transactions and checks who is credited.
func TestAttacksOnDeposits(t *testing.T) {
	t.Parallel()
	const units = 5_000_000
	w := newRealWorld(t)
	attacker, victim := w.newWallet(), w.newWallet()
	for _, someone := range []wallet.Address{attacker, victim} {
		w.fund(someone, w.spl, 10*units)
		w.fund(someone, w.sol, 10*units)
	}
	a, v := w.keys[string(attacker)], w.keys[string(victim)]
	house := w.treasury.PublicKey()
	pays := func(from sol.PrivateKey, terms token.Terms) sol.Instruction {
		return w.transfer(terms, from.PublicKey(), house, units)
	}

	t.Log("the first signer pays the fee alone")
	signature := w.do(false, []sol.Instruction{pays(v, w.spl)}, a, v)
	w.wants(w.judged(signature, attacker, w.spl), deposit.Rejected, deposit.NotSender, 0)
	w.wants(w.judged(signature, victim, w.spl), deposit.Credited, "", units)

	t.Log("a memo names the attacker")
	memo := sol.NewInstruction(sol.MemoProgramID, nil, []byte("deposit of "+string(attacker)))
	signature = w.do(false, []sol.Instruction{pays(v, w.spl), memo}, v)
	w.wants(w.judged(signature, attacker, w.spl), deposit.Rejected, deposit.NotSender, 0)

	t.Log("a delegate moves the victim's money")
	w.do(false, []sol.Instruction{spltoken.NewApproveInstruction(units, w.account(v.PublicKey()), a.PublicKey(), v.PublicKey(), nil).Build()}, v)
	moves := spltoken.NewTransferCheckedInstruction(units, decimals, w.account(v.PublicKey()), sol.MPK(string(w.spl.Mint)),
		w.account(house), a.PublicKey(), nil).Build()
	signature = w.do(false, []sol.Instruction{moves}, a)
	w.wants(w.judged(signature, attacker, w.spl), deposit.Rejected, deposit.NotSender, 0)
	w.wants(w.judged(signature, victim, w.spl), deposit.Rejected, deposit.NotSender, 0)

	t.Log("two pay in one transaction")
	signature = w.do(false, []sol.Instruction{pays(a, w.spl), pays(v, w.spl)}, a, v)
	w.wants(w.judged(signature, attacker, w.spl), deposit.Review, deposit.SeveralSenders, 2*units)
	signature = w.do(false, []sol.Instruction{pays(a, w.sol), pays(v, w.sol)}, a, v)
	w.wants(w.judged(signature, attacker, w.sol), deposit.Review, deposit.SeveralSenders, 2*units)

	t.Log("one transaction pays two tokens")
	signature = w.do(false, []sol.Instruction{pays(a, w.sol), pays(a, w.spl)}, a)
	w.wants(w.judged(signature, attacker, w.sol), deposit.Credited, "", units)
	w.wants(w.judged(signature, attacker, w.spl), deposit.Credited, "", units)

	t.Log("the treasury's own payments are nobody's deposit")
	signature = w.do(false, []sol.Instruction{pays(a, w.sol)}, w.treasury, a)
	w.wants(w.judged(signature, attacker, w.sol), deposit.Rejected, deposit.TreasurySigned, 0)

	t.Log("an account full of money is handed over to the treasury")
	signature = w.do(false, []sol.Instruction{
		spltoken.NewSetAuthorityInstruction(spltoken.AuthorityAccountOwner, house, w.account(a.PublicKey()), a.PublicKey(), nil).Build(),
	}, a)
	w.wants(w.judged(signature, attacker, w.spl), deposit.Rejected, deposit.NoCredit, 0)
}

func TestWrappedSOLIsInReview(t *testing.T) {
	t.Parallel()
	const units = 50_000_000
	w := newRealWorld(t)
	player := w.newWallet()
	w.fund(player, w.sol, 10*units)
	key, house := w.keys[string(player)], w.treasury.PublicKey()
	own, _, err := sol.FindAssociatedTokenAddress(key.PublicKey(), sol.WrappedSol)
	if err != nil {
		t.Fatal(err)
	}
	wrap := []sol.Instruction{
		associatedtoken.NewCreateIdempotentInstruction(key.PublicKey(), key.PublicKey(), sol.WrappedSol).Build(),
		system.NewTransferInstruction(units, key.PublicKey(), own).Build(),
		spltoken.NewSyncNativeInstruction(own).Build(),
	}
	w.do(false, wrap, key)
	signature := w.do(false, []sol.Instruction{
		spltoken.NewCloseAccountInstruction(own, house, key.PublicKey(), nil).Build(),
	}, key)
	w.wants(w.judged(signature, player, w.sol), deposit.Review, deposit.WrappedSOL, units+2_039_280)

	before := w.holding()
	w.do(false, wrap, key)
	theirs, _, err := sol.FindAssociatedTokenAddress(house, sol.WrappedSol)
	if err != nil {
		t.Fatal(err)
	}
	signature = w.do(false, []sol.Instruction{
		associatedtoken.NewCreateIdempotentInstruction(key.PublicKey(), house, sol.WrappedSol).Build(),
		spltoken.NewTransferCheckedInstruction(units, 9, own, sol.WrappedSol, theirs, key.PublicKey(), nil).Build(),
	}, key)
	w.wants(w.judged(signature, player, w.sol), deposit.Review, deposit.WrappedSOL, units)
	if gained := w.holding() - before; gained != units {
		t.Errorf("the treasury holds %d more, want %d", gained, units)
	}
	page, err := w.Since(t.Context(), w.sol, "", ports.HistoryMax)
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for _, entry := range page.Entries {
		if entry.Signature == signature {
			listed++
		}
	}
	if listed != 1 { // it names the treasury's wallet and its account of wrapped SOL
		t.Errorf("the payment is listed %d times", listed)
	}

	w.do(false, wrap, key)
	signature = w.do(false, []sol.Instruction{
		spltoken.NewTransferCheckedInstruction(units, 9, own, sol.WrappedSol, theirs, key.PublicKey(), nil).Build(),
	}, key)
	w.finalize()
	if page, err = w.Since(t.Context(), w.sol, "", ports.HistoryMax); err != nil || page.Entries[len(page.Entries)-1].Signature != signature {
		t.Errorf("a payment that names the account of wrapped SOL alone is not listed last: %v, %+v", err, page.Entries)
	}
}

func (w *world) holding() money.Amount {
	w.Helper()
	held, err := w.Holding(w.Context(), w.sol)
	if err != nil {
		w.Fatal(err)
	}
	return held
}

// TestTheCallsOfAnObservation compares the calls with what the rules need.
func TestTheCallsOfAnObservation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	player := w.newWallet()
	w.fund(player, w.sol, 50_000_000)
	signature := w.deposit(player, w.sol, 1_000_000, false)
	w.finalize()
	asked := map[string]string{}
	w.spoiled(func(c call) *reply {
		var call struct{ Params json.RawMessage }
		_ = json.Unmarshal(c.body, &call)
		asked[c.method] = string(call.Params)
		return nil
	})
	if _, err := w.Observe(t.Context(), signature); err != nil {
		t.Fatal(err)
	}
	for method, parts := range map[string][]string{
		"getSignatureStatuses": {`"searchTransactionHistory":true`},
		"getTransaction":       {`"commitment":"finalized"`, `"encoding":"base64"`, `"maxSupportedTransactionVersion":1`},
	} {
		for _, part := range append(parts, signature) {
			if !strings.Contains(asked[method], part) {
				t.Errorf("%s was asked with %s, without %s", method, asked[method], part)
			}
		}
	}
}

// crafted is a transaction with its meta, as a node could show it.
type crafted struct {
	tx        *sol.Transaction
	raw       []byte
	signature string
	answer    map[string]any
	meta      map[string]any
}

// craft makes a v0 transaction whose treasury account comes from a lookup table.
func (w *world) craft(version sol.MessageVersion) *crafted {
	w.Helper()
	key := sol.PrivateKey(fakes.Key("crafter"))
	house, table := w.treasury.PublicKey(), sol.PrivateKey(fakes.Key("table")).PublicKey()
	readonly := sol.PrivateKey(fakes.Key("readonly")).PublicKey()
	options := []sol.TransactionOption{sol.TransactionPayer(key.PublicKey()), sol.TransactionMessageVersion(version)}
	loaded := map[string]any{"writable": []string{}, "readonly": []string{}}
	pre, post := []uint64{9_000_000, 77, 12, 1}, []uint64{3_000_000, 5_077, 12, 1}
	if version == sol.MessageVersionV0 {
		options = append(options, sol.TransactionAddressTables(map[sol.PublicKey]sol.PublicKeySlice{table: {readonly, house}}))
		loaded = map[string]any{"writable": []string{house.String()}, "readonly": []string{readonly.String()}}
		pre, post = []uint64{9_000_000, 1, 77, 12}, []uint64{3_000_000, 1, 5_077, 12}
	}
	pay := sol.NewInstruction(sol.SystemProgramID, sol.AccountMetaSlice{
		sol.Meta(key.PublicKey()).WRITE().SIGNER(), sol.Meta(house).WRITE(), sol.Meta(readonly),
	}, nil)
	tx, err := sol.NewTransaction([]sol.Instruction{pay}, sol.Hash{1}, options...)
	if err != nil {
		w.Fatal(err)
	}
	if _, err := tx.Sign(func(sol.PublicKey) *sol.PrivateKey { return &key }); err != nil {
		w.Fatal(err)
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		w.Fatal(err)
	}
	c := &crafted{tx: tx, raw: raw, signature: tx.Signatures[0].String()}
	c.meta = map[string]any{
		"err": nil, "fee": 5000, "preBalances": pre, "postBalances": post,
		"preTokenBalances": []any{}, "postTokenBalances": []any{}, "loadedAddresses": loaded,
	}
	c.answer = map[string]any{
		"slot": 7, "transaction": []string{base64.StdEncoding.EncodeToString(raw), "base64"}, "meta": c.meta,
	}
	return c
}

// shows makes the node show the crafted transaction as finalized.
func (w *world) shows(c *crafted) {
	w.spoiled(func(asked call) *reply {
		switch asked.method {
		case "getSignatureStatuses":
			return asked.result(map[string]any{"context": map[string]any{"slot": 9}, "value": []any{
				map[string]any{"slot": 7, "confirmations": nil, "err": c.meta["err"], "confirmationStatus": "finalized"},
			}})
		case "getTransaction":
			return asked.result(c.answer)
		}
		return nil
	})
}

func TestAddressesFromLookupTablesComeAfterTheMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, version := range map[string]sol.MessageVersion{"v0": sol.MessageVersionV0, "v1": sol.MessageVersionV1} {
		c := w.craft(version)
		w.shows(c)
		seen, err := w.Observe(t.Context(), c.signature)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		house := w.treasury.PublicKey().String()
		found := false
		for _, l := range seen.Lamports {
			found = found || l == deposit.LamportChange{Address: house, Pre: 77, Post: 5_077}
		}
		sender := wallet.Address(sol.PrivateKey(fakes.Key("crafter")).PublicKey().String())
		verdict := deposit.Judge(seen, sender, w.sol, deposit.Treasury{Owner: house})
		if !found || verdict.Status != deposit.Credited || verdict.Amount != 5_000 || !seen.Finalized || len(seen.Signers) != 1 {
			t.Errorf("%s: %+v, judged %+v", name, seen, verdict)
		}
	}
}

// TestImpossibleResponses are refused, each alone, and never read as a deposit or as
// "not found".
func TestImpossibleResponses(t *testing.T) {
	t.Parallel()
	balance := func(index int, units string) map[string]any {
		return map[string]any{
			"accountIndex": index, "mint": string(fakes.Mint("usd")), "owner": string(fakes.Wallet("a")),
			"programId": sol.TokenProgramID.String(), "uiTokenAmount": map[string]any{"amount": units, "decimals": 6},
		}
	}
	without := func(b map[string]any, member string) map[string]any {
		delete(b, member)
		return b
	}
	for name, spoil := range map[string]func(*crafted){
		"another transaction": func(c *crafted) { c.signature = fakes.Signature("asked") },
		"a flipped bit": func(c *crafted) {
			c.raw[len(c.raw)-1] ^= 1
			c.answer["transaction"] = []string{base64.StdEncoding.EncodeToString(c.raw), "base64"}
		},
		"bytes behind the end": func(c *crafted) {
			c.answer["transaction"] = []string{base64.StdEncoding.EncodeToString(append(c.raw, 0)), "base64"}
		},
		"no bytes":           func(c *crafted) { c.answer["transaction"] = []string{"", "base64"} },
		"no base64":          func(c *crafted) { c.answer["transaction"] = []string{"!", "base64"} },
		"another encoding":   func(c *crafted) { c.answer["transaction"] = []string{"1", "base58"} },
		"no slot":            func(c *crafted) { delete(c.answer, "slot") },
		"no error member":    func(c *crafted) { delete(c.meta, "err") },
		"no fee":             func(c *crafted) { delete(c.meta, "fee") },
		"no meta":            func(c *crafted) { delete(c.answer, "meta") },
		"a null meta":        func(c *crafted) { c.answer["meta"] = nil },
		"a balance missing":  func(c *crafted) { c.meta["postBalances"] = []uint64{1, 2, 3} },
		"no balances":        func(c *crafted) { delete(c.meta, "preBalances") },
		"a balance too many": func(c *crafted) { c.meta["preBalances"] = []uint64{1, 2, 3, 4, 5} },
		"a negative balance": func(c *crafted) { c.meta["preBalances"] = []int{1, 2, 3, -4} },
		"a loaded address missing": func(c *crafted) {
			c.meta["loadedAddresses"] = map[string]any{"writable": []string{}, "readonly": []string{}}
		},
		"no loaded addresses": func(c *crafted) { delete(c.meta, "loadedAddresses") },
		"an address too short": func(c *crafted) {
			c.meta["loadedAddresses"] = map[string]any{"writable": []string{"1"}, "readonly": []string{"1"}}
		},
		"a token balance of nobody": func(c *crafted) { c.meta["postTokenBalances"] = []any{balance(4, "1")} },
		"a negative index":          func(c *crafted) { c.meta["postTokenBalances"] = []any{balance(-1, "1")} },
		"a token balance twice":     func(c *crafted) { c.meta["postTokenBalances"] = []any{balance(1, "1"), balance(1, "2")} },
		"a token amount as a float": func(c *crafted) { c.meta["postTokenBalances"] = []any{balance(1, "1e3")} },
		"a token amount too large":  func(c *crafted) { c.meta["postTokenBalances"] = []any{balance(1, "18446744073709551616")} },
		"a token without owner":     func(c *crafted) { c.meta["postTokenBalances"] = []any{without(balance(1, "1"), "owner")} },
		"a token without program":   func(c *crafted) { c.meta["preTokenBalances"] = []any{without(balance(1, "1"), "programId")} },
		"a token without amount":    func(c *crafted) { c.meta["preTokenBalances"] = []any{without(balance(1, "1"), "uiTokenAmount")} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.craft(sol.MessageVersionV0)
			spoil(c)
			w.shows(c)
			seen, err := w.Observe(t.Context(), c.signature)
			if !fault.Is(err, fault.External) || seen.Finalized || len(seen.Lamports) > 0 {
				t.Errorf("%+v, %v", seen, err)
			}
		})
	}
}

func TestStatusAndLedgerMustAgree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	player := w.newWallet()
	w.fund(player, w.sol, 50_000_000)
	signature := w.deposit(player, w.sol, 1_000_000, false)
	w.finalize()
	for name, r := range map[string]struct {
		spoil func(call) *reply
		want  error
	}{
		"the ledger doesn't have it yet": {func(c call) *reply {
			if c.method == "getTransaction" {
				return c.result(nil)
			}
			return nil
		}, nil},
		"the status says it failed": {func(c call) *reply {
			if c.method == "getSignatureStatuses" {
				return c.result(map[string]any{"context": map[string]any{"slot": 9}, "value": []any{
					map[string]any{"slot": 7, "err": "AccountNotFound", "confirmationStatus": "finalized"},
				}})
			}
			return nil
		}, fault.New(fault.External, "")},
		"two statuses for one signature": {func(c call) *reply {
			if c.method == "getSignatureStatuses" {
				return c.result(map[string]any{"context": map[string]any{"slot": 9}, "value": []any{nil, nil}})
			}
			return nil
		}, fault.New(fault.External, "")},
		"no status at all": {func(c call) *reply {
			if c.method == "getSignatureStatuses" {
				return c.result(map[string]any{})
			}
			return nil
		}, fault.New(fault.External, "")},
		"a version that isn't spoken": {func(c call) *reply {
			if c.method == "getTransaction" {
				body := strings.Replace(string(c.result(nil).body), `"result":null`, `"error":{"code":-32015,"message":"Transaction version (2) is not supported"}`, 1)
				return &reply{status: http.StatusOK, body: []byte(body)}
			}
			return nil
		}, fault.New(fault.External, "")},
	} {
		w.spoiled(r.spoil)
		seen, err := w.Observe(t.Context(), signature)
		if seen.Finalized || (err == nil) != (r.want == nil) || err != nil && !fault.Is(err, fault.External) {
			t.Errorf("%s: %+v, %v", name, seen, err)
		}
	}
	w.spoiled(nil)
	if seen, err := w.Observe(t.Context(), signature); err != nil || !seen.Finalized {
		t.Errorf("%+v, %v", seen, err)
	}
}
