// Package reports runs reports for operators and regulators: each is a kind with columns and a
// query over kept figures, and each run is recorded with the hash of its rows.
package reports

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/report"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// RowsMax is the greatest number of rows of a report.
const RowsMax = 10_000

const (
	// CountInterval is the pause between two steps of the worker that counts play.
	CountInterval = time.Minute
	// blocksAtOnce is how many blocks are counted in a transaction, which takes milliseconds.
	blocksAtOnce = 100
	// stepsMax is how many of them a run waits for.
	stepsMax = 100
)

// Service has the use cases of reports. It is safe for concurrent use.
type Service struct{ core *kernel.Kernel }

// New returns the use cases of reports.
func New(core *kernel.Kernel) *Service { return &Service{core} }

// Request is what a report is asked with. Each kind takes some of it; see Kind.Parameters.
type Request struct {
	By       report.By
	From, To string
	At       time.Time
	Token    money.Token
	Agent    string
	Wallet   wallet.Address
	AtLeast  money.Amount
}

// parameters returns the request's values by their names, in the order in which they are shown.
func (r Request) parameters() []report.Parameter {
	all := []report.Parameter{
		{Name: "by", Value: string(r.By)}, {Name: "from", Value: r.From}, {Name: "to", Value: r.To}, {Name: "at", Value: ""},
		{Name: "token", Value: string(r.Token)}, {Name: "agentCode", Value: r.Agent}, {Name: "wallet", Value: string(r.Wallet)}, {Name: "atLeast", Value: ""},
	}
	if !r.At.IsZero() {
		all[3].Value = report.FormatMoment(r.At)
	}
	if r.AtLeast > 0 {
		all[7].Value = report.FormatAmount(money.TotalOf(r.AtLeast))
	}
	return slices.DeleteFunc(all, func(p report.Parameter) bool { return p.Value == "" })
}

// Result is a run of a report.
type Result struct {
	report.Table
	// RunAt is the time of the run, RecordID the id of its record in the audit log.
	RunAt    time.Time
	RecordID string
}

// run is a run with what its kind's query needs.
type run struct {
	Request
	span report.Span
	now  time.Time
}

// filter returns the filter for kept figures.
func (r *run) filter() ports.FigureFilter {
	return ports.FigureFilter{From: r.From, To: r.To, Token: r.Token, Agent: r.Agent}
}

// Run runs a report and records the run with the number of rows and the hash of the CSV. A role
// bound to an agent runs it about that agent alone; it is Forbidden about another.
func (c *Service) Run(ctx context.Context, caller kernel.Caller, name string, asked Request) (Result, error) {
	kind, known := KindOf(name)
	if !known {
		return Result{}, fault.New(fault.NotFound, "no report %q", name)
	}
	own, err := c.core.Authorize(ctx, caller, kind.Permission)
	if err != nil {
		return Result{}, err
	}
	if !kernel.Scoped(own, &asked.Agent) {
		return Result{}, fault.New(fault.Forbidden, "your role is bound to the agent %s", own.AgentCode)
	}
	r := run{Request: asked, now: c.core.Now()}
	if err := kind.check(&r); err != nil {
		return Result{}, err
	}
	if kind.counted {
		if err := c.countAll(ctx); err != nil {
			return Result{}, err
		}
	}
	rows, err := kind.query(c, ctx, &r)
	if err != nil {
		return Result{}, err
	}
	if len(rows) > RowsMax {
		return Result{}, fault.Field("from", "the report has more than %d rows: ask for a shorter period, one token, agent or player", RowsMax)
	}
	table := report.Table{
		Kind: kind.Name, Parameters: r.parameters(), Columns: kind.Columns, Rows: rows, Closed: kind.takes("to") && r.span.Closed(r.now),
	}
	record := c.core.Record(caller, audit.ReportRun, kind.Name)
	record.After = describe(table)
	_, err = c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: caller.Wallet, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: c.core.Entropy.ID()}},
		At: record.At, Source: player.FromAdmin,
		Decide: func(player.View) (player.Change, error) { return player.Change{Audit: []audit.Record{record}}, nil },
	})
	return Result{Table: table, RunAt: r.now, RecordID: record.ID}, err
}

// describe returns the text of a run's record.
func describe(t report.Table) string {
	var said []string
	for _, p := range t.Parameters {
		said = append(said, p.Name+"="+p.Value)
	}
	return fmt.Sprintf("%s rows=%d sha256=%s", strings.Join(said, " "), len(t.Rows), t.SHA256())
}

// CountPlay is the step of the worker that counts play for reports about players.
func (c *Service) CountPlay(ctx context.Context) (worked bool, err error) {
	c.core.Progress.Began(kernel.PlayCountWorker)
	return c.core.Store.PlayerDays.CountPlay(ctx, blocksAtOnce)
}

// countAll counts play until now.
func (c *Service) countAll(ctx context.Context) error {
	for range stepsMax {
		more, err := c.core.Store.PlayerDays.CountPlay(ctx, blocksAtOnce)
		if err != nil || !more {
			return err
		}
	}
	return fault.New(fault.Unavailable, "players' days are still being counted: try again in a minute").With("outcome", "nothing")
}

// Kind is a kind of report.
type Kind struct {
	Name, Summary string
	Permission    rbac.Permission
	// Parameters are the names of those that the kind takes, Required of those that it needs.
	Parameters, Required []string
	Columns              []report.Column
	// counted reports that the query reads players' days.
	counted bool
	query   func(*Service, context.Context, *run) ([]report.Row, error)
}

// Kinds returns every kind.
func Kinds() []Kind { return slices.Clone(kinds) }

// KindOf returns a kind by its name.
func KindOf(name string) (Kind, bool) {
	at := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if at < 0 {
		return Kind{}, false
	}
	return kinds[at], true
}

func (k *Kind) takes(parameter string) bool { return slices.Contains(k.Parameters, parameter) }

// check refuses parameters that the kind doesn't take, and those that are missing or wrong.
func (k *Kind) check(r *run) (err error) {
	given := r.parameters()
	for _, p := range given {
		if !k.takes(p.Name) {
			return fault.Field(p.Name, "the report %s doesn't take it", k.Name)
		}
	}
	if k.takes("by") {
		r.By = cmp.Or(r.By, report.Day)
	}
	for _, name := range k.Required {
		if !slices.ContainsFunc(given, func(p report.Parameter) bool { return p.Name == name }) {
			return fault.Field(name, "the report %s needs it", k.Name)
		}
	}
	if r.At.After(r.now) {
		return kernel.ErrFuture
	}
	if k.takes("to") {
		r.span, err = report.NewSpan(r.From, r.To, r.now)
	}
	return err
}
