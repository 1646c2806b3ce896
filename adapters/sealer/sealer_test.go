package sealer_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/sealer"
)

func secretOf(kid string) []byte {
	sum := sha256.Sum256([]byte("test key " + kid))
	return sum[:]
}

func ringOf(t testing.TB, kids ...string) sealer.Keyring {
	t.Helper()
	var entries []string
	for _, kid := range kids {
		entries = append(entries, kid+":"+hex.EncodeToString(secretOf(kid)))
	}
	ring, err := sealer.ParseKeys(entries)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func open(t testing.TB, kids ...string) *sealer.Sealer {
	t.Helper()
	return sealer.New(ringOf(t, kids...), rand.NewChaCha8([32]byte{1}))
}

func TestSealedSecretsOpenUnderTheSameFacts(t *testing.T) {
	t.Parallel()
	s := open(t, "k1")
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.SliceOf(rapid.Byte()).Draw(t, "secret")
		facts := rapid.SliceOf(rapid.String()).Draw(t, "facts")
		box, err := s.Seal(secret, facts...)
		if err != nil {
			t.Fatal(err)
		}
		opened, err := s.Open(box, facts...)
		if err != nil || !bytes.Equal(opened, secret) {
			t.Fatalf("opened %x, %v, want %x", opened, err, secret)
		}
		if len(box) != len(secret)+2+len("k1")+32+16 {
			t.Fatalf("the box has %d bytes", len(box))
		}
	})
}

// TestOtherFactsDontOpen draws lists over a tiny alphabet, so that many of them have the
// same joined text.
func TestOtherFactsDontOpen(t *testing.T) {
	t.Parallel()
	s := open(t, "k1")
	lists := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune{'a', '\x00'}), 0, 3, -1), 0, 4)
	rapid.Check(t, func(t *rapid.T) {
		facts, others := lists.Draw(t, "facts"), lists.Draw(t, "others")
		box, err := s.Seal([]byte("secret"), facts...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Open(box, others...); (err == nil) != slices.Equal(facts, others) {
			t.Fatalf("sealed under %q, opened under %q: %v", facts, others, err)
		}
	})
}

func TestEveryBitOfABoxMatters(t *testing.T) {
	t.Parallel()
	s := open(t, "k1", "k3") // one bit of "k1" flipped is "k3"
	box, err := s.Seal([]byte("a server seed"), "pair", "1")
	if err != nil {
		t.Fatal(err)
	}
	for i := range box {
		for bit := range 8 {
			changed := bytes.Clone(box)
			changed[i] ^= 1 << bit
			if opened, err := s.Open(changed, "pair", "1"); err == nil {
				t.Fatalf("byte %d, bit %d flipped opens to %q", i, bit, opened)
			}
		}
		if _, err := s.Open(box[:i], "pair", "1"); err == nil {
			t.Fatalf("cut to %d bytes opens", i)
		}
	}
	if _, err := s.Open(append(box, 0), "pair", "1"); err == nil {
		t.Error("a byte more opens")
	}
}

func TestKeysRotate(t *testing.T) {
	t.Parallel()
	old, both, after := open(t, "k1"), open(t, "k2", "k1"), open(t, "k2")
	box, err := old.Seal([]byte("seed"), "pair")
	if err != nil {
		t.Fatal(err)
	}
	if opened, err := both.Open(box, "pair"); err != nil || string(opened) != "seed" {
		t.Errorf("a box of the older key: %q, %v", opened, err)
	}
	fresh, err := both.Seal([]byte("seed"), "pair")
	if err != nil {
		t.Fatal(err)
	}
	if opened, err := after.Open(fresh, "pair"); err != nil || string(opened) != "seed" {
		t.Errorf("a box of the newest key: %q, %v", opened, err)
	}
	if _, err := after.Open(box, "pair"); err == nil || !strings.Contains(err.Error(), `"k1"`) {
		t.Errorf("a box of a retired key: %v, want an error that names the key", err)
	}
}

