package localnet_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/simulated/localnet"
)

func TestJSONRPC(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for body, want := range map[string]string{
		``:                               `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
		`{`:                              `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
		`{"jsonrpc":"2.0","id":1} extra`: `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
		`[]`:                             `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}`,
		`"x"`:                            `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}`,
		`{"id":1,"method":"getHealth"}`:  `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}`,
		`{"jsonrpc":"2.0","id":{},"method":"getHealth"}`:             `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}`,
		`{"jsonrpc":"2.0","id":"a","method":"nothing"}`:              `{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"Method not found"}}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"getHealth"}`:            `{"jsonrpc":"2.0","id":1.5,"result":"ok"}`,
		`{"jsonrpc":"2.0","id":null,"method":"getHealth"}`:           `{"jsonrpc":"2.0","id":null,"result":"ok"}`,
		`{"jsonrpc":"2.0","method":"getHealth"}`:                     ``,
		`[{"jsonrpc":"2.0","id":7,"method":"getHealth"},3]`:          `[{"jsonrpc":"2.0","id":7,"result":"ok"},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}]`,
		`{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{}}`:    `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: expected an array"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"getFirstAvailableBlock"}`: `{"jsonrpc":"2.0","id":1,"result":0}`,
	} {
		if got := w.raw(body); got != want {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
	for _, params := range []string{
		`["getBalance"]`, `["getBalance","x"]`, `["getBalance",5]`, `["getBalance","11111111111111111111111111111111",{"commitment":"max"}]`,
		`["getAccountInfo","11111111111111111111111111111111",{"encoding":"rot13"}]`, `["getTransaction","1"]`,
		`["getMinimumBalanceForRentExemption",-1]`, `["getMinimumBalanceForRentExemption",10485761]`, `["sendTransaction","?"]`,
		`["sendTransaction","AA==",{"encoding":"base64"}]`, `["sendTransaction","",{"encoding":"base64"}]`, `["sendTransaction","",{"encoding":"hex"}]`,
		`["requestAirdrop","11111111111111111111111111111111"]`, `["getSignatureStatuses"]`, `["getSignatureStatuses",["x"]]`,
		`["getTokenAccountsByOwner","11111111111111111111111111111111",{}]`, `["getFeeForMessage","gA=="]`, `["getFeeForMessage",""]`,
		`["getTokenSupply","11111111111111111111111111111111"]`, `["getMultipleAccounts",["x"]]`, `["isBlockhashValid"]`, `["getBlockTime"]`,
	} {
		var all []json.RawMessage
		if err := json.Unmarshal([]byte(params), &all); err != nil {
			t.Fatal(err)
		}
		rest, _ := json.Marshal(all[1:])
		if got := w.raw(`{"jsonrpc":"2.0","id":1,"method":` + string(all[0]) + `,"params":` + string(rest) + `}`); !strings.Contains(got, "-32602") {
			t.Errorf("%s: %s", params, got)
		}
	}
}

func TestHTTP(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	do := func(method, path, body string) *httptest.ResponseRecorder {
		recorder := httptest.NewRecorder()
		w.chain.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body)))
		return recorder
	}
	if got := do("GET", "/", ""); got.Code != http.StatusMethodNotAllowed || got.Header().Get("Allow") == "" {
		t.Errorf("GET: %d", got.Code)
	}
	if got := do("GET", "/health", ""); got.Code != http.StatusOK || got.Body.String() != "ok" {
		t.Errorf("health: %d %s", got.Code, got.Body)
	}
	if got := do("OPTIONS", "/", ""); got.Code != http.StatusNoContent || got.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("preflight: %d", got.Code)
	}
	if got := do("POST", "/", strings.Repeat(" ", 300<<10)); got.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a long body: %d", got.Code)
	}
	if got := do("POST", "/", "["+strings.Repeat("1,", 100)+"1]"); !strings.Contains(got.Body.String(), "too many calls") {
		t.Errorf("a long batch: %s", got.Body)
	}
}

