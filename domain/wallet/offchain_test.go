package wallet_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/wallet"
)

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
	// A legacy transaction's message with one signer, whose only account is the wallet and
	// whose only instruction has the text as data.
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
	// Neither form of what is signed for a login is a transaction: the first byte of one
	// counts signatures of 64 bytes, of which 19 fill a transaction, or is 0x80, version 0.
	for _, form := range []string{text, domain} {
		if first := form[0]; first < 20 || bytes.Equal([]byte{first}, []byte{0x80}) {
			t.Errorf("%q begins as a transaction does", form)
		}
	}
}
