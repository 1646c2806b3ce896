package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/services"
)

func TestMigrationsGoUpAgainAfterDownAndTwice(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	// A path with characters that a URI would read as settings is still only a path.
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "a ?mode=ro&%23#.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	pending, err := store.Pending(ctx)
	if err != nil || len(pending) == 0 {
		t.Fatalf("pending in an empty database: %v, %v", pending, err)
	}
	for range 2 {
		ran, err := store.Migrate(ctx)
		if err != nil || !slices.Equal(ran, pending) {
			t.Fatalf("migrate ran %v, %v; want %v", ran, err, pending)
		}
		if again, err := store.Migrate(ctx); err != nil || len(again) != 0 {
			t.Fatalf("a second migrate ran %v, %v", again, err)
		}
		downStepByStep(t, store, pending)
	}
}

// downStepByStep reverts one migration at a time, the newest first.
func downStepByStep(t *testing.T, store *sqlstore.Store, all []string) {
	t.Helper()
	for _, newest := range slices.Backward(all) {
		if undone, err := store.MigrateDown(t.Context()); err != nil || !slices.Equal(undone, []string{newest}) {
			t.Fatalf("down undid %v, %v; want %s", undone, err, newest)
		}
	}
	if undone, err := store.MigrateDown(t.Context()); err != nil || len(undone) != 0 {
		t.Fatalf("down without anything to undo: %v, %v", undone, err)
	}
}

func TestMigrateDownNeverGoesOverWhatHappened(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for _, played := range []bool{false, true} {
			w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
			owner, side := w.store, w.beside()
			if on.numbered { // the service's own role can't change the schema
				owner = openOwner(t, w.where)
			}
			refused := func(want string) {
				t.Helper()
				undone, err := owner.MigrateDown(t.Context())
				if !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), want) || len(undone) != 0 {
					t.Errorf("want %q: undid %v, %v", want, undone, err)
				}
			}
			if _, err := side.Exec("INSERT INTO bun_migrations (name, group_id) VALUES ('9999', 9)"); err != nil {
				t.Fatal(err)
			}
			refused("9999")
			if _, err := side.Exec("DELETE FROM bun_migrations WHERE name = '9999'"); err != nil {
				t.Fatal(err)
			}
			w.begin(1000, w.login(alice))
			want := "transfers"
			if played {
				if _, errs := w.together(w.play(alice, 10)); errors.Join(errs...) != nil {
					t.Fatal(errs)
				}
				want = "rounds"
			}
			if on.numbered { // where writers share lanes
				refused("stop every instance")
			}
			w.writer.Release()
			refused(want)
			if err := w.store.CheckSchema(t.Context()); err != nil {
				t.Errorf("after it was refused: %v", err)
			}
		}
	})
}

// opens returns an item that opens a round of mines.
func (w *world) opens(who wallet.Address, wager money.Amount) player.Item {
	return w.opensAs(w.id(), who, wager)
}

func (w *world) opensAs(id string, who wallet.Address, wager money.Amount) player.Item {
	at := w.now()
	opening, err := bet.NewOpening(game.Mines(), game.Value{}, wager)
	if err != nil {
		w.Fatal(err)
	}
	opening.ID, opening.Wallet, opening.Terms, opening.Bankroll, opening.At = id, who, terms(money.SOL), money.TotalOf(money.Max), at
	request := player.OpenRequest{Opening: opening, Voiding: w.voiding()}
	return player.Item{
		Wallet: who, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: opening.ID}},
		Needs: player.Needs{
			Tokens: []money.Token{money.SOL}, Draw: true, OpenRounds: true, Exposure: money.SOL, Game: opening.GameType(),
		},
		Decide: func(v player.View) (player.Change, error) { return player.OpenRound(v, request) },
	}
}

func (w *world) voiding() player.Voiding {
	return player.Voiding{Spare: w.spare(), ServerClientSeed: "of the server", AuditID: w.id()}
}

// opensTile returns an item that opens a tile of a round of mines, cashesOut one that ends it.
func (w *world) opensTile(open bet.Open, tile int64) player.Item {
	return w.steps(open, game.Object(game.Member{Name: "type", Value: game.Text("open")}, game.Member{Name: "tile", Value: game.Int(tile)}))
}

