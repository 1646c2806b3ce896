package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// keyName identifies a unique key.
type keyName struct {
	kind      player.KeyKind
	scope, id string
}

func nameOf(c player.UniqueKey) keyName { return keyName{c.Kind, c.Scope, c.ID} }

// held is a unique key in use, with the answer stored under it.
type held struct {
	player.Holder
	answer player.Change
}

// Commit serves ports.Writer. It runs the decision once, under the store's lock, so the
// decision must not call the store.
func (s *Store) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	if err := player.CheckItem(&item); err != nil {
		return player.Receipt{}, err
	}
	at := places{item.Wallet, item.Source}
	if err := s.flights.begin(at); err != nil {
		return player.Receipt{}, err
	}
	defer s.flights.end(at)
	defer s.locked()()
	switch {
	case s.stopped:
		return player.Receipt{}, notTaken("the store was stopped")
	case ctx.Err() != nil:
		return player.Receipt{}, notTaken("the request ended before it was processed")
	}
	if receipt, err := s.replay(item.Keys); receipt.Replayed || err != nil {
		return receipt, err
	}
	if closed := s.control.Open(); closed != nil && !item.WhileRestored {
		return player.Receipt{}, closed
	}
	whole, seen, change, err := s.decided(&item)
	if err != nil {
		return player.Receipt{}, err
	}
	if err := player.Check(&item, &seen, &change); err != nil {
		return player.Receipt{}, err
	}
	after, err := player.Apply(whole, change)
	if err != nil {
		return player.Receipt{}, err
	}
	if err := s.checkUnique(seen, change); err != nil {
		return player.Receipt{}, fmt.Errorf("memory: item of wallet %q: %w", item.Wallet, err)
	}
	return player.Receipt{Change: change, Covered: s.store(item, whole, after, change)}, nil
}

func notTaken(why string) error {
	return fault.New(fault.Unavailable, "%s", why).With("outcome", "none")
}

// replay answers from the first of the unique keys that is already in use. It tries the
// client's own key first: its stored answer belongs to this very request, or there is a
// conflict.
func (s *Store) replay(claims []player.UniqueKey) (player.Receipt, error) {
	ordered := slices.SortedFunc(slices.Values(claims), func(c, d player.UniqueKey) int {
		return cmp.Or(-cmp.Compare(keyed(c), keyed(d)), c.Compare(d))
	})
	for _, c := range ordered {
		taken, ok := s.keys[nameOf(c)]
		if !ok {
			continue
		}
		if c.Conflicts(taken.Key) {
			return player.Receipt{}, c.Conflict()
		}
		return player.Receipt{Change: taken.answer, Replayed: true, Holder: taken.Holder}, nil
	}
	return player.Receipt{}, nil
}

func keyed(c player.UniqueKey) int {
	if c.Kind == player.IdempotencyKey {
		return 1
	}
	return 0
}

// decided runs the decision, and repeats it while it asks for more needs.
func (s *Store) decided(item *player.Item) (whole, seen player.View, change player.Change, err error) {
	for range player.NeedsTries {
		whole = s.whole(*item)
		player.Narrow(&seen, &whole, &item.Needs)
		change, err = decide(*item, seen)
		more, missing := player.MissingNeeds(err)
		if !missing {
			break
		}
		item.Needs = item.Needs.With(more)
	}
	return whole, seen, change, err
}

// decide runs the decision and turns a panic into an error.
func decide(item player.Item, v player.View) (change player.Change, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("memory: the decision of an item of wallet %q panicked: %v", item.Wallet, reason)
		}
	}()
	return item.Decide(v)
}

