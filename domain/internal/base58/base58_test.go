package base58_test

import (
	"bytes"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/internal/base58"
)

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// encode computes base58 with big integers, from its definition.
func encode(raw []byte) string {
	var text []byte
	for value := new(big.Int).SetBytes(raw); value.Sign() > 0; {
		digit := new(big.Int)
		value.DivMod(value, big.NewInt(58), digit)
		text = append(text, alphabet[digit.Int64()])
	}
	for i := 0; i < len(raw) && raw[i] == 0; i++ {
		text = append(text, alphabet[0])
	}
	slices.Reverse(text)
	return string(text)
}

// bytesOf draws this many bytes, some of the first of them zero.
func bytesOf(t *rapid.T, size int) []byte {
	raw := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "raw")
	clear(raw[:rapid.IntRange(0, size).Draw(t, "zeros")])
	return raw
}

func TestBothWaysAgreeWithTheDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{4, 32, 64}).Draw(t, "size")
		raw := bytesOf(t, size)
		text := base58.Encode(raw)
		if want := encode(raw); text != want {
			t.Fatalf("%x is written %q, not %q", raw, text, want)
		}
		if back, ok := base58.Decode(text, size); !ok || !bytes.Equal(back, raw) {
			t.Fatalf("%q is read as %x, %v", text, back, ok)
		}
	})
}

// Every text that decodes is the canonical text of its bytes.
func TestNoOtherTextIsTaken(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(encode(bytesOf(t, 32)))
		switch at := rapid.IntRange(0, len(text)-1).Draw(t, "at"); rapid.IntRange(0, 3).Draw(t, "change") {
		case 0:
			text[at] = rapid.Byte().Draw(t, "byte")
		case 1:
			text = slices.Insert(text, at, alphabet[rapid.IntRange(0, 57).Draw(t, "digit")])
		case 2:
			text = slices.Delete(text, at, at+1)
		default:
			text = []byte(rapid.StringOfN(rapid.RuneFrom([]rune(alphabet)), 30, 46, -1).Draw(t, "text"))
		}
		raw, ok := base58.Decode(string(text), 32)
		if ok && encode(raw) != string(text) {
			t.Fatalf("%q is read as %x, which is written %q", text, raw, encode(raw))
		}
		if !ok && canonical(string(text)) {
			t.Fatalf("%q is refused", text)
		}
	})
}

// canonical reports, by big integers, whether the text is that of 32 bytes.
func canonical(text string) bool {
	value := new(big.Int)
	for _, c := range text {
		digit := strings.IndexRune(alphabet, c)
		if digit < 0 {
			return false
		}
		value.Add(value.Mul(value, big.NewInt(58)), big.NewInt(int64(digit)))
	}
	if value.BitLen() > 8*32 {
		return false
	}
	return encode(value.FillBytes(make([]byte, 32))) == text
}

func BenchmarkDecode(b *testing.B) {
	for b.Loop() {
		if _, ok := base58.Decode("So11111111111111111111111111111111111111112", 32); !ok {
			b.Fatal("refused")
		}
	}
}

// TestTextsAtTheEdgeOfTheirSize tries texts that random ones rarely reach.
func TestTextsAtTheEdgeOfTheirSize(t *testing.T) {
	t.Parallel()
	greatest := encode(bytes.Repeat([]byte{0xff}, 32))
	next := new(big.Int).Lsh(big.NewInt(1), 256) // one more than fits 32 bytes
	for text, want := range map[string]bool{
		greatest:                           true,
		encode(next.Bytes()):               false,
		strings.Repeat("z", len(greatest)): false,
		strings.Repeat("z", 45):            false,
		strings.Repeat("1", 32):            true,
		strings.Repeat("1", 31):            false,
		strings.Repeat("1", 33):            false,
		strings.Repeat("1", 31) + "2":      true,
		strings.Repeat("1", 30) + "2":      false,
		"":                                 false,
		greatest + "2":                     false,
		"1" + greatest:                     false,
		strings.Repeat("1", 31) + "0":      false,
	} {
		if raw, ok := base58.Decode(text, 32); ok != want || ok && encode(raw) != text {
			t.Errorf("%q is read as %x, %v", text, raw, ok)
		}
	}
	if got := base58.Encode(nil); got != "" {
		t.Errorf("no bytes are written %q", got)
	}
}
