package goldapi_test

import (
	"strings"
	"testing"
	"time"
)

// TestTransactionIDsKeepTheirCase: an id in capitals is another transaction, for bets and
// for wins, and a win in capitals belongs to the bet in capitals.
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

// TestTheLogKeepsTheCaseOfIDs reads the provider's log, which is compared with the ledger
// by id.
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

// TestNumericTransactionIDs: an integer id of any size counts as its decimal text, so the
// string and the integer are one transaction. An invalid id is rejected with the balance.
func TestNumericTransactionIDs(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 10_000_000).launch()
	body := func(id, kind, bet, win string) string {
		return strings.Replace(callback(string(alice.address), "TXN", kind, bet, win), `"TXN"`, id, 1)
	}
	const beyondInt64 = "123456789012345678901234567890"
	for i, row := range []struct {
		body    string
		status  int
		balance string
		message string
	}{
		{body("1001", "debit", "1", "0"), 1, "9", ""},
		{body(`"1001"`, "debit", "1", "0"), 1, "9", ""}, // the same transaction
		{body("1001", "debit", "2", "0"), 0, "9", "DUPLICATED_TRANSACTION"},
		{body(`"1001"`, "credit", "0", "0.5"), 1, "9.5", ""},
		{body("1001", "credit", "0", "0.5"), 1, "9.5", ""},
		{body(beyondInt64, "debit", "1", "0"), 1, "8.5", ""},
		{body(`"`+beyondInt64+`"`, "debit", "1", "0"), 1, "8.5", ""},
		{body(beyondInt64[:29]+"1", "debit", "1", "0"), 1, "7.5", ""}, // differs in the last digit
		{body("0", "debit", "1", "0"), 1, "6.5", ""},
		{body("1.5", "debit", "1", "0"), 0, "6.5", "INVALID_PARAMETER"},
		{body("-1", "debit", "1", "0"), 0, "6.5", "INVALID_PARAMETER"},
		{body("1e3", "debit", "1", "0"), 0, "6.5", "INVALID_PARAMETER"},
		{body("true", "debit", "1", "0"), 0, "6.5", "INVALID_PARAMETER"},
		{body("[1]", "debit", "1", "0"), 0, "6.5", "INVALID_PARAMETER"},
		{body("null", "debit", "1", "0"), 0, "6.5", "INVALID_PARAMETER"},
		{strings.Replace(body("7", "debit", "1", "0"), `"DEMOSPIN"`, "7", 1), 0, "6.5", "INVALID_PARAMETER"},
		{strings.Replace(body("7", "debit", "1", "0"), `"debit"`, "{}", 1), 0, "6.5", "INVALID_PARAMETER"},
	} {
		if got := h.post(row.body); got.Status != row.status || string(got.Balance) != row.balance || got.Message != row.message {
			t.Errorf("%d: %+v, want %d %s %q", i, got, row.status, row.balance, row.message)
		}
	}
	if alice.balance() != 6_500_000 {
		t.Errorf("alice has %d", alice.balance())
	}
	h.audited()
}
