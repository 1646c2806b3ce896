package conformance

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/ports"
)

// Rotated is an authenticator that finds what it sealed before its keys were rotated.
type Rotated interface {
	ports.Authenticator
	ports.RotatedSeals
}

// RotatedSeals is the suite of ports.RotatedSeals. A key's name is all that it is made of;
// the first name is the newest.
func RotatedSeals(t *testing.T, open func(t *testing.T, names ...string) Rotated) {
	const purpose = "memo"
	message := []byte("alice")
	for sentence, prove := range map[string]func(t *testing.T){
		"the seal of each key that is there, the newest key's first": func(t *testing.T) {
			var want []string
			for _, name := range []string{"k3", "k2", "k1"} {
				made, err := open(t, name).Seal(purpose, message)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, made)
			}
			if all, err := open(t, "k3", "k2", "k1").Seals(purpose, message); err != nil || !slices.Equal(all, want) {
				t.Errorf("%v, %v; want %v", all, err, want)
			}
		},
		"each is of the message and the purpose": func(t *testing.T) {
			a := open(t, "k2", "k1")
			all, err := a.Seals(purpose, message)
			if err != nil || len(all) != 2 {
				t.Fatalf("%v, %v", all, err)
			}
			for _, made := range all {
				if err := a.Verify(purpose, message, made); err != nil {
					t.Errorf("%s: %v", made, err)
				}
				if a.Verify("another", message, made) == nil || a.Verify(purpose, []byte("bob"), made) == nil {
					t.Errorf("%s is of another message or purpose too", made)
				}
			}
		},
	} {
		sub(t, sentence, func(t *testing.T) {
			prove(t)
		})
	}
}
