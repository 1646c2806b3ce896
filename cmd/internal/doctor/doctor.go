// Package doctor has `casino doctor`, which checks a deployment of casino serve before and
// while it runs: its settings, and everything that they name. It only reads.
package doctor

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// Command is `casino doctor`, with the settings of casino serve.
type Command struct {
	settings.Serve
	JSON         bool          `help:"Print one JSON object instead of lines."`
	CheckTimeout time.Duration `default:"10s" placeholder:"TIME" help:"How long each check may take."`
	// Machine replaces readings of this machine, for tests.
	Machine Machine `kong:"-"`
}

// Machine reads this machine. Nil fields are the real readings.
type Machine struct {
	Now func() time.Time
	// DiskSpace returns the bytes that are free for this user below a path, and whether this
	// user may write there.
	DiskSpace func(path string) (free uint64, writable bool, err error)
}

// State is the result of a check.
type State string

// States of checks. Only a Fault fails the command.
const (
	OK      State = "ok"
	Warning State = "warning"
	Fault   State = "fault"
	Skipped State = "skipped"
)

// Finding is the result of a check, one line. A finding that isn't OK has a remedy, one
// sentence.
type Finding struct {
	Check  string `json:"check"`
	State  State  `json:"state"`
	Found  string `json:"found"`
	Remedy string `json:"remedy,omitempty"`
}

// report is the output with --json.
type report struct {
	OK       bool      `json:"ok"`
	Version  string    `json:"version"`
	Findings []Finding `json:"findings"`
}

// check is one check. It may have several findings.
type check struct {
	name string
	run  func(context.Context) []Finding
}

// doctor has the settings and what the checks of the first phase leave to those of the second.
type doctor struct {
	Command
	plan    settings.Plan
	machine *system.System
	store   atomic.Pointer[sqlstore.Store]      // nil if the database can't be opened
	server  atomic.Pointer[postgres.Inspection] // nil without a PostgreSQL server
	running atomic.Bool                         // an instance answers at the operations address

	mu    sync.Mutex
	heads map[int]nodeHead // by node
}

// Run makes all checks and prints a line for each. It returns an error if there is a fault.
func (c Command) Run(ctx context.Context, s cli.Streams) error {
	d := &doctor{Command: c, machine: system.Default(), heads: map[int]nodeHead{}}
	if d.Machine.Now == nil {
		d.Machine.Now = d.machine.Now
	}
	if d.Machine.DiskSpace == nil {
		d.Machine.DiskSpace = diskSpace
	}
	var wrong error
	d.plan, wrong = c.Plan()
	found := settingsFindings(wrong)
	for _, phase := range [][]check{d.firstPhase(), d.secondPhase()} {
		found = append(found, d.runAll(ctx, phase)...)
	}
	if store := d.store.Load(); store != nil {
		_ = store.Close() // it was only read
	}
	return printFindings(s, found, c.JSON)
}

func (d *doctor) firstPhase() []check {
	checks := []check{
		{"database", d.openDatabase}, {"redis", d.checkRedis}, {"keys", d.checkKeyFiles}, {"treasury", d.checkTreasury},
		{"instance", d.checkInstance}, {"disk", d.checkDisk}, {"provider", d.checkProvider},
	}
	if len(d.plan.RPC) == 0 {
		checks = append(checks, check{"node", func(context.Context) []Finding {
			return skipped("node", "no node is named", "Name the nodes in CASINO_SOLANA_RPC_URLS.")
		}})
	}
	for i := range d.plan.RPC {
		checks = append(checks, check{fmt.Sprint("node ", i+1), func(ctx context.Context) []Finding { return d.checkNode(ctx, i) }})
	}
	return checks
}

func (d *doctor) secondPhase() []check {
	return []check{
		{"nodes", d.compareNodes}, {"clock chain", d.checkChainClock}, {"clock database", d.checkDatabaseClock},
		{"migrations", d.checkMigrations}, {"durability", d.checkDurability}, {"connections", d.checkConnections},
		{"role", d.checkRole}, {"seals", d.checkSeals}, {"witness", d.checkWitnesses}, {"log", d.checkLog},
	}
}

// settingsFindings has a line for each fault of the settings.
func settingsFindings(wrong error) []Finding {
	joined, several := wrong.(interface{ Unwrap() []error })
	switch {
	case wrong == nil:
		return ok("settings", "complete")
	case !several:
		return fault("settings", wrong, "Correct it; casino config serve lists every fault.")
	}
	var all []Finding
	for _, err := range joined.Unwrap() {
		name, _, _ := strings.Cut(err.Error(), ":")
		all = append(all, fault("settings", err, "Correct "+name+"; casino config serve lists every fault.")...)
	}
	return all
}

// runAll runs checks at the same time and returns their findings in order.
func (d *doctor) runAll(ctx context.Context, checks []check) (all []Finding) {
	found := make([][]Finding, len(checks))
	var running sync.WaitGroup
	for i, c := range checks {
		running.Go(func() { found[i] = d.runOne(ctx, c) })
	}
	running.Wait()
	for _, f := range found {
		all = append(all, f...)
	}
	return all
}

// lateness is how long a check may take to return when its time is over.
const lateness = time.Second

// runOne runs a check within its time. A panic is a fault, and so is a check that doesn't return.
func (d *doctor) runOne(ctx context.Context, c check) []Finding {
	ctx, cancel := context.WithTimeout(ctx, d.CheckTimeout)
	defer cancel()
	left, stop := context.WithTimeout(context.WithoutCancel(ctx), d.CheckTimeout+lateness)
	defer stop()
	done := make(chan []Finding, 1)
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				done <- fault(c.name, fmt.Errorf("the check itself failed: %v", cause), "Report it as a defect of casino doctor.")
			}
		}()
		done <- c.run(ctx)
	}()
	select {
	case found := <-done:
		return found
	case <-left.Done():
		return fault(c.name, fmt.Errorf("no result within %s", d.CheckTimeout), "Find out what doesn't answer, or give it longer with --check-timeout.")
	}
}

func ok(name, format string, args ...any) []Finding {
	return []Finding{{Check: name, State: OK, Found: fmt.Sprintf(format, args...)}}
}

func warning(name, found, remedy string) []Finding { return []Finding{{name, Warning, found, remedy}} }
func skipped(name, found, remedy string) []Finding { return []Finding{{name, Skipped, found, remedy}} }

// fault returns a fault with an error's text on one line.
func fault(name string, err error, remedy string) []Finding {
	return []Finding{{name, Fault, strings.Join(strings.Fields(cli.ErrorText(err)), " "), remedy}}
}

// printFindings prints the findings and returns an error that counts the faults.
func printFindings(s cli.Streams, found []Finding, asJSON bool) error {
	faults := 0
	for _, f := range found {
		if f.State == Fault {
			faults++
		}
		if asJSON {
			continue
		}
		line := fmt.Sprintf("%-8s %-16s %s", f.State, f.Check, f.Found)
		if f.Remedy != "" {
			line = strings.TrimSuffix(line, ".") + ". " + f.Remedy
		}
		if _, err := fmt.Fprintln(s.Out, line); err != nil {
			return err
		}
	}
	if asJSON {
		text, err := json.Marshal(report{faults == 0, cli.Version, found}, jsontext.WithIndent("  "))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(s.Out, "%s\n", text); err != nil {
			return err
		}
	}
	if faults > 0 {
		return fmt.Errorf("%d of %d findings are faults", faults, len(found))
	}
	return nil
}
