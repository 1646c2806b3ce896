package withdrawal_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// sealedRequest are the fields that a request's seal covers; no other field keeps its
// requested value.
var sealedRequest = map[string]bool{
	"ID": true, "Wallet": true, "Token": true, "Amount": true, "Fee": true, "Destination": true, "CreatedAt": true,
}

// TestSealsCoverWhatTheyShould walks the fields by reflection, so that a new field must
// be covered, or be listed here.
func TestSealsCoverWhatTheyShould(t *testing.T) {
	t.Parallel()
	w := request(t)
	approval := withdrawal.Approval{By: bob, At: later, Note: "n", Attempt: 1, Needed: 2, Signature: "x", Timestamp: 3, Treasury: house, Seal: "s"}
	made := attempt(1)
	each(t, &w, func(field string) bool { return sealedRequest[field] }, func() string { return string(w.SealedRequest()) })
	each(t, &w, func(field string) bool { return sealedRequest[field] }, func() string { return string(w.SealedApproval(approval)) })
	each(t, &approval, func(field string) bool { return field != "Seal" }, func() string { return string(w.SealedApproval(approval)) })
	each(t, &made, func(field string) bool { return field != "Seal" }, func() string { return string(made.Sealed()) })
}

// each changes every field in turn and checks whether the message changes.
func each(t *testing.T, of any, covered func(field string) bool, message func() string) {
	t.Helper()
	v := reflect.ValueOf(of).Elem()
	for i := range v.NumField() {
		field, before := v.Type().Field(i).Name, reflect.New(v.Field(i).Type()).Elem()
		before.Set(v.Field(i))
		was := message()
		switch value := v.Field(i).Interface().(type) {
		case time.Time:
			v.Field(i).Set(reflect.ValueOf(value.Add(time.Microsecond)))
		case []byte:
			v.Field(i).SetBytes([]byte{7})
		case []withdrawal.Approval:
			v.Field(i).Set(reflect.ValueOf([]withdrawal.Approval{{}}))
		default:
			switch v.Field(i).Kind() {
			case reflect.String:
				v.Field(i).SetString(v.Field(i).String() + "x")
			case reflect.Int, reflect.Int64:
				v.Field(i).SetInt(v.Field(i).Int() + 1)
			case reflect.Uint64:
				v.Field(i).SetUint(v.Field(i).Uint() + 1)
			default:
				t.Fatalf("no way to change %s", field)
			}
		}
		if changed := message() != was; changed != covered(field) {
			t.Errorf("%T.%s: covered is %v, want %v", of, field, changed, covered(field))
		}
		v.Field(i).Set(before)
	}
}

