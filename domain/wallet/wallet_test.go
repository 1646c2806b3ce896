package wallet_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
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

// TestParseAgreesWithAnotherImplementation compares base58, the curve check and the
// small-order check with mr-tron/base58 and filippo.io/edwards25519.
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

// TestSmallOrderKeysAreRefused makes the eight points of small order with the other
// implementation: any point times the group's prime order.
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

// TestEncodingsThatAreNotCanonical tries y coordinates of p and above, which are other
// encodings of points, and zeros of x with a sign.
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
	small, off := "wallet: is a key of small order, so anyone can forge its signatures", "wallet: is not on the Ed25519 curve, so no key can sign for it"
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

// offchainVector is one line of testdata/offchain.json: off-chain messages made by a
// public implementation, signed with the first secret key of RFC 8032, section 7.1.
type offchainVector struct {
	Source    string
	Wallet    wallet.Address
	Text      string
	Signed    string // the bytes that were signed, as hex
	Signature string
}

func TestOffchainMessageVectors(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/offchain.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []offchainVector
	if err := json.Unmarshal(raw, &vectors); err != nil || len(vectors) == 0 {
		t.Fatal(err)
	}
	for _, v := range vectors {
		signature, err := base64.StdEncoding.DecodeString(v.Signature)
		if err != nil {
			t.Fatal(err)
		}
		signed, err := hex.DecodeString(v.Signed)
		if err != nil || !ed25519.Verify(v.Wallet.PublicKey(), signed, signature) {
			t.Fatalf("%s: the vector is wrong: %v", v.Source, err)
		}
		if !wallet.VerifyMessage(v.Wallet, v.Text, signature) {
			t.Errorf("%s: %x is refused", v.Source, signed)
		}
		for _, text := range []string{v.Text + " ", v.Text[1:], strings.ToUpper(v.Text), ""} {
			if wallet.VerifyMessage(v.Wallet, text, signature) {
				t.Errorf("%s: a signature over %q is accepted for %q", v.Source, v.Text, text)
			}
		}
	}
}

// TestVerifyMessageEnvelopes changes one part of the envelope at a time.
func TestVerifyMessageEnvelopes(t *testing.T) {
	t.Parallel()
	key, other := keyOf(1), keyOf(2)
	address, err := wallet.FromPublicKey(key.Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	self, stranger := string(key.Public().(ed25519.PublicKey)), string(other.Public().(ed25519.PublicKey))
	const domain, zeros = "\xffsolana offchain", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	text := wallet.LoginMessage(address, 1_700_000_000_000)
	size := string([]byte{byte(len(text)), 0})
	// A legacy transaction's message with one signer. Its only account is the wallet, and
	// its only instruction has the text as data.
	transaction := "\x01\x00\x00\x01" + self + zeros + "\x01\x00\x00" + size[:1] + text
	for _, row := range []struct {
		name, signed string
		want         bool
	}{
		{"raw", text, true},
		{"current, ASCII", domain + "\x00" + zeros + "\x00\x01" + self + size + text, true},
		{"current, UTF-8", domain + "\x00" + zeros + "\x01\x01" + self + size + text, true},
		{"legacy, ASCII", domain + "\x00\x00" + size + text, true},
		{"legacy, UTF-8", domain + "\x00\x01" + size + text, true},
		{"current, extended UTF-8", domain + "\x00" + zeros + "\x02\x01" + self + size + text, false},
		{"legacy, extended UTF-8", domain + "\x00\x02" + size + text, false},
		{"version 1", domain + "\x01" + zeros + "\x00\x01" + self + size + text, false},
		{"legacy, version 1", domain + "\x01\x00" + size + text, false},
		{"another application", domain + "\x00" + "x" + zeros[1:] + "\x00\x01" + self + size + text, false},
		{"another signer", domain + "\x00" + zeros + "\x00\x01" + stranger + size + text, false},
		{"a second signer", domain + "\x00" + zeros + "\x00\x02" + self + stranger + size + text, false},
		{"no signer", domain + "\x00" + zeros + "\x00\x00" + size + text, false},
		{"another length", domain + "\x00\x00" + "\x01\x00" + text, false},
		{"a length in big-endian", domain + "\x00\x00" + size[1:] + size[:1] + text, false},
		{"more after the text", domain + "\x00\x00" + size + text + "\n", false},
		{"another domain", "\xfesolana offchain" + "\x00\x00" + size + text, false},
		{"no domain", "\x00\x00" + size + text, false},
		{"an envelope in an envelope", domain + "\x00\x01" + string([]byte{byte(len(text) + 20), 0}) + domain + "\x00\x00" + size + text, false},
		{"a transaction", transaction, false},
		{"a versioned transaction", "\x80" + transaction + "\x00", false},
	} {
		if got := wallet.VerifyMessage(address, text, ed25519.Sign(key, []byte(row.signed))); got != row.want {
			t.Errorf("%s: VerifyMessage = %v, want %v", row.name, got, row.want)
		}
	}
	if wallet.VerifyMessage(address, "Grüße", ed25519.Sign(key, []byte(domain+"\x00\x00\x07\x00Grüße"))) {
		t.Error("restricted ASCII holds other characters")
	}
	long := strings.Repeat("x", 1232-20+1)
	if wallet.VerifyMessage(address, long, ed25519.Sign(key, append([]byte(domain+"\x00\x00\xbd\x04"), long...))) {
		t.Error("a message is longer than hardware wallets sign")
	}
	// Neither signed form of a login is a transaction: the first byte of a transaction
	// counts signatures of 64 bytes, of which 19 fill it, or is 0x80, version 0.
	for _, form := range []string{text, domain} {
		if first := form[0]; first < 20 || bytes.Equal([]byte{first}, []byte{0x80}) {
			t.Errorf("%q begins as a transaction does", form)
		}
	}
}
