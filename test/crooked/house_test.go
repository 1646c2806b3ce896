package crooked_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/services"
)

// casino is a running service of the real binary, with what its operator has.
type casino struct {
	binary, baseURL, token string
	database               *sql.DB
	id                     string // the form of a round's id in a statement
	seals                  *sealer.Sealer
	keys                   sealer.StatementSigner
	signIn                 func() *client.Client // of a superadmin: sessions end after half an hour
	transport              *http.Transport
	limits                 api.TokenLimits
	requests               atomic.Int64
}

// RoundTrip sends a request as if it came from an address of its own, because a service admits
// few public requests a minute from one.
func (c *casino) RoundTrip(r *http.Request) (*http.Response, error) {
	n := c.requests.Add(1)
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", byte(n>>16), byte(n>>8), byte(n)))
	return c.transport.RoundTrip(r)
}

// startDev starts a `casino dev` in a folder.
func startDev(t testing.TB, folder string) *casino {
	t.Helper()
	binary, err := services.Binary()
	must(err)
	dev := services.NewDev(t, folder, "--writes-per-minute", "1000000", "--trusted-proxies", "127.0.0.0/8")
	c := &casino{
		binary: binary, baseURL: dev.BaseURL, token: dev.Tokens[0].Mint, transport: &http.Transport{MaxIdleConnsPerHost: 64},
	}
	c.signIn = func() *client.Client {
		key, _ := dev.Key(t, "superadmin")
		return c.signedIn(key)
	}
	t.Cleanup(c.transport.CloseIdleConnections)
	c.id = "X'%s'"
	c.database, err = sql.Open("sqlite", "file:"+filepath.Join(folder, "casino.db")+"?_pragma=busy_timeout(10000)")
	must(err)
	t.Cleanup(func() { must(c.database.Close()) })
	c.readKeys(secretIn(folder, "seed"), secretIn(folder, "receipt"))
	c.readLimits(t)
	return c
}

func secretIn(folder, name string) string {
	raw, err := os.ReadFile(filepath.Join(folder, name+".key"))
	must(err)
	return strings.TrimSpace(string(raw))
}

func (c *casino) readKeys(seeds, receipts string) {
	ring, err := sealer.ParseKeys([]string{seeds})
	must(err)
	c.seals = sealer.New(ring, system.Default().Reader())
	ring, err = sealer.ParseKeys([]string{receipts})
	must(err)
	c.keys, err = sealer.NewStatementSigner(ring)
	must(err)
}

func (c *casino) readLimits(t testing.TB) {
	t.Helper()
	published, err := client.New(c.baseURL, nil).PublicLimits(t.Context())
	must(err)
	for _, of := range published.Tokens {
		if of.Token == c.token {
			c.limits = of
		}
	}
}

// signedIn returns a client with a new session.
func (c *casino) signedIn(key ed25519.PrivateKey) *client.Client {
	signed, _, err := client.New(c.baseURL, &http.Client{Transport: c}).SignIn(context.Background(), key, time.Now())
	must(err)
	return signed
}

// newPlayer signs a new wallet in, gives it money, and returns its bearer token.
func (c *casino) newPlayer(t testing.TB) (token string) {
	t.Helper()
	seed := sha256.Sum256(fmt.Append(nil, t.Name(), c.requests.Add(1)))
	_, session, err := client.New(c.baseURL, &http.Client{Transport: c}).SignIn(t.Context(), ed25519.NewKeyFromSeed(seed[:]), time.Now())
	must(err)
	paid, err := c.signIn().AdjustBalance(t.Context(), session.Wallet, api.AdjustRequest{Token: c.token, Amount: capital, Reason: "to play"})
	must(err)
	if paid.Balance != capital {
		t.Fatalf("the player has %+v", paid)
	}
	return session.Token
}

// capital is what a player begins with.
const capital = 300_000_000

// exchange is a request and its answer.
type exchange struct {
	call   string // method and path after the base path
	wallet string // of the caller, empty without a session
	header http.Header
	sent   object
	status int
	got    object
	raw    []byte // the answer
	pass   func() // asks the service
}

