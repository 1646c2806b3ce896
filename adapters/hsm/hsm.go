//go:build cgo

package hsm

import (
	"context"
	"crypto/ed25519"
	"encoding/asn1"
	"errors"
	"fmt"
	"sync"

	"github.com/miekg/pkcs11"

	"github.com/casino-service/casino/domain/wallet"
)

// Numbers of PKCS #11 v3.0 that the library lacks.
const (
	keyTypeEdwards = 0x40   // CKK_EC_EDWARDS
	mechanismEdDSA = 0x1057 // CKM_EDDSA
)

// Key is the treasury's key in a token. Its methods may be called concurrently; the module
// gets one call at a time.
type Key struct {
	config  Config
	address wallet.Address
	public  ed25519.PublicKey

	// turn holds one value while no call is in the module. A call that doesn't return keeps
	// it, so that later calls end with their contexts.
	turn    chan struct{}
	session *session // nil after a failure; the next call opens another one
	// refused is the error of a PIN that the token didn't accept. It is never tried again,
	// because a token locks its user after a few wrong PINs.
	refused error
}

// session is a login to the token and the private key found in it.
type session struct {
	handle pkcs11.SessionHandle
	key    pkcs11.ObjectHandle
	public ed25519.PublicKey
}

// modules holds the libraries of the process by path. A library is initialized once for the
// whole process and logs all sessions of a token in or out together, so Close leaves it.
var modules = struct {
	sync.Mutex
	loaded map[string]*pkcs11.Ctx
}{loaded: map[string]*pkcs11.Ctx{}}

// Open logs in to the token and finds the key. It returns an error if the key could be
// copied out of the token: it must be sensitive and not extractable.
func Open(config Config) (*Key, error) {
	k := &Key{config: config, turn: make(chan struct{}, 1)}
	module, err := load(config.Module)
	if err != nil {
		return nil, err
	}
	opened, err := k.login(module)
	if err != nil {
		return nil, err
	}
	if k.address, err = wallet.FromPublicKey(opened.public); err != nil {
		return nil, errors.Join(err, module.CloseSession(opened.handle))
	}
	k.public, k.session = opened.public, opened
	k.turn <- struct{}{}
	return k, nil
}

// load returns the module at a path, initialized.
func load(path string) (*pkcs11.Ctx, error) {
	modules.Lock()
	defer modules.Unlock()
	if module := modules.loaded[path]; module != nil {
		return module, nil
	}
	module := pkcs11.New(path)
	if module == nil {
		return nil, fmt.Errorf("%s is not a PKCS#11 module", path)
	}
	if err := module.Initialize(); err != nil && !is(err, pkcs11.CKR_CRYPTOKI_ALREADY_INITIALIZED) {
		module.Destroy()
		return nil, fmt.Errorf("initialize %s: %w", path, err)
	}
	modules.loaded[path] = module
	return module, nil
}

// Address returns the key's address.
func (k *Key) Address() wallet.Address { return k.address }

// Sign signs a message in the token. If the session was lost, because the token restarted,
// it logs in again and tries once more: Ed25519 signatures are deterministic. It ends with
// the context even if the module doesn't return.
func (k *Key) Sign(ctx context.Context, message []byte) ([]byte, error) {
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("the token is busy: %w", ctx.Err())
	case <-k.turn:
	}
	type result struct {
		signature []byte
		err       error
	}
	done := make(chan result, 1)
	go func() {
		defer func() { k.turn <- struct{}{} }()
		signature, err := k.sign(message)
		done <- result{signature, err}
	}()
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("the token doesn't answer: %w", ctx.Err())
	case r := <-done:
		return r.signature, r.err
	}
}

// sign signs with the session, or with a new one if that is lost.
func (k *Key) sign(message []byte) ([]byte, error) {
	module, err := load(k.config.Module)
	if err != nil {
		return nil, err
	}
	if k.session != nil {
		signature, err := k.signIn(module, k.session, message)
		if err == nil {
			return signature, nil
		}
		_ = module.CloseSession(k.session.handle) // it may be lost already
		k.session = nil
	}
	opened, err := k.login(module)
	if err != nil {
		return nil, err
	}
	if !opened.public.Equal(k.public) {
		return nil, errors.Join(fmt.Errorf("the token has another key %q now", k.config.Key), module.CloseSession(opened.handle))
	}
	signature, err := k.signIn(module, opened, message)
	if err != nil {
		return nil, errors.Join(err, module.CloseSession(opened.handle))
	}
	k.session = opened
	return signature, nil
}

// signIn signs in a session and verifies the signature.
func (k *Key) signIn(module *pkcs11.Ctx, s *session, message []byte) ([]byte, error) {
	if err := module.SignInit(s.handle, []*pkcs11.Mechanism{pkcs11.NewMechanism(mechanismEdDSA, nil)}, s.key); err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	signature, err := module.Sign(s.handle, message)
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	if !ed25519.Verify(k.public, message, signature) {
		return nil, errors.New("sign: the token's signature doesn't verify")
	}
	return signature, nil
}

