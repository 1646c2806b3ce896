package httpapi_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// TestSolvencyIsProvedOverHTTP takes a player's proof and checks it with the domain alone.
func TestSolvencyIsProvedOverHTTP(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}))
	h.funded("alice", sol, 1_000_000)
	h.funded("bob", sol, 500_000)
	own := question{method: http.MethodGet, path: "/account/solvency", as: "alice"}
	h.ask(own).ok(http.StatusNotFound)
	_, err := h.casino.Solvency.Step(t.Context())
	h.must(err)
	var shown api.AccountSolvency
	h.must(json.Unmarshal(h.ask(own).ok(http.StatusOK).text, &shown))
	signature, err := base64.StdEncoding.DecodeString(shown.Signed.Signature)
	h.must(err)
	signed := checkpoint.Signed{Text: shown.Signed.Statement, Key: shown.Signed.Kid, Signature: signature}
	statement, err := signed.Open(solvency.Purpose, fakes.StatementSigner{}.PublicKeys()...)
	h.must(err)
	stated, err := solvency.ParseFacts(statement.Facts)
	h.must(err)
	salt, err := solvency.ParseHash(shown.Salt)
	h.must(err)
	if len(shown.Proofs) != 1 || shown.Proofs[0].Available != 1_000_000 || shown.Wallet != address("alice") {
		t.Fatalf("shown %+v", shown)
	}
	p := shown.Proofs[0]
	proof := solvency.Proof{Token: money.Token(p.Token), Index: int(p.Index), Owed: solvency.Owed{
		Available: money.Amount(p.Available), Held: money.Amount(p.Held), Staked: money.Amount(p.Staked), Unclaimed: money.Amount(p.Unclaimed),
	}}
	raw, err := base64.StdEncoding.DecodeString(p.Path)
	h.must(err)
	proof.Path, err = solvency.DecodeNodes(raw)
	h.must(err)
	h.must(proof.Check(wallet.Address(shown.Wallet), salt, stated))
	var public api.SolvencyResponse
	h.must(json.Unmarshal(h.ask(question{method: http.MethodGet, path: "/public/solvency"}).ok(http.StatusOK).text, &public))
	if len(public.Statements) != 1 || public.Statements[0] != shown.Signed {
		t.Errorf("everybody is shown %+v", public)
	}
}

// TestTheWholeAnswerIsSmall takes the answer of one of 100,000 players in one token, on two
// lanes, with the greatest amounts that have a sum.
func TestTheWholeAnswerIsSmall(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d"}))
	h.funded("alice", sol, 1_000_000)
	debts := map[wallet.Address]solvency.Owed{wallet.Address(address("alice")): {Available: 90_000_000_000_000, Held: 10_000_000_000_000}}
	for i := range 99_999 {
		debts[wallet.Address(fmt.Sprint("player", i))] = solvency.Owed{Available: 90_000_000_000_000 - money.Amount(i)}
	}
	at := h.clock.Now().Truncate(time.Millisecond)
	snapshot := ports.SolvencySnapshot{Hour: at.Truncate(time.Hour), Key: []byte("key")}
	l, err := solvency.NewLedger(money.SOL, snapshot.Key, snapshot.Hour, debts)
	h.must(err)
	snapshot.Ledgers = []solvency.Ledger{l}
	slot, holding := uint64(382_045_117), money.Amount(8_999_999_999_999_999_999)
	heads := []hashchain.Head{{Seq: 1_234_567}, {Lane: 1, Seq: 1_234_567}}
	snapshot.Signed, err = fakes.StatementSigner{Names: []string{"2026-01"}}.Sign(checkpoint.Statement{
		Purpose: solvency.Purpose, Ledger: "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d", Epoch: 1, At: at, Slot: &slot, Heads: heads,
		Facts: solvency.Facts([]solvency.Stated{{Token: money.SOL, Root: l.Root(), Leaves: l.Size(), Treasury: address("treasury"), Holding: &holding}}),
	})
	h.must(err)
	record := audit.Record{ID: h.casino.Entropy.ID(), Action: audit.SolvencyStated, Target: "hour", At: at}
	h.must(h.store.AddSnapshot(t.Context(), snapshot, snapshot.Hour, record, []event.Event{l.Event(at, heads)}))
	text := h.ask(question{method: http.MethodGet, path: "/account/solvency", as: "alice"}).ok(http.StatusOK).text
	t.Logf("%d bytes, %d leaves, the sum is %d", len(text), l.Size(), l.Root().Sum)
	if len(text) > 2048 {
		t.Errorf("the answer has %d bytes", len(text))
	}
}

// TestBalancesOfAMoment asks for what was, as a player and as an admin.
func TestBalancesOfAMoment(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}))
	h.role("boss", "superadmin", "")
	h.funded("alice", sol, 1_000_000)
	then := h.clock.Now().UnixMilli()
	_, err := h.casino.Solvency.Step(t.Context())
	h.must(err)
	h.clock.Advance(time.Minute)
	h.funded("alice", sol, 500)
	balance := func(path, as string) int64 {
		t.Helper()
		var found struct {
			Balances []api.Balance
			Tokens   []struct {
				Token       string
				Liabilities int64
			}
			At int64
		}
		h.must(json.Unmarshal(h.ask(question{method: http.MethodGet, path: path, as: as}).ok(http.StatusOK).text, &found))
		for _, row := range found.Tokens {
			if row.Token == sol {
				return row.Liabilities
			}
		}
		return found.Balances[0].Balance
	}
	for path, as := range map[string]string{"/balance": "alice", "/admin/players/" + address("alice"): "boss", "/admin/overview": "boss"} {
		if got := balance(path+fmt.Sprintf("?at=%d", then), as); got != 1_000_000 {
			t.Errorf("%s at %d: %d", path, then, got)
		}
		if got := balance(path, as); got != 1_000_500 {
			t.Errorf("%s now: %d", path, got)
		}
		for _, wrong := range []string{"x", "-1", fmt.Sprint(h.clock.Now().Add(time.Hour).UnixMilli())} {
			h.ask(question{method: http.MethodGet, path: path + "?at=" + wrong, as: as}).ok(http.StatusBadRequest)
		}
	}
	h.ask(question{method: http.MethodGet, path: "/admin/overview?at=1", as: "boss"}).ok(http.StatusNotFound)
}
