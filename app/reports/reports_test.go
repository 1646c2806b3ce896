package reports_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/reports"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/report"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// house is a casino with an auditor, alice of the house, and bob of acme.
type house struct {
	*apptest.House
	ada, alice, bob app.Caller
}

func open(t *testing.T, options ...func(*app.Deps)) *house {
	t.Helper()
	h := apptest.Open(t, options...)
	h.Clock.Set(time.Date(2026, time.March, 30, 23, 59, 59, 0, time.UTC))
	h.CreateAcme()
	return &house{h, h.NewAdmin("ada", "finance"), h.NewPlayer("alice", 1_000_000), h.NewPlayerOf("acme", "bob", 500_000)}
}

func (h *house) run(kind string, asked reports.Request) reports.Result {
	h.T.Helper()
	return apptest.OK(h.Reports.Run(h.Ctx, h.ada, kind, asked))(h.T)
}

// march asks for all of the story.
var march = reports.Request{From: "2026-03-01", To: "2026-04-02"}

// story plays over some days, with adjustments and a payout.
func (h *house) story(seed uint64) {
	h.T.Helper()
	h.T.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0)) // #nosec G404 -- a story for a test
	w := h.ApprovedWithdrawal("carol", 2_000)
	for range 25 {
		who := []app.Caller{h.alice, h.bob}[random.IntN(2)]
		switch random.IntN(6) {
		case 0:
			apptest.OK(h.Admin.AdjustBalance(h.Ctx, h.ada, apptest.Gift([]string{"alice", "bob"}[random.IntN(2)], random.Int64N(900)+1)))(h.T)
		case 1:
			apptest.OK(h.Admin.AdjustBalance(h.Ctx, h.ada, apptest.Gift("alice", -random.Int64N(90)-1)))(h.T)
		default:
			apptest.OK(h.Play.Play(h.Ctx, who, apptest.Flip(random.Int64N(500)+100)))(h.T)
		}
		h.Clock.Advance(time.Duration(random.Int64N(int64(5 * time.Hour))))
	}
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(w, 1)
	h.Clock.Set(time.Date(2026, time.April, 10, 12, 0, 0, 0, time.UTC))
}

// model recomputes figures of revenue from the ledger's blocks.
func (h *house) model(by report.By) map[string]map[string]int64 {
	h.T.Helper()
	agents := map[string]string{string(h.bob.Wallet): "acme"}
	agentOf := func(w string) string {
		if agents[w] != "" {
			return agents[w]
		}
		return player.HouseAgent
	}
	all, active, first := map[string]map[string]int64{}, map[string]bool{}, map[string]bool{}
	add := func(at time.Time, agent, figure string, n int64) {
		row := at.UTC().Format(map[report.By]string{report.Day: "2006-01-02", report.Month: "2006-01", report.Year: "2006"}[by]) + " " + agent
		if all[row] == nil {
			all[row] = map[string]int64{}
		}
		all[row][figure] += n
	}
	if err := h.Store.Blocks(h.Ctx, func(b ports.Block) error {
		for _, r := range b.Rounds {
			add(r.At, r.Agent, "rounds", 1)
			add(r.At, r.Agent, "wagered", int64(r.Wager))
			add(r.At, r.Agent, "ggr", int64(r.Wager)-int64(r.Payout))
			add(r.At, r.Agent, "ngr", int64(r.Wager)-int64(r.Payout))
			if key := by.LabelOf(r.At.UTC().Format("2006-01-02")) + string(r.Wallet); !active[key] {
				active[key] = true
				add(r.At, r.Agent, "active_players", 1)
			}
		}
		for _, p := range b.Postings {
			for _, moved := range p.Transfers {
				switch p.Key.Kind {
				case ledger.Deposit:
					agent := agentOf(moved.Credit.Owner)
					add(b.At, agent, "deposits", int64(moved.Amount))
					if !first[moved.Credit.Owner] {
						first[moved.Credit.Owner] = true
						add(b.At, agent, "first_depositors", 1)
					}
				case ledger.Payout:
					add(b.At, player.HouseAgent, "withdrawals", int64(moved.Amount))
				case ledger.Adjust:
					n, owner := int64(moved.Amount), moved.Credit.Owner
					if moved.Debit.Kind == ledger.Player {
						n, owner = -n, moved.Debit.Owner
					}
					add(b.At, agentOf(owner), "adjustments", n)
					add(b.At, agentOf(owner), "ngr", -n)
				default:
				}
			}
		}
		return nil
	}); err != nil {
		h.T.Fatal(err)
	}
	return all
}

