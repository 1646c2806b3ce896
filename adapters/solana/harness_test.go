package solana_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	sol "github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/validator"
)

const (
	plenty   = 1_000_000_000_000
	decimals = 6
)

// network is a chain that tests drive: localnet's simulation or the real runtime.
type network interface {
	Airdrop(to sol.PublicKey, lamports uint64) (sol.Signature, error)
	CreateMint(authority sol.PrivateKey, decimals uint8) (sol.PublicKey, error)
	MintTo(authority sol.PrivateKey, mint, owner sol.PublicKey, amount uint64) (sol.PublicKey, error)
	Submit(signed *sol.Transaction) (sol.Signature, error)
	Handler() http.Handler
}

// world is a chain with the adapter connected to it through a proxy that tests make
// fail.
type world struct {
	testing.TB
	*solana.Node
	clock               *fakes.Clock
	chain               network
	direct              *rpc.Client // past the proxy
	url                 string      // of the proxy
	treasury, authority sol.PrivateKey
	keys                map[string]sol.PrivateKey
	sol, spl            token.Terms

	mu       sync.Mutex
	spoil    func(call) *reply
	spoiling sync.Mutex
}

// call is one that passes the proxy.
type call struct {
	method string
	body   []byte
	// pass carries the call out and returns the node's answer.
	pass func() []byte
}

// reply is what the proxy returns instead of the node; drop cuts the connection.
type reply struct {
	status int
	body   []byte
	drop   bool
}

// newWorld is a world on the simulated chain.
func newWorld(t testing.TB) *world {
	t.Helper()
	clock := fakes.NewClock(fakes.Start)
	chain, err := localnet.Open(localnet.Config{Now: clock.Now, Random: rand.NewChaCha8([32]byte{7})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = chain.Close() })
	return worldOn(t, clock, chain)
}

// newRealWorld is a world on Solana's own runtime.
func newRealWorld(t testing.TB) *world {
	t.Helper()
	clock := fakes.NewClock(fakes.Start)
	return worldOn(t, clock, validator.Start(t, clock.Now))
}

func worldOn(t testing.TB, clock *fakes.Clock, chain network) *world {
	t.Helper()
	w := &world{TB: t, clock: clock, chain: chain, keys: map[string]sol.PrivateKey{}}
	behind := httptest.NewServer(chain.Handler())
	proxy := httptest.NewServer(http.HandlerFunc(w.proxy))
	t.Cleanup(func() {
		proxy.Close()
		behind.Close()
	})
	w.direct, w.url = rpc.New(behind.URL), proxy.URL
	w.treasury, w.authority = sol.PrivateKey(fakes.Key("treasury")), sol.PrivateKey(fakes.Key("authority"))
	w.airdrop(w.treasury.PublicKey(), plenty)
	w.airdrop(w.authority.PublicKey(), plenty)
	mint, err := chain.CreateMint(w.authority, decimals)
	if err != nil {
		t.Fatal(err)
	}
	w.sol = token.Terms{Mint: money.SOL, Decimals: 9, Program: token.System, MinDeposit: 1}
	w.spl = token.Terms{Mint: money.Token(mint.String()), Decimals: decimals, Program: token.SPL, MinDeposit: 1}
	w.mint(w.treasury.PublicKey(), plenty)
	w.slots(40)
	w.Node = w.node(w.url)
	return w
}

// node makes an adapter that asks at a URL.
func (w *world) node(url string) *solana.Node {
	w.Helper()
	node, err := solana.New(solana.Config{
		RPC: url, Treasury: w.pair(), Tokens: []token.Terms{w.sol, w.spl},
		// Retries are off here; tests of pauses set their own.
		Timeouts: solana.Timeouts{Tries: 1, BreakAfter: math.MaxUint32},
	})
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(node.Close)
	return node
}

// pair is the treasury's keypair.
func (w *world) pair() solana.Keypair {
	w.Helper()
	pair, err := solana.NewKeypair(ed25519.PrivateKey(w.treasury))
	if err != nil {
		w.Fatal(err)
	}
	return pair
}

