package conformance

import (
	"errors"
	"testing"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
)

// Brandings is the suite of ports.Brandings.
func Brandings(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, brandingsCases)
}

var brandingsCases = []story{
	{"there is none before the first change", Logic, func(b *bench) {
		b.fails(fault.NotFound, errorOf(b.Branding(background)))
		err := b.ChangeBranding(background, admin, func(_ rbac.Assignment, present *branding.Branding) (branding.Branding, audit.Record, error) {
			if present != nil {
				b.Errorf("the decision sees %+v", *present)
			}
			return branding.Branding{}, audit.Record{}, errors.New("no")
		})
		if err == nil {
			b.Error("not refused")
		}
	}},
	{"a change is stored and seen by the next", Rows, func(b *bench) {
		for _, next := range []branding.Branding{red, branding.Default()} {
			b.ok(b.brand(next))
			b.same("the branding", must(b.Branding(background))(b), next)
		}
		err := b.ChangeBranding(background, admin, func(_ rbac.Assignment, present *branding.Branding) (branding.Branding, audit.Record, error) {
			b.same("what the decision sees", *present, branding.Default())
			return branding.Branding{}, audit.Record{}, errors.New("no")
		})
		if err == nil {
			b.Error("not refused")
		}
		b.same("records", len(b.recordsOf(audit.BrandingChanged)), 2)
		b.sound()
	}},
	{"the decision sees the actor's role", Logic, func(b *bench) {
		see := func() (seen rbac.Assignment) {
			err := b.ChangeBranding(background, admin, func(actor rbac.Assignment, _ *branding.Branding) (branding.Branding, audit.Record, error) {
				seen = actor
				return branding.Branding{}, audit.Record{}, errors.New("no")
			})
			if err == nil {
				b.Error("not refused")
			}
			return seen
		}
		b.same("nobody", see(), rbac.Assignment{})
		b.grant(admin, "admin")
		b.same("an admin", see(), must(b.Role(background, admin))(b))
		b.revoke(admin)
		b.same("nobody again", see(), rbac.Assignment{})
	}},
	{"a refusal changes nothing and is returned as it is", Logic, func(b *bench) {
		b.ok(b.brand(red))
		before := b.snapshot()
		refusal := fault.New(fault.Forbidden, "not yours")
		err := b.ChangeBranding(background, admin, func(rbac.Assignment, *branding.Branding) (branding.Branding, audit.Record, error) {
			return branding.Default(), audit.Record{}, refusal
		})
		if !errors.Is(err, refusal) {
			b.Errorf("%v came back as %v", refusal, err)
		}
		b.same("everything", b.snapshot(), before)
	}},
	{"a record that can't be kept leaves the branding as it was", Rows, func(b *bench) {
		b.ok(b.brand(red))
		taken := b.recordsOf(audit.BrandingChanged)[0]
		err := b.ChangeBranding(background, admin, func(rbac.Assignment, *branding.Branding) (branding.Branding, audit.Record, error) {
			return branding.Default(), taken, nil
		})
		if err == nil {
			b.Error("two records have one id")
		}
		b.same("the branding", must(b.Branding(background))(b), red)
	}},
	{"the branding outlives reopening", Rows, func(b *bench) {
		b.ok(b.brand(red))
		b.reopen()
		b.same("the branding", must(b.Branding(background))(b), red)
	}},
}

var red = branding.Branding{Title: "Red \"x\" ü", LogoURL: "https://example.com/red.svg", AccentColor: "#ff0000"}

// brand changes the branding with a fresh record.
func (b *bench) brand(next branding.Branding) error {
	record := audit.Record{ID: b.id(), Action: audit.BrandingChanged, By: admin, Target: "branding", After: next.Title, At: b.now()}
	return b.ChangeBranding(background, admin, func(rbac.Assignment, *branding.Branding) (branding.Branding, audit.Record, error) {
		return next, record, nil
	})
}