// login opens a session, logs in and finds the key.
func (k *Key) login(module *pkcs11.Ctx) (opened *session, err error) {
	if k.refused != nil {
		return nil, k.refused
	}
	slot, err := findToken(module, k.config.Token)
	if err != nil {
		return nil, err
	}
	handle, err := module.OpenSession(slot, pkcs11.CKF_SERIAL_SESSION)
	if err != nil {
		return nil, fmt.Errorf("open a session: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, module.CloseSession(handle))
		}
	}()
	switch err := module.Login(handle, pkcs11.CKU_USER, k.config.PIN); {
	case is(err, pkcs11.CKR_PIN_INCORRECT, pkcs11.CKR_PIN_LOCKED, pkcs11.CKR_PIN_EXPIRED, pkcs11.CKR_PIN_INVALID, pkcs11.CKR_PIN_LEN_RANGE):
		k.refused = fmt.Errorf("log in to the token %q: %w; restart with the right PIN", k.config.Token, err)
		return nil, k.refused
	case err != nil && !is(err, pkcs11.CKR_USER_ALREADY_LOGGED_IN):
		return nil, fmt.Errorf("log in to the token %q: %w", k.config.Token, err)
	}
	private, err := k.find(module, handle, pkcs11.CKO_PRIVATE_KEY)
	if err != nil {
		return nil, err
	}
	if err := requireSafe(module, handle, private); err != nil {
		return nil, fmt.Errorf("the key %q: %w", k.config.Key, err)
	}
	public, err := k.find(module, handle, pkcs11.CKO_PUBLIC_KEY)
	if err != nil {
		return nil, err
	}
	point, err := readPoint(module, handle, public)
	if err != nil {
		return nil, fmt.Errorf("the key %q: %w", k.config.Key, err)
	}
	return &session{handle: handle, key: private, public: point}, nil
}

// findToken returns the slot of the only token with a label.
func findToken(module *pkcs11.Ctx, label string) (uint, error) {
	slots, err := module.GetSlotList(true)
	if err != nil {
		return 0, fmt.Errorf("list the tokens: %w", err)
	}
	var found []uint
	for _, slot := range slots {
		if info, err := module.GetTokenInfo(slot); err == nil && info.Label == label {
			found = append(found, slot)
		}
	}
	if len(found) != 1 {
		return 0, fmt.Errorf("%d of %d tokens have the label %q, and one must", len(found), len(slots), label)
	}
	return found[0], nil
}

// find returns the only Ed25519 key of a class with the key's label.
func (k *Key) find(module *pkcs11.Ctx, handle pkcs11.SessionHandle, class uint) (pkcs11.ObjectHandle, error) {
	if err := module.FindObjectsInit(handle, []*pkcs11.Attribute{
		pkcs11.NewAttribute(pkcs11.CKA_CLASS, class),
		pkcs11.NewAttribute(pkcs11.CKA_KEY_TYPE, keyTypeEdwards),
		pkcs11.NewAttribute(pkcs11.CKA_LABEL, k.config.Key),
	}); err != nil {
		return 0, fmt.Errorf("find the key: %w", err)
	}
	found, _, err := module.FindObjects(handle, 2)
	if err := errors.Join(err, module.FindObjectsFinal(handle)); err != nil {
		return 0, fmt.Errorf("find the key: %w", err)
	}
	half := map[uint]string{pkcs11.CKO_PRIVATE_KEY: "private", pkcs11.CKO_PUBLIC_KEY: "public"}[class]
	if len(found) != 1 {
		return 0, fmt.Errorf("the token needs one %s Ed25519 key with the label %q, and has %d", half, k.config.Key, len(found))
	}
	return found[0], nil
}

// requireSafe returns an error if the private key can be read out of the token.
func requireSafe(module *pkcs11.Ctx, handle pkcs11.SessionHandle, key pkcs11.ObjectHandle) error {
	values, err := module.GetAttributeValue(handle, key, []*pkcs11.Attribute{
		pkcs11.NewAttribute(pkcs11.CKA_SENSITIVE, nil), pkcs11.NewAttribute(pkcs11.CKA_EXTRACTABLE, nil),
	})
	switch {
	case err != nil:
		return err
	case len(values) != 2 || len(values[0].Value) != 1 || len(values[1].Value) != 1:
		return errors.New("the token doesn't say whether it can be copied")
	case values[0].Value[0] == 0 || values[1].Value[0] != 0:
		return errors.New("it can be copied out of the token: make one that is sensitive and not extractable")
	}
	return nil
}

// readPoint returns the public key's 32 bytes. Tokens wrap them in a DER OCTET STRING, as
// the standard asks, or give them bare.
func readPoint(module *pkcs11.Ctx, handle pkcs11.SessionHandle, key pkcs11.ObjectHandle) (ed25519.PublicKey, error) {
	values, err := module.GetAttributeValue(handle, key, []*pkcs11.Attribute{pkcs11.NewAttribute(pkcs11.CKA_EC_POINT, nil)})
	if err != nil {
		return nil, err
	}
	point := values[0].Value
	if len(point) != ed25519.PublicKeySize {
		if rest, err := asn1.Unmarshal(values[0].Value, &point); err != nil || len(rest) > 0 || len(point) != ed25519.PublicKeySize {
			return nil, errors.New("is no Ed25519 key")
		}
	}
	return point, nil
}

// is reports whether an error is one of the module's codes.
func is(err error, codes ...pkcs11.Error) bool {
	var code pkcs11.Error
	if !errors.As(err, &code) {
		return false
	}
	for _, c := range codes {
		if code == c {
			return true
		}
	}
	return false
}

// Close ends the session. Later calls of Sign return an error. It doesn't wait for a call
// that is in the module.
func (k *Key) Close() error {
	select {
	case <-k.turn:
	default:
		return errors.New("the token is busy")
	}
	defer func() { k.turn <- struct{}{} }()
	k.refused = errors.New("the key is closed")
	if k.session == nil {
		return nil
	}
	module, err := load(k.config.Module)
	if err != nil {
		return err
	}
	err = module.CloseSession(k.session.handle)
	k.session = nil
	return err
}
