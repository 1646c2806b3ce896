//go:build cgo

// Package softhsm makes tokens of SoftHSM, a PKCS#11 module in software, for tests.
package softhsm

import (
	"crypto/ed25519"
	"encoding/asn1"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/miekg/pkcs11"
)

// PIN is the PIN of every token's user.
const PIN = "112233445566"

const officer = "the officer" // the security officer's PIN

// Ed25519 keys of PKCS #11 v3.0, which the library lacks.
const (
	keyTypeEdwards  = 0x40   // CKK_EC_EDWARDS
	generateEdwards = 0x1055 // CKM_EC_EDWARDS_KEY_PAIR_GEN
)

// Setup points SoftHSM of this process at an empty folder. Call it in TestMain, before any
// module is opened; remove the folder at the end.
func Setup() (folder string, err error) {
	if folder, err = os.MkdirTemp("", "softhsm"); err != nil {
		return "", err
	}
	config := filepath.Join(folder, "softhsm2.conf")
	if err := os.WriteFile(config, []byte("directories.tokendir = "+folder+"\nlog.level = ERROR\n"), 0o600); err != nil {
		return "", err
	}
	return folder, os.Setenv("SOFTHSM2_CONF", config)
}

// Module returns the path of SoftHSM's library.
func Module(t testing.TB) string {
	t.Helper()
	for _, path := range []string{
		os.Getenv("CASINO_TEST_PKCS11"), "/usr/lib/softhsm/libsofthsm2.so", "/usr/local/lib/softhsm/libsofthsm2.so", "/opt/homebrew/lib/softhsm/libsofthsm2.so",
	} {
		if _, err := os.Stat(path); path != "" && err == nil {
			return path
		}
	}
	t.Fatal("SoftHSM is missing: sudo apt-get install softhsm2 (Debian, Ubuntu), brew install softhsm (macOS), or CASINO_TEST_PKCS11=the path of libsofthsm2.so")
	return ""
}

// Token is a token whose session is logged in between Connect and Disconnect.
type Token struct {
	Label, PIN string

	module *pkcs11.Ctx
	slot   uint
	handle pkcs11.SessionHandle
}

var tokens atomic.Int64

// NewToken initializes the next free token and connects.
func NewToken(t testing.TB) *Token {
	t.Helper()
	k := &Token{Label: fmt.Sprintf("token %d", tokens.Add(1)), PIN: PIN, module: pkcs11.New(Module(t))}
	if k.module == nil {
		t.Fatal("SoftHSM can't be loaded")
	}
	if err := k.module.Initialize(); err != nil && !errors.Is(err, pkcs11.Error(pkcs11.CKR_CRYPTOKI_ALREADY_INITIALIZED)) {
		t.Fatal(err)
	}
	slots, err := k.module.GetSlotList(true)
	must(t, err)
	must(t, k.module.InitToken(slots[len(slots)-1], officer, k.Label)) // SoftHSM keeps one slot free, the last one
	slots, err = k.module.GetSlotList(true)
	must(t, err)
	for _, k.slot = range slots {
		if info, err := k.module.GetTokenInfo(k.slot); err == nil && info.Label == k.Label {
			break
		}
	}
	k.open(t)
	must(t, k.module.Login(k.handle, pkcs11.CKU_SO, officer))
	must(t, k.module.InitPIN(k.handle, PIN))
	must(t, k.module.Logout(k.handle))
	must(t, k.module.Login(k.handle, pkcs11.CKU_USER, PIN))
	return k
}

func (k *Token) open(t testing.TB) {
	t.Helper()
	var err error
	k.handle, err = k.module.OpenSession(k.slot, pkcs11.CKF_SERIAL_SESSION|pkcs11.CKF_RW_SESSION)
	must(t, err)
}

// Connect opens a session and logs in.
func (k *Token) Connect(t testing.TB) {
	t.Helper()
	k.open(t)
	must(t, k.module.Login(k.handle, pkcs11.CKU_USER, k.PIN))
}

// Disconnect ends all sessions with the token, those of others too, as its restart does.
func (k *Token) Disconnect(t testing.TB) {
	t.Helper()
	must(t, k.module.CloseAllSessions(k.slot))
}

// ChangePIN changes the PIN of the token's user.
func (k *Token) ChangePIN(t testing.TB, to string) {
	t.Helper()
	must(t, k.module.SetPIN(k.handle, k.PIN, to))
	k.PIN = to
}

