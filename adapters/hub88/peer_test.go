package hub88_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/hub88"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/stores"
)

// The keys of both sides, made once: generating them takes long.
var ours, theirs = sync.OnceValue(newKey), sync.OnceValue(newKey)

func newKey() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keys returns the casino's keys, through their PEM texts.
func keys(t testing.TB) hub88.Keys {
	t.Helper()
	private, err := x509.MarshalPKCS8PrivateKey(ours())
	must(t, err)
	public, err := x509.MarshalPKIXPublicKey(&theirs().PublicKey)
	must(t, err)
	parsed, err := hub88.ParseKeys(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
	must(t, err)
	return parsed
}

// padded is the body's SHA-256 in the padding of PKCS #1 v1.5, written out from RFC 8017:
// a second implementation, beside crypto/rsa in the product.
func padded(body []byte, size int) *big.Int {
	prefix := []byte{0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20}
	digest := sha256.Sum256(body)
	tail := append(prefix, digest[:]...)
	text := append([]byte{0, 1}, bytes.Repeat([]byte{0xff}, size-len(tail)-3)...)
	return new(big.Int).SetBytes(append(append(text, 0), tail...))
}

func signed(key *rsa.PrivateKey, body []byte) string {
	raw := new(big.Int).Exp(padded(body, key.Size()), key.D, key.N)
	return base64.StdEncoding.EncodeToString(raw.FillBytes(make([]byte, key.Size())))
}

func proves(key *rsa.PublicKey, body []byte, signature string) bool {
	raw, err := base64.StdEncoding.DecodeString(signature)
	return err == nil && new(big.Int).Exp(new(big.Int).SetBytes(raw), big.NewInt(int64(key.E)), key.N).Cmp(padded(body, key.Size())) == 0
}

// peer is Hub88 in memory: its Games API, and its calls of the wallet.
type peer struct {
	*testing.T
	server *httptest.Server
	mu     sync.Mutex
	cut    bool
	garble bool
	code   int    // of the next answers, if set
	body   string // of the next answer, if set
	tokens map[string]string
}

func newPeer(t *testing.T) *peer {
	t.Helper()
	p := &peer{T: t, tokens: map[string]string{}}
	p.server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.server.Close)
	return p
}

func (p *peer) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *peer) serve(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		panic(http.ErrAbortHandler)
	}
	body, err := io.ReadAll(r.Body)
	var asked struct {
		User     string `json:"user"`
		Token    string `json:"token"`
		Operator int    `json:"operator_id"`
		Game     string `json:"game_code"`
		Currency string `json:"currency"`
		Platform string `json:"platform"`
		Country  string `json:"country"`
		Language string `json:"lang"`
	}
	code, said := p.code, p.body
	p.code, p.body = 0, ""
	if p.garble {
		said = "<html>"
	}
	switch {
	case err != nil || !proves(&ours().PublicKey, body, r.Header.Get("X-Hub88-Signature")):
		code = http.StatusUnauthorized
	case json.Unmarshal(body, &asked) != nil || asked.Operator != 42:
		code = http.StatusBadRequest
	case code != 0 || said != "":
	case strings.HasSuffix(r.URL.Path, "/operator/generic/v2/game/list"):
		said = `[{"game_code":"clt_dragonrising","name":"Dragon Rising","product":"Caleta Gaming","category":"Video Slots","enabled":true,"url_thumb":"https://cdn.example/a.png","new_field":1},
			{"game_code":"old","name":"Old","product":"Caleta Gaming","category":"Video Slots","enabled":false}]`
	case asked.Game != "clt_dragonrising":
		code = http.StatusNotFound
	case len(asked.Token) < 10 || asked.Currency != "EUR" || asked.Country != "XX" || asked.Platform != "GPL_DESKTOP" || asked.Language != "pt":
		code = http.StatusBadRequest
	default:
		p.tokens[asked.User] = asked.Token
		said = `{"url":"` + p.server.URL + `/play"}`
	}
	if code != 0 {
		w.WriteHeader(code)
	}
	_, _ = io.WriteString(w, said)
}

