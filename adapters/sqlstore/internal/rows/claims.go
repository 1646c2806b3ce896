package rows

import (
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// ClaimKey is a claim without what may differ between two who want it.
type ClaimKey struct {
	Kind      player.ClaimKind
	Scope, ID string
}

// KeyOf is the key of an item's claim.
func KeyOf(c player.Claim) ClaimKey { return ClaimKey{c.Kind, c.Scope, c.ID} }

// Claim is a key that was taken, with the answer kept for it.
type Claim struct {
	ClaimKey
	Wallet      wallet.Address
	Fingerprint string
	// TakenBy marks who took it.
	TakenBy string
	Answer  string
	At      time.Time
	// KeepUntil is when it may be forgotten, zero for never.
	KeepUntil time.Time
}

var claims = table("claims", "c",
	text("kind", func(c *Claim) *player.ClaimKind { return &c.Kind }).keyed(),
	text("scope", func(c *Claim) *string { return &c.Scope }).keyed(),
	text("id", func(c *Claim) *string { return &c.ID }).keyed(),
	text("wallet", func(c *Claim) *wallet.Address { return &c.Wallet }),
	text("fingerprint", func(c *Claim) *string { return &c.Fingerprint }),
	text("taken_by", func(c *Claim) *string { return &c.TakenBy }),
	text("answer", func(c *Claim) *string { return &c.Answer }),
	moment("at", func(c *Claim) *time.Time { return &c.At }),
	optional("keep_until", func(c *Claim) *time.Time { return &c.KeepUntil }),
)

var (
	claimKeys  = claims.only("kind", "scope", "id")
	takeClaims = claims.without("answer", "keep_until").insert("ON CONFLICT DO NOTHING RETURNING " + claimKeys.as("claims").Columns())
	findClaims = claims.find("c.kind = s.kind AND c.scope = s.scope AND c.id = s.id", "kind", "scope", "id")
	keepClaims = claims.update(update{set: []string{"wallet", "fingerprint", "taken_by", "answer", "at", "keep_until"}})
	freeClaims = db.Change(`DELETE FROM claims WHERE (kind, scope, id) IN (SELECT s.kind, s.scope, s.id FROM {sent} AS s)`,
		"kind", "scope", "id")
)

// TakeClaims asks to take claims, sorted, and tells which were taken.
func TakeClaims(a *db.Asks, wanted []Claim, taken func(ClaimKey)) {
	a.Ask("take claims", takeClaims.query, byKey(takeClaims.rows(wanted)), func(row db.Row) error {
		c, err := claimKeys.Scan(row)
		taken(c.ClaimKey)
		return err
	})
}

// FindClaims asks for the claims with these keys.
func FindClaims(a *db.Asks, keys []ClaimKey, found func(Claim) error) {
	a.Ask("read claims", findClaims, keyRows(keys), func(row db.Row) error {
		c, err := claims.Scan(row)
		if err != nil {
			return err
		}
		return found(c)
	})
}

// KeepClaims asks to write what taken claims are kept with.
func KeepClaims(a *db.Asks, kept []Claim) {
	a.Write("keep claims", keepClaims.query, byKey(keepClaims.rows(kept)))
}

// FreeClaims asks to remove taken claims.
func FreeClaims(a *db.Asks, keys []ClaimKey) { a.Write("free claims", freeClaims, keyRows(keys)) }

func keyRows(keys []ClaimKey) [][]any {
	rows := make([][]any, len(keys))
	for i, k := range keys {
		rows[i] = []any{string(k.Kind), k.Scope, k.ID}
	}
	return byKey(rows)
}

func byKey(rows [][]any) [][]any {
	slices.SortFunc(rows, db.CompareRows)
	return rows
}
