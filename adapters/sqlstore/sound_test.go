package sqlstore_test

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// sound proves the whole database from its transfers, rounds and records, read with plain SQL:
// balances, totals, figures, nonces, outcomes of revealed pairs, and the chain of blocks.
func (w *world) sound() {
	w.Helper()
	if err := w.reading(func(db *sql.DB) error {
		book := &ledger.Book{}
		contents := postings(w, db, book)
		rounds(w, db, contents)
		records(w, db, contents)
		events(w, db, contents)
		chained(w, db, contents)
		sums(w, db, book)
		return nil
	}); err != nil {
		w.Error(err)
	}
}

func rows(t testing.TB, db *sql.DB, query string, visit func(scan func(...any))) {
	t.Helper()
	rowsWith(t, db, query, nil, visit)
}

// rowsWith visits the rows of a query with parameters.
func rowsWith(t testing.TB, db *sql.DB, query string, parameters []any, visit func(scan func(...any))) {
	t.Helper()
	all, err := db.Query(query, parameters...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = all.Close() }()
	for all.Next() {
		visit(func(into ...any) {
			if err := all.Scan(into...); err != nil {
				t.Fatalf("%s: %v", query, err)
			}
		})
	}
	if err := all.Err(); err != nil {
		t.Fatal(err)
	}
}

func account(t testing.TB, kind, owner string) ledger.Account {
	t.Helper()
	text := kind
	if owner != "" {
		text += ":" + owner
	}
	a, ok := ledger.ParseAccount(text)
	if !ok {
		t.Fatalf("no account %q", text)
	}
	return a
}

// place identifies a block.
type place struct {
	lane int
	seq  int64
}

// content returns the content of a block, and makes it at the first call.
func content(contents map[place]*hashchain.Content, at place) *hashchain.Content {
	if contents[at] == nil {
		contents[at] = &hashchain.Content{}
	}
	return contents[at]
}

func postings(t testing.TB, db *sql.DB, book *ledger.Book) map[place]*hashchain.Content {
	t.Helper()
	contents := map[place]*hashchain.Content{}
	positions(t, db)
	rows(t, db, `SELECT kind, scope, id, n, debit_kind, debit_owner, credit_kind, credit_owner, token, amount, lane, seq, position
		FROM all_transfers ORDER BY lane, seq, position`, func(scan func(...any)) {
		var key ledger.Key
		var n, position int
		var dk, do, ck, co string
		var moved ledger.Transfer
		var at place
		scan(&key.Kind, &key.Scope, &key.ID, &n, &dk, &do, &ck, &co, &moved.Token, &moved.Amount, &at.lane, &at.seq, &position)
		moved.Debit, moved.Credit = account(t, dk, do), account(t, ck, co)
		c := content(contents, at)
		if n == 0 {
			c.Postings = append(c.Postings, ledger.Posting{Key: key})
		}
		last := &c.Postings[len(c.Postings)-1]
		if last.Key != key || len(last.Transfers) != n {
			t.Fatalf("transfer %d of %v stands apart", n, key)
		}
		last.Transfers = append(last.Transfers, moved)
	})
	post(t, book, contents)
	return contents
}

// positions checks the positions of each block's rows: over all tables they are 0, 1, 2 and so on
// without a gap.
func positions(t testing.TB, db *sql.DB) {
	t.Helper()
	next := map[place]int{}
	rows(t, db, `SELECT lane, seq, position FROM (SELECT lane, seq, position FROM all_transfers UNION ALL SELECT lane, seq, position FROM audit
		UNION ALL SELECT lane, seq, position FROM provider_transactions UNION ALL SELECT lane, seq, position FROM ledger_events) AS every
		ORDER BY lane, seq, position`, func(scan func(...any)) {
		var at place
		var position int
		scan(&at.lane, &at.seq, &position)
		if position != next[at] {
			t.Errorf("a row of block %v has position %d, want %d", at, position, next[at])
		}
		next[at]++
	})
}