// proxy passes a call on, unless it was set to spoil it.
func (w *world) proxy(out http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	if err != nil {
		return
	}
	var named struct{ Method string }
	_ = json.Unmarshal(body, &named) // a body that isn't JSON has no method
	passed := call{method: named.Method, body: body, pass: func() []byte {
		recorder := httptest.NewRecorder()
		w.chain.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body)))
		return recorder.Body.Bytes()
	}}
	instead := w.insteadOf(passed)
	switch {
	case instead == nil:
		instead = &reply{status: http.StatusOK, body: passed.pass()}
	case instead.drop:
		panic(http.ErrAbortHandler)
	}
	out.WriteHeader(instead.status)
	_, _ = out.Write(instead.body)
}

// insteadOf calls the spoiler for one call at a time: calls to a node run in parallel, and
// spoilers count.
func (w *world) insteadOf(passed call) *reply {
	w.mu.Lock()
	spoil := w.spoil
	w.mu.Unlock()
	if spoil == nil {
		return nil
	}
	w.spoiling.Lock()
	defer w.spoiling.Unlock()
	return spoil(passed)
}

// spoiled sets what the proxy does with later calls; nil from the function passes one
// on, and a nil function passes all.
func (w *world) spoiled(spoil func(call) *reply) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spoil = spoil
}

// result is an answer of the node's with the result replaced.
func (c call) result(result any) *reply {
	var asked struct{ ID json.RawMessage }
	_ = json.Unmarshal(c.body, &asked)
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": result})
	if err != nil {
		panic(err)
	}
	return &reply{status: http.StatusOK, body: body}
}

// slots moves the chain on.
func (w *world) slots(count int) {
	w.clock.Advance(time.Duration(count) * localnet.DefaultSlotDuration)
}

func (w *world) airdrop(to sol.PublicKey, lamports uint64) {
	w.Helper()
	if _, err := w.chain.Airdrop(to, lamports); err != nil {
		w.Fatal(err)
	}
}

func (w *world) mint(owner sol.PublicKey, units uint64) {
	w.Helper()
	if _, err := w.chain.MintTo(w.authority, sol.MPK(string(w.spl.Mint)), owner, units); err != nil {
		w.Fatal(err)
	}
}

func (w *world) newWallet() wallet.Address {
	key := sol.PrivateKey(fakes.Key(fmt.Sprintf("wallet %d", len(w.keys))))
	w.keys[key.PublicKey().String()] = key
	return wallet.Address(key.PublicKey().String())
}

func (w *world) fund(to wallet.Address, terms token.Terms, amount money.Amount) {
	w.Helper()
	const beside = 10_000_000
	owner := sol.MPK(string(to))
	if terms.Program == token.System {
		w.airdrop(owner, uint64(amount)+beside)
		return
	}
	w.airdrop(owner, beside)
	w.mint(owner, uint64(amount))
}

func (w *world) account(owner sol.PublicKey) sol.PublicKey {
	w.Helper()
	account, _, err := sol.FindAssociatedTokenAddress(owner, sol.MPK(string(w.spl.Mint)))
	if err != nil {
		w.Fatal(err)
	}
	return account
}

// transfer is a payment of a token between wallets that have accounts for it.
func (w *world) transfer(terms token.Terms, from, to sol.PublicKey, units uint64) sol.Instruction {
	w.Helper()
	if terms.Program == token.System {
		return system.NewTransferInstruction(units, from, to).Build()
	}
	return spltoken.NewTransferCheckedInstruction(units, decimals, w.account(from), sol.MPK(string(w.spl.Mint)),
		w.account(to), from, nil).Build()
}

