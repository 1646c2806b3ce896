package httpapi

import (
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app/admin"
)

func (a *API) whitelabel(r *request) (answer, error) {
	branding, err := a.casino.Admin.PublicBranding(r.ctx)
	return ok(api.Branding(branding)), err
}

func (a *API) changeWhitelabel(r *request) (answer, error) {
	f := r.body()
	wanted := admin.BrandingChange{
		Title: f.OptionalText("title"), LogoURL: f.OptionalText("logoUrl"), AccentColor: f.OptionalText("accentColor"),
	}
	if f.Empty() {
		f.Refuse("body", "must contain title, logoUrl or accentColor")
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	changed, err := a.casino.Admin.ChangeBranding(r.ctx, r.caller, wanted)
	return ok(api.Branding(changed)), err
}
