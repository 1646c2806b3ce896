package screening_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"

	"github.com/casino-service/casino/adapters/screening"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

var errDown = errors.New("the source is down")

// options are those of a database of countries.
var options = mmdbwriter.Options{DatabaseType: "Test-Country", IncludeReservedNetworks: true, BuildEpoch: 1_764_000_000}

// records are the networks of a database; private ones must not be used.
var records = map[string]mmdbtype.DataType{
	"81.2.69.0/24": country("DE"), "8.8.8.0/24": country("US"), "2a02:d300::/32": country("UA"), "10.0.0.0/8": country("DE"), "fd00::/8": country("DE"),
	"9.9.9.0/24": mmdbtype.Map{"registered_country": mmdbtype.Map{"iso_code": mmdbtype.String("CH")}},
}

func country(code string) mmdbtype.DataType {
	return mmdbtype.Map{"country": mmdbtype.Map{"iso_code": mmdbtype.String(code), "geoname_id": mmdbtype.Uint32(7)}}
}

// database returns a MaxMind database file.
func database(t *testing.T, options mmdbwriter.Options, records map[string]mmdbtype.DataType) []byte {
	t.Helper()
	tree, err := mmdbwriter.New(options)
	if err != nil {
		t.Fatal(err)
	}
	for text, record := range records {
		_, network, err := net.ParseCIDR(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Insert(network, record); err != nil {
			t.Fatal(err)
		}
	}
	var raw bytes.Buffer
	if _, err := tree.WriteTo(&raw); err != nil {
		t.Fatal(err)
	}
	return raw.Bytes()
}

// write writes a file into a folder of its own.
func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	replace(t, path, content)
	return path
}

// replace replaces a file by another one, as operators should.
func replace(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path+".new", content, 0o600), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
}

// from returns the subject of a bet from an address.
func from(remote, agent string) admission.Subject {
	return admission.Subject{Point: admission.Play, Wallet: fakes.Wallet("alice"), Agent: agent, Remote: netip.MustParseAddr(remote)}
}

