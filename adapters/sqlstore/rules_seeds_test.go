package sqlstore_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

func TestRule05AServerSeedThatIsNotTheOneCommittedToDecidesNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for name, tamper := range map[string]string{
			"another's seed": `UPDATE seed_pairs SET was = nonce, sealed = (SELECT b.sealed FROM seed_pairs b WHERE b.wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND b.state = 'active')
			WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND state = 'active'`,
			"another's next seed": `UPDATE seed_pairs SET was = nonce, sealed = (SELECT b.sealed FROM seed_pairs b WHERE b.wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND b.state = 'next')
			WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND state = 'next'`,
			"broken bytes": `UPDATE seed_pairs SET was = nonce, sealed = substr(sealed, 2) WHERE ? <> '' AND wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND state = 'active'`,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w, _ := watched(t, on, sqlstore.WriterOptions{})
				w.begin(1000, w.login(alice), w.login(bob))
				if _, errs := w.together(w.play(alice, 10), w.play(bob, 10)); errors.Join(errs...) != nil { // their seeds are opened
					t.Fatal(errs)
				}
				db := w.beside()
				if _, err := db.Exec(on.query(tamper), string(bob), string(alice)); err != nil {
					t.Fatal(err)
				}
				_, errs := w.together(w.play(alice, 10), w.play(bob, 10), w.rotate(alice, "mine"))
				if errs[0] == nil || errs[1] != nil || errs[2] == nil || fault.KindOf(errs[0]) != fault.Internal {
					t.Errorf("answers %v", errs)
				}
				if _, errs := w.together(w.adjust(alice, 1)); errs[0] != nil {
					t.Errorf("what needs no seed: %v", errs[0])
				}
				w.sound()
			})
		}
	})
}

// TestRule05NoSeedShowsBeforeItIsRevealed makes all kinds of failures and searches for seeds in
// logs, errors and stored data.
func TestRule05NoSeedShowsBeforeItIsRevealed(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		var log bytes.Buffer
		w, f := watched(t, on, sqlstore.WriterOptions{
			Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		})
		w.begin(1000, w.login(alice), w.login(bob))
		var seeds []string
		spy := func(item player.Item, then func(player.View)) player.Item {
			item.Needs.Pair = true
			decide := item.Decide
			item.Decide = func(v player.View) (player.Change, error) {
				seeds = append(seeds, v.Pair.Seed.Reveal(), v.Pair.Next.Seed.Reveal())
				then(v)
				return decide(v)
			}
			return item
		}
		nothing := func(player.View) {}
		f.loseCommit(true, 1)
		receipts, errs := w.together(
			spy(w.play(alice, 10), nothing),
			spy(w.play(bob, 10), func(v player.View) { panic(v) }),
			spy(keyed(w.play(alice, 10), "key", ""), nothing),
		)
		f.failOn("INSERT INTO blocks", errCut)
		failed := w.failedStep(spy(w.play(alice, 10), nothing))
		said := fmt.Sprintf("%v %+v %#v %v %v", receipts, receipts, receipts, errs, failed)
		said += string(on.written(t, w.where))
		said += log.String()
		if len(seeds) < 8 || !strings.Contains(log.String(), "panicked") {
			t.Fatalf("%d seeds were seen; logged %s", len(seeds), log.String())
		}
		for _, seed := range seeds {
			if len(seed) != 64 || strings.Contains(said, seed) {
				t.Errorf("a seed of %d characters shows", len(seed))
			}
		}
		w.sound()
	})
}