// do lands a transaction and returns its signature; a failure must be expected.
func (w *world) do(fails bool, instructions []sol.Instruction, keys ...sol.PrivateKey) string {
	w.Helper()
	latest, err := w.direct.GetLatestBlockhash(w.Context(), rpc.CommitmentProcessed)
	if err != nil {
		w.Fatal(err)
	}
	built, err := sol.NewTransaction(instructions, latest.Value.Blockhash, sol.TransactionPayer(keys[0].PublicKey()))
	if err != nil {
		w.Fatal(err)
	}
	if _, err := built.Sign(func(wanted sol.PublicKey) *sol.PrivateKey {
		for i := range keys {
			if keys[i].PublicKey() == wanted {
				return &keys[i]
			}
		}
		return nil
	}); err != nil {
		w.Fatal(err)
	}
	signature, err := w.chain.Submit(built)
	if (err != nil) != fails {
		w.Fatalf("landing a transaction: %v", err)
	}
	return signature.String()
}

func (w *world) deposit(from wallet.Address, terms token.Terms, amount money.Amount, fails bool) string {
	w.Helper()
	key, units := w.keys[string(from)], uint64(amount)
	if fails {
		units = plenty
	}
	return w.do(fails, []sol.Instruction{w.transfer(terms, key.PublicKey(), w.treasury.PublicKey(), units)}, key)
}

// pay signs a transaction with the wallet's key alone and sends it.
func (w *world) pay(from wallet.Address, raw []byte) (signature string, landed bool) {
	w.Helper()
	key := w.keys[string(from)]
	built, err := sol.TransactionFromBytes(raw)
	if err != nil {
		w.Fatal(err)
	}
	built.Signatures = nil
	if _, err := built.Sign(func(sol.PublicKey) *sol.PrivateKey { return &key }); err != nil {
		w.Fatal(err)
	}
	_, err = w.chain.Submit(built)
	return built.Signatures[0].String(), err == nil
}

// held is what an address holds in the newest block.
func (w *world) held(address string, terms token.Terms) money.Amount {
	w.Helper()
	owner := sol.MPK(address)
	if terms.Program == token.System {
		answer, err := w.direct.GetBalance(w.Context(), owner, rpc.CommitmentProcessed)
		if err != nil {
			w.Fatal(err)
		}
		return money.Amount(answer.Value)
	}
	answer, err := w.direct.GetTokenAccountBalance(w.Context(), w.account(owner), rpc.CommitmentProcessed)
	if err != nil {
		return 0
	}
	var units money.Amount
	if _, err := fmt.Sscan(answer.Value.Amount, &units); err != nil {
		w.Fatal(err)
	}
	return units
}

func (w *world) drain(terms token.Terms) {
	w.Helper()
	all := w.held(w.treasury.PublicKey().String(), terms)
	if terms.Program == token.System {
		all -= 5_000 // the fee, so that nothing is left
	}
	sink := w.keys[string(w.newWallet())].PublicKey()
	w.do(false, []sol.Instruction{
		associatedtoken.NewCreateIdempotentInstruction(w.authority.PublicKey(), sink, sol.MPK(string(w.spl.Mint))).Build(),
	}, w.authority)
	w.do(false, []sol.Instruction{w.transfer(terms, w.treasury.PublicKey(), sink, uint64(all))}, w.treasury)
	w.confirm()
}

// confirm advances the chain until landed transactions are confirmed.
func (w *world) confirm() { w.slots(3) }

func (w *world) occupied() string {
	w.Helper()
	mint, err := w.chain.CreateMint(w.authority, 0)
	if err != nil {
		w.Fatal(err)
	}
	w.confirm()
	return mint.String()
}

// expire makes every blockhash expire, finalized, with the margin that the adapter
// wants.
func (w *world) expire() { w.slots(260) }

func (w *world) finalize() { w.slots(40) }

func unreachable(call) *reply { return &reply{drop: true} }

// once spoils the next call alone.
func (w *world) once(spoil func(call) *reply) {
	done := false
	w.spoiled(func(c call) *reply {
		if done {
			return nil
		}
		done = true
		return spoil(c)
	})
}

func answerLost(c call) *reply {
	c.pass()
	return &reply{drop: true}
}
