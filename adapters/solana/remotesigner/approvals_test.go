package remotesigner_test

import (
	"crypto/ed25519"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/solana/remotesigner"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// approving is a policy with approvers of its own: one of them signs up to 500 lamports
// at once and 1500 within a day, two above.
func approving() remotesigner.Policy {
	with, sol := policy, solTerms
	sol.TwoPersonAbove, sol.TwoPersonAbovePerDay = 500, 1_500
	usd := usdTerms
	usd.TwoPersonAbove, usd.TwoPersonAbovePerDay = token.NoTwoPerson, token.NoTwoPerson
	with.Tokens = []token.Terms{sol, usd}
	with.Approvers = []wallet.Address{fakes.Wallet("ada"), fakes.Wallet("ben"), fakes.Wallet("cat")}
	with.ApprovalMaxAge = 7 * 24 * time.Hour
	return with
}

func newApproving(t *testing.T) *signer {
	t.Helper()
	return openWith(t, filepath.Join(t.TempDir(), "journal"), fakes.NewClock(fakes.Start), approving())
}

// what is a withdrawal as a person reads it.
func what(id string, amount money.Amount, to string) withdrawal.Withdrawal {
	return withdrawal.Withdrawal{ID: id, Token: money.SOL, Amount: amount, Destination: string(fakes.Wallet(to))}
}

// by is a person's approval of the withdrawal at a moment.
func by(name string, w withdrawal.Withdrawal, at time.Time) withdrawal.Approval {
	millis := at.UnixMilli()
	signature := ed25519.Sign(fakes.Key(name), []byte(w.ApprovalMessage(treasury, millis)))
	return withdrawal.Approval{By: fakes.Wallet(name), At: at}.WithSignature(signature, millis, treasury)
}

// paying is a message that pays lamports under a withdrawal's id.
func paying(t *testing.T, id string, amount uint64, to string) []byte {
	t.Helper()
	p := solPayout(amount, to)
	p.memo = id + " 0123456789abcdef"
	return p.message(t)
}

// TestNothingIsPaidThatTheApproversDidNotSign, even for a service that was taken over with
// all its keys.
func TestNothingIsPaidThatTheApproversDidNotSign(t *testing.T) {
	t.Parallel()
	at := fakes.Start
	small, large := what("w-1", 500, "alice"), what("w-1", 501, "alice")
	renamed := by("mallory", small, at)
	renamed.By = fakes.Wallet("ada")
	later := by("ada", small, at.Add(-8*24*time.Hour))
	later.Timestamp = at.UnixMilli()
	elsewhere := by("ada", small, at)
	elsewhere = elsewhere.WithSignature(ed25519.Sign(fakes.Key("ada"), []byte(small.ApprovalMessage(fakes.Wallet("other treasury"), at.UnixMilli()))), at.UnixMilli(), treasury)
	for name, c := range map[string]struct {
		amount    uint64
		to        string
		approvals []withdrawal.Approval
		signed    bool
	}{
		"one of one":                         {500, "alice", []withdrawal.Approval{by("ada", small, at)}, true},
		"two of two":                         {501, "alice", []withdrawal.Approval{by("ada", large, at), by("cat", large, at)}, true},
		"one of two":                         {501, "alice", []withdrawal.Approval{by("ada", large, at)}, false},
		"one of two, and one of nobody":      {501, "alice", []withdrawal.Approval{by("ada", large, at), by("mallory", large, at)}, false},
		"one signature twice":                {501, "alice", []withdrawal.Approval{by("ada", large, at), by("ada", large, at)}, false},
		"two signatures of one person":       {501, "alice", []withdrawal.Approval{by("ada", large, at), by("ada", large, at.Add(-time.Minute))}, false},
		"nobody's":                           {500, "alice", nil, false},
		"unsigned":                           {500, "alice", []withdrawal.Approval{{By: fakes.Wallet("ada"), At: at}}, false},
		"another destination":                {500, "mallory", []withdrawal.Approval{by("ada", small, at)}, false},
		"another amount":                     {499, "alice", []withdrawal.Approval{by("ada", small, at)}, false},
		"another withdrawal":                 {500, "alice", []withdrawal.Approval{by("ada", what("w-2", 500, "alice"), at)}, false},
		"another token":                      {500, "alice", []withdrawal.Approval{by("ada", withdrawal.Withdrawal{ID: "w-1", Token: usdTerms.Mint, Amount: 500, Destination: small.Destination}, at)}, false},
		"another treasury":                   {500, "alice", []withdrawal.Approval{elsewhere}, false},
		"an approver who is not on the list": {500, "alice", []withdrawal.Approval{by("mallory", small, at)}, false},
		"in an approver's name":              {500, "alice", []withdrawal.Approval{renamed}, false},
		"an approver pays himself":           {500, "ada", []withdrawal.Approval{by("ada", what("w-1", 500, "ada"), at)}, false},
		"almost seven days old":              {500, "alice", []withdrawal.Approval{by("ada", small, at.Add(-7*24*time.Hour+time.Millisecond))}, true},
		"older":                              {500, "alice", []withdrawal.Approval{by("ada", small, at.Add(-7*24*time.Hour-time.Millisecond))}, false},
		"older, said to be new":              {500, "alice", []withdrawal.Approval{later}, false},
		"of the future":                      {500, "alice", []withdrawal.Approval{by("ada", small, at.Add(2*time.Minute))}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newApproving(t)
			message := paying(t, "w-1", c.amount, c.to)
			signature, err := s.SignApproved(background, message, c.approvals)
			if c.signed && (err != nil || !ed25519.Verify(treasury.PublicKey(), message, signature)) {
				t.Errorf("%x, %v", signature, err)
			}
			if !c.signed && (!fault.Is(err, fault.AmountOutOfRange) || !strings.Contains(err.Error(), "of the signer's approvers signed")) {
				t.Errorf("%x, %v", signature, err)
			}
		})
	}
}

