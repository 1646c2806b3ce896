package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/wallet"
)

// Clock is the present time.
type Clock interface {
	Now() time.Time
}

// Entropy draws what must not be guessed, and ids.
type Entropy interface {
	// Seed returns 32 fresh random bytes.
	Seed() [32]byte
	// ID returns a new id: a UUID of version 7 as 36 characters of lower-case text,
	// unique, sorting by the time it was made.
	ID() string
}

// Limiter counts requests in exact sliding windows.
type Limiter interface {
	// Take admits or refuses one request under the key. Admitted ones count,
	// refused ones don't: in any window of rule.Window at most rule.Max are admitted.
	Take(ctx context.Context, key string, rule limit.Rule) (limit.Decision, error)
}

// Session is the content of a bearer token.
type Session struct {
	Wallet    wallet.Address
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// SessionTokens issues and reads bearer tokens.
type SessionTokens interface {
	// Issue returns a token for the wallet and when it expires, in whole seconds.
	Issue(w wallet.Address) (bearer string, expiresAt time.Time, err error)
	// Verify returns the session of a token that Issue made, else a fault of kind
	// InvalidToken or, when it is valid but too old, ExpiredToken.
	Verify(bearer string) (Session, error)
}

// Sealer keeps secrets at rest.
type Sealer interface {
	// Seal encrypts and authenticates the secret, bound to the given facts.
	Seal(secret []byte, boundTo ...string) ([]byte, error)
	// Open returns the secret, or an error when the sealed bytes, the key or any of
	// the facts differ.
	Open(sealed []byte, boundTo ...string) ([]byte, error)
}

// Authenticator proves that the service itself wrote something, with keys that the
// database lacks: whoever changes a row can't make its seal.
type Authenticator interface {
	// Seal returns the seal of a message under a purpose, made with the newest key:
	// printable text of at most 200 bytes without a comma or a space. The same message
	// has the same seal.
	Seal(purpose string, message []byte) (string, error)
	// Verify returns nil for a seal that Seal made of the message under the purpose,
	// with any key that is there, else an error.
	Verify(purpose string, message []byte, seal string) error
}

// RotatedSeals finds what an Authenticator sealed before its keys were rotated, where
// nobody kept which key it was.
type RotatedSeals interface {
	// Seals returns the seal of a message under a purpose as each key that is there makes
	// it, the newest key's first: each is what the Authenticator's Seal returned while the
	// key was the newest.
	Seals(purpose string, message []byte) ([]string, error)
}

// StatementSigner signs what the service states of its ledger, with keys that serve
// nothing else, so that others can verify it who have no secret.
type StatementSigner interface {
	// Sign returns the statement's text with its signature by the newest key. A statement
	// without a text is refused as its Text is.
	Sign(s checkpoint.Statement) (checkpoint.Signed, error)
	// PublicKeys returns the public halves of all keys, newest first: what an older key
	// signed goes on to open.
	PublicKeys() []checkpoint.Key
}

// ReceiptSigner signs receipts, with keys that serve nothing but receipts, refusals and
// statements for players.
type ReceiptSigner interface {
	StatementSigner
	// SignText returns the text with its signature by the newest key: Ed25519 (RFC 8032)
	// over the text's bytes. The text's first line says what it is.
	SignText(text string) (checkpoint.Signed, error)
}

// Hosts finds out where hosts lead that others chose for the service's URLs.
type Hosts interface {
	// PublicHost returns nil for a host name whose every address, as it resolves now, is on
	// the public internet. It returns a fault of kind Invalid for a name with any other
	// address, NotFound for one without an address, and Unavailable where that can't be found
	// out now.
	PublicHost(ctx context.Context, host string) error
}

// StoreClock reads the clock that a store counts hours by.
type StoreClock interface {
	// StoreTime returns the present by the store's own clock, to the microsecond; the zero
	// time of a store that has none and counts by the moments of items.
	StoreTime(ctx context.Context) (time.Time, error)
}

// Sorter sorts records that may be more than memory holds. It is for one use by one
// goroutine.
type Sorter interface {
	// Add keeps a record. The slices may be changed afterwards.
	Add(key, value []byte) error
	// Sorted calls visit for each record in order of keys, those of one key in the order
	// in which they were added. The slices are valid until visit returns. Nothing is
	// added afterwards. An error of visit ends the walk and is returned.
	Sorted(ctx context.Context, visit func(key, value []byte) error) error
	// Close forgets the records, and gives back what they were kept in.
	Close() error
}

// ofPlayers is the key of the mark below.
type ofPlayers struct{}

// ForPlayers marks what is asked for players and for the public. Stores keep places apart
// from theirs: whatever players ask, admins, providers and workers are served. Everything
// that isn't marked is theirs.
func ForPlayers(ctx context.Context) context.Context {
	return context.WithValue(ctx, ofPlayers{}, true)
}

// IsForPlayers reports whether ForPlayers marked the context.
func IsForPlayers(ctx context.Context) bool { return ctx.Value(ofPlayers{}) != nil }
