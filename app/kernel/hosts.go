package kernel

import (
	"context"
	"net/url"

	"github.com/casino-service/casino/domain/fault"
)

// PublicHostOf refuses a URL in a field whose host leads elsewhere than to the public
// internet. An empty one has none.
func (c *Kernel) PublicHostOf(ctx context.Context, field, text string) error {
	if c.Hosts == nil || text == "" {
		return nil
	}
	at, err := url.Parse(text)
	if err != nil {
		return fault.Field(field, "must be a URL")
	}
	switch err := c.Hosts.PublicHost(ctx, at.Hostname()); {
	case fault.Is(err, fault.Invalid), fault.Is(err, fault.NotFound):
		return fault.Field(field, "%v", err)
	case c.Settings.LocalSites && fault.Is(err, fault.Unavailable): // a machine without a network
		return nil
	default:
		return err
	}
}
