package token_test

import (
	"reflect"
	"testing"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// TestTermsAreSealedWhole changes each field of terms: none that is stored may be another's.
func TestTermsAreSealedWhole(t *testing.T) {
	t.Parallel()
	seals := fakes.Authenticator{}
	sealed, err := token.Seal([]token.Terms{{Mint: money.SOL, BankrollShare: money.Ratio{Num: 1, Den: 2}}}, seals)
	if err != nil {
		t.Fatal(err)
	}
	whole := sealed[0]
	whole.Closing = true
	if !whole.Proved(seals) || !whole.Proved(nil) {
		t.Error("terms as they were sealed are not proved")
	}
	changed := func(name string, change func(t *token.Terms)) {
		other := whole
		if change(&other); other.Proved(seals) {
			t.Errorf("%s is not sealed", name)
		}
		if other.Closing = false; !other.Proved(seals) {
			t.Errorf("%s of a token that is configured is looked at", name)
		}
	}
	fields := reflect.TypeFor[token.Terms]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		if name == "Closing" || name == "LargeWin" { // not stored
			continue
		}
		changed(name, func(t *token.Terms) {
			switch f := reflect.ValueOf(t).Elem().Field(i); f.Kind() {
			case reflect.String:
				f.SetString(f.String() + "x")
			case reflect.Uint8:
				f.SetUint(f.Uint() + 1)
			case reflect.Int64:
				f.SetInt(f.Int() + 1)
			default:
				t.BankrollShare.Num++
			}
		})
	}
	changed("the share's second part", func(t *token.Terms) { t.BankrollShare.Den++ })
}
