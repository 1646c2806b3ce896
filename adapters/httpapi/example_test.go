package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// A site with its own mux mounts the casino beside its other pages, over any adapters; here
// all data is in memory. No worker runs yet, and health says so: see adapters/workers.
func ExampleNew() {
	casino, clock, err := inMemory()
	if err != nil {
		fmt.Println(err)
		return
	}
	api, err := httpapi.New(casino, httpapi.Config{
		BasePath: "/casino", Limiter: fakes.NewLimiter(clock), Origins: []string{"https://shop.example"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	site := http.NewServeMux()
	site.Handle("/casino/", api)
	site.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the shop") })

	for _, path := range []string{"/", "/casino/health", "/casino/balance"} {
		answer := httptest.NewRecorder()
		site.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		text, _, _ := strings.Cut(answer.Body.String(), ",")
		fmt.Println(path, answer.Code, text)
	}
	// Output:
	// / 200 the shop
	// /casino/health 200 {"status":"degraded"
	// /casino/balance 401 {"error":"Authentication required"
}

// inMemory returns a casino in memory, on a fake chain.
func inMemory() (*app.Casino, *fakes.Clock, error) {
	terms := fakes.Terms()
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		return nil, nil, err
	}
	clock := fakes.NewClock(fakes.Start)
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: fakes.NewChain(terms), Clock: clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(clock, "example", time.Hour), Games: games, Tokens: token.NewBook(terms),
		Policy: rbac.DefaultPolicy(),
	})
	return casino, clock, err
}
