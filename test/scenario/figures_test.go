package scenario_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

const days = 9

// workload plays, pays and adjusts at random across days, tokens, games and agents.
func (h *house) workload(random *rand.Rand) {
	h.Helper()
	ctx := h.Context()
	olga, finn := h.admin("olga", "ops", ""), h.admin("finn", "finance", "")
	for code, share := range map[string]agent.Percent{"acme": 33_33, "rival": 7_50} {
		name := code
		_, _, err := h.Admin.CreateAgent(ctx, olga, code, admin.AgentRequest{Name: &name, Share: &share})
		h.must(err)
	}
	var players []app.Caller
	for i, agent := range []string{"", "acme", "rival", "acme", "", "rival", "acme"} {
		who := h.player(fmt.Sprint("player ", i), agent)
		h.fund(who, money.SOL, 50_000_000)
		h.fund(who, usd, 3_000_000)
		players = append(players, who)
	}
	games := slices.DeleteFunc(slices.Clone(h.Games.Games()), func(g game.Game) bool { return !game.AtOnce(g) })
	for day := range days {
		for range 45 {
			h.clock.Advance(time.Duration(random.IntN(20)) * time.Minute)
			who := players[random.IntN(len(players))]
			mint := []money.Token{money.SOL, usd}[random.IntN(2)]
			_, err := []*app.Casino{h.Casino, h.other}[random.IntN(2)].Play.Play(ctx, who, play.PlayRequest{
				GameType: games[random.IntN(len(games))].Type(), Wager: 1 + random.Int64N(30_000), Token: string(mint),
			})
			h.must(err)
		}
		who := players[day%len(players)]
		made, err := h.Payouts.Withdraw(ctx, who, payouts.WithdrawalRequest{Amount: 1 + random.Int64N(9_000), Token: string(money.SOL), Destination: string(who.Wallet)})
		h.must(err)
		switch day % 3 {
		case 1:
			_, err = h.Payouts.ApproveWithdrawal(ctx, finn, payouts.WithdrawalDecision{ID: made.Withdrawal.ID})
		case 2:
			_, err = h.Payouts.RejectWithdrawal(ctx, finn, payouts.WithdrawalDecision{ID: made.Withdrawal.ID, Reason: "story"})
		}
		h.must(err)
		_, err = h.Admin.AdjustBalance(ctx, h.admin("ada", "finance", ""), admin.AdjustmentRequest{
			User: string(players[(day+3)%len(players)].Wallet), Token: string(usd), Amount: random.Int64N(2_000) - 5_000, Reason: "story",
		})
		h.must(err)
	}
}

// integers returns the result of a query of texts and a last integer as a map. {day} is the day
// of the column "at".
func (h *house) integers(query string, arguments ...any) map[string]int64 {
	h.Helper()
	rows, err := h.side().Query(h.spoken(query), arguments...)
	h.must(err)
	defer func() { _ = rows.Close() }()
	found := map[string]int64{}
	for rows.Next() {
		var key string
		var value int64
		h.must(rows.Scan(&key, &value))
		if value != 0 {
			found[key] = value
		}
	}
	h.must(rows.Err())
	return found
}

func (h *house) same(what string, got, want map[string]int64) {
	h.Helper()
	if !reflect.DeepEqual(got, want) {
		h.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func whole(t money.Total) int64 { return t.Big().Int64() }

// TestFiguresASecondWay recomputes the service's reports by plain SQL over rounds and transfers,
// equal to the unit.
func TestFiguresASecondWay(t *testing.T) {
	t.Parallel()
	const seed = 5
	for engine, open := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, open)
			h.workload(rand.New(rand.NewPCG(seed, seed)))
			admins := map[string]app.Caller{"": h.admin("reader", "readonly", ""), "acme": h.admin("op", "operator", "acme"), "rival": h.admin("op2", "operator", "rival")}
			for scope, who := range admins {
				h.overview(scope, who)
				h.ggr(scope, who)
				h.returns(scope, who)
				h.shares(scope, who)
			}
		})
	}
}

