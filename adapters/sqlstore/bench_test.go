package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

const (
	benchPlayers = 10_000
	benchCallers = 256
)

// crowd returns a running world with many players who have money.
func crowd(b *testing.B, on engine, o sqlstore.WriterOptions) (*world, []wallet.Address) {
	w := newWorld(b, on, o)
	people := make([]wallet.Address, benchPlayers)
	for i := range people {
		people[i] = fakes.Wallet(fmt.Sprint("player ", i))
	}
	callers(benchCallers, len(people), func(i int) {
		w.commit(w.login(people[i]))
		w.commit(w.credit(people[i], fmt.Sprint("funds ", i), money.SOL, 1<<40))
	})
	return w, people
}

// callers spreads n calls over a number of goroutines.
func callers(hands, n int, work func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range hands {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	all.Wait()
}

// BenchmarkPlays settles rounds of dice through the writer, with 64 callers and 10,000 players,
// and for comparison commits the same rows through database/sql, one round per transaction.
func BenchmarkPlays(b *testing.B) {
	for name, on := range map[string]engine{"writer": onSQLite, "writer on PostgreSQL": onPostgres} {
		b.Run(name, func(b *testing.B) {
			w, people := crowd(b, on, sqlstore.WriterOptions{})
			items := make([]player.Item, b.N)
			for i := range items {
				items[i] = w.play(people[i*7919%len(people)], 10_000)
			}
			b.ResetTimer()
			callers(benchCallers, b.N, func(i int) {
				if _, err := w.writer.Commit(context.Background(), items[i]); err != nil {
					b.Error(err)
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plays/s")
		})
	}
	b.Run("one by one", func(b *testing.B) {
		w, people := crowd(b, onSQLite, sqlstore.WriterOptions{})
		items := make([]player.Item, b.N)
		for i := range items {
			items[i] = w.play(people[i*7919%len(people)], 10_000)
		}
		db, err := sql.Open("sqlite", "file:"+w.where+"?_txlock=immediate&_synchronous=FULL&_busy_timeout=10000"+
			"&_pragma=temp_store(MEMORY)&_pragma=wal_autocheckpoint(1536)&_pragma=cache_size(-65536)")
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		db.SetMaxOpenConns(1)
		plain := newPlain(b, db)
		b.ResetTimer()
		callers(benchCallers, b.N, func(i int) { plain.settle(people[i*7919%len(people)], i) })
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plays/s")
	})
}

// plain is the usual way: one transaction per round, with prepared statements.
type plain struct {
	testing.TB
	db                                *sql.DB
	player, balance, pair, round, pay *sql.Stmt
	house, figures                    *sql.Stmt
}

func newPlain(b *testing.B, db *sql.DB) *plain {
	prepare := func(query string) *sql.Stmt {
		s, err := db.Prepare(query)
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	return &plain{
		TB: b, db: db,
		player:  prepare(`SELECT agent, sessions_from FROM players WHERE wallet = ?`),
		balance: prepare(`SELECT amount FROM balances WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND kind = 'player' AND hold = '' AND token = ?`),
		pair:    prepare(`UPDATE seed_pairs SET nonce = nonce + 1 WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND state = 'active' RETURNING id, sealed, nonce`),
		round: prepare(`INSERT INTO rounds ` + ofRounds + ` VALUES (?, (SELECT key FROM players WHERE wallet = ?), 'house', 1, 2, 3, ?, ?, 198, 100,
			'{"target":50.00,"direction":"over"}', '{"roll":51.00}', 0, ?, ?, ?, ?, 0, ?, 0)`),
		pay:     prepare(`UPDATE balances SET amount = ? WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND kind = 'player' AND hold = '' AND token = ?`),
		house:   prepare(`UPDATE lane_totals SET lo = (lo + ?) & 1099511627775 WHERE lane = 0 AND kind = ?`),
		figures: prepare(`UPDATE daily_figures SET rounds = rounds + 1, wagered_lo = (wagered_lo + ?) & 1099511627775`),
	}
}

func (p *plain) settle(who wallet.Address, i int) {
	tx, err := p.db.Begin()
	if err != nil {
		p.Error(err)
		return
	}
	defer func() { _ = tx.Rollback() }()
	do := func(s *sql.Stmt, args ...any) {
		if _, err := tx.Stmt(s).Exec(args...); err != nil {
			p.Error(err)
		}
	}
	var agent string
	var from sql.NullInt64
	var pair, sealed []byte
	var amount, nonce int64
	mint, id := string(money.SOL), []byte(fmt.Sprintf("plain-%010d", i))
	if err := tx.Stmt(p.player).QueryRow(string(who)).Scan(&agent, &from); err != nil {
		p.Error(err)
	}
	if err := tx.Stmt(p.balance).QueryRow(string(who), mint).Scan(&amount); err != nil {
		p.Error(err)
	}
	if err := tx.Stmt(p.pair).QueryRow(string(who)).Scan(&pair, &sealed, &nonce); err != nil {
		p.Error(err)
	}
	wager, payout := int64(10_000), int64(19_800)
	do(p.round, id, string(who), wager, payout, pair, nonce-1, amount-wager+payout, i, i+1_000_000)
	do(p.pay, amount-wager+payout, string(who), mint)
	do(p.house, wager-payout, "house")
	do(p.figures, wager)
	if err := tx.Commit(); err != nil {
		p.Error(err)
	}
}
