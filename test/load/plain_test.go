package load_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the driver that the store uses as well
)

// plain is the yardstick: the rows of one bet (balance, seed pair, round, two transfers, the
// house's total, the day's figure) through database/sql, one transaction per bet, on a database
// with the store's durability and its append-only indexes.
type plain struct {
	db     *sql.DB
	random *rand.Rand
	bets   int
}

func openPlain(b *testing.B) plain {
	b.Helper()
	path := filepath.Join(b.TempDir(), "plain.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(10000)")
	noError(b, err)
	db.SetMaxOpenConns(1)
	b.Cleanup(func() { _ = db.Close() })
	for _, statement := range []string{
		`CREATE TABLE balances (wallet TEXT, token TEXT, amount INTEGER CHECK (amount >= 0), PRIMARY KEY (wallet, token)) WITHOUT ROWID`,
		`CREATE TABLE pairs (id TEXT PRIMARY KEY, nonce INTEGER) WITHOUT ROWID`,
		`CREATE TABLE rounds (id TEXT PRIMARY KEY, wallet TEXT, game TEXT, rules TEXT, token TEXT, wager INTEGER, payout INTEGER,
			config TEXT, outcome TEXT, pair TEXT, nonce INTEGER, balance INTEGER, at INTEGER, UNIQUE (pair, nonce)) WITHOUT ROWID`,
		`CREATE INDEX rounds_wallet ON rounds (wallet, id)`,
		`CREATE TABLE transfers (kind TEXT, id TEXT, n INTEGER, debit TEXT, credit TEXT, token TEXT, amount INTEGER,
			PRIMARY KEY (kind, id, n)) WITHOUT ROWID`,
		`CREATE TABLE totals (account TEXT, token TEXT, amount INTEGER, PRIMARY KEY (account, token)) WITHOUT ROWID`,
		`CREATE TABLE figures (day INTEGER, token TEXT, game TEXT, rounds INTEGER, wagered INTEGER, paid INTEGER,
			PRIMARY KEY (day, token, game)) WITHOUT ROWID`,
		`INSERT INTO totals VALUES ('house', 'token', 1000000000000000)`,
		`INSERT INTO figures VALUES (20000, 'token', 'dice', 0, 0, 0)`,
	} {
		if _, err := db.Exec(statement); err != nil {
			b.Fatal(err)
		}
	}
	p := plain{db: db, random: rand.New(rand.NewPCG(1, 1))}
	tx, err := db.Begin()
	noError(b, err)
	for i := range playersMade {
		_, err := tx.Exec(`INSERT INTO balances VALUES (?, 'token', 1000000000)`, walletName(i))
		if err == nil {
			_, err = tx.Exec(`INSERT INTO pairs VALUES (?, 0)`, walletName(i))
		}
		noError(b, err)
	}
	noError(b, tx.Commit())
	return p
}

func walletName(i int) string { return fmt.Sprintf("wallet-%036d", i) }

// bet commits the rows of one bet.
func (p *plain) bet(ctx context.Context) error {
	id := fmt.Sprintf("round-%012d", p.bets)
	p.bets++
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	wallet := walletName(p.random.IntN(playersMade))
	const wager, payout = 10_000, 19_800
	var balance, nonce int64
	if err := tx.QueryRow(`UPDATE balances SET amount = amount - ? + ? WHERE wallet = ? AND token = 'token' AND amount >= ? RETURNING amount`,
		wager, payout, wallet, wager).Scan(&balance); err != nil {
		return err
	}
	if err := tx.QueryRow(`UPDATE pairs SET nonce = nonce + 1 WHERE id = ? RETURNING nonce - 1`, wallet).Scan(&nonce); err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO rounds VALUES (?, ?, 'dice', 'dice/1', 'token', ?, ?, '{"target":50.00,"direction":"over"}',
		'{"roll":12.34}', ?, ?, ?, 1700000000000000)`, id, wallet, wager, payout, wallet, nonce, balance); err != nil {
		return err
	}
	for n, sides := range [][2]string{{"player:" + wallet, "house"}, {"house", "player:" + wallet}} {
		if _, err := tx.Exec(`INSERT INTO transfers VALUES ('round', ?, ?, ?, ?, 'token', ?)`, id, n, sides[0], sides[1], wager); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(`UPDATE totals SET amount = amount + ? WHERE account = 'house' AND token = 'token'`, wager-payout); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE figures SET rounds = rounds + 1, wagered = wagered + ?, paid = paid + ?
		WHERE day = 20000 AND token = 'token' AND game = 'dice'`, wager, payout); err != nil {
		return err
	}
	return tx.Commit()
}
