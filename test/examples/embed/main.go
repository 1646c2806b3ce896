// Command embed is a site with a casino in its own mux, to copy: all in memory, on a fake chain.
// docs/embed.md shows it and says which adapters to use in production.
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
	"github.com/casino-service/casino/adapters/workers"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// address is the address that the site listens on.
const address = "127.0.0.1:8090"

func main() {
	ctx := context.Background()
	site, casino, err := newSite(ctx, fakes.NewChain(token.DefaultSOLTerms()), fakes.Wallet("olga"))
	if err == nil {
		go func() { _ = workers.Run(ctx, casino) }() // payouts, deposits, probes
		fmt.Println("the casino is in the site at http://" + address + "/casino")
		err = httpapi.NewServer(address, site, slog.Default()).ListenAndServe()
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// newSite returns a shop with a casino. An admin approves its payouts.
func newSite(ctx context.Context, chain *fakes.Chain, approver wallet.Address) (http.Handler, *app.Casino, error) {
	terms, machine := token.DefaultSOLTerms(), system.Default()
	games, err := game.NewRegistry(game.House()...) // and your own games
	if err != nil {
		return nil, nil, err
	}
	store := memory.New()
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(store), Chain: chain, Clock: machine, Entropy: machine,
		Sessions: fakes.NewSessions(machine, "shop", time.Hour),
		Games:    games, Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
	})
	if err != nil {
		return nil, nil, err
	}
	if err := casino.Deposits.BeginWatch(ctx); err != nil { // payments from here on are deposits
		return nil, nil, err
	}
	// The house pays from its booked capital: without it every bet is refused.
	if _, err := casino.Treasury.BookCapital(ctx, money.SOL, 1_000_000_000_000, "initial capital"); err != nil {
		return nil, nil, err
	}
	// The admin approves withdrawals.
	roles := admin.RoleCommands{Roles: store, Agents: store, Withdrawals: store, Policy: rbac.DefaultPolicy(), Clock: machine, Entropy: machine}
	if err := roles.SeedSuperadmins(ctx, []wallet.Address{approver}); err != nil {
		return nil, nil, err
	}
	api, err := httpapi.New(casino, httpapi.Config{Limiter: local.New(machine)})
	site := http.NewServeMux()
	site.Handle("/casino/", api)
	site.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the shop\n") })
	return site, casino, err
}
