package httpapi_test

import (
	"crypto"
	"crypto/hmac"
	"crypto/sha256"
	_ "crypto/sha512" // for the algorithms that are refused
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/test/fakes"
)

func TestInvalidBearerTokens(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token := h.token("alice")
	for name, row := range map[string]struct {
		header []string
		status int
		code   string
	}{
		"none":               {nil, 401, "MISSING_AUTH"},
		"empty":              {[]string{""}, 401, "MISSING_AUTH"},
		"basic":              {[]string{"Basic YTpi"}, 401, "MISSING_AUTH"},
		"the scheme alone":   {[]string{"Bearer"}, 401, "MISSING_AUTH"},
		"the scheme, blanks": {[]string{"Bearer   "}, 401, "MISSING_AUTH"},
		"no scheme":          {[]string{token}, 401, "MISSING_AUTH"},
		"another scheme":     {[]string{"Token " + token}, 401, "MISSING_AUTH"},
		"two headers":        {[]string{"Bearer " + token, "Bearer " + token}, 401, "INVALID_TOKEN"},
		"two tokens":         {[]string{"Bearer " + token + ", Bearer " + token}, 401, "INVALID_TOKEN"},
		"something behind":   {[]string{"Bearer " + token + " x"}, 401, "INVALID_TOKEN"},
		"100 kB":             {[]string{"Bearer " + strings.Repeat("a", 100_000)}, 401, "INVALID_TOKEN"},
		"100,000 dots":       {[]string{"Bearer " + strings.Repeat(".", 100_000)}, 401, "INVALID_TOKEN"},
		"lower case is fine": {[]string{"bearer " + token}, 200, ""},
		"upper case is fine": {[]string{"BEARER " + token}, 200, ""},
	} {
		r := h.request(question{method: http.MethodGet, path: "/balance"})
		r.Header["Authorization"] = row.header
		got := h.serve(r).is(row.status, row.code)
		if row.status == 401 && got.header.Get("WWW-Authenticate") != "Bearer" || t.Failed() {
			t.Fatalf("%s: WWW-Authenticate %q", name, got.header.Get("WWW-Authenticate"))
		}
	}
	h.get("", "/balance?access_token="+token).is(401, "MISSING_AUTH")
	h.ask(question{method: http.MethodGet, path: "/balance", header: map[string]string{"Cookie": "token=" + token}}).is(401, "MISSING_AUTH")
	h.post("", "/seed/rotate", object{"token": token}).is(401, "MISSING_AUTH")
}

// forge makes a token as an attacker could who knows the key.
func forge(header, claims string, sum func(text string) []byte) string {
	text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims))
	return text + "." + base64.RawURLEncoding.EncodeToString(sum(text))
}

func hmacWith(hash crypto.Hash) func(string) []byte {
	key, _ := hex.DecodeString(strings.TrimPrefix(jwtKey, "test:"))
	return func(text string) []byte {
		mac := hmac.New(hash.New, key)
		mac.Write([]byte(text))
		return mac.Sum(nil)
	}
}

