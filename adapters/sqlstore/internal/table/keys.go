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

// IDSlack is how far the moment that an id tells may be from its row's own. Use
// cases draw both together, and ids follow a clock that is set back by more than
// half a minute. A change with more is refused: lists of a span of time find rows by
// their ids and would miss it.
const IDSlack = time.Minute

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

// GameName is the name of a game's type.
func GameName(gameType string) Name { return Name{gameName, gameType} }

// RulesName is the name of the rules of a game.
func RulesName(rules string) Name { return Name{rulesName, rules} }

// TokenName is the name of a token.
func TokenName(mint string) Name { return Name{tokenName, mint} }

// Key is what a round has for a name: a number of four bytes.
func (n Name) Key() int64 {
	sum := sha256.Sum256([]byte(string(n.Kind) + "\x00" + n.Text))
	return int64(int32(binary.BigEndian.Uint32(sum[:])))
}

// WalletKey is what stands for a wallet in every table but players: the text of 16 bytes,
// as columns of UUIDs have them.
func WalletKey(w wallet.Address) string {
	sum := sha256.Sum256([]byte("wallet\x00" + string(w)))
	return db.TextOfID(sum[:16])
}

// WalletKeys are the keys of wallets, and the wallets by their keys.
func WalletKeys(wallets []string) (keys []string, named map[ID]string) {
	keys, named = make([]string, len(wallets)), make(map[ID]string, len(wallets))
	for i, w := range wallets {
		keys[i] = WalletKey(wallet.Address(w))
		named[ID(keys[i])] = w
	}
	return keys, named
}

// guardRow is a row of guards, which is there to be locked.
type guardRow struct {
	bun.BaseModel `bun:"table:guards,alias:g"`
	Kind          string `bun:",pk"`
}

// lockGuards locks rows of guards.
var lockGuards = db.NewQuery("UPDATE guards SET kind = guards.kind FROM {sent} AS s WHERE guards.kind = s.kind", sent(ModelOf[guardRow, guardRow]().columns)...)

// LockGuard locks the row of a kind of writes that come one after the other, until the
// transaction ends.
func LockGuard(a *db.Asks, kind string) { a.Ask("lock "+kind, lockGuards, [][]any{{kind}}, nil) }

// HalfBits splits amounts for summing: neither half of any number of them that
// an hour can hold overflows a sum.
const HalfBits = 1 << 32

// SumOfHalves is the sum of what was split.
func SumOfHalves(high, low int64) money.Total {
	return money.TotalOfProduct(uint64(high), HalfBits).Add(money.TotalOfInt(low))
}

// Sum is a total in the two columns that it is kept in.
type Sum struct{ Hi, Lo int64 }

// SumOf returns a total in two columns.
func SumOf(t money.Total) (s Sum) {
	s.Hi, s.Lo = t.Parts()
	return s
}

// Total is the sum as a number.
func (s Sum) Total() money.Total { return money.TotalFromParts(s.Hi, s.Lo) }

// AddUp adds sums to those of the row that is there, whose columns begin so. The low parts
// add up below 2^41, so that the carry is 0 or 1.
func AddUp(table string, columns ...string) string { return AddUpFrom(table, "excluded", columns...) }

// AddUpFrom is addUp of what another table has.
func AddUpFrom(table, from string, columns ...string) string {
	set := make([]string, len(columns))
	for i, c := range columns {
		set[i] = fmt.Sprintf(`%[3]shi = %[1]s.%[3]shi + %[2]s.%[3]shi + ((%[1]s.%[3]slo + %[2]s.%[3]slo) >> 40),
	%[3]slo = (%[1]s.%[3]slo + %[2]s.%[3]slo) & 1099511627775`, table, from, c)
	}
	return strings.Join(set, ",\n\t")
}
