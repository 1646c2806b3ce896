package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// AuditStore is what an audit reads, while the store is written to. It needs no chain and
// no clock.
type AuditStore interface {
	ports.LedgerPages
	ports.AuditRows
	ports.Seeds
}

// AuditReport is what an audit read, counted, and what it found wrong. Findings is empty
// when everything holds.
type AuditReport struct {
	Blocks, Postings, Rounds, Records, Accounts int
	// Transactions counts the transactions of game providers.
	Transactions int
	// Recomputed counts the rounds drawn again from their revealed seeds.
	Recomputed int
	// Events counts what became of things, Things those whose rows were compared.
	Events, Things int
	// Opened counts the seeds that are not revealed and were opened.
	Opened int
	// Sealed counts the seals that were checked.
	Sealed int
	Heads  []hashchain.Head
	// Since are the heads of the audit that this one went on from, none of a whole one.
	Since []hashchain.Head
	// Epoch is the newest one: each beyond the first began after a restore.
	Epoch    int64
	Findings []string
}

// findingsMax bounds a report: the first thousand findings are enough.
const findingsMax = 1000

// Auditor proves a ledger from what is stored. It recomputes every block's hash from its
// content, every balance and kept figure from transfers and rounds, and every round
// whose seed is revealed from the rules.
//
// The rows that change are read first, a page at a time, each page with the heads of its
// moment: what blocks up to those heads add up to is what the page must hold. Then come
// the blocks, which no longer change, up to the newest of those heads. Nothing is held
// open meanwhile, and the service may go on. What is found goes through a sorter: memory
// doesn't grow with the ledger.
//
// The blocks of one lane have an order; blocks of several lanes have none among each
// other. When one lane holds everything, the audit also proves that no balance was ever
// below zero. With several lanes it proves that no balance ends below zero and that each
// pair's nonces are complete over all lanes; what a balance was in between is left to
// the database's constraints.
type Auditor struct {
	store  AuditStore
	sorter ports.Sorter
	games  *game.Registry
	keep   map[headName]hashchain.Hash

	report AuditReport
	// ordered says that all blocks are of one lane.
	ordered      bool
	spooled      map[ports.LedgerPart][]spooledPage
	sums         ports.LedgerSums
	last         map[int]hashchain.Link
	numbers      map[int]int64 // of those
	book         book
	daily        map[figure.Key]*dailyFacts
	nonces       map[string]*nonces // by pair
	drawn        int                // nonces that were read
	revealed     map[string]string  // by pair, as the block that is read tells
	seeds, older map[string]string  // by pair, where blocks don't tell
	record       []byte             // the last one that was added, for the next one's room

	// left is what an earlier audit left, since its heads; leaves takes what this one
	// leaves, and leaving is why it can't.
	left    Records
	since   []hashchain.Head
	leaves  func(key, value []byte) error
	leaving error
	// roundsFrom and roundsTo are the last provider's rounds before and in the end.
	roundsFrom, roundsTo string
	watch                func(AuditProgress)
	progress             AuditProgress

	// now is zero where the auditor knows no time.
	now       time.Time
	openSeeds bool
	sealed    ports.SealedRows
	seals     ports.Authenticator
}

type headName struct {
	lane int
	seq  int64
}

// NewAuditor returns an auditor that also compares the blocks with the given heads,
// which somebody kept outside the database. It sorts in memory; SortIn takes a sorter for
// more than fits there.
func NewAuditor(store AuditStore, games *game.Registry, kept []hashchain.Head) *Auditor {
	a := &Auditor{
		store: store, games: games, sorter: NewSorter(), keep: map[headName]hashchain.Hash{},
		spooled: map[ports.LedgerPart][]spooledPage{}, last: map[int]hashchain.Link{}, numbers: map[int]int64{}, book: newBook(),
		daily: map[figure.Key]*dailyFacts{}, nonces: map[string]*nonces{}, seeds: map[string]string{},
	}
	for _, head := range kept {
		a.keep[headName{head.Lane, head.Seq}] = head.Hash
	}
	return a
}