// client returns our client of the peer.
func (p *peer) client(clock *fakes.Clock) *hub88.Client {
	p.Helper()
	client, err := hub88.New(hub88.Config{
		URL: p.server.URL, OperatorID: 42, Currency: "EUR", Keys: keys(p), Now: clock.Now, Loopback: true, Timeout: 5 * time.Second,
	})
	must(p, err)
	return client
}

// scale is the tested casino's: a unit of currency is 10^6 base units, and so an amount of
// the protocol is 10 of them.
const scale = 6

// house is a casino that Hub88 is connected to, in both directions over HTTP.
type house struct {
	*testing.T
	casino *app.Casino
	peer   *peer
	store  conformance.Ports
	clock  *fakes.Clock
	server *httptest.Server
	log    bytes.Buffer
	serial int
}

func open(t *testing.T, newStore func(*testing.T) conformance.Ports, caps player.ProviderCaps) *house {
	t.Helper()
	h := &house{T: t, clock: fakes.NewClock(fakes.Start), store: newStore(t), peer: newPeer(t)}
	stores.Follow(h.store, h.clock)
	terms := token.Terms{
		Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System, MinDeposit: 1, MinWager: 1, MaxWager: 1 << 40,
		MaxPayout: 1 << 50, MinWithdrawal: 1, MaxWithdrawal: 1 << 50, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson,
		PayoutCap: 1 << 50, PayoutCapPerHour: 1 << 60, BankrollShare: money.Ratio{Num: 1, Den: 1},
	}
	games, err := fakes.StandardGames()
	must(t, err)
	logger := slog.New(slog.NewTextHandler(&h.log, nil))
	h.casino, err = app.New(app.Deps{
		Store: app.StoreOf(h.store), Chain: fakes.NewChain(terms), Clock: h.clock, Entropy: fakes.NewEntropy(1), Games: games,
		Sessions: fakes.NewSessions(h.clock, "test", 30*time.Minute), Tokens: token.NewBook(terms),
		Policy: rbac.DefaultPolicy(), Branding: branding.Default(), Logger: logger,
		Provider: &app.ProviderConnection{Code: "hub88", Games: h.peer.client(h.clock), Token: money.SOL, Scale: scale, Caps: caps, EnableNew: true},
	})
	must(t, err)
	calls, err := hub88.NewHandler(hub88.HandlerConfig{
		Wallet: h.casino.Providers, Keys: keys(t), Currency: "EUR", Now: h.clock.Now, Limiter: fakes.NewLimiter(h.clock), Logger: logger,
	})
	must(t, err)
	handler, err := httpapi.New(h.casino, httpapi.Config{
		Limiter: fakes.NewLimiter(h.clock), Callbacks: httpapi.Callbacks{Handler: calls, Path: "/hub88"}, Logger: logger,
	})
	must(t, err)
	h.server = httptest.NewServer(handler)
	t.Cleanup(h.server.Close)
	_, err = h.casino.Providers.ProviderSync().Sync(t.Context())
	must(t, err)
	return h
}

var generous = player.ProviderCaps{NetWin: money.Max, WithoutDebit: money.Max, Connection: money.Max}

func inMemory(*testing.T) conformance.Ports { return memory.New() }

