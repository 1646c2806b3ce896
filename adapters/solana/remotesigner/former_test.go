package remotesigner_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/withdrawal"
)

// TestAnotherMessageOfAWithdrawalNeedsTheFormerDead, even for a service that was taken over
// or restored from an older copy.
func TestAnotherMessageOfAWithdrawalNeedsTheFormerDead(t *testing.T) {
	t.Parallel()
	away := errors.New("away")
	for name, row := range map[string]struct {
		status withdrawal.AttemptStatus
		err    error
		kind   fault.Kind // Internal when it is signed
	}{
		"dead":                          {withdrawal.Dead, nil, fault.Internal},
		"failed on chain":               {withdrawal.Errored, nil, fault.Internal},
		"paid":                          {withdrawal.Finalized, nil, fault.AmountOutOfRange},
		"paid, and a node that is away": {withdrawal.Finalized, away, fault.AmountOutOfRange},
		"in a block":                    {withdrawal.Landed, nil, fault.External},
		"nobody knows":                  {withdrawal.Unknown, nil, fault.External},
		"nodes that are away":           {withdrawal.Unknown, away, fault.External},
		"dead by half a proof":          {withdrawal.Dead, away, fault.External},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSigner(t)
			first := solPayout(1_000, "alice")
			first.memo = "w-1 0123456789abcdef"
			signature, err := s.Sign(background, first.message(t))
			if err != nil {
				t.Fatal(err)
			}
			s.restart(t, policy) // only the journal remembers
			s.nodes.say(row.status, row.err)
			again, err := s.Sign(background, first.message(t))
			if err != nil || string(again) != string(signature) {
				t.Errorf("the same bytes: %v", err)
			}
			other := first
			other.memo, other.hash = "w-1 fedcba9876543210", 9 // the keys of tags were changed
			_, err = s.Sign(background, other.message(t))
			if row.kind == fault.Internal && err != nil || row.kind != fault.Internal && !fault.Is(err, row.kind) {
				t.Errorf("another message: %v", err)
			}
			asked := s.nodes.asked
			if len(asked) != 1 || asked[0].LastValidHeight != 250 || asked[0].Slot != 100 || asked[0].WithdrawalID != "w-1" || len(asked[0].Transaction) < 100 {
				t.Errorf("asked for %+v", asked)
			}
			s.nodes.say(withdrawal.Dead, nil)
			changed := first
			changed.pays, changed.hash = solPayout(1_000, "bob").pays, 10
			if _, err := s.Sign(background, changed.message(t)); !fault.Is(err, fault.AmountOutOfRange) || !strings.Contains(err.Error(), "another payment") {
				t.Errorf("to somebody else: %v", err)
			}
		})
	}
}

// TestABlockhashThatTheSignersNodesDontKnowIsNotSigned: it could be of any age.
func TestABlockhashThatTheSignersNodesDontKnowIsNotSigned(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	s.nodes.say(withdrawal.Dead, errors.New("not valid"))
	if _, err := s.Sign(background, solPayout(1, "alice").message(t)); !fault.Is(err, fault.External) {
		t.Errorf("%v", err)
	}
	s.nodes.say(withdrawal.Dead, nil)
	if _, err := s.Sign(background, solPayout(1, "alice").message(t)); err != nil {
		t.Errorf("nothing was recorded before: %v", err)
	}
}