func TestRetiredPairsTakeNoNonceAndKeepNoSealedSeed(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice))
		receipts, errs := w.together(w.play(alice, 10), w.rotate(alice, "mine"), w.rotate(alice, "mine too"), w.play(alice, 10))
		if errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		revealed := *receipts[1].Change.Retired
		var stored fairness.Revealed
		var sealed sql.NullString
		db := w.beside()
		err := db.QueryRow(on.query(`SELECT id, revealed, commitment, nonce, sealed FROM seed_pairs WHERE id = `+on.literal(revealed.ID))).
			Scan(new(any), &stored.ServerSeed, &stored.Commitment, &stored.Rounds, &sealed)
		if err != nil || sealed.Valid || stored.ServerSeed != revealed.ServerSeed || stored.Rounds != 1 || revealed.Verify() != nil {
			t.Errorf("stored as %+v with the sealed seed %v, %v", stored, sealed.Valid, err)
		}
		if _, err := db.Exec(`UPDATE seed_pairs SET nonce = nonce + 1 WHERE id = ` + on.literal(revealed.ID)); err == nil {
			t.Error("a retired pair took a nonce")
		}
		late := w.play(alice, 10)
		decide := late.Decide
		late.Decide = func(v player.View) (player.Change, error) {
			change, err := decide(v)
			change.Round.PairID, change.Round.Nonce = revealed.ID, revealed.Rounds
			return change, err
		}
		if _, errs := w.together(late); errs[0] == nil {
			t.Error("a round was taken under a retired pair")
		}
		w.sound()
	})
}

// TestAPairEndsWithItsTenThousandthRound also plays that round in the middle of a batch, and
// checks that the table takes no more.
func TestAPairEndsWithItsTenThousandthRound(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1_000, w.login(alice), w.login(bob))
		if _, errs := w.together(w.rotate(alice, "mine")); errs[0] != nil {
			t.Fatal(errs)
		}
		const raise = `UPDATE seed_pairs SET nonce = ?, was = nonce WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND state = 'active'`
		if _, err := w.beside().Exec(on.query(raise), fairness.RoundsMax+1, string(alice)); err == nil {
			t.Error("a pair has taken more nonces than it has")
		}
		if _, err := w.beside().Exec(on.query(raise), fairness.RoundsMax-2, string(alice)); err != nil {
			t.Fatal(err)
		}
		whole := func() player.Item {
			item := w.play(alice, 10)
			item.Needs.Pair = true
			return item
		}
		receipts, errs := w.together(whole(), w.play(bob, 10), whole(), whole(), w.rotate(alice, "another"), whole())
		if errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		last, first := receipts[2].Change, receipts[3].Change
		if last.Round.Nonce != 9_999 || last.Retired == nil || last.Retired.Rounds != 10_000 || receipts[0].Change.Retired != nil {
			t.Errorf("the last round is %+v and reveals %+v", last.Round, last.Retired)
		}
		if first.Round.Nonce != 0 || first.Round.PairID != last.Pair.ID || first.Round.ClientSource != fairness.FromRepeated || first.Round.ClientSeed != "mine" {
			t.Errorf("the first one of the next pair is %+v", first.Round)
		}
		if again := receipts[5].Change.Round; again.Nonce != 0 || again.ClientSource != fairness.FromPlayer {
			t.Errorf("after a rotation: %+v", again)
		}
	})
}

// noted returns the record of a change of the control state.
func (w *world) noted() *audit.Record {
	return &audit.Record{ID: w.id(), Action: audit.PlayPaused, Target: "ledger", At: w.now()}
}

// goesBack reports that the store was restored.
func (w *world) goesBack() error {
	return w.store.ChangeControl(w.Context(), func(now control.State) (control.State, *audit.Record, error) {
		now.Restored = &control.Restored{At: w.now(), Reason: "a head is gone"}
		return now, w.noted(), nil
	})
}

// beginEpoch begins the next epoch and opens the service.
func (w *world) beginEpoch() ([]hashchain.Head, error) {
	return w.store.BeginEpoch(w.Context(), nil, func(now control.State) (control.State, *audit.Record, error) {
		next := now.Next(w.now(), 0)
		next.Restored = nil
		return next, w.noted(), nil
	})
}