// is reports whether it is one of the calls; a call that ends with a slash begins the path.
func (e *exchange) is(calls ...string) bool {
	for _, call := range calls {
		if e.call == call || strings.HasSuffix(call, "/") && strings.HasPrefix(e.call, call) {
			return true
		}
	}
	return false
}

// refuse answers with an error, or without an answer's body.
func (e *exchange) refuse(status int, body object) { e.status, e.got = status, body }

// trick is what a house does with a request. It lets the service answer by e.pass.
type trick func(h *house, e *exchange)

// house is the operator's proxy before the service.
type house struct {
	*casino
	trick trick
	// on is the ledger that the house writes for its players; nil shows the service's own.
	on     func(wallet string) *chain
	ledger string

	mu       sync.Mutex
	balances map[string]int64  // by wallet
	seeds    map[string]pair   // by commitment
	open     map[string]object // open rounds as they were shown
	marks    map[string]int64  // for tricks
	ids      []string          // of the rounds that were played
	// heads are the newest blocks that a wallet was shown.
	heads map[string]hashchain.Head
}

// pair is a seed pair that the house has opened.
type pair struct{ server, client string }

func (c *casino) newHouse(t testing.TB, play trick, on func(string) *chain) (h *house, baseURL string) {
	t.Helper()
	h = &house{
		casino: c, trick: play, on: on, balances: map[string]int64{}, seeds: map[string]pair{}, open: map[string]object{}, marks: map[string]int64{},
		heads: map[string]hashchain.Head{},
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return h, server.URL + c.baseURL[strings.LastIndex(c.baseURL, "/"):]
}

func (h *house) now() time.Time { return time.Now() }

// ServeHTTP serves a player.
func (h *house) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	base := h.baseURL[strings.LastIndex(h.baseURL, "/"):]
	e := &exchange{call: r.Method + " " + strings.TrimPrefix(r.URL.Path, base), header: r.Header.Clone(), wallet: subjectOf(r.Header.Get("Authorization"))}
	body, err := io.ReadAll(r.Body)
	must(err)
	if len(body) > 0 {
		e.sent = objectOf(body)
	}
	e.pass = func() { h.ask(r.Context(), e, r.URL.RequestURI()[len(base):]) }
	h.trick(h, e)
	if e.got != nil {
		if h.on != nil && e.status < http.StatusMultipleChoices {
			h.sign(e, h.on(e.wallet))
		}
		e.raw = textOf(e.got)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.status)
	_, _ = w.Write(e.raw) // to a player who may be gone
}

// ask sends a request to the service and notes what it shows.
func (h *house) ask(ctx context.Context, e *exchange, path string) {
	method, _, _ := strings.Cut(e.call, " ")
	var body io.Reader
	if e.sent != nil {
		body = bytes.NewReader(textOf(e.sent))
	}
	request, err := http.NewRequestWithContext(context.WithoutCancel(ctx), method, h.baseURL+path, body)
	must(err)
	for _, name := range []string{"Authorization", "Content-Type", "Idempotency-Key", "Prefer", "Accept"} {
		if value := e.header.Get(name); value != "" {
			request.Header.Set(name, value)
		}
	}
	answer, err := h.RoundTrip(request)
	must(err)
	e.raw, err = io.ReadAll(answer.Body)
	must(err)
	must(answer.Body.Close())
	e.status, e.got = answer.StatusCode, nil
	if !e.is("GET /public/games", "GET /public/tokens", "GET /health") {
		_ = json.Unmarshal(e.raw, &e.got) // what is no object is passed as it is
	}
	h.note(e)
}