// post books every block in the order of its lane. Lanes have no order between them, so a block
// that can't be booked yet, because a player's money comes from another lane, waits.
func post(t testing.TB, book *ledger.Book, contents map[place]*hashchain.Content) {
	t.Helper()
	lanes := map[int][]ledger.Posting{}
	for _, at := range slices.SortedFunc(maps.Keys(contents), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.lane, b.lane), cmp.Compare(a.seq, b.seq))
	}) {
		lanes[at.lane] = append(lanes[at.lane], contents[at].Postings...)
	}
	for moved := true; moved; {
		moved = false
		for lane, waiting := range lanes {
			for len(waiting) > 0 && book.Post(waiting[0]) == nil {
				waiting, moved = waiting[1:], true
			}
			lanes[lane] = waiting
		}
	}
	for lane, waiting := range lanes {
		if len(waiting) > 0 {
			t.Errorf("lane %d: posting %v: %v", lane, waiting[0].Key, book.Post(waiting[0]))
		}
	}
}

// pairNonce must be unique among rounds.
type pairNonce struct {
	pair  string
	nonce int64
}

type pairOf struct {
	revealed string
	rounds   int64
}

func rounds(t testing.TB, db *sql.DB, contents map[place]*hashchain.Content) {
	t.Helper()
	games, err := fakes.StandardGames()
	if err != nil {
		t.Fatal(err)
	}
	pairs, counted, taken := map[string]pairOf{}, map[string]int64{}, map[pairNonce]bool{}
	rows(t, db, `SELECT id, coalesce(revealed, ''), nonce FROM readable_seed_pairs`, func(scan func(...any)) {
		var id string
		var p pairOf
		scan(&id, &p.revealed, &p.rounds)
		pairs[id] = p
	})
	daily := map[figure.Key]figure.Cell{}
	rows(t, db, `SELECT r.id, r.wallet, r.agent, r.game, r.rules, r.token, r.wager, r.payout, r.multiplier_num,
			r.multiplier_den, r.config, r.outcome, r.actions, r.void, r.pair_id, r.nonce, r.balance, r.at, r.lane, r.seq,
			p.commitment, p.client_seed, p.client_source
		FROM readable_rounds r JOIN readable_seed_pairs p ON p.id = r.pair_id ORDER BY r.lane, r.seq, r.position`, func(scan func(...any)) {
		var r bet.Round
		var num, den, at int64
		var block place
		var config, outcome, actions, source string
		scan(&r.ID, &r.Wallet, &r.Agent, &r.GameType, &r.Rules, &r.Token, &r.Wager, &r.Payout, &num, &den, &config,
			&outcome, &actions, &r.Void, &r.PairID, &r.Nonce, &r.Balance, &at, &block.lane, &block.seq, &r.Commitment, &r.ClientSeed, &source)
		r.Multiplier, r.At = money.Ratio{Num: uint64(num), Den: uint64(den)}, time.UnixMicro(at)
		r.Config, r.Outcome = value(t, config), value(t, outcome)
		if actions != "" {
			r.Actions = value(t, actions)
		}
		r.ClientSource, _ = fairness.ParseClientSource(source)
		if taken[pairNonce{r.PairID, r.Nonce}] {
			t.Errorf("round %s has nonce %d, which another has", r.ID, r.Nonce)
		}
		taken[pairNonce{r.PairID, r.Nonce}] = true
		counted[r.PairID]++
		content(contents, block).Rounds = append(content(contents, block).Rounds, r)
		recompute(t, games, r, pairs[r.PairID].revealed)
		key, cell := figure.Of(withTheory(t, games, r))
		daily[key] = daily[key].Add(cell)
	})
	for one := range taken {
		if one.nonce >= counted[one.pair] {
			t.Errorf("pair %s has a round of nonce %d and %d rounds", one.pair, one.nonce, counted[one.pair])
		}
	}
	for id, p := range pairs {
		if p.rounds != counted[id] {
			t.Errorf("pair %s counts %d rounds, there are %d", id, p.rounds, counted[id])
		}
	}
	transactions(t, db, contents, daily)
	figures(t, db, daily)
}

