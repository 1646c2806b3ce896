package rows

import "github.com/casino-service/casino/domain/branding"

// Branding is the one row of the branding.
var Branding = table("branding", "b",
	single[branding.Branding]("one"),
	text("title", func(b *branding.Branding) *string { return &b.Title }),
	text("logo_url", func(b *branding.Branding) *string { return &b.LogoURL }),
	text("accent_color", func(b *branding.Branding) *string { return &b.AccentColor }),
)