func countryScreener(t *testing.T, countries ports.Countries, rules string, unknown admission.Verdict) *screening.CountryScreener {
	t.Helper()
	s, err := screening.OpenCountryScreener(countries, write(t, "rules.json", []byte(rules)), unknown)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// want checks verdict and evidence of a subject.
func want(t *testing.T, by ports.Screener, s admission.Subject, verdict admission.Verdict, evidence string) {
	t.Helper()
	if got, err := by.Screen(t.Context(), s); err != nil || got.Verdict != verdict || got.Evidence != evidence {
		t.Errorf("%+v: %+v, %v, want %s for %q", s, got, err, verdict, evidence)
	}
}

func TestDatabasesWithoutCountriesAreRefused(t *testing.T) {
	t.Parallel()
	good := database(t, options, records)
	old := options
	old.IPVersion = 4
	asn := options
	asn.DatabaseType = "Test-ASN"
	damaged := bytes.Replace(good, []byte("\x42DE"), []byte("\x42de"), 1)
	if bytes.Equal(damaged, good) {
		t.Fatal("the code was not found in the file")
	}
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"nothing":         {nil, "not a MaxMind database"},
		"text":            {[]byte("81.2.69.0/24,DE\n"), "not a MaxMind database"},
		"half of a file":  {good[:len(good)/2], "not a MaxMind database"},
		"a damaged code":  {damaged, "damaged"},
		"IPv4 only":       {database(t, old, map[string]mmdbtype.DataType{"81.2.69.0/24": country("DE")}), "IPv6"},
		"other data":      {database(t, asn, map[string]mmdbtype.DataType{"81.2.69.0/24": mmdbtype.Map{"asn": mmdbtype.Uint32(1)}}), "Test-ASN"},
		"no network":      {database(t, options, nil), "no countries"},
		"a code of three": {database(t, options, map[string]mmdbtype.DataType{"81.2.69.0/24": country("DEU")}), "damaged"},
		"a wrong type":    {database(t, options, map[string]mmdbtype.DataType{"81.2.69.0/24": mmdbtype.Map{"country": mmdbtype.String("DE")}}), "damaged"},
	} {
		opened, err := screening.OpenCountries(write(t, "countries.mmdb", c.content))
		if err == nil || opened != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := screening.OpenCountries(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestIPv4InIPv6: databases without aliases know the IPv4 address alone.
func TestIPv4InIPv6(t *testing.T) {
	t.Parallel()
	unaliased := options
	unaliased.DisableIPv4Aliasing = true
	countries, err := screening.OpenCountries(write(t, "countries.mmdb", database(t, unaliased, records)))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"8.8.8.8", "::ffff:8.8.8.8"} {
		if code, err := countries.Country(netip.MustParseAddr(text)); code != "US" || err != nil {
			t.Errorf("%s: %q, %v", text, code, err)
		}
	}
}

func TestCountryRules(t *testing.T) {
	t.Parallel()
	s := countryScreener(t, known, `{
		"default": {"deny": ["US"]},
		"agents": {"strict": {"allow": ["DE"]}, "loose": {"allow": ["US", "DE", "UA"]}, "other": {"deny": ["DE"]}}
	}`, admission.Review)
	for _, c := range []struct {
		remote, agent string
		verdict       admission.Verdict
		evidence      string
	}{
		{"81.2.69.142", "", admission.Allow, "country DE"},
		{"8.8.8.8", "", admission.Deny, "country US"},
		{"::ffff:8.8.8.8", "", admission.Deny, "country US"},
		{"81.2.69.142", "strict", admission.Allow, "country DE"},
		{"2a02:d300::1", "strict", admission.Deny, "country UA"},
		{"2a02:d300::1", "unnamed", admission.Allow, "country UA"},
		{"8.8.8.8", "loose", admission.Deny, "country US"}, // an agent's rule only adds
		{"2a02:d300::1", "loose", admission.Allow, "country UA"},
		{"81.2.69.142", "other", admission.Deny, "country DE"},
		{"198.51.100.1", "", admission.Review, "country unknown"},
		{"10.0.0.1", "loose", admission.Review, "country unknown"},
	} {
		want(t, s, from(c.remote, c.agent), c.verdict, c.evidence)
	}
	want(t, s, admission.Subject{Point: admission.Play}, admission.Review, "country unknown")
	for _, unknown := range admission.Verdicts() {
		want(t, countryScreener(t, known, `{"agents": {"a": {"allow": ["DE"]}}}`, unknown), from("10.0.0.1", "a"), unknown, "country unknown")
	}
	for at, asked := range map[admission.Point]bool{admission.SignIn: true, admission.Play: true, admission.Deposit: false, admission.Withdrawal: false, admission.Payout: false} {
		if s.Screens(at) != asked {
			t.Errorf("%s: %t", at, !asked)
		}
	}
}

func TestRulesThatAreRefused(t *testing.T) {
	t.Parallel()
	for text, part := range map[string]string{
		``:                                 "form",
		`{}`:                               "no rule",
		`{"agents": {}}`:                   "no rule",
		`null`:                             "no rule",
		`[]`:                               "form",
		`{"default": {}}`:                  "default: names no country",
		`{"default": {"allow": []}}`:       "default: names no country",
		`{"default": {"Deny": ["US"]}}`:    "form",
		`{"defaults": {"deny": ["US"]}}`:   "form",
		`{"default": {"deny": ["UK"]}}`:    `"UK" is not the ISO`,
		`{"default": {"deny": ["us"]}}`:    `"us" is not the ISO`,
		`{"default": {"deny": ["USA"]}}`:   `"USA" is not the ISO`,
		`{"default": {"deny": ["EU"]}}`:    `"EU" is not the ISO`,
		`{"default": {"deny": [""]}}`:      `"" is not the ISO`,
		`{"agents": {"a": {"deny": "US"}}`: "form",
		`{"agents": {"a": {"deny": ["XX"]}, "b": {}}}`:                            "agent b",
		`{"default": {"allow": ["DE"], "deny": ["US"]}}`:                          "exclude each other",
		`{"default": {"deny": ["US"]}, "default": {"deny": ["DE"]}}`:              "form",
		`{"default": {"deny": ["US"]}} {"agents": {"a": {"deny": ["DE"]}}}`:       "form",
		`{"agents": {"a": {"deny": ["DE"]}, "a": {"allow": ["DE", "US"]}}}`:       "form",
		`{"default": {"deny": ["DE"]}, "agents": {"a": {"allow": ["D\u0045Q"]}}}`: "agent a",
	} {
		if s, err := screening.OpenCountryScreener(known, write(t, "rules.json", []byte(text)), admission.Review); err == nil || s != nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	mallory, trent := string(fakes.Wallet("mallory")), string(fakes.Wallet("trent"))
	path := write(t, "own.txt", []byte("# our own\r\n\r\n  "+mallory+"  # since May\r\n"+trent))
	list, err := screening.OpenList("own  review " + path)
	if err != nil {
		t.Fatal(err)
	}
	alice := fakes.Wallet("alice")
	want(t, list, admission.Subject{Point: admission.Withdrawal, Wallet: alice, Address: mallory}, admission.Review, "list own")
	want(t, list, admission.Subject{Point: admission.Payout, Wallet: fakes.Wallet("trent"), Address: string(alice)}, admission.Review, "list own")
	want(t, list, admission.Subject{Point: admission.Payout, Wallet: alice, Address: string(alice)}, admission.Allow, "not on list own")
	want(t, list, admission.Subject{Point: admission.Payout, Wallet: alice, Address: strings.ToLower(mallory)}, admission.Allow, "not on list own")
	few, err := screening.OpenList("few deny " + path + " payout play")
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range admission.Points() {
		if list.Screens(at) != (at != admission.Play) || few.Screens(at) != (at == admission.Play || at == admission.Payout) {
			t.Errorf("%s: %t, %t", at, list.Screens(at), few.Screens(at))
		}
	}
}

func TestListsThatAreRefused(t *testing.T) {
	t.Parallel()
	good, none := write(t, "good.txt", []byte(fakes.Wallet("mallory"))), filepath.Join(t.TempDir(), "none")
	for setting, part := range map[string]string{
		"":                  "separated by blanks",
		"own deny":          "separated by blanks",
		"own allow " + good: "neither deny nor review",
		"own Deny " + good:  "neither deny nor review",
		"o,n deny " + good:  "not a name",
		strings.Repeat("x", 31) + " deny " + good: "not a name",
		"own deny " + none:                        "own: open",
		"own deny " + good + " payouts":           `"payouts" is not a point`,
		"own deny " + good + " payout payout":     "twice",
	} {
		if l, err := screening.OpenList(setting); err == nil || l != nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v", setting, err)
		}
	}
	for content, part := range map[string]string{
		"":                  "is empty",
		" \n\n":             "is empty",
		"# one\nmallory\n":  `line 2 is not an address, base58 of 32 bytes: "mallory"`,
		"<!DOCTYPE html>\n": "line 1",
		string(fakes.Wallet("a")) + "\n\n" + string(fakes.Wallet("b"))[:40]: "line 3",
		string(fakes.Wallet("a")) + " " + string(fakes.Wallet("b")):         "line 1",
		"0x7F367cC41522cE07553e823bf3be79A889DEbe1B":                        "line 1",
	} {
		if l, err := screening.OpenList("own deny " + write(t, "list.txt", []byte(content))); err == nil || l != nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v", content, err)
		}
	}
	if _, err := screening.OpenList("own deny " + write(t, "list.txt", []byte("# none\n"))); err != nil {
		t.Errorf("a list without addresses: %v", err)
	}
}

// rereader has files that are read again.
type rereader interface {
	Workers(*slog.Logger) []app.Worker
}

// looks lets the workers look, and returns how often they read a file again, their errors and
// the log.
func looks(t *testing.T, of rereader) (look func() (again int, err error), log *bytes.Buffer) {
	t.Helper()
	log = &bytes.Buffer{}
	workers := of.Workers(slog.New(slog.NewTextHandler(log, nil)))
	return func() (again int, err error) {
		for _, w := range workers {
			worked, failed := w.Step(t.Context())
			if err = errors.Join(err, failed); worked {
				again++
			}
		}
		return again, err
	}, log
}

// requireFile fails the test unless one of the screener's files has the hash of a path's content.
func requireFile(t *testing.T, by ports.Screener, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := by.(interface{ Files() []ports.ScreenerFile }).Files()
	if !slices.ContainsFunc(files, func(f ports.ScreenerFile) bool {
		return f.SHA256 == sha256.Sum256(raw) && f.Name != "" && f.Content != ""
	}) {
		t.Errorf("no file has the content of %s: %+v", path, files)
	}
}

// touch gives a file a time, so that its state changes in any case.
func touch(t *testing.T, path string, seconds int64) {
	t.Helper()
	if err := os.Chtimes(path, time.Time{}, time.Unix(1_764_000_000+seconds, 0)); err != nil {
		t.Fatal(err)
	}
}

// TestReplacedFilesAreReadAgain, and broken ones leave the old content in force.
func TestReplacedFilesAreReadAgain(t *testing.T) {
	t.Parallel()
	listPath, rulesPath, dataPath := write(t, "list.txt", []byte(fakes.Wallet("mallory"))), write(t, "rules.json", []byte(`{"default":{"deny":["US"]}}`)), write(t, "countries.mmdb", database(t, options, records))
	list, err := screening.OpenList("own deny " + listPath)
	if err != nil {
		t.Fatal(err)
	}
	countries, err := screening.OpenCountries(dataPath)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := screening.OpenCountryScreener(countries, rulesPath, admission.Review)
	if err != nil {
		t.Fatal(err)
	}
	moved := map[string]mmdbtype.DataType{"81.2.69.0/24": country("FR"), "8.8.8.0/24": country("US")}
	for name, c := range map[string]struct {
		files       rereader
		path        string
		next, wrong []byte
		part        string
		by          ports.Screener
		about       admission.Subject
		first, then string
	}{
		"a list": {
			list, listPath, []byte(fakes.Wallet("trent") + "\n" + fakes.Wallet("oscar")), []byte("<html>"), "line 1",
			list, admission.Subject{Point: admission.SignIn, Wallet: fakes.Wallet("trent")}, "not on list own", "list own",
		},
		"countries": {countries, dataPath, database(t, options, moved), []byte("no database"), "not a MaxMind database", rules, from("81.2.69.142", ""), "country DE", "country FR"},
	} {
		t.Run(name, func(t *testing.T) {
			look, log := looks(t, c.files)
			evidence := func(want string) {
				t.Helper()
				if got, err := c.by.Screen(t.Context(), c.about); err != nil || got.Evidence != want {
					t.Errorf("%+v, %v, want %s", got, err, want)
				}
			}
			looksAgain := func(want int, part string) {
				t.Helper()
				again, err := look()
				if again != want || (err == nil) != (part == "") || err != nil && (!strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "stays in force")) {
					t.Errorf("read again %d times, %v, want %d and %q", again, err, want, part)
				}
			}
			evidence(c.first)
			requireFile(t, c.by, c.path)
			looksAgain(0, "")
			looksAgain(0, "")

			replace(t, c.path, c.wrong)
			looksAgain(0, "")     // it may still be written
			looksAgain(0, c.part) // tried, and refused
			looksAgain(0, c.part) // still refused
			evidence(c.first)
			if err := os.Remove(c.path); err != nil {
				t.Fatal(err)
			}
			looksAgain(0, "no such file")
			evidence(c.first)

			replace(t, c.path, c.next)
			looksAgain(0, "")
			evidence(c.first)
			touch(t, c.path, 1) // it grows between two looks
			looksAgain(0, "")
			evidence(c.first)
			looksAgain(1, "")
			evidence(c.then)
			requireFile(t, c.by, c.path)
			looksAgain(0, "")
			if !strings.Contains(log.String(), c.path) || strings.Count(log.String(), "\n") != 1 {
				t.Errorf("logged: %s", log)
			}
		})
	}
	t.Run("rules", func(t *testing.T) {
		look, _ := looks(t, rules)
		want(t, rules, from("8.8.8.8", ""), admission.Deny, "country US")
		replace(t, rulesPath, []byte(`{"default":{"allow":["US"]}}`))
		for i, want := range []int{0, 1, 0} {
			if again, err := look(); again != want || err != nil {
				t.Errorf("look %d: %d, %v", i, again, err)
			}
		}
		want(t, rules, from("8.8.8.8", ""), admission.Allow, "country US")
	})
}

