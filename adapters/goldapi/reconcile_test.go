package goldapi_test

import (
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/simulated/provider"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
)

// TestEveryDifferenceIsReported plays without faults, then makes one difference of each
// kind between the provider's log and the ledger.
func TestEveryDifferenceIsReported(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 100_000_000)
	url, err := h.casino.Providers.Launch(t.Context(), app.Caller{Wallet: alice.address}, providers.LaunchRequest{GameCode: "lucky-bells", UserCode: string(alice.address)})
	must(t, err)
	bob := h.enter("bob", 10_000_000).launch()
	begin := h.clock.Now().Truncate(time.Second)
	h.site.clock.Set(begin.Add(time.Minute))
	h.clock.Set(begin.Add(time.Minute))
	for range 12 {
		spin(t, url)
	}
	r := h.casino.Providers.ProviderReconciler()
	compare := func() []providers.ProviderDifference {
		t.Helper()
		found, err := r.Compare(t.Context(), begin, begin.Add(time.Hour))
		must(t, err)
		return found.Differences
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
		said[d.TxnID] = d.Ours.String() + " / " + d.Theirs.String()
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

// stepsThrough runs the worker until it has caught up, with a provider that fails once.
func (h *house) stepsThrough(r *providers.ProviderReconciler) {
	h.Helper()
	h.clock.Advance(3 * time.Hour)
	h.site.Script("get_game_log", provider.Behaviour{Refuse: "API_CHECKING"})
	failed := 0
	for range 60 {
		worked, err := r.Step(h.Context())
		switch {
		case fault.Is(err, fault.Maintenance):
			failed++
		case err != nil:
			h.Fatal(err)
		case !worked:
			if n := strings.Count(h.log.String(), alarm.ProviderDiffers.Message()); n != 3 || failed != 1 {
				h.Errorf("%d alarms of three differences, after %d failures", n, failed)
			}
			return
		}
	}
	h.Error("the worker doesn't catch up")
}

// TestNoSpanIsLeftOut makes a difference every forty minutes for four days; the service is
// down for two of them and the provider's log for half a day. Every difference is reported
// once.
func TestNoSpanIsLeftOut(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 100_000_000).launch()
	begin := h.clock.Now().Truncate(time.Hour).Add(time.Hour)
	said := &lockedBuffer{}
	// A process has no state but the store's.
	process := func() *providers.ProviderReconciler {
		reads := providers.ReconciliationStore{Launches: h.store, SeamlessTransactions: h.store, Reconciliations: h.store}
		return providers.NewProviderReconciler(reads, h.clock, h.casino.Provider, slog.New(slog.NewTextHandler(said, nil)))
	}
	running := process()
	catchUp := func() {
		t.Helper()
		for worked := true; worked; {
			var err error
			worked, err = running.Step(t.Context())
			must(t, err)
		}
	}
	catchUp()
	var put []string
	for n := range 144 {
		at := begin.Add(time.Duration(n) * 40 * time.Minute)
		h.clock.Set(at.Add(time.Minute))
		h.site.clock.Set(at) // at the very edge of a span, every third time
		put = append(put, h.site.Record(string(alice.address), "DEMOSPIN", "cherry-rush", "0.5", "0.25"))
		switch {
		case n == 30: // killed; restarted two days later
			running = nil
		case n == 102:
			running = process()
			catchUp()
		case n > 110 && n < 128: // the provider's log is unavailable
			h.site.Script("get_game_log", provider.Behaviour{Refuse: "API_CHECKING"})
			if worked, err := running.Step(t.Context()); worked || err != nil && !fault.Is(err, fault.Maintenance) {
				t.Fatalf("while the log is unavailable: %v, %v", worked, err)
			}
		case n == 128:
			running = process()
			catchUp()
		case running != nil:
			catchUp()
		}
	}
	h.clock.Advance(3 * time.Hour)
	catchUp()
	for n, txn := range put {
		if times := strings.Count(said.String(), txn); times != 1 {
			t.Errorf("the difference of hour %.1f is reported %d times", float64(n)*2/3, times)
		}
	}
}

// TestTheProvidersLogIsWrong scripts each possible error of a provider's log, and a valid
// round with legs hours apart.
func TestTheProvidersLogIsWrong(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 100_000_000).launch()
	begin := h.clock.Now().Truncate(time.Hour)
	at := func(after time.Duration) {
		h.clock.Set(begin.Add(after))
		h.site.clock.Set(begin.Add(after + 3*time.Minute)) // its clock goes ahead
	}
	debits := map[string]bool{}
	leg := func(txn, kind, bet, win string) {
		t.Helper()
		if answer := h.post(callback(string(alice.address), txn, kind, bet, win)); answer.Status != 1 {
			t.Fatalf("%s of %s: %+v", kind, txn, answer)
		}
		debits[txn] = true
	}
	at(time.Minute)
	right := h.site.Record(string(alice.address), "DEMOSPIN", "cherry-rush", "1", "2.5")
	leg(right, "debit_credit", "1", "2.5")
	forgotten := h.site.Record(string(alice.address), "DEMOSPIN", "cherry-rush", "2", "0")
	leg(forgotten, "debit_credit", "2", "0")
	misstated := h.site.Record(string(alice.address), "DEMOSPIN", "cherry-rush", "3", "1")
	leg(misstated, "debit", "3", "0")
	leg(misstated, "credit", "0", "1")
	h.site.Forget(forgotten)
	h.site.ChangeWin(misstated, 50)
	at(time.Hour + 50*time.Minute)
	theirsAlone := h.site.RecordBet(string(alice.address), "DEMOSPIN", "cherry-rush", "5")
	at(time.Hour + 57*time.Minute)
	late := h.site.RecordBet(string(alice.address), "DEMOSPIN", "cherry-rush", "4")
	leg(late, "debit", "4", "0")
	at(2*time.Hour + 8*time.Minute) // where a span that looks ten minutes on ends between the clocks
	h.site.RecordWin(string(alice.address), "DEMOSPIN", "cherry-rush", late, "8")
	leg(late, "credit", "0", "8")
	h.site.RecordWin(string(alice.address), "DEMOSPIN", "cherry-rush", theirsAlone, "6")
	h.clock.Set(begin.Add(10 * time.Hour))
	found, err := h.casino.Providers.ProviderReconciler().Between(t.Context(), begin, begin.Add(5*time.Hour))
	must(t, err)
	said := map[string]string{}
	for _, d := range found.Differences {
		said[d.TxnID] = d.Ours.String() + " / " + d.Theirs.String()
	}
	want := map[string]string{
		forgotten: "bet 2000000, win 0 / nothing", misstated: "bet 3000000, win 1000000 / bet 3000000, win 1500000",
		theirsAlone: "nothing / bet 5000000, win 6000000",
	}
	if !maps.Equal(said, want) || len(found.Differences) != len(want) {
		t.Errorf("differences %v, expected %v", said, want)
	}
	if there := len(debits) + 1; found.Transactions != there { // two have their legs in two steps
		t.Errorf("%d transactions were compared, there are %d", found.Transactions, there)
	}
}
