package jwttoken

import (
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// strict rejects unknown members. json/v2 itself rejects duplicate members, names in
// another case, numbers that are not integers and invalid UTF-8, all of which encoding/json
// accepts.
var strict = json.RejectUnknownMembers(true)

// header is the whole header of a token. It has no field for members that would make a
// reader fetch, choose or trust a key (jku, jwk, x5u, x5c) or change the signed bytes
// (crit, b64), so these are rejected.
type header struct {
	Algorithm string `json:"alg"`
	KeyID     string `json:"kid"`
	Type      string `json:"typ"`
}

// readHeader reads the first part of a token again, strictly, because the parser accepts
// duplicate members and takes the last.
func readHeader(bearer string) (header, error) {
	part, _, _ := strings.Cut(bearer, ".")
	text, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil {
		return header{}, err
	}
	var read header
	if err := json.Unmarshal(text, &read, strict); err != nil {
		return header{}, err
	}
	if read.Algorithm != jwt.SigningMethodHS256.Alg() || read.Type != "JWT" {
		return header{}, errors.New("another type of token")
	}
	return read, nil
}

// errClaims reports claims that Issue would not have written.
var errClaims = errors.New("claims not as issued")

// claims are all the claims of a token. The times are Unix seconds.
type claims struct {
	Subject   string `json:"sub"`
	Issuer    string `json:"iss"`
	Audience  string `json:"aud"`
	IssuedAt  *int64 `json:"iat"`
	ExpiresAt *int64 `json:"exp"`
	ID        string `json:"jti"`
}

// UnmarshalJSON reads claims strictly; the parser calls it.
func (c *claims) UnmarshalJSON(text []byte) error {
	type plain claims // without this method
	return json.Unmarshal(text, (*plain)(c), strict)
}

// secondsMax is the end of the year 9999; later times can't be represented in responses.
const secondsMax = 253402300799

// Validate checks what the parser doesn't check after issuer, audience and expiry: that the
// id has the second of issue, and that the subject has the form of a wallet.
//
// It doesn't check again that the wallet is a point of the curve: that was done before
// signing and would cost more than the rest of Verify.
func (c *claims) Validate() error {
	millis, ok := millisOf(c.ID)
	if !ok || c.IssuedAt == nil || millis/1000 != *c.IssuedAt {
		return errClaims
	}
	if c.ExpiresAt == nil || *c.ExpiresAt < 0 || *c.ExpiresAt > secondsMax {
		return errClaims
	}
	if wallet.Address(c.Subject).PublicKey() == nil {
		return errClaims
	}
	return nil
}

// toSession returns the session of valid claims. Its start has milliseconds, more than iat,
// because a sign-out ends sessions issued before its own millisecond.
func (c *claims) toSession() ports.Session {
	millis, _ := millisOf(c.ID)
	return ports.Session{
		Wallet:    wallet.Address(c.Subject),
		IssuedAt:  time.UnixMilli(millis).UTC(),
		ExpiresAt: time.Unix(*c.ExpiresAt, 0).UTC(),
	}
}

// millisOf returns the Unix milliseconds in the first 48 bits of a UUID of
// version 7 (RFC 9562, section 5.7), written as 36 lower-case characters.
func millisOf(id string) (int64, bool) {
	read, err := uuid.Parse(id)
	if err != nil || read.String() != id || read.Version() != 7 || read.Variant() != uuid.RFC4122 {
		return 0, false
	}
	var millis int64
	for _, octet := range read[:6] {
		millis = millis<<8 | int64(octet)
	}
	return millis, true
}

// The getters of jwt.Claims.

// GetExpirationTime returns exp, nil when it is missing.
func (c *claims) GetExpirationTime() (*jwt.NumericDate, error) { return numericDate(c.ExpiresAt), nil }

// GetIssuedAt returns iat, nil when it is missing.
func (c *claims) GetIssuedAt() (*jwt.NumericDate, error) { return numericDate(c.IssuedAt), nil }

// GetNotBefore returns nil: tokens are valid from their issue.
func (c *claims) GetNotBefore() (*jwt.NumericDate, error) { return nil, nil }

// GetIssuer returns iss.
func (c *claims) GetIssuer() (string, error) { return c.Issuer, nil }

// GetSubject returns sub.
func (c *claims) GetSubject() (string, error) { return c.Subject, nil }

// GetAudience returns aud, of which our tokens have exactly one.
func (c *claims) GetAudience() (jwt.ClaimStrings, error) { return jwt.ClaimStrings{c.Audience}, nil }

func numericDate(seconds *int64) *jwt.NumericDate {
	if seconds == nil {
		return nil
	}
	return jwt.NewNumericDate(time.Unix(*seconds, 0))
}
