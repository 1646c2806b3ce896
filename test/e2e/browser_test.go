package e2e_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// browsers are the places where a browser is searched for, as in test/require-browser.
var browsers = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
	"/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
}

// browser returns the program that tests drive; it fails if there is none.
func browser(t *testing.T) string {
	t.Helper()
	if named := os.Getenv("CASINO_TEST_BROWSER"); named != "" {
		return named
	}
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium is here: test/require-browser installs it, or CASINO_TEST_BROWSER names one")
	return ""
}

// timeLimit is how long a page may take for one action.
const timeLimit = time.Minute

// screen is a device on which a page is shown.
type screen struct {
	width, height int64
	handheld      bool
}

var (
	desktop = screen{1280, 800, false}
	phone   = screen{360, 640, true} // the narrowest common one
)

// shared is the browser that all tests drive; the first page starts it.
var shared struct {
	sync.Mutex
	ctx context.Context
	end func()
}

// TestMain ends the browser after the last test.
func TestMain(m *testing.M) {
	code := m.Run()
	if shared.end != nil {
		shared.end()
	}
	os.Exit(code)
}

// started returns the context of the browser, which it starts if necessary. The name casino.test
// is this machine.
func started(t *testing.T) context.Context {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.ctx != nil {
		return shared.ctx
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(browser(t)), chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("host-resolver-rules", "MAP casino.test 127.0.0.1"),
	}
	for _, name := range []string{
		"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage",
		"disable-default-apps", "disable-extensions", "no-proxy-server", "mute-audio",
	} {
		options = append(options, chromedp.Flag(name, true))
	}
	if os.Geteuid() == 0 { // its sandbox can't run as root
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	if _, err := chromedp.Run(ctx, chromedp.Steps()); err != nil {
		t.Fatalf("the browser doesn't start: %v", err)
	}
	shared.ctx, shared.end = ctx, func() { cancel(); cancelAllocator() }
	return ctx
}

// page is a page with its own profile: separate storage, cookies and cache.
type page struct {
	*testing.T
	ctx context.Context

	// tolerated are parts of errors that a test causes.
	tolerated []string

	// may limits the page's requests, if it is set.
	may *contract

	mu sync.Mutex
	// faults are errors on the console and requests that failed.
	faults []string
	// asked are the methods and URLs of its requests.
	asked [][2]string
}

// open opens a URL on a screen. Errors on the page's console and failed requests fail the test.
func open(t *testing.T, on screen, address string) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(started(t), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := attach(t, ctx)
	// Then reels stop at once.
	send(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	view := []chromedp.EmulateViewportOption{}
	if on.handheld {
		view = append(view, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)
	}
	p.do(chromedp.EmulateViewport(on.width, on.height, view...), chromedp.Navigate(address))
	return p
}

// attach follows a page: a new one, or that of the context.
func attach(t *testing.T, ctx context.Context) *page {
	t.Helper()
	p := &page{T: t, ctx: ctx}
	if err := chromedp.Listen(ctx, p.onEvent); err != nil {
		t.Fatalf("no page opens in the browser: %v", err)
	}
	t.Cleanup(p.close)
	send(p, cdplog.Enable, cdp.Empty{})
	send(p, network.Enable, network.EnableParams{})
	send(p, runtime.Enable, cdp.Empty{})
	// It has the focus independently of other tests' pages.
	send(p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return p
}

// opened returns the page that another one opens during do.
func (p *page) opened(do func()) *page {
	p.Helper()
	opener := chromedp.FromContext(p.ctx).Target.TargetID // other tests' pages open pages in the same browser
	found := chromedp.WaitNewTarget(p.ctx, func(info *target.Info) bool { return info.URL != "" && info.OpenerID == opener })
	do()
	select {
	case id := <-found:
		ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(id))
		p.Cleanup(cancel)
		tab := attach(p.T, ctx)
		if p.may != nil && value[string](tab, `location.origin`) == p.may.origin {
			tab.may = p.may
		}
		return tab
	case <-time.After(timeLimit):
		p.Fatal("no page opens")
		return nil
	}
}

// front shows a page that another one hides: a hidden page draws nothing.
func (p *page) front() {
	p.Helper()
	send(p, cdppage.BringToFront, cdp.Empty{})
}

// exception returns an exception's text, with its stack if it has one.
func exception(details *runtime.ExceptionDetails) string {
	if details.Exception != nil {
		return details.Text + " " + details.Exception.Description
	}
	return details.Text
}

// send sends a command to the browser.
func send[C any](p *page, command cdp.Command[C, cdp.Empty], with C) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, timeLimit)
	defer cancel()
	if _, err := chromedp.Call(ctx, command, with); err != nil {
		p.Fatalf("%s: %v", command.Method, err)
	}
}

