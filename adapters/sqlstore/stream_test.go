package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// connected is a database of some connections as a store makes them.
func connected(t *testing.T, on engine, connections int) *db.DB {
	t.Helper()
	where := on.fresh(t)
	var made driver.Connector
	store, err := on.open(t.Context(), where, newSealer(t), func(c driver.Connector) driver.Connector {
		made = c
		return c
	})
	if err != nil {
		t.Fatal(err)
	}
	pool := sql.OpenDB(made)
	pool.SetMaxOpenConns(connections)
	t.Cleanup(func() {
		if err := errors.Join(pool.Close(), store.Close()); err != nil {
			t.Error(err)
		}
	})
	if on.numbered {
		return db.New(pool, pool, postgres.Dialect())
	}
	return db.New(pool, pool, sqlite.Dialect(where))
}

// TestAStreamAnswersAsAQueryDoes compares what is read of every kind of value.
func TestAStreamAnswersAsAQueryDoes(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		d := connected(t, on, 1)
		raw := "x'00ff'"
		if on.numbered {
			raw = `CAST('\x00ff' AS bytea)`
		}
		type values struct {
			text, empty  string
			least        int64
			small        int8
			yes, no      bool
			raw          []byte
			none, absent sql.NullString
			missing      []byte
		}
		scan := func(row db.Row) (v values, err error) {
			err = row.Scan(&v.text, &v.empty, &v.least, &v.small, &v.yes, &v.no, &v.raw, &v.none, &v.absent, &v.missing)
			return v, err
		}
		query := "SELECT CAST(? AS text), CAST('' AS text), ?, CAST(-128 AS smallint), 1 = 1, 1 = 2, " + raw +
			", CAST('' AS text), CAST(NULL AS text), NULL"
		arguments := []any{"a 'text' ä", int64(-1 << 62)}
		var asked, streamed values
		if err := d.Rows(t.Context(), "ask", query, arguments, func(row *sql.Rows) (err error) {
			asked, err = scan(row)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if err := d.Stream(t.Context(), "ask", query, arguments, func(row db.Row) (err error) {
			streamed, err = scan(row)
			return err
		}); err != nil || asked.least != -1<<62 || asked.absent.Valid || !reflect.DeepEqual(asked, streamed) {
			t.Errorf("a stream has %+v, a query %+v, %v", streamed, asked, err)
		}
		var text string
		var number int64
		for value, place := range map[string]any{"CAST(NULL AS text)": &text, "CAST(NULL AS bigint)": &number, "CAST('7x' AS text)": &number} {
			if err := d.Stream(t.Context(), "ask", "SELECT "+value, nil, func(row db.Row) error { return row.Scan(place) }); err == nil {
				t.Errorf("%s is read into a %T", value, place)
			}
		}
		if err := d.Stream(t.Context(), "ask", "SELECT 1, 2", nil, func(row db.Row) error { return row.Scan(&number) }); err == nil {
			t.Error("two columns are read into one place")
		}
	})
}

// TestAStreamEndsAndGivesItsConnectionBack has the only connection's stream end early, in
// each way, and asks again.
func TestAStreamEndsAndGivesItsConnectionBack(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		d := connected(t, on, 1)
		enough := errors.New("enough")
		count := func(ctx context.Context, limit string, visit func(n int64) error) error {
			return d.Stream(ctx, "count", "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "+limit+") SELECT i FROM n", nil,
				func(row db.Row) error {
					var n int64
					if err := row.Scan(&n); err != nil {
						return err
					}
					return visit(n)
				})
		}
		again := func(after string) {
			t.Helper()
			var last int64
			if err := count(t.Context(), "3", func(n int64) error { last = n; return nil }); err != nil || last != 3 || d.Read.Stats().InUse != 0 {
				t.Errorf("after %s: %d of 3, %v, %d connections are in use", after, last, err, d.Read.Stats().InUse)
			}
		}
		again("nothing")
		if err := count(t.Context(), "1000", func(int64) error { return enough }); !errors.Is(err, enough) {
			t.Errorf("an error of a row: %v", err)
		}
		again("an error of a row")
		ctx, cancel := context.WithCancel(t.Context())
		if err := count(ctx, "100000000", func(n int64) error {
			if cancel(); n > 1_000_000 {
				return enough
			}
			return nil
		}); !errors.Is(err, context.Canceled) || errors.Is(err, enough) {
			t.Errorf("a context that ended: %v", err)
		}
		again("a context that ended")
		if err := count(ctx, "3", func(int64) error { return enough }); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that had ended: %v", err)
		}
		if err := d.Stream(t.Context(), "ask", "SELECT nothing", nil, func(db.Row) error { return enough }); err == nil || !strings.Contains(err.Error(), "nothing") {
			t.Errorf("a statement that is none: %v", err)
		}
		again("a statement that is none")
	})
}

// bare makes connections that have nothing but what every driver's have.
type bare struct{ driver.Connector }

func (p bare) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := p.Connector.Connect(ctx)
	return struct{ driver.Conn }{conn}, err
}

