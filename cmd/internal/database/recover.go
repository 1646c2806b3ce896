package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/fx"

	"github.com/casino-service/casino/app/deposits"
	apprecovery "github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/witness"
)

type RecoverCommand struct {
	dev.DataFlags
	settings.Serve
	LocalnetAddr string   `placeholder:"HOST:PORT" help:"Where the simulated chain listens when the folder of casino dev is recovered; where the casino dev of the folder serves it unless given."`
	Apply        bool     `help:"Recover. Without it the command prints a plan and changes nothing."`
	Partial      bool     `help:"With --apply: recover although a witness can't be read. Block numbers that only this witness knows may be used again."`
	PutBack      bool     `help:"The database was restored from an older copy, although no witness shows it."`
	Head         []string `placeholder:"LANE:SEQ:HASH" help:"A head that was kept elsewhere: the next epoch begins above it. May be repeated."`
	NothingLost  bool     `help:"Open the service because nothing was lost. Refused if a kept block is missing."`
	JSON         bool     `name:"json" help:"Print one JSON object instead of lines for people."`
}

// recoverRest is the pause between two checks of the chain.
const recoverRest = 2 * time.Second

// Run plans or applies the recovery of a restored database.
func (c RecoverCommand) Run(ctx context.Context, s cli.Streams) error {
	if c.Apply && c.NothingLost {
		return cli.Usage(errors.New("--apply recovers from a loss, --nothing-lost states that there was none: give only one"))
	}
	if c.Partial && !c.Apply {
		return cli.Usage(errors.New("--partial needs --apply"))
	}
	if c.PutBack && c.NothingLost {
		return cli.Usage(errors.New("--put-back states that data was lost, --nothing-lost that none was: give only one"))
	}
	heads, err := parseHeads(c.Head)
	if err != nil {
		return cli.Usage(err)
	}
	profile, err := c.serviceProfile()
	if err != nil {
		return cli.Usage(fmt.Errorf("recover can't start:\n%w", err))
	}
	log := cli.NewLogger(c.Log, s)
	return service.RunRecovery(ctx, log, func(ctx context.Context, recovery *apprecovery.Recovery, restoration *apprecovery.Restoration) error {
		switch {
		case c.NothingLost:
			if err := nothingPaid(ctx, recovery); err != nil {
				return err
			}
			if err := restoration.Reopen(ctx, ""); err != nil {
				return err
			}
			_, err := fmt.Fprintln(s.Out, "opened: nothing was lost; the instances notice within 5 seconds")
			return err
		case c.Apply:
			return c.applyRecovery(ctx, recovery, s)
		}
		report, err := recovery.Plan(ctx)
		if err != nil {
			return err
		}
		return c.printReport(s.Out, report)
	}, profile, fx.Supply(service.RecoveryChoices{Partial: c.Partial, PutBack: c.PutBack, Heads: heads}))
}

// nothingPaid returns an error if the chain shows a payout that the ledger lacks.
func nothingPaid(ctx context.Context, recovery *apprecovery.Recovery) error {
	plan, err := recovery.Plan(ctx)
	if err != nil {
		return err
	}
	if lost := len(plan.Payouts) + len(plan.Unknown); lost > 0 {
		return fault.New(fault.InvalidState, "data was lost: the chain shows %d payments that the ledger lacks; casino recover lists them", lost)
	}
	return nil
}

// serviceProfile returns the profile of the command: serve's settings, or casino dev's
// folder and its running chain.
func (c RecoverCommand) serviceProfile() (fx.Option, error) {
	if c.Given() {
		plan, err := c.Plan()
		return service.ProductionRecovery(plan, service.Version(cli.Version)), err
	}
	if _, err := os.Stat(dev.Folder(c.DataDir).Database()); err != nil {
		return nil, fmt.Errorf("there is no database at %s: casino dev makes one", dev.Folder(c.DataDir).Database())
	}
	if c.LocalnetAddr != "" {
		if err := settings.Loopback(c.LocalnetAddr); err != nil {
			return nil, fmt.Errorf("CASINO_LOCALNET_ADDR: %w", err)
		}
	}
	node, err := dev.LocalnetFlags{LocalnetAddr: c.LocalnetAddr}.Chain(c.DataDir)
	return dev.RecoveryProfile(c.DataDir, node), err
}

