package batch

import (
	"crypto/sha256"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// KeyName identifies a claim, without the columns that may differ between claimants.
type KeyName struct {
	Kind  player.KeyKind `bun:",pk"`
	Scope string         `bun:",pk"`
	ID    string         `bun:",pk"`
}

// place returns the distribution key where tables are spread over machines. Clients' keys and
// logins have the key of their wallet, where the other rows of a bet are. All others, which
// belong to one wallet at most, have the first 16 bytes of the SHA-256 of kind, scope and id with
// zero bytes between them.
func (k KeyName) place() string {
	if k.Kind == player.IdempotencyKey || k.Kind == player.LoginKey {
		return table.WalletKey(wallet.Address(k.Scope))
	}
	sum := sha256.Sum256([]byte(string(k.Kind) + "\x00" + k.Scope + "\x00" + k.ID))
	return db.TextOfID(sum[:16])
}

// KeyOf returns the key of an item's claim.
func KeyOf(c player.UniqueKey) KeyName { return KeyName{c.Kind, c.Scope, c.ID} }

// Key is a key that was taken, with the answer stored for it.
type Key struct {
	bun.BaseModel `bun:"table:unique_keys,alias:c"`
	// Place is KeyName.place.
	Place string `bun:",pk,type:uuid"`
	KeyName
	Wallet      wallet.Address `bun:"holder"`
	Fingerprint string
	// TakenBy marks the entry that took it.
	TakenBy string
	Answer  string
	At      time.Time
	// KeepUntil is when it expires, zero for never.
	KeepUntil time.Time `bun:",nullzero"`
}

// StoredKeys is the model of keys that were taken.
var StoredKeys = table.ModelOf[Key, Key]()

var (
	keyColumns = StoredKeys.Only("kind", "scope", "id")
	takeKeys   = StoredKeys.Without("answer", "keep_until").Insert("ON CONFLICT DO NOTHING RETURNING " + keyColumns.As("unique_keys").Columns())
	findKeys   = StoredKeys.Find("c.place = s.place AND c.kind = s.kind AND c.scope = s.scope AND c.id = s.id", "kind", "scope", "id", "place:uuid")
	keepKeys   = StoredKeys.Update(table.Update{Set: []string{"holder", "fingerprint", "taken_by", "answer", "at", "keep_until"}})
	freeKeys   = db.Change(`DELETE FROM unique_keys WHERE (kind, scope, id, place) IN (SELECT s.kind, s.scope, s.id, s.place FROM {sent} AS s)`,
		"kind", "scope", "id", "place:uuid")
)

// TakeKeys takes claims, sorted, and reports which were taken.
func TakeKeys(a *db.Asks, wanted []Key, taken func(KeyName)) {
	a.Ask("take unique keys", takeKeys.Query, byKey(takeKeys.Rows(placed(wanted))), func(row db.Row) error {
		c, err := keyColumns.Scan(row)
		taken(c.KeyName)
		return err
	})
}

// FindKeys queries the claims with these keys.
func FindKeys(a *db.Asks, keys []KeyName, found func(Key) error) {
	findKeys.Ask(a, "read unique keys", keyRows(keys), found)
}

// KeepKeys writes the answers and expiry times of taken claims.
func KeepKeys(a *db.Asks, kept []Key) {
	a.Write("keep unique keys", keepKeys.Query, byKey(keepKeys.Rows(placed(kept))))
}

// FreeKeys removes taken claims.
func FreeKeys(a *db.Asks, keys []KeyName) { a.Write("free unique keys", freeKeys, keyRows(keys)) }

// placed sets the places of keys.
func placed(keys []Key) []Key {
	for i := range keys {
		keys[i].Place = keys[i].place()
	}
	return keys
}

func keyRows(keys []KeyName) [][]any {
	rows := make([][]any, len(keys))
	for i, k := range keys {
		rows[i] = []any{string(k.Kind), k.Scope, k.ID, k.place()}
	}
	return byKey(rows)
}

func byKey(rows [][]any) [][]any {
	slices.SortFunc(rows, db.CompareRows)
	return rows
}
