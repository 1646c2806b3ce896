package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/test/fakes"
)

func TestRule08LaneRowsComeLastAndLanesAddUp(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, f := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob))
		if _, errs := w.together(keyed(w.play(bob, 10), "key", ""), w.play(alice, 10), w.withdraw(alice, 10)); errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		order := []string{
			"INSERT INTO unique_keys", "JOIN blocks", "seed_pairs AS a", "UPDATE unique_keys", "UPDATE seed_pairs", "INSERT INTO names", "INSERT INTO rounds",
			"UPDATE balances", "INSERT INTO transactions", "INSERT INTO transfers",
			"INSERT INTO lane_totals", "INSERT INTO daily_figures", "INSERT INTO blocks",
		}
		at := -1
		for _, q := range f.asked() {
			if i := slices.IndexFunc(order, func(part string) bool { return strings.Contains(q, part) }); i >= 0 {
				if i < at {
					t.Errorf("%q comes after %q", order[i], order[at])
				}
				at = i
			}
		}
		if at != len(order)-1 {
			t.Errorf("the last of the lane's rows is %q", order[at])
		}

		second := w.must(w.store.Writer(sqlstore.WriterOptions{ID: "second", Lane: 7}))
		first := w.writer
		w.writer = second
		if _, errs := w.together(w.play(bob, 10), w.play(bob, 10)); errors.Join(errs...) != nil {
			t.Fatal(errs)
		}
		w.writer = first
		if _, errs := w.together(w.play(alice, 10)); errs[0] != nil {
			t.Fatal(errs)
		}
		if n := w.number(`SELECT count(DISTINCT lane) FROM blocks`); n != 2 {
			t.Errorf("blocks of %d lanes", n)
		}
		if n := w.number(`SELECT sum(hi) * 1099511627776 + sum(lo) FROM lane_totals`); n != 0 {
			t.Errorf("the kept totals of all lanes add up to %d", n)
		}
		if n := w.number(`SELECT sum(rounds) FROM daily_figures`); n != 5 {
			t.Errorf("%d rounds are counted", n)
		}
		house := w.number(`SELECT sum(hi) * 1099511627776 + sum(lo) FROM lane_totals WHERE kind = 'house'`)
		if want := w.number(`SELECT sum(wager - payout) FROM rounds`); house != want {
			t.Errorf("the house has %d, its rounds make %d", house, want)
		}
	})
}

func TestRule09EachHeadIsReportedAndASecondBlockOfANumberIsRefused(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		var reported []witness.Head
		w, f := watched(t, on, sqlstore.WriterOptions{Sealed: func(h witness.Head) { reported = append(reported, h) }})
		w.begin(1000, w.login(alice))
		f.loseCommit(true, 1)
		for range 3 {
			if _, errs := w.together(w.play(alice, 10)); errs[0] != nil {
				t.Fatal(errs)
			}
		}
		for i, head := range reported {
			if i > 0 && head.Seq <= reported[i-1].Seq {
				t.Errorf("heads out of order: %v", reported)
			}
			if n := w.number(`SELECT count(*) FROM blocks WHERE seq = ? AND hash = ?`, head.Seq, head.Hash.String()); n != 1 {
				t.Errorf("head %v is not stored", head)
			}
		}
		if last := w.number(`SELECT max(seq) FROM blocks`); reported[len(reported)-1].Seq != last {
			t.Errorf("the last head reported is %d, the last block %d", reported[len(reported)-1].Seq, last)
		}
		db := w.beside()
		for _, change := range append([]string{
			`INSERT INTO blocks SELECT * FROM blocks WHERE seq = 1`, `UPDATE blocks SET hash = previous`, `DELETE FROM blocks`,
			`UPDATE transfers SET amount = amount + 1`, `DELETE FROM transfers`, `UPDATE rounds SET payout = 0`,
			`INSERT INTO transfers SELECT * FROM all_transfers WHERE kind = 'round'`, `DELETE FROM rounds`, `UPDATE audit SET was = ''`, `DELETE FROM audit`, `DELETE FROM transactions`,
			`UPDATE seed_pairs SET nonce = 0`, `UPDATE seed_pairs SET state = 'next', nonce = 9`, `DELETE FROM seed_pairs`,
			`INSERT INTO rounds ` + ofRounds + ` SELECT ` + on.newID() + `, wallet, agent, game, rules, token, wager, payout, multiplier_num,
			multiplier_den, config, outcome, void, pair_id, nonce + 100, balance, at, lane, seq, position FROM rounds`,
		}, blocksOutOfOrder...) {
			if _, err := db.Exec(change); err == nil {
				t.Errorf("the schema allows %q", change)
			}
		}
		w.sound()
	})
}

func TestRule12AContendedBatchRunsAgainAsAWhole(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, f := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice), w.login(bob))
		for _, at := range []string{"INSERT INTO unique_keys", "seed_pairs AS a", "INSERT INTO rounds", "INSERT INTO lane_totals"} {
			f.failOn(at, on.contended(t), on.contended(t))
			if _, errs := w.together(keyed(w.play(alice, 10), at, ""), w.play(bob, 10)); errors.Join(errs...) != nil {
				t.Errorf("contended at %q: %v", at, errs)
			}
		}
		f.failOn("INSERT INTO rounds", slices.Repeat([]error{on.contended(t)}, 2*sqlstore.ContendedTries)...)
		for _, err := range w.failedStep(w.play(alice, 10)) {
			var refusal *fault.Error
			if !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] != "none" {
				t.Errorf("contended without end: %v", err)
			}
		}
		f.mend()
		w.sound()
	})
}