// applyRecovery applies the recovery and prints its progress. After an interruption it can
// be run again.
func (c RecoverCommand) applyRecovery(ctx context.Context, recovery *apprecovery.Recovery, s cli.Streams) error {
	stage, said := apprecovery.RecoveryStage(0), false
	for recovery.Stage() != apprecovery.Recovered {
		if !said || recovery.Stage() != stage {
			stage, said = recovery.Stage(), true
			fmt.Fprintln(s.Err, stage)
		}
		worked, err := recovery.Step(ctx)
		switch {
		case ctx.Err() != nil:
			return errors.New("interrupted: run casino recover --apply again")
		case fault.Is(err, fault.External), fault.Is(err, fault.Unavailable):
			fmt.Fprintf(s.Err, "%s: %v; trying again\n", stage, err)
		case err != nil:
			return err
		case worked:
			continue
		}
		if left, err := recovery.Remaining(ctx); err == nil && left > 0 {
			fmt.Fprintf(s.Err, "%s: %d blocks to go\n", stage, left)
		}
		service.Rest(ctx, recoverRest)
	}
	return c.printReport(s.Out, recovery.Report())
}

// recoveredJSON is the output of --json.
type recoveredJSON struct {
	Ledger   string                 `json:"ledger"`
	Reason   string                 `json:"reason"`
	Found    time.Time              `json:"found"`
	Epoch    int64                  `json:"epoch"` // 0 in a plan
	Lost     []string               `json:"lost"`
	Began    []string               `json:"began"`
	Payouts  []recoveredPayoutJSON  `json:"payouts"`
	Unknown  []recoveredUnknownJSON `json:"unknown"`
	Watches  []recoveredWatchJSON   `json:"watches"`
	Witness  bool                   `json:"witnessesRead"`
	Unproved []string               `json:"toCheckByHand"`

	Restrictions restrictionsJSON `json:"restrictions"`
}

type recoveredPayoutJSON struct {
	Withdrawal string `json:"withdrawal"`
	Wallet     string `json:"wallet"`
	Token      string `json:"token"`
	Amount     int64  `json:"amount"`
	Signature  string `json:"signature"`
	Was        string `json:"was"` // empty if the database lacked it
	Owes       int64  `json:"owes"`
}

// recoveredWatchJSON is a token that the copy never watched.
type recoveredWatchJSON struct {
	Token string `json:"token"`
	After uint64 `json:"afterSlot"` // 0 if the slot of the copy is unknown
}

type recoveredUnknownJSON struct {
	Signature  string `json:"signature"`
	Withdrawal string `json:"withdrawal"`
}

func (c RecoverCommand) printReport(out io.Writer, r apprecovery.RecoveryReport) error {
	if c.JSON {
		return printRecoveredJSON(out, r)
	}
	fmt.Fprintf(out, "ledger %s: %s, found %s by %s\n", r.Ledger, r.Restored.Reason, r.Restored.At.Format(time.RFC3339), r.Restored.By)
	if !r.Whole {
		fmt.Fprintln(out, "WARNING a witness could not be read: more may be lost than is listed, and --apply waits for it unless --partial is given")
	}
	for _, l := range r.Lost {
		fmt.Fprintf(out, "lost: block %s is kept, the database has %s\n", l.From(), l.To())
	}
	for _, h := range r.Began {
		fmt.Fprintf(out, "epoch %d begins with block %s\n", r.Epoch, witness.Name(h))
	}
	for _, p := range r.Payouts {
		was := string(p.Was)
		if was == "" {
			was = "unknown"
		}
		paid := p.Payments[0]
		fmt.Fprintf(out, "paid: %s of %s, %d of %s by %s, was %s", p.WithdrawalID, p.Wallet, paid.Amount, paid.Token, p.Signature, was)
		if p.Owes > 0 {
			fmt.Fprintf(out, "; the player owes %d", p.Owes)
		}
		fmt.Fprintln(out)
	}
	for _, watch := range r.Watches {
		fmt.Fprintf(out, "deposits: %s was not watched yet when the copy was made: %s\n", watch.Token, watchedFrom(watch))
	}
	for _, m := range r.Unknown {
		fmt.Fprintf(out, "UNKNOWN %s pays for withdrawal %q of no known player: payouts will pause for it\n", m.Signature, m.WithdrawalID)
	}
	printRestrictions(out, r)
	for _, what := range toCheck(r) {
		fmt.Fprintln(out, "check by hand:", what)
	}
	outcome := "nothing was changed: casino recover --apply recovers"
	if r.Epoch > 0 {
		outcome = fmt.Sprintf("recovered: epoch %d, all sessions ended, seeds are replaced at each player's next sign-in", r.Epoch)
	}
	_, err := fmt.Fprintln(out, outcome)
	return err
}

