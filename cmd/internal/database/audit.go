package database

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/adapters/sorter"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

type AuditCommand struct {
	storeFlags
	chainFlags
	settings.Seeds
	settings.Checkpoints
	Since      string   `type:"path" placeholder:"FILE" help:"Continue the audit that wrote this checkpoint without reading its blocks again. All rows that change are compared. Not detected: changes in earlier blocks, a posting that was booked earlier and again, earlier rounds that don't match seeds revealed since, providers' rounds that began earlier, and the public log."`
	Checkpoint string   `type:"path" placeholder:"FILE" help:"Where an audit without findings writes a checkpoint to continue from, signed with CASINO_CHECKPOINT_KEYS, and FILE.rows beside it."`
	Head       []string `placeholder:"LANE:SEQ:HASH" help:"A head that was kept elsewhere; the block must still have this hash. May be repeated."`
}

// Run proves the ledger and prints the result, or everything found wrong.
func (c AuditCommand) Run(ctx context.Context, s cli.Streams) error {
	kept, err := parseHeads(c.Head)
	if err != nil {
		return cli.Usage(err)
	}
	return c.withKeys(ctx, c.Seeds, func(o *offline) (err error) {
		points, err := c.openAuditPoints(ctx, o, kept)
		if err != nil {
			return err
		}
		if err := warnRestored(ctx, s, o.store); err != nil {
			return err
		}
		sorted := sorter.New(sorter.Options{})
		defer func() { err = errors.Join(err, sorted.Close()) }()
		auditor := audit.NewAuditor(o.store, o.games, kept).At(o.machine.Now()).SortIn(sorted)
		if c.Since != "" {
			auditor.Since(points.readRecords)
		}
		if c.Checkpoint != "" {
			if err := points.createFile(c.Checkpoint); err != nil {
				return err
			}
			defer points.discardFile()
			auditor.LeaveTo(points.putRecord)
		}
		done := watchAudit(auditor, o.machine, s)
		if o.keyed {
			seals, err := c.readSeals(o, c.Seeds)
			if err != nil {
				return err
			}
			auditor.OpenSeeds().Seals(o.store, seals)
		}
		report, err := auditor.Run(ctx)
		done()
		if err != nil {
			return err
		}
		for _, finding := range report.Findings {
			fmt.Fprintln(s.Out, "FOUND", finding)
		}
		if err := report.Err(); err != nil {
			return fmt.Errorf("the ledger does not hold: %w", err)
		}
		if c.Checkpoint != "" {
			if err := points.signAndPublish(report, o.machine.Now()); err != nil {
				return err
			}
		}
		if c.Since != "" {
			fmt.Fprintf(s.Out, "since the checkpoint of %s: ", points.earlier.At.Format(time.RFC3339))
		}
		fmt.Fprintf(s.Out, "%d blocks, %d postings, %d rounds (%d recomputed from revealed seeds), %d audit records, %d balances, %d things by %d events, %d sealed seeds opened, %d seals verified, %d blocks in the public log: everything holds\n",
			report.Blocks, report.Postings, report.Rounds, report.Recomputed, report.Records, report.Accounts, report.Things, report.Events, report.Opened, report.Sealed, report.Logged)
		if report.Epoch > 1 {
			fmt.Fprintf(s.Out, "the ledger is in epoch %d: each after the first began because a restore had lost blocks\n", report.Epoch)
		}
		if err := printHeads(s, report.Heads); err != nil {
			return err
		}
		if c.Chain {
			return c.printTreasury(ctx, c.storeFlags, o, s)
		}
		return nil
	})
}

// warnRestored warns if the database counts as restored: it may be consistent and still
// lack committed data.
func warnRestored(ctx context.Context, s cli.Streams, controls ports.Controls) error {
	state, err := controls.State(ctx)
	if err != nil || state.Restored == nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "WARNING the database was restored from an older copy: %s; kept %s, found %s, at %s by %s\n",
		state.Restored.Reason, state.Restored.From, state.Restored.To, state.Restored.At.Format(time.RFC3339), state.Restored.By)
	return err
}

// printHeads prints heads in the format of --head.
func printHeads(s cli.Streams, heads []hashchain.Head) error {
	for _, head := range heads {
		if _, err := fmt.Fprintf(s.Out, "keep this head elsewhere: %s\n", checkpoint.HeadText(head)); err != nil {
			return err
		}
	}
	return nil
}

func parseHeads(texts []string) ([]hashchain.Head, error) {
	heads := make([]hashchain.Head, 0, len(texts))
	for _, text := range texts {
		head, err := checkpoint.ParseHead(text)
		if err != nil {
			return nil, fmt.Errorf("--head %q: must be lane:seq:hash", text)
		}
		heads = append(heads, head)
	}
	return heads, nil
}

// progressEach is the interval of progress updates on a terminal.
const progressEach = 200 * time.Millisecond

// watchAudit shows the progress of an audit on a terminal until done is called.
func watchAudit(auditor *audit.Auditor, clock ports.Clock, s cli.Streams) (done func()) {
	line := cli.NewStatusLine(s.Err)
	if !line.Seen() {
		return line.Clear
	}
	begun, shown := clock.Now(), time.Time{}
	auditor.Watch(func(p audit.AuditProgress) {
		now := clock.Now()
		if now.Sub(shown) < progressEach && p.Blocks < p.Of {
			return
		}
		shown = now
		line.Show(progressLine(p, now.Sub(begun)))
	})
	return line.Clear
}

// progressLine formats the progress on one line.
func progressLine(p audit.AuditProgress, took time.Duration) string {
	line := fmt.Sprintf("%d of %d blocks, %d rounds", p.Blocks, p.Of, p.Rounds)
	if seconds := took.Seconds(); seconds > 1 {
		line += fmt.Sprintf(", %.0f rounds/s", float64(p.Rounds)/seconds)
		if p.Blocks > 0 && p.Of > p.Blocks {
			left := time.Duration(seconds * float64(p.Of-p.Blocks) / float64(p.Blocks) * float64(time.Second))
			line += fmt.Sprintf(", %s left", left.Round(time.Second))
		}
	}
	if p.Blocks >= p.Of {
		line += ": comparing rows"
	}
	return line
}