// SortIn makes the auditor sort what it reads in a sorter, which its caller closes.
func (a *Auditor) SortIn(sorter ports.Sorter) *Auditor {
	a.sorter = sorter
	return a
}

// At gives the auditor the time: sign-ins whose message could be used again are then
// looked for.
func (a *Auditor) At(now time.Time) *Auditor {
	a.now = now
	return a
}

// OpenSeeds makes the auditor open the seeds that are not revealed, too. The store must
// have the keys that they are sealed with.
func (a *Auditor) OpenSeeds() *Auditor {
	a.openSeeds = true
	return a
}

// AuditProgress is how far an audit is.
type AuditProgress struct {
	// Blocks and Rounds were read, of so many blocks.
	Blocks, Of int64
	Rounds     int
}

// Watch makes the auditor say after each block how far it is.
func (a *Auditor) Watch(watch func(AuditProgress)) *Auditor {
	a.watch = watch
	return a
}

// Run reads everything once. An error means that something could not be read; what was
// found wrong is in the report.
func (a *Auditor) Run(ctx context.Context) (AuditReport, error) {
	for _, part := range []func(context.Context) error{
		a.takeOver, a.readRows, a.readBlocks, a.foldRecords, a.leaveLedger, a.checkHeads, a.checkFunds, a.checkTotals, a.sealedSeeds, a.sealedRows,
	} {
		if err := part(ctx); err != nil {
			return AuditReport{}, err
		}
	}
	return a.report, nil
}

func (a *Auditor) addFinding(format string, args ...any) {
	if len(a.report.Findings) < findingsMax {
		a.report.Findings = append(a.report.Findings, fmt.Sprintf(format, args...))
	}
}

// sealedSeeds opens the seeds that are not revealed, where OpenSeeds asked for it.
func (a *Auditor) sealedSeeds(ctx context.Context) error {
	if !a.openSeeds {
		return nil
	}
	return a.store.SealedSeeds(ctx, func(pair string, wrong error) error {
		a.report.Opened++
		if wrong != nil {
			a.addFinding("pair %s: %v", pair, wrong)
		}
		return nil
	})
}

func (a *Auditor) checkTotals(context.Context) error {
	want, sums := a.book.totals, map[money.Token]money.Total{}
	for _, total := range a.sums.Totals {
		of := holding{total.Account, total.Token}
		if want[of] != total.Amount {
			a.addFinding("kept total of %v in %s is %v, transfers add up to %v", total.Account, total.Token, total.Amount, want[of])
		}
		delete(want, of)
		sums[total.Token] = sums[total.Token].Add(total.Amount)
	}
	for _, of := range sortedHoldings(want) {
		if want[of].Sign() != 0 {
			a.addFinding("kept total of %v in %s is missing, transfers add up to %v", of.account, of.token, want[of])
		}
	}
	for token, sum := range sums {
		if sum.Sign() != 0 {
			a.addFinding("the kept totals of %s add up to %v instead of 0", token, sum)
		}
	}
	for _, line := range a.sums.Exposures { // its rounds are held against their events
		if line.Kept != line.Open {
			a.addFinding("open rounds of %s may cost %v, what is kept of it is %v", line.Token, line.Open, line.Kept)
		}
	}
	return nil
}

// Err returns nil for a report without findings and with at least one block, this audit's
// or one before it, else an error with the number of findings.
func (r AuditReport) Err() error {
	if len(r.Findings) > 0 {
		return fmt.Errorf("%d findings", len(r.Findings))
	}
	if r.Blocks == 0 && len(r.Since) == 0 {
		return errors.New("there is no block to prove")
	}
	return nil
}

// theoryOf is what the rules say of a round, which no store keeps.
func theoryOf(plan game.Plan) bet.Theory {
	return bet.Theory{RTPPartsPerBillion: plan.RTPPartsPerBillion(), VariancePartsPerBillion: plan.VariancePartsPerBillion()}
}
