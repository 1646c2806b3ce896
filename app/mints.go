package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

const (
	// MintInterval is how long the edge rests between two steps of the MintWorker.
	MintInterval = 5 * time.Second
	// MintEvery is how often a mint is read that was found as its terms say. One
	// that wasn't, or couldn't be read, is read at every step.
	MintEvery = time.Hour
)

// mintWatch keeps what was last found of each token's mint: nil when it is as
// its terms say.
type mintWatch struct {
	mu    sync.Mutex
	found map[money.Token]error
}

// open returns nil when deposits of a token may be judged. One whose mint is no
// longer as it was taken is TokenNotAccepted; a Token-2022 mint that was not
// looked at yet is External, because its extensions could undo a credit.
func (m *mintWatch) open(terms token.Terms) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	refusal, looked := m.found[terms.Mint]
	if !looked && terms.Program == token.Token2022 {
		return fault.New(fault.External, "deposits of token %s are not open yet: its mint is still being checked", terms.Mint)
	}
	return refusal
}

// stopped reports whether deposits of a token wait until open says otherwise.
func (m *mintWatch) stopped(terms token.Terms) bool { return m.open(terms) != nil }

// keep stores what was found and reports whether it is news.
func (m *mintWatch) keep(mint money.Token, refusal error) (news bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.found[mint]
	m.found[mint] = refusal
	return (before == nil) != (refusal == nil)
}

// MintWorker looks at the mints of the accepted tokens again and again: a mint
// that grew an extension or changed its terms stops the deposits of its token.
// Its steps are one loop's.
type MintWorker struct {
	casino *Casino
	due    map[money.Token]time.Time
}

// MintWorker returns the worker; its first step should come before the first
// deposit.
func (c *Casino) MintWorker() *MintWorker {
	return &MintWorker{casino: c, due: map[money.Token]time.Time{}}
}

// Step reads every mint that is due. It reports false: the edge may rest for
// MintInterval. What can't be read stays as it was last found, and is an error.
func (w *MintWorker) Step(ctx context.Context) (worked bool, err error) {
	c := w.casino
	var unread []error
	now := c.Clock.Now()
	for _, terms := range c.Tokens.All() {
		if now.Before(w.due[terms.Mint]) {
			continue
		}
		mint, err := c.chain.Mint(ctx, terms)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		refusal := terms.CheckMint(mint)
		if refusal == nil {
			w.due[terms.Mint] = now.Add(MintEvery)
		}
		switch news := c.mints.keep(terms.Mint, refusal); {
		case news && refusal != nil:
			c.Logger.ErrorContext(ctx, "deposits of a token are stopped", "token", string(terms.Mint), "reason", refusal.Error())
		case news:
			c.Logger.WarnContext(ctx, "deposits of a token are taken again", "token", string(terms.Mint))
		}
	}
	return false, errors.Join(unread...)
}
