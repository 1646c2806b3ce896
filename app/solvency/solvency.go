// Package solvency states once an hour what is owed to players, and proves to each of them
// that they are counted.
package solvency

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

const (
	// Interval is how long to rest between two looks whether an hour has begun.
	Interval = 30 * time.Second
	// KeepMin and KeepMax are how long snapshots may be kept.
	KeepMin = 2 * time.Hour
	KeepMax = 48 * time.Hour
	// every is how much time a snapshot stands for.
	every = time.Hour
)

// Service is the use cases of solvency. It is safe for concurrent use.
type Service struct {
	core   *kernel.Kernel
	signer ports.StatementSigner
	keep   time.Duration
}

// New returns the use cases of solvency. The signer signs the statements, which are kept for
// a time.
func New(core *kernel.Kernel, signer ports.StatementSigner, keep time.Duration) *Service {
	return &Service{core, signer, keep}
}

// Step makes the snapshot of the present hour unless there is one, and reports whether it did.
// Of several instances one is first.
func (c *Service) Step(ctx context.Context) (worked bool, err error) {
	c.core.Progress.Began(kernel.SolvencyWorker)
	now := c.core.Now()
	hour := now.Truncate(every)
	kept, err := c.core.Store.Solvency.Snapshots(ctx, 1)
	if err != nil || len(kept) > 0 && !kept[0].Hour.Before(hour) {
		return false, err
	}
	state, err := c.core.Store.Controls.State(ctx)
	if err != nil || state.Ledger == "" {
		return false, err
	}
	stated := checkpoint.Statement{
		Purpose: solvency.Purpose, Ledger: state.Ledger, Epoch: state.Epoch, At: now.Truncate(time.Millisecond), Slot: c.core.Progress.Slot(),
	}
	holdings := c.holdings(ctx)
	debts, heads, err := c.derived(ctx, kept)
	if err != nil {
		return false, err
	}
	stated.Heads = heads
	salts := c.core.Entropy.Seed()
	snapshot := ports.SolvencySnapshot{Hour: hour, Key: salts[:]}
	var all []solvency.Stated
	var made []event.Event
	for _, s := range c.withDebts(holdings, debts) {
		l, err := solvency.NewLedger(s.Token, snapshot.Key, hour, debts[s.Token])
		if err != nil {
			return false, err
		}
		s.Root, s.Leaves = l.Root(), l.Size()
		all, made = append(all, s), append(made, l.Event(stated.At, heads))
		snapshot.Ledgers = append(snapshot.Ledgers, l)
	}
	stated.Facts = solvency.Facts(all)
	if snapshot.Signed, err = c.signer.Sign(stated); err != nil {
		return false, err
	}
	record := audit.Record{
		ID: c.core.Entropy.ID(), Action: audit.SolvencyStated, Target: strconv.FormatInt(hour.UnixMilli(), 10), At: now,
	}
	err = c.core.Store.Solvency.AddSnapshot(ctx, snapshot, hour.Add(every-c.keep), record, made)
	return err == nil, kernel.Overtaken(err)
}

// about is what alarms of solvency are about.
const about = "solvency"

// derived returns what is owed, and the heads of the blocks that it follows from: those since
// the newest snapshot, or all before the first one. If it doesn't follow somebody changed
// balances or blocks. Then nothing is signed, and an alarm is raised.
func (c *Service) derived(ctx context.Context, newest []ports.SolvencySnapshot) (solvency.Debts, []hashchain.Head, error) {
	var before checkpoint.Statement
	var of ports.SolvencySnapshot
	if len(newest) > 0 {
		var err error
		of = newest[0]
		if before, err = checkpoint.Parse(of.Signed.Text); err != nil {
			return nil, nil, err
		}
	}
	debts, heads, err := c.core.Store.DebtReader.Debts(ctx)
	if err == nil {
		booked := solvency.BookedAfter(before.Heads)
		err = c.core.Store.DebtReader.SealedBlocks(ctx, before.Heads, heads, func(b ports.Block) error { return booked.Add(b.Head, b.Content) })
		if err == nil {
			err = booked.Check(debts, heads, of.Key, of.Hour, before)
		}
	}
	switch {
	case err == nil:
		c.core.Alarms.Over(ctx, alarm.SolvencyUnproved, about)
	case errors.Is(err, solvency.ErrUnproved):
		c.core.Alarms.Raise(ctx, alarm.SolvencyUnproved, about, "error", err.Error())
	}
	return debts, heads, err
}

