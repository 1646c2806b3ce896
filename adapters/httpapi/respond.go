package httpapi

import (
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
)

// answer is what a route gives back. Exactly one of body, raw and page is set,
// or none for an answer without a body.
type answer struct {
	status int
	body   any          // encoded as JSON
	raw    []byte       // JSON already
	page   http.Handler // writes itself, for what isn't JSON
	// replayed marks the first answer of an idempotency key given again.
	replayed bool
}

func ok(body any) answer { return answer{status: http.StatusOK, body: body} }

// write sends an answer. Nothing was sent before it, so that an answer that
// can't be encoded is still a proper failure.
func (a *API) write(w http.ResponseWriter, r *http.Request, result answer) {
	header := w.Header()
	if result.page != nil {
		result.page.ServeHTTP(w, r)
		return
	}
	text := result.raw
	if result.body != nil {
		encoded, err := json.Marshal(result.body, json.Deterministic(true))
		if err != nil {
			a.refuse(w, r, err)
			return
		}
		text = encoded
	}
	if result.replayed {
		header.Set("Idempotent-Replayed", "true")
	}
	if text != nil {
		header.Set("Content-Type", "application/json")
		header.Set("Content-Length", strconv.Itoa(len(text)))
	}
	w.WriteHeader(result.status)
	if r.Method != http.MethodHead {
		// A client that went away takes its answer with it.
		_, _ = w.Write(text)
	}
}
