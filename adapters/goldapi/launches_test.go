package goldapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/simulated/provider"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// spun is the response to a spin on a game's page.
type spun struct {
	Window  []string `json:"window"`
	Win     int64    `json:"win"` // hundredths
	Balance string   `json:"balance"`
}

// spin bets 1.25 as a game's page does.
func spin(t *testing.T, url string) (shown spun) {
	t.Helper()
	answer, err := http.Post(url+"/spin", "application/json", strings.NewReader(`{"bet":125}`))
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	must(t, json.NewDecoder(answer.Body).Decode(&shown))
	return shown
}

// TestAPlayerSpins launches a game over HTTP and spins it as its page does.
func TestAPlayerSpins(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 100_000_000)
	url, err := h.casino.Providers.Launch(t.Context(), app.Caller{Wallet: alice.address}, providers.LaunchRequest{
		GameCode: "lucky-bells", UserCode: string(alice.address),
	})
	must(t, err)
	page, err := http.Get(url)
	must(t, err)
	_ = page.Body.Close()
	if page.StatusCode != http.StatusOK || !strings.Contains(page.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the game's page: %d %v", page.StatusCode, page.Header)
	}
	h.site.Resend(2)
	wagered, paid := money.Amount(0), money.Amount(0)
	for range 30 {
		spin := spin(t, url)
		wagered, paid = wagered+1_250_000, paid+money.Amount(spin.Win)*10_000
		want := 100_000_000 - wagered + paid
		if len(spin.Window) != 3 || spin.Balance != string(seamless.DecimalOf(want, scale)) || alice.balance() != want {
			t.Fatalf("a spin: %+v, alice has %d, want %d", spin, alice.balance(), want)
		}
	}
	if paid == 0 {
		t.Error("nothing was won: this test proves less than it should")
	}
	history, err := h.casino.Accounts.History(t.Context(), app.Caller{Wallet: alice.address}, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 100})
	must(t, err)
	var sum money.Amount
	for _, r := range history.Rounds {
		sum += r.Payout
	}
	if len(history.Rounds) != 30 || sum != paid || history.Rounds[0].Source != "DEMOSPIN" || history.Rounds[0].GameType != "lucky-bells" {
		t.Errorf("the history has %d rounds that paid %d of %d", len(history.Rounds), sum, paid)
	}
	recent, err := h.casino.Events.RecentBets(t.Context())
	must(t, err)
	daily, err := h.store.Daily(t.Context(), "2000-01-01", "2100-01-01")
	must(t, err)
	if len(recent) != 20 || len(daily) != 1 || daily[0].Rounds != 30 || daily[0].GGR() != money.TotalOf(wagered).SubAmount(paid) {
		t.Errorf("%d recent bets, figures %+v", len(recent), daily)
	}
	h.audited()
}

// TestLaunchAttacks tries values of each field, in the order in which fields are checked.
func TestLaunchAttacks(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice, bob := h.enter("alice", 5), h.enter("bob", 5)
	admin := h.enter("admin", 0)
	h.grant(admin.address)
	_, err := h.casino.Providers.SwitchGame(t.Context(), app.Caller{Wallet: admin.address}, "lucky-bells", false, "")
	must(t, err)
	a := string(alice.address)
	for _, row := range []struct {
		what, game, user, language string
		want                       fault.Kind
	}{
		{"another player", "cherry-rush", string(bob.address), "pt", fault.InvalidUser},
		{"nobody", "nothing", "", "../", fault.InvalidUser},
		{"a path for a language", "cherry-rush", a, "../", fault.Invalid},
		{"a long language", "cherry-rush", a, strings.Repeat("a", 1000), fault.Invalid},
		{"a line end in the language", "cherry-rush", a, "pt\r\nX: y", fault.Invalid},
		{"a digit for a language", "cherry-rush", a, "1", fault.Invalid},
		{"an unknown game", "nothing", a, "pt", fault.InvalidGame},
		{"a game of the house", "dice", a, "pt", fault.InvalidGame},
		{"a path for a game", "../dice", a, "pt", fault.InvalidGame},
		{"a disabled game", "lucky-bells", a, "pt", fault.GameDisabled},
	} {
		_, err := h.casino.Providers.Launch(t.Context(), app.Caller{Wallet: alice.address}, providers.LaunchRequest{GameCode: row.game, UserCode: row.user, Language: row.language})
		if !fault.Is(err, row.want) {
			t.Errorf("%s: %v", row.what, err)
		}
	}
	if got := h.post(callback(a, "t", "debit", "0", "0")); got.Message != "INVALID_USER" {
		t.Errorf("after refused launches the provider may ask: %+v", got)
	}
	alice.protect(func(s *protection.State) { s.Excluded = true })
	if _, err := h.casino.Providers.Launch(t.Context(), app.Caller{Wallet: alice.address}, providers.LaunchRequest{GameCode: "cherry-rush", UserCode: a}); !fault.Is(err, fault.PlayerExcluded) {
		t.Errorf("an excluded player launches: %v", err)
	}
	for _, language := range []string{"", "pt", "pt-BR", "zh-Hans-CN", "es-419", "de-CH-1996"} {
		bob.mustLaunch(language)
	}
}

