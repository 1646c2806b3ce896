package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// consoleViews returns all views of the console, with a withdrawal and a player.
func consoleViews(withdrawal, player string) []view {
	return []view{
		{"console-overview", "#/overview", "#revenue"}, {"console-withdrawals", "#/withdrawals", "[data-row]"}, {"console-withdrawal", "#/withdrawals/" + withdrawal, "#past"},
		{"console-approvals", "#/approvals", "[data-row]"}, {"console-players", "#/players", "[data-row]"}, {"console-player", "#/players/" + player, "#past"},
		{"console-rounds", "#/rounds", "[data-row]"}, {"console-transactions", "#/transactions", "[data-row]"}, {"console-unclaimed", "#/unclaimed", "#assign"}, {"console-games", "#/games", "#returns [data-row]"},
		{"console-provider", "#/provider", "main h2"}, {"console-agents", "#/agents", "[data-row]"}, {"console-agent", "#/agents/house", "#webhooks"},
		{"console-alarms", "#/alarms", "table"}, {"console-operations", "#/status", "#payouts"}, {"console-branding", "#/branding", "#branding"}, {"console-roles", "#/roles", "[data-row]"},
		{"console-audit", "#/audit", "[data-row]"}, {"console-nothing", "#/nothing", ".missing"},
	}
}

// TestConsoleHasNoBarrier checks every view, on a phone and on a large screen, in both themes.
func TestConsoleHasNoBarrier(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	needsAxe(t)
	e := begin(t, t.TempDir())
	e.deposit()
	_, err := e.player.Play(t.Context(), api.PlayRequest{GameType: "dice", Token: e.mint, Wager: 1_000_000})
	e.must(err)
	asked := e.requested(2_000_000)
	_, err = e.admin.AdjustBalance(t.Context(), e.address, api.AdjustRequest{Token: e.mint, Amount: 60_000_000_000, Reason: "won beyond the limit"})
	e.must(err)
	p := e.console("superadmin", phone)
	views := consoleViews(asked.ID, e.address)
	p.tour(views)
	p.fill(".switches label:nth-of-type(1) select", "pt-BR") // its words are longer
	p.until(`document.documentElement.lang === 'pt-BR'`)
	for _, each := range views {
		p.visit(each.hash)
		p.until(fmt.Sprintf(`document.querySelector(%q) !== null && document.querySelector('.loading') === null`, each.shown))
		p.fits()
		p.picture(each.name + "-pt")
	}
	p.fill(".switches label:nth-of-type(1) select", "en")
	p.do(chromedp.EmulateViewport(desktop.width, desktop.height))
	p.tour(views[:4])
	p.visit("#/withdrawals/" + asked.ID)
	p.press(`#approve`)
	p.until(`document.querySelector('#confirm') !== null`)
	p.accessible("confirm")
	p.clean()
}
