package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Lease serves ports.PayoutQueue.
func (s *Store) Lease(_ context.Context, id, worker string, now, until time.Time) (bool, error) {
	defer s.locked()()
	if lease := s.leases[id]; lease.Held(now) && lease.Worker != worker {
		return false, nil
	}
	s.leases[id] = withdrawal.Lease{Worker: worker, Until: until}
	return true, nil
}

// Release serves ports.PayoutQueue.
func (s *Store) Release(_ context.Context, id, worker string) error {
	defer s.locked()()
	if s.leases[id].Worker == worker {
		delete(s.leases, id)
	}
	return nil
}

// PayoutState serves ports.PayoutQueue.
func (s *Store) PayoutState(_ context.Context, q withdrawal.PayoutQuery) (withdrawal.PayoutControls, error) {
	defer s.locked()()
	return s.payoutState(q), nil
}

func (s *Store) payoutState(q withdrawal.PayoutQuery) withdrawal.PayoutControls {
	controls := withdrawal.PayoutControls{
		Paused: s.pause.Paused, Lease: s.leases[q.WithdrawalID],
		Index: s.index.position, Landed: s.index.paymentOf(q.WithdrawalID),
	}
	held, _ := s.book.Balance(ledger.HoldOf(q.WithdrawalID), q.Token).Amount() // a hold never exceeds an Amount
	controls.Held = held
	for _, end := range [...]ledger.KeyKind{ledger.Refund, ledger.Payout} {
		_, ended := s.book.Posted(ledger.Key{Kind: end, ID: q.WithdrawalID})
		controls.Ended = controls.Ended || ended
	}
	for _, l := range s.lines {
		for _, attempt := range s.attempts[l.ID] {
			if l.Token == q.Token && attempt.CreatedAt.After(q.Since) && !s.buried[attempt.Signature] {
				controls.Signed = controls.Signed.AddAmount(l.Amount)
			}
		}
	}
	for _, attempt := range s.attempts[q.WithdrawalID] {
		controls.Attempts++
		if _, landed := s.book.Posted(ledger.Key{Kind: ledger.PayoutFee, ID: attempt.Signature}); landed {
			controls.Costly = attempt.Number
		}
	}
	return controls
}

// Pause serves ports.PayoutControls.
func (s *Store) Pause(context.Context) (withdrawal.Pause, error) {
	defer s.locked()()
	return s.pause, nil
}

// ChangePause serves ports.PayoutControls. The decision must not call the store.
func (s *Store) ChangePause(_ context.Context, decide ports.PauseDecision) error {
	defer s.locked()()
	next, record, err := decide(s.pause)
	if err != nil {
		return err
	}
	if s.records[record.ID] {
		return fmt.Errorf("memory: audit record %q exists already", record.ID)
	}
	s.pause = next
	s.seal(hashchain.Content{At: record.At, Audit: []audit.Record{record}})
	return nil
}
