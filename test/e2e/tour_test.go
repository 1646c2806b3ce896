package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// view is a view of a page: its hash, and an element that exists once it is shown.
type view struct{ name, hash, shown string }

// playViews returns all views of the page for players, with a round of the player.
func playViews(round string) []view {
	views := []view{
		{"lobby", "#/", ".tile"}, {"wallet", "#/wallet", "[data-transaction]"}, {"history", "#/history", "[data-round]"},
		{"round", "#/history/" + round, "#verify"}, {"fairness", "#/fairness", "#seed code"}, {"limits", "#/limits", "#limit"},
		{"account", "#/account", ".account-places"}, {"statistics", "#/statistics", ".day-chart canvas"}, {"nothing", "#/nothing", ".missing"},
		{"withdraw", "#/wallet?tab=withdraw", "#withdraw"}, {"transactions", "#/wallet?tab=transactions", "[data-transaction]"},
	}
	for _, each := range []string{
		"dice", "limbo", "crash", "coinflip", "slots", "plinko", "wheel", "diamonds", "keno", "roulette", "baccarat", "mines", "dragontower", "hilo", "videopoker", "blackjack", "shared-crash",
	} {
		views = append(views, view{each, "#/game/" + each, ".stage"})
	}
	return views
}

// theme chooses light or dark at the foot of the page.
func (p *page) theme(name string) {
	p.Helper()
	p.fill(".switches label:nth-of-type(2) select", name)
	p.until(fmt.Sprintf(`document.documentElement.dataset.theme === %q`, name))
}

// tour checks views in both themes for barriers and width.
func (p *page) tour(views []view) {
	p.Helper()
	for _, each := range views {
		p.visit(each.hash)
		p.until(fmt.Sprintf(`document.querySelector(%q) !== null && document.querySelector('.loading') === null`, each.shown))
		for i, theme := range []string{"light", "dark"} {
			p.theme(theme)
			p.accessible(each.name+" "+theme, [][]string{nil, {"color-contrast"}}[i]...) // the themes differ only in colours
			p.picture(each.name + "-" + theme)
		}
		p.fits()
	}
}

// TestPlayHasNoBarrier checks every view and what opens in it, on screens of four sizes, in both
// themes and languages.
func TestPlayHasNoBarrier(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	needsAxe(t)
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.deposit("2")
	played, err := e.player.Play(t.Context(), api.PlayRequest{GameType: "dice", Token: e.dev.Tokens[0].Mint, Wager: 1_000_000})
	e.must(err)
	_, err = e.player.RotateSeed(t.Context(), api.RotateRequest{})
	e.must(err)
	at := p.everywhere(parts(playViews(played.Round.ID)), 0)
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	p.bet()
	p.shot("play-phone-light")
	p.visit("#/game/mines")
	p.until(`document.querySelector('.mines') !== null`)
	p.press(".controls button[type=submit]")
	p.until(`document.querySelector('.opened') !== null`)
	at = p.everywhere(openings, at)
	p.show(setting{desktop, "dark", "en"})
	p.visit("#/")
	p.until(`document.querySelectorAll('.tile').length > 10`)
	p.shot("play-desktop-dark")
	p.press(`.who summary`)
	p.press(`.who .menu button`)
	p.until(`document.querySelector('.who') === null`)
	p.everywhere(visited, at)
	p.clean()
}

// TestVerifyHasNoBarrier checks every state of the page that verifies.
func TestVerifyHasNoBarrier(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	needsAxe(t)
	site, _ := alone(t)
	p := open(t, phone, site.URL+"/verify")
	p.ready()
	rounds := documented(t)
	views := []view{{"start", "#", "#give"}, {"broken", "#nothing", ".verdict.bad"}, {"verified", linked(rounds[4]), ".proof"}}
	p.tour(views)
	p.visit(linked(rounds[0]))
	p.until(`document.querySelector('[data-verdict=verified]') !== null`)
	p.shot("verify-phone-dark")
	p.do(chromedp.EmulateViewport(desktop.width, desktop.height))
	p.tour(views[:1])
	p.theme("light")
	p.visit(linked(rounds[0]))
	p.until(`document.querySelector('[data-verdict=verified]') !== null`)
	p.shot("verify-desktop-light")
	p.visit("#")
	p.choose(rounds[0][:40])
	p.until(`document.querySelector('#give [role=alert]').textContent !== ''`)
	p.accessible("complaint")
	p.visit(linked(`{"gameType":"dice","rules":"dice/1","serverSeed":null,"serverSeedHash":"00","clientSeed":"mine","nonce":1}`))
	p.until(`document.querySelector('#reveal') !== null`)
	p.accessible("hidden")
	p.visit("#")
	p.until(`document.querySelector('#give') !== null`)
	many := drawn(t, 60)
	many[3] = many[3][:len(many[3])-1] + "0}"
	p.choose(many[5] + "\n" + many[3] + "\n" + many[7] + "\n{}")
	p.until(`document.querySelector('[data-verdict=differs]') !== null`)
	p.theme("light")
	p.accessible("many light")
	p.theme("dark")
	p.accessible("many dark", "color-contrast")
}
