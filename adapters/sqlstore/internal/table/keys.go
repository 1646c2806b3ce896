package table

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// IDSlack is how far the time in an id may differ from its row's own time. Use cases take both at
// once, and the clock of ids may lag by half a minute after the system clock was set back. A
// write with a larger difference is refused: lists of a period find rows by their ids and would
// miss it.
const IDSlack = time.Minute

// Tables hold short keys instead of wallets, and rounds, the largest part of a database, also
// instead of names. A key is computed from the wallet or name, so that every instance and shard
// has the same one without a look-up. The wallet or name is in a row of players or names that is
// never changed or deleted.

// nameKind is the kind of a name.
type nameKind string

const (
	gameName  nameKind = "game"
	rulesName nameKind = "rules"
	tokenName nameKind = "token"
)

// Name is a name that rounds refer to by key.
type Name struct {
	Kind nameKind
	Text string
}

// NameRow is a row of names.
type NameRow struct {
	bun.BaseModel `bun:"table:names,alias:n"`
	Key           int64
	Kind          nameKind
	Name          string
}

// GameName returns the name of a game's type.
func GameName(gameType string) Name { return Name{gameName, gameType} }

// RulesName returns the name of the rules of a game.
func RulesName(rules string) Name { return Name{rulesName, rules} }

// TokenName returns the name of a token.
func TokenName(mint string) Name { return Name{tokenName, mint} }

// Key returns the name's key in rounds: a number of four bytes.
func (n Name) Key() int64 {
	sum := sha256.Sum256([]byte(string(n.Kind) + "\x00" + n.Text))
	return int64(int32(binary.BigEndian.Uint32(sum[:])))
}

// WalletKey returns the key of a wallet in every table but players: 16 bytes as the text of a
// UUID.
func WalletKey(w wallet.Address) string {
	sum := sha256.Sum256([]byte("wallet\x00" + string(w)))
	return db.TextOfID(sum[:16])
}

// WalletKeys returns the keys of wallets, and the wallets by key.
func WalletKeys(wallets []string) (keys []string, named map[ID]string) {
	keys, named = make([]string, len(wallets)), make(map[ID]string, len(wallets))
	for i, w := range wallets {
		keys[i] = WalletKey(wallet.Address(w))
		named[ID(keys[i])] = w
	}
	return keys, named
}

// guardRow is a row of guards, which exists only to be locked.
type guardRow struct {
	bun.BaseModel `bun:"table:guards,alias:g"`
	Kind          string `bun:",pk"`
}

// lockGuards locks rows of guards.
var lockGuards = db.NewQuery("UPDATE guards SET kind = guards.kind FROM {sent} AS s WHERE guards.kind = s.kind", sent(ModelOf[guardRow, guardRow]().columns)...)

// LockGuard locks the row of a kind of writes until the transaction ends, so that such writes run
// one after the other.
func LockGuard(a *db.Asks, kind string) { a.Ask("lock "+kind, lockGuards, [][]any{{kind}}, nil) }

// HalfBits splits amounts for summing: no sum of either half overflows, for any number of amounts
// in an hour.
const HalfBits = 1 << 32

// SumOfHalves returns the sum of split amounts.
func SumOfHalves(high, low int64) money.Total {
	return money.TotalOfProduct(uint64(high), HalfBits).Add(money.TotalOfInt(low))
}

// Sum is a total as the two columns in which it is stored.
type Sum struct{ Hi, Lo int64 }

// SumOf returns a total in two columns.
func SumOf(t money.Total) (s Sum) {
	s.Hi, s.Lo = t.Parts()
	return s
}

// Total returns the sum as a number.
func (s Sum) Total() money.Total { return money.TotalFromParts(s.Hi, s.Lo) }

// AddUp returns assignments that add sums to those of the existing row, for columns with these
// prefixes. The sum of two low parts is below 2^41, so the carry is 0 or 1.
func AddUp(table string, columns ...string) string { return AddUpFrom(table, "excluded", columns...) }

// AddUpFrom is AddUp with the sums of another table.
func AddUpFrom(table, from string, columns ...string) string {
	set := make([]string, len(columns))
	for i, c := range columns {
		set[i] = fmt.Sprintf(`%[3]shi = %[1]s.%[3]shi + %[2]s.%[3]shi + ((%[1]s.%[3]slo + %[2]s.%[3]slo) >> 40),
	%[3]slo = (%[1]s.%[3]slo + %[2]s.%[3]slo) & 1099511627775`, table, from, c)
	}
	return strings.Join(set, ",\n\t")
}
