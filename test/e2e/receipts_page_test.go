package e2e_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/test/services"
)

// savingAll stores the texts of the files that the page saves in window.files, by their names.
const savingAll = `{
	const blobs = [];
	window.files = {};
	URL.createObjectURL = (blob) => 'blob:' + (blobs.push(blob) - 1);
	URL.revokeObjectURL = () => {};
	const { click } = HTMLAnchorElement.prototype;
	HTMLAnchorElement.prototype.click = function () {
		if (!this.download) return click.call(this);
		blobs[Number(this.href.slice(5))].text().then((text) => window.files[this.download] = text);
	};
}`

// sealed waits until every round that the history shows has a seal of a kind.
func (p player) sealed(rounds int, seal string) {
	p.Helper()
	p.visit("#/history")
	p.until(fmt.Sprintf(`document.querySelectorAll('[data-round]').length === %d && document.querySelectorAll('[data-round] [data-seal=%s]').length === %[1]d`, rounds, seal))
}

// savedAs presses a button that saves a file, and returns its text.
func (p player) savedAs(button, name string) string {
	p.Helper()
	p.press(button)
	p.until(fmt.Sprintf(`Object.keys(window.files).some((each) => each.startsWith(%q))`, name))
	return value[string](p.page, fmt.Sprintf(`Object.entries(window.files).find(([each]) => each.startsWith(%q))[1]`, name))
}

// verifyFiles has casino verify the files of receipts, keys and, if it isn't empty, of the
// history, and returns what it printed and whether it found nothing.
func (e *evening) verifyFiles(receipts, keys, history string) (printed string, clean bool) {
	e.Helper()
	folder := e.TempDir()
	arguments := []string{"verify", "--wallet", e.address}
	for _, file := range [][2]string{{"receipt", receipts}, {"keys", keys}, {"history", history}} {
		if file[1] == "" {
			continue
		}
		path := filepath.Join(folder, file[0])
		e.must(os.WriteFile(path, []byte(file[1]), 0o600))
		arguments = append(arguments, "--"+file[0], path)
	}
	casino, err := services.Binary()
	e.must(err)
	out, err := exec.CommandContext(e.Context(), casino, arguments...).Output()
	return string(out), err == nil
}

// history returns what the service shows as the player's history.
func (e *evening) history() string {
	e.Helper()
	request, err := http.NewRequestWithContext(e.Context(), http.MethodGet, e.dev.BaseURL+"/history", nil)
	e.must(err)
	request.Header.Set("Authorization", "Bearer "+e.dev.SignIn(e.T, "alice"))
	answer, err := http.DefaultClient.Do(request)
	e.must(err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	e.must(err)
	return string(text)
}

// rewritten has the page see a changed answer of the service.
const rewritten = `{
	const { fetch } = window;
	window.fetch = async (address, request) => {
		const answer = await fetch(address, request);
		if (!new URL(address, location).pathname.endsWith(%q)) return answer;
		const text = await answer.text();
		return new Response((%s)(text), { status: answer.status, headers: answer.headers });
	};
}`

func (p player) rewrites(path, how string) {
	p.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(rewritten, path, how)))
}

// TestThePageKeepsAndChecksReceipts plays every way that has a receipt: each round gets its seal
// without a request of the player, and casino verify accepts the saved file. A history that shows
// another payout later is shown as a contradiction, with files that prove it.
func TestThePageKeepsAndChecksReceipts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.do(chromedp.Evaluate[chromedp.Void](savingAll))
	p.deposit("5")
	p.visit("#/game/hilo")
	p.until(`document.querySelector('.hilo') !== null`)
	p.steps(".wide-button")
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	p.bet()
	round := p.bet()
	p.until(`document.querySelectorAll('.results [data-seal=right]').length === 2`)
	p.fill(".wager", "4000000")
	p.press(".controls button[type=submit]") // refused
	p.until(`document.querySelector('.notice.bad') !== null`)
	p.tolerated = append(p.tolerated, "400", "403", "409", "422")
	p.visit("#/wallet")
	p.fill("#withdraw input", "1")
	p.press("#withdraw [type=submit]")
	p.until(`document.querySelectorAll('[data-transaction]').length === 2`)
	p.sealed(3, "right")
	p.until(`document.querySelector('#receipts')?.dataset.kept === document.querySelector('#receipts')?.dataset.checked`)
	if found := value[int](p.page, `document.querySelectorAll('[data-evidence], .accused').length`); found != 0 {
		t.Errorf("an honest service is accused: %s", p.text("#receipts"))
	}

	receipts, keys := p.savedAs("#save-receipts", "receipts-"), p.savedAs("#save-keys", "keys")
	refusals := p.savedAs("#save-refusals", "refusals")
	if strings.Count(refusals, "\n") != 1 || !strings.Contains(refusals, `"statement":"casino statement 1\npurpose: refusal\n`) {
		t.Errorf("refusals: %s", refusals)
	}
	shown := e.history()
	for _, part := range []string{`"withdrawal"`, `"transaction"`, `"seed"`, `"kind":"round.open"`, round} {
		if !strings.Contains(receipts, part) {
			t.Errorf("the file has no %s", part)
		}
	}
	lines := strings.Count(receipts, "\n")
	if printed, clean := e.verifyFiles(receipts, keys, shown); !clean || printed != fmt.Sprintf("%d of %[1]d receipts are verified\n", lines) {
		t.Errorf("casino verify: %s", printed)
	}

	p.rewrites("/history", `(text) => text.replace(/"payout":\d+/, '"payout":7')`)
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	p.visit("#/history")
	p.until(`document.querySelector('[data-round] [data-seal=wrong]') !== null && document.querySelectorAll('.accused a').length === 1`)
	if said := p.text("[data-evidence]"); !strings.Contains(said, "history: round "+round+" has another payout") {
		t.Errorf("the page says %q", said)
	}
	evidence := p.savedAs("[data-evidence] button", "evidence")
	history := p.savedAs("[data-evidence] button:last-child", "history")
	if printed, clean := e.verifyFiles(evidence, keys, history); clean || !strings.Contains(printed, "receipt 1: history: round "+round+" has another payout\n") {
		t.Errorf("casino verify of the evidence: %s", printed)
	}
	p.secondTab()
	p.anotherWallet()
	p.clean()
}

