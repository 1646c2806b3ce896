package e2e_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/adapters/web"
	rules "github.com/casino-service/casino/domain/game"
)

// documented returns the documents' rounds of every game.
func documented(t *testing.T) []string {
	t.Helper()
	var rounds []string
	for _, name := range []string{"games.md", "steps.md"} {
		text, err := os.ReadFile("../../docs/fairness/" + name)
		noError(t, err)
		for _, found := range regexp.MustCompile("(?ms)^```json\n(.*?)^```$").FindAllSubmatch(text, -1) {
			rounds = append(rounds, string(found[1]))
		}
	}
	if len(rounds) < 16 {
		t.Fatalf("the documents have %d rounds", len(rounds))
	}
	return rounds
}

// linked returns the fragment of a link to a round.
func linked(round string) string {
	return "#round=" + base64.RawURLEncoding.EncodeToString([]byte(round))
}

// alone serves the pages without a casino, and counts requests.
func alone(t *testing.T) (site *httptest.Server, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	handler, err := web.New(web.Config{BasePath: "/casino"}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/casino/public/whitelabel" {
			t.Errorf("the page asks for %s", r.URL.Path)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"title":"House of Test","logoUrl":"https://example.com/","accentColor":"#0f766e"}`))
	}))
	noError(t, err)
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(site.Close)
	return site, asked
}

// ready waits until the page has loaded everything, including the languages and its icon, which a
// browser requests at any time.
func (p *page) ready() {
	p.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](watching))
	p.until(`document.querySelector('main h1, main .verdict') !== null && performance.getEntriesByType('resource').some((each) => each.name.includes('/pt-BR-') && each.responseEnd > 0) && document.title.endsWith('House of Test')`)
	p.do(chromedp.Evaluate[chromedp.Void](`fetch(document.querySelector('link[rel=icon]').href).then((answer) => answer.blob()).then(() => { window.icon = true })`))
	p.until(`window.icon === true`)
}

// looking opens each fragment in turn, from the start page each time, and records what the page
// says: its verdict, or that the fragment holds no round.
const looking = `(async () => {
	window.looked = null;
	const when = async (is) => { while (!is()) await new Promise((again) => setTimeout(again, 2)); };
	const found = [];
	for (const fragment of %s) {
		location.hash = '#';
		await when(() => document.querySelector('#give') !== null && document.querySelector('.verdict') === null);
		location.hash = fragment;
		await when(() => document.querySelector('.verdict') !== null);
		found.push([
			document.querySelector('.verdict').dataset.verdict ?? 'broken',
			document.querySelectorAll('.proof > li').length, document.querySelectorAll('.mark-of.bad').length,
		].join(' '));
	}
	window.looked = found;
})()`

// look returns what the page says about each fragment: the verdict, how many steps it shows, and
// how many of them differ.
func (p *page) look(fragments []string) []string {
	p.Helper()
	list, err := json.Marshal(fragments)
	noError(p, err)
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("void "+looking, list)))
	p.until(`window.looked !== null`)
	return value[[]string](p, `window.looked`)
}

// TestVerifyWithoutANetwork loads the page from an origin that isn't secure, so that it has no
// WebCrypto, and then stops its server. The page verifies a round of every game step by step,
// refuses forged ones, and switches to another language.
func TestVerifyWithoutANetwork(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	site, asked := alone(t)
	address := strings.Replace(site.URL, "127.0.0.1", "casino.test", 1)
	p := open(t, desktop, address+"/verify")
	p.tolerated = []string{"Cross-Origin-Opener-Policy header has been ignored"} // expected on such an origin
	p.ready()
	if value[bool](p, `window.isSecureContext || crypto.subtle !== undefined`) {
		t.Fatal("the page has WebCrypto")
	}
	loaded := asked.Load()
	site.Close()

	rounds := documented(t)
	links := make([]string, len(rounds))
	for i, round := range rounds {
		links[i] = linked(round)
	}
	for i, got := range p.look(links) {
		if got != "verified 4 0" {
			t.Errorf("the page says %q of %s", got, rounds[i])
		}
	}
	p.followsDice(rounds[0])
	p.refusesForged(rounds)
	p.refusesGarbage(rounds[0])
	p.hidden(rounds[0])
	p.fill(".switches label:nth-of-type(1) select", "pt-BR")
	p.until(`document.documentElement.lang === 'pt-BR' && document.querySelector('main h1').textContent.startsWith('Uma rodada')`)
	if now := asked.Load(); now != loaded {
		t.Errorf("after it was loaded the page asked %d times", now-loaded)
	}
	if refused := value[[]string](p, `window.refused`); len(refused) > 0 {
		t.Errorf("the policy refused %v", refused)
	}
}

// followsDice reads the steps of the documents' first round, which it pastes.
func (p *page) followsDice(round string) {
	p.Helper()
	p.visit("#")
	p.fill("#give textarea", round)
	p.press("#give button[type=submit]")
	p.until(`document.querySelector('[data-verdict=verified]') !== null && location.hash.startsWith('#round=')`)
	for step, says := range map[string][]string{
		"#commitment": {"43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e", "4f0cbd8d64f4f3b2"},
		"#draws":      {"my seed:3:0", "8c3e2d33", "8c6739745b8e6373", "2352885043 · 10001", "= 5478"},
		"#outcome":    {`{"roll":54.78}`, `"direction":"over"`, "pick(10001) / 100"},
		"#payout":     {"⌊10000 · 1.98⌋ = 19800"},
	} {
		shown := p.text(step)
		for _, each := range says {
			if !strings.Contains(shown, each) {
				p.Errorf("%s lacks %s: %s", step, each, shown)
			}
		}
	}
	p.picture("verify-dice")
	p.fill("#commitment input", "43F4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e ")
	p.until(`document.querySelector('#commitment .gain[role=status]') !== null`)
	p.fill("#commitment input", "43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238f")
	p.until(`document.querySelector('#commitment .loss[role=status]') !== null`)
}

// refusesForged changes rounds in twenty ways; all of them must be refused.
func (p *page) refusesForged(rounds []string) {
	p.Helper()
	find := func(rules, with string) string {
		for _, round := range rounds {
			if strings.Contains(round, `"rules": "`+rules+`"`) && strings.Contains(round, with) {
				return round
			}
		}
		p.Fatalf("no round of %s has %s", rules, with)
		return ""
	}
	dice, clicks, levels, poker := find("dice/1", ""), find("mines/1", `"mines":5`), find("dragontower/1", `"actions"`), find("videopoker/1", "")
	cases := []struct{ round, from, to, want string }{
		{dice, `54.78`, `54.79`, "differs"},
		{dice, `"payout": 19800`, `"payout": 19801`, "differs"},
		{dice, `"multiplier": 1.98`, `"multiplier": 1.97`, "differs"},
		{dice, `"nonce": 3`, `"nonce": 4`, "differs"},
		{dice, `"my seed"`, `"my  seed"`, "differs"},
		{dice, `5a3c901"`, `5a3c902"`, "differs"},
		{dice, `38238e`, `38238f`, "differs"},
		{dice, `"over"`, `"under"`, "differs"},
		{dice, `50.00`, `60.00`, "differs"},
		{dice, `50.00`, `0.50`, "cant"},
		{dice, `dice/1`, `dice/2`, "cant"},
		{dice, `{"roll":54.78}`, `null`, "differs"},
		{dice, `"nonce": 3`, `"nonce": 3, "actions": []`, "cant"},
		{clicks, `"tile":10`, `"tile":11`, "differs"},
		{clicks, `"tile":10`, `"tile":3`, "cant"},
		{clicks, `"tile":10`, `"tile":18`, "cant"},
		{clicks, `,{"type":"cashOut"}]`, `]`, "cant"},
		{levels, `"tile":0},{"type":"climb","tile":2`, `"tile":2},{"type":"climb","tile":0`, "differs"},
		{poker, `[1,4]`, `[1,3]`, "differs"},
		{poker, `"wager": 10000`, `"wager": 10001`, "differs"},
	}
	links := make([]string, len(cases))
	for i, each := range cases {
		forged := strings.Replace(each.round, each.from, each.to, 1)
		if forged == each.round {
			p.Fatalf("round %d has no %s: %s", i, each.from, each.round)
		}
		links[i] = linked(forged)
	}
	for i, got := range p.look(links) {
		if each := cases[i]; !strings.HasPrefix(got, each.want+" ") {
			p.Errorf("the page says %q of %s in place of %s, not %q: %s", got, each.to, each.from, each.want, each.round)
		}
	}
}

// refusesGarbage opens links without a round, and pastes other texts.
func (p *page) refusesGarbage(round string) {
	p.Helper()
	whole := linked(round)
	broken := []string{"#nothing", "#round=", "#round=%%%", "#round=_w", "#round=" + strings.Repeat("A", 1<<16)}
	none := []string{whole[:len(whole)-40], linked("[]"), linked("{}"), linked(`{"a":1,"a":1}`), linked(strings.Repeat("[", 9000))}
	for i, got := range p.look(append(broken, none...)) {
		if want := []string{"broken", "cant"}[i/len(broken)]; got != want+" 0 0" {
			p.Errorf("the page says %q of fragment %d, not %q", got, i, want)
		}
	}
	p.visit("#")
	for text, want := range map[string]string{"": "no round", "nonsense": "no JSON", "[]": "no round", `{"a":`: "no JSON", "7": "no round"} {
		p.fill("#give textarea", text)
		p.press("#give button[type=submit]")
		p.until(fmt.Sprintf(`document.querySelector('#give [role=alert]').textContent.includes(%q) && document.querySelector('#give textarea').getAttribute('aria-invalid') === 'true'`, want))
	}
}

// hidden shows a round before its seed is revealed, and enters the seed.
func (p *page) hidden(round string) {
	p.Helper()
	before := regexp.MustCompile(`"serverSeed": "\w+"`).ReplaceAllString(round, `"serverSeed": null`)
	if got := p.look([]string{linked(before)}); got[0] != "hidden 0 0" {
		p.Fatalf("before the reveal the page says %q", got)
	}
	if says := p.text("main"); !strings.Contains(says, "43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e") || !strings.Contains(says, "my seed:3:0") {
		p.Errorf("the page doesn't show what the round is bound to: %s", says)
	}
	p.picture("verify-hidden")
	p.fill("#reveal input", "4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901")
	p.press("#reveal button")
	p.until(`document.querySelector('[data-verdict=verified]') !== null`)
}

// drawn returns rounds of one pair, of several games.
func drawn(t *testing.T, count int) []string {
	t.Helper()
	games, err := rules.NewRegistry(rules.House()...)
	noError(t, err)
	types := []string{"dice", "mines", "slots", "keno", "plinko", "limbo"}
	rounds := make([]string, count)
	for nonce := range rounds {
		inputs := verifier.RoundInputs{
			GameType: types[nonce%len(types)], Rules: types[nonce%len(types)] + "/1", Config: []byte("{}"),
			ServerSeed: strings.Repeat("5e", 32), ClientSeed: "of many", Nonce: int64(nonce),
		}
		answer, err := verifier.Verify(games, inputs)
		noError(t, err)
		pays, _ := new(big.Rat).SetString(answer.Multiplier)
		pays.Mul(pays, big.NewRat(1_000_000, 1))
		rounds[nonce] = fmt.Sprintf(`{"gameType":%q,"rules":%q,"config":{},"serverSeed":%q,"serverSeedHash":%q,"clientSeed":%q,"nonce":%d,"outcome":%s,"multiplier":%s,"wager":1000000,"payout":%d}`,
			inputs.GameType, inputs.Rules, inputs.ServerSeed, answer.Commitment, inputs.ClientSeed, nonce, answer.Outcome, answer.Multiplier, new(big.Int).Quo(pays.Num(), pays.Denom()))
	}
	return rounds
}

// choose gives the page a file.
func (p *page) choose(text string) {
	p.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const given = new DataTransfer(), input = document.querySelector('#give input[type=file]');
		given.items.add(new File([%q], 'rounds.jsonl'));
		input.files = given.files;
		input.dispatchEvent(new Event('change', { bubbles: true }));
	}`, text)))
}