// watchedFrom describes where the watch of a new token begins.
func watchedFrom(watch deposits.BegunWatch) string {
	if watch.After == 0 {
		return "how far it reached isn't known, so what players paid before now must be credited by hand"
	}
	return fmt.Sprintf("what came after slot %d is looked for", watch.After)
}

func printRecoveredJSON(out io.Writer, r apprecovery.RecoveryReport) error {
	report := recoveredJSON{
		Ledger: r.Ledger, Reason: r.Restored.Reason, Found: r.Restored.At, Epoch: r.Epoch, Lost: []string{}, Began: []string{},
		Payouts: []recoveredPayoutJSON{}, Unknown: []recoveredUnknownJSON{}, Watches: []recoveredWatchJSON{}, Witness: r.Whole, Unproved: toCheck(r),
		Restrictions: restrictionsJSONOf(r.Restrictions),
	}
	for _, l := range r.Lost {
		report.Lost = append(report.Lost, l.From())
	}
	for _, h := range r.Began {
		report.Began = append(report.Began, witness.Name(h))
	}
	for _, p := range r.Payouts {
		paid := p.Payments[0]
		report.Payouts = append(report.Payouts, recoveredPayoutJSON{
			p.WithdrawalID, string(p.Wallet), string(paid.Token), int64(paid.Amount), p.Signature, string(p.Was), int64(p.Owes),
		})
	}
	for _, watch := range r.Watches {
		report.Watches = append(report.Watches, recoveredWatchJSON{string(watch.Token), watch.After})
	}
	for _, m := range r.Unknown {
		report.Unknown = append(report.Unknown, recoveredUnknownJSON{m.Signature, m.WithdrawalID})
	}
	if err := json.MarshalWrite(out, report, json.Deterministic(true), jsontext.WithIndent("  ")); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out)
	return err
}

// unknowable lists what a recovery can't know.
var unknowable = []string{
	"bonuses and corrections that admins credited after the copy was made",
	"wins and bets at providers: casino provider reconcile compares their log",
}

// unkept lists what a recovery can't know if no restrictions are kept.
var unkept = []string{
	"admin roles that were revoked after the copy was made: casino role list",
	"exclusions, freezes and lower limits of players, asked for after the copy was made",
	"agents that were blocked, and credentials of agents that were rotated after the copy was made",
	"play and payouts that were paused after the copy was made",
}

// toCheck lists the tasks for a person.
func toCheck(r apprecovery.RecoveryReport) (all []string) {
	for _, f := range r.Restrictions.ByHand {
		all = append(all, f.What)
	}
	if r.Restrictions.Since.IsZero() {
		all = append(all, unkept...)
	}
	return append(all, unknowable...)
}

// printRestrictions prints the restrictions made since the copy and their results.
func printRestrictions(out io.Writer, r apprecovery.RecoveryReport) {
	switch {
	case r.Roles.Forged:
		fmt.Fprintln(out, "WARNING the list of admins' roles is forged: it grants nothing until it is repaired")
	case r.Roles.Older:
		fmt.Fprintf(out, "roles: the list of version %d is taken as it is, version %d is kept\n", r.Roles.Version, r.Roles.Kept)
	}
	kept := r.Restrictions
	if len(kept.Unread) > 0 {
		fmt.Fprintf(out, "WARNING restrictions could not be read from: %s\n", strings.Join(kept.Unread, ", "))
	}
	if kept.Spoiled > 0 {
		fmt.Fprintf(out, "WARNING %d kept restrictions are torn or were not written by this service\n", kept.Spoiled)
	}
	if kept.Since.IsZero() {
		fmt.Fprintln(out, "WARNING no restrictions are kept: see the list to check by hand")
	} else {
		fmt.Fprintf(out, "restrictions are kept since %s; an older copy may lack earlier ones\n", kept.Since.UTC().Format(time.RFC3339))
	}
	for _, f := range kept.Again {
		fmt.Fprintln(out, "forbidden again:", f.What)
	}
}

// restrictionsJSON is the part of --json about restrictions.
type restrictionsJSON struct {
	Since   *time.Time `json:"since"` // null if none are kept
	Spoiled int        `json:"spoiled"`
	Unread  []string   `json:"unread"`
	Again   []string   `json:"again"`
}

func restrictionsJSONOf(r apprecovery.RecoveredRestrictions) restrictionsJSON {
	made := restrictionsJSON{Spoiled: r.Spoiled, Unread: append([]string{}, r.Unread...), Again: []string{}}
	if !r.Since.IsZero() {
		made.Since = &r.Since
	}
	for _, f := range r.Again {
		made.Again = append(made.Again, f.What)
	}
	return made
}