func TestAccountViews(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	b.clock.slots(40)
	show := func(key solana.PublicKey, options string) string {
		return b.raw(`{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["` + key.String() + `",` + options + `]}`)
	}
	for options, want := range map[string]string{
		`{"encoding":"jsonParsed"}`:                                            `"uiAmountString":"0.001"`,
		`{"encoding":"base64","dataSlice":{"offset":64,"length":8}}`:           base64.StdEncoding.EncodeToString([]byte{0xe8, 3, 0, 0, 0, 0, 0, 0}),
		`{"encoding":"base64","dataSlice":{"offset":999,"length":9999999999}}`: `"data":["","base64"]`,
		`{"encoding":"base58"}`:                                                `-32600`,
		`{"encoding":"base64+zstd"}`:                                           `base64+zstd`,
	} {
		if got := show(b.from, options); !strings.Contains(got, want) {
			t.Errorf("%s: %s lacks %s", options, got, want)
		}
	}
	if got := show(b.mint, `{"encoding":"jsonParsed"}`); !strings.Contains(got, `"supply":"1000"`) || !strings.Contains(got, `"type":"mint"`) {
		t.Error(got)
	}
	if got := show(b.key().PublicKey(), `{}`); !strings.HasSuffix(got, `"value":null}}`) {
		t.Error(got)
	}
	many := b.raw(`{"jsonrpc":"2.0","id":1,"method":"getMultipleAccounts","params":[["` + b.from.String() + `","` + b.key().PublicKey().String() + `"],{"encoding":"jsonParsed"}]}`)
	if !strings.Contains(many, `"spl-token"`) || !strings.HasSuffix(many, `,null]}}`) {
		t.Error(many)
	}
	all, err := b.client.GetTokenAccountsByOwner(t.Context(), b.alice.PublicKey(), &rpc.GetTokenAccountsConfig{ProgramId: &solana.TokenProgramID}, &rpc.GetTokenAccountsOpts{Encoding: solana.EncodingBase64})
	if err != nil || len(all.Value) != 1 || all.Value[0].Pubkey != b.from {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestSimulationChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	to := b.bob.PublicKey()
	tx := b.signedOver(solana.Hash{1}, list(pay(b.alice.PublicKey(), to, sol), b.transfer(5, b.alice.PublicKey())), b.alice)
	before := b.balance(to, rpc.CommitmentProcessed)
	got, err := b.client.SimulateTransactionWithOpts(t.Context(), tx, &rpc.SimulateTransactionOpts{
		ReplaceRecentBlockhash: true, Commitment: rpc.CommitmentProcessed,
		Accounts: &rpc.SimulateTransactionAccountsOpts{Addresses: []solana.PublicKey{to, b.key().PublicKey()}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Value.Err != nil || *got.Value.Fee != 5_000 || *got.Value.UnitsConsumed == 0 || len(got.Value.Logs) == 0 || got.Value.ReplacementBlockhash == nil {
		t.Errorf("%+v", got.Value)
	}
	if got.Value.Accounts[0].Lamports != before+sol || got.Value.Accounts[1] != nil {
		t.Errorf("accounts after: %+v", got.Value.Accounts)
	}
	b.has(to, before)
	b.tokens(b.to, 0)
	plain, err := b.client.SimulateTransactionWithOpts(t.Context(), tx, &rpc.SimulateTransactionOpts{Commitment: rpc.CommitmentProcessed})
	if err != nil || plain.Value.Err != "BlockhashNotFound" {
		t.Errorf("over an unknown blockhash: %+v, %v", plain, err)
	}
}

func TestAirdropsAlikeAreTwo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	to := w.key().PublicKey()
	for range 3 {
		if _, err := w.client.RequestAirdrop(t.Context(), to, sol, rpc.CommitmentProcessed); err != nil {
			t.Fatal(err)
		}
	}
	w.has(to, 3*sol)
	if _, err := w.client.RequestAirdrop(t.Context(), w.key().PublicKey(), 1, rpc.CommitmentProcessed); err == nil {
		t.Error("an airdrop below rent was taken")
	}
}

func TestConcurrentRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	to := w.key().PublicKey()
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			if _, err := w.client.RequestAirdrop(t.Context(), to, sol, rpc.CommitmentProcessed); err != nil {
				t.Error(err)
			}
			w.balance(to, rpc.CommitmentConfirmed)
		})
	}
	group.Wait()
	w.has(to, 16*sol)
}

// The slot of a fee's block is listed with the lowest price that locked the account.
func TestPrioritizationFees(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fees, err := w.client.GetRecentPrioritizationFees(t.Context(), solana.PublicKeySlice{w.key().PublicKey()})
	if err != nil || len(fees) == 0 {
		t.Fatalf("%v, %v", fees, err)
	}
	for _, fee := range fees {
		if fee.PrioritizationFee != 0 {
			t.Errorf("nothing paid %+v", fee)
		}
	}
}

// FuzzTransaction sends bytes as a transaction: whatever they are, the chain
// answers, and lamports stay as many as they were.
func FuzzTransaction(f *testing.F) {
	c := newClock()
	chain, err := localnet.Open(localnet.Config{Now: c.Now, Random: seeded(f, 3)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{})
	f.Add([]byte{0x81})
	f.Add([]byte{1})
	f.Add(append([]byte{1}, make([]byte, 64+3+1+32)...))
	f.Add(append([]byte{1}, append(make([]byte, 64), 0x80, 1, 0, 0, 1)...))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, method := range []string{"sendTransaction", "simulateTransaction"} {
			body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": []any{
				base64.StdEncoding.EncodeToString(raw), map[string]string{"encoding": "base64"},
			}})
			if err != nil {
				t.Fatal(err)
			}
			recorder := httptest.NewRecorder()
			chain.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(context.Background(), "POST", "/", strings.NewReader(string(body))))
			if !json.Valid(recorder.Body.Bytes()) {
				t.Errorf("answered %s", recorder.Body)
			}
		}
	})
}