// holdings are the accepted tokens, with what their addresses hold.
func (c *Service) holdings(ctx context.Context) []solvency.Stated {
	all := []solvency.Stated{}
	for _, terms := range c.core.Tokens.All() {
		s := solvency.Stated{Token: terms.Mint, Treasury: c.address(terms)}
		if held, err := c.core.Chain.Holding(ctx, terms); err == nil {
			s.Holding = &held
		}
		all = append(all, s)
	}
	return all
}

// address is where a token is held.
func (c *Service) address(terms token.Terms) string {
	if of, err := c.core.Chain.Treasury(terms); err == nil && of.TokenAccount != "" {
		return of.TokenAccount
	}
	return c.core.Chain.TreasuryAddress()
}

// withDebts adds the tokens that are owed and no longer accepted, and sorts all by mint.
func (c *Service) withDebts(accepted []solvency.Stated, debts solvency.Debts) []solvency.Stated {
	for _, mint := range slices.Sorted(maps.Keys(debts)) {
		if !slices.ContainsFunc(accepted, func(s solvency.Stated) bool { return s.Token == mint }) {
			accepted = append(accepted, solvency.Stated{Token: mint, Treasury: c.core.Chain.TreasuryAddress()})
		}
	}
	slices.SortFunc(accepted, func(a, b solvency.Stated) int { return cmp.Compare(a.Token, b.Token) })
	return accepted
}

// Account is what a player is shown: the newest statement, and what is owed to them in it.
type Account struct {
	Signed checkpoint.Signed
	Wallet wallet.Address
	Salt   solvency.Hash
	// Proofs are one for each token in which anything is owed to them.
	Proofs []solvency.Proof
}

// Prove returns the newest statement with the caller's proofs.
func (c *Service) Prove(ctx context.Context, caller kernel.Caller) (Account, error) {
	newest, err := c.core.Store.Solvency.Snapshots(ctx, 1)
	if err != nil {
		return Account{}, err
	}
	if len(newest) == 0 {
		return Account{}, fault.New(fault.NotFound, "no snapshot was made yet: the first one follows within a minute of the service's start, the next ones each hour")
	}
	snapshot := newest[0]
	answer := Account{Signed: snapshot.Signed, Wallet: caller.Wallet, Salt: solvency.Salt(snapshot.Key, caller.Wallet, snapshot.Hour)}
	statement, err := checkpoint.Parse(snapshot.Signed.Text)
	if err != nil {
		return Account{}, err
	}
	stated, err := solvency.ParseFacts(statement.Facts)
	if err != nil {
		return Account{}, err
	}
	owner := solvency.Owner(caller.Wallet, answer.Salt)
	for _, s := range stated {
		chunk, err := c.core.Store.Solvency.SolvencyChunk(ctx, snapshot.Hour, s.Token, owner)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return Account{}, err
		}
		if proof, found := solvency.Prove(s.Token, chunk.Roots, chunk.Index, chunk.Chunk, owner); found {
			if err := proof.Check(caller.Wallet, answer.Salt, stated); err != nil {
				return Account{}, fmt.Errorf("app: the solvency snapshot of %s is broken: %v", snapshot.Hour, err) //nolint:errorlint // no fault of the caller's
			}
			answer.Proofs = append(answer.Proofs, proof)
		}
	}
	return answer, nil
}

// Statements returns the statements that are kept, the newest first.
func (c *Service) Statements(ctx context.Context) ([]checkpoint.Signed, error) {
	kept, err := c.core.Store.Solvency.Snapshots(ctx, int(KeepMax/every)+1)
	signed := make([]checkpoint.Signed, len(kept))
	for i, snapshot := range kept {
		signed[i] = snapshot.Signed
	}
	return signed, err
}