// Generate makes an Ed25519 key with a label and returns its public half.
func (k *Token) Generate(t testing.TB, label string, sensitive, extractable bool) ed25519.PublicKey {
	t.Helper()
	curve, err := asn1.Marshal(asn1.ObjectIdentifier{1, 3, 101, 112})
	must(t, err)
	public, _, err := k.module.GenerateKeyPair(k.handle, []*pkcs11.Mechanism{pkcs11.NewMechanism(generateEdwards, nil)},
		[]*pkcs11.Attribute{
			pkcs11.NewAttribute(pkcs11.CKA_CLASS, pkcs11.CKO_PUBLIC_KEY), pkcs11.NewAttribute(pkcs11.CKA_KEY_TYPE, keyTypeEdwards),
			pkcs11.NewAttribute(pkcs11.CKA_TOKEN, true), pkcs11.NewAttribute(pkcs11.CKA_VERIFY, true),
			pkcs11.NewAttribute(pkcs11.CKA_EC_PARAMS, curve), pkcs11.NewAttribute(pkcs11.CKA_LABEL, label),
		}, []*pkcs11.Attribute{
			pkcs11.NewAttribute(pkcs11.CKA_CLASS, pkcs11.CKO_PRIVATE_KEY), pkcs11.NewAttribute(pkcs11.CKA_KEY_TYPE, keyTypeEdwards),
			pkcs11.NewAttribute(pkcs11.CKA_TOKEN, true), pkcs11.NewAttribute(pkcs11.CKA_PRIVATE, true), pkcs11.NewAttribute(pkcs11.CKA_SIGN, true),
			pkcs11.NewAttribute(pkcs11.CKA_SENSITIVE, sensitive), pkcs11.NewAttribute(pkcs11.CKA_EXTRACTABLE, extractable),
			pkcs11.NewAttribute(pkcs11.CKA_LABEL, label),
		})
	must(t, err)
	values, err := k.module.GetAttributeValue(k.handle, public, []*pkcs11.Attribute{pkcs11.NewAttribute(pkcs11.CKA_EC_POINT, nil)})
	must(t, err)
	var point []byte
	_, err = asn1.Unmarshal(values[0].Value, &point)
	must(t, err)
	return point
}

// Import puts a key into the token with a label.
func (k *Token) Import(t testing.TB, label string, key ed25519.PrivateKey) {
	t.Helper()
	curve, err := asn1.Marshal(asn1.ObjectIdentifier{1, 3, 101, 112})
	must(t, err)
	point, err := asn1.Marshal([]byte(key.Public().(ed25519.PublicKey)))
	must(t, err)
	common := func(class uint, more ...*pkcs11.Attribute) []*pkcs11.Attribute {
		return append([]*pkcs11.Attribute{
			pkcs11.NewAttribute(pkcs11.CKA_CLASS, class), pkcs11.NewAttribute(pkcs11.CKA_KEY_TYPE, keyTypeEdwards),
			pkcs11.NewAttribute(pkcs11.CKA_TOKEN, true), pkcs11.NewAttribute(pkcs11.CKA_EC_PARAMS, curve), pkcs11.NewAttribute(pkcs11.CKA_LABEL, label),
		}, more...)
	}
	_, err = k.module.CreateObject(k.handle, common(pkcs11.CKO_PUBLIC_KEY, pkcs11.NewAttribute(pkcs11.CKA_EC_POINT, point)))
	must(t, err)
	_, err = k.module.CreateObject(k.handle, common(pkcs11.CKO_PRIVATE_KEY, pkcs11.NewAttribute(pkcs11.CKA_VALUE, key.Seed()), pkcs11.NewAttribute(pkcs11.CKA_SIGN, true),
		pkcs11.NewAttribute(pkcs11.CKA_PRIVATE, true), pkcs11.NewAttribute(pkcs11.CKA_SENSITIVE, true), pkcs11.NewAttribute(pkcs11.CKA_EXTRACTABLE, false)))
	must(t, err)
}

// Delete removes the keys with a label.
func (k *Token) Delete(t testing.TB, label string) {
	t.Helper()
	must(t, k.module.FindObjectsInit(k.handle, []*pkcs11.Attribute{pkcs11.NewAttribute(pkcs11.CKA_LABEL, label)}))
	found, _, err := k.module.FindObjects(k.handle, 10)
	must(t, err)
	must(t, k.module.FindObjectsFinal(k.handle))
	if len(found) == 0 {
		t.Fatalf("no key has the label %q", label)
	}
	for _, object := range found {
		must(t, k.module.DestroyObject(k.handle, object))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(fmt.Errorf("SoftHSM: %w", err))
	}
}