func cell(t *testing.T, r reports.Result, row report.Row, name string) string {
	t.Helper()
	at := slices.IndexFunc(r.Columns, func(c report.Column) bool { return c.Name == name })
	if at < 0 || len(row) != len(r.Columns) {
		t.Fatalf("no cell %s in %v", name, row)
	}
	return row[at]
}

func TestRevenueIsThatOfTheLedger(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		h := open(t)
		h.story(seed)
		for _, by := range []report.By{report.Day, report.Month, report.Year} {
			asked := march
			asked.By = by
			got, want := h.run("revenue", asked), h.model(by)
			compared := 0
			for _, row := range got.Rows {
				figures := want[cell(t, got, row, "period")+" "+cell(t, got, row, "agent")]
				for _, name := range []string{"rounds", "wagered", "ggr", "ngr", "adjustments", "active_players", "deposits", "first_depositors", "withdrawals"} {
					if n, _ := strconv.ParseInt(cell(t, got, row, name), 10, 64); n != figures[name] {
						t.Errorf("seed %d by %s: %v: %s is %d, want %d", seed, by, row, name, n, figures[name])
					}
				}
				if figures != nil {
					compared++
				}
			}
			apptest.Equal(t, "rows", compared, len(want))
		}
		h.CheckAudit()
	}
}

func TestPeriodsWithoutActivityAreStated(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.Clock.Set(time.Date(2026, time.April, 10, 12, 0, 0, 0, time.UTC))
	r := h.run("revenue", reports.Request{From: "2026-03-29", To: "2026-04-01"})
	var periods []string
	for _, row := range r.Rows {
		periods = append(periods, row[0]+" "+cell(t, r, row, "deposits"))
	}
	apptest.Equal(t, "periods", strings.Join(periods, ", "), "2026-03-29 0, 2026-03-30 500000, 2026-03-30 1000000, 2026-03-31 0, 2026-04-01 0")
	for _, kind := range reports.Kinds() {
		asked := reports.Request{}
		if slices.Contains(kind.Parameters, "from") {
			asked.From, asked.To = "2026-01-01", "2026-01-31"
		}
		if kind.Name == "large-results" {
			asked.Token, asked.AtLeast = money.SOL, 1
		}
		if kind.Name == "liabilities" {
			asked.Agent = "nobody"
		}
		if empty := h.run(kind.Name, asked); len(empty.Rows) != 0 || !strings.HasSuffix(string(empty.CSV()), "\r\nno activity"+strings.Repeat(",", len(kind.Columns)-1)+"\r\n") {
			t.Errorf("%s: %s", kind.Name, empty.CSV())
		}
	}
}

func TestRunsAreRecordedWithTheirHash(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.story(9)
	first, again := h.run("revenue", march), h.run("revenue", march)
	if !first.Closed || first.SHA256() != again.SHA256() {
		t.Errorf("closed is %v, %s and %s", first.Closed, first.SHA256(), again.SHA256())
	}
	apptest.OK(h.Play.Play(h.Ctx, h.alice, apptest.Flip(100)))(t)
	apptest.Equal(t, "after more play", h.run("revenue", march).SHA256(), first.SHA256())
	if h.run("revenue", reports.Request{From: "2026-04-10", To: "2026-04-10"}).Closed {
		t.Error("today is closed")
	}
	var found []audit.Record
	for _, r := range h.AuditRecords() {
		if r.Action == audit.ReportRun && r.ID == first.RecordID {
			found = append(found, r)
		}
	}
	want := fmt.Sprintf("by=day from=2026-03-01 to=2026-04-02 rows=%d sha256=%s", len(first.Rows), first.SHA256())
	if len(found) != 1 || found[0].After != want || found[0].By != h.ada.Wallet || found[0].Target != "revenue" {
		t.Errorf("%+v, want %q", found, want)
	}
}