// TestConnectionsThatCantBeStreamedFromAreAsked as by any other question, and given back.
func TestConnectionsThatCantBeStreamedFromAreAsked(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		theirs := on
		theirs.open = func(ctx context.Context, where string, sealer ports.Sealer, through func(driver.Connector) driver.Connector) (*sqlstore.Store, error) {
			return on.open(ctx, where, sealer, func(c driver.Connector) driver.Connector {
				through(bare{c})
				return c
			})
		}
		d := connected(t, theirs, 1)
		for range 2 {
			var n int64
			if err := d.Stream(ports.ForPlayers(t.Context()), "ask", "SELECT 7", nil, func(row db.Row) error { return row.Scan(&n) }); err != nil || n != 7 {
				t.Errorf("%d, %v", n, err)
			}
		}
	})
}

// TestPlayersStreamsTakePlayersPlaces: two streams of players have their places of three
// connections; the third one is for everybody else.
func TestPlayersStreamsTakePlayersPlaces(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		d, players := connected(t, on, 3), ports.ForPlayers(t.Context())
		one := func(ctx context.Context, then func() error) error {
			return d.Stream(ctx, "ask", "SELECT 1", nil, func(db.Row) error { return then() })
		}
		nothing := func() error { return nil }
		if err := one(players, func() error {
			return one(players, func() error {
				late, cancel := context.WithTimeout(players, 20*time.Millisecond)
				defer cancel()
				if err := one(late, nothing); !fault.Is(err, fault.Unavailable) {
					t.Errorf("a third stream of players: %v", err)
				}
				return one(t.Context(), nothing)
			})
		}); err != nil {
			t.Error(err)
		}
		if err := one(players, nothing); err != nil {
			t.Errorf("after they ended: %v", err)
		}
	})
}

// TestAWalkOfSeveralSpansKnowsEachRoundsPair: rounds of pairs that an earlier span read are
// what their blocks covered, with the seeds of their own pairs.
func TestAWalkOfSeveralSpansKnowsEachRoundsPair(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		for _, who := range []wallet.Address{alice, bob} {
			w.commit(w.login(who))
			w.commit(w.credit(who, "first of "+string(who), money.SOL, 1_000_000))
		}
		for i := range 120 { // a span is of 100 blocks at first
			if i == 10 {
				w.commit(w.rotate(alice, "mine"))
			}
			w.commit(w.play([]wallet.Address{alice, bob}[i%2], 10))
		}
		last, rounds, revealed := map[int]hashchain.Head{}, 0, 0
		if err := w.store.Blocks(t.Context(), func(b ports.Block) error {
			if last[b.Lane] == (hashchain.Head{}) {
				last[b.Lane] = hashchain.Head{Lane: b.Lane}
			}
			if again := hashchain.Again(last[b.Lane], b.Seq, b.Content); again.Hash != b.Hash {
				t.Errorf("block %d:%d is read as something else", b.Lane, b.Seq)
			}
			last[b.Lane] = b.Head
			for _, r := range b.Rounds {
				want, err := w.store.RevealedPair(t.Context(), r.PairID)
				if err != nil && !fault.Is(err, fault.NotFound) {
					return err
				}
				if b.Revealed[r.PairID] != want.ServerSeed {
					t.Errorf("round %s has the seed %q for %q", r.ID, b.Revealed[r.PairID], want.ServerSeed)
				}
				if rounds++; want.ServerSeed != "" {
					revealed++
				}
			}
			return nil
		}); err != nil || rounds != 120 || revealed != 5 {
			t.Errorf("%d rounds, %d of revealed pairs, %v", rounds, revealed, err)
		}
	})
}

// TestRoundsStandBetweenPostingsAsTheyWereBooked: a batch of wins, losses and money of other
// kinds has each transfer in its place, and is read back in its order.
func TestRoundsStandBetweenPostingsAsTheyWereBooked(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		w.begin(1_000_000, w.login(alice), w.login(bob))
		var items []player.Item
		for range 4 { // of a wallet 16 at once at most
			items = append(items, w.play(alice, 10), w.play(alice, 10), w.adjust(bob, 50), w.play(bob, 10), w.withdraw(alice, 700), w.play(alice, 10))
		}
		receipts, errs := w.together(items...)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		won, booked, of := 0, map[wallet.Address][]ledger.Key{}, map[ledger.Key]wallet.Address{}
		for i, r := range receipts {
			if r.Change.Round != nil && r.Change.Round.Payout > 0 {
				won++
			}
			for _, p := range r.Change.Postings {
				who := items[i].Wallet
				booked[who], of[p.Key] = append(booked[who], p.Key), who
			}
		}
		if won == 0 || won == 16 {
			t.Fatalf("%d of 16 rounds are won", won)
		}
		w.sound()
		if err := w.store.Blocks(t.Context(), func(b ports.Block) error {
			if len(b.Rounds) == 0 {
				return nil
			}
			read := map[wallet.Address][]ledger.Key{} // wallets take turns in a batch
			for _, p := range b.Postings {
				read[of[p.Key]] = append(read[of[p.Key]], p.Key)
			}
			if !reflect.DeepEqual(read, booked) {
				t.Errorf("postings are read as %v, they were %v", read, booked)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
}
