// Package accounts stores players, their sessions and their balances.
package accounts

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Players, ports.PlaySessions and ports.Unclaimed.
type Store struct {
	*read.Reads
	players  read.Lookups[player.Player]
	balances read.Lookups[[]ports.TokenBalance]
}

// New returns the accounts of a database.
func New(r *read.Reads) *Store {
	s := &Store{Reads: r}
	s.players.Read, s.balances.Read = s.readPlayers, s.readBalances
	return s
}

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

// WalletRow is a row of players with nothing but the wallet. The key is computed from the wallet.
type WalletRow struct {
	bun.BaseModel `bun:"table:players,alias:p"`
	Wallet        wallet.Address
	Key           wallet.Address `bun:",pk,type:uuid"`
}

var walletRows = table.ModelOf[WalletRow, WalletRow]()

// protectionRow is a row of player_protection.
type protectionRow struct {
	bun.BaseModel `bun:"table:player_protection,alias:x"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	State         string
}

// Players is the model of players' own rows, whose locks guard everything that their wallets own.
var Players = table.ModelOf[playerRow, player.Player]()

// WithProtection joins a player's restrictions; Protection is their column.
const (
	WithProtection = " LEFT JOIN player_protection AS x ON x.wallet = p.key"
	Protection     = "coalesce(x.state, '')"
)

// ReadPlayer runs for every request with a session. The beginning of an epoch ends sessions too.
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

// ScanProtected reads a player followed by the restrictions.
func ScanProtected(row db.Row) (player.Player, error) { return scanProtected(row) }

func scanProtected(row db.Row, more ...any) (player.Player, error) {
	var restricted string
	p, err := Players.ScanWith(row, append([]any{&restricted}, more...)...)
	if err == nil {
		p.Protection, err = wire.DecodeProtection(restricted)
	}
	return p, err
}

// ProtectedPlayers is a view of players with their restrictions.
var ProtectedPlayers = table.NewView[player.Player](Players.Columns()+", "+Protection, Players.From()+WithProtection, ScanProtected)

// LockWallets returns a query that locks the rows of the sent wallets and reads them as Players;
// nil where a transaction that writes is alone anyway. With wait it locks all of them, else those
// that no other transaction has locked.
func LockWallets(d db.Dialect, wait bool) *db.Query {
	text := d.LockWallets(Players.Columns(), wait)
	if text == "" {
		return nil
	}
	return db.NewQuery(text, "wallet:uuid")
}

// AddWallets inserts the rows of new wallets and reads them as Players; only this transaction
// sees a new row until it ends.
var AddWallets = walletRows.Insert("ON CONFLICT DO NOTHING RETURNING " + Players.As("players").Columns()).Query

// KeyedWallets returns the rows for AddWallets, sorted.
func KeyedWallets(wallets map[wallet.Address]struct{}) [][]any {
	keyed := db.SortedRows(wallets)
	for i, row := range keyed {
		keyed[i] = []any{row[0], table.WalletKey(wallet.Address(row[0].(string)))}
	}
	return keyed
}

// KeysOf returns the rows of wallets' keys, with which statements find them, in wallet order.
func KeysOf(wallets map[wallet.Address]struct{}) [][]any {
	keys := db.SortedRows(wallets)
	for i, row := range keys {
		keys[i] = []any{table.WalletKey(wallet.Address(row[0].(string)))}
	}
	return keys
}

// Queries of players' restrictions. Where rows are locked, they run as separate statements after
// the lock: read together with the locked rows, the data would be as old as the wait for the
// lock.
var (
	readPlayersWhole = db.NewQuery("SELECT "+Players.Columns()+", "+Protection+`, coalesce(a.status <> 'active' OR a.deleted, false)
		FROM {sent} AS s CROSS JOIN players AS p`+WithProtection+` LEFT JOIN agents AS a ON a.code = p.agent
		WHERE p.key = s.wallet`, "wallet:uuid")
	writePlayers = Players.Insert(`ON CONFLICT (key) DO UPDATE SET agent = excluded.agent, created_at = excluded.created_at,
		sessions_from = excluded.sessions_from WHERE players.wallet = excluded.wallet`, "key:uuid")
	keepWallets      = walletRows.Insert("")
	writeProtections = table.ModelOf[protectionRow, protectionRow]().Upsert("state")
)

// protectionsOf returns the query of players' restrictions. In a join the planner, which takes a
// small table for free, would scan the whole table. Citus supports only the join.
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

// playerPart reads and writes the items' own players with their restrictions.
type playerPart struct {
	batch.NoPart
	readProtections *db.Query
	// protection is the stored form of their restrictions.
	protection map[wallet.Address]string
	changed    map[wallet.Address]struct{}
	// named are the players that rows will refer to by key.
	named map[wallet.Address]struct{}
}

// NewPlayerPart returns a function that makes the part of batches for players.
func NewPlayerPart(d db.Dialect) func() batch.Part {
	read := protectionsOf(d)
	return func() batch.Part { return &playerPart{readProtections: read} }
}

// Ask reads the players with their restrictions, or only those where the rows come with their
// locks.
func (p *playerPart) Ask(b *batch.Batch) {
	if b.Locked == nil {
		rows := b.RowsOf(func(w *batch.Wallet, add func(...any)) { add(w.Key) })
		b.Ask("read players", readPlayersWhole, rows, func(row db.Row) error {
			var restricted string
			var blocked bool
			found, err := Players.ScanWith(row, &restricted, &blocked)
			if err != nil {
				return err
			}
			w := b.Wallets[found.Wallet]
			if w == nil { // another wallet has this key
				return nil
			}
			w.View.Player, w.Kept = found, true
			return p.restrict(w, restricted, blocked)
		})
		return
	}
	rows := b.RowsOf(func(w *batch.Wallet, add func(...any)) { add(w.Key, w.At) })
	b.Ask("read protections", p.readProtections, rows, func(row db.Row) error {
		var at int
		var restricted string
		err := row.Scan(&at, &restricted)
		if err == nil {
			batch.Put(&p.protection, b.Sorted[at].Address, restricted)
		}
		return err
	})
}

// Answered adds the locked rows, which don't change until the transaction ends, to the views.
func (p *playerPart) Answered(b *batch.Batch) error {
	if b.Locked == nil {
		return nil
	}
	for _, w := range b.Sorted {
		w.View.Player = b.Locked[w.Address]
		if err := p.restrict(w, p.protection[w.Address], slices.Contains(b.Blocked, w.View.Player.Agent)); err != nil {
			return err
		}
	}
	return nil
}

// restrict decodes the stored restrictions of the player.
func (p *playerPart) restrict(w *batch.Wallet, stored string, blocked bool) (err error) {
	if stored != "" {
		batch.Put(&p.protection, w.Address, stored)
	}
	w.View.AgentBlocked = blocked
	w.View.Player.Protection, err = wire.DecodeProtection(stored)
	return err
}

func (p *playerPart) Stage(_ *batch.Batch, s *batch.Step) {
	if s.Change.Player != nil {
		batch.Put(&p.changed, s.Wallet.Address, struct{}{})
	}
	batch.Put(&p.named, s.Wallet.Address, struct{}{})
}

// Write writes the restrictions of changed players, if there are or were any.
func (p *playerPart) Write(b *batch.Batch) error {
	var rows, restricted [][]any
	for address := range p.changed {
		w := b.Wallets[address]
		text, err := wire.EncodeProtection(w.View.Player.Protection)
		if err != nil {
			return err
		}
		if text != p.protection[address] {
			restricted = append(restricted, writeProtections.Row(&protectionRow{Wallet: address, State: text}))
		}
		player := w.View.Player
		player.Wallet = address
		rows = append(rows, writePlayers.Row(&player, w.Key))
	}
	b.WriteSorted("write players", writePlayers.Query, rows)
	b.WriteSorted("write protection", writeProtections.Query, restricted)
	p.keep(b)
	return nil
}

// keep inserts the rows of wallets without one, if the lock didn't: other tables have only a
// wallet's key. A wallet with the key of another one is refused.
func (p *playerPart) keep(b *batch.Batch) {
	if b.Locked != nil {
		return
	}
	var fresh [][]any
	for address := range p.named {
		if w := b.Wallets[address]; address != "" && !w.Kept && !batch.Has(p.changed, address) {
			fresh = append(fresh, keepWallets.Row(&WalletRow{Wallet: address, Key: address}))
		}
	}
	b.WriteSorted("write wallets", keepWallets.Query, fresh)
}

// readPlayers runs for every request with a session: it stays prepared, and concurrent requests
// share it.
func (s *Store) readPlayers(ctx context.Context, wallets []string, found func(string, player.Player)) error {
	keys, _ := table.WalletKeys(wallets)
	return s.DB.Known(ctx, "read players", ReadPlayer, keys, func(row *sql.Rows) error {
		p, err := ScanSession(row)
		found(string(p.Wallet), p)
		return err
	})
}

// Player implements ports.Players.
func (s *Store) Player(ctx context.Context, w wallet.Address) (player.Player, error) {
	p, ok, err := s.players.Find(ctx, string(w))
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "no player %s", w)
	}
	return p, err
}

// PlayerList implements ports.Players.
func (s *Store) PlayerList(ctx context.Context, filter ports.PlayerFilter, page ports.Page) (ports.PlayerPage, error) {
	l := read.ListOf(ProtectedPlayers, "p.wallet")
	l.From, l.Joined = Players.From(), WithProtection
	l.Texts = append(l.Texts, "p.created_at IS NOT NULL")
	l.Equals("p.wallet", string(filter.Wallet))
	l.Equals("p.agent", filter.Agent)
	found, info, err := read.ListPage(ctx, s.Reads, "list players", page, ProtectedPlayers, func(p *player.Player) string { return string(p.Wallet) }, l)
	return ports.PlayerPage{Players: found, PageInfo: info}, err
}

// sessionRow is a stored session; Counted are the tallies at its beginning.
type sessionRow struct {
	bun.BaseModel `bun:"table:sessions,alias:n"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	IssuedAt      time.Time      `bun:",pk"`
	KeepUntil     time.Time
	Counted       string
}