func TestAnAgentsAdminRunsReportsAboutItsAgentAlone(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.story(4)
	own := h.Founder("olga", "operator", "acme")
	for _, kind := range []string{"revenue", "player-days"} {
		asked := march
		result := apptest.OK(h.Reports.Run(h.Ctx, own, kind, asked))(t)
		for _, row := range result.Rows {
			if agent := cell(t, result, row, "agent"); agent != "acme" {
				t.Errorf("%s: %v", kind, row)
			}
		}
		asked.Agent = "acme"
		apptest.Equal(t, "rows by name", len(h.run(kind, asked).Rows), len(result.Rows))
		asked.Agent = player.HouseAgent
		apptest.Refused(t, apptest.ErrorOf(h.Reports.Run(h.Ctx, own, kind, asked)), fault.Forbidden)
	}
	apptest.Refused(t, apptest.ErrorOf(h.Reports.Run(h.Ctx, own, "liabilities", reports.Request{At: h.Clock.Now()})), fault.Invalid)
	for _, kind := range reports.Kinds() {
		if kind.Permission == rbac.AuditRead {
			apptest.Refused(t, apptest.ErrorOf(h.Reports.Run(h.Ctx, own, kind.Name, march)), fault.AdminForbidden)
		}
		apptest.Refused(t, apptest.ErrorOf(h.Reports.Run(h.Ctx, h.alice, kind.Name, march)), fault.AdminForbidden)
	}
	owed := apptest.OK(h.Reports.Run(h.Ctx, own, "liabilities", reports.Request{}))(t)
	apptest.Equal(t, "acme's players have", cell(t, owed, owed.Rows[0], "owed"), fmt.Sprint(h.Balance("bob")))
}

func TestReportsRefuseWhatTheyDontTake(t *testing.T) {
	t.Parallel()
	h := open(t)
	for what, c := range map[string]struct {
		kind  string
		asked reports.Request
	}{
		"a future":             {"revenue", reports.Request{From: "2026-03-30", To: "2026-03-31"}},
		"an enormous span":     {"revenue", reports.Request{From: "1970-01-01", To: "2026-03-30"}},
		"no span":              {"revenue", reports.Request{}},
		"no end":               {"sessions", reports.Request{From: "2026-03-30"}},
		"a wallet":             {"revenue", reports.Request{From: "2026-03-30", To: "2026-03-30", Wallet: h.alice.Wallet}},
		"periods":              {"sessions", reports.Request{From: "2026-03-30", To: "2026-03-30", By: report.Day}},
		"no amount":            {"large-results", reports.Request{From: "2026-03-30", To: "2026-03-30", Token: money.SOL}},
		"an amount of a token": {"large-results", reports.Request{From: "2026-03-30", To: "2026-03-30", AtLeast: 1}},
		"a future moment":      {"liabilities", reports.Request{At: h.Clock.Now().Add(time.Millisecond)}},
	} {
		before := h.CountBlocks()
		if err := apptest.ErrorOf(h.Reports.Run(h.Ctx, h.ada, c.kind, c.asked)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", what, err)
		}
		apptest.Equal(t, "blocks after "+what, h.CountBlocks(), before)
	}
	apptest.Refused(t, apptest.ErrorOf(h.Reports.Run(h.Ctx, h.ada, "nothing", march)), fault.NotFound)
}

func TestPlayersAreReportedByDay(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.story(5)
	asked := march
	asked.Wallet = h.alice.Wallet
	days := h.run("player-days", asked)
	var rounds, most int64
	for _, row := range days.Rows {
		n, _ := strconv.ParseInt(cell(t, days, row, "rounds"), 10, 64)
		result, _ := strconv.ParseInt(cell(t, days, row, "result"), 10, 64)
		rounds, most = rounds+n, max(most, result, -result)
		apptest.Equal(t, "player", cell(t, days, row, "player"), string(h.alice.Wallet))
	}
	played := apptest.OK(h.Accounts.History(h.Ctx, h.alice, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 1}))(t)
	apptest.Equal(t, "rounds", rounds, int64(played.Total))
	asked.Token, asked.AtLeast = money.SOL, 1
	for _, c := range []struct {
		least int64
		some  bool
	}{{most, true}, {most + 1, false}} {
		asked.AtLeast = money.Amount(c.least)
		apptest.Equal(t, fmt.Sprint("at least ", c.least), len(h.run("large-results", asked).Rows) > 0, c.some)
	}
}

