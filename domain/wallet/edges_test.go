package wallet_test

import (
	"crypto/ed25519"
	"math/big"
	"slices"
	"testing"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// TestEncodingsThatAreNotCanonical are y coordinates of p and above, which name
// points that have another encoding, and zeros of x with a sign.
func TestEncodingsThatAreNotCanonical(t *testing.T) {
	t.Parallel()
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	encode := func(y *big.Int, sign byte) string {
		raw := y.FillBytes(make([]byte, 32))
		slices.Reverse(raw)
		raw[31] |= sign << 7
		return base58.Encode(raw)
	}
	for offset := range int64(19) { // every y that has two encodings
		for _, sign := range []byte{0, 1} {
			text := encode(new(big.Int).Add(p, big.NewInt(offset)), sign)
			if _, err := wallet.Parse(text); !fault.Is(err, fault.Invalid) || err.Error() != "wallet: is not on the Ed25519 curve, so no key can sign for it" {
				t.Errorf("p+%d with sign %d: %v", offset, sign, err)
			}
		}
	}
	small, off := "wallet: is a key of small order, whose signatures prove nothing", "wallet: is not on the Ed25519 curve, so no key can sign for it"
	for name, row := range map[string]struct {
		y    *big.Int
		sign byte
		want string
	}{
		"the neutral element":       {big.NewInt(1), 0, small},
		"the same with a sign":      {big.NewInt(1), 1, off},
		"the point of order 2":      {new(big.Int).Sub(p, big.NewInt(1)), 0, small},
		"that one with a sign":      {new(big.Int).Sub(p, big.NewInt(1)), 1, off},
		"a point of order 4":        {big.NewInt(0), 0, small},
		"the other one of order 4":  {big.NewInt(0), 1, small},
		"the first y off the curve": {big.NewInt(2), 0, off},
	} {
		if _, err := wallet.Parse(encode(row.y, row.sign)); err == nil || err.Error() != row.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKeysOfOtherLengths(t *testing.T) {
	t.Parallel()
	good := keyOf(1).Public().(ed25519.PublicKey)
	for _, key := range []ed25519.PublicKey{nil, good[:31], append(slices.Clone(good), 0)} {
		if address, err := wallet.FromPublicKey(key); !fault.Is(err, fault.Invalid) || err.Error() != "wallet: must be a key of 32 bytes" || address != "" {
			t.Errorf("a key of %d bytes: %q, %v", len(key), address, err)
		}
	}
	if key := wallet.Address("no address").PublicKey(); key != nil {
		t.Errorf("no address has the key %x", key)
	}
}
