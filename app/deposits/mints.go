package deposits

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

const (
	// MintInterval is how long to rest between two steps of the MintWorker.
	MintInterval = 5 * time.Second
	// MintEvery is how often a mint is read whose terms were found unchanged. One that
	// was changed, or couldn't be read, is read at every step.
	MintEvery = time.Hour
)

// mintWatch keeps the newest finding for each token's mint: nil when its terms are
// unchanged.
type mintWatch struct {
	mu    sync.Mutex
	found map[money.Token]error
	// minimum is the newest AccountMinimum, 0 before it was read.
	minimum map[money.Token]money.Amount
}

// withdrawableTerms returns the terms on which withdrawals of a token are taken: the smallest
// one opens a new account.
func (m *mintWatch) withdrawableTerms(terms token.Terms) token.Terms {
	m.mu.Lock()
	defer m.mu.Unlock()
	terms.MinWithdrawal = max(terms.MinWithdrawal, m.minimum[terms.Mint])
	return terms
}

// Withdrawable returns the terms on which withdrawals of a token are taken.
func (c *Service) Withdrawable(terms token.Terms) token.Terms {
	return c.mints.withdrawableTerms(terms)
}

// checkOpen returns nil when deposits of a token may be judged. A token whose mint no longer
// has the terms it was accepted with is TokenNotAccepted. A Token-2022 mint that was not
// read yet is External, because its extensions could undo a credit.
func (m *mintWatch) checkOpen(terms token.Terms) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	refusal, looked := m.found[terms.Mint]
	if !looked && terms.Program == token.Token2022 {
		return fault.New(fault.External, "deposits of token %s are not open yet: its mint is still being checked", terms.Mint)
	}
	return refusal
}

// isStopped reports whether deposits of a token are stopped.
func (m *mintWatch) isStopped(terms token.Terms) bool { return m.checkOpen(terms) != nil }

// keepFinding stores a finding and reports whether it changed.
func (m *mintWatch) keepFinding(mint money.Token, minimum money.Amount, refusal error) (news bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.minimum[mint] = minimum
	before := m.found[mint]
	m.found[mint] = refusal
	return (before == nil) != (refusal == nil)
}

// MintWorker reads the mints of the accepted tokens again and again. A mint that gained
// an extension or changed its terms stops the deposits of its token. It is for one
// goroutine.
type MintWorker struct {
	casino *Service
	due    map[money.Token]time.Time
}

// MintWorker returns a worker. Its first step should run before the first deposit.
func (c *Service) MintWorker() *MintWorker {
	return &MintWorker{casino: c, due: map[money.Token]time.Time{}}
}

// Step reads every mint that is due. It always reports false: the caller may rest for
// MintInterval. A mint that can't be read keeps its newest finding, and the error is
// returned.
func (w *MintWorker) Step(ctx context.Context) (worked bool, err error) {
	c := w.casino
	c.core.Progress.Began(kernel.MintsWorker)
	var unread []error
	now := c.core.Clock.Now()
	for _, terms := range c.core.Tokens.All() {
		if now.Before(w.due[terms.Mint]) {
			continue
		}
		mint, err := c.core.Chain.Mint(ctx, terms)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		refusal := terms.CheckMint(mint)
		if refusal == nil {
			w.due[terms.Mint] = now.Add(MintEvery)
		}
		switch news := c.mints.keepFinding(terms.Mint, mint.AccountMinimum, refusal); {
		case news && refusal != nil:
			c.core.Logger.ErrorContext(ctx, "deposits of a token are stopped", "token", string(terms.Mint), "reason", refusal.Error())
		case news:
			c.core.Logger.WarnContext(ctx, "deposits of a token are taken again", "token", string(terms.Mint))
		}
	}
	return false, errors.Join(unread...)
}
