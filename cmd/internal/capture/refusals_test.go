package capture_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/cmd/internal/capture"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/refusal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// choosing is a writer that plays a bet first, and then decides whether to take it.
type choosing struct {
	ports.Writer
	games   *game.Registry
	refuses func(bet.Round) bool
	// with makes the refusal another one.
	with func(*refusal.Refused)
}

// Commit serves ports.Writer.
func (w choosing) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	decide := item.Decide
	item.Decide = func(v player.View) (player.Change, error) {
		c, err := decide(v)
		if err != nil || c.Round == nil || c.Round.Stepped() || !w.refuses(*c.Round) {
			return c, err
		}
		rules, _ := w.games.Rules(c.Round.GameType, c.Round.Rules)
		order, err := bet.NewOrder(rules, c.Round.Config, c.Round.Wager)
		if err != nil {
			return c, err
		}
		order.Terms = fakes.Terms()
		order.Terms.MaxPayout = 1 << 50
		r := &refusal.Refused{
			Refusal: fault.New(fault.WagerOutOfRange, "wager: could pay more than the house can afford at the moment"), Ledger: v.Control.Ledger,
			Epoch: 1, At: c.Round.At, Decided: refusal.Decided{
				Commitment: v.Pair.Commitment, Nonce: v.Pair.Nonce, Figures: order.Figures(), Balance: v.Balances[c.Round.Token],
			},
		}
		if w.with != nil {
			w.with(r)
		}
		return player.Change{}, r
	}
	return w.Writer.Commit(ctx, item)
}

// choosy is a house that refuses the bets that it likes, and signs that it can't afford them.
func choosy(t *testing.T, refuses func(bet.Round) bool, with func(*refusal.Refused)) house {
	return house{writer: func(honest ports.Writer) ports.Writer {
		return choosing{Writer: honest, games: registry(t), refuses: refuses, with: with}
	}}
}

// threefold are the rounds that pay more than three times their wagers.
func threefold(r bet.Round) bool { return r.Multiplier.Cmp(money.Ratio{Num: 3, Den: 1}) > 0 }

// onlyBy are the checks that found something.
func onlyBy(report capture.Report) (checks []string) {
	for _, f := range report.Findings {
		if !slices.Contains(checks, f.Check) {
			checks = append(checks, f.Check)
		}
	}
	slices.Sort(checks)
	return checks
}

// TestAHouseThatRefusesWinnersIsFound has a house refuse each bet that would pay more than
// three times its wager, with a signature under figures that nobody can check.
func TestAHouseThatRefusesWinnersIsFound(t *testing.T) {
	t.Parallel()
	file, _ := choosy(t, threefold, nil).taken(t, 2, func(p *capture.Plan) {
		p.Games, p.Rounds, p.PairRounds = []string{"roulette", "baccarat", "diamonds", "slots", "dragontower"}, 300, 100
	})
	report := checked(t, file)
	if report.Refusals < 20 || !slices.Contains(onlyBy(report), "selection") {
		t.Fatalf("%d refusals, %+v, %+v", report.Refusals, report.Findings, report.Selection)
	}
	for _, f := range report.Findings {
		if f.Check != "selection" && f.Check != "statistics" {
			t.Errorf("%+v", f)
		}
	}
	var printed bytes.Buffer
	if err := report.Print(&printed); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"which bets were refused or left unanswered depends on what they would have paid", "bets were refused, unanswered or void, of which"} {
		if !strings.Contains(printed.String(), words) {
			t.Errorf("the report doesn't say %q:\n%s", words, printed.String())
		}
	}
}

// TestAHouseThatRefusesWinnersAtRandomIsFound refuses a tenth of all, and of winners a fifth
// more.
func TestAHouseThatRefusesWinnersAtRandomIsFound(t *testing.T) {
	t.Parallel()
	draws, mu := fakes.NewEntropy(3), sync.Mutex{}
	file, _ := choosy(t, func(r bet.Round) bool {
		mu.Lock()
		defer mu.Unlock()
		drawn := draws.Seed()
		return drawn[0] < 25 || r.Payout > r.Wager && drawn[1] < 57
	}, nil).taken(t, 1, func(p *capture.Plan) {
		p.Games, p.Rounds, p.PairRounds = []string{"coinflip"}, 3000, 200
	})
	if report := checked(t, file); !slices.Contains(onlyBy(report), "selection") {
		t.Errorf("%d refusals: %+v", report.Refusals, report.Selection)
	}
}

// TestAHouseThatAnswersNoWinnersIsFound drops the answers, as if the bets had not come.
func TestAHouseThatAnswersNoWinnersIsFound(t *testing.T) {
	t.Parallel()
	file, summary := choosy(t, threefold, func(r *refusal.Refused) { r.Refusal = fault.New(fault.Unavailable, "busy").With("outcome", "none") }).
		taken(t, 4, func(p *capture.Plan) {
			p.Games, p.Rounds, p.PairRounds = []string{"roulette", "baccarat", "diamonds", "slots"}, 300, 100
		})
	report := checked(t, file)
	if report.Unanswered < 5 || !slices.Contains(onlyBy(report), "selection") || slices.Contains(onlyBy(report), "form") {
		t.Errorf("%d unanswered, %+v, %+v, %s", report.Unanswered, report.Findings, report.Selection, summary.Stopped)
	}
}

