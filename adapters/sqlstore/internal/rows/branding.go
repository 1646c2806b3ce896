package rows

import (
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/branding"
)

// BrandingRow is the one row of branding.
type BrandingRow struct {
	bun.BaseModel `bun:"table:branding,alias:b"`
	One           single `bun:",pk"`
	branding.Branding
}

// Branding is how the site looks.
var Branding = modelOf[BrandingRow, branding.Branding]()
