// Package accounts keeps players, their sessions and what is owed to them.
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

// Store serves ports.Players, ports.PlaySessions and ports.Unclaimed.
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

// WalletRow is a row of players of whom nothing is known but the wallet. The key is written
// of the wallet that it stands for.
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

// Players are the players' own rows, which guard everything that their wallets own.
var Players = table.ModelOf[playerRow, player.Player]()

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
var ProtectedPlayers = table.NewView[player.Player](Players.Columns()+", "+Protection, Players.From()+WithProtection, ScanProtected)

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
var AddWallets = walletRows.Insert("ON CONFLICT DO NOTHING RETURNING " + Players.As("players").Columns()).Query

// KeyedWallets are the rows that AddWallets takes, sorted.
func KeyedWallets(wallets map[wallet.Address]struct{}) [][]any {
	keyed := db.SortedRows(wallets)
	for i, row := range keyed {
		keyed[i] = []any{row[0], table.WalletKey(wallet.Address(row[0].(string)))}
	}
	return keyed
}

// KeysOf are the rows of the keys of wallets, which statements send to find them, in the
// order of the wallets.
func KeysOf(wallets map[wallet.Address]struct{}) [][]any {
	keys := db.SortedRows(wallets)
	for i, row := range keys {
		keys[i] = []any{table.WalletKey(wallet.Address(row[0].(string)))}
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
	writePlayers = Players.Insert(`ON CONFLICT (key) DO UPDATE SET agent = excluded.agent, created_at = excluded.created_at,
		sessions_from = excluded.sessions_from WHERE players.wallet = excluded.wallet`, "key:uuid")
	keepWallets      = walletRows.Insert("")
	writeProtections = table.ModelOf[protectionRow, protectionRow]().Upsert("state")
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

// playerPart are the items' own players with what restricts them.
type playerPart struct {
	batch.NoPart
	readProtections *db.Query
	// protection is what is stored of their restrictions.
	protection map[wallet.Address]string
	changed    map[wallet.Address]struct{}
	// named are those whom rows will name by their keys.
	named map[wallet.Address]struct{}
}

// NewPlayerPart returns a function that makes the part of batches that reads and writes players.
func NewPlayerPart(d db.Dialect) func() batch.Part {
	read := protectionsOf(d)
	return func() batch.Part { return &playerPart{readProtections: read} }
}

// Ask reads the players with what restricts them, or, where their rows come with
// their locks, only that.
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
			if w == nil { // another wallet stands under the key
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

// Answered makes the locked rows, which stay what they are until the transaction
// ends, part of the views.
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

// restrict notes what is stored of the player's restrictions.
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

// Write writes what restricts changed players only where there is anything or was.
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

// keep makes the rows of wallets that have none, where no lock did: whatever else there is
// of a wallet has its key alone. One whose key another has is refused.
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

// readPlayers is asked by every request with a session, so that it is kept prepared,
// and requests at the same time share one.
func (s *Store) readPlayers(ctx context.Context, wallets []string, found func(string, player.Player)) error {
	keys, _ := table.WalletKeys(wallets)
	return s.DB.Known(ctx, "read players", ReadPlayer, keys, func(row *sql.Rows) error {
		p, err := ScanSession(row)
		found(string(p.Wallet), p)
		return err
	})
}

// Player serves ports.Players.
func (s *Store) Player(ctx context.Context, w wallet.Address) (player.Player, error) {
	p, ok, err := s.players.Find(ctx, string(w))
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "no player %s", w)
	}
	return p, err
}

// PlayerList serves ports.Players.
func (s *Store) PlayerList(ctx context.Context, filter ports.PlayerFilter, page ports.Page) (ports.PlayerPage, error) {
	l := read.ListOf(ProtectedPlayers, "p.wallet")
	l.From, l.Joined = Players.From(), WithProtection
	l.Texts = append(l.Texts, "p.created_at IS NOT NULL")
	l.Equals("p.wallet", string(filter.Wallet))
	l.Equals("p.agent", filter.Agent)
	found, info, err := read.ListPage(ctx, s.Reads, "list players", page, ProtectedPlayers, func(p *player.Player) string { return string(p.Wallet) }, l)
	return ports.PlayerPage{Players: found, PageInfo: info}, err
}

// sessionRow is a session as it is kept; Counted are the tallies at its beginning.
type sessionRow struct {
	bun.BaseModel `bun:"table:sessions,alias:n"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	IssuedAt      time.Time      `bun:",pk"`
	KeepUntil     time.Time
	Counted       string
}

var writeSessions = table.ModelOf[sessionRow, sessionRow]().Upsert("keep_until")

// tallies are what was counted of balances, 0 where there is none.
var tallies = CountedBalances.Without("wallet", "kind", "hold", "token", "amount").ReadingEach("coalesce(%s, 0)")

// ReadSession is of one session what was counted before it, with what is counted of each
// of its wallet's balances by now.
var ReadSession = "SELECT " + tallies.Columns() + `, n.counted, b.token FROM sessions AS n
	LEFT JOIN balances AS b ON b.wallet = n.wallet AND b.kind = 'player' AND b.hold = ''
	WHERE n.wallet = ? AND n.issued_at = ?`

// ScanSessionTally reads a row of ReadSession.
func ScanSessionTally(row db.Row, before *string, token *sql.NullString) (session.Tally, error) {
	b, err := tallies.ScanWith(row, before, token)
	return b.Tally(), err
}

// sessionKey names a row of sessions. Of two that began at once the first is kept: their
// tokens can't be distinguished.
type sessionKey struct {
	wallet wallet.Address
	issued int64
}

// SessionPart are what began.
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

// PlaySession serves ports.PlaySessions.
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
