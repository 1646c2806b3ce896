package load_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// newest is just after the newest of the filled-in rounds; they go back span.
var newest = time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC)

const span = 60 * 24 * time.Hour

// The proportions of a set: one player per roundsEach own rounds, but the first player has one in
// firstEach of all; one round of a provider's game per providedEach own rounds, and one
// transaction per movedEach.
const (
	roundsEach   = 100
	firstEach    = 10
	providedEach = 10
	movedEach    = 20
	rareEach     = 400   // one of this many rounds is of the rare game
	rarestEach   = 2_000 // and one of the rarest token, agent and game
)

const (
	rareGame   = "keno"
	rarestGame = "crash"
	rareAgent  = "seldom"
)

var rareToken = fakes.Mint("rare")

// set is a database with a number of rounds and fixed proportions: 60 days in three months; own
// games, of which two are rare; two tokens and a rare one; three agents, of which the house has
// eight of ten rounds and one is rare; two lanes.
type set struct {
	rounds int
	people []wallet.Address
	games  []string
	// config and outcome are those of every round.
	config, outcome string
}

func newSet(rounds int) set {
	s := set{rounds: rounds, people: make([]wallet.Address, rounds/roundsEach), config: `{"target":50.00,"direction":"over"}`, outcome: `{"roll":51.00}`}
	for i := range s.people {
		s.people[i] = fakes.Wallet(fmt.Sprintf("player %d", i))
	}
	for _, g := range game.Standard() {
		if g.Type() != rareGame && g.Type() != rarestGame {
			s.games = append(s.games, g.Type())
		}
	}
	return s
}

// millis returns when thing i of n happened.
func (s set) millis(i, n int) int64 {
	return newest.Add(-span).UnixMilli() + int64(i)*span.Milliseconds()/int64(n)
}

// player returns the player of thing i, and how many things that player had before.
func (s set) player(i int) (n, before int) {
	if i%firstEach == 0 {
		return 0, i / firstEach
	}
	others := len(s.people) - 1
	other := i - i/firstEach - 1
	return 1 + other%others*7919%others, other / others
}

func agentOf(i int) string {
	if i%rarestEach == 1230 {
		return rareAgent
	}
	switch i % 20 {
	case 3, 13:
		return "acme"
	case 7, 17:
		return "bravo"
	}
	return "house"
}

func tokenOf(i int) money.Token {
	if i%rarestEach == 540 {
		return rareToken
	}
	if i%7 < 2 {
		return otherToken
	}
	return money.SOL
}

var otherToken = fakes.Mint("usd")

func (s set) gameOf(i int) string {
	if i%rarestEach == 870 {
		return rarestGame
	}
	if i%rareEach == 11 {
		return rareGame
	}
	return s.games[i/3%len(s.games)]
}

// row is a row of COPY's text format; no value needs escaping.
type row struct{ bytes.Buffer }

func (r *row) add(fields ...any) {
	for i, field := range fields {
		if i > 0 {
			r.WriteByte('\t')
		}
		switch v := field.(type) {
		case string:
			r.WriteString(v)
		case int:
			r.Write(strconv.AppendInt(r.AvailableBuffer(), int64(v), 10))
		case int64:
			r.Write(strconv.AppendInt(r.AvailableBuffer(), v, 10))
		default:
			fmt.Fprint(r, v)
		}
	}
	r.WriteByte('\n')
}

// idAt returns the id of thing i of a sort at a time: a UUIDv7.
func idAt(millis int64, sort, i int) string {
	hex := fmt.Sprintf("%012x", millis)
	return hex[:8] + "-" + hex[8:] + "-7" + fmt.Sprintf("%03d-%d000-%012d", i%1000, 8+sort, i)
}

// pairOf returns the id of the n-th of a player's seed pairs, of a sort.
func pairOf(sort, player, n int) string {
	return fmt.Sprintf("00000000-0000-7%03d-%d000-%012d", n, sort, player)
}

// endedPairs returns how many of the first player's pairs have decided all their rounds; no other
// player has as many rounds.
func (s set) endedPairs() int { return (s.rounds/firstEach - 1) / fairness.RoundsMax }

// pairRow writes the active pair of each player, and then the first player's ended pairs.
func (s set) pairRow(r *row, i int) {
	const null = `\N`
	player, n, state, sealed, revealed, nonce := i, 0, "active", `\\x00`, null, 0
	if ended := i - len(s.people); ended >= 0 {
		player, n, state, sealed, revealed, nonce = 0, ended, "retired", null, fmt.Sprintf("%064d", i), fairness.RoundsMax
	} else if i == 0 {
		n = s.endedPairs()
	}
	r.add(pairOf(9, player, n), walletKey(string(s.people[player])), state, sealed, revealed, fmt.Sprintf("%064d", i), "seed", "server", nonce,
		pairOf(8, player, n), 1, 1)
}

// walletKey and nameKey return the keys of wallets and names in tables.
func walletKey(wallet string) string {
	sum := sha256.Sum256([]byte("wallet\x00" + wallet))
	return uuid.UUID(sum[:16]).String()
}

