package remotesigner_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	"github.com/casino-service/casino/adapters/solana/remotesigner"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

func TestPayoutsAreReadAndSigned(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		payout payout
		want   remotesigner.Payment
	}{
		"SOL":   {solPayout(1_000, "alice"), remotesigner.Payment{Token: money.SOL, Amount: 1_000, Destination: string(fakes.Wallet("alice")), Memo: "w-1"}},
		"token": {usdPayout(50, "alice"), remotesigner.Payment{Token: usdTerms.Mint, Amount: 50, Destination: string(fakes.Wallet("alice")), Memo: "w-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			message := row.payout.message(t)
			payment, err := policy.Read(message)
			if err != nil || payment != row.want {
				t.Fatalf("%+v, %v", payment, err)
			}
			s := newSigner(t)
			signature, err := s.Sign(background, message)
			if err != nil || !ed25519.Verify(treasury.PublicKey(), message, signature) {
				t.Errorf("%x, %v", signature, err)
			}
			if text := s.log.String(); strings.Contains(text, secret) || !strings.Contains(text, "memo=w-1") {
				t.Errorf("logged: %s", text)
			}
		})
	}
}

func TestNothingElseIsSigned(t *testing.T) {
	t.Parallel()
	alice, mallory := key(fakes.Wallet("alice")), key(fakes.Wallet("mallory"))
	with := func(change func(*payout)) payout {
		p := solPayout(1_000, "alice")
		change(&p)
		return p
	}
	pays := func(all ...solana.Instruction) payout { return with(func(p *payout) { p.pays = all }) }
	one := func(i ...solana.Instruction) solana.Instruction { return i[len(i)-1] }
	other := usdTerms
	other.Mint = fakes.Mint("other")
	decimals := usdTerms
	decimals.Decimals = 9
	own, _, err := solana.FindAssociatedTokenAddress(key(treasury), mintKey(usdTerms.Mint))
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]payout{
		"above the cap":               solPayout(1_001, "alice"),
		"a token above its cap":       usdPayout(51, "alice"),
		"nothing":                     solPayout(0, "alice"),
		"more than an amount":         solPayout(1<<63, "alice"),
		"no payment":                  pays(),
		"two payments":                with(func(p *payout) { p.pays = append(p.pays, p.pays...) }),
		"to itself":                   solPayout(1, "treasury"),
		"to what no key can sign for": pays(system.NewTransferInstruction(1, key(treasury), own).Build()),
		"without a memo":              with(func(p *payout) { p.without = "memo" }),
		"without a budget":            with(func(p *payout) { p.without = "budget" }),
		"an empty memo":               with(func(p *payout) { p.memo = "" }),
		"a long memo":                 with(func(p *payout) { p.memo = strings.Repeat("x", 129) }),
		"a memo that is no text":      with(func(p *payout) { p.memo = "\xff" }),
		"a memo of nobody's":          with(func(p *payout) { p.memo = "thank you" }),
		"a dear one":                  with(func(p *payout) { p.price = 100_001 }),
		"an overflowing price":        with(func(p *payout) { p.price = 1<<64 - 1 }),
		"another payer":               with(func(p *payout) { p.payer = mallory }),
		"another's money":             pays(system.NewTransferInstruction(1, mallory, alice).Build()),
		"a program of anybody":        pays(solana.NewInstruction(mallory, nil, []byte{1})),
		"an account is made":          pays(system.NewCreateAccountInstruction(1, 0, alice, key(treasury), alice).Build()),
		"the treasury is assigned":    pays(system.NewAssignInstruction(mallory, key(treasury)).Build()),
		"a token that isn't paid":     pays(tokenPay(1, other, key(treasury), alice, alice)...),
		"other decimals":              pays(tokenPay(1, decimals, key(treasury), alice, alice)...),
		"another account is paid":     pays(tokenPay(1, usdTerms, key(treasury), alice, mallory)...),
		"no account is made sure of":  pays(one(tokenPay(1, usdTerms, key(treasury), alice, alice)...)),
		"only an account is opened":   pays(tokenPay(1, usdTerms, key(treasury), alice, alice)[0]),
		"SOL, and an account opened":  with(func(p *payout) { p.pays = append(p.pays, tokenPay(1, usdTerms, key(treasury), alice, alice)[0]) }),
		"an approval":                 pays(spltoken.NewApproveInstruction(1, own, mallory, key(treasury), nil).Build()),
		"a new authority":             pays(spltoken.NewSetAuthorityInstruction(spltoken.AuthorityAccountOwner, mallory, own, key(treasury), nil).Build()),
		"the account is closed":       pays(spltoken.NewCloseAccountInstruction(own, mallory, key(treasury), nil).Build()),
		"an unchecked transfer":       pays(spltoken.NewTransferInstruction(1, own, mallory, key(treasury), nil).Build()),
	} {
		if payment, err := policy.Read(p.message(t)); err == nil {
			t.Errorf("%s: would be signed as %+v", name, payment)
		}
	}
	good := solPayout(1, "alice").message(t)
	for name, message := range map[string][]byte{
		"empty": nil, "one byte": {0}, "cut off": good[:len(good)-1], "with something behind": append(append([]byte{}, good...), 0),
		"of two signers": append([]byte{2}, good[1:]...), "not a message": []byte("casino-auth:wallet:1"),
	} {
		if payment, err := policy.Read(message); err == nil {
			t.Errorf("%s: would be signed as %+v", name, payment)
		}
	}
}

