package e2e_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/client"
)

// following follows the links of the rules: the page's own views are opened in the page,
// everything else is fetched, and if a link names an anchor, the text there must have the game's
// rules.
const following = `void (async () => {
	window.followed = null;
	const found = [];
	for (const link of document.querySelectorAll('.how a[href]')) {
		const to = new URL(link.href), mine = to.pathname === location.pathname && to.hash !== '';
		if (mine) { found.push({ to: link.hash, fault: '' }); continue; }
		const answer = await fetch(to), place = decodeURIComponent(to.hash.slice(1));
		const text = new DOMParser().parseFromString(await answer.text(), 'text/html');
		const at = place === '' ? null : text.getElementById(place);
		const fault = answer.status !== 200 ? 'status ' + answer.status : place !== '' && !at?.textContent.includes(%q) ? 'no heading of the game' : '';
		found.push({ to: to.pathname + to.hash, fault });
	}
	window.followed = found;
})()`

// TestRulesLinkToWhatTheyExplain checks, for each game, the links to how it is drawn and what it
// returns, the player's seeds, and the page that verifies. No link may be broken.
func TestRulesLinkToWhatTheyExplain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := visitor(t, e.dev, phone, "")
	games, err := client.New(e.dev.BaseURL, nil).Games(t.Context())
	e.must(err)
	for _, g := range games {
		p.visit("#/game/" + g.GameType)
		p.until(fmt.Sprintf(`location.hash.endsWith(%q) && document.querySelector('.how a') !== null && document.querySelector('.loading') === null`, "/"+g.GameType))
		p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(following, g.Rules)))
		p.until(`window.followed !== null`)
		links := value[[]struct{ To, Fault string }](p.page, `window.followed`)
		if len(links) != 3 || !strings.HasPrefix(links[0].To, "/manual/fairness/") || links[1].To != "#/fairness" || links[2].To != "/verify" {
			said, _ := json.Marshal(links) // of strings
			t.Errorf("the rules of %s link to %s", g.GameType, said)
		}
		for _, link := range links {
			if link.Fault != "" {
				t.Errorf("the rules of %s link to %s: %s", g.GameType, link.To, link.Fault)
			}
		}
	}
	p.visit("#/fairness")
	p.until(`document.querySelector('h1')?.textContent === 'Fairness'`)
}