func TestRecordsOfPlayersAreReported(t *testing.T) {
	t.Parallel()
	h := open(t)
	if err := apptest.ErrorOf(h.Accounts.SetLimits(h.Ctx, h.alice, apptest.DailyLimit(protection.Loss, 500))); err != nil {
		t.Fatal(err)
	}
	h.FreezePlayer("bob", true)
	day := reports.Request{From: "2026-03-30", To: "2026-03-30"}
	h.Clock.Advance(time.Second) // into the next day
	day.To = h.Clock.Now().UTC().Format(time.DateOnly)
	actions := func(asked reports.Request) string {
		r := h.run("restrictions", asked)
		var all []string
		for _, row := range r.Rows {
			all = append(all, cell(t, r, row, "action"))
		}
		return strings.Join(all, " ")
	}
	apptest.Equal(t, "restrictions", actions(day), "limits.changed player.frozen")
	day.Agent = "acme"
	apptest.Equal(t, "of acme", actions(day), "player.frozen")
	day.Agent, day.Wallet = "", h.alice.Wallet
	apptest.Equal(t, "of alice", actions(day), "limits.changed")
	signIns := h.run("sessions", day)
	apptest.Equal(t, "sign-ins", len(signIns.Rows), 1)
	h.RequestWithdrawal(h.alice, 1_500)
	h.Clock.Advance(30 * time.Hour)
	waiting := h.run("withdrawals", reports.Request{})
	apptest.Equal(t, "withdrawals", len(waiting.Rows), 1)
	apptest.Equal(t, "age", cell(t, waiting, waiting.Rows[0], "age")+", "+cell(t, waiting, waiting.Rows[0], "hours"), "1 to 3 d, 30")
}

// TestFiltersNarrowTheirReports runs every kind with every filter that it takes: with values that
// some of its rows have, and with a value that none has. A new kind needs rows in this story.
func TestFiltersNarrowTheirReports(t *testing.T) {
	t.Parallel()
	screener := fakes.NewScreener("fake", admission.Play)
	h := open(t, func(d *app.Deps) {
		terms := apptest.SOLTerms
		terms.LargeWin = 100
		d.Tokens = token.NewBook(terms, apptest.ClosingTerms)
		d.Screeners = append(d.Screeners, screener)
	})
	agents := []struct {
		code   string
		player app.Caller
	}{{player.HouseAgent, h.alice}, {"acme", h.bob}}
	for _, agent := range agents {
		who := agent.player
		for range 12 {
			apptest.OK(h.Play.Play(h.Ctx, who, apptest.Flip(100)))(t)
		}
		h.RequestWithdrawal(who, 1_500)
		screener.Find(admission.Deny, "case 7")
		who.Remote = netip.MustParseAddr("192.0.2.7")
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, who, apptest.Flip(100))), fault.Forbidden)
		screener.Find(admission.Allow, "")
	}
	h.FreezePlayer("alice", true)
	h.FreezePlayer("bob", true)
	h.Clock.Set(time.Date(2026, time.April, 10, 12, 0, 0, 0, time.UTC))
	for _, kind := range reports.Kinds() {
		all := reports.Request{}
		if slices.Contains(kind.Parameters, "from") {
			all = march
		}
		if slices.Contains(kind.Parameters, "atLeast") {
			all.Token, all.AtLeast = money.SOL, 1
		}
		whole := h.run(kind.Name, all)
		// narrowed compares the rows that a filter leaves with those that fit, by what is shown.
		narrowed := func(filter string, change func(*reports.Request), fits func(report.Row) bool) {
			t.Helper()
			asked := all
			change(&asked)
			want := slices.DeleteFunc(active(whole), func(row report.Row) bool { return !fits(row) })
			if got := active(h.run(kind.Name, asked)); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s of %s:\n%v\nwant\n%v", kind.Name, filter, got, want)
			}
		}
		nothing := func(report.Row) bool { return false }
		if slices.Contains(kind.Parameters, "token") {
			narrowed("the token", func(r *reports.Request) { r.Token = money.SOL }, func(report.Row) bool { return true })
			narrowed("another token", func(r *reports.Request) { r.Token = apptest.ClosingTerms.Mint }, nothing)
		}
		if slices.Contains(kind.Parameters, "agentCode") {
			narrowed("another agent", func(r *reports.Request) { r.Agent = "nobody" }, nothing)
		}
		for _, of := range agents {
			agent, who := of.code, of.player
			if slices.Contains(kind.Parameters, "wallet") {
				mine := func(row report.Row) bool { return strings.Contains(strings.Join(row, " "), string(who.Wallet)) }
				if len(slices.DeleteFunc(active(whole), func(row report.Row) bool { return !mine(row) })) == 0 {
					t.Errorf("%s has no row of a player of %s", kind.Name, agent)
				}
				narrowed("a player of "+agent, func(r *reports.Request) { r.Wallet = who.Wallet }, mine)
				narrowed(agent, func(r *reports.Request) { r.Agent = agent }, mine)
			} else if kind.Name == "revenue" {
				narrowed(agent, func(r *reports.Request) { r.Agent = agent }, func(row report.Row) bool { return cell(t, whole, row, "agent") == agent })
			}
		}
	}
}

