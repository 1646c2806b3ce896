package localnet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/simulated/localnet"
)

func (w *world) status(signature solana.Signature, search bool) *rpc.SignatureStatusesResult {
	w.Helper()
	got, err := w.client.GetSignatureStatuses(w.Context(), search, signature)
	if err != nil {
		w.Fatal(err)
	}
	return got.Value[0]
}

func TestFinality(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	w.clock.slots(100)
	signature := w.do(list(pay(alice.PublicKey(), bob, sol)), alice)
	levels := []rpc.CommitmentType{rpc.CommitmentProcessed, rpc.CommitmentConfirmed, rpc.CommitmentFinalized}
	reached := map[rpc.CommitmentType]int{}
	for slot := range localnet.FinalityDepth + 3 {
		status := w.status(signature, false)
		if finalized := status.ConfirmationStatus == rpc.ConfirmationStatusFinalized; (status.Confirmations == nil) != finalized {
			t.Errorf("after %d slots: %s with %v confirmations", slot, status.ConfirmationStatus, status.Confirmations)
		}
		for _, level := range levels {
			has := w.balance(bob, level) == sol
			_, err := w.client.GetTransaction(w.Context(), signature, &rpc.GetTransactionOpts{Encoding: solana.EncodingBase64, Commitment: level})
			if level == rpc.CommitmentProcessed {
				if code(err) != -32602 {
					t.Errorf("getTransaction at processed: %v", err)
				}
			} else if has != (err == nil) {
				t.Errorf("%s after %d slots: balance says %t, getTransaction %v", level, slot, has, err)
			}
			if _, before := reached[level]; has && !before {
				reached[level] = slot
				if status := w.status(signature, false); status.ConfirmationStatus != rpc.ConfirmationStatusType(level) {
					t.Errorf("reached %s with status %s", level, status.ConfirmationStatus)
				}
			}
		}
		w.clock.slots(1)
	}
	if want := map[rpc.CommitmentType]int{levels[0]: 0, levels[1]: localnet.ConfirmedDepth, levels[2]: localnet.FinalityDepth}; fmt.Sprint(reached) != fmt.Sprint(want) {
		t.Errorf("levels reached after slots %v, want %v", reached, want)
	}
}

func TestStatusesLeaveTheRecentCache(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.rich(10 * sol)
	signature := w.do(list(pay(alice.PublicKey(), w.key().PublicKey(), sol)), alice)
	w.clock.slots(151)
	if w.status(signature, false) == nil && w.status(signature, true) == nil {
		t.Error("unknown within the recent cache")
	}
	w.clock.slots(10)
	if got := w.status(signature, false); got != nil {
		t.Errorf("still recent after 161 slots: %+v", got)
	}
	if got := w.status(signature, true); got == nil || got.ConfirmationStatus != rpc.ConfirmationStatusFinalized {
		t.Errorf("with history: %+v", got)
	}
	if got := w.status(solana.Signature{1}, true); got != nil {
		t.Errorf("never seen: %+v", got)
	}
}

func TestHistoryPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.rich(100*sol), w.key().PublicKey()
	var sent []solana.Signature
	for i := range 7 {
		signature, err := w.send(w.signed(list(
			pay(alice.PublicKey(), bob, sol), memo.NewMemoInstruction([]byte(fmt.Sprint("n", i)), alice.PublicKey()).Build(),
		), alice))
		if err != nil {
			t.Fatal(err)
		}
		sent = append(sent, signature)
		w.clock.slots(i % 2) // some share a slot
	}
	w.clock.slots(40)
	page := func(before, until solana.Signature, limit int) (got []solana.Signature) {
		t.Helper()
		listed, err := w.client.GetSignaturesForAddressWithOpts(w.Context(), bob, &rpc.GetSignaturesForAddressOpts{Before: before, Until: until, Limit: &limit})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range listed {
			got = append(got, e.Signature)
			if e.Err != nil || e.BlockTime == nil || e.ConfirmationStatus != rpc.ConfirmationStatusFinalized || !strings.HasPrefix(*e.Memo, "[2] n") {
				t.Errorf("listed %+v", e)
			}
		}
		return got
	}
	none := solana.Signature{}
	for _, c := range []struct {
		before, until solana.Signature
		limit         int
		want          []int
	}{
		{none, none, 1000, []int{6, 5, 4, 3, 2, 1, 0}},
		{none, none, 2, []int{6, 5}},
		{sent[5], none, 2, []int{4, 3}},
		{sent[5], sent[3], 10, []int{4}},
		{none, sent[6], 10, nil},
		{sent[0], none, 10, nil},
		{solana.Signature{9}, none, 10, nil},
	} {
		var want []solana.Signature
		for _, i := range c.want {
			want = append(want, sent[i])
		}
		if got := page(c.before, c.until, c.limit); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%+v gave %v", c, got)
		}
	}
	if answer := w.raw(`{"jsonrpc":"2.0","id":1,"method":"getSignaturesForAddress","params":["` + bob.String() + `",{"limit":1001}]}`); !strings.Contains(answer, "-32602") {
		t.Error(answer)
	}
}

