package chaos_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/services"
)

var update = flag.Bool("update", false, "write testdata anew")

const sessionEvents = "testdata/session.jsonl"

// TestTheSessionIsHeard reads the events of `casino demo` at the real service, from the first
// event of the ledger. It checks each event against its schema, compares all of them with a file
// except for the parts that differ between runs (ids, times, keys, draws), and sums up the
// balances.
func TestTheSessionIsHeard(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	folder := t.TempDir()
	running := services.NewDev(t, folder)
	path, err := services.Binary()
	noError(t, err)
	if out, err := exec.Command(path, "demo", "--data-dir", folder).CombinedOutput(); err != nil {
		t.Fatalf("casino demo: %v\n%s", err, out)
	}
	admin := client.New(running.BaseURL, nil).WithToken(running.SignIn(t, "superadmin"))
	all := heardAll(t, admin)
	alike := likeness{names: map[string]string{running.Treasury: "treasury"}, numbers: map[string]int{}}
	for _, w := range running.Wallets {
		alike.names[w.Address] = w.Name
	}
	for _, token := range running.Tokens {
		alike.names[token.Mint] = token.Symbol
	}
	followed(t, all)
	var lines bytes.Buffer
	for _, e := range all {
		schema, err := jsonschema.NewCompiler().Compile(filepath.Join("../../docs/events/v1", strings.TrimPrefix(e.Type, "casino.")+".json"))
		noError(t, err)
		data, err := jsonschema.UnmarshalJSON(bytes.NewReader(e.Data.(json.RawMessage)))
		noError(t, err)
		if err := schema.Validate(data); err != nil {
			t.Errorf("%s: %v of %s", e.ID, err, e.Data)
		}
		if alike.differs(e, data.(map[string]any)) {
			continue
		}
		line, err := json.Marshal(map[string]any{"type": e.Type, "subject": alike.value("", e.Subject), "data": alike.value("", data)})
		noError(t, err)
		fmt.Fprintf(&lines, "%s\n", line)
	}
	if *update {
		noError(t, os.WriteFile(sessionEvents, lines.Bytes(), 0o600))
	}
	want, err := os.ReadFile(sessionEvents)
	noError(t, err)
	sameLines(t, lines.String(), string(want))
}

// sameLines names the first line that differs.
func sameLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("line %d of what was heard is\n%s\non file is\n%s", i+1, strings.Join(g[min(i, len(g)):min(i+1, len(g))], ""),
				strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
}

// heardAll returns every event of the ledger up to those of an admin's own sign-in.
func heardAll(t *testing.T, admin *client.Client) (all []api.Event) {
	t.Helper()
	for cursor, more := "", true; more; {
		page, err := admin.AdminEvents(t.Context(), api.AdminEventsParams{Cursor: cursor, Limit: 7})
		noError(t, err)
		all = append(all, page.Events...)
		cursor, more = page.NextCursor, page.More
	}
	return all
}

// followed checks events against each other: ids and cursors must not repeat, and each balance
// begins with the end of the previous one.
func followed(t *testing.T, all []api.Event) {
	t.Helper()
	balances, ids, last := map[string]int64{}, map[string]bool{}, map[string]string{}
	for _, e := range all {
		var changed api.EventBalance
		noError(t, e.Read(&changed))
		if ids[e.ID] || e.Sequence <= last[changed.Wallet] || !strings.HasPrefix(e.Source, "urn:casino:") {
			t.Errorf("%s at %s of %s after %s", e.ID, e.Sequence, e.Source, last[changed.Wallet])
		}
		ids[e.ID], last[changed.Wallet] = true, e.Sequence
		if e.Type != "casino.balance.changed" {
			continue
		}
		of := changed.Wallet + changed.Token
		if balances[of] += changed.Amount; balances[of] != changed.Balance {
			t.Errorf("%s: %d more make %d, it says %d", e.ID, changed.Amount, balances[of], changed.Balance)
		}
	}
}

// likeness replaces the parts that differ between runs by fixed names.
type likeness struct {
	names   map[string]string
	numbers map[string]int // of ids, by their first occurrence
}

// differs reports whether an event may be missing in another run: a round that returns its wager
// changes no balance, a deposit may be found on chain before it waits, wins may be large, and
// workers state what is owed and the limits at any time.
func (l *likeness) differs(e api.Event, data map[string]any) bool {
	return e.Type == "casino.balance.changed" && data["cause"] == "round" || e.Type == "casino.deposit.pending" || e.Type == "casino.win.large" ||
		e.Type == "casino.solvency.stated" || e.Type == "casino.limits.published"
}

var (
	ofChance = []string{"payout", "multiplier", "outcome", "balance", "requestId"}
	random   = regexp.MustCompile(`^([0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,64}|[1-9A-HJ-NP-Za-km-z]{32,90})$`)
)

func (l *likeness) value(name string, of any) any {
	if of != nil && (slices.Contains(ofChance, name) || strings.HasSuffix(name, "At")) {
		return name
	}
	switch is := of.(type) {
	case nil:
		return nil
	case map[string]any:
		for _, member := range slices.Sorted(maps.Keys(is)) {
			is[member] = l.value(member, is[member])
		}
		return is
	case []any:
		for i := range is {
			is[i] = l.value(name, is[i])
		}
		return is
	}
	text, written := of.(string)
	if !written {
		return of
	}
	for address, named := range l.names {
		text = strings.ReplaceAll(text, address, named)
	}
	if random.MatchString(text) {
		if l.numbers[text] == 0 {
			l.numbers[text] = len(l.numbers) + 1
		}
		return fmt.Sprint("random ", l.numbers[text])
	}
	return text
}