func (h *house) overview(scope string, who app.Caller) {
	h.Helper()
	reported, err := h.Admin.Overview(h.Context(), who, time.Time{})
	h.must(err)
	got := map[string]int64{"players": reported.Players, "rounds": reported.Rounds}
	for _, row := range reported.Tokens {
		for name, value := range map[string]money.Total{"wagered": row.Wagered, "paid": row.Paid, "ggr": row.GGR, "owed": row.Liabilities, "held": row.Held} {
			if whole(value) != 0 {
				got[name+" "+string(row.Token)] = whole(value)
			}
		}
	}
	for status, n := range reported.Withdrawals {
		got[string(status)] = n
	}
	want := h.integers(`SELECT 'players', count(*) FROM players WHERE created_at IS NOT NULL AND ? IN ('', agent)
		UNION ALL SELECT 'rounds', count(*) FROM readable_rounds WHERE ? IN ('', agent)
		UNION ALL SELECT 'wagered ' || token, sum(wager) FROM readable_rounds WHERE ? IN ('', agent) GROUP BY token
		UNION ALL SELECT 'paid ' || token, sum(payout) FROM readable_rounds WHERE ? IN ('', agent) GROUP BY token
		UNION ALL SELECT 'ggr ' || token, sum(wager) - sum(payout) FROM readable_rounds WHERE ? IN ('', agent) GROUP BY token
		UNION ALL SELECT status, count(*) FROM transactions WHERE type = 'withdrawal' AND ? IN ('', agent)
			AND status IN ('pending', 'approved', 'sending', 'failed') GROUP BY status
		UNION ALL SELECT 'owed ' || t.token, sum(CASE WHEN t.credit_kind IN ('player', 'hold', 'unclaimed') THEN t.amount ELSE 0 END
			- CASE WHEN t.debit_kind IN ('player', 'hold', 'unclaimed') THEN t.amount ELSE 0 END)
			FROM all_transfers AS t LEFT JOIN players AS p ON p.wallet = t.wallet WHERE ? IN ('', p.agent) GROUP BY t.token
		UNION ALL SELECT 'held ' || t.token, sum(CASE WHEN t.credit_kind = 'hold' THEN t.amount ELSE 0 END
			- CASE WHEN t.debit_kind = 'hold' THEN t.amount ELSE 0 END)
			FROM all_transfers AS t LEFT JOIN players AS p ON p.wallet = t.wallet WHERE ? IN ('', p.agent) GROUP BY t.token`,
		scope, scope, scope, scope, scope, scope, scope, scope)
	h.same("overview of "+scope, got, want)
	if scope == "" && (got["rounds"] != 45*days || want[string(withdrawal.Pending)] == 0 || want["held "+string(money.SOL)] == 0) {
		h.Errorf("the workload left out something: %v", want)
	}
}

func (h *house) ggr(scope string, who app.Caller) {
	h.Helper()
	reported, err := h.Admin.GGRDaily(h.Context(), who, admin.ReportDaysMax, "")
	h.must(err)
	got := map[string]int64{}
	for _, row := range reported {
		for name, value := range map[string]int64{"rounds": row.Rounds, "wagered": whole(row.Wagered), "paid": whole(row.Paid), "ggr": whole(row.GGR())} {
			if value != 0 {
				got[name+" "+row.Day+" "+string(row.Token)] = value
			}
		}
	}
	want := h.integers(`SELECT 'rounds ' || {day} || ' ' || token, count(*) FROM readable_rounds WHERE ? IN ('', agent) GROUP BY 1
		UNION ALL SELECT 'wagered ' || {day} || ' ' || token, sum(wager) FROM readable_rounds WHERE ? IN ('', agent) GROUP BY 1
		UNION ALL SELECT 'paid ' || {day} || ' ' || token, sum(payout) FROM readable_rounds WHERE ? IN ('', agent) GROUP BY 1
		UNION ALL SELECT 'ggr ' || {day} || ' ' || token, sum(wager - payout) FROM readable_rounds WHERE ? IN ('', agent) GROUP BY 1`,
		scope, scope, scope, scope)
	h.same("ggr of "+scope, got, want)
	// The house's account shows the same.
	if scope == "" {
		total := map[string]int64{}
		for _, row := range reported {
			total[string(row.Token)] += whole(row.GGR())
		}
		h.same("the house's account", total, h.integers(`SELECT token, sum(CASE WHEN credit_kind = 'house' THEN amount ELSE 0 END
			- CASE WHEN debit_kind = 'house' THEN amount ELSE 0 END) FROM all_transfers GROUP BY token`))
	}
}

