package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/wallet"
)

// Clock returns the present time.
type Clock interface {
	Now() time.Time
}

// Entropy draws secrets and ids.
type Entropy interface {
	// Seed returns 32 fresh random bytes.
	Seed() [32]byte
	// ID returns a new unique id: a UUID of version 7 as 36 lower-case characters, sortable
	// by creation time.
	ID() string
}

// Limiter counts requests in exact sliding windows.
type Limiter interface {
	// Take admits or refuses one request under the key. Refused requests don't count: in
	// any window of rule.Window at most rule.Max are admitted.
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
	// Issue returns a token for the wallet and its time of expiry, in whole seconds.
	Issue(w wallet.Address) (bearer string, expiresAt time.Time, err error)
	// Verify returns the session of a token that Issue made. Otherwise the fault is
	// ExpiredToken for a genuine token that is too old, else InvalidToken.
	Verify(bearer string) (Session, error)
}

// Sealer encrypts secrets for storage.
type Sealer interface {
	// Seal encrypts and authenticates the secret, bound to the given facts.
	Seal(secret []byte, boundTo ...string) ([]byte, error)
	// Open returns the secret, or an error when the sealed bytes, the key or any of
	// the facts differ.
	Open(sealed []byte, boundTo ...string) ([]byte, error)
}

// Authenticator proves that the service itself wrote a row. Its keys aren't in the
// database, so a person who can change rows can't make seals.
type Authenticator interface {
	// Seal returns the seal of a message under a purpose, made with the newest key:
	// printable text of at most 200 bytes without a comma or a space. The same message
	// has the same seal.
	Seal(purpose string, message []byte) (string, error)
	// Verify returns nil for a seal of the message and purpose made by Seal with any
	// available key, else an error.
	Verify(purpose string, message []byte, seal string) error
}

// RotatedSeals recomputes seals made before a key rotation, if it wasn't recorded which
// key made them.
type RotatedSeals interface {
	// Seals returns the seal of a message under a purpose by each available key, newest key
	// first. Each is what Authenticator.Seal returned while its key was the newest.
	Seals(purpose string, message []byte) ([]string, error)
}

// StatementSigner signs statements about the ledger, with keys used only for that, so
// that others can verify them without a secret.
type StatementSigner interface {
	// Sign returns the statement's text and its signature by the newest key. If the
	// statement has no text, Sign returns the error of Text.
	Sign(s checkpoint.Statement) (checkpoint.Signed, error)
	// PublicKeys returns the public halves of all keys, newest first. Older keys still
	// verify what they signed.
	PublicKeys() []checkpoint.Key
}

// ReceiptSigner signs texts for players, with keys that are used for nothing else.
type ReceiptSigner interface {
	// Sign and PublicKeys are those of StatementSigner.
	Sign(s checkpoint.Statement) (checkpoint.Signed, error)
	PublicKeys() []checkpoint.Key
	// SignText returns the text with its signature by the newest key: Ed25519 (RFC 8032)
	// over the text's bytes. The first line of the text names its format.
	SignText(text string) (checkpoint.Signed, error)
}

// Hosts finds out where hosts lead that others chose for the service's URLs.
type Hosts interface {
	// PublicHost returns nil if every address of a host name, as it resolves now, is on the
	// public internet. The fault is Invalid for a name with any other address, NotFound for
	// one without an address, and Unavailable if resolving fails.
	PublicHost(ctx context.Context, host string) error
}

// StoreClock reads the clock by which a store counts hours.
type StoreClock interface {
	// StoreTime returns the present time by the store's own clock, in microseconds. A store
	// without a clock returns the zero time: it counts by the times of items.
	StoreTime(ctx context.Context) (time.Time, error)
}

// Sorter sorts records that may not fit in memory. A Sorter is used once, by one
// goroutine.
type Sorter interface {
	// Add adds a record. The caller may change the slices afterwards.
	Add(key, value []byte) error
	// Sorted calls visit for each record, sorted by key; records of one key keep the order
	// of Add. The slices are valid until visit returns. Add must not be called afterwards.
	// An error of visit ends the walk and is returned.
	Sorted(ctx context.Context, visit func(key, value []byte) error) error
	// Close frees the records and their storage.
	Close() error
}

// ofPlayers is the context key of ForPlayers.
type ofPlayers struct{}

// ForPlayers marks reads for players and the public. Stores reserve capacity for all
// other reads, so players' reads can't starve admins, providers and workers.
func ForPlayers(ctx context.Context) context.Context {
	return context.WithValue(ctx, ofPlayers{}, true)
}

// IsForPlayers reports whether ForPlayers marked the context.
func IsForPlayers(ctx context.Context) bool { return ctx.Value(ofPlayers{}) != nil }
