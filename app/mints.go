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

// MintRest is how long the edge rests between two looks at the mints.
const MintRest = time.Hour

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
		return fault.New(fault.External, "deposits of token %s are taken as soon as its mint was read", terms.Mint)
	}
	return refusal
}

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
type MintWorker struct{ casino *Casino }

// MintWorker returns the worker; its first step should come before the first
// deposit.
func (c *Casino) MintWorker() *MintWorker { return &MintWorker{casino: c} }

// Step reads every mint once. It reports false: the edge may rest for MintRest.
// What can't be read stays as it was last found, and is an error.
func (w *MintWorker) Step(ctx context.Context) (worked bool, err error) {
	c := w.casino
	var unread []error
	for _, terms := range c.Tokens.All() {
		mint, err := c.Chain.Mint(ctx, terms)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		refusal := terms.CheckMint(mint)
		switch news := c.mints.keep(terms.Mint, refusal); {
		case refusal != nil:
			c.Logger.ErrorContext(ctx, "deposits of a token are stopped", "token", string(terms.Mint), "reason", refusal.Error())
		case news:
			c.Logger.WarnContext(ctx, "deposits of a token are taken again", "token", string(terms.Mint))
		}
	}
	return false, errors.Join(unread...)
}
