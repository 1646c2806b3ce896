package e2e_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
)

// others bet every betEvery, so that the feed has 3 events a second.
const betEvery = time.Second / 3

// framing measures the intervals between frames, tasks longer than 50 ms and changes of the feed, for
// some milliseconds.
const framing = `{
	window.frames_ = null;
	const gaps = [], long = [], seen = new Set();
	let counted = 0;
	const tasks = new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => long.push(duration)));
	tasks.observe({ type: 'longtask' });
	const begun = performance.now();
	let last = begun;
	const frame = (now) => {
		gaps.push(now - last);
		last = now;
		if (now - counted > 1000) {
			document.querySelectorAll('.feed [data-bet]').forEach(({ dataset }) => seen.add(dataset.bet));
			counted = now;
		}
		if (now - begun < %d) return requestAnimationFrame(frame);
		tasks.disconnect();
		gaps.sort((a, b) => a - b);
		const at = (part) => gaps[Math.floor((gaps.length - 1) * part)];
		window.frames_ = { frames: gaps.length, ms: now - begun, median: at(0.5), p95: at(0.95), worst: at(1), long: long.length, longest: Math.max(0, ...long), events: seen.size };
	};
	requestAnimationFrame((now) => { last = now; requestAnimationFrame(frame); });
}`

type frames struct {
	Frames, Long, Events            int
	MS, Median, P95, Worst, Longest float64
}

// TestFrames measures frames while others bet, for CASINO_TEST_FRAMES seconds each: an empty page, to
// compare with, the lobby at its feed, a game at rest, and plinko with auto-bet; with and without a
// CPU that is four times slower.
func TestFrames(t *testing.T) {
	seconds, err := strconv.Atoi(os.Getenv("CASINO_TEST_FRAMES"))
	if err != nil {
		t.Skip("set CASINO_TEST_FRAMES to a number of seconds (make frames does)") // allowed: a measurement
	}
	e := begin(t, t.TempDir())
	empty := open(t, screen{390, 844, true}, "about:blank")
	p := enter(t, e.dev, screen{390, 844, true})
	p.deposit("5")
	e.betting()
	p.moves()
	for _, each := range []struct {
		name, hash, begin string
		on                *page
	}{
		{"an empty page", "", "", empty},
		{"the lobby's feed", "#/", `document.querySelector('.feed').scrollIntoView({ block: 'center' })`, p.page},
		{"dice", "#/game/dice", "", p.page},
		{"plinko, auto-bet", "#/game/plinko", `document.querySelector('.auto .big').click()`, p.page},
	} {
		for _, slower := range []float64{1, 4} {
			each.on.front()
			send(each.on, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
			if each.on == p.page {
				p.visit(each.hash)
				p.until(`document.querySelector('.feed') !== null && document.querySelector('.loading') === null`)
			}
			if strings.Contains(each.begin, ".auto") {
				p.press(".ways .segments button:last-child")
				p.fill(".auto input", "0")
			}
			if each.begin != "" {
				p.do(chromedp.Evaluate[chromedp.Void](each.begin))
			}
			busy := processors(t)
			each.on.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(framing, seconds*1000)))
			each.on.until(`window.frames_ !== null`)
			found := value[frames](each.on, `window.frames_`)
			t.Logf("%-18s CPU/%v: %4.1f frames a second, intervals %4.1f median, %4.1f p95, %5.1f worst; %d tasks over 50 ms, longest %.0f; %2d events; processors busy %d %%",
				each.name, slower, float64(found.Frames)*1000/found.MS, found.Median, found.P95, found.Worst, found.Long, found.Longest, found.Events, busy())
			if strings.Contains(each.begin, ".auto") {
				p.press(".auto .big")
				p.visit("#/")
			}
		}
	}
}

// betting has bob bet on and on until the test ends.
func (e *evening) betting() {
	e.Helper()
	mint := e.dev.Tokens[0].Mint
	_, bob := e.dev.Key(e.T, "bob")
	player := client.New(e.dev.BaseURL, nil).WithToken(e.dev.SignIn(e.T, "bob"))
	_, err := e.admin.AdjustBalance(e.Context(), bob, api.AdjustRequest{Token: mint, Amount: 1_000_000_000, Reason: "to bet with"})
	e.must(err)
	go func() {
		for range time.Tick(betEvery) {
			if _, err := player.Play(e.Context(), api.PlayRequest{GameType: "dice", Token: mint, Wager: 100_000}); e.Context().Err() != nil {
				return
			} else if err != nil {
				e.Errorf("a bet of another player: %v", err)
				return
			}
		}
	}()
}

// processors returns a function that tells how busy all processors have been since, in percent; -1
// where that is unknown.
func processors(t *testing.T) func() int {
	t.Helper()
	read := func() (idle, all int) {
		text, err := os.ReadFile("/proc/stat")
		if err != nil {
			return 0, 0
		}
		line, _, _ := strings.Cut(string(text), "\n")
		for i, field := range strings.Fields(line)[1:9] { // the rest is in them
			n, err := strconv.Atoi(field)
			noError(t, err)
			all += n
			if i == 3 || i == 4 { // idle and waiting for a disk
				idle += n
			}
		}
		return idle, all
	}
	idle, all := read()
	return func() int {
		idleNow, allNow := read()
		if allNow == all {
			return -1
		}
		return 100 - 100*(idleNow-idle)/(allNow-all)
	}
}
