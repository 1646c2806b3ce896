package settings_test

import (
	"bytes"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"

	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/test/fakes"
)

// countryFile returns a database file with one country.
func countryFile(t *testing.T) string {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "Test-Country"})
	if err != nil {
		t.Fatal(err)
	}
	network := &net.IPNet{IP: net.IPv4(8, 8, 8, 0).To4(), Mask: net.CIDRMask(24, 32)}
	if err := tree.Insert(network, mmdbtype.Map{"country": mmdbtype.Map{"iso_code": mmdbtype.String("US")}}); err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	if _, err := tree.WriteTo(&raw); err != nil {
		t.Fatal(err)
	}
	return file(t, "countries.mmdb", raw.String())
}

// screeningOf returns settings with every screener.
func screeningOf(t *testing.T) settings.Screening {
	t.Helper()
	list := file(t, "list.txt", string(fakes.Wallet("mallory")))
	return settings.Screening{
		CountryFile: countryFile(t), CountryRules: file(t, "rules.json", `{"default":{"deny":["US"]}}`), CountryUnknown: "deny",
		AddressLists: []string{"sanctions deny " + list, "own review " + list + " payout"},
		ScreenerURL:  "https://screener.example/casino", ScreenerSecretFile: file(t, "secret", webhook.NewSecret([32]byte{1}).Reveal()+"\n"),
		ScreenerTimeout: 2 * time.Second, ScreenerPoints: []string{"payout", "deposit"},
	}
}

func TestScreenersArePlanned(t *testing.T) {
	t.Parallel()
	s := good(t)
	if plan, err := s.Plan(); err != nil || len(plan.Screening.Screeners) != 0 || plan.Screening.Remote != nil || len(plan.Screening.Files) != 0 {
		t.Errorf("without settings: %+v, %v", plan.Screening, err)
	}
	s.Screening = screeningOf(t)
	whole, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	plan, names := whole.Screening, []string{}
	for _, screener := range plan.Screeners {
		names = append(names, screener.Name())
	}
	if got := strings.Join(names, " "); got != "country list-sanctions list-own" || len(plan.Files) != 4 {
		t.Errorf("screeners %s with %d files", got, len(plan.Files))
	}
	if finding, err := plan.Screeners[0].Screen(t.Context(), admission.Subject{}); err != nil || finding.Verdict != admission.Deny {
		t.Errorf("an unknown country: %+v, %v", finding, err)
	}
	if r := plan.Remote; r == nil || r.URL != s.ScreenerURL || r.Timeout != 2*time.Second || len(r.Points) != 2 || r.Secret.Reveal() != webhook.NewSecret([32]byte{1}).Reveal() {
		t.Errorf("remote: %+v", r)
	}
	if printed := fmt.Sprintf("%+v %+v", plan, plan.Remote); strings.Contains(printed, "whsec_") {
		t.Errorf("printed as %s", printed)
	}
	s.CountryUnknown = ""
	if whole, err = s.Plan(); err != nil {
		t.Fatal(err)
	}
	if finding, err := whole.Screening.Screeners[0].Screen(t.Context(), admission.Subject{}); err != nil || finding.Verdict != admission.Review {
		t.Errorf("an unknown country by default: %+v, %v", finding, err)
	}
}

func TestFaultsOfScreenersAreNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*settings.Screening)
		want   string
	}{
		"rules without countries":        {func(s *settings.Screening) { s.CountryFile = "" }, "CASINO_COUNTRY_FILE: is missing"},
		"a verdict without countries":    {func(s *settings.Screening) { s.CountryFile, s.CountryRules = "", "" }, "CASINO_COUNTRY_FILE: is missing"},
		"countries without rules":        {func(s *settings.Screening) { s.CountryRules = "" }, "CASINO_COUNTRY_RULES: is missing"},
		"countries that aren't there":    {func(s *settings.Screening) { s.CountryFile += "x" }, "CASINO_COUNTRY_FILE: open "},
		"rules as countries":             {func(s *settings.Screening) { s.CountryFile = s.CountryRules }, "is not a MaxMind database"},
		"rules that aren't there":        {func(s *settings.Screening) { s.CountryRules += "x" }, "CASINO_COUNTRY_RULES: open "},
		"wrong rules":                    {func(s *settings.Screening) { s.CountryRules = s.ScreenerSecretFile }, "CASINO_COUNTRY_RULES: "},
		"another verdict":                {func(s *settings.Screening) { s.CountryUnknown = "refuse" }, `CASINO_COUNTRY_UNKNOWN: "refuse" is none of`},
		"a list without a file":          {func(s *settings.Screening) { s.AddressLists[1] = "own review" }, "CASINO_ADDRESS_LISTS: entry 2: "},
		"a list that isn't there":        {func(s *settings.Screening) { s.AddressLists[0] += "x" }, "CASINO_ADDRESS_LISTS: entry 1: sanctions: open "},
		"a list twice":                   {func(s *settings.Screening) { s.AddressLists[1] = s.AddressLists[0] }, "CASINO_ADDRESS_LISTS: entry 2: the name is there twice"},
		"no encryption":                  {func(s *settings.Screening) { s.ScreenerURL = "http://screener.example" }, "CASINO_SCREENER_URL: must be https"},
		"no secret":                      {func(s *settings.Screening) { s.ScreenerSecretFile = "" }, "CASINO_SCREENER_SECRET: must be whsec_"},
		"a secret that isn't there":      {func(s *settings.Screening) { s.ScreenerSecretFile += "x" }, "CASINO_SCREENER_SECRET: open "},
		"two secrets":                    {func(s *settings.Screening) { s.ScreenerSecret = "whsec_abcd" }, "CASINO_SCREENER_SECRET: is given both"},
		"a short secret":                 {func(s *settings.Screening) { s.ScreenerSecret, s.ScreenerSecretFile = "whsec_abcd", "" }, "CASINO_SCREENER_SECRET: must be whsec_"},
		"too much time":                  {func(s *settings.Screening) { s.ScreenerTimeout = time.Minute }, "CASINO_SCREENER_TIMEOUT: must be from 100ms to 5s"},
		"another point":                  {func(s *settings.Screening) { s.ScreenerPoints[0] = "login" }, `CASINO_SCREENER_POINTS: "login" is not a point`},
		"points without a screener":      {func(s *settings.Screening) { s.ScreenerURL, s.ScreenerSecretFile, s.ScreenerTimeout = "", "", 0 }, "CASINO_SCREENER_POINTS: needs CASINO_SCREENER_URL"},
		"a timeout without a screener":   {func(s *settings.Screening) { s.ScreenerURL, s.ScreenerSecretFile, s.ScreenerPoints = "", "", nil }, "CASINO_SCREENER_TIMEOUT: needs CASINO_SCREENER_URL"},
		"a secret without a screener":    {func(s *settings.Screening) { s.ScreenerURL, s.ScreenerTimeout, s.ScreenerPoints = "", 0, nil }, "CASINO_SCREENER_SECRET: needs CASINO_SCREENER_URL"},
		"its value without any screener": {func(s *settings.Screening) { *s = settings.Screening{ScreenerSecret: "whsec_abcd"} }, "CASINO_SCREENER_SECRET: needs CASINO_SCREENER_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			s.Screening = screeningOf(t)
			c.change(&s.Screening)
			_, err := s.Plan()
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "abcd") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