// TestVerifyAWholePair verifies ten thousand rounds of a file on a phone: a forged one and a
// missing one are found.
func TestVerifyAWholePair(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	site, _ := alone(t)
	p := open(t, phone, site.URL+"/verify")
	p.ready()
	rounds := drawn(t, 10_000)
	p.choose(strings.Join(rounds, "\n") + "\n")
	p.until(`document.querySelector('[data-verdict=verified] [data-count=verified]')?.textContent.endsWith(': 10000')`)
	if pairs := value[int](p, `document.querySelectorAll('[data-pair] .mark-of.good').length`); pairs != 1 {
		t.Errorf("%d pairs are whole", pairs)
	}
	p.picture("verify-phone-many")
	p.fits()

	// A part of a pair can be verified too: missing rounds are named, without an error.
	p.visit("#")
	p.choose(strings.Join(rounds[3:9], "\n"))
	p.until(`document.querySelector('[data-verdict=verified] [data-count=verified]')?.textContent.endsWith(': 6') && document.querySelector('[data-pair]').textContent.includes('0–2')`)

	forged := append([]string{}, rounds...)
	forged[77] = strings.Replace(forged[77], `"payout":`, `"payout":1`, 1)
	p.visit("#")
	p.choose(strings.Join(append(forged[:500:500], forged[502:]...), "\n"))
	p.until(`document.querySelector('[data-verdict=differs]') !== null`)
	if says := p.text("[data-pair]"); !strings.Contains(says, "500–501") {
		t.Errorf("of two missing rounds the page says %q", says)
	}
	if rows := value[[]string](p, `[...document.querySelectorAll('tbody tr')].map((row) => row.dataset.state + row.cells[1].textContent)`); len(rows) != 1 || rows[0] != "differs77" {
		t.Errorf("of one forged round the page lists %v", rows)
	}
	p.picture("verify-phone-forged-many")
	p.press("tbody a")
	p.until(`document.querySelector('#payout[data-same=false]') !== null && document.querySelectorAll('.proof > li[data-same=false]').length === 1`)
	p.fits()
	p.picture("verify-phone-forged")
	p.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	p.until(`document.querySelector('[data-pair]') !== null`)
}