func (g guest) mustLaunch(language string) {
	g.Helper()
	_, err := g.casino.Providers.Launch(g.Context(), app.Caller{Wallet: g.address}, providers.LaunchRequest{
		GameCode: "cherry-rush", UserCode: string(g.address), Language: language,
	})
	if err != nil {
		g.Errorf("language %q: %v", language, err)
	}
}

// TestTheCatalogueIsSynced syncs a provider whose list changes.
func TestTheCatalogueIsSynced(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	admin := h.enter("admin", 0)
	h.grant(admin.address)
	caller := app.Caller{Wallet: admin.address}
	game := func(code string) (enabled, vanished bool) {
		t.Helper()
		g, err := h.store.ProviderGame(t.Context(), code)
		must(t, err)
		return g.Enabled, g.Vanished
	}
	_, err := h.casino.Providers.SwitchGame(t.Context(), caller, "cherry-rush", false, "")
	must(t, err)
	h.site.Withdraw("lucky-bells", true)
	found, err := h.casino.Providers.ProviderSync().Sync(t.Context())
	if err != nil || found.Vanished != 1 || found.New != 0 || found.Changed != 0 {
		t.Errorf("synced %+v, %v", found, err)
	}
	if enabled, vanished := game("cherry-rush"); enabled || vanished {
		t.Error("an admin's switch doesn't survive the sync")
	}
	if enabled, vanished := game("lucky-bells"); !enabled || !vanished {
		t.Error("a game that vanished is not marked, or switched")
	}
	bob := h.enter("bob", 5)
	_, err = h.casino.Providers.Launch(t.Context(), app.Caller{Wallet: bob.address}, providers.LaunchRequest{GameCode: "lucky-bells", UserCode: string(bob.address)})
	if !fault.Is(err, fault.GameDisabled) {
		t.Errorf("a vanished game is launched: %v", err)
	}
	h.site.Withdraw("lucky-bells", false)
	found, err = h.casino.Providers.ProviderSync().Sync(t.Context())
	if _, vanished := game("lucky-bells"); err != nil || found.Changed != 1 || vanished {
		t.Errorf("a game that is back: %+v, %v", found, err)
	}
	h.site.Script("provider_list", provider.Behaviour{Body: `{"status":1,"providers":[]}`})
	if _, err := h.casino.Providers.ProviderSync().Sync(t.Context()); !fault.Is(err, fault.External) {
		t.Errorf("a provider without a game: %v", err)
	}
	h.site.Script("provider_list", provider.Behaviour{Body: `{"status":1,"providers":[{"code":"DEMOSPIN","status":1}]}`})
	h.site.Script("game_list", provider.Behaviour{Body: `{"status":1,"games":[{"game_code":"dice","game_name":"Dice","status":1},{"game_code":"fresh","game_name":"Fresh","status":1}]}`})
	connection := *h.casino.Provider
	connection.EnableNew = false
	found, err = providers.NewProviderSync(h.store, h.casino.Games, h.clock, &connection, nil).Sync(t.Context())
	if err != nil || len(found.Taken) != 1 || found.Taken[0] != "dice" || found.New != 1 {
		t.Errorf("a game with the code of an own one: %+v, %v", found, err)
	}
	if enabled, _ := game("fresh"); enabled {
		t.Error("a new game is on without an admin")
	}
	if g, err := h.store.ProviderGame(t.Context(), "dice"); err != nil || g.Provider != "casino" {
		t.Errorf("dice is %+v, %v", g, err)
	}
}
