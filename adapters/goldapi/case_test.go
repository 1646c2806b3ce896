package goldapi_test

import (
	"testing"
	"time"
)

// TestTransactionIDsKeepTheirCase: an id in capitals is another transaction, bets and
// wins alike, and a win in capitals belongs to the bet in capitals.
func TestTransactionIDsKeepTheirCase(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 10_000_000).launch()
	a := alice.address
	for i, row := range []struct {
		body    string
		balance string
	}{
		{callback(string(a), "Round-a", "debit", "1", "0"), "9"},
		{callback(string(a), "ROUND-A", "debit", "2", "0"), "7"},
		{callback(string(a), "round-a", "debit", "3", "0"), "4"},
		{callback(string(a), "ROUND-A", "credit", "0", "0.5"), "4.5"},
		{callback(string(a), "Round-a", "credit", "0", "0.25"), "4.75"},
		{callback(string(a), "Round-a", "debit", "1", "0"), "9"}, // the first one again, as it was answered
	} {
		if got := h.post(row.body); got.Status != 1 || string(got.Balance) != row.balance {
			t.Errorf("%d: %+v, want balance %s", i, got, row.balance)
		}
	}
	if alice.balance() != 4_750_000 {
		t.Errorf("alice has %d", alice.balance())
	}
	h.audited()
}

// TestTheLogKeepsTheCaseOfIDs reads what the provider recorded, which is compared with
// the ledger by id.
func TestTheLogKeepsTheCaseOfIDs(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 10_000_000).launch()
	for _, id := range []string{"Round-a", "ROUND-A", "round-a"} {
		h.site.RecordWin(string(alice.address), "DEMOSPIN", "cherry-rush", id, "1")
	}
	now := h.site.clock.Now()
	records, err := newClient(t, h.site, nil).Log(t.Context(), alice.address, now.Add(-time.Hour), now.Add(time.Hour))
	must(t, err)
	found := map[string]bool{}
	for _, r := range records {
		found[r.TxnID] = true
	}
	if len(records) != 3 || !found["Round-a"] || !found["ROUND-A"] || !found["round-a"] {
		t.Errorf("the log has %+v", records)
	}
}