func (w *world) cashesOut(open bet.Open) player.Item {
	return w.steps(open, game.Object(game.Member{Name: "type", Value: game.Text("cashOut")}))
}

func (w *world) steps(open bet.Open, action game.Value) player.Item {
	w.Helper()
	steps, err := open.Steps(game.Mines())
	if err != nil {
		w.Fatal(err)
	}
	request := player.StepRequest{RoundID: open.ID, Step: open.Step(), Action: action, Steps: steps, At: w.now(), Voiding: w.voiding()}
	return player.Item{
		Wallet: open.Wallet, At: request.At,
		Keys:   []player.UniqueKey{{Kind: player.StepKey, Scope: open.ID, ID: strconv.Itoa(open.Step()), Fingerprint: action.String()}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, Draw: true, OpenRounds: true, Game: open.GameType},
		Decide: func(v player.View) (player.Change, error) { return player.StepRound(v, request) },
	}
}

// TestNoBetTakesTheIDOfAnOpenRound places a bet with the id of another player's open round. Where
// tables are spread over machines, only the player's own ids are checked.
func TestNoBetTakesTheIDOfAnOpenRound(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice, bob)
		open := w.commit(w.opens(alice, 10)).Change.Steps[0]
		item := w.playAs(open.ID, game.Dice(), bob, money.SOL, 10)
		item.Keys = []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}}
		if receipt, err := w.writer.Commit(t.Context(), item); err == nil {
			t.Errorf("the bet was placed: %+v", receipt)
		}
		w.audited("")
	})
}

// TestOpenRoundsAreReadable reads a round from the view as people would, as the service's role.
func TestOpenRoundsAreReadable(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice)
		open := w.commit(w.opens(alice, 10)).Change.Steps[0]
		var who wallet.Address
		var id, gameType, token, pair string
		var stake, exposure money.Amount
		err := w.beside().QueryRow(`SELECT id, wallet, game, token, pair_id, stake, exposure FROM readable_open_rounds`).
			Scan(&id, (*string)(&who), &gameType, &token, &pair, &stake, &exposure)
		if err != nil || id != open.ID || who != alice || gameType != "mines" || token != string(money.SOL) || pair != open.PairID ||
			stake != 10 || exposure != open.Exposure {
			t.Errorf("%s of %s: %s %s %s %d %d, %v", id, who, gameType, token, pair, stake, exposure, err)
		}
		w.commit(w.cashesOut(open))
		if err := w.beside().QueryRow(`SELECT id FROM readable_open_rounds`).Scan(&id); err != sql.ErrNoRows {
			t.Errorf("ended: %v", err)
		}
	})
}

