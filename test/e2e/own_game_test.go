package e2e_test

import (
	"log/slog"
	"math/big"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/web"
	"github.com/casino-service/casino/app"
	rules "github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

// lanterns is an embedder's game with a field of every kind. It shows its config, so that the
// test sees what arrived.
type lanterns struct{}

func (lanterns) Type() string  { return "lanterns" }
func (lanterns) Rules() string { return "lanterns/1" }
func (lanterns) Title() string { return "Lanterns" }
func (lanterns) RTP() rules.RTP {
	all := big.NewRat(99, 100)
	return rules.RTP{Default: all, Min: all, Max: all}
}

func (lanterns) Fields() []rules.Field {
	return []rules.Field{
		{Name: "colour", Title: "Colour", Shape: rules.TextChoice("red", "amber", "yellow", "green", "blue", "indigo", "violet"), Default: rules.Text("red")},
		{Name: "shape", Title: "Shape", Shape: rules.TextChoice("round", "square"), Default: rules.Text("round")},
		{Name: "lamps", Title: "Lamps", Shape: rules.Number{Min: 1, Max: 5}, Default: rules.Int(1)},
		{Name: "bright", Title: "Bright", Shape: rules.Flag{}, Default: rules.Bool(false)},
		{Name: "rows", Title: "Rows", Shape: rules.ListOf{Item: rules.Number{Min: 0, Max: 9}, MinItems: 1, MaxItems: 3}, Default: rules.List(rules.Int(1))},
	}
}

func (lanterns) Plan(config rules.Value, _ money.Amount) (rules.Plan, error) {
	return lanternPlan{rules.Odds{Prize: money.Ratio{Num: 198, Den: 100}, Wins: 1 << 31}, config}, nil
}

type lanternPlan struct {
	rules.Odds
	config rules.Value
}

func (p lanternPlan) Config() rules.Value { return p.config }

func (p lanternPlan) Play(draws rules.Draws) rules.Result {
	result := rules.Result{Outcome: rules.Object(rules.Member{Name: "lit", Value: p.config})}
	if draws.Pick(2) == 0 {
		result.Multiplier = p.Prize
	}
	return result
}

// doors is a game that is only played step by step: one door of three leads on, the others end
// the round.
type doors struct{ rules.OnlyStepped }

var (
	leave = rules.ActionOf("leave")
	even  = money.Ratio{Num: 99, Den: 100}
)

func (doors) Type() string                                         { return "doors" }
func (doors) Rules() string                                        { return "doors/1" }
func (doors) Title() string                                        { return "Doors" }
func (doors) StepFields() []rules.Field                            { return nil }
func (doors) RTP() rules.RTP                                       { return lanterns{}.RTP() }
func (doors) Begin(rules.Value, money.Amount) (rules.Steps, error) { return doors{}, nil }
func (doors) Config() rules.Value                                  { return rules.Object() }
func (doors) MaxStake() money.Ratio                                { return money.Ratio{Num: 1, Den: 1} }
func (doors) MaxMultiplier() money.Ratio                           { return money.Ratio{Num: 297, Den: 100} }
func (doors) Abandon(rules.State) rules.Value                      { return leave }
func (doors) Return() rules.StepReturn {
	return rules.StepReturn{Best: big.NewRat(99, 100), Least: big.NewRat(99, 100)}
}

// At returns the state: the round is worth one wager at first, and three behind the right door.
func (doors) At(draws rules.Draws, actions []rules.Value) rules.State {
	shown := rules.Object(rules.Member{Name: "opened", Value: rules.Int(int64(len(actions)))})
	if len(actions) == 0 {
		open := rules.Offer{
			Action: rules.ActionOf("open"), Prize: big.NewRat(297, 100),
			Fields: []rules.Field{{Name: "door", Title: "Door", Description: "The door to open.", Shape: rules.IntChoice(0, 1, 2)}},
		}
		return rules.State{Shown: shown, Choices: []rules.Offer{open, {Action: leave}}}
	}
	if actions[0].Equal(leave) {
		return rules.State{Shown: shown, Ended: true, Multiplier: even}
	}
	door, _ := actions[0].Get("door").Int()
	behind := int64(draws.Pick(3))
	end := rules.State{Shown: rules.Object(rules.Member{Name: "behind", Value: rules.Int(behind)}), Ended: true}
	if behind == door {
		end.Multiplier = money.Ratio{Num: 297, Den: 100}
	}
	return end
}

// Theory treats the door as a separate bet.
func (doors) Theory(actions []rules.Value, _ rules.Value) rules.Theory {
	variance := new(big.Rat)
	if len(actions) > 0 && !actions[0].Equal(leave) {
		variance = big.NewRat(2*99*99, 100*100) // a third of 2.97², minus 0.99²
	}
	return rules.TheoryOf(big.NewRat(99, 100), variance, money.Ratio{Num: 1, Den: 1})
}

// shop serves a casino in memory with its own games, and pages that sign in with a demo wallet of
// alice, who has money.
func shop(t *testing.T) (site *httptest.Server, alice *client.Client) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		noError(t, err)
	}
	terms, machine := fakes.Terms(), system.Default()
	chain, quiet := fakes.NewChain(terms), slog.New(slog.DiscardHandler)
	games, err := rules.NewRegistry(append(rules.House(), lanterns{}, doors{})...)
	must(err)
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: chain, Clock: machine, Entropy: machine, Logger: quiet,
		Sessions: fakes.NewSessions(machine, "shop", time.Hour), Games: games, Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
	})
	must(err)
	casino.Began()
	must(casino.Deposits.BeginWatch(t.Context()))
	handler, err := httpapi.New(casino, httpapi.Config{Limiter: local.New(machine), Logger: quiet})
	must(err)
	pages, err := web.New(web.Config{BasePath: httpapi.BasePathDefault, Demo: true, Explorer: "https://explorer.example/tx/{signature}?at=main"}, wallets(t, handler, "alice", nil))
	must(err)
	site = httptest.NewServer(pages)
	t.Cleanup(site.Close)
	alice, _, err = client.New(site.URL+httpapi.BasePathDefault, nil).SignIn(t.Context(), fakes.Key("alice"), machine.Now())
	must(err)
	_, err = casino.Treasury.BookCapital(t.Context(), terms.Mint, 1_000_000_000_000, "capital")
	must(err)
	chain.Fund(fakes.Wallet("alice"), terms.Mint, 1_000_000_000)
	paid := chain.Deposit(fakes.Wallet("alice"), terms.Mint, 1_000_000_000)
	chain.Finalize()
	_, err = alice.Deposit(t.Context(), api.DepositRequest{Signature: paid, Token: string(terms.Mint)})
	must(err)
	return site, alice
}

