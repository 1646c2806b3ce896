package localnet_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"

	"github.com/casino-service/casino/adapters/simulated/localnet"
)

const sol = solana.LAMPORTS_PER_SOL

// seeded is randomness that a failing test can name.
func seeded(t testing.TB, seed byte) io.Reader {
	t.Helper()
	return rand.NewChaCha8([32]byte{seed})
}

// clock is set by tests.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// slots moves the clock by whole slots, which may be negative.
func (c *clock) slots(count int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Duration(count) * localnet.DefaultSlotDuration)
}

// world is a chain behind HTTP, with solana-go's client before it.
type world struct {
	*testing.T
	clock  *clock
	chain  *localnet.Chain
	client *rpc.Client
	url    string
	seed   byte
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return worldIn(t, "", newClock())
}

func worldIn(t *testing.T, dir string, c *clock) *world {
	t.Helper()
	chain, err := localnet.Open(localnet.Config{Dir: dir, Now: c.Now, Random: seeded(t, 1)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(chain.Handler())
	t.Cleanup(server.Close)
	t.Cleanup(func() { _ = chain.Close() })
	return &world{T: t, clock: c, chain: chain, client: rpc.New(server.URL), url: server.URL}
}

// key makes one deterministic key after another.
func (w *world) key() solana.PrivateKey {
	w.seed++
	return solana.PrivateKey(ed25519.NewKeyFromSeed(append(make([]byte, 31), w.seed)))
}

// rich makes a key that owns lamports.
func (w *world) rich(lamports uint64) solana.PrivateKey {
	w.Helper()
	key := w.key()
	if _, err := w.chain.Airdrop(key.PublicKey(), lamports); err != nil {
		w.Fatal(err)
	}
	return key
}

// signed builds a transaction of the first key's, over the newest blockhash.
func (w *world) signed(instructions []solana.Instruction, keys ...solana.PrivateKey) *solana.Transaction {
	w.Helper()
	latest, err := w.client.GetLatestBlockhash(w.Context(), rpc.CommitmentProcessed)
	if err != nil {
		w.Fatal(err)
	}
	return w.signedOver(latest.Value.Blockhash, instructions, keys...)
}

func (w *world) signedOver(recent solana.Hash, instructions []solana.Instruction, keys ...solana.PrivateKey) *solana.Transaction {
	w.Helper()
	tx, err := solana.NewTransaction(instructions, recent, solana.TransactionPayer(keys[0].PublicKey()))
	if err != nil {
		w.Fatal(err)
	}
	if _, err := tx.Sign(holder(keys)); err != nil {
		w.Fatal(err)
	}
	return tx
}

func holder(keys []solana.PrivateKey) func(solana.PublicKey) *solana.PrivateKey {
	return func(wanted solana.PublicKey) *solana.PrivateKey {
		for i := range keys {
			if keys[i].PublicKey() == wanted {
				return &keys[i]
			}
		}
		return nil
	}
}

// send sends through RPC, with preflight on the newest accounts.
func (w *world) send(tx *solana.Transaction) (solana.Signature, error) {
	return w.client.SendTransactionWithOpts(w.Context(), tx, rpc.TransactionOpts{PreflightCommitment: rpc.CommitmentProcessed})
}

// do lands instructions in a block of their own, or fails the test. The same instructions
// twice over one blockhash would be one transaction.
func (w *world) do(instructions []solana.Instruction, keys ...solana.PrivateKey) solana.Signature {
	w.Helper()
	w.clock.slots(2)
	signature, err := w.send(w.signed(instructions, keys...))
	if err != nil {
		w.Fatal(err)
	}
	return signature
}

// refused sends instructions and expects Solana's error, as JSON.
func (w *world) refused(want string, instructions []solana.Instruction, keys ...solana.PrivateKey) {
	w.Helper()
	w.clock.slots(2)
	tx := w.signed(instructions, keys...)
	_, err := w.send(tx)
	if got := refusal(err); got != want {
		w.Errorf("refused with %s, want %s (%v)", got, want, err)
	}
}

// refusal is the transaction error inside a JSON-RPC error of preflight.
func refusal(err error) string {
	var refused *jsonrpc.RPCError
	if !errors.As(err, &refused) {
		return ""
	}
	data, _ := refused.Data.(map[string]any)
	text, _ := json.Marshal(data["err"])
	return string(text)
}

func code(err error) int {
	var refused *jsonrpc.RPCError
	if !errors.As(err, &refused) {
		return 0
	}
	return refused.Code
}

// balance is an address' lamports at a commitment.
func (w *world) balance(key solana.PublicKey, level rpc.CommitmentType) uint64 {
	w.Helper()
	answer, err := w.client.GetBalance(w.Context(), key, level)
	if err != nil {
		w.Fatal(err)
	}
	return answer.Value
}

// has reads an address' newest lamports.
func (w *world) has(key solana.PublicKey, want uint64) {
	w.Helper()
	if got := w.balance(key, rpc.CommitmentProcessed); got != want {
		w.Errorf("%s has %d lamports, want %d", key, got, want)
	}
}

// holding decodes a token account by solana-go's layout.
func (w *world) holding(key solana.PublicKey) token.Account {
	w.Helper()
	var held token.Account
	answer, err := w.client.GetAccountInfoWithOpts(w.Context(), key, &rpc.GetAccountInfoOpts{Commitment: rpc.CommitmentProcessed, Encoding: solana.EncodingBase64})
	if err != nil {
		w.Fatal(err)
	}
	if err := unmarshal(answer.Value.Data.GetBinary(), &held); err != nil {
		w.Fatal(err)
	}
	return held
}

// tokens reads a token account's amount.
func (w *world) tokens(key solana.PublicKey, want uint64) {
	w.Helper()
	if got := w.holding(key).Amount; got != want {
		w.Errorf("%s holds %d, want %d", key, got, want)
	}
}

// raw posts a body and returns the answer.
func (w *world) raw(body string) string {
	recorder := httptest.NewRecorder()
	w.chain.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(context.Background(), "POST", "/", strings.NewReader(body)))
	return strings.TrimSpace(recorder.Body.String())
}

func pay(from, to solana.PublicKey, lamports uint64) solana.Instruction {
	return system.NewTransferInstruction(lamports, from, to).Build()
}

func ata(owner, mint solana.PublicKey) solana.PublicKey {
	address, _, err := solana.FindAssociatedTokenAddress(owner, mint)
	if err != nil {
		panic(err) // every wallet has one
	}
	return address
}

func createATA(payer, owner, mint solana.PublicKey) solana.Instruction {
	return associated.NewCreateInstruction(payer, owner, mint).Build()
}

func list(instructions ...solana.Instruction) []solana.Instruction { return instructions }
