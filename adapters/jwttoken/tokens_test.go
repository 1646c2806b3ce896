package jwttoken_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/jwttoken"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

func TestAnIssuedTokenVerifiesToItsSession(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"))
	bearer, expires, err := w.Issue(w.wallet)
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Unix(start.Unix(), 0).Add(ttl).UTC(); !expires.Equal(want) || expires.Nanosecond() != 0 {
		t.Errorf("expires at %v, want %v", expires, want)
	}
	session, err := w.Verify(bearer)
	if err != nil {
		t.Fatal(err)
	}
	if session.Wallet != w.wallet || !session.ExpiresAt.Equal(expires) {
		t.Errorf("session = %+v", session)
	}
	if !session.IssuedAt.Equal(start) {
		t.Errorf("issued at %v, want %v to the millisecond", session.IssuedAt, start)
	}
}

// TestTokenHoldsTheContractsMembersOnly reads a token with the standard library.
func TestTokenHoldsTheContractsMembersOnly(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"))
	bearer, expires, err := w.Issue(w.wallet)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(bearer, ".")
	header, claims := members(t, parts[0]), members(t, parts[1])
	if len(header) != 3 || string(header["alg"]) != `"HS256"` || string(header["kid"]) != `"k1"` || string(header["typ"]) != `"JWT"` {
		t.Errorf("header = %s", header)
	}
	for name, want := range map[string]string{
		"sub": `"` + string(w.wallet) + `"`, "iss": `"` + issuer + `"`, "aud": `"` + audience + `"`,
		"iat": fmt.Sprint(start.Unix()), "exp": fmt.Sprint(expires.Unix()),
	} {
		if got := string(claims[name]); got != want {
			t.Errorf("%s = %s, want %s", name, got, want)
		}
	}
	if len(claims) != 6 || len(claims["jti"]) != 38 {
		t.Errorf("claims = %s", claims)
	}
	text := func(part string) string { raw, _ := base64.RawURLEncoding.DecodeString(part); return string(raw) }
	if sign(sha256.New, secretOf("k1"), text(parts[0]), text(parts[1])) != bearer {
		t.Error("the standard library signs these parts otherwise")
	}
}

func members(t *testing.T, part string) map[string]json.RawMessage {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]json.RawMessage
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestTokenEndsExactlyAtExp(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"))
	bearer, expires, err := w.Issue(w.wallet)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   time.Time
		want error
	}{
		{expires.Add(-time.Second), nil},
		{expires.Add(-time.Nanosecond), nil},
		{expires, fault.New(fault.ExpiredToken, "")},
		{expires.Add(1000 * time.Hour), fault.New(fault.ExpiredToken, "")},
	} {
		w.clock.at = c.at
		_, err := w.Verify(bearer)
		if (err == nil) != (c.want == nil) || err != nil && fault.KindOf(err) != fault.KindOf(c.want) {
			t.Errorf("at %v: %v, want %v", c.at, err, c.want)
		}
	}
}

