package withdrawal_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/withdrawal"
)

// sealedRequest are the fields that a request's seal covers; no other field of a
// withdrawal keeps what it was requested with.
var sealedRequest = map[string]bool{
	"ID": true, "Wallet": true, "Token": true, "Amount": true, "Fee": true, "Destination": true, "CreatedAt": true,
}

// TestSealsCoverWhatTheyShould walks the fields by reflection, so that one that is added
// later and forgotten is found: it is covered, or named here.
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

// each changes every field in turn and looks whether the message changes with it.
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
