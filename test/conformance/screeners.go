package conformance

import (
	"context"
	"maps"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// ScreenerUnderTest is a ports.Screener with its source, for one test.
type ScreenerUnderTest struct {
	ports.Screener
	// Subject returns a subject of which the screener finds the verdict, and makes its source say
	// so if necessary. It returns false if the screener never finds the verdict.
	Subject func(verdict admission.Verdict) (s admission.Subject, found bool)
	// SetFailing makes the source fail or work again, nil if it can't fail.
	SetFailing func(bool)
	// Hang makes the source answer nothing until the caller gives up, nil if it can't hang.
	Hang func()
}

// Screener is the suite of ports.Screener.
func Screener(t *testing.T, open func(t *testing.T) ScreenerUnderTest) {
	for sentence, prove := range screenerCases {
		sub(t, sentence, func(t *testing.T) { prove(t, open(t)) })
	}
}

// subjects returns a subject for each verdict that the screener can find.
func (s ScreenerUnderTest) subjects(t *testing.T) map[admission.Verdict]admission.Subject {
	t.Helper()
	all := map[admission.Verdict]admission.Subject{}
	for _, verdict := range admission.Verdicts() {
		if subject, found := s.Subject(verdict); found {
			all[verdict] = subject
		}
	}
	fatalIf(t, len(all) == 0, "no verdict is ever found")
	return all
}

// finds checks that the screener finds a verdict of its subject.
func (s ScreenerUnderTest) finds(t *testing.T, verdict admission.Verdict) {
	t.Helper()
	subject, found := s.Subject(verdict)
	if !found {
		return
	}
	finding, err := s.Screen(t.Context(), subject)
	errorIf(t, err != nil || finding.Verdict != verdict, "%+v, %v, want %s", finding, err, verdict)
	s.whole(t, finding)
}

// whole checks a finding that came without an error.
func (s ScreenerUnderTest) whole(t *testing.T, f admission.Finding) {
	t.Helper()
	errorIf(t, f.Screener != s.Name() || !f.Verdict.Valid() || f != f.Checked(), "a finding of %s: %+v", s.Name(), f)
}

// tellsNothing checks that a finding that came with an error allows nothing.
func tellsNothing(t *testing.T, f admission.Finding, err error) {
	t.Helper()
	errorIf(t, err == nil || f != admission.Finding{}, "%+v, %v, want an error alone", f, err)
}

// screenerNameMax is the maximum length of a screener's name.
const screenerNameMax = 40

var screenerCases = map[string]func(*testing.T, ScreenerUnderTest){
	"Name has at most 40 letters, digits and dashes and stays the same": func(t *testing.T, s ScreenerUnderTest) {
		name := s.Name()
		odd := strings.ContainsFunc(name, func(r rune) bool {
			return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", r)
		})
		errorIf(t, name == "" || len(name) > screenerNameMax || odd || s.Name() != name, "%q, then %q", name, s.Name())
	},
	"Screens always answers alike, and some point is screened": func(t *testing.T, s ScreenerUnderTest) {
		some := false
		for _, at := range admission.Points() {
			asked := s.Screens(at)
			errorIf(t, s.Screens(at) != asked, "%s is screened once", at)
			some = some || asked
		}
		errorIf(t, !some || s.Screens("") || s.Screens("elsewhere"), "%t; no point: %t, %t", some, s.Screens(""), s.Screens("elsewhere"))
	},
	"Screen returns its finding under its name, with evidence of one short line": func(t *testing.T, s ScreenerUnderTest) {
		s.subjects(t)
		for _, verdict := range admission.Verdicts() {
			s.finds(t, verdict)
			s.finds(t, verdict) // and again
		}
	},
	"Screen doesn't panic on any subject": func(t *testing.T, s ScreenerUnderTest) {
		remotes := []netip.Addr{{}, netip.IPv4Unspecified(), netip.MustParseAddr("::1"), netip.MustParseAddr("fe80::1%eth0"), netip.MustParseAddr("::ffff:10.0.0.1"), netip.MustParseAddr("224.0.0.1")}
		texts := []string{"", "x", "\x00;\n\"", "\xff\xfe", strings.Repeat("1", 10_000)}
		for _, at := range append(admission.Points(), "", "elsewhere") {
			for i, text := range texts {
				subject := admission.Subject{Point: at, Wallet: wallet.Address(text), Agent: text, Remote: remotes[i%len(remotes)], Address: text, ID: text}
				if finding, err := s.Screen(t.Context(), subject); err != nil {
					tellsNothing(t, finding, err)
				} else {
					s.whole(t, finding)
				}
			}
		}
		for _, remote := range remotes {
			if finding, err := s.Screen(t.Context(), admission.Subject{Remote: remote}); err == nil {
				s.whole(t, finding)
			}
		}
	},
	"an error comes without a finding, and the screener can be asked again": func(t *testing.T, s ScreenerUnderTest) {
		if s.SetFailing == nil {
			return // it reads nothing from elsewhere
		}
		for verdict := range s.subjects(t) {
			subject, _ := s.Subject(verdict)
			s.SetFailing(true)
			for range 2 {
				finding, err := s.Screen(t.Context(), subject)
				tellsNothing(t, finding, err)
			}
			s.SetFailing(false)
			s.finds(t, verdict)
		}
	},
	"Screen returns soon after its context ends": func(t *testing.T, s ScreenerUnderTest) {
		verdict, subject := admission.Verdict(""), admission.Subject{}
		for verdict = range s.subjects(t) {
			subject, _ = s.Subject(verdict)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		s.soon(t, ended, subject, verdict)
		if s.Hang == nil {
			return // it waits for nothing
		}
		s.Hang()
		ending, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		s.soon(t, ending, subject, "")
	},
	"Screen is safe for concurrent use": func(t *testing.T, s ScreenerUnderTest) {
		for verdict := range s.subjects(t) {
			subject, _ := s.Subject(verdict)
			atOnce(32, func(int) {
				finding, err := s.Screen(t.Context(), subject)
				errorIf(t, err != nil || finding.Verdict != verdict || s.Name() == "", "%+v, %v, want %s", finding, err, verdict)
			})
		}
	},
}

// soon checks that a call with a context that ends returns soon, and with an error unless the
// answer needs no waiting and is the right one.
func (s ScreenerUnderTest) soon(t *testing.T, ctx context.Context, subject admission.Subject, verdict admission.Verdict) {
	t.Helper()
	type result struct {
		finding admission.Finding
		err     error
	}
	returned := make(chan result, 1)
	go func() {
		finding, err := s.Screen(ctx, subject)
		returned <- result{finding, err}
	}()
	select {
	case r := <-returned:
		if r.err != nil {
			tellsNothing(t, r.finding, r.err)
		} else {
			errorIf(t, r.finding.Verdict != verdict, "%+v, want an error or %q", r.finding, verdict)
		}
	case <-time.After(min(patience, 2*time.Second)):
		t.Error("it still waits")
	}
}

// CountriesUnderTest is a ports.Countries that knows some addresses, for one test.
type CountriesUnderTest struct {
	ports.Countries
	// Known has public addresses of both families, with their countries.
	Known fakes.Countries
	// SetFailing makes the data unreadable, nil if they can't become so.
	SetFailing func()
}

// Countries is the suite of ports.Countries.
func Countries(t *testing.T, open func(t *testing.T) CountriesUnderTest) {
	for sentence, prove := range countriesCases {
		sub(t, sentence, func(t *testing.T) { prove(t, open(t)) })
	}
}

// has checks the country of an address.
func (c CountriesUnderTest) has(t *testing.T, at netip.Addr, want string) {
	t.Helper()
	code, err := c.Country(at)
	errorIf(t, err != nil || code != want, "%s: %q, %v, want %q", at, code, err, want)
}

var countriesCases = map[string]func(*testing.T, CountriesUnderTest){
	"Country returns the code of a known address, in capitals": func(t *testing.T, c CountriesUnderTest) {
		families := map[bool]bool{}
		for at, code := range c.Known {
			c.has(t, at, code)
			errorIf(t, len(code) != 2 || strings.ToUpper(code) != code, "%q", code)
			families[at.Is4()] = true
		}
		errorIf(t, len(families) != 2, "not both families are known: %v", c.Known)
	},
	"Country returns nothing for an address of no known country": func(t *testing.T, c CountriesUnderTest) {
		for _, text := range []string{"198.51.100.7", "2001:db8::7", "255.255.255.255", "ff02::1"} {
			c.has(t, netip.MustParseAddr(text), "")
		}
	},
	"an IPv4 address in IPv6 form is the IPv4 address": func(t *testing.T, c CountriesUnderTest) {
		for at, code := range c.Known {
			if at.Is4() {
				c.has(t, netip.AddrFrom16(at.As16()), code)
			}
		}
	},
	"private and loopback addresses and the zero Addr have no country": func(t *testing.T, c CountriesUnderTest) {
		c.has(t, netip.Addr{}, "")
		for _, text := range []string{"10.0.0.1", "172.16.0.1", "192.168.0.1", "127.0.0.1", "169.254.0.1", "0.0.0.0", "::", "::1", "fd00::1", "fe80::1%eth0", "::ffff:10.0.0.1", "::ffff:127.0.0.1"} {
			c.has(t, netip.MustParseAddr(text), "")
		}
	},
	"Country is safe for concurrent use": func(t *testing.T, c CountriesUnderTest) {
		known := maps.Clone(c.Known)
		atOnce(32, func(int) {
			for at, code := range known {
				c.has(t, at, code)
			}
		})
	},
	"data that can't be read are an error": func(t *testing.T, c CountriesUnderTest) {
		if c.SetFailing == nil {
			return // they are read before
		}
		c.SetFailing()
		for at := range c.Known {
			code, err := c.Country(at)
			errorIf(t, err == nil || code != "", "%s: %q, %v", at, code, err)
		}
	},
}