func (h *house) returns(scope string, who app.Caller) {
	h.Helper()
	reported, err := h.Admin.Returns(h.Context(), who, admin.ReportDaysMax, "")
	h.must(err)
	got, wagered, paid := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, row := range reported {
		name := row.Game + " " + string(row.Token)
		wagered[name], paid[name] = whole(row.Wagered), whole(row.Paid)
		if row.Actual != 0 { // the few rounds of a game may all have lost
			got[name] = row.Actual
		}
	}
	h.same("returns of "+scope, got, h.integers(`SELECT game || ' ' || token, CAST(sum(payout) AS bigint) * 1000000 / CAST(sum(wager) AS bigint) FROM readable_rounds
		WHERE ? IN ('', agent) GROUP BY 1`, scope))
	expected, variance := h.promises(scope)
	for _, row := range reported {
		name := row.Game + " " + string(row.Token)
		if row.Expected.Big().Cmp(expected[name]) != 0 || row.Variance.Big().Cmp(variance[name]) != 0 {
			h.Errorf("%s promises %v with variance %v, the rules %v with %v", name, row.Expected, row.Variance, expected[name], variance[name])
		}
		if row.Verdict != figure.Few && row.Verdict != figure.Within {
			h.Errorf("%s: %+v", name, row.Return)
		}
	}
}

// promises sums up the rules' expectations for each round, with integers of any size: the payout
// in millionths and the variance in squares, each rounded down per round.
func (h *house) promises(scope string) (expected, variance map[string]*big.Int) {
	h.Helper()
	expected, variance = map[string]*big.Int{}, map[string]*big.Int{}
	page := ports.Page{Number: 1, Limit: ports.PageMax}
	for {
		rounds, err := h.store.Rounds(h.Context(), ports.RoundFilter{Agent: scope}, page)
		h.must(err)
		for _, r := range rounds.Rounds {
			rules, err := h.Games.Rules(r.GameType, r.Rules)
			h.must(err)
			plan, err := game.Prepare(rules, r.Config, r.Wager)
			h.must(err)
			name := r.GameType + " " + string(r.Token)
			if expected[name] == nil {
				expected[name], variance[name] = new(big.Int), new(big.Int)
			}
			wager := big.NewInt(int64(r.Wager))
			part := new(big.Int).Mul(wager, new(big.Int).SetUint64(plan.RTPPartsPerBillion()))
			expected[name].Add(expected[name], part.Div(part, big.NewInt(1_000)))
			square := new(big.Int).Mul(wager, wager)
			square.Mul(square, new(big.Int).SetUint64(plan.VariancePartsPerBillion()))
			variance[name].Add(variance[name], square.Div(square, big.NewInt(1_000_000_000)))
		}
		if page.After = rounds.Next; page.After == "" {
			return expected, variance
		}
	}
}

func (h *house) shares(scope string, who app.Caller) {
	h.Helper()
	reported, err := h.Admin.RevenueShare(h.Context(), who, admin.ReportDaysMax, "")
	h.must(err)
	got := map[string]int64{}
	for _, row := range reported {
		if row.Share.Sign() != 0 {
			got[row.Day+" "+row.Agent+" "+string(row.Token)] = row.Share.Int64()
		}
	}
	// Databases round towards zero, so a negative share is corrected first.
	h.same("shares of "+scope, got, h.integers(`SELECT day || ' ' || agent || ' ' || token,
		CASE WHEN part < 0 THEN -((9999 - part) / 10000) ELSE part / 10000 END FROM (
			SELECT {day} AS day, r.agent AS agent, r.token AS token, CAST(sum(r.wager - r.payout) AS bigint) * a.share AS part
			FROM readable_rounds AS r JOIN agents AS a ON a.code = r.agent WHERE ? IN ('', r.agent) GROUP BY 1, 2, 3, a.share) AS parts`, scope))
}
