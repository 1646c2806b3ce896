package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// written returns an amount of base units as the English console shows it.
func (e *evening) written(units any, mint string) string {
	e.Helper()
	for _, token := range e.dev.Tokens {
		if token.Mint != mint {
			continue
		}
		digits, negative := strings.CutPrefix(fmt.Sprint(units), "-")
		digits = strings.Repeat("0", max(0, int(token.Decimals)+1-len(digits))) + digits
		whole, fraction := digits[:len(digits)-int(token.Decimals)], strings.TrimRight(digits[len(digits)-int(token.Decimals):], "0")
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + "," + whole[at:]
		}
		shown := whole + "." + fraction + strings.Repeat("0", max(0, 2-len(fraction))) + " " + token.Symbol
		if negative {
			shown = "−" + shown
		}
		return shown
	}
	e.Fatalf("no token %s", mint)
	return ""
}

// cells returns the texts of a table's rows, each joined by "|", without its heads.
func cells(table string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].map((row) => [...row.cells].map((cell) => cell.textContent).join('|'))`, table+" [data-row]")
}

// TestConsoleFiguresAreTheApis compares the figures of the overview and of the games' returns with
// the API's, and each number that is a link with the list that it leads to.
func TestConsoleFiguresAreTheApis(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	e.deposit()
	for i := range 12 {
		_, err := e.player.Play(t.Context(), api.PlayRequest{GameType: []string{"dice", "limbo", "coinflip"}[i%3], Token: e.mint, Wager: int64(100_000 + 7_531*i)})
		e.must(err)
	}
	e.requested(2_000_000)
	p := e.console("superadmin", screen{1440, 900, false})
	p.until(`document.querySelector('#revenue canvas') !== null`)
	overview, err := e.admin.Overview(t.Context(), api.OverviewParams{})
	e.must(err)
	facts := value[[][]string](p.page, `[...document.querySelectorAll('main .facts dd a')].map((each) => [each.textContent, each.getAttribute('href')])`)
	open := overview.Withdrawals
	want := []int64{overview.Players, overview.Rounds, overview.Agents, overview.ProviderGames, open.Pending, open.Approved, open.Sending, open.Failed}
	if len(facts) != len(want) || overview.Rounds != 12 || open.Pending != 1 {
		t.Fatalf("the overview shows %v, the API says %+v", facts, overview)
	}
	for i, fact := range facts {
		if fact[0] != fmt.Sprint(want[i]) {
			t.Errorf("%s is %s, the API says %d", fact[1], fact[0], want[i])
		}
	}
	var tokens, days []string
	for _, line := range overview.Tokens {
		row := []string{strings.Fields(e.written(0, line.Token))[1]}
		for _, units := range []any{line.Wagered, line.Paid, line.GGR, line.Liabilities, line.Held, *line.Treasury, *line.Difference} {
			row = append(row, e.written(units, line.Token))
		}
		tokens = append(tokens, strings.Join(append(row, map[bool]string{true: "Yes", false: "No"}[*line.Solvent]), "|"))
	}
	same(t, "the tokens", value[[]string](p.page, cells("main > div:last-of-type")), tokens)
	daily, err := e.admin.GGRDaily(t.Context(), api.GGRDailyParams{Days: 30, Token: e.mint})
	e.must(err)
	for _, day := range daily.Metrics {
		days = append(days, strings.Join([]string{e.written(day.GGR, e.mint), e.written(day.Wagered, e.mint), e.written(day.Paid, e.mint), fmt.Sprint(day.Rounds)}, "|"))
	}
	var shown []string
	for _, row := range value[[]string](p.page, cells("#revenue")) {
		_, figures, _ := strings.Cut(row, "|")
		shown = append(shown, figures)
	}
	same(t, "the days", shown, days)
	if painted := value[int](p.page, `(() => { const c = document.querySelector('#revenue canvas'); const d = c.getContext('2d').getImageData(c.width * .9 | 0, 0, c.width * .1 | 0, c.height).data; let coloured = 0; for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 250 && Math.max(d[i], d[i + 1], d[i + 2]) - Math.min(d[i], d[i + 1], d[i + 2]) > 90) coloured++; return coloured; })()`); painted < 200 {
		t.Errorf("the chart has no bar for today: %d pixels have its colour", painted)
	}
	for i, fact := range facts {
		p.visit(fact[1])
		p.until(fmt.Sprintf(`location.hash === %q && document.querySelector('main .loading') === null && document.querySelector('main table') !== null && document.querySelectorAll('tbody .muted [role=status]').length === 0`, fact[1]))
		p.until(fmt.Sprintf(`(document.querySelector('.pager [role=status]')?.textContent ?? document.querySelector('main table').querySelectorAll('[data-row]').length + ' in all') === %q`, fmt.Sprint(want[i])+" in all"))
	}
	returns, err := e.admin.Returns(t.Context(), api.ReturnsParams{Days: 30})
	e.must(err)
	var games []string
	for _, game := range returns.Games {
		games = append(games, strings.Join([]string{game.GameType, fmt.Sprint(game.Rounds), e.written(game.Wagered, game.Token), e.written(game.Paid, game.Token)}, "|"))
	}
	p.visit("#/games")
	p.until(`document.querySelectorAll('#returns [data-row]').length === 3`)
	shown = nil
	for _, row := range value[[]string](p.page, cells("#returns")) {
		cell := strings.Split(row, "|")
		shown = append(shown, strings.Join([]string{cell[0], cell[3], cell[4], cell[5]}, "|"))
	}
	same(t, "the returns", shown, games)
	if spans := p.text(`#returns select`); !strings.HasPrefix(spans, "1 day7 days") {
		t.Errorf("the spans are %q", spans)
	}
	for _, width := range []int64{1440, 1800} {
		p.do(chromedp.EmulateViewport(width, 900))
		p.until(fmt.Sprintf(`innerWidth === %d`, width))
		edges := value[[]float64](p.page, `[['.brand', 'left'], ['.side a', 'left'], ['.foot .switches', 'left'], ['.who', 'right'], ['main .panel', 'right']].map(([of, side]) => Math.round(document.querySelector(of).getBoundingClientRect()[side]))`)
		if edges[0] != edges[1] || edges[1] != edges[2] || edges[3] != edges[4] {
			t.Errorf("at %d header, sections, footer begin at %v, header and content end at %v", width, edges[:3], edges[3:])
		}
	}
	p.clean()
}

// same compares texts with the wanted ones.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(want) == 0 || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s are\n%s\nthe API says\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