// secondTab checks that a second tab of the browser sees the same receipts, and that both keep theirs.
func (p player) secondTab() {
	p.Helper()
	tab := player{p.opened(func() { p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`void window.open(%q)`, root(p.dev)))) }), p.dev, new([]int)}
	tab.tolerated = p.tolerated
	tab.until(`document.querySelectorAll('.tile').length > 10`)
	tab.until(`document.querySelector('.who') !== null && document.querySelector('.accused') !== null`) // the session is shared
	kept := value[string](p.page, `document.querySelector('#receipts').dataset.kept`)
	tab.visit("#/game/dice")
	tab.until(`document.querySelector('.dice') !== null`)
	tab.press(".controls button[type=submit]")
	tab.until(`document.querySelector('.results [data-seal=right]') !== null`)
	p.front()
	p.until(fmt.Sprintf(`Number(document.querySelector('#receipts').dataset.kept) === %s + 1`, kept))
}

// signInAs signs in with a demo wallet.
func (p player) signInAs(name string) {
	p.Helper()
	p.press(`header .primary`)
	p.until(`document.querySelector('.wallet.demo') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`[...document.querySelectorAll('.wallet.demo')].find((each) => each.textContent.includes(%q)).click()`, name)))
	p.until(`document.querySelector('.who') !== null`)
}

// anotherWallet checks that another wallet in the browser sees nothing of the first one's.
func (p player) anotherWallet() {
	p.Helper()
	p.press(`.who button`)
	p.until(`document.querySelector('.who') === null && document.querySelector('.accused') === null`)
	p.signInAs("bob")
	p.visit("#/history")
	p.until(`document.querySelector('#receipts')?.dataset.kept === '0'`)
	if found := value[int](p.page, `document.querySelectorAll('[data-evidence], .accused').length`); found != 0 {
		p.Errorf("another wallet sees %d contradictions", found)
	}
}

// TestTwoHistoriesAreShown has the service sign a second block for a place that the page has a
// receipt of: the evidence of both is saved, and casino verify finds them.
func TestTwoHistoriesAreShown(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	folder := t.TempDir()
	e := begin(t, folder)
	p := enter(t, e.dev, phone)
	p.do(chromedp.Evaluate[chromedp.Void](savingAll))
	p.deposit("2")
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	p.bet()
	p.sealed(1, "right")
	receipts, keys := p.savedAs("#save-receipts", "receipts-"), p.savedAs("#save-keys", "keys")
	rotation := ""
	for line := range strings.Lines(receipts) {
		if strings.Contains(line, `"kind":"pair"`) {
			rotation = strings.TrimSpace(line)
		}
	}
	forged, err := json.Marshal(resigned(t, folder, rotation))
	e.must(err)
	p.rewrites("/seed/rotate", fmt.Sprintf(`() => %s`, forged))
	p.visit("#/fairness")
	p.press("#rotate button")
	p.visit("#/history")
	p.until(`document.querySelector('[data-evidence]') !== null && document.querySelector('.accused') !== null`)
	if said := p.text("[data-evidence]"); !strings.Contains(said, "two histories: they have different blocks for lane") {
		t.Errorf("the page says %q", said)
	}
	p.fits()
	if printed, clean := e.verifyFiles(p.savedAs("[data-evidence] button", "evidence"), keys, ""); clean || !strings.Contains(printed, "receipts 1 and 2: two histories") {
		t.Errorf("casino verify of the evidence: %s", printed)
	}
	p.theme("dark")
	if os.Getenv("CASINO_TEST_NODE") == "1" {
		p.accessible("evidence in the dark")
	}
	p.clean()
}

// resigned is an answer with a receipt of the same block at another time, signed with the key in
// the service's folder.
func resigned(t *testing.T, folder, answer string) string {
	t.Helper()
	kept, err := os.ReadFile(filepath.Join(folder, "receipt.key"))
	noError(t, err)
	seed, err := hex.DecodeString(strings.TrimPrefix(strings.TrimSpace(string(kept)), "dev:"))
	noError(t, err)
	text := regexp.MustCompile(`"text":"([^"]*)"`).FindStringSubmatch(answer)
	if text == nil {
		t.Fatalf("no receipt in %s", answer)
	}
	var signed string
	noError(t, json.Unmarshal([]byte(`"`+text[1]+`"`), &signed))
	signed = regexp.MustCompile(`time: \d+`).ReplaceAllString(signed, "time: 1")
	quoted, err := json.Marshal(signed)
	noError(t, err)
	signature := base64.StdEncoding.EncodeToString(ed25519.Sign(ed25519.NewKeyFromSeed(seed), []byte(signed)))
	answer = strings.Replace(answer, text[0], `"text":`+string(quoted), 1)
	return regexp.MustCompile(`"signature":"[^"]*"`).ReplaceAllString(answer, `"signature":"`+signature+`"`)
}

