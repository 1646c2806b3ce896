package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// AuditStore is what an audit reads. It needs no chain and no clock.
type AuditStore interface {
	ports.Archive
	ports.AuditRows
	ports.Checkpoints
	ports.Figures
	ports.Seeds
	ports.AgentFunds
	ports.Deliveries
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
// The blocks of one lane have an order; blocks of several lanes have none among each
// other. When one lane holds everything, the audit also proves that no balance was ever
// below zero. With several lanes it proves that no balance ends below zero and that each
// pair's nonces are complete over all lanes; what a balance was in between is left to
// the database's constraints.
type Auditor struct {
	store AuditStore
	games *game.Registry
	keep  map[headName]hashchain.Hash

	report         AuditReport
	book           ledger.Book
	last           map[int]hashchain.Link
	daily          map[figure.Key]figure.Cell
	nonces         map[string]*nonces // by pair
	seeds          map[string]string
	providerRounds map[string]providerRound
	things         map[thingName]*thing
	// now is zero where the auditor knows no time.
	now       time.Time
	openSeeds bool
	sealed    ports.SealedRows
	seals     ports.Authenticator
	// ordered is set when all blocks are of one lane.
	ordered bool
}

type headName struct {
	lane int
	seq  int64
}

// NewAuditor returns an auditor that also compares the blocks with the given heads,
// which somebody kept outside the database.
func NewAuditor(store AuditStore, games *game.Registry, kept []hashchain.Head) *Auditor {
	a := &Auditor{
		store: store, games: games, keep: map[headName]hashchain.Hash{},
		last: map[int]hashchain.Link{}, daily: map[figure.Key]figure.Cell{},
		nonces: map[string]*nonces{}, seeds: map[string]string{}, providerRounds: map[string]providerRound{},
		things: map[thingName]*thing{},
	}
	for _, head := range kept {
		a.keep[headName{head.Lane, head.Seq}] = head.Hash
	}
	return a
}

// Run reads everything once. An error means that something could not be read; what was
// found wrong is in the report.
func (a *Auditor) Run(ctx context.Context) (AuditReport, error) {
	if err := a.lanes(ctx); err != nil {
		return AuditReport{}, err
	}
	walk := []func(context.Context) error{
		func(ctx context.Context) error {
			return a.store.Blocks(ctx, func(b ports.Block) error { return a.block(ctx, b) })
		},
		a.heads, a.gaps, a.rows, a.pairs, a.balances, a.funds, a.totals, a.figures, a.auditProviderRounds, a.sealedRows,
	}
	for _, part := range walk {
		if err := part(ctx); err != nil {
			return AuditReport{}, err
		}
	}
	return a.report, nil
}

func (a *Auditor) found(format string, args ...any) {
	if len(a.report.Findings) < findingsMax {
		a.report.Findings = append(a.report.Findings, fmt.Sprintf(format, args...))
	}
}

func (a *Auditor) block(ctx context.Context, b ports.Block) error {
	a.report.Blocks++
	previous, link := a.last[b.Lane], hashchain.Link{Head: b.Head, Epoch: b.Epoch}
	previous.Lane = b.Lane
	name := fmt.Sprintf("block %d:%d", b.Lane, b.Seq)
	a.follows(name, previous, link)
	if b.Previous != previous.Hash {
		a.found("%s names another block before it", name)
	}
	if got := hashchain.Again(previous.Head, b.Seq, b.Content); got.Hash != b.Hash {
		a.found("%s: its content was changed (hash %s, stored %s)", name, got.Hash, b.Hash)
	}
	if kept, ok := a.keep[headName{b.Lane, b.Seq}]; ok {
		delete(a.keep, headName{b.Lane, b.Seq})
		if kept != b.Hash {
			a.found("%s is not the one that was kept (kept %s, stored %s)", name, kept, b.Hash)
		}
	}
	a.last[b.Lane] = link
	return a.content(ctx, name, b.Lane, b.Content)
}

func (a *Auditor) content(ctx context.Context, block string, lane int, c hashchain.Content) error {
	post := a.book.Post
	if !a.ordered {
		post = a.book.Add
	}
	posted := map[string]ledger.Posting{}
	for _, p := range c.Postings {
		a.report.Postings++
		// The book takes the same posting twice without harm; in blocks each key occurs
		// once.
		if _, twice := a.book.Posted(p.Key); twice {
			a.found("%s: posting %v was booked before", block, p.Key)
		} else if err := post(p); err != nil {
			a.found("%s: posting %v can't be booked: %v", block, p.Key, err)
		}
		if p.Key.Kind == ledger.Round {
			posted[p.Key.ID] = p
		}
	}
	for _, round := range c.Rounds {
		a.report.Rounds++
		if err := a.round(ctx, block, lane, c.Epoch, round, posted[round.ID]); err != nil {
			return err
		}
		delete(posted, round.ID)
	}
	for id := range posted {
		a.found("%s: transfers of round %s without the round", block, id)
	}
	a.transactions(block, c)
	a.events(c.Events)
	a.report.Records += len(c.Audit)
	return nil
}

// round checks a round against its transfers, the nonces before it and, once its seed is
// revealed, the rules.
func (a *Auditor) round(ctx context.Context, block string, lane int, epoch int64, r bet.Round, posted ledger.Posting) error {
	if want := r.Posting(); !want.Equal(posted) {
		a.found("%s: round %s is not what was booked for it", block, r.ID)
	}
	a.nonce(block, lane, epoch, r)
	plan, err := a.plan(r)
	if err != nil {
		a.found("%s: round %s: %v", block, r.ID, err)
		return nil
	}
	r.Theory = bet.Theory{
		RTPPartsPerBillion: plan.RTPPartsPerBillion(), VariancePartsPerBillion: plan.VariancePartsPerBillion(),
	}
	key, cell := figure.Of(r)
	a.daily[key] = a.daily[key].Add(cell)
	return a.recompute(ctx, block, r)
}

func (a *Auditor) plan(r bet.Round) (game.Plan, error) {
	rules, err := a.games.Rules(r.GameType, r.Rules)
	if err != nil {
		return nil, err
	}
	return game.Prepare(rules, r.Config, r.Wager)
}

func (a *Auditor) recompute(ctx context.Context, block string, r bet.Round) error {
	seed, asked := a.seeds[r.PairID]
	if !asked {
		revealed, err := a.store.RevealedPair(ctx, r.PairID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		seed = revealed.ServerSeed
		a.seeds[r.PairID] = seed
	}
	if seed == "" || r.Void {
		return nil
	}
	a.report.Recomputed++
	result, commitment, err := a.games.Verify(game.RoundInputs{
		GameType: r.GameType, Rules: r.Rules, Config: r.Config,
		ServerSeed: seed, ClientSeed: r.ClientSeed, Nonce: r.Nonce,
	})
	payout, ok := r.Wager.Times(result.Multiplier)
	switch {
	case err != nil:
		a.found("%s: round %s can't be recomputed: %v", block, r.ID, err)
	case commitment != r.Commitment:
		a.found("%s: round %s: the revealed seed is not the one committed to", block, r.ID)
	case !result.Outcome.Equal(r.Outcome) || !ok || payout != r.Payout:
		a.found("%s: round %s is not what its seeds decide", block, r.ID)
	}
	return nil
}

func (a *Auditor) heads(ctx context.Context) error {
	heads, err := a.store.Heads(ctx)
	if err != nil {
		return err
	}
	a.report.Heads = heads
	for _, head := range heads {
		if a.last[head.Lane].Head != head {
			a.found("lane %d: its head is %d, the last block is %d", head.Lane, head.Seq, a.last[head.Lane].Seq)
		}
		delete(a.last, head.Lane)
	}
	for _, last := range a.last {
		a.found("lane %d: its head is missing, the last block is %d", last.Lane, last.Seq)
	}
	for name := range a.keep {
		a.found("block %d:%d was kept and is not there any more", name.lane, name.seq)
	}
	return nil
}

func (a *Auditor) balances(ctx context.Context) error {
	type line struct {
		account ledger.Account
		token   money.Token
	}
	stored := map[line]bool{}
	err := a.store.LiabilityBalances(ctx, func(b ledger.Balance) error {
		a.report.Accounts++
		stored[line{b.Account, b.Token}] = true
		if want := a.book.Balance(b.Account, b.Token); want != b.Amount {
			a.found("%v holds %v of %s, its transfers add up to %v", b.Account, b.Amount, b.Token, want)
		}
		return nil
	})
	for _, b := range a.book.Balances() {
		if b.Account.Kind.Liability() && b.Amount.Sign() != 0 && !stored[line{b.Account, b.Token}] {
			a.found("%v has no balance of %s, its transfers add up to %v", b.Account, b.Token, b.Amount)
		}
	}
	for _, b := range a.book.OutOfBounds() {
		a.found("%v can't hold %v of %s", b.Account, b.Amount, b.Token)
	}
	return err
}

func (a *Auditor) totals(ctx context.Context) error {
	stored, err := a.store.Totals(ctx)
	if err != nil {
		return err
	}
	want := a.book.Totals()
	sums := map[money.Token]money.Total{}
	for _, total := range stored {
		if want[total.Account][total.Token] != total.Amount {
			a.found("kept total of %v in %s is %v, transfers add up to %v",
				total.Account, total.Token, total.Amount, want[total.Account][total.Token])
		}
		delete(want[total.Account], total.Token)
		sums[total.Token] = sums[total.Token].Add(total.Amount)
	}
	for account, tokens := range want {
		for token, amount := range tokens {
			if amount.Sign() != 0 {
				a.found("kept total of %v in %s is missing, transfers add up to %v", account, token, amount)
			}
		}
	}
	for token, sum := range sums {
		if sum.Sign() != 0 {
			a.found("the kept totals of %s add up to %v instead of 0", token, sum)
		}
	}
	return nil
}

func (a *Auditor) figures(ctx context.Context) error {
	stored, err := a.store.Daily(ctx, "0000-01-01", "9999-12-31")
	if err != nil {
		return err
	}
	for _, kept := range stored {
		if kept.Cell != a.daily[kept.Key] {
			a.found("kept figures of %+v are %+v, rounds add up to %+v", kept.Key, kept.Cell, a.daily[kept.Key])
		}
		delete(a.daily, kept.Key)
	}
	for key := range a.daily {
		a.found("kept figures of %+v are missing", key)
	}
	return nil
}

// Err returns nil for a report without findings and with at least one block, else an
// error with the number of findings.
func (r AuditReport) Err() error {
	if len(r.Findings) > 0 {
		return fmt.Errorf("%d findings", len(r.Findings))
	}
	if r.Blocks == 0 {
		return errors.New("there is no block to prove")
	}
	return nil
}
