package reports

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/report"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// decimalsOf returns the decimals of a token, empty for one that isn't configured.
func (c *Service) decimalsOf(mint money.Token) string {
	for _, terms := range c.core.Tokens.All() {
		if terms.Mint == mint {
			return strconv.Itoa(int(terms.Decimals))
		}
	}
	return ""
}

// revenueKey names a row of the report of revenue.
type revenueKey struct {
	period string
	token  money.Token
	agent  string
}

// revenueCell holds the figures of a row.
type revenueCell struct {
	figure.Cell
	adjusted                    map[player.AdjustmentKind]money.Total
	active, firsts              int64
	deposits, first, withdrawal money.Total
}

// ngr returns the net gaming revenue. Assigned money is the player's own, so it isn't in it.
func (f *revenueCell) ngr() money.Total {
	return f.GGR().Sub(f.adjusted[player.Manual]).Sub(f.adjusted[player.ManualCorrection])
}

func (f *revenueCell) add(t ports.TransactionSum) {
	if kind, adjusts := player.ParseAdjustmentKind(string(t.Type)); adjusts {
		amount := t.Amount
		if !t.Credit {
			amount = amount.Neg()
		}
		f.adjusted[kind] = f.adjusted[kind].Add(amount)
		return
	}
	switch {
	case t.Type == ports.WithdrawalTransaction:
		f.withdrawal = f.withdrawal.Add(t.Amount)
	case t.First:
		f.firsts, f.first = f.firsts+t.Count, f.first.Add(t.Amount)
	default:
		f.deposits = f.deposits.Add(t.Amount)
	}
}

