package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

// Authenticator is the suite of ports.Authenticator. A key depends only on its name; the first
// name is the newest.
func Authenticator(t *testing.T, open func(t *testing.T, names ...string) ports.Authenticator) {
	const purpose = "withdrawal"
	message := []byte("pay ada 5")
	seal := func(t *testing.T, a ports.Authenticator, purpose string, message []byte) string {
		t.Helper()
		made, err := a.Seal(purpose, message)
		ok(t, err)
		return made
	}
	sub(t, "a seal verifies for the message and the purpose it was made of", func(t *testing.T) {
		one, another := open(t, "k1"), open(t, "k1")
		for _, text := range [][]byte{message, {}, nil, {0}, bytes.Repeat([]byte{0xff}, 100_000)} {
			for _, purpose := range []string{purpose, "", "ü\x00"} {
				if err := another.Verify(purpose, text, seal(t, one, purpose, text)); err != nil {
					t.Errorf("%q: %v", purpose, err)
				}
			}
		}
	})
	sub(t, "the same message has the same seal", func(t *testing.T) {
		a := open(t, "k1")
		if one, two := seal(t, a, purpose, message), seal(t, a, purpose, message); one != two {
			t.Errorf("%q and %q: a decision that runs twice would not give the same", one, two)
		}
	})
	sub(t, "a seal is printable text of at most 200 bytes without a comma or a space", func(t *testing.T) {
		made := seal(t, open(t, strings.Repeat("k", 64)), purpose, message)
		if made == "" || len(made) > 200 || strings.Trim(made, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-:") != "" {
			t.Errorf("the seal is %q", made)
		}
	})
	sub(t, "another message, purpose, key or seal is an error", func(t *testing.T) {
		a := open(t, "k1")
		right := seal(t, a, purpose, message)
		refused := func(what string, a ports.Authenticator, purpose string, message []byte, seal string) {
			t.Helper()
			errorIf(t, a.Verify(purpose, message, seal) == nil, "%s verifies", what)
		}
		refused("another purpose", a, "approval", message, right)
		refused("a longer purpose", a, purpose+"p", message[1:], right)
		refused("a shorter message", a, purpose, message[:len(message)-1], right)
		refused("a longer message", a, purpose, append(bytes.Clone(message), 0), right)
		for i := range message {
			changed := bytes.Clone(message)
			changed[i] ^= 1
			refused("a changed message", a, purpose, changed, right)
		}
		refused("the seal of a key that isn't there", open(t, "k2"), purpose, message, right)
		refused("no seal", a, purpose, message, "")
		for i := range right {
			refused("a seal that was cut", a, purpose, message, right[:i])
			changed := []byte(right)
			changed[i] ^= 1
			refused("a changed seal", a, purpose, message, string(changed))
		}
		refused("a longer seal", a, purpose, message, right+"0")
		refused("a seal in capitals", a, purpose, message, strings.ToUpper(right))
		refused("the seal under another name", open(t, "k2", "k1"), purpose, message, strings.Replace(right, "k1", "k2", 1))
	})
	sub(t, "the newest key seals and older ones verify", func(t *testing.T) {
		old, both, after := open(t, "k1"), open(t, "k2", "k1"), open(t, "k2")
		kept := seal(t, old, purpose, message)
		if err := both.Verify(purpose, message, kept); err != nil {
			t.Errorf("a seal of the older key: %v", err)
		}
		anew := seal(t, both, purpose, message)
		errorIf(t, anew == kept, "the older key still seals")
		if err := after.Verify(purpose, message, anew); err != nil {
			t.Errorf("a seal of the newest key: %v", err)
		}
	})
}

// Rotated is an authenticator that finds seals made before its keys were rotated.
type Rotated interface {
	ports.Authenticator
	ports.RotatedSeals
}

// RotatedSeals is the suite of ports.RotatedSeals. A key depends only on its name; the first name
// is the newest.
func RotatedSeals(t *testing.T, open func(t *testing.T, names ...string) Rotated) {
	const purpose = "memo"
	message := []byte("alice")
	for sentence, prove := range map[string]func(t *testing.T){
		"the seal of each key that is there, the newest key's first": func(t *testing.T) {
			var want []string
			for _, name := range []string{"k3", "k2", "k1"} {
				made, err := open(t, name).Seal(purpose, message)
				ok(t, err)
				want = append(want, made)
			}
			if all, err := open(t, "k3", "k2", "k1").Seals(purpose, message); err != nil || !slices.Equal(all, want) {
				t.Errorf("%v, %v; want %v", all, err, want)
			}
		},
		"each is of the message and the purpose": func(t *testing.T) {
			a := open(t, "k2", "k1")
			all, err := a.Seals(purpose, message)
			fatalIf(t, err != nil || len(all) != 2, "%v, %v", all, err)
			for _, made := range all {
				if err := a.Verify(purpose, message, made); err != nil {
					t.Errorf("%s: %v", made, err)
				}
				errorIf(t, a.Verify("another", message, made) == nil || a.Verify(purpose, []byte("bob"), made) == nil,
					"%s is of another message or purpose too", made)
			}
		},
	} {
		sub(t, sentence, func(t *testing.T) {
			prove(t)
		})
	}
}

