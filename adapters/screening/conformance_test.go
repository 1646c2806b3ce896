package screening_test

import (
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/screening"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

var known = fakes.Countries{
	netip.MustParseAddr("81.2.69.142"): "DE", netip.MustParseAddr("8.8.8.8"): "US", netip.MustParseAddr("2a02:d300::1"): "UA",
}

func TestCountriesConform(t *testing.T) {
	t.Parallel()
	conformance.Countries(t, func(t *testing.T) conformance.CountriesUnderTest {
		t.Helper()
		opened, err := screening.OpenCountries(write(t, "countries.mmdb", database(t, options, records)))
		if err != nil {
			t.Fatal(err)
		}
		return conformance.CountriesUnderTest{Countries: opened, Known: known}
	})
}

// failingCountries are countries whose data a test makes unreadable.
type failingCountries struct {
	fakes.Countries
	failing atomic.Bool
}

func (c *failingCountries) Country(at netip.Addr) (string, error) {
	if c.failing.Load() {
		return "DE", errDown // the code must not be used
	}
	return c.Countries.Country(at)
}

func TestCountryScreenerConforms(t *testing.T) {
	t.Parallel()
	conformance.Screener(t, func(t *testing.T) conformance.ScreenerUnderTest {
		t.Helper()
		countries := &failingCountries{Countries: known}
		s := countryScreener(t, countries, `{"default": {"allow": ["DE"]}}`, admission.Review)
		return conformance.ScreenerUnderTest{
			Screener: s, SetFailing: countries.failing.Store,
			Subject: func(verdict admission.Verdict) (admission.Subject, bool) {
				remote := map[admission.Verdict]string{admission.Allow: "81.2.69.142", admission.Review: "10.0.0.1", admission.Deny: "8.8.8.8"}[verdict]
				return from(remote, ""), true
			},
		}
	})
}

func TestListConforms(t *testing.T) {
	t.Parallel()
	for _, verdict := range []admission.Verdict{admission.Review, admission.Deny} {
		conformance.Screener(t, func(t *testing.T) conformance.ScreenerUnderTest {
			t.Helper()
			list, err := screening.OpenList("own " + string(verdict) + " " + write(t, "own.txt", []byte(fakes.Wallet("mallory")+"\n")))
			if err != nil {
				t.Fatal(err)
			}
			return conformance.ScreenerUnderTest{Screener: list, Subject: func(wanted admission.Verdict) (admission.Subject, bool) {
				name := map[admission.Verdict]string{admission.Allow: "alice", verdict: "mallory"}[wanted]
				return admission.Subject{Point: admission.SignIn, Wallet: fakes.Wallet(name)}, name != ""
			}}
		})
	}
}

func TestRemoteConforms(t *testing.T) {
	t.Parallel()
	conformance.Screener(t, func(t *testing.T) conformance.ScreenerUnderTest {
		t.Helper()
		var failing, hanging atomic.Bool
		var verdict atomic.Value
		asked := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case hanging.Load():
				<-r.Context().Done()
			case failing.Load():
				w.WriteHeader(http.StatusServiceUnavailable)
			default:
				_, _ = w.Write([]byte(`{"verdict":"` + verdict.Load().(string) + `","evidence":"case; 7\n"}`))
			}
		})
		verdict.Store("allow")
		return conformance.ScreenerUnderTest{
			Screener: asked, SetFailing: failing.Store, Hang: func() { hanging.Store(true) },
			Subject: func(wanted admission.Verdict) (admission.Subject, bool) {
				verdict.Store(string(wanted))
				return admission.Subject{Point: admission.SignIn, Wallet: fakes.Wallet("alice")}, true
			},
		}
	})
}

var _ ports.Countries = (*failingCountries)(nil)
