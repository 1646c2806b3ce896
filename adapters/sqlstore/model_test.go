package sqlstore_test

import (
	"database/sql"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// model is a store that keeps everything in maps and runs one item at a time.
type model struct {
	views map[wallet.Address]player.View
	held  map[player.UniqueKey]player.Receipt // by claim without its fingerprint
	print map[player.UniqueKey]string
	book  ledger.Book
}

func newModel() *model {
	return &model{
		views: map[wallet.Address]player.View{}, held: map[player.UniqueKey]player.Receipt{},
		print: map[player.UniqueKey]string{},
	}
}

// commit predicts the answer to an item.
func (m *model) commit(item player.Item) (player.Receipt, error) {
	claim := item.Keys[0]
	fingerprint := claim.Fingerprint
	claim.Fingerprint = ""
	if earlier, ok := m.held[claim]; ok {
		if m.print[claim] != fingerprint {
			return player.Receipt{}, fault.New(fault.IdempotencyConflict, "another request")
		}
		earlier.Replayed = true
		return earlier, nil
	}
	view := m.views[item.Wallet]
	view.Player.Wallet = item.Wallet
	seen := view
	if !item.Needs.Pair {
		seen.Pair.Next = fairness.NextSeed{}
	}
	change, err := item.Decide(seen)
	if err != nil {
		return player.Receipt{}, err
	}
	next, err := player.Apply(view, change)
	if err != nil {
		return player.Receipt{}, err
	}
	for _, p := range change.Postings {
		if err := m.book.Post(p); err != nil {
			return player.Receipt{}, err
		}
	}
	m.views[item.Wallet] = next
	m.held[claim], m.print[claim] = player.Receipt{Change: change}, fingerprint
	return player.Receipt{Change: change}, nil
}

// told returns an answer as comparable text.
func told(r player.Receipt, err error) string {
	if err != nil {
		return fmt.Sprint("refused as ", fault.KindOf(err))
	}
	text := fmt.Sprintf("replayed %v balance %d", r.Replayed, r.Change.Balance)
	if round := r.Change.Round; round != nil {
		bare := *round
		bare.Theory = bet.Theory{}
		return text + fmt.Sprintf(" round %+v", bare) // a replay has nothing else
	}
	if r.Change.Withdrawal != nil {
		text += fmt.Sprintf(" withdrawal %+v", *r.Change.Withdrawal)
	}
	if r.Change.Deposit != nil {
		text += fmt.Sprintf(" deposit %+v", *r.Change.Deposit)
	}
	if r.Change.Adjustment != nil {
		text += fmt.Sprintf(" adjustment %+v", *r.Change.Adjustment)
	}
	if r.Change.Retired != nil {
		text += fmt.Sprintf(" retired %+v", *r.Change.Retired)
	}
	if pair := r.Change.Pair; pair != nil {
		bare := *pair
		bare.Seed, bare.Next.Seed, bare.Epoch = fairness.ServerSeed{}, fairness.ServerSeed{}, 0 // no answer includes them
		text += fmt.Sprintf(" pair %+v", bare)
	}
	return text
}

// story draws players' items. It remembers items and withdrawals, to repeat and to cancel them.
type story struct {
	*world
	items       []player.Item
	withdrawals []withdrawal.Withdrawal
	deposits    int
}

// next draws an item. Only a wallet that signed in plays, rotates or withdraws, because others
// have no session.
func (s *story) next(t *rapid.T, m *model) player.Item {
	who := rapid.SampledFrom([]wallet.Address{alice, bob, carol}).Draw(t, "who")
	amount := rapid.Int64Range(1, 600).Draw(t, "amount")
	item := s.login(who)
	what := []string{"login", "deposit", "credit", "again"}
	if m.views[who].Player.Known() {
		what = append(what, "deposit", "play", "play", "play", "broken play", "rotate", "withdraw", "cancel", "debit")
	}
	switch rapid.SampledFrom(what).Draw(t, "what") {
	case "deposit":
		s.deposits += rapid.IntRange(0, 1).Draw(t, "a new transaction")
		item = s.credit(who, fmt.Sprint("tx ", s.deposits), money.SOL, money.Amount(amount))
	case "play":
		item = s.play(who, money.Amount(amount))
	case "broken play":
		item = s.playOf(brokenDice{game.Dice()}, who, usd, money.Amount(amount))
	case "rotate":
		item = s.rotate(who, rapid.SampledFrom([]string{"", "mine"}).Draw(t, "client seed"))
	case "withdraw":
		item = s.withdraw(who, money.Amount(amount))
	case "cancel":
		if len(s.withdrawals) > 0 {
			w := rapid.SampledFrom(s.withdrawals).Draw(t, "which")
			item = s.cancel(w.Wallet, w.ID)
		}
	case "credit":
		item = s.adjust(who, amount)
	case "debit":
		item = s.adjust(who, -amount)
	case "again":
		if len(s.items) > 0 {
			return rapid.SampledFrom(s.items).Draw(t, "which")
		}
	}
	if item.Keys[0].Kind != player.DepositKey && rapid.IntRange(0, 3).Draw(t, "keyed") == 0 {
		item = keyed(item, rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "key"),
			rapid.SampledFrom([]string{"one", "two"}).Draw(t, "fingerprint"))
	}
	s.items = append(s.items, item)
	return item
}