// ReceiptSigner is the suite of ports.ReceiptSigner, that of ports.StatementSigner
// included.
func ReceiptSigner(t *testing.T, open func(t *testing.T, names ...string) ports.ReceiptSigner) {
	StatementSigner(t, func(t *testing.T, names ...string) ports.StatementSigner { return open(t, names...) })
	sub(t, "a signed text verifies as it is, with the newest key", func(t *testing.T) {
		both := open(t, "k2", "k1")
		made, err := both.SignText("receipt\n")
		ok(t, err)
		ok(t, made.Verify(both.PublicKeys()...))
		errorIf(t, made.Text != "receipt\n" || made.Key != both.PublicKeys()[0].ID, "signed as %+v", made)
		made.Text = "receipt"
		errorIf(t, made.Verify(both.PublicKeys()...) == nil, "another text verifies")
	})
}

// StatementSigner is the suite of ports.StatementSigner. A key's name is all that it is
// made of; the first name is the newest.
func StatementSigner(t *testing.T, open func(t *testing.T, names ...string) ports.StatementSigner) {
	slot := uint64(7)
	stated := checkpoint.Statement{
		Purpose: checkpoint.Public, Ledger: "ledger", Epoch: 1, At: time.UnixMilli(1_795_262_400_123).UTC(), Slot: &slot,
		Heads: []hashchain.Head{{Lane: 1, Seq: 2, Hash: hashchain.Hash{3}}}, Facts: []checkpoint.Fact{{Name: "a", Value: "b"}},
	}
	sign := func(t *testing.T, s ports.StatementSigner) checkpoint.Signed {
		t.Helper()
		made, err := s.Sign(stated)
		ok(t, err)
		return made
	}
	sub(t, "a signed statement opens with the public halves for its purpose", func(t *testing.T) {
		made := sign(t, open(t, "k1"))
		got, err := made.Open(checkpoint.Public, open(t, "k1").PublicKeys()...)
		errorIf(t, err != nil || !reflect.DeepEqual(got, stated), "%v: opened as %+v", err, got)
		if _, err := made.Open(checkpoint.Audit, open(t, "k1").PublicKeys()...); !fault.Is(err, fault.InvalidSignature) {
			t.Errorf("for another purpose: %v", err)
		}
		if _, err := made.Open(checkpoint.Public, open(t, "k2").PublicKeys()...); !fault.Is(err, fault.InvalidSignature) {
			t.Errorf("with another key: %v", err)
		}
	})
	sub(t, "the same statement is signed the same", func(t *testing.T) {
		if one, two := sign(t, open(t, "k1")), sign(t, open(t, "k1")); !reflect.DeepEqual(one, two) {
			t.Errorf("%+v and %+v", one, two)
		}
	})
	sub(t, "a statement without a text is refused as its Text is", func(t *testing.T) {
		broken := stated
		broken.Ledger = "two\nlines"
		if made, err := open(t, "k1").Sign(broken); !fault.Is(err, fault.Invalid) {
			t.Errorf("%v: signed as %+v", err, made)
		}
	})
	sub(t, "the newest key signs and what an older one signed opens", func(t *testing.T) {
		both := open(t, "k2", "k1")
		if made := sign(t, both); made.Key != "k2" {
			t.Errorf("signed by %s", made.Key)
		}
		if _, err := sign(t, open(t, "k1")).Open(checkpoint.Public, both.PublicKeys()...); err != nil {
			t.Errorf("what the older key signed: %v", err)
		}
		keys := both.PublicKeys()
		errorIf(t, len(keys) != 2 || keys[0].ID != "k2" || keys[1].ID != "k1", "the keys are %+v", keys)
	})
}