// FuzzRead: for any input, a signed message pays within the caps.
func FuzzRead(f *testing.F) {
	f.Add(solPayout(1_000, "alice").message(f))
	f.Add(usdPayout(50, "alice").message(f))
	f.Fuzz(func(t *testing.T, message []byte) {
		payment, err := policy.Read(message)
		if err == nil && (payment.Amount < 1 || payment.Amount > 1_000 || payment.Memo == "" || payment.Destination == string(treasury)) {
			t.Errorf("%+v of %x", payment, message)
		}
	})
}

func TestTheSignerKeepsItsOwnCapsOverRestarts(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	numbered := func(n byte, amount uint64) payout {
		p := solPayout(amount, "alice")
		p.memo, p.hash = fmt.Sprint("w-", n), n
		return p
	}
	sign := func(p payout, wantRefused string) {
		t.Helper()
		_, err := s.Sign(background, p.message(t))
		if wantRefused == "" && err != nil || wantRefused != "" && (!fault.Is(err, fault.AmountOutOfRange) || !strings.Contains(err.Error(), wantRefused)) {
			t.Fatalf("%v, want %q", err, wantRefused)
		}
	}
	sign(numbered(1, 1_000), "")
	sign(numbered(1, 1_000), "") // the same bytes count once
	sign(numbered(2, 1_000), "")
	sign(numbered(3, 501), "within an hour")
	s.close()
	s = openSigner(t, s.path, s.clock)
	sign(numbered(3, 501), "within an hour")
	sign(usdPayout(50, "bob"), "another payment") // memo w-1 paid SOL
	changed := numbered(1, 999)
	changed.hash = 9
	sign(changed, "another payment")
	sign(numbered(3, 500), "")
	again := numbered(3, 500)
	again.hash = 10
	sign(again, "within an hour") // another signature for the same withdrawal is another payment
	s.clock.Advance(time.Hour)
	sign(again, "")
}