// TestRule06TheWriterDoesWhatApplyAndTheBookSay compares every answer to random items, in batches
// of several sizes, with a model that runs one at a time.
func TestRule06TheWriterDoesWhatApplyAndTheBookSay(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		var w *world
		f := &faults{}
		rapid.Check(t, func(rt *rapid.T) {
			most := rapid.SampledFrom([]int{1, 2, 3, sqlstore.BatchMax}).Draw(rt, "largest batch")
			w = emptied(t, on, w, sqlstore.WriterOptions{BatchMax: most}, f)
			s := &story{world: w}
			m := newModel()
			for range rapid.IntRange(1, 12).Draw(rt, "batches") {
				s.batch(rt, m, f, min(most, 12))
			}
			s.sound()
			s.agrees(rt, m)
			s.writer.Release()
			if !on.numbered {
				if err := s.store.Close(); err != nil {
					rt.Error(err)
				}
			}
		})
	})
}

// emptied returns an idle world without data: used with another writer, where deleting its rows
// is faster than opening a store, else a new one.
func emptied(t *testing.T, on engine, used *world, o sqlstore.WriterOptions, f *faults) *world {
	t.Helper()
	if used == nil || on.empty == nil {
		return worldAt(t, on, on.fresh(t), o, f.through)
	}
	f.mend()
	used.writer.Release() // if the story before failed
	if err := used.reading(func(db *sql.DB) error { return on.empty(db) }); err != nil {
		t.Fatal(err)
	}
	o.ID = used.id()
	used.writer = used.must(used.store.Writer(o))
	return used
}

// batch commits one batch, which may be lost or contended at its commit, and compares its answers with
// the model's.
func (s *story) batch(t *rapid.T, m *model, f *faults, most int) {
	items := make([]player.Item, rapid.IntRange(1, most).Draw(t, "items"))
	for i := range items {
		items[i] = s.next(t, m)
	}
	lost := rapid.IntRange(0, 9).Draw(t, "fault")
	switch lost {
	case 0:
		f.loseCommit(true, 1)
	case 1:
		f.loseCommit(false, 1)
	}
	for len(items) > 0 {
		n := inTurn(items)
		before := f.commits
		receipts, errs := s.together(items[:n]...)
		answers := m.batch(items[:n], lost == 0 && f.commits > before)
		for i, item := range items[:n] {
			if got, want := told(receipts[i], errs[i]), told(answers[i].receipt, answers[i].err); got != want {
				t.Fatalf("item %v of %s\n got %s, %v\nwant %s, %v", item.Keys, item.Wallet, got, errs[i], want, answers[i].err)
			}
			if w := answers[i].receipt.Change.Withdrawal; w != nil {
				s.withdrawals = append(s.withdrawals, *w)
			}
		}
		if f.commits > before {
			lost = -1
		}
		items = items[n:]
	}
	f.mend()
}

type outcome struct {
	receipt player.Receipt
	err     error
}

// batch predicts the answers to a batch. If its commit was lost after it took effect, the batch
// ran again, and refused items were decided again, after all committed ones.
func (m *model) batch(items []player.Item, again bool) []outcome {
	answers := make([]outcome, len(items))
	for i, item := range items {
		answers[i].receipt, answers[i].err = m.commit(item)
	}
	for i, item := range items {
		if again && answers[i].err != nil {
			answers[i].receipt, answers[i].err = m.commit(item)
		}
	}
	return answers
}

// inTurn returns how many of the items the queue hands out in their order: it goes round the
// wallets, each of which gives one item at a time.
func inTurn(items []player.Item) int {
	n := 1
	for n < len(items) && inOrder(items[:n+1]) {
		n++
	}
	return n
}

func inOrder(items []player.Item) bool {
	lines, turn := map[wallet.Address][]int{}, []wallet.Address{}
	for i, item := range items {
		if lines[item.Wallet] == nil {
			turn = append(turn, item.Wallet)
		}
		lines[item.Wallet] = append(lines[item.Wallet], i)
	}
	for at := 0; len(turn) > 0; at++ {
		name := turn[0]
		turn = turn[1:]
		if lines[name][0] != at {
			return false
		}
		if lines[name] = lines[name][1:]; len(lines[name]) > 0 {
			turn = append(turn, name)
		}
	}
	return true
}

// agrees compares the final stored state with the model.
func (s *story) agrees(t *rapid.T, m *model) {
	for who, view := range m.views {
		if got := s.balance(who); got != view.Balances[money.SOL] {
			t.Errorf("%s has %d, want %d", who, got, view.Balances[money.SOL])
		}
		nonce := int64(0)
		if view.Player.Known() {
			nonce = s.number(`SELECT nonce FROM seed_pairs WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND state = 'active'`, string(who))
		}
		if nonce != view.Pair.Nonce {
			t.Errorf("%s is at nonce %d, want %d", who, nonce, view.Pair.Nonce)
		}
	}
}
