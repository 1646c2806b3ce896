package wallet_test

import (
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"testing"

	"filippo.io/edwards25519"
	"github.com/mr-tron/base58"
	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

func keyOf(seed byte) ed25519.PrivateKey {
	raw := make([]byte, ed25519.SeedSize)
	raw[0] = seed
	return ed25519.NewKeyFromSeed(raw)
}

// TestParseAgreesWithAnotherImplementation holds base58, the curve check and the
// small-order check against mr-tron/base58 and filippo.io/edwards25519.
func TestParseAgreesWithAnotherImplementation(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 4000 {
		raw := make([]byte, 32)
		for i := range raw {
			raw[i] = byte(random.Uint32())
		}
		point, err := new(edwards25519.Point).SetBytes(raw)
		want := err == nil && string(point.Bytes()) == string(raw) && !smallOrder(point)
		text := base58.Encode(raw)
		address, err := wallet.Parse(text)
		if (err == nil) != want {
			t.Fatalf("Parse(%s) = %v, the other implementation says %v", text, err, want)
		}
		if err == nil {
			accepted++
			if string(address.PublicKey()) != string(raw) {
				t.Fatalf("PublicKey of %s is another key", text)
			}
		}
	}
	if accepted < 1500 {
		t.Fatalf("only %d of 4000 random encodings are points: about half should be", accepted)
	}
}

func smallOrder(p *edwards25519.Point) bool {
	return new(edwards25519.Point).MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) == 1
}

// TestSmallOrderKeysAreRefused makes the eight points of small order by the
// other implementation: any point times the group's prime order.
func TestSmallOrderKeysAreRefused(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	random := rand.New(rand.NewPCG(3, 4))
	for len(seen) < 8 {
		raw := make([]byte, 32)
		for i := range raw {
			raw[i] = byte(random.Uint32())
		}
		point, err := new(edwards25519.Point).SetBytes(raw)
		if err != nil {
			continue
		}
		torsion := timesPrimeOrder(point)
		seen[base58.Encode(torsion.Bytes())] = true
	}
	for text := range seen {
		if _, err := wallet.Parse(text); !fault.Is(err, fault.Invalid) {
			t.Errorf("Parse(%s) = %v: a key of small order must be refused", text, err)
		}
	}
}

// timesPrimeOrder multiplies by L by adding L-1 times (a scalar below L) and once more.
func timesPrimeOrder(p *edwards25519.Point) *edwards25519.Point {
	one, err := new(edwards25519.Scalar).SetCanonicalBytes(append([]byte{1}, make([]byte, 31)...))
	if err != nil {
		panic(err)
	}
	minusOne := new(edwards25519.Scalar).Negate(one)
	return new(edwards25519.Point).Add(new(edwards25519.Point).ScalarMult(minusOne, p), p)
}

func TestTextThatIsNoAddressIsRefused(t *testing.T) {
	t.Parallel()
	good := base58.Encode(keyOf(7).Public().(ed25519.PublicKey))
	for name, text := range map[string]string{
		"empty":                 "",
		"31 bytes":              base58.Encode(make([]byte, 31)),
		"33 bytes":              base58.Encode(append([]byte{1}, make([]byte, 32)...)),
		"leading one added":     "1" + good,
		"space behind":          good + " ",
		"NUL behind":            good + "\x00",
		"zero":                  "0" + good[1:],
		"capital o":             "O" + good[1:],
		"capital i":             "I" + good[1:],
		"small l":               "l" + good[1:],
		"look-alike":            "а" + good[1:],
		"far too long":          good + good,
		"44 of the last digit":  "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
		"system program":        "11111111111111111111111111111111",
		"program-derived (ATA)": "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"[:43],
	} {
		if _, err := wallet.Parse(text); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: Parse(%q) = %v, want a fault of kind Invalid", name, text, err)
		}
	}
}

func TestLoginSignaturesVerify(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := keyOf(rapid.Byte().Draw(t, "key"))
		address, err := wallet.FromPublicKey(key.Public().(ed25519.PublicKey))
		if err != nil {
			t.Fatal(err)
		}
		at := rapid.Int64Range(0, 1<<52).Draw(t, "at")
		signature := ed25519.Sign(key, []byte(wallet.LoginMessage(address, at)))
		if !wallet.VerifyLogin(address, at, signature) {
			t.Fatal("a right signature is refused")
		}
		if wallet.VerifyLogin(address, at+1, signature) {
			t.Fatal("a signature over another time is accepted")
		}
		flipped := rapid.IntRange(0, len(signature)-1).Draw(t, "flipped")
		signature[flipped] ^= 1
		if wallet.VerifyLogin(address, at, signature) {
			t.Fatal("a flipped signature is accepted")
		}
		if wallet.VerifyLogin(address, at, signature[:63]) || wallet.VerifyLogin("x", at, signature) {
			t.Fatal("a short signature or no wallet is accepted")
		}
	})
}

func ExampleLoginMessage() {
	address, _ := wallet.FromPublicKey(keyOf(1).Public().(ed25519.PublicKey))
	fmt.Println(wallet.LoginMessage(address, 1764547200000))
	// Output:
	// casino-auth:EvFUfisEScFuZSqDXagC17m3bpP32B74dseMHtzQ5TNb:1764547200000
}
