package admin

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// ReportDaysMax is the maximum length of a report in days.
const ReportDaysMax = 366

// Overview sums up the business, or one agent's part of it.
type Overview struct {
	Players, Rounds int64
	Tokens          []TokenOverview // sorted by token
	Withdrawals     map[withdrawal.Status]int64
	// Agents counts the agents within the caller's scope, ProviderGames the games on offer.
	Agents, ProviderGames int64
	// At is the time of the liabilities; zero for now.
	At time.Time
}

// TokenOverview sums up the business in one token since the start, in base units.
type TokenOverview struct {
	Token       money.Token
	Wagered     money.Total
	Paid        money.Total
	GGR         money.Total
	Liabilities money.Total // all money owed to players, Held included
	Held        money.Total // in open withdrawals
	// Treasury is the newest comparison of chain and ledger; nil if there is none yet, and
	// for a role bound to an agent.
	Treasury *treasury.TreasuryState
}

// overview returns the present overview from kept figures and the newest comparison of the
// treasury. It sends no request to the chain.
func (c *Service) overview(ctx context.Context, caller kernel.Caller, own rbac.Assignment) (Overview, error) {
	sums, err := c.core.Store.Reports.Sums(ctx, ports.FigureFilter{Agent: own.AgentCode}, ports.Grouping{})
	if err != nil {
		return Overview{}, err
	}
	standing, err := c.core.Store.Reports.Counts(ctx, own.AgentCode)
	if err != nil {
		return Overview{}, err
	}
	agents, err := c.Agents(ctx, caller)
	if err != nil {
		return Overview{}, err
	}
	answer := Overview{
		Players: standing.Players, Withdrawals: standing.Withdrawals, Agents: int64(len(agents)), ProviderGames: standing.ProviderGames,
	}
	rows := map[money.Token]*TokenOverview{}
	row := func(mint money.Token) *TokenOverview {
		if rows[mint] == nil {
			rows[mint] = &TokenOverview{Token: mint}
		}
		return rows[mint]
	}
	for _, terms := range c.core.Tokens.All() {
		row(terms.Mint)
	}
	for _, sum := range sums {
		r := row(sum.Token)
		r.Wagered, r.Paid, r.GGR = sum.Wagered, sum.Paid, sum.GGR()
		answer.Rounds += sum.Rounds
	}
	for _, owed := range standing.Owed {
		r := row(owed.Token)
		r.Liabilities = r.Liabilities.Add(owed.Amount)
		if owed.Account.Kind == ledger.Hold {
			r.Held = r.Held.Add(owed.Amount)
		}
	}
	for _, r := range rows {
		if own.AgentCode == "" {
			if state, known := c.treasury.Treasury().State(r.Token); known {
				r.Treasury = &state
			}
		}
		answer.Tokens = append(answer.Tokens, *r)
	}
	slices.SortFunc(answer.Tokens, func(x, y TokenOverview) int { return cmp.Compare(x.Token, y.Token) })
	return answer, nil
}

// Overview returns the overview with the liabilities of the newest snapshot up to a time,
// and without the treasury; the zero time stands for now. Snapshots don't separate the players
// of agents, so that agents' admins are refused.
func (c *Service) Overview(ctx context.Context, caller kernel.Caller, at time.Time) (Overview, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	switch {
	case err != nil:
		return Overview{}, err
	case at.IsZero():
		return c.overview(ctx, caller, own)
	case own.AgentCode != "":
		return Overview{}, fault.Field("at", "what was owed to the players of one agent is not stored")
	case at.After(c.core.Now()):
		return Overview{}, kernel.ErrFuture
	}
	then, err := c.core.Store.PastBalances.LiabilitiesAt(ctx, at)
	if err != nil {
		return Overview{}, err
	}
	answer, err := c.overview(ctx, caller, own)
	answer.At = then.At
	for i := range answer.Tokens {
		t := &answer.Tokens[i]
		t.Treasury, t.Liabilities, t.Held = nil, money.Total{}, money.Total{}
		for _, owed := range then.Tokens {
			if owed.Token == t.Token {
				t.Liabilities, t.Held = money.TotalOf(owed.Sum), money.TotalOf(owed.Held)
			}
		}
	}
	return answer, err
}

// DailyGGR holds the figures of one token for one day, UTC.
type DailyGGR struct {
	Day   string
	Token money.Token
	figure.Cell
}

// GGRDaily returns a row for each of the last days including today, oldest first, with
// zeros for days without play. It reports one token, or every known token if mint is empty.
func (c *Service) GGRDaily(ctx context.Context, caller kernel.Caller, days int, mint money.Token) ([]DailyGGR, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	from, names := c.lastDays(days)
	sums, err := c.core.Store.Reports.Sums(ctx, ports.FigureFilter{From: from, To: names[len(names)-1], Token: mint, Agent: own.AgentCode},
		ports.Grouping{Day: true})
	if err != nil {
		return nil, err
	}
	mints := []money.Token{mint}
	if mint == "" {
		mints = c.mintsOf(sums)
	}
	cells := map[figure.Key]figure.Cell{}
	for _, sum := range sums {
		cells[sum.Key] = sum.Cell
	}
	rows := make([]DailyGGR, 0, len(names)*len(mints))
	for _, day := range names {
		for _, mint := range mints {
			rows = append(rows, DailyGGR{Day: day, Token: mint, Cell: cells[figure.Key{Day: day, Token: mint}]})
		}
	}
	return rows, nil
}

// lastDays names the given number of days up to today, oldest first.
func (c *Service) lastDays(days int) (from string, all []string) {
	today := c.core.Now()
	for back := days - 1; back >= 0; back-- {
		all = append(all, figure.Day(today.AddDate(0, 0, -back)))
	}
	return all[0], all
}