// close closes the page and reports its errors.
func (p *page) close() {
	if err := chromedp.Cancel(p.ctx); err != nil {
		p.Errorf("the page doesn't close: %v", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, each := range p.asked {
		if p.may != nil && !p.may.allows(each[0], each[1]) {
			p.Errorf("the page asked for what isn't published: %s %s", each[0], each[1])
		}
	}
	for _, fault := range p.faults {
		if slices.ContainsFunc(p.tolerated, func(part string) bool { return strings.Contains(fault, part) }) {
			continue
		}
		p.Errorf("on the page: %s", fault)
	}
}

// onEvent records errors of the page.
func (p *page) onEvent(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault = "exception: " + exception(e.ExceptionDetails)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			fault = fmt.Sprintf("console %s: %v", e.Type, e.Args)
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError || e.Entry.Level == cdplog.EntryLevelWarning {
			fault = fmt.Sprintf("log %s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		p.mu.Lock()
		p.asked = append(p.asked, [2]string{e.Request.Method, e.Request.URL})
		p.mu.Unlock()
	case *network.EventLoadingFailed:
		if !e.Canceled { // by the page itself
			fault = "request failed: " + e.ErrorText
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			fault = fmt.Sprintf("HTTP %d: %s", e.Response.Status, e.Response.URL)
		}
	}
	if fault == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, fault)
}

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	run(p, chromedp.Steps(actions...))
}

// run runs one action.
func run[V any](p *page, action chromedp.Action[V]) V {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, timeLimit)
	defer cancel()
	got, err := chromedp.Run(ctx, action)
	if err != nil {
		p.Fatalf("in the browser: %v", err)
	}
	return got
}

// until waits for an expression of JavaScript to be true. If the page navigates meanwhile, the
// expression is evaluated again on the new page.
func (p *page) until(expression string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, timeLimit)
	defer cancel()
	for {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](expression))
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			p.Fatalf("waiting for %s: %v; the page says %q, the bet is %q", expression, err,
				value[string](p, `document.body?.innerText ?? ""`), value[string](p, `document.getElementById("amount")?.value ?? ""`))
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// value returns the value of an expression of JavaScript.
func value[V any](p *page, expression string) V {
	p.Helper()
	return run(p, chromedp.Evaluate[V](expression))
}

// text returns the visible text of an element.
func (p *page) text(selector string) string {
	p.Helper()
	return strings.TrimSpace(value[string](p, fmt.Sprintf("document.querySelector(%q).textContent", selector)))
}

// picture stores a picture of the page if CASINO_TEST_PICTURES names a folder.
func (p *page) picture(name string) {
	p.Helper()
	folder := os.Getenv("CASINO_TEST_PICTURES")
	if folder == "" {
		return
	}
	noError(p, os.WriteFile(filepath.Join(folder, name+".png"), run(p, chromedp.FullScreenshot(100)), 0o600))
}

// press clicks an element.
func (p *page) press(selector string) {
	p.Helper()
	p.until(fmt.Sprintf(`document.querySelector(%q) !== null && !document.querySelector(%[1]q).disabled`, selector))
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector(%q).click()`, selector)))
}

// fill types a text into a field.
func (p *page) fill(selector, text string) {
	p.Helper()
	p.until(fmt.Sprintf(`document.querySelector(%q) !== null`, selector))
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const field = document.querySelector(%q);
		field.value = %q;
		field.dispatchEvent(new Event('input', { bubbles: true }));
		field.dispatchEvent(new Event('change', { bubbles: true }));
	}`, selector, text)))
}

// visit goes to a part of the page.
func (p *page) visit(hash string) {
	p.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.hash = %q`, hash)))
}

// noError ends the test on an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
