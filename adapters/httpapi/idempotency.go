package httpapi

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
)

// idempotencyKeyMax is the longest key a client may choose, in characters.
const idempotencyKeyMax = 255

// idempotency returns the request's own key with the fingerprint of everything
// that says what it asks for: method, route, path values, canonical body. It is
// called after the body's fields were read, because their refusals come first.
func (r *request) idempotency(f *parse.Fields) app.Idempotency {
	keys := r.http.Header.Values("Idempotency-Key")
	if len(keys) == 0 || f.Err != nil {
		return app.Idempotency{}
	}
	if len(keys) > 1 || !printableKey(keys[0]) {
		f.Fail(fault.Field("Idempotency-Key", "must be given once, with 1 to %d printable ASCII characters", idempotencyKeyMax))
		return app.Idempotency{}
	}
	canonical, err := f.Canonical()
	if err != nil {
		f.Fail(err)
		return app.Idempotency{}
	}
	parts := []string{r.method, r.path}
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		parts = append(parts, name, r.params[name])
	}
	return app.Idempotency{Key: keys[0], Fingerprint: digest(append(parts, string(canonical)))}
}

func printableKey(key string) bool {
	for i := range len(key) {
		if key[i] < ' ' || key[i] > '~' {
			return false
		}
	}
	return key != "" && len(key) <= idempotencyKeyMax
}

// digest hashes the parts, each behind its length so that they can't run into
// one another.
func digest(parts []string) string {
	sum := sha256.New()
	for _, part := range parts {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		sum.Write(length[:])
		sum.Write([]byte(part))
	}
	return hex.EncodeToString(sum.Sum(nil))
}