func (c *Service) revenue(ctx context.Context, r *run) ([]report.Row, error) {
	cells := map[revenueKey]*revenueCell{}
	cell := func(day string, token money.Token, agent string) *revenueCell {
		key := revenueKey{r.By.LabelOf(day), token, agent}
		if cells[key] == nil {
			cells[key] = &revenueCell{adjusted: map[player.AdjustmentKind]money.Total{}}
		}
		return cells[key]
	}
	played, err := c.core.Store.Reports.Sums(ctx, r.filter(), ports.Grouping{Day: true, Agent: true})
	if err != nil {
		return nil, err
	}
	for _, f := range played {
		at := cell(f.Day, f.Token, f.Agent)
		at.Cell = at.Cell.Add(f.Cell)
	}
	from, until := r.span.Moments()
	moved, err := c.core.Store.TransactionSums.TransactionSums(ctx, from, until, r.Token, r.Agent)
	if err != nil {
		return nil, err
	}
	for _, t := range moved {
		cell(t.Day, t.Token, t.Agent).add(t)
	}
	active, err := c.activePlayers(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, a := range active {
		cell(a.Day, a.Token, a.Agent).active += a.Players
	}
	return c.revenueRows(r, cells), nil
}

// activePlayers counts active players by period, each with the period's first day or name.
func (c *Service) activePlayers(ctx context.Context, r *run) (all []ports.ActivePlayers, err error) {
	if r.By == report.Day {
		return c.core.Store.PlayerDays.ActivePlayers(ctx, r.filter(), true)
	}
	for _, p := range r.span.Periods(r.By) {
		filter := r.filter()
		filter.From, filter.To = p.From(), p.To()
		some, err := c.core.Store.PlayerDays.ActivePlayers(ctx, filter, false)
		if err != nil {
			return nil, err
		}
		for _, a := range some {
			a.Day = p.Label
			all = append(all, a)
		}
	}
	return all, nil
}

// revenueRows returns the rows, with one of zeros for each period without activity, or none
// without any activity.
func (c *Service) revenueRows(r *run, cells map[revenueKey]*revenueCell) (rows []report.Row) {
	if len(cells) == 0 {
		return nil
	}
	keys := make([]revenueKey, 0, len(cells))
	periods := map[string]bool{}
	for key := range cells {
		keys, periods[key.period] = append(keys, key), true
	}
	for _, p := range r.span.Periods(r.By) {
		if key := (revenueKey{p.Label, r.Token, r.Agent}); !periods[p.Label] {
			keys, cells[key] = append(keys, key), &revenueCell{}
		}
	}
	slices.SortFunc(keys, func(x, y revenueKey) int {
		return cmp.Or(cmp.Compare(x.period, y.period), cmp.Compare(x.token, y.token), cmp.Compare(x.agent, y.agent))
	})
	for _, key := range keys {
		f := cells[key]
		row := report.Row{
			key.period, string(key.token), c.decimalsOf(key.token), key.agent, report.FormatCount(f.Rounds),
			report.FormatAmount(f.Wagered), report.FormatAmount(f.Paid), report.FormatAmount(f.GGR()),
		}
		for _, kind := range player.AdjustmentKinds() {
			row = append(row, report.FormatAmount(f.adjusted[kind]))
		}
		rows = append(rows, append(row, report.FormatAmount(f.ngr()), report.FormatCount(f.active), report.FormatAmount(f.deposits),
			report.FormatCount(f.firsts), report.FormatAmount(f.first), report.FormatAmount(f.withdrawal)))
	}
	return rows
}

// liabilities reads what is owed now, by agent, or what was stated at the hours, of all players.
func (c *Service) liabilities(ctx context.Context, r *run) (rows []report.Row, err error) {
	moment, owed, held := r.now, map[money.Token]money.Total{}, map[money.Token]money.Total{}
	if r.At.IsZero() {
		counts, err := c.core.Store.Reports.Counts(ctx, r.Agent)
		if err != nil {
			return nil, err
		}
		for _, b := range counts.Owed {
			owed[b.Token] = owed[b.Token].Add(b.Amount)
			if b.Account.Kind == ledger.Hold {
				held[b.Token] = held[b.Token].Add(b.Amount)
			}
		}
	} else {
		if r.Agent != "" {
			return nil, fault.Field("at", "what was owed to the players of one agent is not stored")
		}
		then, err := c.core.Store.PastBalances.LiabilitiesAt(ctx, r.At)
		if err != nil {
			return nil, err
		}
		moment = then.At
		for _, t := range then.Tokens {
			owed[t.Token], held[t.Token] = money.TotalOf(t.Sum), money.TotalOf(t.Held)
		}
	}
	for token := range owed {
		if owed[token].Sign() != 0 && (r.Token == "" || token == r.Token) {
			rows = append(rows, report.Row{report.FormatMoment(moment), string(token), c.decimalsOf(token),
				report.FormatAmount(owed[token].Sub(held[token])), report.FormatAmount(held[token]), report.FormatAmount(owed[token])})
		}
	}
	slices.SortFunc(rows, slices.Compare[report.Row])
	return rows, nil
}

// bands are the ages of withdrawals, the shortest first.
var bands = []struct {
	name  string
	below time.Duration
}{{"under 1 h", time.Hour}, {"1 to 24 h", 24 * time.Hour}, {"1 to 3 d", 3 * 24 * time.Hour}, {"3 to 7 d", 7 * 24 * time.Hour}, {"over 7 d", 1<<63 - 1}}

func bandNames() string {
	var names []string
	for _, b := range bands {
		names = append(names, b.name)
	}
	return strings.Join(names, ", ")
}

func (c *Service) withdrawals(ctx context.Context, r *run) (rows []report.Row, err error) {
	var open []ports.Transaction
	for _, status := range withdrawal.Statuses() {
		if !status.Open() {
			continue
		}
		filter := ports.TransactionFilter{Type: ports.WithdrawalTransaction, Status: string(status), Token: r.Token, Agent: r.Agent, Wallet: r.Wallet}
		found, err := every(func(page ports.Page) ([]ports.Transaction, ports.PageInfo, error) {
			found, err := c.core.Store.Transactions.Transactions(ctx, filter, page)
			return found.Transactions, found.PageInfo, err
		})
		if err != nil {
			return nil, err
		}
		open = append(open, found...)
	}
	slices.SortFunc(open, func(x, y ports.Transaction) int {
		return cmp.Or(x.CreatedAt.Compare(y.CreatedAt), cmp.Compare(x.ID, y.ID))
	})
	for i := range open {
		w := &open[i]
		age := max(0, r.now.Sub(w.CreatedAt))
		band := bands[slices.IndexFunc(bands, func(b struct {
			name  string
			below time.Duration
		}) bool {
			return age < b.below
		})]
		rows = append(rows, report.Row{
			band.name, report.FormatCount(int64(age / time.Hour)), report.FormatMoment(w.CreatedAt), w.ID, string(w.Wallet), string(w.Token),
			c.decimalsOf(w.Token), report.FormatAmount(money.TotalOf(w.Amount)), w.Status,
		})
	}
	return rows, nil
}

// every reads the pages of a list, up to one thing more than a report may have.
func every[T any](list func(ports.Page) ([]T, ports.PageInfo, error)) (all []T, err error) {
	page := ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true}
	for len(all) <= RowsMax {
		found, info, err := list(page)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
		if page.After = info.Next; page.After == "" {
			break
		}
	}
	return all, nil
}