// mintsOf returns the tokens that are known to the casino or were played, sorted.
func (c *Service) mintsOf(sums []ports.DailyFigure) []money.Token {
	var mints []money.Token
	for _, terms := range c.core.Tokens.All() {
		mints = append(mints, terms.Mint)
	}
	for _, sum := range sums {
		mints = append(mints, sum.Token)
	}
	slices.Sort(mints)
	return slices.Compact(mints)
}

// GameReturn is the return of one game in one token.
type GameReturn struct {
	Source, Game string
	Token        money.Token
	figure.Cell
	figure.Return
}

// Returns returns the actual and the theoretical return of each game and token played in
// the last days, sorted by token, source and game.
func (c *Service) Returns(ctx context.Context, caller kernel.Caller, days int, mint money.Token) ([]GameReturn, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	return c.gameReturns(ctx, days, mint, own.AgentCode)
}

func (c *Service) gameReturns(ctx context.Context, days int, mint money.Token, agent string) ([]GameReturn, error) {
	from, _ := c.lastDays(days)
	sums, err := c.core.Store.Reports.Sums(ctx, ports.FigureFilter{From: from, Token: mint, Agent: agent}, ports.Grouping{Game: true})
	if err != nil {
		return nil, err
	}
	rows := make([]GameReturn, len(sums))
	for i, sum := range sums {
		compared := sum.Cell.Return(sum.Source)
		if sum.Source == figure.Own && c.paysByPlay(sum.Game) {
			compared = compared.AtBestPlay()
		}
		rows[i] = GameReturn{Source: sum.Source, Game: sum.Game, Token: sum.Token, Cell: sum.Cell, Return: compared}
	}
	return rows, nil
}

// paysByPlay reports whether the return of a game depends on how well it is played.
func (c *Service) paysByPlay(gameType string) bool {
	of, err := c.core.Games.ReturnBySteps(gameType, game.Value{})
	return err == nil && of.Least == nil
}

// ShareRow is an agent's share of the play in one token on one day, UTC.
type ShareRow struct {
	Day   string
	Agent string
	Token money.Token
	figure.Cell
	// Percent is the agent's present share.
	Percent agent.Percent
	// Share is GGR × percent in base units, rounded down. It is negative if players won more
	// than they wagered.
	Share *big.Int
}

// RevenueShare returns the rows of the last days with play, sorted by day, token and agent,
// for one agent, or for all within the caller's scope if the code is empty.
func (c *Service) RevenueShare(ctx context.Context, caller kernel.Caller, days int, code string) ([]ShareRow, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !kernel.Scoped(own, &code) {
		return nil, err
	}
	from, _ := c.lastDays(days)
	sums, err := c.core.Store.Reports.Sums(ctx, ports.FigureFilter{From: from, Agent: code}, ports.Grouping{Day: true, Agent: true})
	if err != nil {
		return nil, err
	}
	percents := map[string]agent.Percent{}
	rows := make([]ShareRow, 0, len(sums))
	for _, sum := range sums {
		percent, asked := percents[sum.Agent]
		if !asked {
			if percent, err = c.percentOf(ctx, sum.Agent); err != nil {
				return nil, err
			}
			percents[sum.Agent] = percent
		}
		rows = append(rows, ShareRow{
			Day: sum.Day, Agent: sum.Agent, Token: sum.Token, Cell: sum.Cell, Percent: percent, Share: shareOf(sum.GGR(), percent),
		})
	}
	return rows, nil
}

func (c *Service) percentOf(ctx context.Context, code string) (agent.Percent, error) {
	found, err := c.core.Store.Agents.Agent(ctx, code)
	return found.Share, err
}

func shareOf(ggr money.Total, percent agent.Percent) *big.Int {
	product := new(big.Int).Mul(ggr.Big(), big.NewInt(int64(percent)))
	// Euclidean division by a positive number rounds down on both sides of zero.
	return product.Div(product, big.NewInt(int64(agent.PercentMax)))
}

// monitorDays is the span over which returns are watched: long enough for a narrow bound,
// short enough to notice a fault of today.
const monitorDays = 30

// MonitorInterval is the pause between two steps of the RTPMonitor.
const MonitorInterval = time.Minute

// RTPMonitor compares the returns of all games with known rules with their theory, and
// raises an alarm if a return leaves its bound. Each process has its own.
type RTPMonitor struct {
	casino *Service

	mu   sync.Mutex
	last []GameReturn
}

// RTPMonitor returns the casino's monitor. It has no data before its first step.
func (c *Service) RTPMonitor() *RTPMonitor { return c.monitor }

// Step computes the returns once. It always reports false.
func (m *RTPMonitor) Step(ctx context.Context) (worked bool, err error) {
	m.casino.core.Progress.Began(kernel.ReturnsWorker)
	returns, err := m.casino.gameReturns(ctx, monitorDays, "", "")
	if err != nil {
		return false, err
	}
	// Returns without a known theory can't be watched.
	returns = slices.DeleteFunc(returns, func(r GameReturn) bool { return !r.Known })
	for _, r := range returns {
		about := r.Source + "/" + r.Game + "/" + string(r.Token)
		if r.Verdict != figure.Outside {
			m.casino.core.Alarms.Over(ctx, alarm.RTPOutOfBounds, about)
			continue
		}
		m.casino.core.Alarms.Raise(ctx, alarm.RTPOutOfBounds, about, "rounds", r.Rounds,
			"actual_ppm", r.Actual, "theoretical_ppm", r.Theoretical, "margin_ppm", r.Margin)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = returns
	return false, nil
}

// Returns returns the figures of the last step, for metrics; nil before the first.
func (m *RTPMonitor) Returns() []GameReturn {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.last)
}
