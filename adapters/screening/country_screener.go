package screening

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/ports"
)

// CountryScreener admits by the country of the remote address, at SignIn and Play.
type CountryScreener struct {
	countries ports.Countries
	rules     *watched[countryRules]
	unknown   admission.Verdict
}

var _ ports.Screener = (*CountryScreener)(nil)

// countryRule admits countries: those of Allow, or all if it is nil, except those of Deny.
type countryRule struct {
	Allow []string `json:"allow,omitzero"`
	Deny  []string `json:"deny,omitzero"`
}

func (r countryRule) admits(country string) bool {
	return (r.Allow == nil || slices.Contains(r.Allow, country)) && !slices.Contains(r.Deny, country)
}

func (r countryRule) check(of string) (wrong []error) {
	switch {
	case r.Allow != nil && r.Deny != nil:
		wrong = append(wrong, fmt.Errorf("%s: allow and deny exclude each other", of))
	case len(r.Allow)+len(r.Deny) == 0:
		wrong = append(wrong, fmt.Errorf("%s: names no country to allow or deny", of))
	}
	for _, code := range slices.Concat(r.Allow, r.Deny) {
		if err := checkCode(code); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", of, err))
		}
	}
	return wrong
}

// countryRules are the rule of the house and further ones of agents. A country must be admitted
// by both, so an agent's rule can't admit what the house's licence forbids.
type countryRules struct {
	Default *countryRule           `json:"default,omitzero"`
	Agents  map[string]countryRule `json:"agents,omitzero"`
}

// String describes the rules for logs.
func (r countryRules) String() string {
	return fmt.Sprintf("a default: %t, rules of agents: %d", r.Default != nil, len(r.Agents))
}

func (r countryRules) admits(agent, country string) bool {
	return (r.Default == nil || r.Default.admits(country)) && r.Agents[agent].admits(country)
}

func parseRules(raw []byte) (rules countryRules, err error) {
	if err := json.Unmarshal(bytes.TrimSpace(raw), &rules, json.RejectUnknownMembers(true)); err != nil {
		return rules, fmt.Errorf("is not of the form {\"default\": {\"deny\": [\"US\"]}, \"agents\": {\"acme\": {\"allow\": [\"DE\"]}}}: %w", err)
	}
	if rules.Default == nil && len(rules.Agents) == 0 {
		return rules, errors.New("has no rule")
	}
	var wrong []error
	if rules.Default != nil {
		wrong = rules.Default.check("default")
	}
	for agent, rule := range rules.Agents {
		wrong = append(wrong, rule.check("agent "+agent)...)
	}
	return rules, errors.Join(wrong...)
}

// OpenCountryScreener returns a screener with the rules of a file. unknown is its verdict on
// addresses of no known country.
func OpenCountryScreener(countries ports.Countries, rulesPath string, unknown admission.Verdict) (*CountryScreener, error) {
	rules, err := openFile(rulesPath, parseRules)
	if err != nil {
		return nil, err
	}
	return &CountryScreener{countries, rules, unknown}, nil
}

// Name implements ports.Screener.
func (*CountryScreener) Name() string { return "country" }

// Screens implements ports.Screener.
func (*CountryScreener) Screens(at admission.Point) bool {
	return at == admission.SignIn || at == admission.Play
}

// Screen implements ports.Screener.
func (c *CountryScreener) Screen(_ context.Context, s admission.Subject) (admission.Finding, error) {
	country, err := c.countries.Country(s.Remote)
	found := admission.Finding{Screener: c.Name(), Verdict: admission.Allow, Evidence: "country " + country}
	switch {
	case err != nil:
		return admission.Finding{}, fmt.Errorf("the country of an address: %w", err)
	case country == "":
		found.Verdict, found.Evidence = c.unknown, "country unknown"
	case !c.rules.get().admits(s.Agent, country):
		found.Verdict = admission.Deny
	}
	return found, nil
}

// rulesShown is the greatest length of rules in the audit log, in bytes; longer ones are named by
// their hash alone.
const rulesShown = 4096

// Files returns the contents in force, for the audit log.
func (c *CountryScreener) Files() []ports.ScreenerFile {
	rules := c.rules.file("country-rules")
	if text, err := json.Marshal(c.rules.get(), json.Deterministic(true)); err == nil && len(text) <= rulesShown {
		rules.Content = string(text)
	}
	all := []ports.ScreenerFile{rules}
	if data, ok := c.countries.(*Countries); ok {
		all = append(all, data.file.file("countries"))
	}
	return all
}

// Workers returns the worker that reads the rules again after they were replaced.
func (c *CountryScreener) Workers(log *slog.Logger) []app.Worker {
	return []app.Worker{c.rules.worker(log)}
}
