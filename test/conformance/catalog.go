package conformance

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Catalog is the suite of ports.Catalog.
func Catalog(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, catalogCases)
}

var catalogCases = []story{
	{"games are updated by each sync and stay switched on or off", Rows, func(b *bench) {
		fruits, gems := b.game("acme", "fruits", "Fruits"), b.game("acme", "gems", "Gems")
		gems.Enabled = false
		b.same("taken", len(b.offer(fruits, gems)), 0)
		b.same("fruits", must(b.ProviderGame(background, "fruits"))(b), fruits)
		b.same("gems", must(b.ProviderGame(background, "gems"))(b), gems)
		changed := fruits
		changed.Name, changed.Banner, changed.Type, changed.Enabled, changed.UpdatedAt, changed.Vanished = "Fruits II", "", "table", false, b.now(), true
		b.offer(changed)
		want := changed
		want.Enabled, want.UpdatedAt = fruits.Enabled, fruits.UpdatedAt
		b.reopen()
		b.same("fruits as synced again", must(b.ProviderGame(background, "fruits"))(b), want)
	}},
	{"a code that is another provider's is left alone and returned", Rows, func(b *bench) {
		fruits := b.game("acme", "fruits", "Fruits")
		b.offer(fruits)
		b.same("taken", b.offer(b.game("rival", "fruits", "Not these"), b.game("rival", "gems", "Gems")), []string{"fruits"})
		b.same("fruits", must(b.ProviderGame(background, "fruits"))(b), fruits)
		b.same("gems", must(b.ProviderGame(background, "gems"))(b).Provider, "rival")
	}},
	{"games are listed by code, provider, switch and part of the name, or as what can be launched", Rows, func(b *bench) {
		var all []catalog.Game
		for i, name := range []string{"Fruits", "fresh 100%", "Gems_x", "GEMS", `back\slash`, "x", "y", "z"} {
			g := b.game([]string{"acme", "rival"}[i%2], string(rune('a'+i))+"-code", name)
			g.Enabled = i%3 != 0
			all = append(all, g)
		}
		for _, own := range []bool{true, false} {
			for _, vanished := range []bool{true, false} {
				g := b.game(map[bool]string{true: catalog.Own, false: "acme"}[own], fmt.Sprintf("own-%v-gone-%v", own, vanished), "Either")
				g.Vanished = vanished
				all = append(all, g)
			}
		}
		b.offer(all...)
		on, off := true, false
		for name, c := range map[string]struct {
			filter ports.GameFilter
			keep   func(g catalog.Game) bool
		}{
			"all":               {ports.GameFilter{}, func(catalog.Game) bool { return true }},
			"of a provider":     {ports.GameFilter{Provider: "acme"}, func(g catalog.Game) bool { return g.Provider == "acme" }},
			"on":                {ports.GameFilter{Enabled: &on}, func(g catalog.Game) bool { return g.Enabled }},
			"off":               {ports.GameFilter{Enabled: &off, Provider: "rival"}, func(g catalog.Game) bool { return !g.Enabled && g.Provider == "rival" }},
			"gems":              {ports.GameFilter{Query: "gEmS"}, func(g catalog.Game) bool { return g.Name == "GEMS" || g.Name == "Gems_x" }},
			"a code":            {ports.GameFilter{Query: "C-CODE"}, func(g catalog.Game) bool { return g.Code == "c-code" }},
			"a percent sign":    {ports.GameFilter{Query: "%"}, func(g catalog.Game) bool { return g.Name == "fresh 100%" }},
			"an underscore":     {ports.GameFilter{Query: "_"}, func(g catalog.Game) bool { return g.Name == "Gems_x" }},
			"a backslash":       {ports.GameFilter{Query: `\`}, func(g catalog.Game) bool { return g.Name == `back\slash` }},
			"an apostrophe":     {ports.GameFilter{Query: "' OR 1=1"}, func(catalog.Game) bool { return false }},
			"launchable":        {ports.GameFilter{Launchable: true}, func(g catalog.Game) bool { return g.Enabled && !g.Vanished && g.Provider != catalog.Own }},
			"launchable of one": {ports.GameFilter{Launchable: true, Provider: "acme", Query: "-GONE-"}, func(g catalog.Game) bool { return g.Code == "own-false-gone-false" }},
			"an unknown source": {ports.GameFilter{Provider: "nobody"}, func(catalog.Game) bool { return false }},
		} {
			code := func(g catalog.Game) string { return g.Code }
			b.lists(name, chosen(all, code, c.keep), func(page ports.Page) ([]string, ports.PageInfo, error) {
				found, err := b.ProviderGames(background, c.filter, page)
				return mapped(found.Games, code), found.PageInfo, err
			})
		}
	}},
	{"an unknown game is not found", Logic, func(b *bench) {
		b.fails(fault.NotFound, errorOf(b.ProviderGame(background, "fruits")))
		b.fails(fault.NotFound, b.switchGame("fruits", true))
		b.same("records", len(b.recordsOf(audit.GameSwitched)), 0)
	}},
	{"the decision sees the role and the game and switches it", Rows, func(b *bench) {
		b.grant(admin, "ops")
		fruits := b.game("acme", "fruits", "Fruits")
		b.offer(fruits)
		at := b.now()
		record := audit.Record{ID: b.id(), Action: audit.GameSwitched, By: admin, Target: "fruits", At: at}
		b.ok(b.ChangeGame(background, admin, "fruits", func(actor rbac.Assignment, g catalog.Game) (catalog.Game, audit.Record, error) {
			b.same("the actor", actor.Role, "ops")
			b.same("the game", g, fruits)
			g.Enabled, g.UpdatedAt = false, at
			return g, record, nil
		}))
		fruits.Enabled, fruits.UpdatedAt = false, at
		b.same("fruits", must(b.ProviderGame(background, "fruits"))(b), fruits)
		b.same("records", b.recordsOf(audit.GameSwitched), []audit.Record{record})
		b.sound()
	}},
	{"a refusal is returned as it is, and like a record that can't be kept it changes nothing", Rows, func(b *bench) {
		b.offer(b.game("acme", "fruits", "Fruits"))
		b.ok(b.switchGame("fruits", false))
		b.unchanged(audit.GameSwitched, func(record audit.Record, refusal error) error {
			return b.ChangeGame(background, admin, "fruits", func(_ rbac.Assignment, g catalog.Game) (catalog.Game, audit.Record, error) {
				g.Enabled = true
				return g, record, refusal
			})
		})
	}},
	{"an own game that is switched off is seen by the next commit", Logic, func(b *bench) {
		b.signIn(alice, 1000)
		ask := func() error {
			item := b.play(alice, 1)
			item.Needs.Game = "dice"
			_, err := b.Commit(background, item)
			return err
		}
		b.same("a game that the catalogue doesn't know", ask(), nil)
		b.offer(b.game(catalog.Own, "dice", "Dice"), b.game("acme", "limbo", "Limbo"))
		b.check(ask())
		b.ok(b.switchGame("dice", false))
		b.fails(fault.GameDisabled, ask(), "switched off it plays")
		b.commit(b.play(alice, 1)) // an item that doesn't need it doesn't see it
		b.ok(b.switchGame("limbo", false))
		other := b.play(alice, 1)
		other.Needs.Game = "limbo"
		b.commit(other) // another provider's game with this name
		b.ok(b.switchGame("dice", true))
		b.check(ask())
		b.sound()
	}},
}

func (b *bench) game(provider, code, name string) catalog.Game {
	return catalog.Game{Code: code, Provider: provider, Name: name, Type: "slot", Banner: "https://example.com/" + code, Enabled: true, UpdatedAt: b.now()}
}

func (b *bench) offer(games ...catalog.Game) []string {
	b.Helper()
	return must(b.RegisterGames(background, games))(b)
}

func (b *bench) switchGame(code string, enabled bool) error {
	at := b.now()
	record := audit.Record{ID: b.id(), Action: audit.GameSwitched, By: admin, Target: code, At: at}
	return b.ChangeGame(background, admin, code, func(_ rbac.Assignment, g catalog.Game) (catalog.Game, audit.Record, error) {
		g.Enabled, g.UpdatedAt = enabled, at
		return g, record, nil
	})
}

// Brandings is the suite of ports.Brandings.
func Brandings(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, brandingsCases)
}

var brandingsCases = []story{
	{"there is no branding before the first change", Logic, func(b *bench) {
		b.fails(fault.NotFound, errorOf(b.Branding(background)))
		err := b.ChangeBranding(background, admin, func(_ rbac.Assignment, present *branding.Branding) (branding.Branding, audit.Record, error) {
			b.errorIf(present != nil, "the decision sees %+v", present)
			return branding.Branding{}, audit.Record{}, errors.New("no")
		})
		b.errorIf(err == nil, "not refused")
	}},
	{"a change is stored and seen by the next", Rows, func(b *bench) {
		for _, next := range []branding.Branding{red, branding.Default()} {
			b.ok(b.brand(next))
			b.reopen()
			b.same("the branding", must(b.Branding(background))(b), next)
		}
		err := b.ChangeBranding(background, admin, func(_ rbac.Assignment, present *branding.Branding) (branding.Branding, audit.Record, error) {
			b.same("what the decision sees", *present, branding.Default())
			return branding.Branding{}, audit.Record{}, errors.New("no")
		})
		b.errorIf(err == nil, "not refused")
		b.same("records", len(b.recordsOf(audit.BrandingChanged)), 2)
		b.sound()
	}},
	{"the decision sees the actor's role", Logic, func(b *bench) {
		see := func() (seen rbac.Assignment) {
			err := b.ChangeBranding(background, admin, func(actor rbac.Assignment, _ *branding.Branding) (branding.Branding, audit.Record, error) {
				seen = actor
				return branding.Branding{}, audit.Record{}, errors.New("no")
			})
			b.errorIf(err == nil, "not refused")
			return seen
		}
		b.same("nobody", see(), rbac.Assignment{})
		b.grant(admin, "admin")
		b.same("an admin", see(), must(b.Role(background, admin))(b))
		b.revoke(admin)
		b.same("nobody again", see(), rbac.Assignment{})
	}},
	{"a refusal is returned as it is, and like a record that can't be kept it changes nothing", Rows, func(b *bench) {
		b.ok(b.brand(red))
		b.unchanged(audit.BrandingChanged, func(record audit.Record, refusal error) error {
			return b.ChangeBranding(background, admin, func(rbac.Assignment, *branding.Branding) (branding.Branding, audit.Record, error) {
				return branding.Default(), record, refusal
			})
		})
	}},
}

var red = branding.Branding{Title: "Red \"x\" ü", LogoURL: "https://example.com/red.svg", AccentColor: "#ff0000"}

// brand changes the branding with a new record.
func (b *bench) brand(next branding.Branding) error {
	record := audit.Record{ID: b.id(), Action: audit.BrandingChanged, By: admin, Target: "branding", After: next.Title, At: b.now()}
	return b.ChangeBranding(background, admin, func(rbac.Assignment, *branding.Branding) (branding.Branding, audit.Record, error) {
		return next, record, nil
	})
}

// Registry is the suite of ports.Registry.
func Registry(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, registryCases)
}

var registryCases = []story{
	{"an empty store takes the identity and any other is compared", Rows, func(b *bench) {
		dev := ports.Identity{Mode: ports.ModeDev, Genesis: "genesis one"}
		for range 2 {
			b.ok(b.Initialize(background, dev))
			b.reopen()
		}
		for what, id := range map[string]ports.Identity{
			"mode":    {Mode: ports.ModeReal, Genesis: dev.Genesis},
			"genesis": {Mode: dev.Mode, Genesis: "genesis two"},
		} {
			err := b.Initialize(background, id)
			b.errorIf(!fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), what), "another %s: %v", what, err)
		}
		b.check(b.Initialize(background, dev))
	}},
	{"of two that store the identity at once one wins", Races, func(b *bench) {
		ids := []ports.Identity{
			{Mode: ports.ModeDev, Genesis: "one"}, {Mode: ports.ModeReal, Genesis: "one"},
			{Mode: ports.ModeDev, Genesis: "two"}, {Mode: ports.ModeReal, Genesis: "two"},
		}
		b.same("identities stored", b.winners(len(ids), fault.InvalidState, func(i int) error { return b.Initialize(background, ids[i]) }), 1)
	}},
	{"tokens are known forever and closing when not given", Rows, func(b *bench) {
		b.same("nothing", len(b.know()), 0)
		sol, dollar := terms(money.SOL), terms(usd)
		sol.BankrollShare, sol.TwoPersonAbove = money.Ratio{Num: 1, Den: 1 << 63}, token.NoTwoPerson
		b.same("both", b.know(sol, dollar), wants(sol, dollar))
		sol.MinWager, sol.MaxPayout, sol.Symbol, dollar.NewAccountFee, dollar.TwoPersonAbovePerDay, sol.Seal = 77, 78, "SOL2", 9, 79, "k:1"
		b.same("both, changed", b.know(sol, dollar), wants(sol, dollar))
		closing := dollar
		closing.Closing = true
		b.reopen()
		b.same("one left out", b.know(sol), wants(sol, closing))
		solClosing := sol
		solClosing.Closing = true
		euro := terms(fakes.Mint("eur"))
		b.same("another one", b.know(euro), wants(solClosing, closing, euro))
		euro.Closing = true
		b.same("none", b.know(), wants(solClosing, closing, euro))
		b.same("opened again", b.know(dollar), wants(solClosing, dollar, euro))
	}},
	{"decimals and program never change", Logic, func(b *bench) {
		dollar, euro := terms(usd), terms(fakes.Mint("eur"))
		b.know(dollar)
		decimals, program := dollar, dollar
		decimals.Decimals++
		program.Program = token.Token2022
		for what, other := range map[string]token.Terms{"decimals": decimals, "program": program} {
			other.MinWager = 999
			_, err := b.RegisterTokens(background, []token.Terms{euro, other})
			b.errorIf(!fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), string(usd)),
				"other %s: %v", what, err)
		}
		b.same("what is known", b.know(dollar), wants(dollar))
	}},
}

func (b *bench) know(open ...token.Terms) []token.Terms {
	b.Helper()
	return must(b.RegisterTokens(background, open))(b).All()
}

// wants returns the terms as an expected list, in the order of a token.Book.
func wants(all ...token.Terms) []token.Terms { return token.NewBook(all...).All() }
