package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// request is one request being served by a route.
type request struct {
	ctx    context.Context
	http   *http.Request
	writer http.ResponseWriter // only for http.MaxBytesReader
	method string              // the route's, also for HEAD
	path   string              // the route's pattern
	names  []string
	params map[string]string
	query  *parse.Query
	caller app.Caller
	// permission is the one that the route needs; "" for none.
	permission rbac.Permission
	// session and role admitted the request.
	session ports.Session
}

// readBody reads the request's body, with the members that the route takes.
func (r *request) readBody() *parse.Fields { return parse.Body(r.writer, r.http, false, r.names) }

// optionalBody is readBody for requests that need no body.
func (r *request) optionalBody() *parse.Fields {
	return parse.Body(r.writer, r.http, true, r.names)
}

// answer is a handler's result. At most one of body, raw and page is set; none of them for
// a response without a body.
type answer struct {
	status int
	body   any          // encoded as JSON
	raw    []byte       // JSON, already encoded
	page   http.Handler // writes its own response, which isn't JSON
	// replayed is set if this repeats the first answer to an idempotency key.
	replayed bool
}

func ok(body any) answer { return answer{status: http.StatusOK, body: body} }

// bearerMax is the maximum length of a bearer token, in bytes.
const bearerMax = 4096

// bearerOf returns the token of the only Authorization header. Another scheme, or the
// scheme without a token, counts as missing.
func bearerOf(header http.Header) (string, error) {
	values := header.Values("Authorization")
	if len(values) > 1 {
		return "", fault.New(fault.InvalidToken, "the Authorization header is given more than once")
	}
	if len(values) == 0 {
		return "", noBearer()
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimLeft(token, " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", noBearer()
	}
	if len(token) > bearerMax {
		return "", fault.New(fault.InvalidToken, "the bearer token is not valid")
	}
	return token, nil
}

func noBearer() error {
	return missingAuth.withMessage("sign in first: this endpoint needs the header Authorization: Bearer <token>, with the token of POST /auth/login")
}

// requestIDOf returns the id sent with the request, if it is acceptable.
func requestIDOf(header http.Header) (string, bool) {
	values := header.Values("X-Request-Id")
	if len(values) != 1 || len(values[0]) == 0 || len(values[0]) > 64 {
		return "", false
	}
	return values[0], parse.Segment(values[0])
}

// idempotencyKeyMax is the maximum length of an idempotency key, in characters.
const idempotencyKeyMax = 255

// idempotencyKey returns the request's key with a fingerprint of its content: method,
// route, path values, canonical body without the expected seed pair and nonce, which may
// differ when a request is repeated. Call it after the body's fields were read, because
// their errors take precedence.
func (r *request) idempotencyKey(f *parse.Fields) app.Idempotency {
	keys := r.http.Header.Values("Idempotency-Key")
	if len(keys) == 0 || f.Err != nil {
		return app.Idempotency{}
	}
	if len(keys) > 1 || !printableKey(keys[0]) {
		f.Fail(fault.Field("Idempotency-Key", "must be given once, with 1 to %d printable ASCII characters", idempotencyKeyMax))
		return app.Idempotency{}
	}
	canonical, err := f.Canonical(expectedHash, expectedNonce)
	if err != nil {
		f.Fail(err)
		return app.Idempotency{}
	}
	parts := []string{r.method, r.path}
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		parts = append(parts, name, r.params[name])
	}
	return app.Idempotency{Key: keys[0], Fingerprint: digestOf(append(parts, string(canonical)))}
}

func printableKey(key string) bool {
	for i := range len(key) {
		if key[i] < ' ' || key[i] > '~' {
			return false
		}
	}
	return key != "" && len(key) <= idempotencyKeyMax
}

// digestOf hashes the parts. Each follows its length, so that different parts give
// different input.
func digestOf(parts []string) string {
	sum := sha256.New()
	for _, part := range parts {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		sum.Write(length[:])
		sum.Write([]byte(part))
	}
	return hex.EncodeToString(sum.Sum(nil))
}
