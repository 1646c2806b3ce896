package deposit_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

var (
	made  = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	later = made.Add(time.Minute)
)

func claim() deposit.Claim {
	return deposit.Claim{
		ID: "c1", Wallet: wallet.Address(alice), Ref: deposit.Ref{Signature: "s", Token: usd}, Status: deposit.Pending,
		Reason: "not_found", CreatedAt: made, UpdatedAt: made,
	}
}

func TestCreditPaysThePlayerFromTheChain(t *testing.T) {
	t.Parallel()
	credited, transfers := claim().Credit(ledger.PlayerOf(claim().Wallet), 1000, later)
	want := claim()
	want.Status, want.Amount, want.Reason, want.UpdatedAt = deposit.Credited, 1000, "", later
	if credited != want {
		t.Errorf("got %+v, want %+v", credited, want)
	}
	if len(transfers) != 1 || transfers[0] != (ledger.Transfer{
		Debit: ledger.System(ledger.Chain), Credit: ledger.PlayerOf(wallet.Address(alice)), Token: usd, Amount: 1000,
	}) {
		t.Errorf("transfers %+v", transfers)
	}
	if err := transfers[0].Check(); err != nil {
		t.Error(err)
	}
}

func TestJudgedKeepsWhoAndWhat(t *testing.T) {
	t.Parallel()
	judged := claim().Judged(deposit.Rejected, deposit.NotSender, later)
	want := claim()
	want.Status, want.Reason, want.UpdatedAt = deposit.Rejected, "not_sender", later
	if judged != want {
		t.Errorf("got %+v, want %+v", judged, want)
	}
}

func TestCreditsOfOneTransactionDifferByToken(t *testing.T) {
	t.Parallel()
	a, b := deposit.Ref{Signature: "s", Token: usd}, deposit.Ref{Signature: "s", Token: "other"}
	if a.Key() == b.Key() || a.Key() != (ledger.Key{Kind: ledger.Deposit, Scope: string(usd), ID: "s"}) {
		t.Errorf("keys %v and %v", a.Key(), b.Key())
	}
}

func TestSignaturesAreSixtyFourBytes(t *testing.T) {
	t.Parallel()
	raw := make([]byte, 64)
	for i := range raw {
		raw[i] = byte(i*7 + 1)
	}
	good := base58.Encode(raw)
	if err := deposit.CheckSignature(good); err != nil {
		t.Errorf("%q is refused: %v", good, err)
	}
	if err := deposit.CheckSignature(base58.Encode(make([]byte, 64))); err != nil {
		t.Errorf("64 zero bytes: %v", err)
	}
	for name, text := range map[string]string{
		"empty": "", "short": base58.Encode(raw[1:]), "long": base58.Encode(append(raw, 1)), "a foreign letter": "0" + good[1:],
		"a leading one more": "1" + good, "a space": good + " ", "very long": strings.Repeat("z", 10_000), "an address": alice,
	} {
		err := deposit.CheckSignature(text)
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v, want a fault of kind Invalid", name, err)
		}
	}
}