var writeSessions = table.ModelOf[sessionRow, sessionRow]().Upsert("keep_until")

// tallies are the tallies of balances, 0 without a balance.
var tallies = CountedBalances.Without("wallet", "kind", "hold", "token", "amount").ReadingEach("coalesce(%s, 0)")

// ReadSession reads the tallies at the beginning of a session, with the current ones of each
// balance of its wallet.
var ReadSession = "SELECT " + tallies.Columns() + `, n.counted, b.token FROM sessions AS n
	LEFT JOIN balances AS b ON b.wallet = n.wallet AND b.kind = 'player' AND b.hold = ''
	WHERE n.wallet = ? AND n.issued_at = ?`

// ScanSessionTally reads a row of ReadSession.
func ScanSessionTally(row db.Row, before *string, token *sql.NullString) (session.Tally, error) {
	b, err := tallies.ScanWith(row, before, token)
	return b.Tally(), err
}

// sessionKey identifies a row of sessions. Of two that began at the same time the first is kept:
// their tokens can't be told apart.
type sessionKey struct {
	wallet wallet.Address
	issued int64
}

// SessionPart writes the sessions that began.
type SessionPart struct {
	batch.NoPart
	begun map[sessionKey]session.Session
}

func (s *SessionPart) Stage(_ *batch.Batch, step *batch.Step) {
	if begun := step.Change.Session; begun != nil {
		key := sessionKey{begun.Wallet, db.Micros(begun.IssuedAt)}
		if !batch.Has(s.begun, key) {
			batch.Put(&s.begun, key, *begun)
		}
	}
}

