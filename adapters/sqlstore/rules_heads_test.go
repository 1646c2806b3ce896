package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/witness"
)

// reported are the heads that writers reported.
type reported struct {
	mu    sync.Mutex
	heads []hashchain.Head
}

func (r *reported) sealed(h witness.Head) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heads = append(r.heads, h.Head)
}

// has reports whether the head was reported.
func (r *reported) has(h hashchain.Head) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, head := range r.heads {
		if head == h {
			return true
		}
	}
	return false
}

// check returns an error for each head that was reported and isn't stored.
func (r *reported) check(store *sqlstore.Store) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	stored, err := store.BlocksAt(context.Background(), r.heads)
	for _, head := range r.heads {
		if err == nil && !slices.Contains(stored, head) {
			err = fmt.Errorf("head %+v was reported and is not stored", head)
		}
	}
	return err
}

// allStored fails if a head was reported that isn't stored.
func (r *reported) allStored(w *world) {
	w.Helper()
	if err := r.check(w.store); err != nil {
		w.Error(err)
	}
}

// newestBlocks returns the newest blocks of all lanes.
func (w *world) newestBlocks() []hashchain.Head {
	w.Helper()
	heads, err := w.store.Heads(context.WithoutCancel(w.Context()))
	if err != nil {
		w.Fatal(err)
	}
	return heads
}

// TestRule09ABlockInDoubtIsReportedBeforeItsAnswers loses the answers of commits: before its
// items are answered, each block that was committed is reported, and no other.
func TestRule09ABlockInDoubtIsReportedBeforeItsAnswers(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for _, carriedOut := range []bool{true, false} {
			for _, times := range []int{1, 2} {
				t.Run(fmt.Sprintf("carried out %v, lost %d times", carriedOut, times), func(t *testing.T) {
					t.Parallel()
					var r reported
					w, f := watched(t, on, sqlstore.WriterOptions{Sealed: r.sealed})
					w.begin(1000, w.login(alice))
					f.loseCommit(carriedOut, times)
					if _, errs := w.together(w.play(alice, 10)); errs[0] != nil {
						t.Fatal(errs)
					}
					for _, head := range w.newestBlocks() {
						if !r.has(head) {
							t.Errorf("the round was answered and block %d:%d not reported", head.Lane, head.Seq)
						}
					}
					r.allStored(w)
				})
			}
		}
	})
}

// TestRule09HeadsOfAnotherLaneAreReportedToo moves the writer to a lane with smaller numbers than
// it has reported.
func TestRule09HeadsOfAnotherLaneAreReportedToo(t *testing.T) {
	t.Parallel()
	var r reported
	w, _ := watched(t, onPostgres, sqlstore.WriterOptions{Sealed: r.sealed})
	w.begin(1000, w.login(alice))
	for range 3 {
		w.together(w.play(alice, 10))
	}
	before := w.newestBlocks()[0].Lane
	w.writer.Release()
	other := w.must(w.store.Writer(sqlstore.WriterOptions{ID: "other"})) // takes the released lane
	first := w.writer
	w.writer = other
	t.Cleanup(other.Release)
	w.together(w.play(alice, 10))
	w.writer = first
	w.together(w.play(alice, 10))
	heads := w.newestBlocks()
	if len(heads) != 2 || heads[0].Lane != before {
		t.Fatalf("lanes %v", heads)
	}
	if !r.has(heads[1]) {
		t.Errorf("head %+v of another lane was not reported", heads[1])
	}
	r.allStored(w)
}

// cashes is an item that ends a round of mines.
func (w *world) cashes(open bet.Open) player.Item {
	w.Helper()
	steps, err := open.Steps(game.Mines())
	if err != nil {
		w.Fatal(err)
	}
	request := player.StepRequest{
		RoundID: open.ID, Step: open.Step(), Action: game.ActionOf("cashOut"), Steps: steps, At: w.now(),
		Voiding: player.Voiding{Spare: w.spare(), ServerClientSeed: "of the server", AuditID: w.id()},
	}
	return player.Item{
		Wallet: open.Wallet, At: request.At, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, Draw: true, OpenRounds: true, Game: open.GameType},
		Decide: func(v player.View) (player.Change, error) { return player.StepRound(v, request) },
	}
}