// enter signs a player in with a deposit, and launches the game if asked to.
func (h *house) enter(name string, units money.Amount, launches bool) string {
	h.Helper()
	key := ed25519.NewKeyFromSeed([]byte(fmt.Sprintf("%-32.32s", name)))
	address := wallet.Address(base58.Encode(key.Public().(ed25519.PublicKey)))
	at := h.clock.Advance(time.Millisecond)
	_, err := h.casino.Accounts.SignIn(h.Context(), accounts.SignInRequest{
		Wallet: string(address), Timestamp: at.UnixMilli(), Signature: ed25519.Sign(key, []byte(wallet.LoginMessage(address, at.UnixMilli()))),
	})
	must(h, err)
	h.serial++
	ref := deposit.Ref{Signature: fakes.Signature(fmt.Sprint(name, h.serial)), Token: money.SOL}
	claim := deposit.Claim{ID: fmt.Sprint("deposit-", h.serial), Wallet: address, Ref: ref, Status: deposit.Pending, CreatedAt: at, UpdatedAt: at}
	_, err = h.store.Commit(h.Context(), player.Item{
		Wallet: address, At: at, Keys: []player.UniqueKey{{Kind: player.DepositKey, Scope: string(money.SOL), ID: ref.Signature}},
		Needs: player.Needs{Tokens: []money.Token{money.SOL}, Deposits: []deposit.Ref{ref}, Open: true},
		Decide: func(v player.View) (player.Change, error) {
			return player.ClaimDeposit(v, claim, deposit.Verdict{Status: deposit.Credited, Amount: units}, at)
		},
	})
	must(h, err)
	if launches {
		_, err := h.casino.Providers.Launch(h.Context(), app.Caller{Wallet: address}, providers.LaunchRequest{
			GameCode: "clt_dragonrising", UserCode: string(address), Language: "pt-BR",
		})
		must(h, err)
	}
	return string(address)
}

// said is an answer of the wallet.
type said struct {
	HTTP    int
	User    string `json:"user"`
	Status  string `json:"status"`
	Request string `json:"request_uuid"`
	Balance *int64 `json:"balance"`
}

// message is a call of the wallet, by the names of its fields.
type message map[string]any

// send signs a message and calls the wallet.
func (h *house) send(path string, m message) said {
	h.Helper()
	body, err := json.Marshal(m)
	must(h, err)
	return h.post(path, body, signed(theirs(), body))
}

func (h *house) post(path string, body []byte, signature string) said {
	h.Helper()
	request, err := http.NewRequestWithContext(h.Context(), http.MethodPost, h.server.URL+"/casino/hub88"+path, bytes.NewReader(body))
	must(h, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Hub88-Signature", signature)
	response, err := http.DefaultClient.Do(request)
	must(h, err)
	defer func() { _ = response.Body.Close() }()
	answer := said{HTTP: response.StatusCode}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		h.Errorf("%s: HTTP %d without JSON: %v", path, response.StatusCode, err)
	}
	return answer
}

// call returns a message of a player with the token of the launch.
func (h *house) call(user string, more message) message {
	m := message{
		"user": user, "token": h.peer.tokens[user], "request_uuid": "583c985f-fee6-4c0e-bbf5-308aad6265af", "game_code": "clt_dragonrising",
		"round": "r1", "round_closed": false, "supplier_user": nil, "new_field": []int{1},
	}
	for name, value := range more {
		if m[name] = value; value == "-" {
			delete(m, name)
		}
	}
	return m
}

func bet(txn string, amount int64) message {
	return message{"transaction_uuid": txn, "currency": "EUR", "amount": amount, "is_free": false}
}

func win(txn, of string, amount int64) message {
	return message{"transaction_uuid": txn, "reference_transaction_uuid": of, "currency": "EUR", "amount": amount, "round_closed": true}
}

func rollback(txn, of string) message {
	return message{"transaction_uuid": txn, "reference_transaction_uuid": of, "round_closed": true}
}

// with returns a message with other fields; "-" removes one.
func with(m, more message) message {
	all := message{}
	for _, one := range []message{m, more} {
		for name, value := range one {
			all[name] = value
		}
	}
	return all
}

// audited checks the ledger.
func (h *house) audited() {
	h.Helper()
	report, err := appaudit.NewAuditor(h.store, h.casino.Games, nil).Run(h.Context())
	must(h, err)
	for _, finding := range report.Findings {
		h.Error(finding)
	}
	if report.Transactions == 0 {
		h.Error("the audit saw no transaction")
	}
}

func quoted(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}