// TestPlayAGameWithoutABoard plays an embedder's games by forms made from their schemas, in one
// call and step by step, and checks that every choice arrives.
func TestPlayAGameWithoutABoard(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	conformance.Streams(t, doors{}, 200)
	site, alice := shop(t)
	p := player{open(t, desktop, site.URL), nil, new([]int)}
	p.do(chromedp.Evaluate[chromedp.Void](watching))
	p.until(`document.querySelector('[data-game=lanterns]')?.textContent.includes('Lanterns')`)
	p.press(`header .primary`)
	p.press(`.wallet.demo`)
	p.until(`document.querySelector('.balance output')?.dataset.balance > 0`)

	p.visit("#/game/lanterns")
	p.until(`document.querySelector('.controls select') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](`for (const label of document.querySelectorAll('.controls label')) {
		const field = document.getElementById(label.htmlFor);
		if (field) field.dataset.field = label.textContent;
	}`))
	p.fill(`[data-field=Colour]`, "indigo")
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.controls .segments label')].find((each) => each.textContent === 'square').querySelector('input').click()`))
	p.fill(`[data-field=Lamps]`, "4")
	p.press(`[data-field=Bright]`)
	p.fill(`[data-field=Rows]`, "seven")
	p.until(`document.querySelector('[data-field=Rows]').getAttribute('aria-invalid') === 'true'`)
	p.fill(`[data-field=Rows]`, "7 0 9")
	p.until(`document.querySelector('[data-field=Rows]').getAttribute('aria-invalid') === 'false'`)
	round, err := alice.Round(t.Context(), p.bet())
	noError(t, err)
	if got, want := string(round.Config), `{"colour":"indigo","shape":"square","lamps":4,"bright":true,"rows":[7,0,9]}`; got != want {
		t.Errorf("the config is %s, not %s", got, want)
	}
	if shown := p.text(".stage .shown"); !strings.Contains(shown, "indigo") {
		t.Errorf("the outcome is shown as %q", shown)
	}

	p.visit("#/game/doors")
	p.until(`document.querySelector('h1').textContent === 'Doors' && document.querySelector('.controls button[type=submit]') !== null`)
	p.press(".controls button[type=submit]")
	p.until(`document.querySelectorAll('.step').length === 2 && document.querySelector('.stage .shown').textContent.includes('0')`)
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll('.step .segments input')[2].click()`))
	p.press(".step button")
	p.until(`Boolean(document.querySelector('.outcome')?.dataset.round)`)
	round, err = alice.Round(t.Context(), value[string](p.page, `document.querySelector('.outcome').dataset.round`))
	if err != nil || string(round.Actions) != `[{"type":"open","door":2}]` {
		t.Errorf("the actions are %s, %v", round.Actions, err)
	}
	p.visit("#/history/" + round.ID)
	p.until(`document.querySelector('#came dd') !== null`)
	if said := p.text("main"); !strings.Contains(said, "Open: Door 2") || strings.ContainsAny(said, `{}"`) {
		t.Errorf("the round is told as %q", said)
	}

	// The deposit's transaction is linked to where the operator says.
	list, err := alice.AccountTransactions(t.Context(), api.AccountTransactionsParams{})
	noError(t, err)
	p.visit("#/wallet?tab=transactions")
	p.until(`document.querySelector('[data-transaction] a') !== null`)
	if link, want := value[string](p.page, `document.querySelector('[data-transaction] a').href`), "https://explorer.example/tx/"+*list.Transactions[0].Signature+"?at=main"; link != want {
		t.Errorf("the explorer's link is %s, not %s", link, want)
	}
}

