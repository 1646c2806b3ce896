// Package jwttoken issues and reads the bearer tokens of sessions: JWTs (RFC 7519)
// signed with HMAC-SHA256 and nothing else.
//
// Commands import it for wiring; use cases know only ports.SessionTokens. It accepts
// exactly the tokens that it writes: every other header member, claim, encoding or
// algorithm is refused, whatever RFC 7519 would permit, because only this service issues
// them.
package jwttoken

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/casino-service/casino/adapters/internal/keys"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Keyring holds the signing keys, newest first: the newest signs, all verify. It prints
// as "[secret]".
type Keyring = keys.Ring

// ParseKeys reads `kid:secret` entries, newest first; a secret is base64 or
// hexadecimal of at least 32 bytes. Errors name the entry by its place and never
// quote it.
func ParseKeys(entries []string) (Keyring, error) { return keys.Parse(entries) }

// bearerMax is the longest token that is read, in bytes. Issued ones have about 500.
const bearerMax = 2048

// knownMax is how many verified tokens are remembered, at about 200 bytes each.
const knownMax = 1 << 14

// alphabet is the characters of a token: base64url and the dots between its parts. It is
// checked here because Go's base64 skips line ends even when strict.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."

var _ ports.SessionTokens = (*Tokens)(nil)

// Tokens issues and verifies session tokens. It is safe for concurrent use.
type Tokens struct {
	keys     Keyring
	issuer   string
	audience string
	seconds  int64 // how long a token is valid
	clock    ports.Clock
	entropy  ports.Entropy
	parser   *jwt.Parser
	// known holds the sessions of verified tokens, by the tokens' SHA-256. Keys, issuer
	// and audience don't change, so only time can invalidate one. The tokens themselves
	// are not kept.
	known *lru.Cache[[sha256.Size]byte, ports.Session]
}

// New returns the tokens of a deployment. Issuer and audience are required in every token
// and may not be empty; ttl is rounded down to seconds and must be at least one. Entropy.ID
// must return ever-increasing UUIDs of version 7, such as those of
// system.System.SessionIDs, because a session's start is read from its id. If an argument
// is missing, Issue returns an error and Verify accepts nothing.
func New(ring Keyring, issuer, audience string, ttl time.Duration, clock ports.Clock, entropy ports.Entropy) *Tokens {
	known, err := lru.New[[sha256.Size]byte, ports.Session](knownMax)
	if err != nil {
		panic(err) // only for a size below one
	}
	return &Tokens{
		known: known,
		keys:  ring, issuer: issuer, audience: audience, seconds: int64(ttl / time.Second),
		clock: clock, entropy: entropy,
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
			jwt.WithStrictDecoding(),
			jwt.WithExpirationRequired(),
			jwt.WithIssuer(issuer),
			jwt.WithAudience(audience),
			jwt.WithTimeFunc(clock.Now),
		),
	}
}

// Issue returns a token for the wallet, and its expiry in whole seconds. Expiry counts from
// the clock. The start is the millisecond of the token's id, which increases even while the
// clock steps back, so a session that begins after a sign-out never looks older than it.
func (t *Tokens) Issue(w wallet.Address) (string, time.Time, error) {
	key, ok := t.keys.Newest()
	if !ok || t.issuer == "" || t.audience == "" || t.seconds < 1 {
		return "", time.Time{}, errors.New("jwttoken: a key, an issuer, an audience and a lifetime of at least a second are needed")
	}
	if _, err := wallet.Parse(string(w)); err != nil {
		return "", time.Time{}, fmt.Errorf("jwttoken: the subject: %w", err)
	}
	id := t.entropy.ID()
	millis, ok := millisOf(id)
	if !ok {
		return "", time.Time{}, errors.New("jwttoken: ids must be UUIDs of version 7")
	}
	issued, expires := millis/1000, t.clock.Now().Unix()+t.seconds
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, &claims{
		Subject: string(w), Issuer: t.issuer, Audience: t.audience,
		IssuedAt: &issued, ExpiresAt: &expires, ID: id,
	})
	token.Header["kid"] = key.ID()
	bearer, err := token.SignedString(key.Secret())
	if err != nil {
		return "", time.Time{}, fmt.Errorf("jwttoken: signing: %w", err)
	}
	if len(bearer) > bearerMax {
		return "", time.Time{}, errors.New("jwttoken: the issuer and the audience are too long for a token")
	}
	return bearer, time.Unix(expires, 0).UTC(), nil
}

// Verify returns the session of a token that was issued here, else a fault of kind
// InvalidToken or, when it has only expired, ExpiredToken. A token expires at the very
// second of its end. A token that is longer than any issued one, or doesn't have exactly
// three parts, is refused before anything is decoded.
func (t *Tokens) Verify(bearer string) (ports.Session, error) {
	if len(bearer) > bearerMax || strings.Count(bearer, ".") != 2 || strings.Trim(bearer, alphabet) != "" {
		return ports.Session{}, invalidTokenError()
	}
	sum := sha256.Sum256(append(make([]byte, 0, bearerMax), bearer...))
	if session, ok := t.known.Get(sum); ok && t.clock.Now().Before(session.ExpiresAt) {
		return session, nil
	}
	var said claims
	_, err := t.parser.ParseWithClaims(bearer, &said, t.findKey)
	switch {
	case err == nil:
		session := said.toSession()
		t.known.Add(sum, session)
		return session, nil
	case onlyExpired(err):
		return ports.Session{}, fault.New(fault.ExpiredToken, "the token has expired: sign in again")
	default:
		return ports.Session{}, invalidTokenError()
	}
}

func invalidTokenError() error {
	return fault.New(fault.InvalidToken, "the bearer token was not issued by this service")
}

// findKey returns the secret that the token's header names, looked up in the ring
// and nowhere else.
func (t *Tokens) findKey(token *jwt.Token) (any, error) {
	head, err := readHeader(token.Raw)
	if err != nil {
		return nil, err
	}
	key, ok := t.keys.Lookup(head.KeyID)
	if !ok || t.issuer == "" || t.audience == "" {
		return nil, errors.New("no such key")
	}
	return key.Secret(), nil
}

// onlyExpired reports whether expiry is the only failure. Claims are checked after the
// signature, and the parser joins all failures.
func onlyExpired(err error) bool {
	if !errors.Is(err, jwt.ErrTokenExpired) {
		return false
	}
	for _, other := range []error{jwt.ErrTokenInvalidIssuer, jwt.ErrTokenInvalidAudience, jwt.ErrTokenRequiredClaimMissing, errClaims} {
		if errors.Is(err, other) {
			return false
		}
	}
	return true
}
