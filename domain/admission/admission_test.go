package admission_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/fault"
)

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func finding(v admission.Verdict, evidence string) admission.Finding {
	return admission.Finding{Screener: "list", Verdict: v, Evidence: evidence}
}

// TestTheStrictestFindingCounts decides by each pair of verdicts; one that is none denies.
func TestTheStrictestFindingCounts(t *testing.T) {
	t.Parallel()
	strict := map[admission.Verdict]int{admission.Allow: 0, admission.Review: 1, admission.Deny: 2, "": 2, "maybe": 2}
	for a, first := range strict {
		for b, second := range strict {
			got := admission.Decide(admission.Subject{}, []admission.Finding{finding(a, ""), finding(b, "")}, noon)
			if want := admission.Verdicts()[max(first, second)]; got.Verdict != want || len(got.Findings) != 2 {
				t.Errorf("%q and %q: %s", a, b, got.Verdict)
			}
			refused := got.Refusal()
			if (refused == nil) != (max(first, second) == 0) || refused != nil && !fault.Is(refused, fault.Forbidden) {
				t.Errorf("%q and %q: %v", a, b, refused)
			}
		}
	}
	if got := admission.Decide(admission.Subject{}, nil, noon); got.Verdict != admission.Allow {
		t.Errorf("without screeners: %s", got.Verdict)
	}
}

// TestEvidenceIsOneBoundedLine gives evidence that would forge a finding, or fill the log.
func TestEvidenceIsOneBoundedLine(t *testing.T) {
	t.Parallel()
	for _, evidence := range []string{"a; other allow b\nc", strings.Repeat("é", 150), "\xff\x00", ""} {
		got := finding(admission.Deny, evidence).Checked().Evidence
		if len(got) > admission.EvidenceMax || !utf8.ValidString(got) || strings.ContainsAny(got, ";\n\x00") {
			t.Errorf("%q became %q", evidence, got)
		}
	}
}

// TestKeysNameWhatIsOverruled lists the keys: access is one for sign-ins and bets, and a withdrawal's
// is the same when it is requested and when it is paid.
func TestKeysNameWhatIsOverruled(t *testing.T) {
	t.Parallel()
	var got []string
	for _, at := range admission.Points() {
		got = append(got, admission.Subject{Point: at, Wallet: "ann", Address: "vault", ID: "7"}.Key())
	}
	if want := "[access:ann access:ann deposit:ann withdrawal:ann/vault withdrawal:ann/vault]"; fmt.Sprint(got) != want {
		t.Errorf("%v", got)
	}
}

// TestOnlyKnownReasonsAreOverruled overrules a decision, and then others about the same.
func TestOnlyKnownReasonsAreOverruled(t *testing.T) {
	t.Parallel()
	decide := func(f ...admission.Finding) admission.Decision {
		return admission.Decide(admission.Subject{Point: admission.SignIn, Wallet: "ann", ID: "ann"}, f, noon)
	}
	country, sanction := finding(admission.Review, "country unknown"), finding(admission.Deny, "list sanctions")
	refused := decide(country).Text()
	if refused != "review signin; list review country unknown" {
		t.Errorf("%q", refused)
	}
	for name, c := range map[string]struct {
		findings []admission.Finding
		want     admission.Verdict
	}{
		"the same":          {[]admission.Finding{country}, admission.Allow},
		"an allowed beside": {[]admission.Finding{country, finding(admission.Allow, "fine")}, admission.Allow},
		"another beside":    {[]admission.Finding{country, sanction}, admission.Deny},
		"another":           {[]admission.Finding{sanction}, admission.Deny},
		"stricter":          {[]admission.Finding{finding(admission.Deny, "country unknown")}, admission.Deny},
		"a part of it":      {[]admission.Finding{finding(admission.Review, "country")}, admission.Review},
	} {
		if got := decide(c.findings...).Overruled(refused, "ada", "checked"); got.Verdict != c.want {
			t.Errorf("%s: %s", name, got.Text())
		}
	}
}

// A wallet from a country that isn't allowed.
func ExampleDecide() {
	who := admission.Subject{Point: admission.SignIn, Wallet: "ann", ID: "ann"}
	decided := admission.Decide(who, []admission.Finding{
		{Screener: "country", Verdict: admission.Deny, Evidence: "country US"},
		{Screener: "list-sanctions", Verdict: admission.Allow},
	}, noon)
	fmt.Println(decided.Text())
	fmt.Println(decided.Refusal())
	// Output:
	// deny signin; country deny country US; list-sanctions allow
	// this is not admitted
}
