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
		`["isBlockhashValid"]`, `["getBlockTime"]`,
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

func TestSimulationChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	to := b.bob.PublicKey()
	tx := b.signedOver(solana.Hash{1}, list(pay(b.alice.PublicKey(), to, sol), b.transfer(5, b.alice.PublicKey())), b.alice)
	before := b.balance(to, rpc.CommitmentProcessed)
	got, err := b.client.SimulateTransactionWithOpts(t.Context(), tx, &rpc.SimulateTransactionOpts{
		ReplaceRecentBlockhash: true, Commitment: rpc.CommitmentProcessed,
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Value.Err != nil || *got.Value.Fee != 5_000 || *got.Value.UnitsConsumed == 0 || len(got.Value.Logs) == 0 || got.Value.ReplacementBlockhash == nil {
		t.Errorf("%+v", got.Value)
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

// FuzzTransaction sends bytes as a transaction: for any bytes the chain answers, and the
// sum of lamports stays the same.
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