func TestForgedTokens(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	honest := h.token("alice")
	now, id := h.clock.Now().Unix(), h.entropy.ID()
	sub := string(fakes.Wallet("alice"))
	claims := func(change string) string {
		text := fmt.Sprintf(`{"sub":%q,"iss":%q,"aud":%q,"iat":%d,"exp":%d,"jti":%q}`, sub, issuer, issuer, now, now+1800, id)
		if from, to, ok := strings.Cut(change, "→"); ok {
			return strings.Replace(text, from, to, 1)
		}
		return text
	}
	head := func(change string) string {
		text := `{"alg":"HS256","kid":"test","typ":"JWT"}`
		if from, to, ok := strings.Cut(change, "→"); ok {
			return strings.Replace(text, from, to, 1)
		}
		return text
	}
	none := func(string) []byte { return nil }
	hs256 := hmacWith(crypto.SHA256)
	exp := fmt.Sprintf(`"exp":%d`, now+1800)
	for name, token := range map[string]string{
		"alg none":              forge(head(`HS256→none`), claims(""), none),
		"alg None":              forge(head(`HS256→None`), claims(""), none),
		"alg nOnE":              forge(head(`HS256→nOnE`), claims(""), hs256),
		"HS384":                 forge(head(`HS256→HS384`), claims(""), hmacWith(crypto.SHA384)),
		"HS512":                 forge(head(`HS256→HS512`), claims(""), hmacWith(crypto.SHA512)),
		"RS256 with our key":    forge(head(`HS256→RS256`), claims(""), hs256),
		"kid unknown":           forge(head(`"test"→"other"`), claims(""), hs256),
		"kid of a path":         forge(head(`"test"→"../../dev/null"`), claims(""), func(text string) []byte { m := hmac.New(sha256.New, nil); m.Write([]byte(text)); return m.Sum(nil) }),
		"kid of SQL":            forge(head(`"test"→"' OR 1=1 --"`), claims(""), hs256),
		"kid missing":           forge(head(`"kid":"test",→`), claims(""), hs256),
		"crit":                  forge(head(`"typ"→"crit":["exp"],"typ"`), claims(""), hs256),
		"jku":                   forge(head(`"typ"→"jku":"https://example.com/k","typ"`), claims(""), hs256),
		"jwk":                   forge(head(`"typ"→"jwk":{"kty":"oct","k":"AA"},"typ"`), claims(""), hs256),
		"b64 false":             forge(head(`"typ"→"b64":false,"typ"`), claims(""), hs256),
		"no exp":                forge(head(""), claims(`,`+exp+`→`), hs256),
		"exp of a float":        forge(head(""), claims(exp+`→"exp":1e18`), hs256),
		"exp of a text":         forge(head(""), claims(exp+`→"exp":"9999999999"`), hs256),
		"another issuer":        forge(head(""), claims(`"iss":"casino-test"→"iss":"other"`), hs256),
		"another audience":      forge(head(""), claims(`"aud":"casino-test"→"aud":"other"`), hs256),
		"the subject twice":     forge(head(""), claims(`{→{"sub":"`+string(fakes.Wallet("bob"))+`",`), hs256),
		"an unknown player":     forge(head(""), claims(sub+`→`+string(fakes.Wallet("stranger"))), hs256),
		"cut":                   honest[:len(honest)-5],
		"a bit flipped":         honest[:len(honest)-3] + flip(honest[len(honest)-3]) + honest[len(honest)-2:],
		"another payload":       swapPayload(honest, claims(sub+`→`+string(fakes.Wallet("bob")))),
		"padded":                honest + "=",
		"a line end after it":   honest + "%0a",
		"a tail not canonical":  honest[:len(honest)-1] + string(honest[len(honest)-1]+1),
		"five parts":            honest + ".a.b",
		"the payload as text":   "a." + honest + ".c",
		"signed with empty key": forge(head(""), claims(""), func(text string) []byte { m := hmac.New(sha256.New, nil); m.Write([]byte(text)); return m.Sum(nil) }),
	} {
		r := h.request(question{method: http.MethodGet, path: "/balance"})
		r.Header.Set("Authorization", "Bearer "+token)
		if h.serve(r).is(401, "INVALID_TOKEN"); t.Failed() {
			t.Fatal(name)
		}
	}
	r := h.request(question{method: http.MethodGet, path: "/balance"})
	r.Header.Set("Authorization", "Bearer "+forge(head(""), claims(""), hs256))
	h.serve(r).ok(http.StatusOK) // with the right key the forger's tools make a valid token
}

func flip(c byte) string {
	if c == 'A' {
		return "B"
	}
	return "A"
}

func swapPayload(token, claims string) string {
	parts := strings.Split(token, ".")
	return parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + "." + parts[2]
}

func TestSessionsEndOnTime(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	session := h.loginWith(h.login("alice")).ok(http.StatusOK)
	ends := time.UnixMilli(session.integer("expiresAt"))
	r := func() *http.Request {
		r := h.request(question{method: http.MethodGet, path: "/balance"})
		r.Header.Set("Authorization", "Bearer "+session.text_("token"))
		return r
	}
	h.clock.Set(ends.Add(-time.Second))
	h.serve(r()).ok(http.StatusOK)
	h.clock.Set(ends)
	h.serve(r()).is(401, "EXPIRED_TOKEN")
}

func TestRolesAreReadAtEachCall(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("boss", "superadmin", "")
	h.role("eve", "superadmin", "")
	h.get("eve", "/admin/me").ok(http.StatusOK)
	h.role("eve", "readonly", "")
	alice := string(fakes.Wallet("alice"))
	h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + alice, as: "eve", body: object{"token": sol, "amount": 1, "reason": "r"}}).
		is(http.StatusForbidden, "ADMIN_FORBIDDEN")
}

// TestAnEndedSessionPlaysNothing sends a bet that could be settled, one that was settled
// during the session, and invalid ones: after a sign-out all get the same error.
func TestAnEndedSessionPlaysNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1_000_000)
	bet := question{
		method: http.MethodPost, path: "/play", as: "alice", body: object{"gameType": "dice", "wager": minimum, "token": sol},
		header: map[string]string{"Idempotency-Key": "settled"},
	}
	h.ask(bet).ok(http.StatusOK)
	before := h.balance("alice", sol)
	h.clock.Advance(time.Second)
	h.post("alice", "/auth/logout", nil).ok(http.StatusNoContent)
	settled, fresh, wrongField, tooLarge, wrongQuery := bet, bet, bet, bet, bet
	fresh.header = nil
	wrongField.body = object{"gameType": "dice", "wager": "much", "token": sol}
	tooLarge.header, tooLarge.body = nil, object{"gameType": "dice", "wager": 100_000_000, "token": sol}
	wrongQuery.path += "?x=1"
	for _, q := range []question{settled, fresh, wrongField, tooLarge, wrongQuery} {
		h.ask(q).is(http.StatusUnauthorized, "INVALID_TOKEN")
	}
	if after := h.balance("alice", sol); after != before {
		t.Errorf("the balance went from %d to %d", before, after)
	}
}
