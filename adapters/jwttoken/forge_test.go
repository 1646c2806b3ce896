package jwttoken_test

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/jwttoken"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/domain/wallet"
)

const (
	issuer   = "casino.test"
	audience = "players"
	ttl      = time.Hour
)

// start is the time at which tests begin; deliberately not a full second.
var start = time.UnixMilli(1_764_547_200_789).UTC()

// secretOf returns the secret of a named key, derived from its name.
func secretOf(kid string) []byte {
	sum := sha256.Sum256([]byte("test key " + kid))
	return sum[:]
}

func entry(kid string) string { return kid + ":" + hex.EncodeToString(secretOf(kid)) }

// clock is a clock that a test sets.
type clock struct{ at time.Time }

func (c *clock) Now() time.Time { return c.at }

// world is Tokens over a clock that a test sets.
type world struct {
	*jwttoken.Tokens
	clock  *clock
	wallet wallet.Address
}

func open(t testing.TB, entries ...string) world {
	t.Helper()
	ring, err := jwttoken.ParseKeys(entries)
	if err != nil {
		t.Fatal(err)
	}
	c := &clock{start}
	entropy := system.New(c.Now, rand.NewChaCha8([32]byte{1})).SessionIDs()
	player, err := wallet.FromPublicKey(ed25519.NewKeyFromSeed(make([]byte, 32)).Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	return world{jwttoken.New(ring, issuer, audience, ttl, c, entropy), c, player}
}

func encode(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// sign joins and signs two parts with the standard library alone.
func sign(sum func() hash.Hash, secret []byte, header, claims string) string {
	signed := encode(header) + "." + encode(claims)
	mac := hmac.New(sum, secret)
	mac.Write([]byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// forge signs with the key k1, as an attacker could who chooses everything else.
func forge(header, claims string) string { return sign(sha256.New, secretOf("k1"), header, claims) }

const goodHeader = `{"alg":"HS256","kid":"k1","typ":"JWT"}`

// id is a UUID of version 7 of a time.
func id(at time.Time) string {
	text := fmt.Sprintf("%012x", at.UnixMilli())
	return text[:8] + "-" + text[8:] + "-7abc-8def-0123456789ab"
}

// claim is one member of a claims object, its value as raw JSON.
type claim struct{ name, value string }

func goodClaims(w world) []claim {
	return []claim{
		{"sub", `"` + string(w.wallet) + `"`},
		{"iss", `"` + issuer + `"`},
		{"aud", `"` + audience + `"`},
		{"iat", fmt.Sprint(start.Unix())},
		{"exp", fmt.Sprint(start.Add(ttl).Unix())},
		{"jti", `"` + id(start) + `"`},
	}
}

func object(members []claim) string {
	texts := make([]string, len(members))
	for i, m := range members {
		texts[i] = `"` + m.name + `":` + m.value
	}
	return "{" + strings.Join(texts, ",") + "}"
}

// with is the good claims with one replaced.
func with(w world, name, value string) string {
	members := goodClaims(w)
	for i := range members {
		if members[i].name == name {
			members[i].value = value
		}
	}
	return object(members)
}

// without is the good claims but one.
func without(w world, name string) string {
	var kept []claim
	for _, m := range goodClaims(w) {
		if m.name != name {
			kept = append(kept, m)
		}
	}
	return object(kept)
}

// plus is the good claims and one more.
func plus(w world, name, value string) string {
	return object(append(goodClaims(w), claim{name, value}))
}

var sha384, sha512Sum = sha512.New384, sha512.New