// note remembers balances, open rounds and the ledger's id.
func (h *house) note(e *exchange) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.got["receipt"] != nil && h.ledger == "" && e.is("POST /seed/rotate") {
		_, rest, _ := strings.Cut(objectOf(e.got["receipt"]).text("text"), "ledger: ")
		h.ledger, _, _ = strings.Cut(rest, "\n")
	}
	if e.got["balance"] != nil {
		h.balances[e.wallet] = e.got.number("balance")
	}
	if e.got["receipt"] != nil && e.got["balance"] != nil {
		_, header, _ := strings.Cut(objectOf(e.got["receipt"]).text("text"), "\ncasino block 3\n")
		head := hashchain.Head{Hash: sha256.Sum256([]byte("casino block 3\n" + header))}
		_, err := fmt.Sscanf(header, "lane: %d\nseq: %d\n", &head.Lane, &head.Seq)
		must(err)
		h.heads[e.wallet] = head
	}
	if e.is("GET /balance") && e.status == http.StatusOK {
		var all []api.Balance
		must(json.Unmarshal(e.got["balances"], &all))
		for _, one := range all {
			if one.Token == h.token {
				h.balances[e.wallet] = one.Balance
			}
		}
	}
	if e.is("POST /play") && e.got["round"] != nil {
		h.ids = append(h.ids, fmt.Sprintf(h.id, strings.ReplaceAll(objectOf(e.got["round"]).text("id"), "-", "")))
	}
	if e.is("POST /rounds", "POST /rounds/") && e.got["round"] != nil {
		round := objectOf(e.got["round"])
		h.open[round.text("id")] = round
	}
}

// headsOf returns the newest block that a wallet was shown.
func (h *house) headsOf(wallet string) []hashchain.Head {
	h.mu.Lock()
	defer h.mu.Unlock()
	return []hashchain.Head{h.heads[wallet]}
}

// mark counts for a trick, and returns the count before.
func (h *house) mark(name string, by int64) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.marks[name] += by
	return h.marks[name] - by
}

// subjectOf returns the wallet that a bearer token is for.
func subjectOf(header string) string {
	parts := strings.Split(strings.TrimPrefix(header, "Bearer "), ".")
	if len(parts) != 3 {
		return ""
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	must(err)
	return objectOf(payload).text("sub")
}

// seedOf opens the seed of a pair that is in use or was.
func (h *house) seedOf(wallet, commitment string) pair {
	h.mu.Lock()
	defer h.mu.Unlock()
	if known, ok := h.seeds[commitment]; ok {
		return known
	}
	var id, sealed []byte
	var made pair
	var revealed sql.NullString
	must(h.database.QueryRowContext(context.Background(), "SELECT id, sealed, client_seed, revealed FROM seed_pairs WHERE commitment = ?", commitment).
		Scan(&id, &sealed, &made.client, &revealed))
	made.server = revealed.String
	if !revealed.Valid {
		uuid := fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
		opened, err := h.seals.Open(sealed, "server seed", uuid, wallet, commitment)
		must(err)
		made.server = string(opened)
	}
	h.seeds[commitment] = made
	return made
}

// edit changes the database under the running service; IDS in a statement are those of the
// rounds that were played at this house.
func (h *house) edit(statements ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, one := range statements {
		_, err := h.database.ExecContext(context.Background(), strings.ReplaceAll(one, "IDS", strings.Join(h.ids, ", ")))
		must(err)
	}
}

// games are the rules that the house plays by.
var games = sync.OnceValue(func() *game.Registry {
	all, err := game.NewRegistry(game.House()...)
	must(err)
	return all
})

// plan returns the plan of a bet as it was sent.
func planOf(sent object) (game.Plan, bool) {
	plan, err := verifier.Plan(games(), sent.text("gameType"), "", sent["config"], money.Amount(sent.number("wager")))
	return plan, err == nil
}

// pays returns what a bet will pay, in wagers: the house looks before it answers.
func (h *house) pays(e *exchange) float64 {
	plan, ok := planOf(e.sent)
	if !ok {
		return 0
	}
	of := h.seedOf(e.wallet, e.sent.text("expectedServerSeedHash"))
	result, err := game.Play(plan, fairness.NewStream(fairness.ServerSeedFromText(of.server), of.client, e.sent.number("expectedNonce")))
	must(err)
	return float64(result.Multiplier.Num) / float64(result.Multiplier.Den)
}

// askInstead asks the service for a bet that the player didn't make.
func (h *house) askInstead(e *exchange) { h.ask(context.Background(), e, "/play") }
