package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// key returns the key of a wallet in statements.
func (on engine) key(w wallet.Address) string { return on.literal(table.WalletKey(w)) }

// TestANameWhoseKeyAnotherHasIsRefused plays with a token that has another token's key:
// the round would be read back with the other token.
func TestANameWhoseKeyAnotherHasIsRefused(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice)
		db := w.beside()
		if _, err := db.Exec(on.query(`INSERT INTO names (key, kind, name) VALUES (?, 'token', 'another')`), table.TokenName(string(money.SOL)).Key()); err != nil {
			t.Fatal(err)
		}
		if _, err := w.writer.Commit(t.Context(), w.play(alice, 10)); err == nil {
			t.Error("a round is of two tokens")
		}
		if n := w.number("SELECT count(*) FROM rounds"); n != 0 {
			t.Errorf("%d rounds are stored", n)
		}
		w.audited("")
	})
}

// TestARoundIsItsOwnPlayers inserts a round with the key of a player who doesn't own its pair.
func TestARoundIsItsOwnPlayers(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice, bob)
		w.commit(w.play(alice, 10))
		db := w.beside()
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		if _, err := tx.Exec(on.query("UPDATE seed_pairs SET nonce = nonce + 1, was = nonce WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND state = 'active'"), string(alice)); err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(on.query(`INSERT INTO rounds `+ofRounds+` SELECT `+on.newID()+`, (SELECT w.key FROM players AS w WHERE w.wallet = ?), agent, game, rules,
			token, wager, payout, multiplier_num, multiplier_den, config, outcome, void, pair_id, nonce + 1, balance, at, lane, seq, position FROM rounds`),
			string(bob)); err == nil {
			t.Error("bob has a round of alice's pair")
		}
	})
}

// TestANonceIsTakenOnceInATransaction inserts two rounds of one nonce in the commit that moves
// their pair past it, where only a key of rounds can tell them apart.
func TestANonceIsTakenOnceInATransaction(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice)
		w.commit(w.play(alice, 10))
		tx, err := w.beside().Begin()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		if _, err := tx.Exec("UPDATE seed_pairs SET nonce = nonce + 1, was = nonce WHERE state = 'active'"); err != nil {
			t.Fatal(err)
		}
		for i, id := range [...]string{"f0000000-0000-4000-8000-000000000001", "f0000000-0000-4000-8000-000000000002"} { // of one partition
			if id = "'" + id; !on.numbered {
				id = "X" + strings.ReplaceAll(id, "-", "")
			}
			if _, err := tx.Exec(`INSERT INTO rounds ` + ofRounds + ` SELECT ` + id + `', wallet, agent, game, rules, token, wager, payout, multiplier_num,
				multiplier_den, config, outcome, void, pair_id, 1, balance, at, lane, seq, position FROM rounds WHERE nonce = 0`); (err != nil) != (i == 1) {
				t.Errorf("round %d of the nonce: %v", i+1, err)
			}
		}
	})
}

// TestANameWithAnotherKeyIsRefused plays a game that is stored under a key that isn't computed
// from its name: the round would be read back without a game.
func TestANameWithAnotherKeyIsRefused(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice)
		if _, err := w.beside().Exec(on.query(`INSERT INTO names (key, kind, name) VALUES (5, 'token', ?)`), string(money.SOL)); err != nil {
			t.Fatal(err)
		}
		if _, err := w.writer.Commit(t.Context(), w.play(alice, 10)); err == nil {
			t.Error("a round is of no token")
		}
		if n := w.number("SELECT count(*) FROM rounds"); n != 0 {
			t.Errorf("%d rounds are stored", n)
		}
		w.audited("")
	})
}

