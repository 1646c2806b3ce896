package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/casino-service/casino/adapters/simulated/provider"
)

// account is the balance of one player, which answers callbacks.
type account struct {
	mu      sync.Mutex
	balance *big.Rat
	refuse  string
}

func (w *account) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var asked struct {
		Method string `json:"method"`
		Slot   struct {
			Bet json.Number `json:"bet_money"`
			Win json.Number `json:"win_money"`
		} `json:"slot"`
	}
	if err := json.NewDecoder(in.Body).Decode(&asked); err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	status := 1
	if asked.Method == "transaction" {
		bet, _ := new(big.Rat).SetString(asked.Slot.Bet.String())
		win, _ := new(big.Rat).SetString(asked.Slot.Win.String())
		if w.refuse != "" {
			status = 0
		} else {
			w.balance.Add(w.balance, win).Sub(w.balance, bet)
		}
	}
	_, _ = fmt.Fprintf(out, `{"status":%d,"user_balance":%s,"msg":%q}`, status, w.balance.FloatString(6), w.refuse)
}

// booth is the demo provider with one player who has launched a game.
type booth struct {
	*provider.Provider
	account *account
	address string // of the game's page
}

// openBooth launches a game. The reels stop at the draws, in turn.
func openBooth(t *testing.T, title string, draws ...uint64) booth {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	b := booth{account: &account{balance: big.NewRat(1000, 1)}}
	bank := httptest.NewServer(b.account)
	t.Cleanup(bank.Close)
	var handler http.Handler
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(site.Close)
	var mu sync.Mutex
	next := 0
	var err error
	b.Provider, err = provider.New(provider.Config{
		AgentCode: "agent", AgentToken: "token", AgentSecret: "secret", CallbackURL: bank.URL, PublicURL: site.URL, Currency: "DEMO",
		Now: time.Now, Random: func() uint64 {
			mu.Lock()
			defer mu.Unlock()
			next++
			return draws[next%len(draws)]
		},
	})
	noError(t, err)
	handler = b.Handler()
	if title != "" {
		b.Rename("cherry-rush", title)
	}
	ask(t, site.URL, `{"method":"user_create","agent_code":"agent","agent_token":"token","user_code":"player"}`)
	b.address = ask(t, site.URL, `{"method":"game_launch","agent_code":"agent","agent_token":"token","user_code":"player",
		"provider_code":"DEMOSPIN","game_code":"cherry-rush","lang":"en"}`)
	return b
}