// TestSameNameOtherSecret is a confused ring, for example another deployment's.
func TestSameNameOtherSecret(t *testing.T) {
	t.Parallel()
	box, err := open(t, "k1").Seal([]byte("seed"))
	if err != nil {
		t.Fatal(err)
	}
	ring, err := sealer.ParseKeys([]string{"k1:" + hex.EncodeToString(secretOf("other"))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sealer.New(ring, rand.NewChaCha8([32]byte{1})).Open(box); err == nil {
		t.Error("opened with another secret of the same name")
	}
}

func TestNoTwoBoxesAreAlike(t *testing.T) {
	t.Parallel()
	s := open(t, "k1")
	seen := map[string]bool{}
	for range 1000 {
		box, err := s.Seal([]byte("seed"), "pair")
		if err != nil {
			t.Fatal(err)
		}
		if seen[string(box)] {
			t.Fatal("the same box twice")
		}
		seen[string(box)] = true
	}
}

// TestBoxIsAsDocumented opens a box with HKDF written out from RFC 5869 and its own encoder
// of associated data: stored boxes must open in ten years.
func TestBoxIsAsDocumented(t *testing.T) {
	t.Parallel()
	box, err := open(t, "key-1").Seal([]byte("a server seed"), "pair", "", "7")
	if err != nil {
		t.Fatal(err)
	}
	head, salt := box[:2+5+32], box[2+5:2+5+32]
	if box[0] != 1 || box[1] != 5 || string(box[2:7]) != "key-1" {
		t.Fatalf("the head is %x", head)
	}
	extract := hmac.New(sha256.New, salt)
	extract.Write(secretOf("key-1"))
	expand := hmac.New(sha256.New, extract.Sum(nil))
	expand.Write([]byte("casino sealer: AES-256-GCM, format 1\x01"))
	block, err := aes.NewCipher(expand.Sum(nil))
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	var facts bytes.Buffer
	for _, part := range []string{string(head), "pair", "", "7"} {
		if err := binary.Write(&facts, binary.BigEndian, int64(len(part))); err != nil {
			t.Fatal(err)
		}
		facts.WriteString(part)
	}
	opened, err := aead.Open(nil, make([]byte, 12), box[len(head):], facts.Bytes())
	if err != nil || string(opened) != "a server seed" {
		t.Errorf("opened %q, %v", opened, err)
	}
}

func TestErrorsHoldNoSecret(t *testing.T) {
	t.Parallel()
	s := open(t, "k1")
	secret := []byte("correct horse battery staple")
	box, err := s.Seal(secret, "pair")
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(box)
	changed[len(changed)-1] ^= 1
	_, wrongFacts := s.Open(box, "other")
	_, wrongBytes := s.Open(changed, "pair")
	_, noBox := s.Open(secret, "pair")
	_, noKey := open(t, "k2").Open(box, "pair")
	for _, err := range []error{wrongFacts, wrongBytes, noBox, noKey} {
		if err == nil {
			t.Fatal("opened")
		}
		for _, leak := range [][]byte{secret, secretOf("k1"), []byte("horse"), []byte("pair")} {
			for _, text := range []string{string(leak), hex.EncodeToString(leak), base64.StdEncoding.EncodeToString(leak)} {
				if strings.Contains(err.Error(), text) {
					t.Errorf("%v holds %q", err, text)
				}
			}
		}
	}
}

func TestNothingIsSealedWithoutAKeyOrRandomness(t *testing.T) {
	t.Parallel()
	if _, err := sealer.New(sealer.Keyring{}, rand.NewChaCha8([32]byte{1})).Seal([]byte("seed")); err == nil {
		t.Error("sealed without a key")
	}
	dry := errors.New("no entropy")
	if _, err := sealer.New(ringOf(t, "k1"), iotest.ErrReader(dry)).Seal([]byte("seed")); !errors.Is(err, dry) {
		t.Errorf("sealed without randomness: %v", err)
	}
	if _, err := sealer.New(ringOf(t, "k1"), bytes.NewReader(make([]byte, 31))).Seal([]byte("seed")); err == nil {
		t.Error("sealed with 31 random bytes")
	}
}

func FuzzOpen(f *testing.F) {
	s := open(f, "k1")
	box, err := s.Seal([]byte("seed"), "pair")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{box, nil, {1}, {1, 0}, {1, 255}, {1, 2, 'k', '1'}, bytes.Repeat([]byte{1}, 300)} {
		f.Add(seed, "pair")
	}
	f.Fuzz(func(t *testing.T, sealed []byte, fact string) {
		opened, err := s.Open(sealed, fact)
		if good := bytes.Equal(sealed, box) && fact == "pair"; good != (err == nil) {
			t.Errorf("Open(%x, %q) = %q, %v", sealed, fact, opened, err)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	s := open(b, "k1")
	box, err := s.Seal(make([]byte, 64), "pair")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Open(box, "pair"); err != nil {
			b.Fatal(err)
		}
	}
}
