package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// AuditStore has the ports that an audit reads while the store is written to. An audit
// needs no chain and no clock.
type AuditStore interface {
	ports.LedgerPages
	ports.AuditRows
	ports.Seeds
	ports.HeadLog
	ports.LogCheckpoints
}

// AuditReport counts what an audit read and lists its findings. Findings is empty if
// everything is correct.
type AuditReport struct {
	Blocks, Postings, Rounds, Records, Accounts int
	// Transactions counts the transactions of game providers.
	Transactions int
	// Recomputed counts the rounds that were drawn again from their revealed seeds.
	Recomputed int
	// Events counts the events of things, Things the rows that were compared with them.
	Events, Things int
	// Opened counts the unrevealed seeds that were opened.
	Opened int
	// Sealed counts the checked seals.
	Sealed int
	// Logged counts the entries of the public log that were compared with their blocks.
	Logged int
	Heads  []hashchain.Head
	// Since are the heads of the audit that this one continues, empty for a whole audit.
	Since []hashchain.Head
	// Epoch is the newest epoch. Every epoch after the first began after a restore.
	Epoch    int64
	Findings []string
}

// findingsMax is the maximum number of findings in a report.
const findingsMax = 1000

// Auditor proves a ledger from its stored data. It recomputes every block's hash from its
// content, every balance and kept figure from transfers and rounds, and every round with a
// revealed seed from the rules.
//
// It first reads the rows that change, in pages, each with the heads at that moment: the
// blocks up to those heads must add up to the rows of the page. Then it reads the blocks,
// which never change, up to the newest of those heads. It holds no transaction open, and
// the service may continue to write. All data goes through a sorter, so memory doesn't grow
// with the ledger.
//
// Blocks of one lane are ordered; blocks of different lanes are not. If one lane holds
// everything, the audit also proves that no balance was ever below zero. With several lanes
// it proves that no balance ends below zero and that each pair's nonces are complete over
// all lanes; the balances in between are left to the database's constraints.
type Auditor struct {
	store  AuditStore
	sorter ports.Sorter
	games  *game.Registry
	keep   map[headName]hashchain.Hash

	report AuditReport
	// ordered means that all blocks are in one lane.
	ordered      bool
	spooled      map[ports.LedgerPart][]spooledPage
	sums         ports.LedgerSums
	last         map[int]hashchain.Link
	numbers      map[int]int64 // block numbers by lane, like last
	book         book
	daily        map[figureName]*dailyFacts
	nonces       map[string]*nonces // by pair
	drawn        int                // number of nonces read
	revealed     map[string]string  // by pair, from the block being read
	seeds, older map[string]string  // by pair, if blocks don't have it
	record       []byte             // reused buffer of the last added record

	// left reads the records of an earlier audit, since holds its heads. leaves writes the
	// records of this audit, and leaving is the first error of that.
	left    Records
	since   []hashchain.Head
	leaves  func(key, value []byte) error
	leaving error
	// roundsFrom and roundsTo are the last provider's rounds at the start and at the end.
	roundsFrom, roundsTo string
	watch                func(AuditProgress)
	progress             AuditProgress

	crash crashProgress

	// now is zero if the auditor doesn't know the time.
	now       time.Time
	openSeeds bool
	sealed    ports.SealedRows
	seals     ports.Authenticator
}

type headName struct {
	lane int
	seq  int64
}

// NewAuditor returns an auditor that also compares the blocks with the given heads, which
// were kept outside the database. It sorts in memory; use SortIn for larger ledgers.
func NewAuditor(store AuditStore, games *game.Registry, kept []hashchain.Head) *Auditor {
	a := &Auditor{
		store: store, games: games, sorter: NewSorter(), keep: map[headName]hashchain.Hash{},
		spooled: map[ports.LedgerPart][]spooledPage{}, last: map[int]hashchain.Link{}, numbers: map[int]int64{}, book: newBook(),
		daily: map[figureName]*dailyFacts{}, nonces: map[string]*nonces{}, seeds: map[string]string{},
	}
	for _, head := range kept {
		a.keep[headName{head.Lane, head.Seq}] = head.Hash
	}
	return a
}

// SortIn makes the auditor use a sorter, which the caller closes.
func (a *Auditor) SortIn(sorter ports.Sorter) *Auditor {
	a.sorter = sorter
	return a
}

// At gives the auditor the time. It then also checks for missing sign-ins with a message
// that could be used again.
func (a *Auditor) At(now time.Time) *Auditor {
	a.now = now
	return a
}

// OpenSeeds makes the auditor also open the unrevealed seeds. The store must have the keys
// of their seals.
func (a *Auditor) OpenSeeds() *Auditor {
	a.openSeeds = true
	return a
}

// AuditProgress is the progress of an audit.
type AuditProgress struct {
	// Blocks and Rounds were read; Of is the total number of blocks.
	Blocks, Of int64
	Rounds     int
}

// Watch makes the auditor report its progress after each block.
func (a *Auditor) Watch(watch func(AuditProgress)) *Auditor {
	a.watch = watch
	return a
}

// Run reads everything once. An error means that something could not be read; findings are
// in the report.
func (a *Auditor) Run(ctx context.Context) (AuditReport, error) {
	for _, part := range []func(context.Context) error{
		a.takeOver, a.readRows, a.readBlocks, a.foldRecords, a.leaveLedger, a.checkHeads, a.checkFunds, a.checkTotals, a.sealedSeeds, a.sealedRows, a.checkLog,
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

// sealedSeeds opens the unrevealed seeds if OpenSeeds was called.
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
	for _, line := range a.sums.Exposures { // each round is also compared with its events
		if line.Kept != line.Open {
			a.addFinding("open rounds of %s may pay %v, the kept exposure is %v", line.Token, line.Open, line.Kept)
		}
	}
	return nil
}

// Err returns nil if there are no findings and at least one block was proved, by this audit
// or the one that it continues. Otherwise it returns an error with the number of findings.
func (r AuditReport) Err() error {
	if len(r.Findings) > 0 {
		return fmt.Errorf("%d findings", len(r.Findings))
	}
	if r.Blocks == 0 && len(r.Since) == 0 {
		return errors.New("there is no block to prove")
	}
	return nil
}

// theoryOf returns a round's theory from the rules, because no store keeps it.
func theoryOf(plan game.Plan) bet.Theory {
	return bet.Theory{RTPPartsPerBillion: plan.RTPPartsPerBillion(), VariancePartsPerBillion: plan.VariancePartsPerBillion()}
}