// active returns the rows with any amount, or with no amounts at all.
func active(r reports.Result) (rows []report.Row) {
	for _, row := range r.Rows {
		amounts, some := false, false
		for i, c := range r.Columns {
			if c.Type == report.Amount {
				amounts, some = true, some || row[i] != "0"
			}
		}
		if some || !amounts {
			rows = append(rows, row)
		}
	}
	return rows
}

// TestReportsAreDescribed: docs/reports.md has the table of every kind, and the console a text
// for each kind and column in each language.
func TestReportsAreDescribed(t *testing.T) {
	t.Parallel()
	page := string(apptest.OK(os.ReadFile("../../docs/reports.md"))(t))
	for _, file := range []string{"en", "pt-BR"} {
		var texts map[string]string
		if err := json.Unmarshal(apptest.OK(os.ReadFile("../../adapters/web/pages/src/locales/admin/"+file+".json"))(t), &texts); err != nil {
			t.Fatal(err)
		}
		for _, kind := range reports.Kinds() {
			if texts["reports.kind."+kind.Name] == "" {
				t.Errorf("%s.json: no text reports.kind.%s", file, kind.Name)
			}
			for _, c := range kind.Columns {
				if c.Name != "decimals" && texts["reports.column."+c.Name] == "" { // amounts are shown in tokens
					t.Errorf("%s.json: no text reports.column.%s", file, c.Name)
				}
			}
		}
	}
	for _, kind := range reports.Kinds() {
		want := "## `" + kind.Name + "`\n\n" + kind.Summary + "\n\nTakes: " + named(kind.Parameters) + ". Needs: " + named(kind.Required) +
			". Permission: `" + string(kind.Permission) + "`.\n\n| column | type | meaning |\n|---|---|---|\n"
		for _, c := range kind.Columns {
			want += "| `" + c.Name + "` | " + string(c.Type) + " | " + c.Meaning + " |\n"
		}
		if !strings.Contains(page, want) {
			t.Errorf("docs/reports.md lacks:\n%s", want)
		}
	}
}

func named(all []string) string {
	if len(all) == 0 {
		return "nothing"
	}
	return "`" + strings.Join(all, "`, `") + "`"
}

// manyDays has as many days as are asked for.
type manyDays struct{ kept }

// kept is a name for the port, which has a method of its own name.
type kept = interface {
	CountPlay(context.Context, int) (bool, error)
	ActivePlayers(context.Context, ports.FigureFilter, bool) ([]ports.ActivePlayers, error)
}

func (manyDays) PlayerDays(_ context.Context, _ ports.PlayerDayFilter, limit int) ([]ports.PlayerDay, error) {
	return make([]ports.PlayerDay, limit), nil
}

func TestALargeReportIsRefusedWhole(t *testing.T) {
	t.Parallel()
	h := open(t)
	many := h.Remade(func(d *app.Deps) { d.Store.PlayerDays = manyDays{d.Store.PlayerDays} })
	day := reports.Request{From: "2026-03-30", To: "2026-03-30"}
	err := apptest.ErrorOf(many.Reports.Run(h.Ctx, h.ada, "player-days", day))
	if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "more than 10000 rows") {
		t.Errorf("%v", err)
	}
}
