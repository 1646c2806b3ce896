// Package audit recomputes the ledger from its rows and states what it is in checkpoints.
package audit

import (
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/ports"
)

// Service is the use cases of public checkpoints. It is safe for concurrent use.
type Service struct {
	core *kernel.Kernel
	// statements signs checkpoint, which is the newest one.
	statements ports.StatementSigner
	checkpoint checkpointCache
}

// New returns the use cases of public checkpoints. Statements signs them; nil leaves them
// unsigned.
func New(core *kernel.Kernel, statements ports.StatementSigner) *Service {
	return &Service{core: core, statements: statements}
}