// TestVerifyAPairThatLacksARound checks that a passed-on pair, which has a known number of
// rounds, is reported if its last round is missing. Messages from other windows are ignored.
func TestVerifyAPairThatLacksARound(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	site, _ := alone(t)
	p := open(t, desktop, site.URL+"/verify#pair")
	p.ready()
	p.until(`document.querySelector('.verdict[role=alert]') !== null && document.querySelector('#give') !== null`) // no page opened it
	rounds := drawn(t, 3)
	hash := regexp.MustCompile(`"serverSeedHash":"(\w+)"`).FindStringSubmatch(rounds[0])[1]
	pair := p.opened(func() {
		p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
			const page = open('/verify#pair');
			addEventListener('message', ({ source, data }) => {
				if (source !== page || data.casino !== 'ready') return;
				for (const said of [{ casino: 'pair', serverSeedHash: %q, rounds: '3' }, { casino: 'rounds', lines: %q }, { casino: 'end' }]) page.postMessage(said, location.origin);
			});
		}`, hash, strings.Join(rounds[:2], "\n"))))
	})
	pair.until(`document.querySelector('[data-verdict=differs] [data-count=verified]')?.textContent.endsWith(': 2')`)
	if says := pair.text("[data-pair] .loss"); !strings.HasPrefix(says, "1 ") || !strings.HasSuffix(says, " 2") {
		t.Errorf("of the missing round the page says %q", says)
	}
	pair.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		addEventListener('message', ({ data }) => { window.heard = data.casino; });
		for (const said of [{ casino: 'pair', serverSeedHash: %q, rounds: '2' }, { casino: 'rounds', lines: %q }, { casino: 'end' }]) postMessage(said, location.origin);
	}`, hash, strings.Join(rounds[:2], "\n"))))
	pair.until(`window.heard === 'end' && document.querySelector('[data-verdict] [data-count=verified]') !== null`)
	if got := value[string](pair, `document.querySelector('[data-verdict]').dataset.verdict`); got != "differs" {
		t.Errorf("after a message from another window the page says %q", got)
	}
}

// fits fails the test if the page is wider than its screen.
func (p *page) fits() {
	p.Helper()
	if wide := value[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		p.Errorf("the page is %d wider than its screen", wide)
	}
}