// TestFilesOfTheSameTime are told apart: copies keep times, and clocks are coarse.
func TestFilesOfTheSameTime(t *testing.T) {
	t.Parallel()
	path := write(t, "list.txt", []byte(fakes.Wallet("mallory")))
	touch(t, path, 0)
	list, err := screening.OpenList("own deny " + path)
	if err != nil {
		t.Fatal(err)
	}
	look, _ := looks(t, list)
	changes := map[string]func(){
		"trent": func() { // of the same size
			replace(t, path, []byte(fakes.Wallet("trent")))
		},
		"oscar": func() { // the same file
			if err := os.WriteFile(path, []byte("# one more\n"+fakes.Wallet("oscar")), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	}
	for _, name := range []string{"trent", "oscar"} {
		changes[name]()
		touch(t, path, 0)
		for i, want := range []int{0, 1, 0} {
			if again, err := look(); again != want || err != nil {
				t.Errorf("%s, look %d: %d, %v", name, i, again, err)
			}
		}
		want(t, list, admission.Subject{Point: admission.SignIn, Wallet: fakes.Wallet(name)}, admission.Deny, "list own")
	}
}

// TestAFileOverwrittenInPlace: the old data stay readable.
func TestAFileOverwrittenInPlace(t *testing.T) {
	t.Parallel()
	path := write(t, "countries.mmdb", database(t, options, records))
	countries, err := screening.OpenCountries(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	for at, code := range known {
		if got, err := countries.Country(at); got != code || err != nil {
			t.Errorf("%s: %s, %v", at, got, err)
		}
	}
	if got, err := countries.Country(netip.MustParseAddr("9.9.9.9")); got != "" || err != nil { // only registered in CH
		t.Errorf("%s, %v", got, err)
	}
	if name := fmt.Sprint(countries.Workers(nil)[0].Name); name != "file "+path {
		t.Errorf("its worker is %q", name)
	}
}
