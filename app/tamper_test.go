package app_test

import (
	"context"
	"math"
	"slices"

	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/ports"
)

// forged shows an auditor a store in which something was changed. Each function that is
// set gets a copy of what is stored and returns what is shown.
type forged struct {
	appaudit.AuditStore
	blocks   func([]ports.Block) []ports.Block
	heads    func([]hashchain.Head) []hashchain.Head
	balances func([]ledger.Balance) []ledger.Balance
	totals   func([]ledger.Balance) []ledger.Balance
	daily    func([]ports.DailyFigure) []ports.DailyFigure
	seed     func(*fairness.Revealed)
}

// twin copies a block, so that changing it leaves the store alone.
func twin(b ports.Block) ports.Block {
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

// everyBlock are the blocks as they are shown.
func (f forged) everyBlock(ctx context.Context) (all []ports.Block, err error) {
	sums, err := f.AuditStore.LedgerSums(ctx)
	if err != nil {
		return nil, err
	}
	if err := f.AuditStore.BlocksAfter(ctx, nil, sums.Heads, func(b ports.Block) error { all = append(all, twin(b)); return nil }); err != nil {
		return nil, err
	}
	if f.blocks != nil {
		all = f.blocks(all)
	}
	for i := range all { // where blocks tell the seeds, they are not asked for
		for pair, seed := range all[i].Revealed {
			if f.seed != nil {
				forged := fairness.Revealed{ID: pair, ServerSeed: seed}
				f.seed(&forged)
				all[i].Revealed = map[string]string{pair: forged.ServerSeed}
			}
		}
	}
	return all, nil
}

// BlocksAfter shows all blocks, whatever the heads are.
func (f forged) BlocksAfter(ctx context.Context, after, _ []hashchain.Head, visit func(ports.Block) error) error {
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

// LedgerPage shows pages that no block comes after.
func (f forged) LedgerPage(ctx context.Context, part ports.LedgerPart, after string, limit int) (ports.LedgerPage, error) {
	page, err := f.AuditStore.LedgerPage(ctx, part, after, limit)
	page.Heads = nil
	for lane := range 9 {
		page.Heads = append(page.Heads, hashchain.Head{Lane: lane, Seq: math.MaxInt64})
	}
	switch {
	case part == ports.LedgerBalances && f.balances != nil:
		var all []ledger.Balance
		for _, row := range page.Rows {
			all = append(all, row.Balance)
		}
		page.Rows = nil
		for _, b := range f.balances(all) {
			page.Rows = append(page.Rows, ports.LedgerRow{Balance: b})
		}
	case part == ports.LedgerFigures && f.daily != nil:
		var all []ports.DailyFigure
		for _, row := range page.Rows {
			all = append(all, row.Figure)
		}
		page.Rows = nil
		for _, d := range f.daily(all) {
			page.Rows = append(page.Rows, ports.LedgerRow{Figure: d})
		}
	}
	return page, err
}

// LedgerSums shows the heads of the blocks as they are shown.
func (f forged) LedgerSums(ctx context.Context) (ports.LedgerSums, error) {
	if _, err := f.everyBlock(ctx); err != nil {
		return ports.LedgerSums{}, err
	}
	sums, err := f.AuditStore.LedgerSums(ctx)
	if f.heads != nil {
		sums.Heads = f.heads(sums.Heads)
	}
	if f.totals != nil {
		sums.Totals = f.totals(sums.Totals)
	}
	return sums, err
}

func (f forged) RevealedPair(ctx context.Context, id string) (fairness.Revealed, error) {
	pair, err := f.AuditStore.RevealedPair(ctx, id)
	if f.seed != nil && err == nil {
		f.seed(&pair)
	}
	return pair, err
}

// resealed changes blocks as an attacker would who can write the whole database and
// knows how blocks are made: every hash is valid again afterwards.
func resealed(change func([]ports.Block) []ports.Block) forged {
	var last hashchain.Head
	return forged{
		blocks: func(all []ports.Block) []ports.Block {
			all = change(all)
			last = hashchain.Head{}
			for i := range all {
				all[i].Previous = last.Hash
				last = hashchain.Next(last, all[i].Content)
				all[i].Head = last
			}
			return all
		},
		heads: func([]hashchain.Head) []hashchain.Head { return []hashchain.Head{last} },
	}
}

// first applies a change to the first block that it accepts.
func first(change func(*ports.Block) bool) func([]ports.Block) []ports.Block {
	return func(all []ports.Block) []ports.Block {
		for i := range all {
			if change(&all[i]) {
				break
			}
		}
		return all
	}
}

// firstRound applies a change to the first block with the wanted round.
func firstRound(wanted func(bet.Round) bool, change func(*ports.Block)) func([]ports.Block) []ports.Block {
	return first(func(b *ports.Block) bool {
		if len(b.Rounds) == 0 || !wanted(b.Rounds[0]) {
			return false
		}
		change(b)
		return true
	})
}

func won(r bet.Round) bool  { return r.Payout > 0 && !r.Void && r.Nonce > 0 }
func lost(r bet.Round) bool { return r.Payout == 0 && r.Nonce > 0 }
func some(bet.Round) bool   { return true }

// firstRecord applies a change to the first audit record.
func firstRecord(change func(*audit.Record)) func([]ports.Block) []ports.Block {
	return first(func(b *ports.Block) bool {
		if len(b.Audit) > 0 {
			change(&b.Audit[0])
		}
		return len(b.Audit) > 0
	})
}