// failedStep submits the items and takes a step that must fail.
func (w *world) failedStep(items ...player.Item) []error {
	w.Helper()
	done := make(chan error, 1)
	go func() { done <- w.stepWhenWaiting(len(items)) }()
	errs := w.commitAll(items...)
	if <-done == nil {
		w.Error("the step reports no error")
	}
	return errs
}

func TestRule14NothingHappensWithoutAStep(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{BatchMax: 2})
		if worked, err := w.writer.Step(t.Context()); worked || err != nil {
			t.Errorf("an idle step worked %v, %v", worked, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var answered atomic.Int32
		var all sync.WaitGroup
		for range 5 {
			item := w.login(fakes.Wallet(w.id()))
			all.Go(func() {
				_, _ = w.writer.Commit(ctx, item)
				answered.Add(1)
			})
		}
		for w.writer.Waiting() < 5 {
			pauseALittle()
		}
		if n := w.number(`SELECT count(*) FROM players`); n != 0 || answered.Load() != 0 {
			t.Errorf("%d players and %d answers without a step", n, answered.Load())
		}
		for _, want := range []int64{2, 4} {
			w.step()
			if n := w.number(`SELECT count(*) FROM players`); n != want {
				t.Errorf("%d players after a step, want %d", n, want)
			}
		}
		cancel()
		all.Wait()
		w.sound()
	})
}

func TestRule15SumsNeverOverflow(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		capital, chain := ledger.System(ledger.Capital), ledger.System(ledger.Chain)
		var items []player.Item
		for i := range 9 {
			item := w.posts("", fmt.Sprint("top-up ", i),
				ledger.Transfer{Debit: chain, Credit: capital, Token: money.SOL, Amount: money.Max})
			item.Needs = player.Needs{}
			items = append(items, item)
		}
		for _, batch := range [][]player.Item{items[:1], items[1:4], items[4:]} {
			if _, errs := w.together(batch...); errors.Join(errs...) != nil {
				t.Fatal(errs)
			}
		}
		want := money.TotalOfProduct(uint64(money.Max), 9)
		for kind, total := range map[string]money.Total{"capital": want, "chain": want.Neg()} {
			hi := w.number(`SELECT hi FROM lane_totals WHERE kind = ?`, kind)
			lo := w.number(`SELECT lo FROM lane_totals WHERE kind = ?`, kind)
			if got := money.TotalFromParts(hi, lo); got != total {
				t.Errorf("%s holds %v, want %v", kind, got, total)
			}
		}
		w.sound()
	})
}

// blocksOutOfOrder insert blocks that don't follow the newest: after a gap, after another block,
// in a lane that doesn't begin with it, and the newest once more.
var blocksOutOfOrder = []string{
	`INSERT INTO blocks (lane, seq, previous, hash, at, epoch, seal) SELECT lane, seq + 100, hash, previous, at, epoch, seal FROM blocks`,
	`INSERT INTO blocks (lane, seq, previous, hash, at, epoch, seal) SELECT lane, seq + 1, previous, hash, at, epoch, seal FROM blocks AS b
		WHERE seq = (SELECT max(n.seq) FROM blocks AS n WHERE n.lane = b.lane)`,
	`INSERT INTO blocks (lane, seq, previous, hash, at, epoch, seal) SELECT 60, 5, previous, hash, at, epoch, seal FROM blocks WHERE seq = 1`,
	`INSERT INTO blocks (lane, seq, previous, hash, at, epoch, seal) SELECT lane, seq + 5, previous, hash, at, epoch + 1, seal FROM blocks AS b
		WHERE seq = (SELECT max(n.seq) FROM blocks AS n WHERE n.lane = b.lane)`,
	`INSERT INTO blocks (lane, seq, previous, hash, at, epoch, seal) SELECT lane, seq + 1000, hash, previous, at, epoch, seal FROM blocks AS b
		WHERE seq = (SELECT max(n.seq) FROM blocks AS n WHERE n.lane = b.lane)`,
}

// TestPostgresALaneJustTakenOpensNothingBesideOthers checks the sharing of the bankroll: it is
// divided among the lanes in use, and a batch that began before a lane was taken doesn't count
// that lane. All items except openings continue meanwhile.
func TestPostgresALaneJustTakenOpensNothingBesideOthers(t *testing.T) {
	t.Parallel()
	w := idleWorld(t, onPostgres, sqlstore.WriterOptions{}, unwrapped)
	w.begin(1000, w.login(alice), w.login(bob))
	second := w.another(sqlstore.WriterOptions{})
	item := w.play(alice, 10)
	decide := item.Decide
	item.Decide = func(v player.View) (player.Change, error) {
		_, errs := second.together(second.opens(bob, 10), second.play(bob, 10))
		if !fault.Is(errs[0], fault.WagerOutOfRange) || errs[1] != nil {
			t.Errorf("beside a batch that was there before the lane: %v", errs)
		}
		return decide(v)
	}
	if _, errs := w.together(item); errs[0] != nil {
		t.Fatal(errs)
	}
	if _, errs := second.together(second.opens(bob, 10)); errs[0] != nil {
		t.Errorf("after it: %v", errs)
	}
	w.audited("")
}
