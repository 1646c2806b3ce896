package onchain_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/validator"
)

// verdict is the result of a deposit claim.
type verdict struct {
	status deposit.Status
	reason deposit.Reason
	amount money.Amount
}

func credited(amount money.Amount) verdict { return verdict{status: deposit.Credited, amount: amount} }

func rejected(reason deposit.Reason) verdict {
	return verdict{status: deposit.Rejected, reason: reason}
}

func review(reason deposit.Reason) verdict { return verdict{status: deposit.Review, reason: reason} }

// claim is a player's claim that a transaction is the player's deposit of a token, and the
// expected verdict.
type claim struct {
	who   person
	terms token.Terms
	want  verdict
}

// shape is one way to pay, or to simulate a payment: it lands a transaction and returns the
// claims to it, in order.
type shape struct {
	name string
	land func(s *stage) (signature string, claims []claim)
}

// shapes returns all of them.
func shapes() []shape {
	var all []shape
	for _, some := range [][]shape{honestShapes, builtShapes, encodedShapes, senderShapes, accountShapes, nativeShapes, tokenShapes, innerShapes} {
		all = append(all, some...)
	}
	return all
}

// TestEveryShapeIsJudgedAsTheRulesSay lands every shape on the runtime and claims it: before it
// is finalized, after that, by the worker and by another request.
func TestEveryShapeIsJudgedAsTheRulesSay(t *testing.T) {
	t.Parallel()
	const fewest = 30
	if count := len(shapes()); count < fewest {
		t.Fatalf("%d shapes", count)
	}
	s := newStage(t, planted{})
	for _, fault := range s.claimAll() {
		t.Error(fault)
	}
}

// claimAll runs every shape and returns those with a wrong verdict.
func (s *stage) claimAll() (faults []error) {
	s.Helper()
	for i, shape := range shapes() {
		signature, claims := shape.land(s)
		wrong := s.claimed(signature, claims, i%2 == 0)
		for _, fault := range wrong {
			faults = append(faults, fmt.Errorf("%s: %w", shape.name, fault))
		}
	}
	return append(faults, s.solvent()...)
}

// claimed follows the claims to a transaction to their end.
func (s *stage) claimed(signature string, claims []claim, byWorker bool) (faults []error) {
	s.Helper()
	before := make([]money.Amount, len(claims))
	for i, c := range claims {
		before[i] = s.balance(c.who, c.terms)
		if got := s.claim(signature, c); got.status != deposit.Pending || got.amount != 0 {
			faults = append(faults, fmt.Errorf("%s got %+v before it was finalized", c.who.RequestID, got))
		}
	}
	s.finalize()
	if byWorker {
		s.follow()
	}
	for i, c := range claims {
		for range 2 {
			if got := s.claim(signature, c); got != c.want {
				faults = append(faults, fmt.Errorf("claim %d of %s, by %s: %+v, want %+v", i, c.terms.Symbol, c.who.RequestID, got, c.want))
			}
		}
		rise := money.Amount(0)
		for _, each := range claims {
			if each.who.Wallet == c.who.Wallet && each.terms.Mint == c.terms.Mint && each.want.status == deposit.Credited {
				rise = each.want.amount
			}
		}
		if got := s.balance(c.who, c.terms); got != before[i]+rise {
			faults = append(faults, fmt.Errorf("%s went from %d to %d, want %d more", c.who.RequestID, before[i], got, rise))
		}
	}
	return faults
}

// claim makes a deposit claim and returns its verdict.
func (s *stage) claim(signature string, c claim) verdict {
	s.Helper()
	answer, err := s.Deposits.Deposit(s.Context(), c.who.Caller, signature, string(c.terms.Mint))
	refusal := (*fault.Error)(nil)
	switch {
	case err == nil:
		got := verdict{answer.Claim.Status, deposit.Reason(answer.Claim.Reason), answer.Claim.Amount}
		if got.status == deposit.Review {
			got.amount = 0 // an admin decides it
		}
		return got
	case fault.Is(err, fault.DepositRejected) && errors.As(err, &refusal):
		reason, _ := refusal.Details["reason"].(string)
		return rejected(deposit.Reason(reason))
	case fault.Is(err, fault.DepositTaken):
		return rejected(taken)
	}
	s.Fatalf("claiming %s: %v", signature, err)
	return verdict{}
}

// taken is the reason for a transaction that was credited to another player.
const taken deposit.Reason = "taken"

// follow runs the worker's steps once.
func (s *stage) follow() {
	s.Helper()
	worker := s.Deposits.DepositWorker()
	for {
		worked, err := worker.Step(s.Context())
		noError(s, err)
		if !worked {
			return
		}
	}
}

// watch runs a watcher's steps until it finds nothing more.
func (s *stage) watch() {
	s.Helper()
	watcher := s.Deposits.DepositWatcher()
	for {
		worked, err := watcher.Step(s.Context())
		noError(s, err)
		if !worked {
			return
		}
	}
}

