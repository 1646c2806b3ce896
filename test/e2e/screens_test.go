package e2e_test

import (
	"fmt"
	"os"

	"github.com/chromedp/chromedp"
)

// setting is how a page is shown.
type setting struct {
	screen
	theme, language string
}

// screens are the sizes on which all views must be usable.
var screens = []screen{phone, {390, 844, true}, {768, 1024, true}, {1440, 900, false}}

// byLook are the rules of axe that depend on a screen's size, on colours or on the texts' language.
var byLook = []string{"color-contrast", "target-size", "scrollable-region-focusable", "html-lang-valid", "label", "button-name", "link-name"}

// settingsOf returns how the n-th view is checked: by all rules on a phone, and by those of byLook on
// one of the screens in turn, dark and in Portuguese. CASINO_TEST_SCREENS asks for all rules in all
// settings.
func settingsOf(n int) (all []setting, rules [][]string) {
	if os.Getenv("CASINO_TEST_SCREENS") == "" {
		return []setting{{phone, "light", "en"}, {screens[n%len(screens)], "dark", "pt-BR"}}, [][]string{nil, byLook}
	}
	for _, on := range screens {
		for _, theme := range []string{"light", "dark"} {
			for _, language := range []string{"en", "pt-BR"} {
				all, rules = append(all, setting{on, theme, language}), append(rules, nil)
			}
		}
	}
	return all, rules
}

// show changes how the page is shown.
func (p *page) show(as setting) {
	p.Helper()
	p.do(chromedp.EmulateViewport(as.width, as.height))
	p.until(fmt.Sprintf(`innerWidth === %d`, as.width))
	p.theme(as.theme)
	p.fill(".switches label:nth-of-type(1) select", as.language)
	p.until(fmt.Sprintf(`document.documentElement.lang === %q`, as.language))
}

// part is a view, and what is opened in it: an action of JavaScript, and an element that exists then.
type part struct {
	view
	open, then string
}

func press(selector string) string {
	return fmt.Sprintf(`document.querySelector(%q).click()`, selector)
}

func search(query string) string {
	return fmt.Sprintf(`{ const field = document.querySelector('.search input'); field.value = %q; field.dispatchEvent(new Event('input', { bubbles: true })); }`, query)
}

// autoPanel and outcome are scrolled to: on a phone the bar covers what is below them.
const autoPanel, outcome = ".auto", ".outcome[data-round]"

// openings are the dialogs, panels and states that the views of a player open, in an order in which
// they can be opened: a limit is set before it is removed.
var openings = []part{
	{view{"found", "#/", ".search input"}, search("roulette"), "#found .tile"},
	{view{"nothing-found", "#/", ".search input"}, search("nothing like it"), "#found + button"},
	{view{"favourites", "#/", ".chips"}, press(".chips button:nth-of-type(2)"), "main .hint"},
	{view{"own-bets", "#/", ".feed"}, press(".feed-tabs button:nth-of-type(3)"), ".feed a"},
	{view{"menu", "#/account", ".account-places"}, press(".who summary"), ".who[open]"},
	{view{"outcome", "#/game/dice", ".stage"}, press(".controls button[type=submit]"), outcome},
	{view{"auto", "#/game/dice", ".ways"}, press(".ways .segments button:last-child"), autoPanel},
	{view{"max", "#/game/limbo", ".bar .field"}, `[...document.querySelectorAll('.bar .field button')].at(-1).click()`, "dialog"},
	{view{"keys", "#/game/limbo", ".stage"}, `(function again() {
		if (document.querySelector('dialog') !== null) return;
		document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }));
		requestAnimationFrame(again); // the game may not listen yet
	})()`, "dialog .keys"},
	{view{"how", "#/game/wheel", ".how"}, press(".how summary"), ".how[open]"},
	{view{"cards", "#/game/blackjack", ".blackjack"}, press(".controls button[type=submit]"), ".blackjack .card"},
	{view{"opened", "#/game/mines", ".opened"}, "", ".opened .actions"},
	{view{"open-round", "#/", ".open-rounds"}, "", ".open-rounds a"},
	{view{"claim", "#/wallet", "#claim"}, press("#claim summary"), "#claim[open]"},
	{view{"withdrawn", "#/wallet?tab=withdraw", "#withdraw"}, `{
		const field = document.querySelector('#withdraw input');
		field.value = '0.5';
		field.dispatchEvent(new Event('input', { bubbles: true }));
		requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector('#withdraw').requestSubmit()));
	}`, ".steps-of"},
	{view{"filters", "#/history", "details.filters"}, `document.querySelectorAll('details.filters').forEach((each) => (each.open = true))`, "[name=gameType]"},
	{view{"seeds", "#/fairness", "#seed"}, press("#seed summary"), "#seed details[open]"},
	{view{"break", "#/limits", "#break"}, press("#break"), "dialog"},
	{view{"exclusion", "#/limits", "#exclude"}, press("#exclude"), "dialog"},
	{view{"limit", "#/limits", "#limit"}, `{
		const field = document.querySelector('#limit .amount-input input');
		field.value = '2';
		field.dispatchEvent(new Event('input', { bubbles: true }));
		requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector('#limit').requestSubmit()));
	}`, "#limits button"},
	{view{"removal", "#/limits", "#limits button"}, press("#limits button"), "dialog"},
}

// visited are the views of a visitor.
var visited = []part{
	{view{"visitor", "#/", ".hero"}, "", ".feed"},
	{view{"private", "#/wallet", ".missing"}, "", ".missing"},
	{view{"visitor-account", "#/account", "main h1"}, "", "main .switches, main select"},
	{view{"visitor-dice", "#/game/dice", ".stage"}, "", ".controls"},
	{view{"sign-in", "#/", ".hero"}, press("header .primary"), ".wallet.demo"},
}

// tooWide lists elements beyond the right edge of the screen, if the page can be scrolled there.
const tooWide = `document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
	[...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
		.map((each) => each.localName + '.' + each.className + ' ' + each.getBoundingClientRect().right).slice(0, 5)`

// parts returns views as they are.
func parts(views []view) (all []part) {
	for _, each := range views {
		all = append(all, part{each, "", each.shown})
	}
	return all
}

// everywhere checks parts of the page for barriers and width, each in its settings. It counts the
// parts on from a number, which chooses their screens.
func (p *page) everywhere(parts []part, at int) int {
	p.Helper()
	for _, each := range parts {
		if each.open != "" { // of a view as it begins
			p.visit("#/nothing")
			p.until(`document.querySelector('.missing') !== null`)
		}
		p.visit(each.hash)
		p.until(fmt.Sprintf(`document.querySelector(%q) !== null && document.querySelector('.loading') === null`, each.shown))
		if each.open != "" {
			p.do(chromedp.Evaluate[chromedp.Void](each.open))
		}
		p.until(fmt.Sprintf(`document.querySelector(%q) !== null`, each.then))
		settings, rules := settingsOf(at)
		for i, as := range settings {
			p.show(as)
			if each.then == autoPanel || each.then == outcome {
				p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: 'center' })`, each.then)))
			}
			name := fmt.Sprintf("%s-%d-%s-%s", each.name, as.width, as.theme, as.language)
			p.accessible(name, rules[i]...)
			if wide := value[[]string](p, tooWide); len(wide) > 0 {
				p.Errorf("%s is wider than the screen: %q", name, wide)
			}
			p.picture(name)
		}
		p.show(settings[0])
		p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('dialog')?.close()`))
		p.until(`document.querySelector('dialog') === null`)
		at++
	}
	return at
}
