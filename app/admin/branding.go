package admin

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
)

// PublicBranding returns the branding in force: the newest one that an admin chose, or
// Deps.Branding.
func (c *Service) PublicBranding(ctx context.Context) (branding.Branding, error) {
	chosen, err := c.core.Store.Brandings.Branding(ctx)
	if fault.Is(err, fault.NotFound) {
		return c.core.Branding, nil
	}
	return chosen, err
}

// BrandingChange holds the fields of the branding that are to change; nil fields keep
// their value.
type BrandingChange struct{ Title, LogoURL, AccentColor *string }

// ChangeBranding changes the branding and returns all of it.
func (c *Service) ChangeBranding(ctx context.Context, caller kernel.Caller, change BrandingChange) (branding.Branding, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.WhitelabelWrite); err != nil {
		return branding.Branding{}, err
	}
	if err := c.checkLogo(ctx, change); err != nil {
		return branding.Branding{}, err
	}
	record := c.core.Record(caller, audit.BrandingChanged, "branding")
	var next branding.Branding
	err := c.core.Store.Brandings.ChangeBranding(ctx, caller.Wallet, func(actor rbac.Assignment, present *branding.Branding) (branding.Branding, audit.Record, error) {
		if err := c.core.Policy.Check(actor, rbac.WhitelabelWrite); err != nil {
			return branding.Branding{}, audit.Record{}, err
		}
		if actor.AgentCode != "" {
			return branding.Branding{}, audit.Record{}, fault.New(fault.Forbidden, "an admin bound to an agent can't change the branding")
		}
		before := c.core.Branding
		if present != nil {
			before = *present
		}
		next = before
		for _, field := range []struct {
			value *string
			into  *string
		}{{change.Title, &next.Title}, {change.LogoURL, &next.LogoURL}, {change.AccentColor, &next.AccentColor}} {
			if field.value != nil {
				*field.into = *field.value
			}
		}
		if err := next.Check(); err != nil {
			return branding.Branding{}, audit.Record{}, err
		}
		record.Before, record.After = describeBranding(before), describeBranding(next)
		return next, record, nil
	})
	return next, err
}

// checkLogo refuses a logo whose host's name leads to anything but the public internet, or
// nowhere: the pages of players would ask there. A URL that is refused anyway isn't looked
// up.
func (c *Service) checkLogo(ctx context.Context, change BrandingChange) error {
	if change.LogoURL == nil {
		return nil
	}
	next := branding.Default()
	if next.LogoURL = *change.LogoURL; next.Check() != nil {
		return nil //nolint:nilerr // it is refused with every other fault of the change
	}
	return c.core.PublicHostOf(ctx, "logoUrl", next.LogoURL)
}

func describeBranding(b branding.Branding) string {
	return b.Title + " " + b.LogoURL + " " + b.AccentColor
}
