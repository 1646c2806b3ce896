package localnet_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/simulated/localnet"
)

// reported returns all JSON-RPC data of a chain with the given accounts and transactions,
// for comparing before and after.
func reported(w *world, keys []solana.PublicKey, signatures []solana.Signature) string {
	var all strings.Builder
	for _, key := range keys {
		all.WriteString(result(w.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":[%q,{"encoding":"jsonParsed"}]}`, key))) + "\n")
		all.WriteString(result(w.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"getSignaturesForAddress","params":[%q]}`, key))) + "\n")
	}
	for _, signature := range signatures {
		all.WriteString(result(w.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"getTransaction","params":[%q]}`, signature))) + "\n")
	}
	all.WriteString(w.raw(`{"jsonrpc":"2.0","id":1,"method":"getGenesisHash"}`))
	return all.String()
}

// result removes the context, which has the slot of the request.
func result(answer string) string {
	if _, value, found := strings.Cut(answer, `"value":`); found {
		return value
	}
	return answer
}

// A reopened chain reports everything it reported before, and continues.
func TestRestart(t *testing.T) {
	t.Parallel()
	dir, c := t.TempDir(), newClock()
	w := worldIn(t, dir, c)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	mint, err := w.chain.CreateMint(alice, 6)
	if err != nil {
		t.Fatal(err)
	}
	account, err := w.chain.MintTo(alice, mint, bob, 77)
	if err != nil {
		t.Fatal(err)
	}
	signature := w.do(list(pay(alice.PublicKey(), bob, sol)), alice)
	failing := w.signed(list(pay(alice.PublicKey(), bob, 100*sol)), alice)
	if _, err := w.client.SendTransactionWithOpts(t.Context(), failing, rpc.TransactionOpts{SkipPreflight: true}); err != nil {
		t.Fatal(err)
	}
	c.slots(100)
	keys := []solana.PublicKey{alice.PublicKey(), bob, mint, account}
	before := reported(w, keys, []solana.Signature{signature, failing.Signatures[0]})
	slot, _ := w.client.GetSlot(t.Context(), rpc.CommitmentProcessed)

	if _, err := localnet.Open(localnet.Config{Dir: dir, Now: c.Now, Random: seeded(t, 2)}); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second process on the folder: %v", err)
	}
	if err := w.chain.Close(); err != nil {
		t.Fatal(err)
	}
	if answer := w.raw(`{"jsonrpc":"2.0","id":1,"method":"getSlot"}`); !strings.Contains(answer, "closed") {
		t.Error(answer)
	}
	again := worldIn(t, dir, c)
	if after := reported(again, keys, []solana.Signature{signature, failing.Signatures[0]}); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	if next, _ := again.client.GetSlot(t.Context(), rpc.CommitmentProcessed); next <= slot {
		t.Errorf("slot %d, then %d", slot, next)
	}
	if _, err := again.send(failing); refusal(err) != `"AlreadyProcessed"` {
		t.Errorf("sent again after the restart: %v", err)
	}
	again.do(list(pay(alice.PublicKey(), bob, sol)), alice)
}

// Wherever a crash cut the last write, earlier acknowledged records are kept.
func TestTornTail(t *testing.T) {
	t.Parallel()
	dir, c := t.TempDir(), newClock()
	w := worldIn(t, dir, c)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	w.do(list(pay(alice.PublicKey(), bob, sol)), alice)
	name := filepath.Join(dir, "chain.journal")
	kept, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	w.do(list(pay(alice.PublicKey(), bob, sol)), alice)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_ = w.chain.Close()
	torn := [][]byte{append(bytes.Clone(kept), make([]byte, len(whole)-len(kept))...)} // the length grew, the data never came
	for cut := len(kept); cut < len(whole); cut += 37 {
		torn = append(torn, whole[:cut])
	}
	for i, held := range torn {
		into := t.TempDir()
		if err := os.WriteFile(filepath.Join(into, "chain.journal"), held, 0o600); err != nil {
			t.Fatal(err)
		}
		again := worldIn(t, into, c)
		again.has(bob, sol)
		again.do(list(pay(alice.PublicKey(), bob, sol)), alice)
		_ = again.chain.Close()
		once := worldIn(t, into, c)
		once.has(bob, 2*sol)
		if t.Failed() {
			t.Fatalf("torn tail %d", i)
		}
	}
}

// A byte changed anywhere before the last record is reported, never repaired.
func TestDamage(t *testing.T) {
	t.Parallel()
	dir, c := t.TempDir(), newClock()
	w := worldIn(t, dir, c)
	alice := w.rich(10 * sol)
	name := filepath.Join(dir, "chain.journal")
	early, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	w.do(list(pay(alice.PublicKey(), w.key().PublicKey(), sol)), alice)
	_ = w.chain.Close()
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(early); at += 23 {
		into := t.TempDir()
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0x10
		file := filepath.Join(into, "chain.journal")
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := localnet.Open(localnet.Config{Dir: into, Now: c.Now, Random: seeded(t, 1)})
		if err == nil || !strings.Contains(err.Error(), "chain.journal") {
			t.Fatalf("byte %d changed: %v", at, err)
		}
		if left, _ := os.ReadFile(file); !bytes.Equal(left, damaged) {
			t.Fatalf("byte %d changed, and the refused file was written to", at)
		}
	}
}

func TestBadConfig(t *testing.T) {
	t.Parallel()
	_, err := localnet.Open(localnet.Config{SlotDuration: 1})
	for _, want := range []string{"Now", "Random", "slot duration"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}

// Slots continue after a restart even if the clock was set back meanwhile.
func TestSlotNeverGoesBack(t *testing.T) {
	t.Parallel()
	dir, c := t.TempDir(), newClock()
	w := worldIn(t, dir, c)
	w.clock.slots(5_000)
	alice := w.rich(10 * sol)
	slot, _ := w.client.GetSlot(t.Context(), rpc.CommitmentProcessed)
	_ = w.chain.Close()
	c.slots(-4_000)
	again := worldIn(t, dir, c)
	if next, _ := again.client.GetSlot(t.Context(), rpc.CommitmentProcessed); next <= slot {
		t.Errorf("slot %d, then %d", slot, next)
	}
	again.do(list(pay(alice.PublicKey(), w.key().PublicKey(), sol)), alice)
}
