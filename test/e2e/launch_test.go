package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
)

// other is a game of the demo provider that is disabled here.
const other = "lucky-bells"

// offered waits until the catalogue has the provider's games, and disables one: the public list
// has the rest, with only the data that players need.
func (e *evening) offered() {
	e.Helper()
	stranger := client.New(e.dev.BaseURL, nil)
	listed := func(code string) bool {
		found, err := stranger.LaunchableGames(e.Context(), api.LaunchableGamesParams{Limit: 100})
		e.must(err)
		for _, g := range found.Games {
			if g.GameCode == code {
				return g.Token == e.mint
			}
		}
		return false
	}
	e.eventually("the games are on offer", func() bool { return listed(game) && listed(other) })
	_, err := e.admin.SwitchGame(e.Context(), other, api.SwitchGameRequest{Enabled: false})
	e.must(err)
	if listed(other) {
		e.Errorf("%s is switched off and still on offer", other)
	}
}

// TestPlayLaunchesAProvidersGame launches from the lobby: a visitor is asked to sign in; the game
// opens in a tab that can't access the page, in the page's language; and its rounds change the
// page's balance. If the browser opens no tab the player gets a link, and a refused launch is
// reported.
func TestPlayLaunchesAProvidersGame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	e.deposit()
	e.offered()
	p := visitor(t, e.dev, desktop, "")
	const tile = "[data-launch=" + game + "]"
	p.until(fmt.Sprintf(`document.querySelector(%q) !== null`, tile))
	if value[bool](p.page, fmt.Sprintf(`document.querySelector('[data-launch=%s]') !== null`, other)) {
		t.Errorf("the lobby offers %s, which is switched off", other)
	}
	p.fill(".switches label:nth-of-type(1) select", "pt-BR")
	p.until(`document.documentElement.lang === 'pt-BR'`)
	if shown := p.text(tile + " .tile-text"); !strings.HasPrefix(shown, "Cherry Rush") || !strings.Contains(shown, "Caça-níqueis") || !strings.Contains(shown, "DEMO") {
		t.Errorf("the tile says %q", shown)
	}
	p.fill(".switches label:nth-of-type(1) select", "en") // not the default of a launch without a language
	p.until(`document.documentElement.lang === 'en'`)
	p.do(chromedp.Click(chromedp.CSS(tile)))
	p.until(`document.querySelector('.wallet.demo') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.wallet.demo')].find((each) => each.textContent.includes('alice')).click()`))
	p.until(`document.querySelector('.who') !== null && document.querySelector('dialog') === null`)

	s := slot{p.opened(func() { p.do(chromedp.Click(chromedp.CSS(tile))) })}
	s.until(`document.getElementById("balance") !== null && document.getElementById("balance").textContent !== "…"`)
	if at := value[string](s.page, `location.href`); !strings.HasPrefix(at, e.dev.ProviderURL+"/play/") {
		t.Fatalf("the game is at %s", at)
	}
	if reached := value[bool](s.page, `window.opener !== null || document.referrer !== ""`); reached {
		t.Error("the game can reach the page, or knows its address")
	}
	if lang := value[string](s.page, `document.documentElement.lang`); lang != "en" {
		t.Errorf("the game speaks %q", lang)
	}
	s.bet("1.25")
	s.spin()
	if e.balance() == paid {
		s.spin() // a win of just the bet
	}
	p.front()
	p.until(fmt.Sprintf(`document.querySelector('.balance output')?.dataset.balance === '%d'`, e.balance()))
	if chosen := value[string](p.page, `document.querySelector('.balance select').value`); chosen != e.mint {
		t.Errorf("the page shows the balance of %s", chosen)
	}
	p.picture("play-launched")

	p.do(chromedp.Evaluate[chromedp.Void](`window.open = () => null`)) // like a browser that blocks it
	p.press(tile)
	p.until(`document.querySelector('.launched a') !== null`)
	link := value[string](p.page, `((a) => a.rel + ' ' + a.target + ' ' + a.href)(document.querySelector('.launched a'))`)
	if !strings.HasPrefix(link, "noopener noreferrer _blank "+e.dev.ProviderURL+"/play/") {
		t.Errorf("the link is %q", link)
	}
	_, err := e.admin.SwitchGame(t.Context(), game, api.SwitchGameRequest{Enabled: false})
	e.must(err)
	p.tolerated = append(p.tolerated, "/legacy/launch", "status of 400")
	p.press(tile)
	p.until(`document.querySelector('.notice.bad')?.textContent.includes('switched off')`)
	p.press(`.who .menu button`)
	p.until(`document.querySelector('.who') === null && document.querySelector('.launched') === null`)
	p.clean()
}
