package goldapi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/goldapi/demo"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
)

// TestEveryDifferenceIsReported plays honestly, then puts one difference of each
// sort between the provider's log and the ledger.
func TestEveryDifferenceIsReported(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 100_000_000)
	url, err := h.casino.Launch(t.Context(), app.Caller{Wallet: alice.address}, app.LaunchRequest{GameCode: "lucky-bells", UserCode: string(alice.address)})
	must(t, err)
	bob := h.enter("bob", 10_000_000).launch()
	begin := h.clock.Now().Truncate(time.Second)
	h.site.clock.Set(begin.Add(time.Minute))
	h.clock.Set(begin.Add(time.Minute))
	for range 12 {
		spin(t, url)
	}
	r := h.casino.ProviderReconciler()
	compare := func() []app.ProviderDifference {
		t.Helper()
		found, err := r.Compare(t.Context(), begin, begin.Add(time.Hour))
		must(t, err)
		return found
	}
	if found := compare(); len(found) != 0 {
		t.Fatalf("an honest provider differs: %+v", found)
	}
	h.post(callback(string(alice.address), "ours-alone", "debit", "1.5", "0"))
	h.post(callback(string(alice.address), "refused", "debit", "999999", "0")) // on neither side
	theirs := h.site.Record(string(bob.address), "DEMOSPIN", "cherry-rush", "0.5", "0.25")
	both := h.site.Record(string(bob.address), "DEMOSPIN", "cherry-rush", "1", "2")
	h.post(callback(string(bob.address), both, "debit", "1", "0"))
	h.post(callback(string(bob.address), both, "credit", "0", "2.01"))
	said := map[string]string{}
	for _, d := range compare() {
		said[d.TxnID] = d.Ours + " / " + d.Theirs
	}
	want := map[string]string{
		"ours-alone": "bet 1500000, win 0 / nothing", theirs: "nothing / bet 500000, win 250000",
		both: "bet 1000000, win 2010000 / bet 1000000, win 2000000",
	}
	for id, text := range want {
		if said[id] != text {
			t.Errorf("%s: %q, want %q", id, said[id], text)
		}
	}
	if len(said) != len(want) {
		t.Errorf("differences: %v", said)
	}
	h.stepsThrough(r)
}

// stepsThrough lets the worker catch up, with a provider that fails once.
func (h *house) stepsThrough(r *app.ProviderReconciler) {
	h.Helper()
	h.clock.Advance(3 * time.Hour)
	h.site.Script("get_game_log", demo.Behaviour{Refuse: "API_CHECKING"})
	failed := 0
	for range 60 {
		worked, err := r.Step(h.Context())
		switch {
		case fault.Is(err, fault.Maintenance):
			failed++
		case err != nil:
			h.Fatal(err)
		case !worked:
			if n := strings.Count(h.log.String(), app.AlarmProviderDiffers); n != 3 || failed != 1 {
				h.Errorf("%d alarms of three differences, after %d failures", n, failed)
			}
			return
		}
	}
	h.Error("the worker doesn't catch up")
}
