package httpapi_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/checkpoint"
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
	for _, text := range p.Path {
		node, err := solvency.ParseNode(text)
		h.must(err)
		proof.Path = append(proof.Path, node)
	}
	h.must(proof.Check(wallet.Address(shown.Wallet), salt, stated))
	var public api.SolvencyResponse
	h.must(json.Unmarshal(h.ask(question{method: http.MethodGet, path: "/public/solvency"}).ok(http.StatusOK).text, &public))
	if len(public.Statements) != 1 || public.Statements[0] != shown.Signed {
		t.Errorf("everybody is shown %+v", public)
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