// TestPairsCloseInTheMiddleOfABatch closes an active pair, a next pair and a new pair; then each
// is revealed with its round. The tables take nothing more from a closing pair, and don't let it
// go back.
func TestPairsCloseInTheMiddleOfABatch(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(10_000, w.login(alice), w.login(bob))
		breaks := func() player.Item { return w.playOf(brokenDice{game.Dice()}, alice, money.SOL, 10) }
		receipts, errs := w.together(w.opens(alice, 10), breaks(), w.opens(alice, 10), w.play(bob, 10), breaks(), w.opens(alice, 10), breaks(), w.play(alice, 10))
		if errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		var open []bet.Open
		for i, at := range []int{0, 2, 5} {
			open = append(open, receipts[at].Change.Steps[0])
			if void := receipts[[]int{1, 4, 6}[i]].Change; void.Closing == nil || void.Closing.ID != open[i].PairID || void.Closing.Nonce != 2 {
				t.Errorf("%d: %+v closes", i, void.Closing)
			}
		}
		if n := w.number("SELECT count(*) FROM seed_pairs WHERE state = 'closing' AND sealed IS NOT NULL AND revealed IS NULL AND nonce = 2"); n != 3 {
			t.Errorf("%d pairs are closing", n)
		}
		for what, text := range map[string]string{
			"a nonce of a closing pair":         "UPDATE seed_pairs SET nonce = nonce + 1, was = nonce WHERE state = 'closing'",
			"a nonce with its reveal":           "UPDATE seed_pairs SET nonce = nonce + 1, was = nonce, state = 'retired', revealed = 'x', sealed = NULL WHERE state = 'closing'",
			"another client seed":               "UPDATE seed_pairs SET client_seed = 'x', was = nonce, state = 'retired', revealed = 'x', sealed = NULL WHERE state = 'closing'",
			"a closing pair that is next again": "UPDATE seed_pairs SET state = 'next', was = nonce WHERE state = 'closing'",
			"one that stays as it is":           "UPDATE seed_pairs SET was = nonce WHERE state = 'closing'",
			"one that is active again": "UPDATE seed_pairs SET state = 'active', was = nonce WHERE state = 'closing' AND id = (SELECT p.id FROM seed_pairs AS p " +
				"WHERE p.state = 'closing' ORDER BY p.id LIMIT 1)",
		} {
			if _, err := w.beside().Exec(on.query(text)); err == nil {
				t.Errorf("the tables take %s", what)
			}
		}
		receipts, errs = w.together(w.cashes(open[2]), w.play(bob, 10), w.cashes(open[0]), w.cashes(open[1]))
		if errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		for i, at := range []int{2, 3, 0} {
			if closed := receipts[at].Change.Closed; closed == nil || closed.ID != open[i].PairID || closed.Rounds != 2 || closed.Verify() != nil {
				t.Errorf("%d: revealed %+v", i, closed)
			}
		}
		if closing, retired := w.number("SELECT count(*) FROM seed_pairs WHERE state = 'closing'"), w.number("SELECT count(*) FROM seed_pairs WHERE state = 'retired'"); closing != 0 || retired != 3 {
			t.Errorf("%d pairs are closing, %d retired", closing, retired)
		}
		w.audited("")
	})
}

// fresh marks the item's own id as just drawn, as that of every real bet is.
func fresh(item player.Item) player.Item {
	item.Fresh = true
	return item
}

// TestRule04AFreshIDIsLookedForInFurtherRuns loses COMMITs of batches of bets: each bet is booked
// once and has its own answer.
func TestRule04AFreshIDIsLookedForInFurtherRuns(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for _, carriedOut := range []bool{true, false} {
			for _, bets := range []int{1, 2} {
				t.Run(fmt.Sprintf("%d bets, carried out %v", bets, carriedOut), func(t *testing.T) {
					t.Parallel()
					w, f := watched(t, on, sqlstore.WriterOptions{})
					w.begin(1000, w.login(alice), w.login(bob))
					items := []player.Item{fresh(w.play(alice, 10)), fresh(w.play(bob, 20))}[:bets]
					f.loseCommit(carriedOut, 2)
					receipts, errs := w.together(items...)
					if err := errors.Join(errs...); err != nil {
						t.Fatal(err)
					}
					for i, receipt := range receipts {
						round := receipt.Change.Round
						if receipt.Replayed || round == nil || round.Balance != w.balance(items[i].Wallet) {
							t.Errorf("bet %d is answered %+v, the balance is %d", i, receipt, w.balance(items[i].Wallet))
						}
					}
					if stored := w.number("SELECT count(*) FROM rounds"); stored != int64(bets) {
						t.Errorf("%d rounds are stored of %d bets", stored, bets)
					}
					w.sound()
				})
			}
		}
	})
}

// TestRule04SomebodyElsesClaimIsNoFirstAnswer lets another writer take the claims of a batch
// whose COMMIT was lost before it took effect: the answer is the other's, not the lost one.
func TestRule04SomebodyElsesClaimIsNoFirstAnswer(t *testing.T) {
	t.Parallel()
	w, f := watched(t, onSQLite, sqlstore.WriterOptions{ID: "here"})
	w.begin(1000, w.login(alice), w.login(bob))
	there := &world{TB: t, on: w.on, where: w.where, clock: w.clock, entropy: w.entropy}
	there.open(sqlstore.WriterOptions{ID: "there"}, unwrapped)
	there.start(there.writer)

	mine, theirs := w.credit(alice, "one payment", money.SOL, 70), w.credit(bob, "one payment", money.SOL, 70)
	adjusted, first := keyed(w.adjust(alice, 5), "key", "print"), keyed(w.adjust(alice, 5), "key", "print")
	f.meanwhile = func() {
		for _, item := range []player.Item{theirs, first} {
			if _, err := there.writer.Commit(context.WithoutCancel(t.Context()), item); err != nil {
				t.Error(err)
			}
		}
	}
	f.loseCommit(false, 1)
	receipts, errs := w.together(mine, adjusted)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if !receipts[0].Replayed || receipts[0].Holder.Wallet != bob {
		t.Errorf("who came second is told %+v", receipts[0])
	}
	if !receipts[1].Replayed || receipts[1].Change.Balance != 1005 {
		t.Errorf("the key that was used elsewhere meanwhile is answered %+v", receipts[1])
	}
	if a, b := w.balance(alice), w.balance(bob); a != 1005 || b != 1070 {
		t.Errorf("alice has %d and bob %d", a, b)
	}
	w.sound()
}