func TestAJournalThatWasCutOffContinues(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	if _, err := s.Sign(background, solPayout(1_000, "alice").message(t)); err != nil {
		t.Fatal(err)
	}
	s.close()
	whole, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(s.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(s.path, append(whole, whole[:20]...), 0o600); err != nil {
		t.Fatal(err)
	}
	journal, err := remotesigner.OpenJournal(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadFile(s.path); err != nil || string(left) != string(whole) {
		t.Errorf("%q is left of %q, %v", left, whole, err)
	}
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, append([]byte("nonsense\n"), whole...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := remotesigner.OpenJournal(broken); err == nil {
		t.Error("a broken journal is used")
	}
}

func TestWhatCannotBeRecordedIsNotSigned(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	if err := s.journal.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if signature, err := s.Sign(background, solPayout(1, "alice").message(t)); !fault.Is(err, fault.External) || signature != nil {
			t.Errorf("%x, %v: signed without being written down", signature, err)
		}
	}
}

func TestTheTokenIsRequired(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	message := solPayout(1, "alice").message(t)
	endpoint := s.url
	for _, bearer := range []string{secret + "x", strings.ToUpper(secret), strings.Repeat("y", 40)} {
		if _, err := client(t, endpoint, bearer).Sign(background, message); !fault.Is(err, fault.External) {
			t.Errorf("%v", err)
		}
	}
	body := `{"message":"` + base64.StdEncoding.EncodeToString(message) + `"}`
	for name, row := range map[string]struct {
		method, path, authorization, body string
		want                              int
	}{
		"no token":      {http.MethodPost, "/sign", "", body, http.StatusUnauthorized},
		"no bearer":     {http.MethodPost, "/sign", secret, body, http.StatusUnauthorized},
		"another path":  {http.MethodPost, "/", "Bearer " + secret, body, http.StatusNotFound},
		"GET":           {http.MethodGet, "/sign", "Bearer " + secret, "", http.StatusMethodNotAllowed},
		"no body":       {http.MethodPost, "/sign", "Bearer " + secret, "", http.StatusBadRequest},
		"not JSON":      {http.MethodPost, "/sign", "Bearer " + secret, "x", http.StatusBadRequest},
		"not base64":    {http.MethodPost, "/sign", "Bearer " + secret, `{"message":"?"}`, http.StatusBadRequest},
		"more than it":  {http.MethodPost, "/sign", "Bearer " + secret, `{"message":"AA==","x":1}`, http.StatusBadRequest},
		"a huge one":    {http.MethodPost, "/sign", "Bearer " + secret, `{"message":"` + strings.Repeat("A", 9_000) + `"}`, http.StatusBadRequest},
		"refused":       {http.MethodPost, "/sign", "Bearer " + secret, `{"message":"AAAA"}`, http.StatusForbidden},
		"as it must be": {http.MethodPost, "/sign", "Bearer " + secret, body, http.StatusOK},
	} {
		request, err := http.NewRequestWithContext(t.Context(), row.method, endpoint+row.path, strings.NewReader(row.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", row.authorization)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != row.want {
			t.Errorf("%s: %d, want %d", name, response.StatusCode, row.want)
		}
	}
}

// For any response of a signer, only the treasury's signature over these bytes is used.
func TestHostileSignersAreNotTrusted(t *testing.T) {
	t.Parallel()
	message := solPayout(1, "alice").message(t)
	answer := func(signature []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"signature":%q}`, base64.StdEncoding.EncodeToString(signature))
		}
	}
	status := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = w.Write([]byte(body))
		}
	}
	elsewhere := 0
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	t.Cleanup(trap.Close)
	for name, handler := range map[string]http.HandlerFunc{
		"another key's":        answer(ed25519.Sign(fakes.Key("mallory"), message)),
		"over another message": answer(ed25519.Sign(fakes.Key("treasury"), append([]byte{1}, message...))),
		"zeros":                answer(make([]byte, 64)),
		"short":                answer(make([]byte, 63)),
		"long":                 answer(make([]byte, 65)),
		"none":                 status(http.StatusOK, "{}"),
		"empty":                status(http.StatusOK, ""),
		"HTML":                 status(http.StatusOK, "<html>"),
		"huge":                 status(http.StatusOK, strings.Repeat(" ", 1<<20)),
		"an error":             status(http.StatusInternalServerError, secret),
		"somewhere else": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, trap.URL+"/sign", http.StatusTemporaryRedirect)
		},
		"nothing ever": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // until then the server doesn't notice a hang-up
			<-r.Context().Done()
		},
		"cut off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("{"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := hostile(t, handler)
			signature, err := c.Sign(background, message)
			if signature != nil || !fault.Is(err, fault.External) || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "127.0.0.1") {
				t.Errorf("%x, %v", signature, err)
			}
		})
	}
	t.Cleanup(func() {
		if elsewhere > 0 {
			t.Error("the token went elsewhere")
		}
	})
	refusing := hostile(t, status(http.StatusForbidden, `{"error":"no\u0007`+strings.Repeat("x", 1_000)+`"}`))
	if _, err := refusing.Sign(background, message); !fault.Is(err, fault.AmountOutOfRange) || len(err.Error()) > 300 || strings.Contains(err.Error(), "\a") {
		t.Errorf("%v", err)
	}
}

func TestConfigurationsThatExposeTheTokenAreRefused(t *testing.T) {
	t.Parallel()
	good := remotesigner.ClientConfig{URL: "https://signer.example/base", Token: secret, Treasury: treasury}
	made, err := remotesigner.NewClient(good)
	if err != nil {
		t.Fatal(err)
	}
	for _, printed := range []string{fmt.Sprintf("%v %+v %#v", made, made, made), fmt.Sprintf("%+v", struct{ c any }{made})} {
		if strings.Contains(printed, secret) {
			t.Errorf("printed as %s", printed)
		}
	}
	for name, change := range map[string]func(*remotesigner.ClientConfig){
		"http to elsewhere":     func(c *remotesigner.ClientConfig) { c.URL = "http://signer.example" },
		"another scheme":        func(c *remotesigner.ClientConfig) { c.URL = "ftp://signer.example" },
		"no host":               func(c *remotesigner.ClientConfig) { c.URL = "https://" },
		"a password in the URL": func(c *remotesigner.ClientConfig) { c.URL = "https://user:" + secret + "@signer.example" },
		"a query":               func(c *remotesigner.ClientConfig) { c.URL = "https://signer.example?x=" + secret },
		"no URL":                func(c *remotesigner.ClientConfig) { c.URL = "" },
		"a short token":         func(c *remotesigner.ClientConfig) { c.Token = secret[:31] },
		"a token with a line":   func(c *remotesigner.ClientConfig) { c.Token = secret + "\n" },
		"no treasury":           func(c *remotesigner.ClientConfig) { c.Treasury = "" },
	} {
		cfg := good
		change(&cfg)
		if _, err := remotesigner.NewClient(cfg); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
