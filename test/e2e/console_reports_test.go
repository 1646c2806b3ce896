package e2e_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// TestConsoleReports runs reports on a phone: the rows are the API's with amounts in tokens, a
// report of nothing says so, and each run is in the audit log.
func TestConsoleReports(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	e.deposit()
	for range 4 {
		_, err := e.player.Play(t.Context(), api.PlayRequest{GameType: "dice", Token: e.mint, Wager: 123_456})
		e.must(err)
	}
	p := e.console("superadmin", phone)
	p.visit("#/reports")
	p.until(`document.querySelector('#report select') !== null`)
	from, to := value[string](p.page, `document.querySelector('#report .from').value`), value[string](p.page, `document.querySelector('#report .to').value`)
	p.press(`#report [type=submit]`)
	p.until(`document.querySelector('#result [data-row]') !== null`)
	same, err := e.admin.RunReport(t.Context(), "revenue", api.ReportRequest{By: "day", From: from, To: to})
	e.must(err)
	if hash := p.text(`#result p code`); hash != same.Sha256 {
		t.Errorf("the console's run has the hash %s, the API's %s", hash, same.Sha256)
	}
	column := func(name string) int {
		for i, c := range same.Columns {
			if c.Name == name {
				return i
			}
		}
		t.Fatalf("no column %s", name)
		return 0
	}
	shown := strings.Join(value[[]string](p.page, cells("#result")), "\n")
	for _, row := range same.Rows {
		for _, name := range []string{"wagered", "ggr", "ngr", "deposits"} {
			if mint := row[column("token")]; mint != "" && !strings.Contains(shown, e.written(row[column(name)], mint)) {
				t.Errorf("%s of %v isn't shown: %s", name, row, shown)
			}
		}
	}
	p.accessible("#/reports")
	p.picture("console-report")
	if cut := value[bool](p.page, `[...document.querySelectorAll('.scroll')].some((each) => each.scrollWidth > each.clientWidth) || document.documentElement.scrollWidth > innerWidth`); cut {
		t.Error("a report is wider than a telephone")
	}
	p.do(chromedp.Evaluate[chromedp.Void](savingAll))
	text := p.savedAs(`#report .sheet`, "revenue")
	if sum := sha256.Sum256([]byte(text)); hex.EncodeToString(sum[:]) != same.Sha256 {
		t.Errorf("the CSV has another hash:\n%s", text)
	}
	p.fill(`#report .from`, "2020-01-01")
	p.fill(`#report .to`, "2020-01-31")
	p.press(`#report [type=submit]`)
	p.until(`document.querySelector('#result')?.textContent.includes('No activity in this period.') === true`)
	p.visit("#/audit/action=report.run")
	p.until(fmt.Sprintf(`document.querySelectorAll('[data-row]').length === 4 && document.querySelector('main').textContent.includes(%q)`, same.Sha256))
	p.clean()
}