func nameKey(kind, name string) int64 {
	sum := sha256.Sum256([]byte(kind + "\x00" + name))
	return int64(int32(binary.BigEndian.Uint32(sum[:])))
}

func (s set) roundRow(r *row, i int) {
	at := s.millis(i, s.rounds)
	n, before := s.player(i)
	r.add(idAt(at, 0, i), walletKey(string(s.people[n])), agentOf(i), nameKey("game", s.gameOf(i)), nameKey("rules", "rules/1"), nameKey("token", string(tokenOf(i))), 10000, i%2*19800, 198, 100,
		s.config, s.outcome, "f", pairOf(9, n, before/fairness.RoundsMax), before%fairness.RoundsMax, 1000000, at*1000, 1+i/100%2, i/200+1, i%100)
}

func (s set) providedRow(r *row, i int) {
	at := s.millis(i, s.rounds/providedEach)
	n, _ := s.player(i)
	r.add(idAt(at, 1, i), walletKey(string(s.people[n])), agentOf(i), "provider", "txn "+strconv.Itoa(i), "maker", "slot-"+strconv.Itoa(i%5), "slot",
		string(money.SOL), 6, "", 10000, 0, 1000000, 0, "f", "f", at*1000)
}

func (s set) transactionRow(r *row, i int) {
	at := s.millis(i, s.rounds/movedEach)
	n, _ := s.player(i)
	kind, credit, status, destination := "deposit", "t", "credited", ""
	switch {
	case i%20 == 0:
		kind, status = "adjustment", "completed"
	case i%20 > 11:
		kind, credit, status, destination = "withdrawal", "f", "completed", string(s.people[n])
	}
	switch {
	case i%25 == 9:
		status = "rejected"
	case i%100 == 12: // a withdrawal
		status = "failed"
	}
	r.add(idAt(at, 0, i), kind, walletKey(string(s.people[n])), agentOf(i), credit, status, string(tokenOf(i)), 1000+i, destination,
		"signature "+strconv.Itoa(i), "", "", "", 0, "", 1000000, "", at*1000, at*1000)
}

// TestASetFitsTheSchema fills a small set, so that a change of the schema that breaks benchmarks is
// found without them.
func TestASetFitsTheSchema(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts a server") // allowed: make test runs it
	}
	of := newSet(2_000)
	db, err := sql.Open("pgx", fill(t, services.NewCluster(t).URL(), of))
	noError(t, err)
	defer func() { _ = db.Close() }()
	var n int
	noError(t, db.QueryRow(`SELECT count(*) FROM rounds`).Scan(&n))
	if n != of.rounds {
		t.Errorf("%d rounds were filled in", n)
	}
}

// fill makes a database on a server with a set, directly into its tables with COPY, and returns
// its URL. It only drops indexes that it rebuilds afterwards; in the end the schema is that of
// the migrations.
func fill(b testing.TB, server string, s set) (location string) {
	b.Helper()
	ctx := context.Background()
	name := "lists_" + strconv.Itoa(s.rounds)
	admin, err := sql.Open("pgx", server)
	noError(b, err)
	defer func() { _ = admin.Close() }()
	if _, err := admin.Exec("CREATE DATABASE " + name); err != nil {
		b.Fatal(err)
	}
	location = database(b, server, name)
	store := openPostgres(b, location)
	if _, err := store.MakeMonths(ctx, newest.Add(-span)); err != nil {
		b.Fatal(err)
	}
	config, err := pgx.ParseConfig(location)
	noError(b, err)
	config.RuntimeParams["session_replication_role"] = "replica"
	config.RuntimeParams["maintenance_work_mem"] = "512MB"
	owner, err := pgx.ConnectConfig(ctx, config)
	noError(b, err)
	defer func() { _ = owner.Close(ctx) }()
	exec := func(statements ...string) {
		b.Helper()
		for _, statement := range statements {
			if _, err := owner.Exec(ctx, statement); err != nil {
				b.Fatalf("%.60s: %v", statement, err)
			}
		}
	}
	indexes := indexesOf(b, owner)
	for name := range indexes {
		exec("DROP INDEX " + name)
	}
	s.copyInto(b, owner)
	for _, definition := range indexes {
		exec(definition)
	}
	exec(s.kept()...)
	exec("VACUUM (ANALYZE)", "CHECKPOINT")
	return location
}