func (c *Service) playerDays(ctx context.Context, r *run) ([]report.Row, error) {
	days, err := c.core.Store.PlayerDays.PlayerDays(ctx,
		ports.PlayerDayFilter{FigureFilter: r.filter(), Wallet: r.Wallet, AtLeast: r.AtLeast}, RowsMax+1)
	rows := make([]report.Row, 0, len(days))
	for _, d := range days {
		rows = append(rows, report.Row{
			d.Day, string(d.Wallet), string(d.Token), c.decimalsOf(d.Token), d.Agent, report.FormatCount(d.Rounds),
			report.FormatAmount(d.Wagered), report.FormatAmount(d.Paid), report.FormatAmount(d.GGR().Neg()),
		})
	}
	return rows, err
}

// records reads the audit records of some actions in the span, oldest first, about players of
// the request. Records name no agent: a player counts for the present one.
func (c *Service) records(ctx context.Context, r *run, about func(audit.Record) wallet.Address, actions ...audit.Action) (kept []audit.Record, err error) {
	from, until := r.span.Moments()
	agents := map[wallet.Address]string{}
	for _, action := range actions {
		all, err := every(func(page ports.Page) ([]audit.Record, ports.PageInfo, error) {
			found, err := c.core.Store.AuditLog.Records(ctx, ports.AuditFilter{Action: action, From: from, To: until}, page)
			return found.Records, found.PageInfo, err
		})
		if err != nil {
			return nil, err
		}
		if len(all) > RowsMax {
			return nil, fault.Field("from", "there are more than %d records of %s: ask for a shorter period", RowsMax, action)
		}
		for _, record := range all {
			of := about(record)
			if r.Wallet != "" && r.Wallet != of {
				continue
			}
			if _, asked := agents[of]; !asked && r.Agent != "" {
				found, err := c.core.Store.Players.Player(ctx, of)
				if err != nil && !fault.Is(err, fault.NotFound) {
					return nil, err
				}
				agents[of] = found.Agent
			}
			if r.Agent == "" || r.Agent == agents[of] {
				kept = append(kept, record)
			}
		}
	}
	slices.SortStableFunc(kept, func(x, y audit.Record) int { return cmp.Or(x.At.Compare(y.At), cmp.Compare(x.ID, y.ID)) })
	return kept, nil
}

func target(r audit.Record) wallet.Address { return wallet.Address(r.Target) }
func actor(r audit.Record) wallet.Address  { return r.By }

func (c *Service) largeWins(ctx context.Context, r *run) (rows []report.Row, err error) {
	found, err := c.records(ctx, r, actor, audit.LargeWin)
	for _, w := range found {
		amount, mint, _ := strings.Cut(w.After, " ")
		if r.Token == "" || mint == string(r.Token) {
			rows = append(rows, report.Row{report.FormatMoment(w.At), w.Target, string(w.By), mint, c.decimalsOf(money.Token(mint)), amount})
		}
	}
	return rows, err
}

func (c *Service) sessions(ctx context.Context, r *run) (rows []report.Row, err error) {
	found, err := c.records(ctx, r, target, audit.SessionOpened, audit.SessionsEnded)
	for _, s := range found {
		rows = append(rows, report.Row{report.FormatMoment(s.At), s.Target, string(s.Action)})
	}
	return rows, err
}

func (c *Service) restrictions(ctx context.Context, r *run) (rows []report.Row, err error) {
	found, err := c.records(ctx, r, target, audit.LimitsChanged, audit.PlayerExcluded, audit.PlayerCooledOff, audit.PlayerFrozen, audit.PlayerReleased)
	for _, x := range found {
		rows = append(rows, report.Row{report.FormatMoment(x.At), x.Target, string(x.Action), string(x.By), x.Before, x.After})
	}
	return rows, err
}

func screened(r audit.Record) wallet.Address { return admission.WalletOf(r.Target) }

func (c *Service) screening(ctx context.Context, r *run) (rows []report.Row, err error) {
	found, err := c.records(ctx, r, screened, audit.AdmissionDecided, audit.AdmissionOverruled)
	for _, d := range found {
		rows = append(rows, report.Row{report.FormatMoment(d.At), d.Target, string(d.Action), string(d.By), d.After})
	}
	return rows, err
}
