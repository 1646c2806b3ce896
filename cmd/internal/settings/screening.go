package settings

import (
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/screening"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/ports"
)

// Screening has the settings of screeners. Without any, everyone is admitted.
type Screening struct {
	CountryFile    string   `type:"path" placeholder:"FILE" help:"A MaxMind database file with countries, such as GeoLite2-Country.mmdb, read again when it is replaced. Sign-ins, bets and launches are screened by the country of their remote address. Needs country rules."`
	CountryRules   string   `type:"path" placeholder:"FILE" help:"The countries that are allowed or denied, by default and for single agents, as JSON; read again when it is replaced."`
	CountryUnknown string   `placeholder:"VERDICT" help:"The verdict on an address of no known country: allow, review or deny; review unless stated."`
	AddressLists   []string `placeholder:"LIST" help:"Lists of on-chain addresses, each its name, deny or review, its file and, if not signin deposit withdrawal payout, the points at which it is asked, separated by blanks. Files are read again when they are replaced."`

	ScreenerURL        string        `name:"screener-url" placeholder:"URL" help:"A screener that is asked over HTTP: https, or http on this machine. Needs a secret."`
	ScreenerSecret     Secret        `placeholder:"SECRET" help:"Signs the requests to it: whsec_ and the base64 of 24 to 64 random bytes."`
	ScreenerSecretFile string        `type:"path" placeholder:"FILE" help:"A file with the secret."`
	ScreenerTimeout    time.Duration `default:"0s" placeholder:"TIME" help:"How long it may take to answer, 100ms to 5s; 3s when 0s."`
	ScreenerPoints     []string      `placeholder:"POINT" help:"The points at which it is asked: signin, play, deposit, withdrawal and payout; all unless some are named."`
}

// ScreeningPlan is the result of the settings of screeners. Its zero value screens nothing.
type ScreeningPlan struct {
	// Screeners are those that ask no other service.
	Screeners []ports.Screener
	// Files are read again by their workers.
	Files []interface {
		Workers(*slog.Logger) []app.Worker
	}
	// Remote is asked over HTTP, nil for none.
	Remote *screening.RemoteConfig
}

// planScreening opens everything that the settings name.
func (s Screening) planScreening(found *faults) (plan ScreeningPlan) {
	s.planCountries(&plan, found)
	for i, text := range s.AddressLists {
		const name = "CASINO_ADDRESS_LISTS"
		list, err := screening.OpenList(text)
		switch {
		case err != nil:
			found.addFault(name, "entry %d: %w", i+1, err)
		case slices.ContainsFunc(plan.Screeners, func(other ports.Screener) bool { return other.Name() == list.Name() }):
			found.addFault(name, "entry %d: the name is there twice", i+1)
		default:
			plan.Screeners, plan.Files = append(plan.Screeners, list), append(plan.Files, list)
		}
	}
	plan.Remote = s.remoteScreener(found)
	return plan
}

// planCountries adds the screener of countries.
func (s Screening) planCountries(plan *ScreeningPlan, found *faults) {
	const file, rules, unknown = "CASINO_COUNTRY_FILE", "CASINO_COUNTRY_RULES", "CASINO_COUNTRY_UNKNOWN"
	verdict := admission.Review
	if s.CountryUnknown != "" {
		if verdict = admission.Verdict(s.CountryUnknown); !verdict.Valid() {
			found.addFault(unknown, "%q is none of allow, review and deny", s.CountryUnknown)
		}
	}
	switch {
	case s.CountryFile == "" && s.CountryRules == "" && s.CountryUnknown == "":
		return
	case s.CountryFile == "":
		found.addFault(file, "is missing: %s and %s need a database file with countries", rules, unknown)
	case s.CountryRules == "":
		found.addFault(rules, "is missing: %s needs rules", file)
	}
	if s.CountryFile == "" || s.CountryRules == "" {
		return
	}
	countries, err := screening.OpenCountries(s.CountryFile)
	found.addError(file, err)
	screener, ruleErr := screening.OpenCountryScreener(countries, s.CountryRules, verdict)
	found.addError(rules, ruleErr)
	if errors.Join(err, ruleErr) == nil {
		plan.Screeners, plan.Files = append(plan.Screeners, screener), append(plan.Files, countries, screener)
	}
}

// remoteScreener returns the configuration of the screener over HTTP, nil without a URL.
func (s Screening) remoteScreener(found *faults) *screening.RemoteConfig {
	const url, secret, timeout, points = "CASINO_SCREENER_URL", "CASINO_SCREENER_SECRET", "CASINO_SCREENER_TIMEOUT", "CASINO_SCREENER_POINTS"
	if s.ScreenerURL == "" {
		for name, given := range map[string]bool{
			secret: s.ScreenerSecret != "" || s.ScreenerSecretFile != "", timeout: s.ScreenerTimeout != 0, points: len(s.ScreenerPoints) > 0,
		} {
			if given {
				found.addFault(name, "needs %s", url)
			}
		}
		return nil
	}
	text, err := Single(s.ScreenerSecret, s.ScreenerSecretFile)
	found.addError(secret, err)
	named, pointErr := screening.ParsePoints(s.ScreenerPoints)
	found.addError(points, pointErr)
	config := screening.RemoteConfig{URL: s.ScreenerURL, Secret: agent.SecretFrom(text), Timeout: s.ScreenerTimeout, Points: named}
	found.addError(url, screening.CheckURL(config.URL))
	found.addError(timeout, screening.CheckTimeout(config.Timeout))
	if err == nil {
		found.addError(secret, screening.CheckSecret(config.Secret))
	}
	return &config
}
