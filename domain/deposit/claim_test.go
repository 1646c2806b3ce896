package deposit_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
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