func value(t testing.TB, text string) game.Value {
	t.Helper()
	v, err := wire.DecodeValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func recompute(t testing.TB, games *game.Registry, r bet.Round, seed string) {
	t.Helper()
	if seed == "" || r.Void {
		return
	}
	if r.Stepped() {
		folded, err := bet.Fold(r, begun(t, games, r), fairness.ServerSeedFromText(seed))
		if err != nil || !folded.Result.Outcome.Equal(r.Outcome) || folded.Payout != r.Payout {
			t.Errorf("round %s is not what its seeds decide: %v", r.ID, err)
		}
		return
	}
	result, commitment, err := games.Verify(game.RoundInputs{
		GameType: r.GameType, Rules: r.Rules, Config: r.Config, ServerSeed: seed, ClientSeed: r.ClientSeed, Nonce: r.Nonce,
	})
	if err != nil || commitment != r.Commitment || !result.Outcome.Equal(r.Outcome) || result.Multiplier.Cmp(r.Multiplier) != 0 {
		t.Errorf("round %s is not what its seeds decide: %v", r.ID, err)
	}
}

func begun(t testing.TB, games *game.Registry, r bet.Round) game.Steps {
	t.Helper()
	rules, err := games.Rules(r.GameType, r.Rules)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := game.Begin(rules, r.Config, 0)
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

func withTheory(t testing.TB, games *game.Registry, r bet.Round) bet.Round {
	t.Helper()
	if r.Void {
		return r
	}
	if r.Stepped() {
		theory, err := bet.TheoryOf(begun(t, games, r), bet.Open{Actions: r.Actions}.Taken(), r.Outcome)
		if err != nil {
			t.Fatal(err)
		}
		r.Theory = theory
		return r
	}
	rules, err := games.Rules(r.GameType, r.Rules)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := game.Prepare(rules, r.Config, r.Wager)
	if err != nil {
		t.Fatal(err)
	}
	r.Theory = bet.Theory{
		RTPPartsPerBillion: plan.RTPPartsPerBillion(), VariancePartsPerBillion: plan.VariancePartsPerBillion(),
	}
	return r
}

func figures(t testing.TB, db *sql.DB, want map[figure.Key]figure.Cell) {
	t.Helper()
	got := map[figure.Key]figure.Cell{}
	rows(t, db, `SELECT day, token, source, game, agent, rounds, wagered_hi, wagered_lo, paid_hi, paid_lo,
		expected_hi, expected_lo, variance_hi, variance_lo FROM daily_figures`, func(scan func(...any)) {
		var k figure.Key
		var c figure.Cell
		var parts [8]int64
		scan(&k.Day, &k.Token, &k.Source, &k.Game, &k.Agent, &c.Rounds, &parts[0], &parts[1], &parts[2], &parts[3],
			&parts[4], &parts[5], &parts[6], &parts[7])
		c.Wagered, c.Paid = money.TotalFromParts(parts[0], parts[1]), money.TotalFromParts(parts[2], parts[3])
		c.Expected, c.Variance = money.TotalFromParts(parts[4], parts[5]), money.TotalFromParts(parts[6], parts[7])
		got[k] = got[k].Add(c)
	})
	if !maps.Equal(got, want) {
		t.Errorf("kept figures %+v\nwant %+v", got, want)
	}
}

func records(t testing.TB, db *sql.DB, contents map[place]*hashchain.Content) {
	t.Helper()
	rows(t, db, `SELECT id, action, actor, target, was, became, at, request_id, lane, seq FROM audit
		ORDER BY lane, seq, position`, func(scan func(...any)) {
		var a audit.Record
		var at int64
		var block place
		scan(&a.ID, &a.Action, &a.By, &a.Target, &a.Before, &a.After, &at, &a.RequestID, &block.lane, &block.seq)
		a.At = time.UnixMicro(at)
		content(contents, block).Audit = append(content(contents, block).Audit, a)
	})
}

func events(t testing.TB, db *sql.DB, contents map[place]*hashchain.Content) {
	t.Helper()
	rows(t, db, `SELECT kind, id, wallet, fields, was, lane, seq FROM ledger_events ORDER BY lane, seq, position`, func(scan func(...any)) {
		var e event.Event
		var fields string
		var block place
		scan(&e.Kind, &e.ID, &e.Wallet, &fields, &e.Was, &block.lane, &block.seq)
		// The object's members are texts, so that a decoder that keeps their order reads name and
		// value in turns.
		d := json.NewDecoder(strings.NewReader(fields))
		for name := ""; ; {
			token, err := d.Token()
			if err != nil {
				break
			}
			switch text, ok := token.(string); {
			case ok && name == "":
				name = text
			case ok:
				e.Fields, name = append(e.Fields, event.Field{Name: name, Value: text}), ""
			}
		}
		content(contents, block).Events = append(content(contents, block).Events, e)
	})
}

func chained(t testing.TB, db *sql.DB, contents map[place]*hashchain.Content) {
	t.Helper()
	heads := map[int]hashchain.Link{}
	rows(t, db, `SELECT lane, seq, previous, hash, at, epoch FROM blocks ORDER BY lane, seq`, func(scan func(...any)) {
		var block place
		var at, epoch int64
		var previous, hash string
		scan(&block.lane, &block.seq, &previous, &hash, &at, &epoch)
		last := heads[block.lane]
		last.Lane = block.lane
		c := contents[block]
		switch {
		case c == nil && epoch > max(1, last.Epoch): // it only begins the epoch
			c = &hashchain.Content{}
		case c == nil:
			t.Fatalf("block %v covers nothing", block)
		}
		delete(contents, block)
		c.At, c.Epoch = time.UnixMicro(at), epoch
		next := hashchain.Again(last.Head, block.seq, *c).Link()
		if !next.Follows(last) || next.Hash.String() != hash || last.Hash.String() != previous {
			t.Errorf("block %v doesn't follow from its content and block %d", block, last.Seq)
		}
		heads[block.lane] = next
	})
	if len(contents) > 0 {
		t.Errorf("%d batches have no block", len(contents))
	}
}

func sums(t testing.TB, db *sql.DB, book *ledger.Book) {
	t.Helper()
	stored, want := map[string]string{}, map[string]string{}
	rows(t, db, `SELECT w.wallet, b.kind, b.hold, b.token, b.amount FROM balances AS b JOIN players AS w ON w.key = b.wallet WHERE b.amount <> 0`, func(scan func(...any)) {
		var owner wallet.Address
		var kind, hold, mint string
		var amount int64
		scan(&owner, &kind, &hold, &mint, &amount)
		if hold == "" {
			hold = string(owner)
		}
		stored[fmt.Sprint(account(t, kind, hold), mint)] = fmt.Sprint(amount)
	})
	rows(t, db, `SELECT agent, token, balance FROM agent_funds WHERE balance <> 0`, func(scan func(...any)) {
		var owner, mint string
		var amount int64
		scan(&owner, &mint, &amount)
		stored[fmt.Sprint(ledger.AgentOf(owner), mint)] = fmt.Sprint(amount)
	})
	for _, b := range book.Balances() {
		if (b.Account.Kind.Liability() || b.Account.Kind == ledger.Agent) && b.Amount.Sign() != 0 {
			want[fmt.Sprint(b.Account, string(b.Token))] = b.Amount.String()
		}
	}
	if !maps.Equal(stored, want) {
		t.Errorf("balances %v\nwant %v", stored, want)
	}
	kept := map[ledger.Account]map[money.Token]money.Total{}
	rows(t, db, `SELECT kind, owner, token, hi, lo FROM lane_totals`, func(scan func(...any)) {
		var kind, owner string
		var mint money.Token
		var hi, lo int64
		scan(&kind, &owner, &mint, &hi, &lo)
		a := account(t, kind, owner)
		if kept[a] == nil {
			kept[a] = map[money.Token]money.Total{}
		}
		kept[a][mint] = kept[a][mint].Add(money.TotalFromParts(hi, lo))
	})
	if got, want := fmt.Sprint(kept), fmt.Sprint(book.Totals()); got != want {
		t.Errorf("kept totals %s\nwant %s", got, want)
	}
}
