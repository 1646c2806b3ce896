package goldapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// newer is a transaction's body in the newer dialect, which has no method and shorter names
// for the amounts.
func newer(user, txn, kind, bet, win string) string {
	return fmt.Sprintf(`{"agent_code":%q,"agent_secret":%q,"user_code":%q,"user_balance":0,"game_type":"slot","slot":{"provider_code":"DEMOSPIN",
		"game_code":"cherry-rush","round_id":"r","type":"BASE","bet":%s,"win":%s,"txn_id":%q,"txn_type":%q}}`, agentCode, agentSecret, user, bet, win, txn, kind)
}

// postTo sends a body to a path of the newer dialect.
func (h *house) postTo(path, body string) said {
	h.Helper()
	response, err := http.Post(h.server.URL+"/casino/gold_api/"+path, "application/json", strings.NewReader(body))
	must(h.T, err)
	defer func() { _ = response.Body.Close() }()
	answer := said{HTTP: response.StatusCode}
	must(h.T, json.NewDecoder(response.Body).Decode(&answer))
	return answer
}

// TestTheNewerDialect sends messages of both dialects in their order: a transaction is the
// same in both.
func TestTheNewerDialect(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 10_000_000).launch()
	a := string(alice.address)
	for i, row := range []struct {
		what, path, body string
		status           int
		balance, message string
	}{
		{"the balance", "user_balance", newer(a, "-", "-", "0", "0"), 1, "10", ""},
		{"a bet", "game_callback", newer(a, "n1", "debit", "1.5", "0"), 1, "8.5", ""},
		{"the bet again", "game_callback", newer(a, "n1", "debit", "1.5", "0"), 1, "8.5", ""},
		{"the bet with another amount", "game_callback", newer(a, "n1", "debit", "1", "0"), 0, "8.5", "DUPLICATED_TRANSACTION"},
		{"its win", "game_callback", newer(a, "n1", "credit", "0", "2"), 1, "10.5", ""},
		{"both legs", "game_callback", newer(a, "n2", "debit_credit", "1", "0.25"), 1, "9.75", ""},
		{"both legs without the type of the game", "game_callback", strings.Replace(newer(a, "n3", "debit_credit", "1", "1"), `"game_type":"slot",`, "", 1), 1, "9.75", ""},
		{"an overdraft", "game_callback", newer(a, "n4", "debit", "99", "0"), 0, "9.75", "INSUFFICIENT_USER_FUNDS"},
		{"the older dialect's names", "game_callback", callback(a, "n5", "debit", "1", "0"), 0, "9.75", "INVALID_PARAMETER"},
		{"another method in the body", "user_balance", callback(a, "n5", "debit", "1", "0"), 1, "9.75", ""},
		{"an unknown user", "game_callback", newer("nobody", "n6", "debit", "1", "0"), 0, "0", "INVALID_USER"},
		{"a wrong secret", "game_callback", strings.Replace(newer(a, "n7", "debit", "1", "0"), agentSecret, "guess", 1), 0, "0", "INVALID_AGENT"},
		{"an unknown path", "withdraw", newer(a, "n8", "debit", "1", "0"), 0, "0", "INVALID_METHOD"},
	} {
		got := h.postTo(row.path, row.body)
		if got.HTTP != http.StatusOK || got.Status != row.status || string(got.Balance) != row.balance || got.Message != row.message {
			t.Errorf("%d. %s: %+v, want %d %s %q", i, row.what, got, row.status, row.balance, row.message)
		}
	}
	if got := h.post(callback(a, "n1", "debit", "1.5", "0")); got.Status != 1 || string(got.Balance) != "8.5" {
		t.Errorf("the newer dialect's bet in the older one: %+v", got)
	}
	h.audited()
}
