package memory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Debts serves ports.DebtReader.
func (s *Store) Debts(_ context.Context) (solvency.Debts, []hashchain.Head, error) {
	defer s.locked()()
	holders := map[string]wallet.Address{}
	for w, v := range s.wallets {
		for id := range v.Withdrawals {
			holders[id] = w
		}
	}
	debts := solvency.Debts{}
	for _, b := range s.book.Balances() {
		amount, fits := b.Amount.Amount()
		if amount == 0 && fits || !b.Account.Kind.Liability() {
			continue
		}
		w := wallet.Address(b.Account.Owner)
		if b.Account.Kind == ledger.Hold {
			w = holders[b.Account.Owner]
		}
		if !fits || w == "" || !debts.Add(b.Account.Kind, w, b.Token, amount) {
			return nil, nil, fmt.Errorf("memory: %s of %s is %s", b.Account, b.Token, b.Amount)
		}
	}
	return debts, s.newest(), nil
}

// SealedBlocks implements ports.DebtReader. Blocks in memory have no seals, because no other
// process can change them.
func (s *Store) SealedBlocks(ctx context.Context, after, until []hashchain.Head, visit func(ports.Block) error) error {
	return s.BlocksAfter(ctx, after, until, visit)
}

// AddSnapshot serves ports.Solvency.
func (s *Store) AddSnapshot(ctx context.Context, snapshot ports.SolvencySnapshot, keepFrom time.Time, record audit.Record, made []event.Event) error {
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.control.Open(); err != nil {
		return err
	}
	if len(s.snapshots) > 0 && !s.snapshots[0].Hour.Before(snapshot.Hour) {
		return ports.ErrSnapshotThere
	}
	if s.records[record.ID] {
		return fmt.Errorf("memory: audit record %q exists already", record.ID)
	}
	s.snapshots = slices.DeleteFunc(slices.Insert(s.snapshots, 0, snapshot), func(old ports.SolvencySnapshot) bool { return old.Hour.Before(keepFrom) })
	s.seal(hashchain.Content{At: record.At, Audit: []audit.Record{record}, Events: made})
	return nil
}

// Snapshots serves ports.Solvency.
func (s *Store) Snapshots(_ context.Context, limit int) ([]ports.SolvencySnapshot, error) {
	defer s.locked()()
	found := slices.Clone(s.snapshots[:min(limit, len(s.snapshots))])
	for i := range found {
		found[i].Ledgers = nil
	}
	return found, nil
}

// SolvencyChunk serves ports.Solvency.
func (s *Store) SolvencyChunk(_ context.Context, hour time.Time, token money.Token, owner solvency.Hash) (ports.SolvencyChunk, error) {
	defer s.locked()()
	for _, snapshot := range s.snapshots {
		for _, l := range snapshot.Ledgers {
			if !snapshot.Hour.Equal(hour) || l.Token != token {
				continue
			}
			for i, chunk := range slices.Backward(l.Chunks) {
				if bytes.Compare(chunk[0].Owner[:], owner[:]) <= 0 {
					return ports.SolvencyChunk{Roots: slices.Clone(l.Roots), Index: i, Chunk: slices.Clone(chunk)}, nil
				}
			}
		}
	}
	return ports.SolvencyChunk{}, fault.New(fault.NotFound, "no leaf of %s", owner)
}

// BalancesAt serves ports.PastBalances. It adds the ledger up again.
func (s *Store) BalancesAt(_ context.Context, w wallet.Address, at time.Time) ([]ports.TokenBalance, error) {
	defer s.locked()()
	own := ledger.PlayerOf(w)
	running, then := map[money.Token]money.Amount{}, map[money.Token]money.Amount{}
	for _, b := range s.blocks {
		for _, p := range b.Postings {
			for _, t := range p.Transfers {
				switch own {
				case t.Debit:
					running[t.Token] -= t.Amount
				case t.Credit:
					running[t.Token] += t.Amount
				default:
					continue
				}
				if !b.At.After(at) {
					then[t.Token] = running[t.Token]
				}
			}
		}
	}
	found := []ports.TokenBalance{}
	for _, token := range tokensOf(then) {
		found = append(found, ports.TokenBalance{Token: token, Amount: then[token]})
	}
	return found, nil
}

// LiabilitiesAt serves ports.PastBalances.
func (s *Store) LiabilitiesAt(_ context.Context, at time.Time) (ports.Liabilities, error) {
	defer s.locked()()
	var found []event.Event
	for _, b := range s.blocks {
		for _, e := range b.Events {
			if moment, _, valid := solvency.ParseEventID(e.ID); e.Kind == event.Solvency && valid && !moment.After(at) {
				found = append(found, e)
			}
		}
	}
	return ports.LiabilitiesOf(found)
}
