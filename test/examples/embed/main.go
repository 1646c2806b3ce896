// Command embed is a site with a casino in its own mux, to copy: all in memory, on a chain of
// fakes. docs/embed.md shows it and says which adapters take the places of these for real.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// address is where the site listens.
const address = "127.0.0.1:8090"

func main() {
	site, err := newSite(context.Background(), fakes.NewChain(token.DefaultSOLTerms()))
	if err == nil {
		fmt.Println("the casino is in the site at http://" + address + "/casino")
		err = httpapi.NewServer(address, site, slog.Default()).ListenAndServe()
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// newSite is a shop with a casino.
func newSite(ctx context.Context, chain *fakes.Chain) (http.Handler, error) {
	terms, machine := token.DefaultSOLTerms(), system.Default()
	games, err := game.NewRegistry(game.House()...) // and games of your own
	if err != nil {
		return nil, err
	}
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: chain, Clock: machine, Entropy: machine,
		Sessions: fakes.NewSessions(machine, "shop", time.Hour),
		Games:    games, Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
	})
	if err != nil {
		return nil, err
	}
	if err := casino.BeginWatch(ctx); err != nil { // what was paid before it is nobody's deposit
		return nil, err
	}
	// The house pays from what is booked as its own: until then every bet is refused.
	if _, err := casino.BookCapital(ctx, money.SOL, 1_000_000_000_000, "initial capital"); err != nil {
		return nil, err
	}
	api, err := httpapi.New(casino, httpapi.Config{Limiter: local.New(machine)})
	site := http.NewServeMux()
	site.Handle("/casino/", api)
	site.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the shop\n") })
	return site, err
}
