// Package admission decides who may sign in, bet, deposit and be paid, by what screeners say
// about them.
//
// A screener answers one question: from which country a request comes, say, or whether an
// address is on a list of sanctions. The strictest answer counts. A screener that fails allows
// nothing: callers wait until it answers.
package admission

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// Point is a point at which screeners are asked.
type Point string

// The points.
const (
	// SignIn asks about a wallet and the remote address of its request.
	SignIn Point = "signin"
	// Play asks about a wallet and the remote address of a bet or a launch.
	Play Point = "play"
	// Deposit asks about the wallet that paid.
	Deposit Point = "deposit"
	// Withdrawal asks about the destination when a withdrawal is requested, Payout again before
	// it is signed.
	Withdrawal Point = "withdrawal"
	Payout     Point = "payout"
)

// Points returns every point.
func Points() []Point { return []Point{SignIn, Play, Deposit, Withdrawal, Payout} }

// Verdict is what a screener or a decision says.
type Verdict string

// The verdicts, from the mildest.
const (
	Allow Verdict = "allow"
	// Review waits until two persons overrule it.
	Review Verdict = "review"
	Deny   Verdict = "deny"
)

// Verdicts returns every verdict, from the mildest.
func Verdicts() []Verdict { return []Verdict{Allow, Review, Deny} }

// Valid reports whether the verdict is one of Verdicts.
func (v Verdict) Valid() bool { return slices.Contains(Verdicts(), v) }

// Subject is what screeners are asked about.
type Subject struct {
	Point  Point
	Wallet wallet.Address
	// Agent is the player's agent. A sign-in of a new wallet has the code that it came with.
	Agent string
	// Remote is the address of the request, the zero Addr if there was none, as for workers.
	Remote netip.Addr
	// Address is the on-chain address that pays or is paid; of other points it is the wallet.
	Address string
	// ID is the withdrawal's id or the deposit's signature; of other points it is the wallet.
	ID string
}

// Key names what a decision is about, and what two persons overrule: a wallet's access, its
// deposits, or its withdrawals to a destination.
func (s Subject) Key() string {
	switch s.Point {
	case Withdrawal, Payout:
		return "withdrawal:" + string(s.Wallet) + "/" + s.Address
	case Deposit:
		return "deposit:" + string(s.Wallet)
	case SignIn, Play:
	}
	return "access:" + string(s.Wallet)
}

// WalletOf returns the wallet of a subject's key, empty for another text.
func WalletOf(key string) wallet.Address {
	_, of, _ := strings.Cut(key, ":")
	of, _, _ = strings.Cut(of, "/")
	return wallet.Address(of)
}

// EvidenceMax is the greatest length of a finding's evidence in bytes.
const EvidenceMax = 200

// Finding is the answer of one screener.
type Finding struct {
	Screener string // its name
	Verdict  Verdict
	// Evidence says why in a few words: a country, the name of a list, a reference of the
	// provider. It has at most EvidenceMax bytes.
	Evidence string
}

// Checked returns the finding with evidence that fits, in one line. A verdict that isn't one is
// Deny.
func (f Finding) Checked() Finding {
	if !f.Verdict.Valid() {
		f.Verdict, f.Evidence = Deny, "unknown verdict: "+f.Evidence
	}
	f.Evidence = strings.Map(func(r rune) rune {
		if r < ' ' || r == ';' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(f.Evidence, ""))
	if len(f.Evidence) > EvidenceMax {
		f.Evidence = strings.ToValidUTF8(f.Evidence[:EvidenceMax], "")
	}
	return f
}

func (f Finding) text() string {
	return strings.TrimSuffix(f.Screener+" "+string(f.Verdict)+" "+f.Evidence, " ")
}

// Decision is what follows from all findings.
type Decision struct {
	Subject
	Verdict  Verdict
	Findings []Finding
	At       time.Time
}

// Decide returns the decision: the strictest finding counts. Without findings it is Allow, for a
// service without screeners.
func Decide(s Subject, findings []Finding, at time.Time) Decision {
	d := Decision{Subject: s, Verdict: Allow, At: at}
	for _, f := range findings {
		f = f.Checked()
		if d.Findings = append(d.Findings, f); slices.Index(Verdicts(), f.Verdict) > slices.Index(Verdicts(), d.Verdict) {
			d.Verdict = f.Verdict
		}
	}
	return d
}

// Overruled returns the decision allowed, with the overruling as its last finding, if the decision
// with the text refused was refused for the same reasons. Those who overruled it didn't know of
// other ones.
func (d Decision) Overruled(refused string, by wallet.Address, reason string) Decision {
	known := strings.Split(refused, "; ")
	for _, f := range d.Findings {
		if f.Verdict != Allow && !slices.Contains(known, f.text()) {
			return d
		}
	}
	d.Verdict = Allow
	d.Findings = append(slices.Clone(d.Findings), Finding{Screener: "overruled", Verdict: Allow, Evidence: string(by) + ": " + reason}.Checked())
	return d
}

// Text describes the decision in one line for the audit log: verdict, point, the id of a deposit
// or withdrawal, and each finding.
func (d Decision) Text() string {
	parts := []string{string(d.Verdict) + " " + string(d.Point)}
	if d.ID != string(d.Wallet) {
		parts[0] += " " + d.ID
	}
	for _, f := range d.Findings {
		parts = append(parts, f.text())
	}
	return strings.Join(parts, "; ")
}

// Repeats reports whether earlier texts about the same Key, the newest first, already say the
// decision. A refusal repeats the newest one with the same findings, whatever it is of.
func (d Decision) Repeats(earlier []string) bool {
	if d.Verdict == Allow {
		return slices.Contains(earlier, d.Text())
	}
	return len(earlier) > 0 && withoutID(earlier[0]) == withoutID(d.Text())
}

// withoutID returns the verdict and the findings of a text.
func withoutID(text string) string {
	head, findings, _ := strings.Cut(text, "; ")
	verdict, _, _ := strings.Cut(head, " ")
	return verdict + "; " + findings
}

// OverrulingPurpose is the purpose of the seals of overrulings.
const OverrulingPurpose = "admission overruled"

// SealedOverruling returns what the seal of an overruling covers: its key, the overruled text, who
// decided it, and why.
func SealedOverruling(r audit.Record) []byte {
	return []byte(strings.Join([]string{r.Target, r.Before, string(r.By), r.After}, "\n"))
}

// Record returns the decision's audit record.
func (d Decision) Record(id, requestID string) audit.Record {
	return audit.Record{ID: id, Action: audit.AdmissionDecided, By: d.Wallet, Target: d.Key(), After: d.Text(), At: d.At, RequestID: requestID}
}

// ScreenedStatus is the status detail of refusals.
const ScreenedStatus = "screened"

// Refusal returns nil for Allow, else a fault of kind Forbidden. It says nothing of the evidence,
// which would tell how to evade the screeners.
func (d Decision) Refusal() error {
	switch d.Verdict {
	case Allow:
		return nil
	case Review:
		return fault.New(fault.Forbidden, "this needs a review before it is admitted").With("reason", string(Review)).With("status", ScreenedStatus)
	case Deny:
	}
	return fault.New(fault.Forbidden, "this is not admitted").With("reason", string(Deny)).With("status", ScreenedStatus)
}
