package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/casino-service/casino/domain/wallet"
)

// reply is one response.
type reply struct {
	*house
	status int
	header http.Header
	text   []byte
	what   string
}

// question is one request; zero fields are left out.
type question struct {
	method, path string
	as           string // name of the signed-in player or admin
	body         any    // encoded as JSON; a string is sent unchanged
	header       map[string]string
	from         string // remote address
	plain        bool   // sent unchanged: no Content-Type is added
}

const remote = "203.0.113.7:50000"

// ask sends a request through the surface, in process.
func (h *house) ask(q question) reply {
	h.Helper()
	return h.serve(h.request(q))
}

func (h *house) request(q question) *http.Request {
	h.Helper()
	var body io.Reader
	switch text := q.body.(type) {
	case nil:
	case string:
		body = strings.NewReader(text)
	default:
		encoded, err := json.Marshal(q.body)
		h.must(err)
		body = bytes.NewReader(encoded)
	}
	r := httptest.NewRequest(q.method, base+q.path, body)
	r = r.WithContext(h.Context())
	r.RemoteAddr = remote
	if q.from != "" {
		r.RemoteAddr = q.from
	}
	if body != nil && !q.plain {
		r.Header.Set("Content-Type", "application/json")
	}
	if q.as != "" {
		r.Header.Set("Authorization", "Bearer "+h.token(q.as))
	}
	for name, value := range q.header {
		r.Header.Set(name, value)
	}
	return r
}

func (h *house) serve(r *http.Request) reply {
	h.Helper()
	return h.serveBy(h.api, r)
}

// serveBy is serve by another instance over the same store.
func (h *house) serveBy(instance http.Handler, r *http.Request) reply {
	h.Helper()
	return h.serveKept(instance, r, h.spec.keep(h.T, r))
}

// serveKept is serveBy for a request with its body already read.
func (h *house) serveKept(instance http.Handler, r *http.Request, sent kept) reply {
	h.Helper()
	recorder := httptest.NewRecorder()
	instance.ServeHTTP(recorder, r)
	result := recorder.Result()
	text, err := io.ReadAll(result.Body)
	h.must(err)
	h.spec.check(h.T, sent, result, text)
	got := reply{h, result.StatusCode, result.Header, text, r.Method + " " + r.URL.Path}
	h.mu.Lock()
	defer h.mu.Unlock()
	fmt.Fprintf(&h.seen, "%v\n%s\n", result.Header, text)
	if r.URL.Path == base+"/auth/login" && got.status == http.StatusOK {
		h.players[wallet.Address(got.text_("wallet"))] = true
		h.secrets[got.text_("token")] = "a bearer token"
	}
	return got
}

func (h *house) get(as, path string) reply {
	h.Helper()
	return h.ask(question{method: http.MethodGet, path: path, as: as})
}

func (h *house) post(as, path string, body any) reply {
	h.Helper()
	return h.ask(question{method: http.MethodPost, path: path, as: as, body: body})
}

// object is a JSON object of a request or a response.
type object = map[string]any

// is fails the test unless the answer has the status and, for a failure, the code.
func (r reply) is(status int, code string) reply {
	r.Helper()
	if r.status != status || r.code() != code {
		r.Errorf("%s: %d %s, want %d %s: %s", r.what, r.status, r.code(), status, code, r.text)
	}
	return r
}

// ok fails the test at once unless the answer has the status.
func (r reply) ok(status int) reply {
	r.Helper()
	if r.status != status {
		r.Fatalf("%s: %d, want %d: %s", r.what, r.status, status, r.text)
	}
	return r
}

// names fails the test unless the failure names the field.
func (r reply) names(field string) reply {
	r.Helper()
	if got := r.at("details", "field"); got != field {
		r.Errorf("%s names %v, want %q: %s", r.what, got, field, r.text)
	}
	return r
}

func (r reply) code() string {
	code, _ := r.at("code").(string)
	return code
}

// at returns the value at a path of names in the answer, numbers as json.Number.
func (r reply) at(path ...string) any {
	d := json.NewDecoder(bytes.NewReader(r.text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil
	}
	for _, name := range path {
		members, _ := value.(object)
		value = members[name]
	}
	return value
}

func (r reply) text_(path ...string) string {
	text, _ := r.at(path...).(string)
	return text
}

func (r reply) integer(path ...string) int64 {
	r.Helper()
	number, _ := r.at(path...).(json.Number)
	value, err := number.Int64()
	if err != nil {
		r.Fatalf("%s: %v is no integer: %s", r.what, path, r.text)
	}
	return value
}
