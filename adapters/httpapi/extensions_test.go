package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/rbac"
)

// A casino without an extension serves none of its routes. No other route fails because of
// the missing part.
func TestRoutesOfMissingExtensionsAreNotThere(t *testing.T) {
	t.Parallel()
	many := limit.Rule{Max: 1 << 30, Window: time.Minute}
	sets := [][]app.Extension{{}}
	for i := range app.Extensions() {
		sets = append(sets, slices.Delete(app.Extensions(), i, i+1))
	}
	for i, set := range sets {
		h := openHouse(t, setup{
			deps:   func(d *app.Deps) { d.Extensions = set },
			config: func(c *httpapi.Config) { c.Limits = httpapi.Limits{Login: many, Public: many, Verify: many} },
		})
		h.role("superadmin", rbac.Superadmin, "")
		missing := httpapi.MissingRoutes(h.casino)
		if len(set) == 0 && len(missing) < 15 {
			t.Errorf("without extensions only these routes are missing: %v", missing)
		}
		for name, e := range table(t) {
			// Left out: streams, the end of the session, and documents of all extensions.
			if slices.Contains([]string{"/events", "/public/feed", "/auth/logout", "/openapi.json"}, e.path) || strings.HasPrefix(e.path, "/docs/") {
				continue
			}
			answer := httptest.NewRecorder() // not through the contract, which has the routes of all extensions
			h.api.ServeHTTP(answer, h.request(question{method: e.method, path: e.path, as: "superadmin", body: e.body}))
			gone := answer.Code == http.StatusMethodNotAllowed || strings.Contains(answer.Body.String(), "this path does not exist")
			if gone != slices.Contains(missing, name) || answer.Code == http.StatusInternalServerError {
				t.Errorf("set %d: %s: %d %s", i, name, answer.Code, answer.Body)
			}
		}
	}
}