// Sorter is the suite of ports.Sorter.
func Sorter(t *testing.T, newSorter func(t *testing.T) ports.Sorter) {
	for sentence, prove := range sorterCases {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			s := newSorter(t)
			prove(t, s)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

var sorterCases = map[string]func(*testing.T, ports.Sorter){
	"records come in order of keys, those of one key as they were added": func(t *testing.T, s ports.Sorter) {
		type record struct{ key, value string }
		var want []record
		for i := range 10_000 {
			r := record{fmt.Sprintf("%0*d", 1+i%11, i*7919%997), fmt.Sprint(i)}
			if i%100 == 0 {
				r.key, r.value = "", string(bytes.Repeat([]byte{byte(i)}, i%5_000))
			}
			want = append(want, r)
			ok(t, s.Add([]byte(r.key), []byte(r.value)))
		}
		slices.SortStableFunc(want, func(x, y record) int { return bytes.Compare([]byte(x.key), []byte(y.key)) })
		var got []record
		if err := s.Sorted(background, func(key, value []byte) error {
			got = append(got, record{string(key), string(value)})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		errorIf(t, !slices.Equal(got, want), "%d records came, of %d, or in another order", len(got), len(want))
	},
	"the slices may be changed afterwards": func(t *testing.T, s ports.Sorter) {
		key, value := []byte("k"), []byte("v")
		ok(t, s.Add(key, value))
		key[0], value[0] = 'x', 'y'
		if err := s.Sorted(background, func(key, value []byte) error {
			errorIf(t, string(key) != "k" || string(value) != "v", "%s: %s", key, value)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	},
	"an error of visit ends the walk and is returned": func(t *testing.T, s ports.Sorter) {
		for range 10_000 {
			ok(t, s.Add([]byte("key"), []byte("value")))
		}
		enough, visits := errors.New("enough"), 0
		if err := s.Sorted(background, func([]byte, []byte) error { visits++; return enough }); !errors.Is(err, enough) || visits != 1 {
			t.Errorf("%d visits, %v", visits, err)
		}
	},
	"without a record nothing is visited": func(t *testing.T, s ports.Sorter) {
		if err := s.Sorted(background, func(key, value []byte) error { t.Errorf("%s: %s", key, value); return nil }); err != nil {
			t.Error(err)
		}
	},
}

// Hosts is the suite of ports.Hosts. newHosts makes one that knows only the given names, with
// their addresses, or, when down, can't look up any.
func Hosts(t *testing.T, newHosts func(t *testing.T, names map[string][]netip.Addr, down bool) ports.Hosts) {
	addresses := func(texts ...string) (all []netip.Addr) {
		for _, text := range texts {
			all = append(all, netip.MustParseAddr(text))
		}
		return all
	}
	names := map[string][]netip.Addr{
		"one.example": addresses("93.184.216.34"), "both.example": addresses("93.184.216.34", "2606:4700:4700::1111"),
		"empty.example":   nil,
		"private.example": addresses("10.0.0.1"), "loopback.example": addresses("127.0.0.1"), "six.example": addresses("::1"),
		"metadata.example": addresses("169.254.169.254"), "unique.example": addresses("fd00::1"), "mapped.example": addresses("::ffff:10.0.0.1"),
		"translated.example": addresses("64:ff9b::7f00:1"), "any.example": addresses("0.0.0.0"), "shared.example": addresses("100.64.0.1"),
		"mixed.example": addresses("93.184.216.34", "192.168.0.1"), "six mixed.example": addresses("2606:4700:4700::1111", "fe80::1"),
	}
	is := func(t *testing.T, hosts ports.Hosts, kind fault.Kind, of ...string) {
		t.Helper()
		for _, host := range of {
			err := hosts.PublicHost(background, host)
			errorIf(t, kind == 0 && err != nil || kind != 0 && !fault.Is(err, kind), "%s: %v", host, err)
		}
	}
	sub(t, "a name whose every address is public", func(t *testing.T) {
		is(t, newHosts(t, names, false), 0, "one.example", "both.example", "one.example.")
	})
	sub(t, "a name with any other address is invalid", func(t *testing.T) {
		is(t, newHosts(t, names, false), fault.Invalid, "private.example", "loopback.example", "six.example", "metadata.example", "unique.example",
			"mapped.example", "translated.example", "any.example", "shared.example", "mixed.example", "six mixed.example")
	})
	sub(t, "a name without an address is not found", func(t *testing.T) {
		is(t, newHosts(t, names, false), fault.NotFound, "empty.example", "nobody.example")
	})
	sub(t, "what can't be found out now is unavailable", func(t *testing.T) {
		is(t, newHosts(t, names, true), fault.Unavailable, "one.example", "private.example", "nobody.example")
	})
}
