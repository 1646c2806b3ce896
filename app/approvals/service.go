// Package approvals has two persons decide what one may not decide alone.
package approvals

import (
	"fmt"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/approval"
)

// Service is the use cases of approval requests. It is safe for concurrent use.
type Service struct {
	core *kernel.Kernel
	// effects are what requests do once they are approved, by kind.
	effects map[approval.Kind]EffectOf
}

// New returns the use cases of approval requests. Register adds what requests do.
func New(core *kernel.Kernel) *Service { return &Service{core, map[approval.Kind]EffectOf{}} }

// Register says what approving requests of the kind does. It is called before the first
// request, by the feature that the kind belongs to.
func (c *Service) Register(kind approval.Kind, effect EffectOf) { c.effects[kind] = effect }

// Complete returns an error that names a kind of request that no feature registered.
func (c *Service) Complete() error {
	for _, kind := range approval.Kinds() {
		if c.effects[kind] == nil {
			return fmt.Errorf("app: no feature carries out approval requests of kind %q", kind)
		}
	}
	return nil
}
