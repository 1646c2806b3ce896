package sqlstore_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
)

func TestRule05AServerSeedThatIsNotTheOneCommittedToDecidesNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for name, tamper := range map[string]string{
			"another's seed": `UPDATE seed_pairs SET sealed = (SELECT b.sealed FROM seed_pairs b WHERE b.wallet = ? AND b.state = 'active')
			WHERE wallet = ? AND state = 'active'`,
			"another's next seed": `UPDATE seed_pairs SET sealed = (SELECT b.sealed FROM seed_pairs b WHERE b.wallet = ? AND b.state = 'next')
			WHERE wallet = ? AND state = 'next'`,
			"broken bytes": `UPDATE seed_pairs SET sealed = substr(sealed, 2) WHERE ? <> '' AND wallet = ? AND state = 'active'`,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w, _ := watched(t, on, sqlstore.WriterOptions{})
				w.begin(1000, w.login(alice), w.login(bob))
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

// TestRule05NoSeedShowsBeforeItIsRevealed makes things go wrong in every way and
// looks for seeds in what is logged, said and stored.
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
		err := db.QueryRow(on.query(`SELECT id, revealed, commitment, nonce, sealed FROM seed_pairs WHERE id = ?`), revealed.ID).
			Scan(&stored.ID, &stored.ServerSeed, &stored.Commitment, &stored.Rounds, &sealed)
		if err != nil || sealed.Valid || stored.ServerSeed != revealed.ServerSeed || stored.Rounds != 1 || revealed.Verify() != nil {
			t.Errorf("stored as %+v with the sealed seed %v, %v", stored, sealed.Valid, err)
		}
		if _, err := db.Exec(`UPDATE seed_pairs SET nonce = nonce + 1 WHERE id = ?`, revealed.ID); err == nil {
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