// TestBrowsersThatCannotCheckReceipts plays in a browser without storage, and in one without
// Ed25519: the page says so, and plays all the same.
func TestBrowsersThatCannotCheckReceipts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	for name, lacking := range map[string]string{
		"no storage":     `Object.defineProperty(window, 'indexedDB', { get: () => undefined })`,
		"denied storage": `IDBFactory.prototype.open = () => { throw new DOMException('denied', 'SecurityError'); }`,
		"no Ed25519":     `SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException('Ed25519', 'NotSupportedError'))`,
		"no WebCrypto":   `Object.defineProperty(crypto, 'subtle', { get: () => undefined })`,
	} {
		p := visitor(t, e.dev, phone, "verify")
		_, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: lacking})
		e.must(err)
		p.do(chromedp.Navigate(root(e.dev)))
		p.do(chromedp.Evaluate[chromedp.Void](watching))
		p.until(`document.querySelectorAll('.tile').length > 10`)
		p.signInAs("alice")
		p.deposit("1")
		p.visit("#/game/dice")
		p.until(`document.querySelector('.dice') !== null`)
		round := p.bet()
		p.visit("#/history")
		row := fmt.Sprintf(`document.querySelector('[data-round="%s"]')`, round)
		if strings.Contains(name, "storage") {
			p.until(row + ` !== null && document.querySelector('#receipts button') === null && document.querySelector('#receipts') !== null`)
			if seals := value[int](p.page, `document.querySelectorAll('[data-seal]').length`); seals != 0 {
				t.Errorf("%s: %d seals", name, seals)
			}
		} else {
			p.until(row + `?.querySelector('[data-seal=unable]') !== null && document.querySelector('[data-unable]') !== null`)
		}
		p.clean()
	}
}

// dropped has the service not know a round any more.
const dropped = `{
	const { fetch } = window;
	window.fetch = async (address, request) => {
		const { pathname } = new URL(address, location);
		if (pathname.endsWith('/history')) return new Response('{"rounds":[],"nextCursor":null}');
		if (pathname.endsWith('/history/%s')) return new Response('{"code":"NOT_FOUND","message":"no such round","details":{},"requestId":"r"}', { status: 404 });
		return fetch(address, request);
	};
}`

// filled fills the database of receipts with answers of a wallet that are older than those to come.
const filled = `{
	window.filled = false;
	const asked = indexedDB.open('casino.receipts');
	asked.onsuccess = () => {
		const all = asked.result.transaction('kept', 'readwrite');
		for (let i = 0; i < 5000; i++) all.objectStore('kept').add({ wallet: %q, id: 'old' + i, of: 'receipt', path: '/play', asked: '', key: '', at: 0, text: '{}', settled: false, state: 'right', fault: null, head: null, against: [], shown: null });
		all.oncomplete = () => window.filled = true;
	};
}`

// TestADroppedRoundIsShown has the service forget a round: the page finds it when the player signs
// in again, and keeps the evidence when older receipts have to go.
func TestADroppedRoundIsShown(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.deposit("2")
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	round := p.bet()
	p.sealed(1, "right")
	p.press(`.who button`)
	p.until(`document.querySelector('.who') === null`)
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(dropped, round)))
	p.signInAs("alice")
	p.until(`document.querySelector('[data-evidence]') !== null && document.querySelector('.accused') !== null`)
	if said := p.text("[data-evidence]"); !strings.Contains(said, "history: round "+round+" is missing") {
		t.Errorf("the page says %q", said)
	}
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(filled, e.address)))
	p.until(`window.filled`)
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	p.bet()
	p.visit("#/history")
	p.until(`document.querySelector('#receipts')?.dataset.kept === '5000' && document.querySelector('[data-evidence]') !== null`)
	p.clean()
}
