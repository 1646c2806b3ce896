package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// expression matches the queries of the alert rules and the dashboard.
var expression = regexp.MustCompile(`(?m)^\s*(?:expr: |"expr": )(.*)$`)

// aside matches the parts of a query that aren't metrics: matchers, groupings, windows and
// texts.
var aside = regexp.MustCompile(`\{[^}]*\}|by \([^)]*\)|\[[^\]]*\]|\\?"[^"]*\\?"`)

// named returns the metrics in a file of queries.
func named(t *testing.T, path string) []string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	queries := expression.FindAllStringSubmatch(string(raw), -1)
	for _, query := range queries {
		text := query[1]
		if strings.HasPrefix(text, `"`) {
			if err := json.Unmarshal([]byte(strings.TrimSuffix(text, ",")), &text); err != nil {
				t.Fatalf("%s: %v", query[1], err)
			}
		}
		names = append(names, regexp.MustCompile(`\b(casino|http|go|process)_[a-z0-9_]+`).FindAllString(aside.ReplaceAllString(text, ""), -1)...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(queries) < 10 || len(names) < 10 {
		t.Fatalf("%s: only %d queries and %d metrics were found", path, len(queries), len(names))
	}
	return names
}

// databaseRoles have names like metrics.
var databaseRoles = []string{"casino_runtime", "casino_app"}

// TestWhatDashboardAndAlertsNameIsMeasured runs a service through a bet and a payout and
// looks for every metric in the files of deploy/ and the documents.
func TestWhatDashboardAndAlertsNameIsMeasured(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, session := w.funded()
	alice := client.New(s.api, nil).WithToken(session.Token)
	if _, err := alice.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: 1_000_000, Token: string(money.SOL)}); err != nil {
		t.Fatal(err)
	}
	if _, err := alice.Withdraw(t.Context(), api.WithdrawRequest{
		Amount: 100_000_000, Token: string(money.SOL), Destination: string(fakes.Wallet("alice")),
	}); err != nil {
		t.Fatal(err)
	}
	measured := map[string]bool{}
	until(t, "the watch has looked", func() bool {
		status, text := s.get("/metrics")
		for line := range strings.Lines(text) {
			name, _, _ := strings.Cut(line, " ")
			name, _, _ = strings.Cut(name, "{")
			measured[name] = true
		}
		return status == 200 && measured["casino_ledger_head"] && measured["casino_treasury"]
	})
	for _, path := range []string{"../../deploy/prometheus/casino.rules.yml", "../../deploy/grafana/casino.json"} {
		for _, name := range named(t, path) {
			if !measured[name] {
				t.Errorf("%s names %s, which the service does not measure", path, name)
			}
		}
	}
	for path, text := range pages(t) {
		for _, name := range regexp.MustCompile("`(casino_[a-z0-9_]+)`").FindAllStringSubmatch(text, -1) {
			if !slices.Contains(databaseRoles, name[1]) && !measured[name[1]] && !measured[name[1]+"_bucket"] {
				t.Errorf("%s names %s, which the service does not measure", path, name[1])
			}
		}
	}
	_, text := s.get("/metrics")
	for _, secret := range []string{random(1), random(2), random(3), session.Token, string(fakes.Wallet("alice")), w.node.URL} {
		if strings.Contains(text, secret) {
			t.Errorf("the metrics hold %q", secret)
		}
	}
	s.stop()
}
