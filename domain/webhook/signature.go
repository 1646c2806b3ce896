package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/agent"
)

// The headers of a delivery, as Standard Webhooks 1.0.0 names them.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

// Tolerance is how far the time of a delivery may be from the receiver's clock, in
// either direction: an older delivery may be a recorded one.
const Tolerance = 5 * time.Minute

// PreviousTime is how long the previous secret still signs after a rotation.
const PreviousTime = 24 * time.Hour

// The form of a secret: its prefix, and the least and greatest number of key bytes in
// the specification.
const (
	secretPrefix   = "whsec_"
	keyMin, keyMax = 24, 64
)

// signatureVersion precedes each signature made with a shared secret.
const signatureVersion = "v1,"

// The errors of Verify.
var (
	ErrSecret    = errors.New("webhook: a secret must be whsec_ and the base64 of 24 to 64 bytes")
	ErrTimestamp = errors.New("webhook: the timestamp is too far from the present time")
	ErrSignature = errors.New("webhook: no signature matches the secret")
)

// NewSecret makes a signing secret from random bytes.
func NewSecret(random [32]byte) agent.Secret {
	return agent.SecretFrom(secretPrefix + base64.StdEncoding.EncodeToString(random[:]))
}

// signingKey returns the key in a secret's text.
func signingKey(secret agent.Secret) ([]byte, error) {
	text, prefixed := strings.CutPrefix(secret.Reveal(), secretPrefix)
	made, err := base64.StdEncoding.DecodeString(text)
	if !prefixed || err != nil || len(made) < keyMin || len(made) > keyMax {
		return nil, ErrSecret // the cause would show a part of the secret
	}
	return made, nil
}

// Sign returns the signature of one delivery by Standard Webhooks: the HMAC-SHA256 of
// id, Unix time and body, joined by dots. The id is the same at every try, at is the
// time of the try. The sender chooses the id, and the body is a JSON object, so no other
// three parts give the same text.
func Sign(secret agent.Secret, id string, at time.Time, body []byte) (string, error) {
	made, err := signingKey(secret)
	if err != nil {
		return "", err
	}
	return signatureText(made, id, Timestamp(at), body), nil
}

// Timestamp formats a time for HeaderTimestamp.
func Timestamp(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// signatureText formats a signature.
func signatureText(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return signatureVersion + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Verify returns nil for a recent delivery signed with the secret. The texts are those
// of the headers; one of several signatures is enough. A receiver must also drop ids
// that it has seen: a delivery may be repeated, or recorded and replayed.
func Verify(secret agent.Secret, id, timestamp, signatures string, body []byte, now time.Time) error {
	made, err := signingKey(secret)
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || timestamp != strconv.FormatInt(seconds, 10) {
		return ErrTimestamp
	}
	if off := now.Unix() - seconds; off > int64(Tolerance/time.Second) || off < -int64(Tolerance/time.Second) {
		return ErrTimestamp
	}
	want := []byte(signatureText(made, id, timestamp, body))
	for each := range strings.SplitSeq(signatures, " ") {
		if hmac.Equal([]byte(each), want) {
			return nil
		}
	}
	return ErrSignature
}

// Secrets are an endpoint's current secret and, for a day after a rotation, the previous
// one.
type Secrets struct {
	Current agent.Secret
	// Previous also signs until PreviousUntil, so that a receiver has time to change its
	// own.
	Previous      agent.Secret
	PreviousUntil time.Time
}

// Rotated returns the secrets with a new current one. A second rotation within the day
// drops the oldest at once, because a secret may have leaked.
func (s Secrets) Rotated(fresh agent.Secret, now time.Time) Secrets {
	return Secrets{Current: fresh, Previous: s.Current, PreviousUntil: now.Add(PreviousTime)}
}

// Sign returns the content of HeaderSignature: the current secret's signature and, until
// PreviousUntil, the previous one's.
func (s Secrets) Sign(id string, at time.Time, body []byte) (string, error) {
	signed, err := Sign(s.Current, id, at, body)
	if err != nil || s.Previous.Reveal() == "" || !at.Before(s.PreviousUntil) {
		return signed, err
	}
	before, err := Sign(s.Previous, id, at, body)
	return signed + " " + before, err
}
