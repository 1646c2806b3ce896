package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
)

// Branding serves ports.Brandings. The public asks for it, and all for the same.
func (r *Reads) Branding(ctx context.Context) (branding.Branding, error) {
	return sharedByAll(ctx, r, func(ctx context.Context) (branding.Branding, error) {
		return from(r, rows.Branding).one(ctx, "read branding", fault.New(fault.NotFound, "the branding was never changed"))
	}, "branding")
}
