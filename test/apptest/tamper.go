package apptest

import (
	"context"
	"math"
	"slices"
	"strings"

	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/ports"
)

// Forged shows an auditor a changed store. Each function that is set gets a copy of stored data
// and returns the data to show.
type Forged struct {
	appaudit.AuditStore
	Blocks   func([]ports.Block) []ports.Block
	Heads    func([]hashchain.Head) []hashchain.Head
	Balances func([]ledger.Balance) []ledger.Balance
	Totals   func([]ledger.Balance) []ledger.Balance
	Daily    func([]ports.DailyFigure) []ports.DailyFigure
	Seed     func(*fairness.Revealed)
}

// CloneBlock copies a block, so that changing the copy doesn't change the store.
func CloneBlock(b ports.Block) ports.Block {
	b.Postings, b.Rounds, b.Audit = slices.Clone(b.Postings), slices.Clone(b.Rounds), slices.Clone(b.Audit)
	for i := range b.Postings {
		b.Postings[i].Transfers = slices.Clone(b.Postings[i].Transfers)
	}
	b.Events = slices.Clone(b.Events)
	for i := range b.Events {
		b.Events[i].Fields = slices.Clone(b.Events[i].Fields)
	}
	return b
}

// everyBlock returns the blocks as they are shown.
func (f Forged) everyBlock(ctx context.Context) (all []ports.Block, err error) {
	sums, err := f.AuditStore.LedgerSums(ctx)
	if err != nil {
		return nil, err
	}
	if err := f.AuditStore.BlocksAfter(ctx, nil, sums.Heads, func(b ports.Block) error { all = append(all, CloneBlock(b)); return nil }); err != nil {
		return nil, err
	}
	if f.Blocks != nil {
		all = f.Blocks(all)
	}
	for i := range all { // blocks that contain seeds replace the query for them
		for pair, seed := range all[i].Revealed {
			if f.Seed != nil {
				forged := fairness.Revealed{ID: pair, ServerSeed: seed}
				f.Seed(&forged)
				all[i].Revealed = map[string]string{pair: forged.ServerSeed}
			}
		}
	}
	return all, nil
}

// BlocksAfter shows all blocks, for any heads.
func (f Forged) BlocksAfter(ctx context.Context, after, _ []hashchain.Head, visit func(ports.Block) error) error {
	all, err := f.everyBlock(ctx)
	for _, b := range all {
		if slices.ContainsFunc(after, func(h hashchain.Head) bool { return h.Lane == b.Lane && h.Seq >= b.Seq }) {
			continue
		}
		if err := visit(b); err != nil {
			return err
		}
	}
	return err
}

// LedgerPage shows pages without later blocks.
func (f Forged) LedgerPage(ctx context.Context, part ports.LedgerPart, after string, limit int) (ports.LedgerPage, error) {
	page, err := f.AuditStore.LedgerPage(ctx, part, after, limit)
	page.Heads = nil
	for lane := range 9 {
		page.Heads = append(page.Heads, hashchain.Head{Lane: lane, Seq: math.MaxInt64})
	}
	switch {
	case part == ports.LedgerBalances && f.Balances != nil:
		var all []ledger.Balance
		for _, row := range page.Rows {
			all = append(all, row.Balance)
		}
		page.Rows = nil
		for _, b := range f.Balances(all) {
			page.Rows = append(page.Rows, ports.LedgerRow{Balance: b})
		}
	case part == ports.LedgerFigures && f.Daily != nil:
		var all []ports.DailyFigure
		for _, row := range page.Rows {
			all = append(all, row.Figure)
		}
		page.Rows = nil
		for _, d := range f.Daily(all) {
			page.Rows = append(page.Rows, ports.LedgerRow{Figure: d})
		}
	}
	return page, err
}

// LedgerSums shows the heads of the blocks as they are shown.
func (f Forged) LedgerSums(ctx context.Context) (ports.LedgerSums, error) {
	if _, err := f.everyBlock(ctx); err != nil {
		return ports.LedgerSums{}, err
	}
	sums, err := f.AuditStore.LedgerSums(ctx)
	if f.Heads != nil {
		sums.Heads = f.Heads(sums.Heads)
	}
	if f.Totals != nil {
		sums.Totals = f.Totals(sums.Totals)
	}
	return sums, err
}

func (f Forged) RevealedPair(ctx context.Context, id string) (fairness.Revealed, error) {
	pair, err := f.AuditStore.RevealedPair(ctx, id)
	if f.Seed != nil && err == nil {
		f.Seed(&pair)
	}
	return pair, err
}

// Resealed changes blocks as an attacker would who can write the whole database and can compute
// blocks: every hash is valid again afterwards.
func Resealed(change func([]ports.Block) []ports.Block) Forged {
	var last hashchain.Head
	return Forged{
		Blocks: func(all []ports.Block) []ports.Block {
			all = change(all)
			last = hashchain.Head{}
			for i := range all {
				next := hashchain.Next(last, all[i].Content)
				last = next.Head()
				all[i].Head, all[i].Previous, all[i].Root, all[i].Size = last, next.Previous, next.Root, next.Size
			}
			return all
		},
		Heads: func([]hashchain.Head) []hashchain.Head { return []hashchain.Head{last} },
	}
}

// ChangeFirstBlock applies a change to the first block that it accepts.
func ChangeFirstBlock(change func(*ports.Block) bool) func([]ports.Block) []ports.Block {
	return func(all []ports.Block) []ports.Block {
		for i := range all {
			if change(&all[i]) {
				break
			}
		}
		return all
	}
}

// AuditFindings audits a forged store and returns the findings.
func (h *House) AuditFindings(f Forged, kept ...hashchain.Head) string {
	h.T.Helper()
	f.AuditStore = h.Store
	h.CountPlay() // the pages of a forged store have no later blocks
	report := OK(appaudit.NewAuditor(f, h.Games, kept).Run(h.Ctx))(h.T)
	if (report.Err() == nil) != (len(report.Findings) == 0) {
		h.T.Fatal("the verdict and the findings disagree")
	}
	return strings.Join(report.Findings, "\n")
}

// CountPlay counts the play of all blocks in players' days.
func (h *House) CountPlay() {
	h.T.Helper()
	for more := true; more; {
		more = OK(h.Store.CountPlay(h.Ctx, 1_000))(h.T)
	}
}