// TestRefusalsByTheRulesAreNoFinding has a house that takes small bets only.
func TestRefusalsByTheRulesAreNoFinding(t *testing.T) {
	t.Parallel()
	file, _ := house{maxPayout: 300_000}.taken(t, 2, few)
	report := checked(t, file)
	if !report.Clean || report.Refusals < 10 || report.Checks["refusal"] < 10 || report.Checks["limits"] < 10 {
		t.Errorf("%d refusals, checked %v: %+v", report.Refusals, report.Checks, report.Findings)
	}
}

// TestFalseRefusalsAreFound has receipts that are wrong in one way each.
func TestFalseRefusalsAreFound(t *testing.T) {
	t.Parallel()
	unsigned := func(change func(object)) func(http.Handler) http.Handler {
		return func(honest http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				kept, body := httptest.NewRecorder(), object{}
				honest.ServeHTTP(kept, r)
				text := kept.Body.Bytes()
				if kept.Code == http.StatusBadRequest && json.Unmarshal(text, &body) == nil && body["receipt"] != nil {
					change(body)
					text, _ = json.Marshal(body)
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(kept.Code)
				_, _ = w.Write(text) // to a player who may have gone
			})
		}
	}
	for name, row := range map[string]struct {
		with          func(*refusal.Refused)
		between       func(http.Handler) http.Handler
		check, saying string
	}{
		"the figures allow the bet": {with: func(r *refusal.Refused) { r.Room = r.MaxPayout }, check: "refusal", saying: "the figures of the signed refusal allow it"},
		"the balance covers the bet": {with: func(r *refusal.Refused) { r.Refusal = fault.New(fault.InsufficientFunds, "too little") }, check: "refusal",
			saying: "the figures of the signed refusal allow it"},
		"another nonce":     {with: func(r *refusal.Refused) { r.Nonce++ }, check: "refusal", saying: "states the nonce"},
		"another pair":      {with: func(r *refusal.Refused) { r.Commitment = other }, check: "refusal", saying: "states the commitment"},
		"another balance":   {with: func(r *refusal.Refused) { r.Balance-- }, check: "refusal", saying: "states the balance"},
		"another prize":     {with: func(r *refusal.Refused) { r.CouldPay++ }, check: "refusal", saying: "states the most that the bet could pay"},
		"limits of its own": {with: func(r *refusal.Refused) { r.MaxWager, r.Room = 1, 0 }, check: "limits", saying: "limits that were never published"},
		"another time":      {with: func(r *refusal.Refused) { r.At = r.At.Add(-time.Hour) }, check: "refusal", saying: "it was answered at"},
		"another ledger":    {with: func(r *refusal.Refused) { r.Ledger = "of mine" }, check: "refusal", saying: "it is of the ledger of mine"},
		"no signature":      {between: unsigned(func(o object) { delete(o, "receipt") }), check: "refusal", saying: "isn't signed"},
		"another code":      {between: unsigned(func(o object) { o.set("code", "LIMIT_EXCEEDED") }), check: "refusal", saying: "states the code"},
		"a forged text": {between: unsigned(func(o object) {
			o.within("receipt", func(r object) { r.set("statement", strings.Replace(r.text("statement"), "room: ", "room: 1", 1)) })
		}), check: "refusal", saying: "doesn't hold"},
		"no text": {between: unsigned(func(o object) { o.within("receipt", func(r object) { r.set("signature", "?") }) }), check: "refusal", saying: "doesn't hold"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, mu := 0, sync.Mutex{}
			h := choosy(t, func(bet.Round) bool {
				mu.Lock()
				defer mu.Unlock()
				n++
				return n%9 == 5
			}, row.with)
			h.between = row.between
			file, _ := h.taken(t, 1, func(p *capture.Plan) { p.Games, p.Rounds = []string{"dice"}, 30 })
			report := checked(t, file)
			if !slices.ContainsFunc(report.Findings, func(f capture.Finding) bool {
				return f.Check == row.check && strings.Contains(f.Text, row.saying)
			}) {
				t.Errorf("not found: %+v", report.Findings)
			}
		})
	}
}

// TestVoidedWinsAreDeclinedBets has a house show its wins as void rounds.
func TestVoidedWinsAreDeclinedBets(t *testing.T) {
	t.Parallel()
	file, _ := house{between: rounds(func(r object) {
		if r.number("payout") > r.number("wager") {
			r.set("outcome", nil)
			r.set("payout", r.number("wager"))
		}
	})}.taken(t, 1, func(p *capture.Plan) { p.Games, p.Rounds = []string{"coinflip"}, 200 })
	report := checked(t, file)
	checks := onlyBy(report)
	if !slices.Contains(checks, "void") || !slices.Contains(checks, "selection") || len(report.Declined) != 1 {
		t.Fatalf("%v, %+v", checks, report.Selection)
	}
	if d := report.Declined[0]; d.Bets < 30 || d.Won != d.Bets || d.TakenWon != 0 {
		t.Errorf("%+v", d)
	}
}