// TestTheWatcherCreditsByTheSameRules runs the shapes again, except those of other encodings,
// without claims. The watcher credits exactly the players who would be credited with a claim.
func TestTheWatcherCreditsByTheSameRules(t *testing.T) {
	t.Parallel()
	s := newStageOn(t, planted{}, validator.StartLight)
	type due struct {
		shape  string
		who    person
		terms  token.Terms
		amount money.Amount
	}
	var all []due
	for i, shape := range slices.Concat(honestShapes, senderShapes, accountShapes, nativeShapes, tokenShapes, innerShapes) {
		_, claims := shape.land(s)
		for _, c := range claims {
			all = append(all, due{shape.name, c.who, c.terms, 0})
			for j := range all {
				if d := &all[j]; d.who.Wallet == c.who.Wallet && d.terms.Mint == c.terms.Mint && c.want.status == deposit.Credited {
					d.amount = c.want.amount
				}
			}
		}
		if s.finalize(); i%10 == 9 {
			s.watch()
		}
	}
	s.finalize()
	s.watch()
	s.watch()
	for _, d := range all {
		if got := s.balance(d.who, d.terms); got != d.amount {
			t.Errorf("%s: %s has %d of %s, want %d", d.shape, d.who.RequestID, got, d.terms.Symbol, d.amount)
		}
	}
	for _, fault := range s.solvent() {
		t.Error(fault)
	}
}

// TestDepositsOfANewWalletWait checks that they are unclaimed until the wallet signs in for the
// first time.
func TestDepositsOfANewWalletWait(t *testing.T) {
	t.Parallel()
	s := newStageOn(t, planted{}, validator.StartLight)
	stranger := s.stranger()
	for _, terms := range []token.Terms{s.sol, s.usd} {
		s.do(s.pays(stranger, terms, paid), stranger.PrivateKey)
	}
	s.finalize()
	s.watch()
	totals, err := s.store.Totals(t.Context())
	noError(t, err)
	waiting := 0
	for _, b := range totals {
		if b.Account.Kind == ledger.Unclaimed && b.Amount.Cmp(money.TotalOf(paid)) == 0 {
			waiting++
		}
	}
	if waiting != 2 {
		t.Errorf("%d of 2 tokens wait unclaimed", waiting)
	}
	s.signIn(stranger)
	for _, terms := range []token.Terms{s.sol, s.usd} {
		if got := s.balance(stranger, terms); got != paid {
			t.Errorf("%d of %s after the sign-in", got, terms.Symbol)
		}
	}
}

// solvent checks that the treasury holds all players' balances.
func (s *stage) solvent() (faults []error) {
	s.Helper()
	totals, err := s.store.Totals(s.Context())
	noError(s, err)
	for _, terms := range []token.Terms{s.sol, s.usd, s.fee, s.late} {
		held, err := s.node.Holding(s.Context(), terms)
		noError(s, err)
		for _, b := range totals {
			if b.Token == terms.Mint && b.Account.Kind == ledger.Player && b.Amount.Cmp(money.TotalOf(held)) > 0 {
				faults = append(faults, fmt.Errorf("the treasury holds %d of %s, players have %v", held, terms.Symbol, b.Amount))
			}
		}
	}
	return faults
}

// TestReplayedInParallelItIsCreditedOnce makes the same claim many times concurrently, also by
// the worker.
func TestReplayedInParallelItIsCreditedOnce(t *testing.T) {
	t.Parallel()
	s := newStageOn(t, planted{}, validator.StartLight)
	for round := range 4 {
		alice, mallory := s.join(), s.join()
		signature := s.do(s.pays(alice, s.usd, paid), alice.PrivateKey)
		s.claim(signature, claim{who: alice, terms: s.usd})
		s.finalize()
		var parallel sync.WaitGroup
		for range 6 {
			parallel.Go(func() { s.claim(signature, claim{who: alice, terms: s.usd}) })
			parallel.Go(func() { s.claim(signature, claim{who: mallory, terms: s.usd}) })
		}
		parallel.Go(s.follow)
		parallel.Go(s.watch)
		parallel.Wait()
		if a, m := s.balance(alice, s.usd), s.balance(mallory, s.usd); a != paid || m != 0 {
			t.Errorf("round %d: %d for who paid, %d for who did not", round, a, m)
		}
	}
	for _, fault := range s.solvent() {
		t.Error(fault)
	}
}

// TestWhatWasNeverSentWaits checks that a transaction isn't rejected because it isn't seen yet.
func TestWhatWasNeverSentWaits(t *testing.T) {
	t.Parallel()
	s := newStageOn(t, planted{}, validator.StartLight)
	alice := s.join()
	late := s.built(s.pays(alice, s.usd, paid), keysOf(alice))
	signature := late.Signatures[0].String()
	waits := verdict{status: deposit.Pending, reason: deposit.NotFound}
	if got := s.claim(signature, claim{who: alice, terms: s.usd}); got != waits {
		t.Errorf("%+v, want %+v", got, waits)
	}
	s.slots(100)
	s.follow()
	if s.land(late) != signature {
		t.Fatal("another signature")
	}
	s.finalize()
	s.follow()
	if got := s.claim(signature, claim{who: alice, terms: s.usd}); got != credited(paid) {
		t.Errorf("%+v, want %d credited", got, paid)
	}
}
