package memory

import (
	"context"
	"slices"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

func lineID(l line) string { return l.ID }

func (s *Store) has(id string) bool {
	_, ok := search(s.lines, lineID, id)
	return ok
}

// storeLines stores the lines of the account that a change adds or replaces.
func (s *Store) storeLines(before player.View, c player.Change) {
	agent := before.Player.Agent
	if c.Withdrawal != nil {
		s.storeLine(ports.WithdrawalLine(*c.Withdrawal), agent)
	}
	if c.Deposit != nil {
		s.storeLine(ports.DepositLine(*c.Deposit), agent)
	}
	if c.Adjustment != nil {
		s.storeLine(ports.AdjustmentLine(*c.Adjustment), agent)
		s.adjustments = append(s.adjustments, *c.Adjustment)
		if at, ok := search(s.lines, lineID, c.Adjustment.Reference); ok && c.Adjustment.Kind.IsCorrection() {
			s.lines[at].CorrectedBy = c.Adjustment.ID
		}
	}
}

// Adjustment serves ports.Bookings.
func (s *Store) Adjustment(_ context.Context, id string) (player.Adjustment, error) {
	defer s.locked()()
	for _, a := range s.adjustments {
		if a.ID == id {
			return a, nil
		}
	}
	return player.Adjustment{}, fault.New(fault.NotFound, "no adjustment %q", id)
}

// Posting serves ports.Bookings.
func (s *Store) Posting(_ context.Context, key ledger.Key) (ledger.Posting, error) {
	defer s.locked()()
	transfers, ok := s.book.Posted(key)
	if !ok || key.Kind == ledger.Round {
		return ledger.Posting{}, fault.New(fault.NotFound, "no posting %v", key)
	}
	return ledger.Posting{Key: key, Transfers: transfers}, nil
}

// Corrected serves ports.Bookings.
func (s *Store) Corrected(_ context.Context, key ledger.Key) (bool, error) {
	defer s.locked()()
	of := player.CorrectionKeyOf(key)
	_, ok := s.keys[keyName{of.Kind, of.Scope, of.ID}]
	return ok, nil
}

// storeLine adds a line, or replaces the one of its id, which keeps its agent.
func (s *Store) storeLine(t ports.Transaction, agent string) {
	if at, ok := search(s.lines, lineID, t.ID); ok {
		s.lines[at].Transaction = t
		return
	}
	s.lines = inserted(s.lines, line{t, agent}, lineID)
}

// Transactions serves ports.Transactions.
func (s *Store) Transactions(_ context.Context, f ports.TransactionFilter, page ports.Page) (ports.TransactionPage, error) {
	defer s.locked()()
	lines, info, err := listed(s.lines, lineID, func(l line) bool {
		return wants(f.Wallet, l.Wallet) && wants(f.Type, l.Type) && wants(f.Status, l.Status) &&
			wants(f.Token, l.Token) && wants(f.Agent, l.agent) && within(f.From, f.To, l.CreatedAt)
	}, page)
	transactions := make([]ports.Transaction, len(lines))
	for i, l := range lines {
		transactions[i] = l.Transaction
	}
	return ports.TransactionPage{Transactions: transactions, PageInfo: info}, err
}

// Withdrawal serves ports.Withdrawals.
func (s *Store) Withdrawal(_ context.Context, id string) (withdrawal.Withdrawal, error) {
	defer s.locked()()
	at, ok := search(s.lines, lineID, id)
	if !ok || s.lines[at].Type != ports.WithdrawalTransaction {
		return withdrawal.Withdrawal{}, fault.New(fault.NotFound, "no withdrawal %q", id)
	}
	return s.withdrawal(s.lines[at]), nil
}

func (s *Store) withdrawal(l line) withdrawal.Withdrawal {
	w := s.wallets[l.Wallet].Withdrawals[l.ID]
	w.Approvals = slices.Clone(w.Approvals)
	return w
}

// WithdrawalsIn serves ports.Withdrawals.
func (s *Store) WithdrawalsIn(_ context.Context, status withdrawal.Status, after string, limit int) ([]withdrawal.Withdrawal, error) {
	defer s.locked()()
	found := []withdrawal.Withdrawal{}
	for _, l := range s.waiting(ports.WithdrawalTransaction, string(status), after, limit) {
		found = append(found, s.withdrawal(l))
	}
	return found, nil
}

// OpenWithdrawals serves ports.Withdrawals.
func (s *Store) OpenWithdrawals(_ context.Context, w wallet.Address) ([]withdrawal.Withdrawal, error) {
	defer s.locked()()
	found := []withdrawal.Withdrawal{}
	for _, l := range slices.Backward(s.lines) {
		if l.Wallet == w && l.Type == ports.WithdrawalTransaction && withdrawal.Status(l.Status).Open() {
			found = append(found, s.withdrawal(l))
		}
	}
	return found, nil
}

// waiting returns up to limit lines of a type and status after an id, oldest first.
func (s *Store) waiting(kind ports.TransactionType, status, after string, limit int) []line {
	var found []line
	for _, l := range s.lines {
		if len(found) < limit && l.ID > after && l.Type == kind && l.Status == status {
			found = append(found, l)
		}
	}
	return found
}

// Attempt serves ports.Withdrawals.
func (s *Store) Attempt(_ context.Context, withdrawalID string) (withdrawal.Attempt, error) {
	defer s.locked()()
	all := s.attempts[withdrawalID]
	if len(all) == 0 {
		return withdrawal.Attempt{}, fault.New(fault.NotFound, "no attempt to pay withdrawal %q", withdrawalID)
	}
	newest := all[len(all)-1]
	newest.Transaction = slices.Clone(newest.Transaction)
	return newest, nil
}

// Claim serves ports.Deposits.
func (s *Store) Claim(_ context.Context, w wallet.Address, ref deposit.Ref) (deposit.Claim, error) {
	defer s.locked()()
	claim, ok := s.wallets[w].Deposits[ref]
	if !ok {
		return deposit.Claim{}, fault.New(fault.NotFound, "no claim of %s to transaction %q", w, ref.Signature)
	}
	return claim, nil
}

// ClaimsOf serves ports.Deposits.
func (s *Store) ClaimsOf(_ context.Context, ref deposit.Ref) ([]deposit.Claim, error) {
	defer s.locked()()
	found := []deposit.Claim{}
	for _, l := range s.lines {
		if l.Type == ports.DepositTransaction && l.Signature == ref.Signature && l.Token == ref.Token {
			found = append(found, s.wallets[l.Wallet].Deposits[ref])
		}
	}
	return found, nil
}

// PendingClaims serves ports.Deposits.
func (s *Store) PendingClaims(_ context.Context, after string, limit int) ([]deposit.Claim, error) {
	defer s.locked()()
	found := []deposit.Claim{}
	for _, l := range s.waiting(ports.DepositTransaction, string(deposit.Pending), after, limit) {
		ref := deposit.Ref{Signature: l.Signature, Token: l.Token}
		found = append(found, s.wallets[l.Wallet].Deposits[ref])
	}
	return found, nil
}

// UnclaimedBalances serves ports.Unclaimed.
func (s *Store) UnclaimedBalances(_ context.Context, f ports.UnclaimedFilter, page ports.Page) (ports.UnclaimedPage, error) {
	defer s.locked()()
	place := func(b ports.UnclaimedBalance) string { return string(b.Wallet) + " " + string(b.Token) }
	var all []ports.UnclaimedBalance
	for w, v := range s.wallets {
		for token, amount := range v.Unclaimed {
			if amount > 0 {
				all = inserted(all, ports.UnclaimedBalance{Wallet: w, TokenBalance: ports.TokenBalance{Token: token, Amount: amount}}, place)
			}
		}
	}
	found, info, err := listed(all, place, func(b ports.UnclaimedBalance) bool {
		return wants(f.Wallet, b.Wallet) && wants(f.Token, b.Token)
	}, page)
	return ports.UnclaimedPage{Balances: found, PageInfo: info}, err
}