// ask sends a request to the provider and returns its launch URL.
func ask(t *testing.T, site, body string) string {
	t.Helper()
	answer, err := http.Post(site+"/api", "application/json", bytes.NewReader([]byte(body)))
	noError(t, err)
	defer func() { _ = answer.Body.Close() }()
	var shown struct {
		Status int    `json:"status"`
		URL    string `json:"launch_url"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&shown); err != nil || shown.Status != 1 {
		t.Fatalf("%s: status %d, %v", body, shown.Status, err)
	}
	return shown.URL
}

// A stop of each symbol of the game, counted from a reel's beginning.
const cherry, star = 0, 9

// TestAWinIsShown wins with three stars, and checks the sixth decimal.
func TestAWinIsShown(t *testing.T) {
	t.Parallel()
	b := openBooth(t, "", star)
	b.account.balance.SetString("100.000001")
	s := openSlot(t, desktop, b.address)
	s.bet("1.25")
	s.spin()
	s.picture("win")
	if shown := s.text("#said"); shown != "Three of star: you win 125.00 DEMO" {
		t.Errorf("the page says %q", shown)
	}
	if shown := s.text("#balance"); shown != "223.750001" {
		t.Errorf("the balance is shown as %q", shown)
	}
	if list := s.spins(); len(list) != 1 || list[0].Win != "125.00" || list[0].Bet != "1.25" || list[0].Line != "⭐ ⭐ ⭐" {
		t.Errorf("the list of spins is %+v", list)
	}
	b.account.mu.Lock()
	b.account.refuse = "GAME_DISABLED"
	b.account.mu.Unlock()
	s.spin()
	if shown := s.text("#said"); shown != "This game is switched off." {
		t.Errorf("a refusal of the wallet: the page says %q", shown)
	}
}

// TestAGameSpeaksPortuguese wins and is refused on a page that was launched in Portuguese.
func TestAGameSpeaksPortuguese(t *testing.T) {
	t.Parallel()
	b := openBooth(t, "", star)
	site, _, _ := strings.Cut(b.address, "/play/")
	address := ask(t, site, `{"method":"game_launch","agent_code":"agent","agent_token":"token","user_code":"player",
		"provider_code":"DEMOSPIN","game_code":"cherry-rush","lang":"pt-BR"}`)
	s := openSlot(t, desktop, address)
	s.bet("1.25")
	s.spin()
	if shown := s.text("#said"); shown != "Três de estrela: você ganha 125,00 DEMO" {
		t.Errorf("the page says %q", shown)
	}
	if shown := s.text("#balance"); shown != "1123,75" {
		t.Errorf("the balance is shown as %q", shown)
	}
	b.account.mu.Lock()
	b.account.refuse = "GAME_DISABLED"
	b.account.mu.Unlock()
	s.spin()
	if shown := s.text("#said"); shown != "Este jogo está desligado." {
		t.Errorf("a refusal of the wallet: the page says %q", shown)
	}
}

// TestATitleIsText gives the game a title that would run if it were markup.
func TestATitleIsText(t *testing.T) {
	t.Parallel()
	const title = `<img src=x onerror="document.title='taken'"></title><script>document.title='taken'</script>&lt;b>`
	s := openSlot(t, phone, openBooth(t, title, cherry).address)
	if shown := s.text("h1"); shown != title {
		t.Errorf("the title is shown as %q", shown)
	}
	if shown := value[string](s.page, "document.title"); shown != title {
		t.Errorf("the window's title is %q", shown)
	}
	if n := value[int](s.page, `document.querySelectorAll("img, h1 *, script:not([src])").length`); n != 0 {
		t.Errorf("the title became %d elements", n)
	}
	s.picture("title")
	s.fits()
}

// TestThePageOnAPhone plays with a finger on a narrow screen.
func TestThePageOnAPhone(t *testing.T) {
	t.Parallel()
	b := openBooth(t, "", cherry, cherry, star)
	b.account.balance.SetString("9007199254740993.123456") // more digits than a float holds
	s := openSlot(t, phone, b.address)
	if shown := s.text("#balance"); shown != "9007199254740993.123456" {
		t.Errorf("the balance is shown as %q", shown)
	}
	for range 12 {
		newest := value[string](s.page, `document.querySelector("#rounds tbody tr")?.dataset.txn ?? ""`)
		s.do(chromedp.Tap(chromedp.CSS("#spin")))
		s.ended(newest)
	}
	if list := s.spins(); len(list) != 10 {
		t.Errorf("%d spins are listed, the last ten should be", len(list))
	}
	s.picture("phone")
	s.fits()
	small := value[[]string](s.page, `[...document.querySelectorAll("button, input")].filter((e) => {
		const box = e.getBoundingClientRect(); return box.width < 44 || box.height < 44; }).map((e) => e.outerHTML)`)
	if len(small) != 0 {
		t.Errorf("too small for a finger: %q", small)
	}
	if bottom := value[float64](s.page, `document.getElementById("spin").getBoundingClientRect().bottom + scrollY`); bottom > float64(phone.height) {
		t.Errorf("the spin button ends at %v, the screen at %d", bottom, phone.height)
	}
}

// fits finds elements that are wider than the screen.
func (s slot) fits() {
	s.Helper()
	if wide := value[int](s.page, "document.scrollingElement.scrollWidth"); wide > int(phone.width) {
		s.Errorf("the page is %d wide on a screen of %d", wide, phone.width)
	}
}

// TestThePageByKeyboard plays without a pointer: the focus stays in place from one spin to the
// next.
func TestThePageByKeyboard(t *testing.T) {
	t.Parallel()
	s := openSlot(t, desktop, openBooth(t, "", cherry).address)
	focused := func() string {
		t.Helper()
		return value[string](s.page, `document.activeElement.id || document.activeElement.getAttribute("aria-label") || document.activeElement.tagName`)
	}
	var order []string
	for range 4 {
		s.do(chromedp.KeyEvent(kb.Tab))
		order = append(order, focused())
	}
	if want := []string{"amount", "Half the bet", "Double the bet", "spin"}; !slices.Equal(order, want) {
		t.Fatalf("Tab goes to %q, expected %q", order, want)
	}
	newest := ""
	for _, key := range []string{" ", kb.Enter, " "} {
		s.do(chromedp.KeyEvent(key))
		s.ended(newest)
		newest = s.spins()[0].Txn
		if at := focused(); at != "spin" {
			t.Errorf("after a spin the focus is at %s", at)
		}
	}
	if n := len(s.spins()); n != 3 {
		t.Errorf("three keys made %d spins", n)
	}
	s.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)), chromedp.KeyEvent(" "))
	if bet := value[string](s.page, `document.getElementById("amount").value`); focused() != "Double the bet" || bet != "2.00" {
		t.Errorf("the bet doubled by key is %s, with the focus at %s", bet, focused())
	}
}

// TestThePageCanBeRead checks what a screen reader reads, and the contrast.
func TestThePageCanBeRead(t *testing.T) {
	t.Parallel()
	s := openSlot(t, desktop, openBooth(t, "", star).address)
	s.spin()
	got := s.named()
	for _, want := range []string{
		"heading Cherry Rush", "image star, star, star", "status ", "StaticText Three of star: you win 100.00 DEMO", "status Balance",
		"spinbutton Bet, DEMO", "button Half the bet", "button Double the bet", "button Spin",
		"table Three of a kind pay", "table Your last spins", "columnheader Balance",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("nothing is read as %q", want)
		}
	}
	if t.Failed() {
		t.Logf("what is read:\n%s", strings.Join(got, "\n"))
	}
	for _, pale := range value[[]string](s.page, contrasts) {
		t.Errorf("hard to read: %s", pale)
	}
}

// named returns what a screen reader reads, each element with its role and name.
func (s slot) named() (all []string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, timeLimit)
	defer cancel()
	tree, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	noError(s, err)
	text := func(v *accessibility.Value) (shown string) {
		if v != nil {
			_ = json.Unmarshal(v.Value, &shown) // other values than texts have no name
		}
		return shown
	}
	for _, node := range tree.Nodes {
		if !node.Ignored {
			all = append(all, text(node.Role)+" "+text(node.Name))
		}
	}
	return all
}

// contrasts lists the texts with a contrast to their background below 4.5, as the Web Content
// Accessibility Guidelines (1.4.3) measure it.
const contrasts = `(() => {
	const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
	const light = (colour) => {
		const [r, g, b] = parts(colour).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const behind = (e) => {
		for (; e; e = e.parentElement) {
			const colour = getComputedStyle(e).backgroundColor;
			if ((parts(colour)[3] ?? 1) > 0) return colour;
		}
		return "rgb(255, 255, 255)";
	};
	const found = [];
	for (const e of document.querySelectorAll("body *")) {
		const own = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim() !== "");
		if (!own && e.tagName !== "INPUT" || ["SCRIPT", "NOSCRIPT"].includes(e.tagName)) continue;
		const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) found.push(e.tagName + " " + e.textContent.trim() + ": " + ratio.toFixed(2));
	}
	return found;
})()`
