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

// Tolerance is how far the moment of a delivery may be from the receiver's clock, either
// way: an older one may be somebody's who recorded it.
const Tolerance = 5 * time.Minute

// PreviousTime is how long the secret before the current one signs beside it.
const PreviousTime = 24 * time.Hour

// The form of a secret: its prefix, and how many bytes the specification lets a key have.
const (
	secretPrefix   = "whsec_"
	keyMin, keyMax = 24, 64
)

// signatureVersion stands before each signature made with a shared secret.
const signatureVersion = "v1,"

// Why a delivery isn't believed.
var (
	ErrSecret    = errors.New("webhook: a secret is whsec_ and the base64 of 24 to 64 bytes")
	ErrTimestamp = errors.New("webhook: the timestamp is no moment of about now")
	ErrSignature = errors.New("webhook: no signature is of the secret")
)

// NewSecret makes a signing secret of randomness.
func NewSecret(random [32]byte) agent.Secret {
	return agent.SecretFrom(secretPrefix + base64.StdEncoding.EncodeToString(random[:]))
}

// signingKey is what signs: the bytes that a secret's text holds.
func signingKey(secret agent.Secret) ([]byte, error) {
	text, prefixed := strings.CutPrefix(secret.Reveal(), secretPrefix)
	made, err := base64.StdEncoding.DecodeString(text)
	if !prefixed || err != nil || len(made) < keyMin || len(made) > keyMax {
		return nil, ErrSecret // without the cause, which would show some of it
	}
	return made, nil
}

// Sign returns the signature of one delivery, as Standard Webhooks has it: the HMAC-SHA256
// of id, Unix time and body, joined by dots. The id is the same at every try, the moment is
// that of the try. An id is the sender's own choice, and the body a JSON object: no other
// three parts give the same text.
func Sign(secret agent.Secret, id string, at time.Time, body []byte) (string, error) {
	made, err := signingKey(secret)
	if err != nil {
		return "", err
	}
	return signatureText(made, id, Timestamp(at), body), nil
}

// Timestamp is a moment as HeaderTimestamp holds it.
func Timestamp(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// signatureText is a signature's text.
func signatureText(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return signatureVersion + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Verify returns nil for a delivery that somebody signed who has the secret, about now. The
// texts are those of the headers; of several signatures one is enough. A receiver
// also drops an id that it has seen: a delivery may be sent again, and recorded.
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

// Secrets are an endpoint's: the current one, and for a day the one before it.
type Secrets struct {
	Current agent.Secret
	// Previous signs too before PreviousUntil, so that a receiver changes its own when it can.
	Previous      agent.Secret
	PreviousUntil time.Time
}

// Rotated returns the secrets with a new current one. A second rotation within the day ends
// the earliest of the three at once: whoever is in such a hurry has lost a secret.
func (s Secrets) Rotated(fresh agent.Secret, now time.Time) Secrets {
	return Secrets{Current: fresh, Previous: s.Current, PreviousUntil: now.Add(PreviousTime)}
}

// Sign returns what HeaderSignature holds: the current secret's signature, and while it
// holds that of the previous one.
func (s Secrets) Sign(id string, at time.Time, body []byte) (string, error) {
	signed, err := Sign(s.Current, id, at, body)
	if err != nil || s.Previous.Reveal() == "" || !at.Before(s.PreviousUntil) {
		return signed, err
	}
	before, err := Sign(s.Previous, id, at, body)
	return signed + " " + before, err
}