// TestApproversOfTokens: the text that they signed names the mint and the wallet, not its
// token account.
func TestApproversOfTokens(t *testing.T) {
	t.Parallel()
	s, message := newApproving(t), usdPayout(50, "alice").message(t)
	w := withdrawal.Withdrawal{ID: "w-1", Token: usdTerms.Mint, Amount: 50, Destination: string(fakes.Wallet("alice"))}
	if _, err := s.Sign(background, message); !fault.Is(err, fault.AmountOutOfRange) {
		t.Errorf("unsigned: %v", err)
	}
	if _, err := s.SignApproved(background, message, []withdrawal.Approval{by("ada", w, fakes.Start)}); err != nil {
		t.Errorf("signed: %v", err)
	}
}

// TestTwoSignWhatIsLargeWithinADay: small payments signed by one person add up, each
// withdrawal once, also across a restart.
func TestTwoSignWhatIsLargeWithinADay(t *testing.T) {
	t.Parallel()
	s := newApproving(t)
	pay := func(id, to string, hash byte, names ...string) error {
		t.Helper()
		var given []withdrawal.Approval
		for _, name := range names {
			given = append(given, by(name, what(id, 500, to), s.clock.Now()))
		}
		p := solPayout(500, to)
		p.memo, p.hash = id+" 0123456789abcdef", hash
		_, err := s.SignApproved(background, p.message(t), given)
		return err
	}
	for i, id := range []string{"w-1", "w-2", "w-2", "w-3"} { // w-2's first message died
		if err := pay(id, "alice", byte(i), "ada"); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		s.clock.Advance(2 * time.Hour) // so that the hourly cap doesn't apply
	}
	s.restart(t, approving())
	if err := pay("w-4", "alice", 9, "ada"); !fault.Is(err, fault.AmountOutOfRange) || !strings.Contains(err.Error(), "it needs 2") {
		t.Errorf("by one: %v", err)
	}
	if err := pay("w-4", "alice", 9, "ada", "ben"); err != nil {
		t.Errorf("by two: %v", err)
	}
	s.clock.Advance(24 * time.Hour)
	if err := pay("w-5", "alice", 10, "ben"); err != nil {
		t.Errorf("a day later: %v", err)
	}
}

// TestTheSameMessageNeedsNobodyAgain: its signature was already returned.
func TestTheSameMessageNeedsNobodyAgain(t *testing.T) {
	t.Parallel()
	s, message := newApproving(t), paying(t, "w-1", 500, "alice")
	first, err := s.SignApproved(background, message, []withdrawal.Approval{by("ada", what("w-1", 500, "alice"), fakes.Start)})
	if err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(30 * 24 * time.Hour)
	if again, err := s.Sign(background, message); err != nil || string(again) != string(first) {
		t.Errorf("%x, %v", again, err)
	}
}