// store applies a checked change; it can't fail. It returns the place of the change in its
// block.
func (s *Store) store(item player.Item, before, after player.View, c player.Change) player.Covered {
	s.storeForwarded(after, c)
	if item.Wallet != "" {
		s.wallets[item.Wallet] = walletPart(after)
	}
	for _, posting := range c.Postings {
		if err := s.book.Post(posting); err != nil {
			panic(fmt.Sprintf("memory: the book refused a checked change: %v", err))
		}
	}
	s.count(before, after, c)
	content := hashchain.Content{At: item.At, Postings: c.Postings, Audit: c.Audit, Events: before.Events(&c)}
	if c.Round != nil {
		key, cell := figure.Of(*c.Round)
		s.figures[key] = s.figures[key].Add(cell)
		s.addPlay(figure.PlayerOf(*c.Round))
		round := stored(*c.Round)
		s.rounds = inserted(s.rounds, round, roundID)
		s.nonces[nonce{round.PairID, round.Nonce}] = true
		content.Rounds = []bet.Round{round}
	}
	s.storeOpen(before, c)
	if t := c.Seamless; t != nil {
		if key, cell, counts := figure.OfSeamless(*t); counts {
			s.figures[key] = s.figures[key].Add(cell)
			played, _, _ := figure.PlayerOfSeamless(*t)
			s.addPlay(played, cell.Played())
		}
		s.providerTransactions = inserted(s.providerTransactions, *t, transactionID)
		s.countHour(item, *t)
		content.Seamless = []seamless.Transaction{*t}
	}
	if c.ProviderRound != nil {
		s.storeProviderRound(*c.ProviderRound)
	}
	s.storePair(before, c)
	s.storeLines(before, c)
	s.storeApproval(c)
	if c.Login != nil {
		s.logins = append(s.logins, *c.Login)
	}
	s.storeSession(c)
	if c.Attempt != nil {
		s.attempts[c.Attempt.WithdrawalID] = append(s.attempts[c.Attempt.WithdrawalID], *c.Attempt)
		s.signatures[c.Attempt.Signature] = true
	}
	if c.DeadAttempt != 0 {
		s.buried[s.attempts[c.Withdrawal.ID][c.DeadAttempt-1].Signature] = true
	}
	block := s.seal(content)
	s.storeKeys(item, before, c)
	return player.Covered{Block: block, Round: content.RoundIndex(0), Events: content.Events, Event: content.EventIndex(0)}
}

// stored returns a round as it is read back, without its theory, which only figures keep.
func stored(r bet.Round) bet.Round {
	r.Theory = bet.Theory{}
	return r
}

// seal appends the block of a commit, or nothing if the commit is empty.
func (s *Store) seal(c hashchain.Content) *hashchain.Sealed {
	if c.Empty() {
		return nil
	}
	for _, record := range c.Audit {
		s.keepRecord(record)
	}
	c.Epoch = s.control.Epoch
	c.Postings, c.Audit = slices.Clone(c.Postings), slices.Clone(c.Audit)
	block := hashchain.Seal(s.heads[lane], c)
	s.appendBlock(block.Header, c)
	return block
}

func (s *Store) keepRecord(record audit.Record) {
	s.records[record.ID] = true
	s.audit = inserted(s.audit, record, recordID)
}

func (s *Store) appendBlock(block hashchain.Header, c hashchain.Content) {
	head := block.Head()
	s.blocks = append(s.blocks, ports.Block{
		Head: head, Previous: block.Previous, Root: block.Root, Size: block.Size, Number: int64(len(s.blocks)) + 1, Content: c,
	})
	s.heads[head.Lane] = head
}

// lane is the lane of every commit.
const lane = 0

// storeKeys stores the item's unique keys and, for a new round, withdrawal or adjustment, a key
// of its id.
func (s *Store) storeKeys(item player.Item, before player.View, c player.Change) {
	claims := slices.Clone(item.Keys)
	if c.Round != nil {
		claims = append(claims, player.UniqueKey{Kind: player.RoundKey, ID: c.Round.ID})
	}
	if c.Withdrawal != nil && before.Withdrawals[c.Withdrawal.ID].ID == "" {
		claims = append(claims, player.UniqueKey{Kind: player.WithdrawalKey, ID: c.Withdrawal.ID})
	}
	if c.Adjustment != nil {
		claims = append(claims, player.UniqueKey{Kind: player.AdjustmentKey, ID: c.Adjustment.ID})
	}
	answer := c.Answer()
	for _, claim := range claims {
		s.keys[nameOf(claim)] = held{
			Holder: player.Holder{Key: claim, Wallet: item.Wallet, At: item.At}, answer: answer,
		}
	}
}

// withoutSeeds returns a pair as it may be shown: with both commitments and no seed.
func withoutSeeds(p fairness.Pair) fairness.Pair {
	p.Seed, p.Next.Seed = fairness.ServerSeed{}, fairness.ServerSeed{}
	return p
}

func copied[T any](value *T) *T {
	if value == nil {
		return nil
	}
	twin := *value
	return &twin
}

// InFlightMax is how many items of one wallet and source may wait or run at the same
// time.
const InFlightMax = 16

// flights counts the items in progress. It has its own lock, because it must also count
// items that wait for the store's.
type flights struct {
	mu   sync.Mutex
	open map[places]int
}

// places identifies the items of one wallet and source.
type places struct {
	wallet wallet.Address
	source player.Source
}

func (f *flights) begin(p places) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p.wallet != "" && f.open[p] >= InFlightMax {
		return fault.New(fault.RateLimited, "%d requests of this player are already in progress", InFlightMax).
			With("retryAfterMs", int64(100))
	}
	f.open[p]++
	return nil
}

func (f *flights) end(p places) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open[p]--; f.open[p] == 0 {
		delete(f.open, p)
	}
}
