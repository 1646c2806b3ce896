package remotesigner_test

import (
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/adapters/simulated/localnet"
	ours "github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// The policy allows the adapter's transactions: payouts of both kinds land, signed
// remotely, with the withdrawal's approvals.
func TestTheAdaptersPayoutsAreSigned(t *testing.T) {
	t.Parallel()
	clock := fakes.NewClock(fakes.Start)
	chain, err := localnet.Open(localnet.Config{Now: clock.Now, Random: rand.NewChaCha8([32]byte{7})})
	if err != nil {
		t.Fatal(err)
	}
	rpc := httptest.NewServer(chain.Handler())
	t.Cleanup(func() {
		rpc.Close()
		_ = chain.Close()
	})
	s := newSigner(t)
	authority := solana.PrivateKey(fakes.Key("authority"))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err = chain.Airdrop(key(treasury), 1_000_000_000)
	must(err)
	_, err = chain.Airdrop(authority.PublicKey(), 1_000_000_000)
	must(err)
	mint, err := chain.CreateMint(authority, 6)
	must(err)
	_, err = chain.MintTo(authority, mint, key(treasury), 1_000_000)
	must(err)
	_, err = chain.Airdrop(key(fakes.Wallet("alice")), 1_000_000_000)
	must(err)
	clock.Advance(time.Minute) // all of it is final
	// The signer of the harness knows a mint by name; this one has a policy of its own.
	usd := usdTerms
	usd.Mint = money.Token(mint.String())
	own := approving()
	usd.TwoPersonAbove, usd.TwoPersonAbovePerDay = token.NoTwoPerson, token.NoTwoPerson
	own.Tokens, own.PriorityFeeMax = []token.Terms{own.Tokens[0], usd}, ours.DefaultPriorityFeeMax
	s.restart(t, own)
	node, err := ours.New(ours.Config{RPC: rpc.URL, Treasury: s.Client, Tokens: own.Tokens})
	must(err)
	t.Cleanup(node.Close)
	w := withdrawal.Withdrawal{
		ID: "w-1", Wallet: fakes.Wallet("alice"), Token: money.SOL, Amount: 1_000, Destination: string(fakes.Wallet("alice")),
		Status: withdrawal.Approved,
	}
	for _, terms := range own.Tokens {
		w.ID, w.Tag, w.Token, w.Amount = "pays-"+string(terms.Mint), "0123456789abcdef", terms.Mint, terms.PayoutCap
		w.Approvals = nil
		if _, err := node.Sign(t.Context(), w, terms); !fault.Is(err, fault.AmountOutOfRange) {
			t.Errorf("%s without approvals: %v", terms.Mint, err)
		}
		w.Approvals = []withdrawal.Approval{by("ada", w, clock.Now()), {By: fakes.Wallet("eve")}, by("ben", w, clock.Now())}
		attempt, err := node.Sign(t.Context(), w, terms)
		must(err)
		must(node.Send(t.Context(), attempt))
		w.ID, w.Amount = "too-much-of-"+string(terms.Mint), terms.PayoutCap+1
		if _, err := node.Sign(t.Context(), w, terms); !fault.Is(err, fault.AmountOutOfRange) {
			t.Errorf("%s above the cap: %v", terms.Mint, err)
		}
	}
}

// TestTheSignerAsksItsOwnNodes: a withdrawal is signed again once the signer's own nodes
// have forgotten the former message, and never after it was paid.
func TestTheSignerAsksItsOwnNodes(t *testing.T) {
	t.Parallel()
	clock := fakes.NewClock(fakes.Start)
	chain, err := localnet.Open(localnet.Config{Now: clock.Now, Random: rand.NewChaCha8([32]byte{7})})
	if err != nil {
		t.Fatal(err)
	}
	rpc := httptest.NewServer(chain.Handler())
	t.Cleanup(func() {
		rpc.Close()
		_ = chain.Close()
	})
	for _, who := range []string{"treasury", "alice"} {
		if _, err := chain.Airdrop(key(fakes.Wallet(who)), 1_000_000_000); err != nil {
			t.Fatal(err)
		}
	}
	clock.Advance(time.Minute)
	wide := policy
	wide.PriorityFeeMax = ours.DefaultPriorityFeeMax
	connect := func(signer ours.Signer) *ours.Node {
		node, err := ours.New(ours.Config{RPC: rpc.URL, Treasury: signer, Tokens: wide.Tokens})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(node.Close)
		return node
	}
	pair, err := ours.NewKeypair(fakes.Key("treasury"))
	if err != nil {
		t.Fatal(err)
	}
	s := openOn(t, filepath.Join(t.TempDir(), "journal"), clock, wide, connect(pair))
	service := connect(s.Client)
	w := withdrawal.Withdrawal{
		ID: "w-1", Wallet: fakes.Wallet("alice"), Token: money.SOL, Amount: 400, Destination: string(fakes.Wallet("alice")),
		Status: withdrawal.Approved,
	}
	sign := func(want fault.Kind) (attempt withdrawal.Attempt) {
		t.Helper()
		attempt, err := service.Sign(t.Context(), w, solTerms)
		if want == fault.Internal && err != nil || want != fault.Internal && !fault.Is(err, want) {
			t.Fatalf("%v", err)
		}
		return attempt
	}
	slots := func(count int) { clock.Advance(time.Duration(count) * localnet.DefaultSlotDuration) }
	sign(fault.Internal)
	slots(20)
	sign(fault.External) // the former may still land
	slots(300)
	second := sign(fault.Internal)
	if err := service.Send(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	slots(4)
	sign(fault.External) // it is in a block
	slots(50)
	sign(fault.AmountOutOfRange) // it was paid
	slots(5_000)
	sign(fault.AmountOutOfRange)
}
