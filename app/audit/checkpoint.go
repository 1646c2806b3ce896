// Package audit recomputes the ledger from its rows and publishes its newest blocks in
// checkpoints.
package audit

import (
	"context"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of public checkpoints. It is safe for concurrent use.
type Service struct {
	core *kernel.Kernel
	// statements signs checkpoints; checkpoint caches the newest one.
	statements ports.StatementSigner
	checkpoint checkpointCache
}

// New returns the use cases of public checkpoints. Statements signs them; nil leaves them
// unsigned.
func New(core *kernel.Kernel, statements ports.StatementSigner) *Service {
	return &Service{core: core, statements: statements}
}

// Keys returns the public halves of the keys that sign checkpoints, newest first.
func (c *Service) Keys() []checkpoint.Key {
	if c.statements == nil {
		return nil
	}
	return c.statements.PublicKeys()
}

// checkpointFresh is the maximum age of a returned checkpoint. It is read and signed at
// most once in this time.
const checkpointFresh = time.Second

// Checkpoint has the ledger's newest blocks at a moment. A head that is kept elsewhere
// later proves that nothing before it was changed; a signed one also proves that this
// service published it.
type Checkpoint struct {
	// Heads are the newest blocks, one a lane.
	Heads []hashchain.Head
	// Signed is the signed statement; nil without a signer, or before the ledger has an id.
	Signed *SignedCheckpoint
	// Keys are the public keys, newest first.
	Keys []checkpoint.Key
}

// SignedCheckpoint is a statement with its signed text.
type SignedCheckpoint struct {
	checkpoint.Statement
	checkpoint.Signed
}

// checkpointCache is the newest checkpoint and its time.
type checkpointCache struct {
	mu   sync.Mutex
	made Checkpoint
	at   time.Time
}

// Checkpoint returns the newest blocks, at most a second old. The slot is the newest that a
// step of Health saw; no request is sent to the chain.
func (c *Service) Checkpoint(ctx context.Context) (Checkpoint, error) {
	kept := &c.checkpoint
	kept.mu.Lock()
	defer kept.mu.Unlock()
	now := c.core.Now()
	// A negative age means that the clock stepped back: the age is unknown.
	if age := now.Sub(kept.at); age >= 0 && age < checkpointFresh {
		return kept.made, nil
	}
	made, err := c.newCheckpoint(ctx, now)
	if err != nil {
		return Checkpoint{}, err
	}
	kept.made, kept.at = made, now
	return made, nil
}

func (c *Service) newCheckpoint(ctx context.Context, now time.Time) (Checkpoint, error) {
	state, err := c.core.Store.Controls.State(ctx) // read first, so that no head is of an earlier epoch
	if err != nil {
		return Checkpoint{}, err
	}
	heads, err := c.core.Store.Checkpoints.Heads(ctx)
	made := Checkpoint{Heads: heads}
	if err != nil || c.statements == nil {
		return made, err
	}
	made.Keys = c.statements.PublicKeys()
	if state.Ledger == "" {
		return made, nil
	}
	stated := checkpoint.Statement{
		Purpose: checkpoint.Public, Ledger: state.Ledger, Epoch: state.Epoch,
		At: now.Truncate(time.Millisecond), Slot: c.core.Progress.Slot(), Heads: heads,
	}
	signed, err := c.statements.Sign(stated)
	made.Signed = &SignedCheckpoint{stated, signed}
	return made, err
}
