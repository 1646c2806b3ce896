package canonical_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/canonical"
)

// TestBytesAreAsDocumented checks the encoding of stored hashes and seals.
func TestBytesAreAsDocumented(t *testing.T) {
	t.Parallel()
	got := canonical.Message("k", func(e *canonical.Encoder) {
		e.Text("ü")
		e.Bytes(nil)
		e.Integer(-2)
		e.Flag(true)
		e.Flag(false)
		e.Moment(time.Unix(1, 2_999).UTC())
	})
	const want = "00000000000000016b" + "0000000000000002c3bc" + "0000000000000000" + "fffffffffffffffe" +
		"0000000000000001" + "0000000000000000" + "00000000000f4242"
	if hex.EncodeToString(got) != want {
		t.Errorf("encoded as %x, want %s", got, want)
	}
}

// TestTextsOfAnyLength: a text is encoded as its length and bytes, independent of the
// encoder's buffer.
func TestTextsOfAnyLength(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789abcde", 40)
	for n := range long {
		got := canonical.Message(long[:n], func(e *canonical.Encoder) { e.Integer(7) })
		want := append(binary.BigEndian.AppendUint64(nil, uint64(n)), long[:n]+"\x00\x00\x00\x00\x00\x00\x00\x07"...)
		if !bytes.Equal(got, want) {
			t.Fatalf("a text of %d bytes is encoded as %x", n, got)
		}
	}
}

// TestTextsDontRunTogether draws lists from a tiny alphabet, so that many have the same
// joined text.
func TestTextsDontRunTogether(t *testing.T) {
	t.Parallel()
	lists := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune{'a', '\x00'}), 0, 9, -1), 0, 4)
	message := func(texts []string) []byte {
		return canonical.Message("list", func(e *canonical.Encoder) {
			e.Integer(int64(len(texts)))
			for _, text := range texts {
				e.Text(text)
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		one, two := lists.Draw(t, "one"), lists.Draw(t, "two")
		same := len(one) == len(two)
		for i := 0; same && i < len(one); i++ {
			same = one[i] == two[i]
		}
		if bytes.Equal(message(one), message(two)) != same {
			t.Fatalf("%q and %q", one, two)
		}
	})
}

func TestAnEncoderFeedsAHash(t *testing.T) {
	t.Parallel()
	hash := sha256.New()
	e := canonical.To(hash)
	e.Text("label")
	want := sha256.Sum256(canonical.Message("label", func(*canonical.Encoder) {}))
	if !bytes.Equal(hash.Sum(nil), want[:]) {
		t.Error("a hash and a buffer get different bytes")
	}
}