// TestLostNamesAreStoredAgain takes the names of rounds away together with what tells the writer
// that this is no longer the database it wrote to: its newest block, or its lane's session.
func TestLostNamesAreStoredAgain(t *testing.T) {
	t.Parallel()
	for what, also := range map[string][]string{
		"block": {"ALTER TABLE blocks DISABLE TRIGGER blocks_append_only", "DELETE FROM blocks WHERE (lane, seq) IN (SELECT lane, seq FROM heads)"},
		"session": {`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 1667301377
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
			w.begin(1000, w.login(alice))
			for range 2 {
				if _, errs := w.together(w.play(alice, 10)); errs[0] != nil {
					t.Fatal(errs)
				}
			}
			execAll(t, w.beside(), append(also, "ALTER TABLE names DISABLE TRIGGER ALL", "DELETE FROM names")...)
			if what == "block" {
				if _, errs := w.together(w.play(alice, 10)); errs[0] == nil {
					t.Error("a block followed one that is gone")
				}
			} else if err := w.writer.ProbeLane(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, errs := w.together(w.play(alice, 10)); errs[0] != nil {
				t.Fatal(errs)
			}
			if n := w.number("SELECT count(*) FROM names"); n != 3 {
				t.Errorf("%d names of the game, its rules and the token", n)
			}
		})
	}
}

// TestAWalletWhoseKeyAnotherHasIsRefused signs in a player with another wallet's key:
// its rounds would be the other one's. Other players are not affected.
func TestAWalletWhoseKeyAnotherHasIsRefused(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		// A server computes keys itself, and refuses the key of another wallet.
		_, err := w.beside().Exec(`INSERT INTO players (wallet, key) VALUES ('another', ` + on.key(alice) + `)`)
		if (err != nil) != on.numbered {
			t.Fatal(err)
		}
		if _, err := w.writer.Commit(t.Context(), w.login(alice)); (err == nil) != on.numbered {
			t.Errorf("two players have the same rounds: %v", err)
		}
		w.signIn(1000, bob)
		w.commit(w.play(bob, 10))
		w.audited("")
	})
}

// TestTheLeastIDIsAudited inserts rows with the least id, which no page begins after.
func TestTheLeastIDIsAudited(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice)
		db, least := w.beside(), on.literal(leastID)
		if _, err := db.Exec(`INSERT INTO seed_pairs (id, wallet, state, commitment, client_seed, client_source, nonce, was, revealed, next_id, epoch, since)
			SELECT ` + least + `, wallet, 'retired', 'another', 'seed', 'player', 0, 0, 'another', id, epoch, since FROM seed_pairs WHERE state = 'active'`); err != nil {
			t.Fatal(err)
		}
		w.foundOn(ports.LedgerPairs)
		w.audited("there is a row that no block covers")
		if _, err := db.Exec(on.query(`INSERT INTO provider_rounds (id, wallet, agent, connection, txn_id, provider, game, game_type, token, scale, site, wager, payout,
			balance, credits, without_debit, rolled_back, at) VALUES (` + least + `, ` + on.key(alice) + `, 'house', 'maker', 'txn', 'maker', 'slot', 'slot', 'x', 6, '', 1, 0, 1, 0, FALSE, FALSE, 1)`)); err != nil {
			t.Fatal(err)
		}
		w.foundOn(ports.LedgerProviderRounds)
	})
}

// leastID is the least UUID.
const leastID = "00000000-0000-0000-0000-000000000000"

// foundOn checks that the least id is on the first page of a part.
func (w *world) foundOn(part ports.LedgerPart) {
	w.Helper()
	page, err := w.store.LedgerPage(w.Context(), part, "", 10)
	if err != nil {
		w.Fatal(err)
	}
	if len(page.Rows) == 0 || page.Rows[0].Key != leastID {
		w.Errorf("%s begin with %v", part, page.Rows)
	}
	if next, err := w.store.LedgerPage(w.Context(), part, leastID, 10); err != nil || len(next.Rows) != len(page.Rows)-1 {
		w.Errorf("%s go on with %v, %v", part, next.Rows, err)
	}
}