func TestAProbeWritesAndLeavesTheLedgerAlone(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		w.begin(1000, w.login(alice))
		blocks := w.number("SELECT count(*) FROM blocks")
		for range 3 {
			if err := w.store.ProbeWrite(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := w.writer.ProbeLane(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if n := w.number("SELECT count(*) FROM blocks"); n != blocks {
			t.Errorf("%d blocks, there were %d", n, blocks)
		}
		if err := on.probeIsInTheWay(w); err == nil {
			t.Error("a probe that could not write says nothing")
		}
	})
}

// probeIsInTheWay probes while another transaction has locked the row, or the file: a read-only
// probe would not notice.
func (on engine) probeIsInTheWay(w *world) error {
	begin := "BEGIN IMMEDIATE"
	if on.numbered {
		begin = "BEGIN"
	}
	session, err := w.beside().Conn(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	for _, text := range []string{begin, "UPDATE guards SET kind = kind WHERE kind = 'probe'"} {
		if _, err := session.ExecContext(w.Context(), text); err != nil {
			w.Fatal(err)
		}
	}
	defer func() { _, _ = session.ExecContext(context.WithoutCancel(w.Context()), "ROLLBACK") }()
	ctx, cancel := context.WithTimeout(w.Context(), 2*time.Second)
	defer cancel()
	return w.store.ProbeWrite(ctx)
}

func TestPostgresAProbeFailsWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	server := services.NewCluster(t)
	if _, err := openOwner(t, server.URL()).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := worldAt(t, onPostgres, server.URL(), sqlstore.WriterOptions{}, unwrapped)
	side, err := w.beside().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := side.ExecContext(t.Context(), "SELECT pg_advisory_lock((('public'::regnamespace::oid::bigint << 32) + 1667301376 + lane)) FROM generate_series(1, 64) AS lane"); err != nil {
		t.Fatal(err)
	}
	if err := w.writer.ProbeLane(t.Context()); err == nil {
		t.Error("no lane is left, and the probe says nothing")
	}
	if err := w.store.ProbeWrite(t.Context()); err != nil {
		t.Errorf("without a lane nothing else is wrong: %v", err)
	}
	_ = side.Close()
	server.ReadOnly(t)
	limit, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for w.store.ProbeWrite(limit) == nil { // the server informs its sessions one after the other
		if limit.Err() != nil {
			t.Fatal("nothing can be written, and the probe says nothing")
		}
	}
	if err := w.store.Ping(t.Context()); err != nil {
		t.Errorf("reads don't go on: %v", err)
	}
}

// settledAfter returns the rounds on one page of events after a cursor, and the next cursor.
func (w *world) settledAfter(from stream.Cursor) (rounds []string, next stream.Cursor) {
	w.Helper()
	page, err := w.store.After(w.Context(), from, stream.Filter{Types: []stream.Type{stream.RoundSettled}}, 1_000)
	if err != nil || page.More {
		w.Fatalf("more: %v, %v", page.More, err)
	}
	for _, e := range page.Events {
		rounds = append(rounds, e.Subject)
	}
	return rounds, page.Next
}

// TestWhatWasJustCommittedIsHeardByOneStatement checks that, for any number of blocks; events of
// another instance are read too, in a new lane and between the others.
func TestWhatWasJustCommittedIsHeardByOneStatement(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{BatchMax: 1})
	w.signIn(10_000, alice, bob)
	at, err := w.store.Newest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := &reads{}
	w.store.WatchReads(seen)
	var want []string
	for range 20 {
		want = append(want, w.commit(w.play(alice, 10)).Change.Round.ID)
	}
	seen.text = nil
	got, at := w.settledAfter(at)
	if !slices.Equal(got, want) {
		t.Errorf("heard %v, want %v", got, want)
	}
	if len(seen.text) != 1 {
		t.Errorf("it was asked %d times: %q", len(seen.text), seen.text)
	}
	other := w.another(sqlstore.WriterOptions{})
	other.start(other.writer)
	for range 3 {
		want = []string{
			w.commit(w.play(alice, 10)).Change.Round.ID, other.commit(other.play(bob, 10)).Change.Round.ID, other.commit(other.play(alice, 10)).Change.Round.ID,
		}
		if got, at = w.settledAfter(at); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("beside another instance %v is heard, want %v", got, want)
		}
	}
	if lanes := len(at.Marks); lanes < 2 {
		t.Errorf("the instances shared %d lane", lanes)
	}
}

// TestAPageGoesThroughWhatWasCounted checks that, for a player with more counted rounds than are
// read at once, new rounds after all of those are found.
func TestAPageGoesThroughWhatWasCounted(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		together := func(items ...player.Item) {
			t.Helper()
			if _, errs := w.together(items...); errors.Join(errs...) != nil {
				t.Fatal(errors.Join(errs...))
			}
		}
		together(w.login(alice))
		together(w.credit(alice, "funds", money.SOL, 1_000_000))
		for range 70 {
			items := make([]player.Item, 16)
			for i := range items {
				items[i] = w.play(alice, 10)
			}
			together(items...)
		}
		count := proof.Begin(alice, proof.Proof{})
		page := func(limit int) ports.WalletPage {
			t.Helper()
			page, err := w.store.WalletBlocks(t.Context(), ports.WalletQuery{Wallet: alice, Counted: count.Counted, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range page.Blocks {
				if err := count.Add(b); err != nil {
					t.Fatal(err)
				}
			}
			return page
		}
		if first := page(10_000); first.More || count.Check(first.State) != nil {
			t.Fatalf("%d blocks, more: %v, %v", len(first.Blocks), first.More, count.Check(first.State))
		}
		together(w.play(alice, 10))
		if last := page(1); last.More || len(last.Blocks) != 1 || count.Check(last.State) != nil {
			t.Errorf("%d blocks came since, more: %v, %v", len(last.Blocks), last.More, count.Check(last.State))
		}
	})
}