// TestPostgresABatchThatAnEpochOvertakesIsDecidedAgain checks that a batch that read the previous
// epoch is run again and its items don't fail.
func TestPostgresABatchThatAnEpochOvertakesIsDecidedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	w.signIn(1_000, alice)
	if err := w.goesBack(); err != nil {
		t.Fatal(err)
	}
	begun := make(chan error, 1)
	item := w.play(alice, 10)
	item.WhileRestored = true
	decide, first := item.Decide, true
	item.Decide = func(v player.View) (player.Change, error) {
		if first {
			first = false
			go func() {
				_, err := w.beginEpoch()
				begun <- err
			}()
			for w.number("SELECT epoch FROM control") == 1 { // it continues when this batch has ended
				if len(begun) > 0 {
					break
				}
			}
		}
		return decide(v)
	}
	_, err := w.writer.Commit(t.Context(), item)
	// By then the epoch is beginning, or has begun and ended the session.
	if !fault.Is(err, fault.Maintenance) && !fault.Is(err, fault.InvalidToken) {
		t.Errorf("answered %v", err)
	}
	if err := <-begun; err != nil {
		t.Error(err)
	}
	if played := w.number("SELECT count(*) FROM rounds"); played != 0 {
		t.Errorf("%d rounds are stored", played)
	}
	w.sound()
}

// TestAnEpochBeginsWithoutItsPlayers checks that beginning an epoch writes one block per lane,
// for any number of players, and that each player's seeds are replaced at the next sign-in.
func TestAnEpochBeginsWithoutItsPlayers(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		for i := range 40 {
			w.commit(w.login(fakes.Wallet(fmt.Sprint("player ", i))))
		}
		w.signIn(1_000, alice)
		w.commit(w.play(alice, 1))
		if err := w.takesNonce(alice); err != nil {
			t.Errorf("a round by hand, in the pair's epoch: %v", err)
		}
		if err := w.goesBack(); err != nil {
			t.Fatal(err)
		}
		blocks := w.number("SELECT count(*) FROM blocks")
		heads, err := w.beginEpoch()
		if err != nil {
			t.Fatal(err)
		}
		if made := w.number("SELECT count(*) FROM blocks") - blocks; made != int64(len(heads)) {
			t.Errorf("%d blocks begin the epoch in %d lanes", made, len(heads))
		}
		if err := w.takesNonce(alice); err == nil {
			t.Error("the tables take a round of an earlier epoch's pair")
		}
		if touched := w.number("SELECT count(*) FROM seed_pairs WHERE epoch <> 1 OR state = 'retired'"); touched != 0 {
			t.Errorf("%d seed pairs were touched", touched)
		}
		back := w.login(fakes.Wallet("player 7"))
		back.Needs.Pair = true
		decide := back.Decide
		back.Decide = func(v player.View) (player.Change, error) {
			changed := *v.Control
			changed.LoginsFrom = time.Time{} // the message is as old as the world
			v.Control = &changed
			return decide(v)
		}
		w.commit(back)
		if retired, fresh := w.number("SELECT count(*) FROM seed_pairs WHERE state = 'retired'"), w.number("SELECT count(*) FROM seed_pairs WHERE epoch = 2"); retired != 2 || fresh != 2 {
			t.Errorf("%d seeds are retired and %d new after one sign-in", retired, fresh)
		}
		w.sound()
	})
}

// takesNonce inserts a round as the tables' owner, with its pair's next nonce, and rolls back.
func (w *world) takesNonce(who wallet.Address) error {
	w.Helper()
	tx, err := w.beside().Begin()
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.Exec(w.on.query("UPDATE seed_pairs SET nonce = nonce + 1, was = nonce WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND state = 'active'"), string(who)); err != nil {
		w.Fatal(err)
	}
	const kept = "wallet, agent, game, rules, token, wager, payout, multiplier_num, multiplier_den, config, outcome, void, pair_id, balance, at, lane, seq"
	_, err = tx.Exec(w.on.query("INSERT INTO rounds (id, nonce, position, "+kept+") SELECT "+w.on.newID()+", nonce + 1, position + 1, "+kept+
		" FROM rounds WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?)"), string(who))
	return err
}
