package ports

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Brandings keeps the public branding. A change is a short transaction with its
// audit record in the same commit.
type Brandings interface {
	// Branding returns the branding as it was changed last, or NotFound before the
	// first change.
	Branding(ctx context.Context) (branding.Branding, error)
	// ChangeBranding runs decide on the role of the admin who changes it and on
	// the present branding, nil before the first change, both read under lock, and
	// stores what it returns. A refusal changes nothing and is returned as it is.
	ChangeBranding(ctx context.Context, by wallet.Address, decide BrandingDecision) error
}

// BrandingDecision decides on the next branding. The actor without a role is the
// zero Assignment.
type BrandingDecision func(actor rbac.Assignment, present *branding.Branding) (branding.Branding, audit.Record, error)
