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
	// MintInterval is the pause between two steps of the MintWorker.
	MintInterval = 5 * time.Second
	// MintEvery is the interval for reading mints with unchanged terms. Mints that changed or
	// couldn't be read are read at every step.
	MintEvery = time.Hour
)

// mintWatch keeps the newest finding for each token's mint: nil if its terms are unchanged.
type mintWatch struct {
	mu    sync.Mutex
	found map[money.Token]error
	// minimum is the newest AccountMinimum, 0 before it was read.
	minimum map[money.Token]money.Amount
}

// withdrawableTerms returns the terms for withdrawals of a token. The minimum must at least
// open a new account.
func (m *mintWatch) withdrawableTerms(terms token.Terms) token.Terms {
	m.mu.Lock()
	defer m.mu.Unlock()
	terms.MinWithdrawal = max(terms.MinWithdrawal, m.minimum[terms.Mint])
	return terms
}

// Withdrawable returns the terms for withdrawals of a token.
func (c *Service) Withdrawable(terms token.Terms) token.Terms {
	return c.mints.withdrawableTerms(terms)
}

// checkOpen returns nil if deposits of a token may be judged. It returns TokenNotAccepted
// if the mint no longer has the terms under which the token was accepted. For a Token-2022
// mint that was not read yet it returns External, because extensions could undo a credit.
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

// keepFinding stores a finding and reports whether deposits were stopped or resumed by it.
func (m *mintWatch) keepFinding(mint money.Token, minimum money.Amount, refusal error) (news bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.minimum[mint] = minimum
	before := m.found[mint]
	m.found[mint] = refusal
	return (before == nil) != (refusal == nil)
}

// MintWorker repeatedly reads the mints of the accepted tokens. A mint with a new extension
// or changed terms stops the deposits of its token. It is for one goroutine.
type MintWorker struct {
	casino *Service
	due    map[money.Token]time.Time
}

// MintWorker returns a worker. Its first step should run before the first deposit.
func (c *Service) MintWorker() *MintWorker {
	return &MintWorker{casino: c, due: map[money.Token]time.Time{}}
}

// Step reads every mint that is due. It always reports false, so that the caller pauses for
// MintInterval. A mint that can't be read keeps its last finding, and the error is
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
			c.core.Logger.WarnContext(ctx, "deposits of a token are accepted again", "token", string(terms.Mint))
		}
	}
	return false, errors.Join(unread...)
}