// TestUninvolvedAccountsDontAffectADeposit adds accounts that didn't move, or aren't the
// sender's: they must not count as a second payer or as wrapped SOL.
func TestUninvolvedAccountsDontAffectADeposit(t *testing.T) {
	t.Parallel()
	const credited, review, rejected = deposit.Credited, deposit.Review, deposit.Rejected
	type lamport = deposit.LamportChange
	beside := func(more ...deposit.LamportChange) deposit.Observation {
		return lamports(append(more, lamport{alice, 9000, 3000}, lamport{house, 70, 1070})...)
	}
	tokens := func(o deposit.Observation, changes ...deposit.TokenChange) deposit.Observation {
		o.Tokens = changes
		return o
	}
	opened := altered(wrapped("alice/wsol", alice, 0, 0), func(c *deposit.TokenChange) { c.OwnerPre = "" })
	emptied := altered(wrapped("alice/wsol", alice, 0, 0), func(c *deposit.TokenChange) { c.OwnerPost = "" })
	check(t, []row{
		{"an account that didn't move", beside(lamport{bob, 77, 77}), credited, "", 1000, alice},
		{"an account that rose", beside(lamport{bob, 77, 78}), credited, "", 1000, alice},
		{"an account that fell", beside(lamport{bob, 77, 76}), review, deposit.SeveralSenders, 1000, ""},
		{"the treasury's wrapped SOL as it was", tokens(beside(), wrapped("house/wsol", house, 5, 5)), credited, "", 1000, alice},
		{"the sender's wrapped SOL as it was", tokens(beside(lamport{"alice/wsol", 5, 5}), wrapped("alice/wsol", alice, 5, 5)), credited, "", 1000, alice},
		{"the sender's wrapped SOL that rose", tokens(beside(lamport{"alice/wsol", 5, 6}), wrapped("alice/wsol", alice, 5, 6)), credited, "", 1000, alice},
		{"the sender's wrapped SOL, opened", tokens(beside(), opened), credited, "", 1000, alice},
		{"the sender's wrapped SOL, empty and closed", tokens(beside(), emptied), review, deposit.WrappedSOL, 1000, ""},
		{"the sender's wrapped SOL, spent", tokens(beside(), wrapped("alice/wsol", alice, 6, 5)), review, deposit.WrappedSOL, 1000, ""},
		{"wrapped SOL spent beside a credit of one lamport", tokens(lamports(lamport{alice, 9000, 3000}, lamport{house, 70, 71}),
			wrapped("alice/wsol", alice, 6, 5)), review, deposit.WrappedSOL, 1, ""},
		{"another one's wrapped SOL spent, by a signer who paid nothing", tokens(lamports(lamport{alice, 9000, 9000}, lamport{house, 70, 1070}),
			wrapped("bob/wsol", bob, 6, 5)), rejected, deposit.NotSender, 0, ""},
		{"another one's wrapped SOL spent, by a signer who paid one", tokens(lamports(lamport{alice, 9000, 8999}, lamport{house, 70, 1070}),
			wrapped("bob/wsol", bob, 6, 5)), review, deposit.WrappedSOL, 1000, ""},
		{"another account drained", tokens(beside(lamport{"alice/wsol", 5, 5}, lamport{"mallory", 5, 5}), wrapped("alice/wsol", alice, 5, 5)),
			credited, "", 1000, alice},
	}, solTerms)
}

// TestTheFirstReasonStands puts the treasury's account into the transaction twice:
// closed, and reopened for another mint or owner.
func TestTheFirstReasonStands(t *testing.T) {
	t.Parallel()
	good := holding("house/usd", house, 70, 1070)
	foreign := altered(good, func(c *deposit.TokenChange) { c.Mint = money.SOL })
	taken := altered(good, func(c *deposit.TokenChange) { c.OwnerPre = bob })
	still := holding("house/usd", house, 70, 70)
	for name, row := range map[string]struct {
		tokens []deposit.TokenChange
		amount money.Amount
		reason deposit.Reason
	}{
		"good alone":              {[]deposit.TokenChange{good}, 1000, deposit.NoReason},
		"good and another mint":   {[]deposit.TokenChange{good, foreign}, 0, deposit.WrongToken},
		"another mint and good":   {[]deposit.TokenChange{foreign, good}, 0, deposit.WrongToken},
		"another mint, then hand": {[]deposit.TokenChange{foreign, taken}, 0, deposit.WrongToken},
		"hand, then another mint": {[]deposit.TokenChange{taken, foreign}, 0, deposit.OwnerChanged},
		"unmoved":                 {[]deposit.TokenChange{still}, 0, deposit.NoCredit},
	} {
		amount, reason := deposit.Arrived(landed(row.tokens...), tokenTerms, treasury)
		if amount != row.amount || reason != row.reason {
			t.Errorf("%s: %d, %q", name, amount, reason)
		}
	}
}

func TestNothingArrivedWithoutAGoodTransaction(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(*deposit.Observation)
		want   deposit.Reason
	}{
		"not found":     {func(o *deposit.Observation) { o.Found = false }, deposit.NotFound},
		"not finalized": {func(o *deposit.Observation) { o.Finalized = false }, deposit.NotFound},
		"failed":        {func(o *deposit.Observation) { o.Failed = true }, deposit.TransactionFailed},
		"the treasury's own": {func(o *deposit.Observation) { o.Signers = []string{house} },
			deposit.TreasurySigned},
	} {
		amount, reason := deposit.Arrived(with(paid(), row.change), tokenTerms, treasury)
		if amount != 0 || reason != row.want {
			t.Errorf("%s: %d, %q", name, amount, reason)
		}
	}
	if amount, reason := deposit.Arrived(paid(), tokenTerms, treasury); amount != 1000 || reason != deposit.NoReason {
		t.Errorf("a good one: %d, %q", amount, reason)
	}
	stranger := deposit.Judge(paid(), wallet.Address(bob), tokenTerms, treasury)
	if stranger.Status != deposit.Rejected || stranger.Sender != wallet.Address(alice) {
		t.Errorf("claimed by another: %+v", stranger)
	}
	again := deposit.Parked{Amount: 5}.Retry(deposit.Unreadable, time.Unix(9, 0))
	if again.Amount != 0 || again.Tries != 1 || again.Reason != deposit.Unreadable {
		t.Errorf("tried again: %+v", again)
	}
}
