package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/casino-service/casino/test/fakes"
)

func (h *house) withdrawBody(amount string) string {
	return fmt.Sprintf(`{"amount":%s,"token":%q,"destination":%q}`, amount, sol, fakes.Wallet("alice"))
}

func TestMalformedBodies(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1_000_000)
	good := h.withdrawBody("5000")
	inside := strings.TrimSuffix(good, "}")
	for name, row := range map[string]struct{ body, field string }{
		"a name twice":                  {inside + `,"amount":1}`, "amount"},
		"a name twice by escapes":       {inside + `,"amo\u0075nt":1}`, "amount"},
		"a name in another case":        {inside + `,"Amount":-5}`, "Amount"},
		"the right name in upper case":  {strings.Replace(good, "amount", "AMOUNT", 1), "AMOUNT"},
		"an unknown field: role":        {inside + `,"role":"superadmin"}`, "role"},
		"an unknown field: balance":     {inside + `,"balance":1}`, "balance"},
		"an unknown field: status":      {inside + `,"status":"approved"}`, "status"},
		"an unknown field: id":          {inside + `,"id":"x"}`, "id"},
		"an unknown field: isAdmin":     {inside + `,"isAdmin":true}`, "isAdmin"},
		"an unknown field: __proto__":   {inside + `,"__proto__":{"amount":1}}`, "__proto__"},
		"an unknown field: constructor": {inside + `,"constructor":{}}`, "constructor"},
		"a long unknown field":          {inside + `,"` + strings.Repeat("x", 100) + `":1}`, strings.Repeat("x", 64) + "…"},
		"an unknown field, empty":       {inside + `,"":1}`, ""},
		"a second value after it":       {good + good, "body"},
		"a brace after it":              {good + "}", "body"},
		"null":                          {"null", "body"},
		"a list":                        {"[]", "body"},
		"a text":                        {`"x"`, "body"},
		"a number":                      {"1", "body"},
		"nothing":                       {"", "body"},
		"blanks":                        {" \n", "body"},
		"an empty object":               {"{}", "amount"},
		"a BOM":                         {"\ufeff" + good, "body"},
		"bad UTF-8":                     {inside + ",\"x\":\"\xff\"}", "body"},
		"an overlong encoding":          {inside + ",\"x\":\"\xc0\x80\"}", "body"},
		"a lone surrogate":              {inside + `,"x":"\ud800"}`, "body"},
		"NUL as it is":                  {inside + ",\"x\":\"\x00\"}", "body"},
		"NUL escaped":                   {strings.Replace(good, string(fakes.Wallet("alice")), `a\u0000`, 1), "body"},
		"NUL in a name":                 {inside + `,"a\u0000":1}`, "body"},
		"a comment":                     {inside + "/* */}", "body"},
		"single quotes":                 {strings.ReplaceAll(good, `"`, "'"), "body"},
		"a comma after it":              {inside + ",}", "body"},
		"half":                          {good[:20], "body"},
		"NaN":                           {h.withdrawBody("NaN"), "body"},
		"Infinity":                      {h.withdrawBody("Infinity"), "body"},
		"0x10":                          {h.withdrawBody("0x10"), "body"},
		"01":                            {h.withdrawBody("01"), "body"},
		"+1":                            {h.withdrawBody("+1"), "body"},
		"1.":                            {h.withdrawBody("1."), "body"},
		".5":                            {h.withdrawBody(".5"), "body"},
		"10,001 levels":                 {inside + `,"x":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + "}", "body"},
		"33 levels":                     {inside + `,"x":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + "}", "body"},
		"32 levels, unknown":            {inside + `,"x":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + "}", "x"},
		"a text for an object":          {strings.Replace(good, `"`+string(fakes.Wallet("alice"))+`"`, `{"a":1}`, 1), "destination"},
		"null for a text":               {strings.Replace(good, `"`+string(fakes.Wallet("alice"))+`"`, `null`, 1), "destination"},
		"a number for a text":           {strings.Replace(good, `"`+sol+`"`, `7`, 1), "token"},
	} {
		if h.post("alice", "/withdraw", row.body).is(http.StatusBadRequest, "INVALID_PARAMETER").names(row.field); t.Failed() {
			t.Fatalf("%s: %.200s", name, row.body)
		}
	}
	if got := h.balance("alice", sol); got != 1_000_000 {
		t.Errorf("the balance is %d after nothing but refusals", got)
	}
	h.post("alice", "/withdraw", " \n\t"+good+"\r\n ").ok(http.StatusCreated)
}

func TestBodiesThatAreTooLarge(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1_000_000)
	good := h.withdrawBody("5000")
	h.post("alice", "/withdraw", good+strings.Repeat(" ", 64<<10-len(good))).ok(http.StatusCreated)
	h.post("alice", "/withdraw", good+strings.Repeat(" ", 64<<10-len(good)+1)).is(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE")
	chunked := h.request(question{method: http.MethodPost, path: "/withdraw", as: "alice", body: strings.Repeat(" ", 1<<20)})
	chunked.ContentLength = -1
	h.serve(chunked).is(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE")
	h.post("alice", "/auth/logout", strings.Repeat(" ", 1<<20)).is(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE")
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1_000_000)
	send := func(header map[string]string) reply {
		return h.ask(question{method: http.MethodPost, path: "/withdraw", as: "alice", body: h.withdrawBody("1000"), header: header, plain: true})
	}
	for _, contentType := range []string{
		"", "text/xml", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16",
		"application/json; charset=iso-8859-1", "application/json; boundary=x", "application/jsonp", "application/json, text/plain", "application/merge-patch+json", ";",
	} {
		header := map[string]string{"Content-Type": contentType}
		if contentType == "" {
			header = nil
		}
		if send(header).is(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE"); t.Failed() {
			t.Fatalf("Content-Type %q", contentType)
		}
	}
	for _, encoding := range []string{"gzip", "br", "deflate", "identity, gzip"} {
		send(map[string]string{"Content-Type": "application/json", "Content-Encoding": encoding}).is(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	}
	for _, contentType := range []string{"application/json", "application/json; charset=utf-8", "APPLICATION/JSON;charset=UTF-8"} {
		send(map[string]string{"Content-Type": contentType}).ok(http.StatusCreated)
	}
	send(map[string]string{"Content-Type": "application/json", "Content-Encoding": "identity"}).ok(http.StatusCreated)
	// The media type is checked before size and syntax, authentication before all of them.
	h.ask(question{method: http.MethodPost, path: "/withdraw", as: "alice", body: strings.Repeat("x", 1<<20), plain: true}).is(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	h.ask(question{method: http.MethodPost, path: "/withdraw", body: "x", plain: true}).is(http.StatusUnauthorized, "MISSING_AUTH")
}

// TestBodiesThatBreakOff has a client disconnect in the middle of a body.
func TestBodiesThatBreakOff(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.token("alice")
	r := h.request(question{method: http.MethodPost, path: "/withdraw", as: "alice", body: "x"})
	sent := h.spec.keep(t, r)
	r.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"amount":`), brokenReader{}))
	got := h.serveKept(h.api, r, sent)
	got.is(http.StatusBadRequest, "INVALID_PARAMETER").names("body")
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// FuzzBodies: for any body nothing breaks, and nothing is played unless it is a valid bet.
func FuzzBodies(f *testing.F) {
	f.Add(`{"gameType":"dice","wager":10000,"token":"So11111111111111111111111111111111111111112","config":{"target":50.00}}`)
	f.Add(`{"gameType":"slots","wager":1e4,"token":"So11111111111111111111111111111111111111112"}`)
	f.Add(`{"clientSeed":"x","clientSeed":"y"}`)
	f.Add(`{"step":0,"action":{"type":"open","tile":3}}`)
	f.Fuzz(func(t *testing.T, body string) {
		h := newHouse(t)
		steps := minesOf(h, "alice")
		for _, path := range []string{"/play", "/rounds", steps, "/seed/rotate", "/withdraw", "/deposit", "/auth/logout"} {
			if got := h.post("alice", path, body); got.status >= http.StatusInternalServerError {
				t.Errorf("%s gives %d: %s", path, got.status, got.text)
			}
		}
	})
}
