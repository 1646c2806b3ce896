package rows

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/wallet"
)

// Tables have short keys where everybody else has a wallet, and rounds, which are what most
// of a large database is made of, for names too. A key follows from what it stands for, so
// that every instance and every shard has the same one and nobody asks for it. What it
// stands for is a row of players or of names, which never changes and is never taken away.

// nameKind is what a name is of.
type nameKind string

const (
	gameName  nameKind = "game"
	rulesName nameKind = "rules"
	tokenName nameKind = "token"
)

// Name is what a round has a key for.
type Name struct {
	kind nameKind
	text string
}

// nameRow is a row of names.
type nameRow struct {
	bun.BaseModel `bun:"table:names,alias:n"`
	Key           int64
	Kind          nameKind
	Name          string
}

// GameName is the name of a game's type.
func GameName(gameType string) Name { return Name{gameName, gameType} }

// TokenName is the name of a token.
func TokenName(mint string) Name { return Name{tokenName, mint} }

// Key is what a round has for a name: a number of four bytes.
func (n Name) Key() int64 {
	sum := sha256.Sum256([]byte(string(n.kind) + "\x00" + n.text))
	return int64(int32(binary.BigEndian.Uint32(sum[:])))
}

// WalletKey is what stands for a wallet in every table but players: the text of 16 bytes,
// as columns of UUIDs have them.
func WalletKey(w wallet.Address) string {
	sum := sha256.Sum256([]byte("wallet\x00" + string(w)))
	return db.TextOfID(sum[:16])
}

// addNames adds those that are new. One whose key another name has is refused by a
// trigger: it would be read as that one.
var addNames = modelOf[nameRow, nameRow]().insertNew()

// askNames adds the names of rounds, in one order: two batches with the same new name wait
// for each other for as long as one takes, and none with names that are there.
func askNames(b *Batch, rounds []bet.Round) {
	var names []Name
	for i := range rounds {
		r := &rounds[i]
		for _, n := range [...]Name{GameName(r.GameType), {rulesName, r.Rules}, TokenName(string(r.Token))} {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	sent := make([][]any, len(names))
	for i, n := range names {
		sent[i] = addNames.row(&nameRow{Key: n.Key(), Kind: n.kind, Name: n.text})
	}
	slices.SortFunc(sent, db.CompareRows)
	b.Ask("write names", addNames.query, sent, nil)
}