// TestTokenIsOnlyExpiredWhenNothingElseIsWrong: a forger must not learn that only the time
// was wrong.
func TestTokenIsOnlyExpiredWhenNothingElseIsWrong(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"))
	w.clock.at = start.Add(2 * ttl)
	for name, c := range map[string]struct {
		bearer string
		want   fault.Kind
	}{
		"only old":             {forge(goodHeader, object(goodClaims(w))), fault.ExpiredToken},
		"old, another issuer":  {forge(goodHeader, with(w, "iss", `"other"`)), fault.InvalidToken},
		"old, another reader":  {forge(goodHeader, with(w, "aud", `"other"`)), fault.InvalidToken},
		"old, no wallet":       {forge(goodHeader, with(w, "sub", `"admin"`)), fault.InvalidToken},
		"old, id of elsewhen":  {forge(goodHeader, with(w, "jti", `"`+id(start.Add(time.Second))+`"`)), fault.InvalidToken},
		"old, wrong signature": {sign(sha256.New, secretOf("k2"), goodHeader, object(goodClaims(w))), fault.InvalidToken},
	} {
		if _, err := w.Verify(c.bearer); !fault.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKeysRotate(t *testing.T) {
	t.Parallel()
	old := open(t, entry("k1"))
	bearer, _, err := old.Issue(old.wallet)
	if err != nil {
		t.Fatal(err)
	}
	both := open(t, entry("k2"), entry("k1"))
	if _, err := both.Verify(bearer); err != nil {
		t.Errorf("a token of the older key: %v", err)
	}
	fresh, _, err := both.Issue(both.wallet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.Verify(fresh); !fault.Is(err, fault.InvalidToken) {
		t.Errorf("a token of a key not yet known: %v", err)
	}
	after := open(t, entry("k2"))
	if _, err := after.Verify(fresh); err != nil {
		t.Errorf("a token of the newest key: %v", err)
	}
	if _, err := after.Verify(bearer); !fault.Is(err, fault.InvalidToken) {
		t.Errorf("a token of a retired key: %v", err)
	}
}

// TestSessionStartsNeverGoBack: a session begun after another one is not older, even if the
// clock was set back in between. Its end follows the clock.
func TestSessionStartsNeverGoBack(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"))
	var last time.Time
	for _, step := range []time.Duration{0, 0, time.Millisecond, -time.Minute, 0, 30 * time.Second} {
		w.clock.at = w.clock.at.Add(step)
		bearer, expires, err := w.Issue(w.wallet)
		if err != nil {
			t.Fatal(err)
		}
		session, err := w.Verify(bearer)
		if err != nil {
			t.Fatal(err)
		}
		if session.IssuedAt.Before(last) {
			t.Errorf("issued at %v after one of %v", session.IssuedAt, last)
		}
		if want := w.clock.at.Unix() + 3600; expires.Unix() != want {
			t.Errorf("ends at %d, want %d", expires.Unix(), want)
		}
		last = session.IssuedAt
	}
}

func TestIssueRefusesWhatVerifyCouldNotRead(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"))
	ring, err := jwttoken.ParseKeys([]string{entry("k1")})
	if err != nil {
		t.Fatal(err)
	}
	for name, tokens := range map[string]*jwttoken.Tokens{
		"no keys":       jwttoken.New(jwttoken.Keyring{}, issuer, audience, ttl, w.clock, fixedID(id(start))),
		"no issuer":     jwttoken.New(ring, "", audience, ttl, w.clock, fixedID(id(start))),
		"no audience":   jwttoken.New(ring, issuer, "", ttl, w.clock, fixedID(id(start))),
		"no lifetime":   jwttoken.New(ring, issuer, audience, time.Second-1, w.clock, fixedID(id(start))),
		"ids of v4":     jwttoken.New(ring, issuer, audience, ttl, w.clock, fixedID("4c4bd5a5-1f0f-4b54-8d1c-0a2b0f6e9b11")),
		"ids of no one": jwttoken.New(ring, issuer, audience, ttl, w.clock, fixedID("7")),
		"a long issuer": jwttoken.New(ring, strings.Repeat("i", 2000), audience, ttl, w.clock, fixedID(id(start))),
	} {
		if bearer, _, err := tokens.Issue(w.wallet); err == nil {
			t.Errorf("%s: issued %s", name, bearer)
		}
	}
	if _, _, err := w.Issue(wallet.Address("11111111111111111111111111111111")); err == nil {
		t.Error("a token for the system program was issued")
	}
}

// fixedID is entropy with one id.
type fixedID string

func (fixedID) Seed() [32]byte { return [32]byte{} }
func (f fixedID) ID() string   { return string(f) }

func TestUnnamedDeploymentAcceptsNothing(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"))
	ring, err := jwttoken.ParseKeys([]string{entry("k1")})
	if err != nil {
		t.Fatal(err)
	}
	tokens := jwttoken.New(ring, "", "", ttl, w.clock, fixedID(id(start)))
	for _, bearer := range []string{forge(goodHeader, object(goodClaims(w))), forge(goodHeader, without(w, "iss"))} {
		if _, err := tokens.Verify(bearer); !fault.Is(err, fault.InvalidToken) {
			t.Errorf("%v", err)
		}
	}
}

func TestEveryBitOfATokenMatters(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"))
	bearer, _, err := w.Issue(w.wallet)
	if err != nil {
		t.Fatal(err)
	}
	for i := range bearer {
		for bit := range 8 {
			flipped := []byte(bearer)
			flipped[i] ^= 1 << bit
			if _, err := w.Verify(string(flipped)); !fault.Is(err, fault.InvalidToken) {
				t.Fatalf("byte %d, bit %d flipped: %v", i, bit, err)
			}
		}
		if _, err := w.Verify(bearer[:i]); !fault.Is(err, fault.InvalidToken) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
}

// TestRSAKeyConfusion signs with an RSA key and, in the other direction, uses the secret as
// a public key.
func TestRSAKeyConfusion(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"))
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	signed := encode(`{"alg":"RS256","kid":"k1","typ":"JWT"}`) + "." + encode(object(goodClaims(w)))
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	for name, bearer := range map[string]string{
		"signed by RSA": signed + "." + base64.RawURLEncoding.EncodeToString(signature),
		"our key":       forge(`{"alg":"RS256","kid":"k1","typ":"JWT"}`, object(goodClaims(w))),
	} {
		if _, err := w.Verify(bearer); !fault.Is(err, fault.InvalidToken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHugeTokensCostNothing measures that too long tokens are rejected at once. Not
// parallel, because it reads the allocations of the whole process.
func TestHugeTokensCostNothing(t *testing.T) {
	w := open(t, entry("k1"))
	good := forge(goodHeader, object(goodClaims(w)))
	for name, bearer := range map[string]string{
		"100 kB":           strings.Repeat("A", 100_000),
		"10^5 dots":        strings.Repeat(".", 100_000),
		"1 MB of three":    strings.Repeat("A", 1<<19) + "." + strings.Repeat("A", 1<<19) + ".A",
		"2 kB of dots":     strings.Repeat(".", 2000),
		"a long kid":       forge(`{"alg":"HS256","kid":"`+strings.Repeat("k", 10_000)+`","typ":"JWT"}`, object(goodClaims(w))),
		"a good one + 2kB": good + strings.Repeat("A", 2048),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 100 {
			if _, err := w.Verify(bearer); !fault.Is(err, fault.InvalidToken) {
				t.Errorf("%s: %v", name, err)
			}
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / 100; each > 1024 {
			t.Errorf("%s: %d bytes allocated for each", name, each)
		}
	}
}

func TestKeysAndTokensNeverPrintTheirSecret(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"))
	ring, err := jwttoken.ParseKeys([]string{entry("k1")})
	if err != nil {
		t.Fatal(err)
	}
	secret := secretOf("k1")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		printed := fmt.Sprintf(verb+verb, ring, w.Tokens)
		for _, leak := range []string{hex.EncodeToString(secret[:4]), fmt.Sprintf("%d %d %d", secret[0], secret[1], secret[2]), string(secret[:4])} {
			if strings.Contains(printed, leak) {
				t.Errorf("%s prints the secret", verb)
			}
		}
	}
	if got := fmt.Sprint(ring); got != "[secret]" {
		t.Errorf("a ring prints as %q", got)
	}
}

func BenchmarkVerify(b *testing.B) {
	w := open(b, entry("k1"))
	bearer, _, err := w.Issue(w.wallet)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Verify(bearer); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzVerify(f *testing.F) {
	w := open(f, entry("k1"))
	f.Add(goodHeader, object(goodClaims(w)))
	f.Add(`{"alg":"none"}`, `{}`)
	f.Add(`null`, `[1]`)
	want, err := w.Verify(forge(goodHeader, object(goodClaims(w))))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, header, claims string) {
		session, err := w.Verify(forge(header, claims))
		switch {
		case err != nil && !fault.Is(err, fault.InvalidToken) && !fault.Is(err, fault.ExpiredToken):
			t.Errorf("a fault of another kind: %v", err)
		case err == nil && session.Wallet != want.Wallet && session.Wallet.PublicKey() == nil:
			t.Errorf("accepted without a wallet: %+v", session)
		}
	})
}
