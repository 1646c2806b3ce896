package httpapi

import "github.com/casino-service/casino/app"

type brandingBody struct {
	Title       string `json:"title"`
	LogoURL     string `json:"logoUrl"`
	AccentColor string `json:"accentColor"`
}

func (a *API) whitelabel(r *request) (answer, error) {
	branding, err := a.casino.PublicBranding(r.context())
	if err != nil {
		return answer{}, err
	}
	return ok(brandingBody(branding)), nil
}

func (a *API) changeWhitelabel(r *request) (answer, error) {
	f := r.body("title", "logoUrl", "accentColor")
	wanted := app.BrandingChange{
		Title: f.optionalText("title"), LogoURL: f.optionalText("logoUrl"), AccentColor: f.optionalText("accentColor"),
	}
	if f.err == nil && len(f.names) == 0 {
		f.refuse("body", "must change title, logoUrl or accentColor")
	}
	if f.err != nil {
		return answer{}, f.err
	}
	changed, err := a.casino.ChangeBranding(r.context(), r.caller, wanted)
	if err != nil {
		return answer{}, err
	}
	return ok(brandingBody(changed)), nil
}