// TestPlayExcludesItself takes a break and an exclusion on the page, which shows the account's
// state; afterwards it explains that a bet is refused.
func TestPlayExcludesItself(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	site, alice := shop(t)
	p := player{open(t, phone, site.URL+"/#/limits"), nil, new([]int)}
	p.tolerated = []string{"403"} // the refused bets
	p.do(chromedp.Evaluate[chromedp.Void](watching))
	p.until(`document.querySelector('header .primary') !== null`)
	p.press(`header .primary`)
	p.press(`.wallet.demo`)
	p.press(`#break`)
	p.press(`#sure`)
	p.until(`document.querySelector('.notice.good')?.textContent.includes('on a break')`)
	refused := func() {
		t.Helper()
		p.visit("#/game/dice")
		p.press(".controls button[type=submit]")
		p.until(`document.querySelector('.notice.bad') !== null`)
		p.press(".notice.bad button")
		p.visit("#/limits")
		p.until(`document.querySelector('#exclude') !== null`)
	}
	refused()
	p.do(chromedp.Evaluate[chromedp.Void](`{
		[...document.querySelectorAll('.segments label')].find((each) => each.textContent === 'For ever').querySelector('input').click();
	}`))
	p.press(`#exclude`)
	p.until(`document.querySelector('dialog p')?.textContent.includes('never bet here again')`)
	p.press(`#sure`)
	p.until(`[...document.querySelectorAll('.notice.good')].some((each) => each.textContent.includes('excluded'))`)
	refused()
	if _, err := alice.Play(t.Context(), api.PlayRequest{GameType: "dice", Token: string(fakes.Terms().Mint), Wager: 1_000_000}); err == nil || !strings.Contains(err.Error(), "excluded") {
		t.Errorf("a bet of who excluded themselves: %v", err)
	}
}