func TestTransactionShapes(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	signature := b.do(list(
		createATA(b.alice.PublicKey(), b.authority.PublicKey(), b.mint), b.transfer(7, b.alice.PublicKey()),
		memo.NewMemoInstruction([]byte("paid"), b.alice.PublicKey()).Build(),
	), b.alice)
	b.clock.slots(40)
	got, err := b.client.GetTransaction(t.Context(), signature, &rpc.GetTransactionOpts{Encoding: solana.EncodingBase64})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := got.Transaction.GetTransaction()
	if err != nil || tx.VerifySignatures() != nil || tx.Signatures[0] != signature {
		t.Fatalf("the bytes are not what was signed: %v", err)
	}
	changes := map[string]string{}
	for _, post := range got.Meta.PostTokenBalances {
		changes[post.Owner.String()] += "0 to " + post.UiTokenAmount.Amount
		for _, pre := range got.Meta.PreTokenBalances {
			if pre.AccountIndex == post.AccountIndex {
				changes[post.Owner.String()] = pre.UiTokenAmount.Amount + " to " + post.UiTokenAmount.Amount
			}
		}
		if post.Mint != b.mint || *post.ProgramId != solana.TokenProgramID || post.UiTokenAmount.Decimals != 6 {
			t.Errorf("token balance %+v", post)
		}
	}
	want := map[string]string{b.alice.PublicKey().String(): "1000 to 993", b.bob.PublicKey().String(): "0 to 7", b.authority.PublicKey().String(): "0 to 0"}
	if fmt.Sprint(changes) != fmt.Sprint(want) {
		t.Errorf("tokens moved %v, want %v", changes, want)
	}
	if len(got.Meta.PreBalances) != len(tx.Message.AccountKeys) || len(got.Meta.InnerInstructions) != 1 || *got.Meta.ComputeUnitsConsumed == 0 {
		t.Errorf("meta %+v", got.Meta)
	}
	for _, encoding := range []string{"json", "base64"} {
		answer := b.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"getTransaction","params":[%q,{"encoding":%q}]}`, signature, encoding))
		if strings.Contains(answer, "error") || !strings.Contains(answer, `"loadedAddresses":{"readonly":[],"writable":[]}`) {
			t.Errorf("%s: %s", encoding, answer)
		}
	}
}

func TestMinContextSlot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slot, err := w.client.GetSlot(w.Context(), rpc.CommitmentProcessed)
	if err != nil {
		t.Fatal(err)
	}
	call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"processed","minContextSlot":%d}]}`, slot+2)
	if answer := w.raw(call); !strings.Contains(answer, "-32016") || !strings.Contains(answer, fmt.Sprintf(`"contextSlot":%d`, slot)) {
		t.Error(answer)
	}
	w.clock.slots(2)
	if answer := w.raw(call); !strings.Contains(answer, fmt.Sprintf(`"result":%d`, slot+2)) {
		t.Error(answer)
	}
}

// One slot in twenty has no block: a height is not a slot number, and neither ever
// decreases.
func TestSlotsAndHeights(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	read := func(method string) (n uint64) {
		t.Helper()
		if _, err := fmt.Sscanf(w.raw(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":[{"commitment":"processed"}]}`), `{"jsonrpc":"2.0","id":1,"result":%d}`, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	slot, height := read("getSlot"), read("getBlockHeight")
	for range 100 {
		w.clock.slots(1)
		nextSlot, nextHeight := read("getSlot"), read("getBlockHeight")
		if nextSlot%20 == 19 || nextSlot < slot || (nextSlot > slot) != (nextHeight == height+1) {
			t.Fatalf("slot %d to %d, height %d to %d", slot, nextSlot, height, nextHeight)
		}
		slot, height = nextSlot, nextHeight
	}
	w.clock.slots(-1_000)
	if set := read("getSlot"); set < slot {
		t.Errorf("the clock was set back and the slot went from %d to %d", slot, set)
	}
	w.clock.slots(10)
	if later := read("getSlot"); later < slot+9 {
		t.Errorf("after the clock was set back slots stand at %d", later)
	}
}