// copyInto loads the rows.
func (s set) copyInto(b testing.TB, owner *pgx.Conn) {
	b.Helper()
	load := func(into string, rows int, row func(*row, int)) {
		b.Helper()
		if err := copyRows(context.Background(), owner, into, rows, row); err != nil {
			b.Fatalf("%s: %v", into, err)
		}
	}
	load("players (wallet, key, agent, created_at)", len(s.people), func(r *row, i int) {
		r.add(string(s.people[i]), walletKey(string(s.people[i])), "house", 1)
	})
	var names [][2]string
	for i := range s.rounds {
		for _, n := range [...][2]string{{"game", s.gameOf(i)}, {"rules", "rules/1"}, {"token", string(tokenOf(i))}} {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	load("names (key, kind, name)", len(names), func(r *row, i int) { r.add(nameKey(names[i][0], names[i][1]), names[i][0], names[i][1]) })
	load("seed_pairs (id, wallet, state, sealed, revealed, commitment, client_seed, client_source, nonce, next_id, epoch, since)",
		len(s.people)+s.endedPairs(), s.pairRow)
	load(`rounds (id, wallet, agent, game, rules, token, wager, payout, multiplier_num, multiplier_den, config, outcome, void, pair_id,
		nonce, balance, at, lane, seq, position)`, s.rounds, s.roundRow)
	load(`provider_rounds (id, wallet, agent, connection, txn_id, provider, game, game_type, token, scale, site, wager, payout, balance,
		credits, without_debit, rolled_back, at)`, s.rounds/providedEach, s.providedRow)
	load(`transactions (id, type, wallet, agent, credit, status, token, amount, destination, signature, reason, note, reference, attempts, actor,
		balance, seal, created_at, updated_at)`, s.rounds/movedEach, s.transactionRow)
}

// kept returns the statements that compute the kept figures from the rows.
func (s set) kept() []string {
	const dayOf = "to_char(to_timestamp(at / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
	return []string{
		`INSERT INTO daily_figures SELECT lane, ` + dayOf + `, token, 'casino', game, agent, count(*), 0, 0, 0, 0, 0, 0, 0, 0
			FROM readable_rounds GROUP BY 1, 2, 3, 4, 5, 6`,
		`INSERT INTO daily_figures SELECT 1, ` + dayOf + `, token, provider, game, agent, count(*), 0, 0, 0, 0, 0, 0, 0, 0
			FROM provider_rounds GROUP BY 1, 2, 3, 4, 5, 6`,
		`INSERT INTO blocks (lane, seq, previous, hash, at, epoch, root, size, seal)
			SELECT lane, seq, repeat('0', 64), repeat('0', 64), max(at), 1, repeat('0', 64), 1, '' FROM rounds GROUP BY lane, seq ORDER BY max(at)`,
		`INSERT INTO balances (wallet, kind, hold, token, amount)
			SELECT DISTINCT r.wallet, 'player', '', n.name, 1000000 FROM rounds AS r JOIN names AS n ON n.key = r.token`,
		`INSERT INTO list_cells SELECT DISTINCT 'rounds', game, token, agent FROM daily_figures WHERE source = 'casino'
			UNION SELECT 'provider_rounds', unnest(ARRAY['', game]), token, agent FROM daily_figures WHERE source <> 'casino'
			UNION SELECT 'transactions', '', token, agent FROM transactions`,
		fmt.Sprintf("INSERT INTO lane_players VALUES (1, 'house', %d)", len(s.people)),
		fmt.Sprintf("INSERT INTO lane_totals SELECT lane, kind, '', agent, '%s', 1, 1 FROM generate_series(1, 2) AS lane, unnest(ARRAY['acme', 'bravo', 'house']) AS agent, unnest(ARRAY['player', 'hold', 'house', 'chain']) AS kind", money.SOL),
		`UPDATE seed_pairs AS p SET nonce = played.n FROM (SELECT pair_id, count(*) AS n FROM rounds GROUP BY pair_id) AS played
			WHERE p.id = played.pair_id AND p.state = 'active'`,
	}
}

// indexesOf returns the statements that make the indexes of the large tables, by name, except
// those of constraints.
func indexesOf(b testing.TB, owner *pgx.Conn) map[string]string {
	b.Helper()
	rows, err := owner.Query(context.Background(), `SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_index AS x
		JOIN pg_class AS c ON c.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid
		WHERE t.relname ~ '^(rounds|provider_rounds|transactions)' AND NOT c.relispartition
		AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid)`)
	noError(b, err)
	definitions, name, definition := map[string]string{}, "", ""
	if _, err := pgx.ForEachRow(rows, []any{&name, &definition}, func() error {
		definitions[name] = strings.Replace(definition, " ON ONLY ", " ON ", 1)
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	return definitions
}

// copyRows sends rows to a table by COPY.
func copyRows(ctx context.Context, owner *pgx.Conn, into string, rows int, add func(*row, int)) error {
	reader, writer := io.Pipe()
	go func() {
		var r row
		for i := range rows {
			add(&r, i)
			if r.Len() < 1<<16 && i+1 < rows {
				continue
			}
			if _, err := writer.Write(r.Bytes()); err != nil {
				return // the reader ended, with the cause
			}
			r.Reset()
		}
		_ = writer.Close() // never fails
	}()
	defer func() { _ = reader.Close() }()
	_, err := owner.PgConn().CopyFrom(ctx, reader, "COPY "+into+" FROM STDIN")
	return err
}

// database returns the URL of another database of a server.
func database(b testing.TB, server, name string) string {
	b.Helper()
	location, err := url.Parse(server)
	noError(b, err)
	location.Path = "/" + name
	return location.String()
}
