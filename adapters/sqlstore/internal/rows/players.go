package rows

import (
	"database/sql"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/wallet"
)

// playerRow is a row of players.
type playerRow struct {
	bun.BaseModel `bun:"table:players,alias:p"`
	Player        struct {
		Wallet       wallet.Address
		Agent        string
		CreatedAt    time.Time        `bun:",nullzero"`
		SessionsFrom time.Time        `bun:",nullzero"`
		Protection   protection.State `bun:"-"`
	} `bun:"embed:"`
	Key wallet.Address `bun:",pk,type:uuid"`
}

// WalletRow is a row of players of whom nothing is known but the wallet. The key is written
// of the wallet that it stands for.
type WalletRow struct {
	bun.BaseModel `bun:"table:players,alias:p"`
	Wallet        wallet.Address
	Key           wallet.Address `bun:",pk,type:uuid"`
}

var walletRows = modelOf[WalletRow, WalletRow]()

// protectionRow is a row of player_protection.
type protectionRow struct {
	bun.BaseModel `bun:"table:player_protection,alias:x"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	State         string
}

// Players are the players' own rows, which guard everything that their wallets own.
var Players = modelOf[playerRow, player.Player]()

// WithProtection joins what restricts a player, whose state is Protection.
const (
	WithProtection = " LEFT JOIN player_protection AS x ON x.wallet = p.key"
	Protection     = "coalesce(x.state, '')"
)

// ReadPlayer is asked by every request with a session, which the beginning of an epoch
// ends too.
var ReadPlayer = db.NewQuery("SELECT "+Players.Columns()+", "+Protection+", (SELECT c.epoch_at FROM control AS c) FROM {sent} AS s CROSS JOIN players AS p"+
	WithProtection+" WHERE p.key = s.wallet AND p.created_at IS NOT NULL", "wallet:uuid")

// ScanSession reads a row of ReadPlayer.
func ScanSession(row db.Row) (player.Player, error) {
	var epochAt sql.NullInt64
	p, err := scanProtected(row, &epochAt)
	if at := db.Moment(epochAt.Int64); epochAt.Valid && p.SessionsFrom.Before(at) {
		p.SessionsFrom = at
	}
	return p, err
}

// ScanProtected reads a player with the state of the protection after it.
func ScanProtected(row db.Row) (player.Player, error) { return scanProtected(row) }

func scanProtected(row db.Row, more ...any) (player.Player, error) {
	var restricted string
	p, err := Players.ScanWith(row, append([]any{&restricted}, more...)...)
	if err == nil {
		p.Protection, err = wire.DecodeProtection(restricted)
	}
	return p, err
}

// ProtectedPlayers are players with what restricts them.
var ProtectedPlayers = View[player.Player]{Players.Columns() + ", " + Protection, Players.From() + WithProtection, ScanProtected}

// LockWallets locks the rows of sent wallets and reads them as Players; nil where a
// transaction that writes is alone anyway. With wait it locks all of them, without
// it those that nobody else has locked.
func LockWallets(d db.Dialect, wait bool) *db.Query {
	text := d.LockWallets(Players.Columns(), wait)
	if text == "" {
		return nil
	}
	return db.NewQuery(text, "wallet:uuid")
}

// AddWallets makes the rows of wallets that were never seen before, and reads them as
// Players; a new row is its transaction's own until that ends.
var AddWallets = walletRows.insert("ON CONFLICT DO NOTHING RETURNING " + Players.as("players").Columns()).query

// KeyedWallets are the rows that AddWallets takes, sorted.
func KeyedWallets(wallets map[wallet.Address]struct{}) [][]any {
	keyed := db.SortedRows(wallets)
	for i, row := range keyed {
		keyed[i] = []any{row[0], WalletKey(wallet.Address(row[0].(string)))}
	}
	return keyed
}

// KeysOf are the rows of the keys of wallets, which statements send to find them, in the
// order of the wallets.
func KeysOf(wallets map[wallet.Address]struct{}) [][]any {
	keys := db.SortedRows(wallets)
	for i, row := range keys {
		keys[i] = []any{WalletKey(wallet.Address(row[0].(string)))}
	}
	return keys
}

// What keeps players from playing. Where rows are locked, it is asked by
// statements of their own after the lock: read together with the locked rows it
// would be as old as the wait for them.
var (
	readPlayersWhole = db.NewQuery("SELECT "+Players.Columns()+", "+Protection+`, coalesce(a.status <> 'active' OR a.deleted, false)
		FROM {sent} AS s CROSS JOIN players AS p`+WithProtection+` LEFT JOIN agents AS a ON a.code = p.agent
		WHERE p.key = s.wallet`, "wallet:uuid")
	writePlayers = Players.insert(`ON CONFLICT (key) DO UPDATE SET agent = excluded.agent, created_at = excluded.created_at,
		sessions_from = excluded.sessions_from WHERE players.wallet = excluded.wallet`, "key:uuid")
	keepWallets      = walletRows.insert("")
	writeProtections = modelOf[protectionRow, protectionRow]().upsert("state")
)

// protectionsOf is the query of what restricts players. The planner, who takes few rows for
// none, would go through all of them in a join, and machines that rows are spread over do
// nothing else.
func protectionsOf(d db.Dialect) *db.Query {
	text := `SELECT q.place, q.state FROM (
			SELECT s.place, (SELECT x.state FROM player_protection AS x WHERE x.wallet = s.wallet) AS state
			FROM {sent} AS s OFFSET 0) AS q
		WHERE q.state IS NOT NULL`
	if db.IsSpread(d) {
		text = "SELECT s.place, x.state FROM {sent} AS s CROSS JOIN player_protection AS x WHERE x.wallet = s.wallet"
	}
	return db.NewQuery(text, "wallet:uuid", "place:int")
}

// players are the items' own players with what restricts them.
type players struct {
	plain
	// protection is what is stored of their restrictions.
	protection map[wallet.Address]string
	changed    map[wallet.Address]struct{}
	// named are those whom rows will name by their keys.
	named map[wallet.Address]struct{}
}

// ask reads the players with what restricts them, or, where their rows come with
// their locks, only that.
func (p *players) ask(b *Batch) {
	if b.Locked == nil {
		rows := b.rowsOf(func(w *Wallet, add func(...any)) { add(w.key) })
		b.Ask("read players", readPlayersWhole, rows, func(row db.Row) error {
			var restricted string
			var blocked bool
			found, err := Players.ScanWith(row, &restricted, &blocked)
			if err != nil {
				return err
			}
			w := b.Wallets[found.Wallet]
			if w == nil { // another wallet stands under the key
				return nil
			}
			w.View.Player, w.kept = found, true
			return p.restrict(w, restricted, blocked)
		})
		return
	}
	rows := b.rowsOf(func(w *Wallet, add func(...any)) { add(w.key, w.at) })
	b.Ask("read protections", b.readProtections, rows, func(row db.Row) error {
		var at int
		var restricted string
		err := row.Scan(&at, &restricted)
		if err == nil {
			put(&p.protection, b.sorted[at].Address, restricted)
		}
		return err
	})
}

// answered makes the locked rows, which stay what they are until the transaction
// ends, part of the views.
func (p *players) answered(b *Batch) error {
	if b.Locked == nil {
		return nil
	}
	for _, w := range b.sorted {
		w.View.Player = b.Locked[w.Address]
		if err := p.restrict(w, p.protection[w.Address], slices.Contains(b.blocked, w.View.Player.Agent)); err != nil {
			return err
		}
	}
	return nil
}

// restrict notes what is stored of the player's restrictions.
func (p *players) restrict(w *Wallet, stored string, blocked bool) (err error) {
	if stored != "" {
		put(&p.protection, w.Address, stored)
	}
	w.View.AgentBlocked = blocked
	w.View.Player.Protection, err = wire.DecodeProtection(stored)
	return err
}

func (p *players) stage(_ *Batch, s *Step) {
	if s.Change.Player != nil {
		put(&p.changed, s.Wallet.Address, struct{}{})
	}
	put(&p.named, s.Wallet.Address, struct{}{})
}

// write writes what restricts changed players only where there is anything or was.
func (p *players) write(b *Batch) error {
	var rows, restricted [][]any
	for address := range p.changed {
		w := b.Wallets[address]
		text, err := wire.EncodeProtection(w.View.Player.Protection)
		if err != nil {
			return err
		}
		if text != p.protection[address] {
			restricted = append(restricted, writeProtections.row(&protectionRow{Wallet: address, State: text}))
		}
		player := w.View.Player
		player.Wallet = address
		rows = append(rows, writePlayers.row(&player, w.key))
	}
	b.WriteSorted("write players", writePlayers.query, rows)
	b.WriteSorted("write protection", writeProtections.query, restricted)
	p.keep(b)
	return nil
}

// keep makes the rows of wallets that have none, where no lock did: whatever else there is
// of a wallet has its key alone. One whose key another has is refused.
func (p *players) keep(b *Batch) {
	if b.Locked != nil {
		return
	}
	var fresh [][]any
	for address := range p.named {
		if w := b.Wallets[address]; address != "" && !w.kept && !has(p.changed, address) {
			fresh = append(fresh, keepWallets.row(&WalletRow{Wallet: address, Key: address}))
		}
	}
	b.WriteSorted("write wallets", keepWallets.query, fresh)
}