func TestObstaclesAreTold(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		withdrawal.ForgedStatus:     fmt.Errorf("around: %w", withdrawal.Forged("it was changed")),
		withdrawal.UnapprovedStatus: withdrawal.Unapproved("nobody"),
		"":                          fault.New(fault.InvalidState, "paused").With("status", withdrawal.PausedStatus),
	} {
		if got := withdrawal.ObstacleOf(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
	if withdrawal.ObstacleOf(nil) != "" || withdrawal.ObstacleOf(fault.New(fault.NotFound, "no")) != "" {
		t.Error("what is no obstacle is one")
	}
}

var house = person('h') // the treasury

func keyOf(name byte) ed25519.PrivateKey {
	raw := make([]byte, ed25519.SeedSize)
	raw[0] = name
	return ed25519.NewKeyFromSeed(raw)
}

// signedBy is an approval of the withdrawal, signed by the person at a moment.
func signedBy(name byte, w withdrawal.Withdrawal, at time.Time) withdrawal.Approval {
	millis := at.UnixMilli()
	signature := ed25519.Sign(keyOf(name), []byte(w.ApprovalMessage(house, millis)))
	return withdrawal.Approval{By: person(name), At: at, Needed: 1}.WithSignature(signature, millis, house)
}

// TestApprovalSignedOffChain accepts an approval from a hardware wallet, only for the
// withdrawal that it names.
func TestApprovalSignedOffChain(t *testing.T) {
	t.Parallel()
	w := withdrawal.Withdrawal{ID: "w-1", Token: money.SOL, Amount: 7, Destination: string(person(2))}
	text := w.ApprovalMessage(house, 5)
	envelope := "\xffsolana offchain\x00\x00" + string([]byte{byte(len(text)), byte(len(text) >> 8)}) + text
	a := withdrawal.Approval{By: person(1)}.WithSignature(ed25519.Sign(keyOf(1), []byte(envelope)), 5, house)
	if !w.Signed(house, a) {
		t.Error("the off-chain message is refused")
	}
	if w.Amount++; w.Signed(house, a) {
		t.Error("it approves another amount")
	}
}

// TestTheMessageOfAnApproval pins the text that wallets, front ends and signers also
// build.
func TestTheMessageOfAnApproval(t *testing.T) {
	t.Parallel()
	w := withdrawal.Withdrawal{
		ID: "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d", Token: money.SOL, Amount: 1_500_000_000,
		Destination: "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
	}
	const want = "casino-approve:HWo5AvsQiUvS2VFvUkhDz78XvGGwyTAspmDp6Dn2HN4H:019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d:" +
		"So11111111111111111111111111111111111111112:1500000000:7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs:1795262400000"
	if got := w.ApprovalMessage("HWo5AvsQiUvS2VFvUkhDz78XvGGwyTAspmDp6Dn2HN4H", 1_795_262_400_000); got != want {
		t.Errorf("the message is %s", got)
	}
}

// TestASignatureIsForOneThing: it is invalid for any other withdrawal, token, amount,
// destination, treasury, moment or person.
func TestASignatureIsForOneThing(t *testing.T) {
	t.Parallel()
	w := request(t)
	given := signedBy('b', w, later)
	if !w.Signed(house, given) {
		t.Fatal("it is not the person's")
	}
	for name, change := range map[string]func(*withdrawal.Withdrawal, *withdrawal.Approval){
		"another withdrawal":  func(w *withdrawal.Withdrawal, _ *withdrawal.Approval) { w.ID = "w2" },
		"another token":       func(w *withdrawal.Withdrawal, _ *withdrawal.Approval) { w.Token = "usd" },
		"another amount":      func(w *withdrawal.Withdrawal, _ *withdrawal.Approval) { w.Amount++ },
		"another destination": func(w *withdrawal.Withdrawal, _ *withdrawal.Approval) { w.Destination = string(carol) },
		"another moment":      func(_ *withdrawal.Withdrawal, a *withdrawal.Approval) { a.Timestamp++ },
		"another person":      func(_ *withdrawal.Withdrawal, a *withdrawal.Approval) { a.By = carol },
		"no signature":        func(_ *withdrawal.Withdrawal, a *withdrawal.Approval) { a.Signature = "" },
		"half a signature":    func(_ *withdrawal.Withdrawal, a *withdrawal.Approval) { a.Signature = a.Signature[:44] },
		"no base64":           func(_ *withdrawal.Withdrawal, a *withdrawal.Approval) { a.Signature = strings.Repeat("!", 88) },
		"a line end":          func(_ *withdrawal.Withdrawal, a *withdrawal.Approval) { a.Signature += "\n" },
		"no address":          func(_ *withdrawal.Withdrawal, a *withdrawal.Approval) { a.By = "bob" },
	} {
		other, spoilt := w, given
		change(&other, &spoilt)
		if other.Signed(house, spoilt) {
			t.Errorf("%s: it counts", name)
		}
	}
	if w.Signed(dave, given) {
		t.Error("another treasury: it counts")
	}
}

// TestAKeyOfSmallOrderSignsNothing: anyone can make signatures that verify under it.
func TestAKeyOfSmallOrderSignsNothing(t *testing.T) {
	t.Parallel()
	neutral := make([]byte, ed25519.PublicKeySize) // the neutral element: y = 1
	neutral[0] = 1
	anybodys := make([]byte, ed25519.SignatureSize) // R neutral, S = 0
	anybodys[0] = 1
	w := request(t)
	if !ed25519.Verify(neutral, []byte(w.ApprovalMessage(house, 5)), anybodys) {
		t.Fatal("the signature that is to be refused doesn't verify")
	}
	a := withdrawal.Approval{By: wallet.Address(base58.Encode(neutral))}.WithSignature(anybodys, 5, house)
	if w.Signed(house, a) {
		t.Error("it counts")
	}
}

func TestASignatureIsHeldAgainstItsRules(t *testing.T) {
	t.Parallel()
	w, now := request(t), later
	free := withdrawal.Signing{Treasury: house, Ahead: time.Minute}
	strict := free
	strict.Required = true
	unsigned := withdrawal.Approval{By: bob, At: now, Needed: 1}
	wrong := signedBy('b', w, now)
	wrong.By = carol
	elsewhere := unsigned.WithSignature(ed25519.Sign(keyOf('b'), []byte(w.ApprovalMessage(dave, now.UnixMilli()))), now.UnixMilli(), dave)
	for name, c := range map[string]struct {
		rules  withdrawal.Signing
		a      withdrawal.Approval
		admit  fault.Kind // Internal if it is admitted
		counts string     // the obstacle, "" where it counts
	}{
		"signed":                    {strict, signedBy('b', w, now), fault.Internal, ""},
		"signed though it need not": {free, signedBy('b', w, now), fault.Internal, ""},
		"unsigned":                  {free, unsigned, fault.Internal, ""},
		"unsigned where it must be": {strict, unsigned, fault.Invalid, withdrawal.UnapprovedStatus},
		"another's":                 {free, wrong, fault.InvalidSignature, withdrawal.ForgedStatus},
		"for another treasury":      {strict, elsewhere, fault.InvalidSignature, withdrawal.UnapprovedStatus},
		"as it was before the treasury's key was changed": {free, elsewhere, fault.InvalidSignature, ""},
		"ten minutes old":       {strict, signedBy('b', w, now.Add(-withdrawal.SignatureMaxAge)), fault.Internal, ""},
		"older":                 {strict, signedBy('b', w, now.Add(-withdrawal.SignatureMaxAge-time.Millisecond)), fault.StaleTimestamp, ""},
		"a minute ahead":        {strict, signedBy('b', w, now.Add(time.Minute)), fault.Internal, ""},
		"further ahead":         {strict, signedBy('b', w, now.Add(time.Minute+time.Millisecond)), fault.StaleTimestamp, ""},
		"before there was time": {strict, signedBy('b', w, time.UnixMilli(-1<<62)), fault.StaleTimestamp, ""},
	} {
		err := c.rules.Admit(w, c.a, now)
		if c.admit == fault.Internal && err != nil || c.admit != fault.Internal && !fault.Is(err, c.admit) {
			t.Errorf("%s: given now: %v", name, err)
		}
		if err := c.rules.Counts(w, c.a); withdrawal.ObstacleOf(err) != c.counts || (err == nil) != (c.counts == "") {
			t.Errorf("%s: later: %v", name, err)
		}
	}
}

// TestSignaturesAreVerifiedInEvents: audits have only the covered values.
func TestSignaturesAreVerifiedInEvents(t *testing.T) {
	t.Parallel()
	w := request(t)
	w.Approvals = []withdrawal.Approval{{By: carol, At: later, Note: "a note, of words"}, signedBy('b', w, later)}
	if wrong := withdrawal.WronglySigned(w.Covered()); wrong != nil {
		t.Errorf("wrong: %v", wrong)
	}
	for name, change := range map[string]func(*event.Field){
		"amount":      func(f *event.Field) { f.Value += "0" },
		"token":       func(f *event.Field) { f.Value = "usd" },
		"destination": func(f *event.Field) { f.Value = string(carol) },
		"approval2":   func(f *event.Field) { f.Value = strings.Replace(f.Value, string(bob), string(carol), 1) },
		"signature2":  func(f *event.Field) { f.Value = base64.StdEncoding.EncodeToString(make([]byte, 64)) + f.Value[88:] },
	} {
		e := w.Covered()
		for i := range e.Fields {
			if e.Fields[i].Name == name {
				change(&e.Fields[i])
			}
		}
		if wrong := withdrawal.WronglySigned(e); len(wrong) != 1 {
			t.Errorf("%s: wrong: %v", name, wrong)
		}
	}
	for _, text := range []string{"x", "x 1", "x y z", " ", "  ", strings.Repeat("A", 88) + " -1 t"} {
		e := w.Covered()
		for i := range e.Fields {
			if e.Fields[i].Name == "signature2" {
				e.Fields[i].Value = text
			}
		}
		if wrong := withdrawal.WronglySigned(e); len(wrong) != 1 || wrong[0] != bob {
			t.Errorf("%q: wrong: %v", text, wrong)
		}
	}
}
