package hub88

import (
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"time"

	"github.com/casino-service/casino/domain/wallet"
)

// signatureHeader carries the signature of a body.
const signatureHeader = "X-Hub88-Signature"

// keyBitsMin is the smallest accepted RSA key.
const keyBitsMin = 2048

// Keys are our private key, which signs our calls, and Hub88's public key, which proves
// its calls.
type Keys struct {
	Private *rsa.PrivateKey
	Public  *rsa.PublicKey
}

// ParseKeys reads the PEM texts of our private key (PKCS #8 or PKCS #1) and Hub88's public
// key (PKIX or PKCS #1). Errors never contain a key.
func ParseKeys(private, public []byte) (Keys, error) {
	keys := Keys{}
	if block, _ := pem.Decode(private); block != nil {
		if parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
			keys.Private, _ = parsed.(*rsa.PrivateKey)
		} else {
			keys.Private, _ = x509.ParsePKCS1PrivateKey(block.Bytes)
		}
	}
	if block, _ := pem.Decode(public); block != nil {
		if parsed, err := x509.ParsePKIXPublicKey(block.Bytes); err == nil {
			keys.Public, _ = parsed.(*rsa.PublicKey)
		} else {
			keys.Public, _ = x509.ParsePKCS1PublicKey(block.Bytes)
		}
	}
	return keys, keys.check()
}

func (k Keys) check() error {
	var faults []error
	if k.Private == nil || k.Private.N.BitLen() < keyBitsMin {
		faults = append(faults, errors.New("hub88: the private key must be an RSA key of at least 2048 bits in PEM"))
	}
	if k.Public == nil || k.Public.N.BitLen() < keyBitsMin {
		faults = append(faults, errors.New("hub88: Hub88's public key must be an RSA key of at least 2048 bits in PEM"))
	}
	if faults == nil && k.Private.PublicKey.Equal(k.Public) {
		faults = append(faults, errors.New("hub88: the public key must be Hub88's, not that of the own private key"))
	}
	return errors.Join(faults...)
}

// sign returns the signature of a body.
func (k Keys) sign(body []byte) (string, error) {
	digest := sha256.Sum256(body)
	signature, err := rsa.SignPKCS1v15(nil, k.Private, crypto.SHA256, digest[:])
	return base64.StdEncoding.EncodeToString(signature), err
}

// verifies reports whether Hub88 signed the body.
func (k Keys) verifies(body []byte, signature string) bool {
	raw, err := base64.StdEncoding.DecodeString(signature)
	digest := sha256.Sum256(body)
	return err == nil && rsa.VerifyPKCS1v15(k.Public, crypto.SHA256, digest[:], raw) == nil
}

// sessionTime is how long bets are accepted in the session of a launch.
const sessionTime = 24 * time.Hour

// macSize is the length of a session token's code in bytes, after 8 bytes of time.
const macSize = 16

// session returns the token of a launch: its time and a code that only the holder of the
// private key can make. Nothing is stored, so every instance knows every session.
func (k Keys) session(w wallet.Address, at time.Time) string {
	token := binary.BigEndian.AppendUint64(nil, uint64(at.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(token, k.sessionCode(token, w)...))
}

func (k Keys) sessionCode(token []byte, w wallet.Address) []byte {
	key := sha256.Sum256(append([]byte("hub88 sessions\x00"), k.Private.D.Bytes()...))
	code := hmac.New(sha256.New, key[:])
	code.Write(token)
	code.Write([]byte(w))
	return code.Sum(nil)[:macSize]
}

// sessionStatus returns statusOK for a token of the player's session that hasn't expired.
func (k Keys) sessionStatus(token string, w wallet.Address, now time.Time) status {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != 8+macSize || !hmac.Equal(raw[8:], k.sessionCode(raw[:8], w)) {
		return statusInvalidToken
	}
	if now.Sub(time.Unix(int64(binary.BigEndian.Uint64(raw)), 0)) >= sessionTime {
		return statusTokenExpired
	}
	return statusOK
}