func (s *SessionPart) Write(b *batch.Batch) error {
	var rows [][]any
	for k, begun := range s.begun {
		before, err := wire.EncodeTallies(begun.Before)
		if err != nil {
			return err
		}
		rows = append(rows, writeSessions.Row(&sessionRow{Wallet: k.wallet, IssuedAt: begun.IssuedAt, KeepUntil: begun.Until, Counted: before}))
	}
	b.WriteSorted("write sessions", writeSessions.Query, rows)
	return nil
}

// PlaySession implements ports.PlaySessions.
func (s *Store) PlaySession(ctx context.Context, w wallet.Address, issuedAt time.Time) ([]session.Played, error) {
	var before string
	var now []session.Played
	known := false
	err := s.Kept(ctx, "read a session", ReadSession, []any{s.Key(w), db.Micros(issuedAt)}, func(row *sql.Rows) error {
		var token sql.NullString
		known = true
		tally, err := ScanSessionTally(row, &before, &token)
		if token.Valid {
			now = append(now, session.Played{Token: money.Token(token.String), Tally: tally})
		}
		return err
	})
	if err == nil && !known {
		err = fault.New(fault.NotFound, "the session is not known")
	}
	if err != nil {
		return nil, err
	}
	counted, err := wire.DecodeTallies(before)
	return session.Session{Before: counted}.Since(now), err
}
