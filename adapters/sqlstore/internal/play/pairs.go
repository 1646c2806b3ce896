package play

import (
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/wallet"
)

// pairState is the state of a stored seed pair.
type pairState string

const (
	pairNext    pairState = "next"
	pairActive  pairState = "active"
	pairClosing pairState = "closing"
	pairRetired pairState = "retired"
)

// pair is a stored seed pair.
type pair struct {
	bun.BaseModel `bun:"table:seed_pairs,alias:p"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	ID            string         `bun:",pk,type:uuid"`
	State         pairState
	Sealed        sql.RawBytes // until it is retired
	Commitment    string
	ClientSeed    string
	ClientSource  string // empty for a next pair
	Nonce         int64
	Was           int64  // the nonce before
	Revealed      string `bun:",nullzero"`  // the server seed of a retired pair
	NextID        string `bun:",type:uuid"` // the following pair; empty for a next pair
	Epoch         int64
	Since         time.Time `bun:",notnull"` // zero if it was never active
}

var seedPairs = table.ModelOf[pair, pair]()

// revealed returns the public data of a retired pair.
func (p pair) revealed() (fairness.Revealed, error) {
	source, err := p.source()
	return fairness.Revealed{
		ID: p.ID, ServerSeed: p.Revealed, Commitment: p.Commitment, ClientSeed: p.ClientSeed, ClientSource: source, Rounds: p.Nonce, Since: p.Since,
	}, err
}

// source returns who chose the client seed, for an active or retired pair.
func (p pair) source() (fairness.ClientSource, error) {
	source, known := fairness.ParseClientSource(p.ClientSource)
	return source, table.Unknown(known, "a client source", p.ClientSource)
}

// RevealedPairs is a view of the public data of retired pairs.
var RevealedPairs = table.ViewOf(seedPairs.Only("id", "revealed", "commitment", "client_seed", "client_source", "nonce", "since"), pair.revealed)

// ReadRevealedSeeds reads the server seeds of retired pairs with their ids.
var ReadRevealedSeeds = db.NewQuery("SELECT p.id, p.revealed FROM {sent} AS s CROSS JOIN seed_pairs AS p WHERE p.id = s.id AND p.state = 'retired'", "id:uuid")

// DrawnFrom is a view of what rounds hold of their pairs, with the server seeds of retired ones.
var DrawnFrom = table.ViewOf(seedPairs.Only("id", "revealed", "commitment", "client_seed", "client_source").Reading("revealed", "coalesce(@.revealed, '')"), pair.revealed)

// shownPairs is the model of what players may see of their active pairs.
var shownPairs = seedPairs.Only("id", "commitment", "client_seed", "client_source", "nonce", "epoch", "since").As("a")

// ReadShownPairs reads them, with the players' data of their next pairs n and the keys of their
// wallets.
var ReadShownPairs = db.NewQuery("SELECT "+shownPairs.Columns()+`, n.id, n.commitment, s.wallet FROM {sent} AS s CROSS JOIN seed_pairs AS a
	JOIN seed_pairs AS n ON n.wallet = a.wallet AND n.id = a.next_id WHERE a.wallet = s.wallet AND a.state = 'active'`, "wallet:uuid")

// ScanShownPair reads a row of ReadShownPairs.
func ScanShownPair(row db.Row) (shown fairness.Pair, of table.ID, err error) {
	var next table.ID
	p, err := shownPairs.ScanWith(row, &next, &shown.Next.Commitment, &of)
	if err != nil {
		return shown, of, err
	}
	shown.ID, shown.Epoch, shown.Commitment, shown.ClientSeed, shown.Nonce, shown.Since, shown.Next.ID = p.ID, p.Epoch, p.Commitment, p.ClientSeed, p.Nonce, p.Since, string(next)
	shown.ClientSource, err = p.source()
	return shown, of, err
}

var (
	drawnPairs   = seedPairs.Only("id", "sealed", "commitment", "client_seed", "client_source", "nonce", "epoch", "since").As("a")
	closingPairs = seedPairs.Only("id", "sealed", "commitment", "client_seed", "client_source", "nonce", "epoch", "since", "next_id").As("a")
	nextPairs    = seedPairs.Only("id", "sealed", "commitment", "epoch").As("n")
	// The partial indexes of active and next pairs are used only for a condition with one state,
	// so the two are joined, not selected together.
	readPairs = db.NewQuery("SELECT "+drawnPairs.Columns()+", s.place, "+nextPairs.Columns()+`
		FROM {sent} AS s CROSS JOIN seed_pairs AS a CROSS JOIN seed_pairs AS n
		WHERE a.wallet = s.wallet AND a.state = 'active' AND n.wallet = s.wallet AND n.state = 'next'`, "wallet:uuid", "place:int")
	readDraws = db.NewQuery("SELECT "+drawnPairs.Columns()+`, s.place FROM {sent} AS s CROSS JOIN seed_pairs AS a
		WHERE a.wallet = s.wallet AND a.state = 'active'`, "wallet:uuid", "place:int")
	readClosing = db.NewQuery("SELECT "+closingPairs.Columns()+`, s.place FROM {sent} AS s CROSS JOIN seed_pairs AS a
		WHERE a.wallet = s.wallet AND a.state = 'closing'`, "wallet:uuid", "place:int")

	advancePairs = seedPairs.Update(table.Update{
		Set: []string{"nonce", "was"}, Where: "seed_pairs.state = 'active' AND seed_pairs.nonce = s.was",
	})
	retirePairs = seedPairs.Update(table.Update{
		Set:   []string{"client_seed", "client_source", "nonce", "was", "revealed", "next_id", "since"},
		Fixed: "state = 'retired', sealed = NULL",
		Where: "seed_pairs.state = s.was_state AND seed_pairs.nonce = s.was", More: []string{"was_state"},
	})
	closePairs = seedPairs.Update(table.Update{
		Set:   []string{"client_seed", "client_source", "nonce", "was", "next_id", "since"},
		Fixed: "state = 'closing'",
		Where: "seed_pairs.state = s.was_state AND seed_pairs.nonce = s.was", More: []string{"was_state"},
	})
	activatePairs = seedPairs.Update(table.Update{
		Set:   []string{"client_seed", "client_source", "nonce", "next_id", "since"},
		Fixed: "state = 'active', was = seed_pairs.nonce", Where: "seed_pairs.state = 'next'",
	})
	insertPairs = seedPairs.Without("was").Insert("")
)

// clientSeedsOf returns the query of client seeds that retired pairs had. It stops at the first
// use of a seed, except where tables are spread over machines, which only join.
func clientSeedsOf(d db.Dialect) *db.Query {
	text := `SELECT s.place, s.client_seed FROM {sent} AS s WHERE EXISTS (SELECT 1 FROM seed_pairs AS p
		WHERE p.wallet = s.wallet AND p.client_seed = s.client_seed AND p.state = 'retired')`
	if db.IsSpread(d) {
		text = `SELECT s.place, s.client_seed FROM {sent} AS s CROSS JOIN seed_pairs AS p
			WHERE p.wallet = s.wallet AND p.client_seed = s.client_seed AND p.state = 'retired' GROUP BY s.place, s.client_seed`
	}
	return db.NewQuery(text, "wallet:uuid", "client_seed", "place:int")
}

// pairPart reads and writes the seed pairs of the items.
type pairPart struct {
	batch.NoPart
	seeds           *Seeds
	readClientSeeds *db.Query
	stored          map[string]storedPair // by id
	staged          map[string]stagedPair
}

// NewPairPart returns a function that makes the part of batches for seed pairs.
func NewPairPart(d db.Dialect, seeds *Seeds) func() batch.Part {
	read := clientSeedsOf(d)
	return func() batch.Part { return &pairPart{seeds: seeds, readClientSeeds: read} }
}

type storedPair struct {
	state pairState
	nonce int64
}

// stagedPair is a seed pair to be written by a batch.
type stagedPair struct {
	pair
	seed fairness.ServerSeed // until it is retired
}

// Ask reads and decrypts the seed pairs that decisions need. A pair that can't be decrypted
// breaks its wallet's items, not the batch.
func (o *pairPart) Ask(b *batch.Batch) {
	o.stored = make(map[string]storedPair, len(b.Sorted))
	b.Ask("read seed pairs", readPairs, b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		if w.Needs.Pair {
			add(w.Key, w.At)
		}
	}), func(row db.Row) error {
		var next pair
		var at int
		active, err := drawnPairs.ScanWith(row, append([]any{&at}, nextPairs.Places(&next, 0)...)...)
		if err != nil {
			return err
		}
		o.stored[next.ID] = storedPair{state: pairNext}
		o.opened(b.Sorted[at], &active, &next)
		return nil
	})
	b.Ask("read seed pairs", readDraws, b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		if !w.Needs.Pair && w.Needs.Draw {
			add(w.Key, w.At)
		}
	}), func(row db.Row) error {
		var at int
		active, err := drawnPairs.ScanWith(row, &at)
		if err == nil {
			o.opened(b.Sorted[at], &active, nil)
		}
		return err
	})
	b.Ask("read closing seed pairs", readClosing, b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		if w.Needs.SeesOpenRounds() {
			add(w.Key, w.At)
		}
	}), func(row db.Row) error {
		var at int
		closing, err := closingPairs.ScanWith(row, &at)
		if err == nil {
			o.openedClosing(b.Sorted[at], &closing)
		}
		return err
	})
	b.Ask("read client seeds", o.readClientSeeds, b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		for _, text := range w.Needs.ClientSeeds {
			add(w.Key, text, w.At)
		}
	}), func(row db.Row) error {
		var at int
		var text string
		err := row.Scan(&at, &text)
		if err == nil {
			batch.Put(&b.Sorted[at].View.ClientSeeds, text, true)
		}
		return err
	})
}

// opened decrypts the pairs read for a wallet: the active one, and the next one if it was read.
func (o *pairPart) opened(w *batch.Wallet, active, next *pair) {
	o.stored[active.ID] = storedPair{pairActive, active.Nonce}
	p, err := active.open(o.seeds, w.Address)
	if err == nil && next != nil {
		p.Epoch = min(active.Epoch, next.Epoch)
		p.Next = fairness.NextSeed{ID: next.ID, Commitment: next.Commitment}
		if p.Next.Seed, err = o.seeds.open(next.Sealed, next.ID, w.Address, next.Commitment); err == nil {
			err = verified(p)
		}
	}
	w.Fail(err)
	w.View.Pair = p
}

// openedClosing decrypts a pair that only already open rounds use.
func (o *pairPart) openedClosing(w *batch.Wallet, closing *pair) {
	o.stored[closing.ID] = storedPair{pairClosing, closing.Nonce}
	p, err := closing.open(o.seeds, w.Address)
	w.Fail(err)
	batch.Put(&w.View.Closing, closing.ID, fairness.Closing{Pair: p, NextID: closing.NextID})
}

// open decrypts the seed of a pair that rounds are drawn from.
func (p *pair) open(seeds *Seeds, w wallet.Address) (fairness.Pair, error) {
	drawn := fairness.Pair{ID: p.ID, Epoch: p.Epoch, Commitment: p.Commitment, ClientSeed: p.ClientSeed, Nonce: p.Nonce, Since: p.Since}
	var known bool
	if drawn.ClientSource, known = fairness.ParseClientSource(p.ClientSource); !known {
		return drawn, db.Defect("seed pair %s has the client source %q", p.ID, p.ClientSource)
	}
	err := seeds.openPair(w, &drawn, p.Sealed)
	return drawn, err
}

// Check refuses a next pair with an existing id or commitment.
func (o *pairPart) Check(_ *batch.Batch, s *batch.Step) error {
	p := s.Change.Pair
	if p == nil || p.ID == s.Seen.Pair.ID {
		return nil
	}
	if err := batch.IsUUID(p.ID); err != nil {
		return err
	}
	if err := batch.IsUUID(p.Next.ID); err != nil {
		return err
	}
	return batch.Unique("seed pair", p.Next.ID, batch.Has(o.stored, p.Next.ID) || batch.Has(o.staged, p.Next.ID))
}

// Stage records the changes of the wallet's pairs.
func (o *pairPart) Stage(_ *batch.Batch, s *batch.Step) {
	c, w := s.Change, s.Wallet.Address
	if p := c.Closing; p != nil {
		batch.Put(&o.staged, p.ID, stagedPair{seed: p.Seed, pair: pair{
			ID: p.ID, Wallet: w, State: pairClosing, Commitment: p.Commitment, ClientSeed: p.ClientSeed,
			ClientSource: p.ClientSource.String(), Nonce: p.Nonce, NextID: p.NextID, Epoch: p.Epoch, Since: p.Since,
		}})
	}
	for _, r := range [...]*fairness.Revealed{c.Retired, c.Unplayed, c.Closed} {
		if r == nil {
			continue
		}
		next, epoch := "", s.Seen.Pair.Epoch
		switch {
		case r == c.Closed:
			next, epoch = s.Seen.Closing[r.ID].NextID, s.Seen.Closing[r.ID].Epoch
		case r == c.Retired && c.Unplayed != nil:
			next = c.Unplayed.ID
		default:
			next = c.Pair.ID
		}
		batch.Put(&o.staged, r.ID, stagedPair{pair: pair{
			ID: r.ID, Wallet: w, State: pairRetired, Commitment: r.Commitment, ClientSeed: r.ClientSeed,
			ClientSource: r.ClientSource.String(), Nonce: r.Rounds, Revealed: r.ServerSeed, NextID: next,
			Epoch: epoch, Since: r.Since,
		}})
	}
	if p := c.Pair; p != nil {
		batch.Put(&o.staged, p.ID, stagedPair{seed: p.Seed, pair: pair{
			ID: p.ID, Wallet: w, State: pairActive, Commitment: p.Commitment, ClientSeed: p.ClientSeed,
			ClientSource: p.ClientSource.String(), Nonce: p.Nonce, NextID: p.Next.ID,
			Epoch: p.Epoch, Since: p.Since,
		}})
		if n := p.Next; n.ID != "" {
			batch.Put(&o.staged, n.ID, stagedPair{seed: n.Seed, pair: pair{ID: n.ID, Wallet: w, State: pairNext, Commitment: n.Commitment, Epoch: p.Epoch}})
		}
	}
}

// Write writes each pair once, formerly active ones first: a wallet never has two active or two
// next pairs, not even between two statements.
func (o *pairPart) Write(b *batch.Batch) error {
	var retired, closed, activated, advanced, fresh [][]any
	var once batch.Once
	for _, p := range o.staged {
		stored, known := o.stored[p.ID]
		p.Was = stored.nonce
		switch {
		case !known:
			if p.State != pairRetired {
				var err error
				if p.Sealed, err = o.seeds.seal(p.seed, p.ID, p.Wallet, p.Commitment); err != nil {
					return err
				}
			}
			fresh = append(fresh, insertPairs.Row(&p.pair))
			once.Add(batch.OncePair, p.ID)
			once.Add(batch.OnceCommitment, p.Commitment)
		case p.State == pairRetired:
			retired = append(retired, retirePairs.Row(&p.pair, string(stored.state)))
		case p.State == pairClosing:
			closed = append(closed, closePairs.Row(&p.pair, string(stored.state)))
		case p.State == pairActive && stored.state == pairNext:
			activated = append(activated, activatePairs.Row(&p.pair))
		case p.State == pairActive && p.Nonce != stored.nonce:
			advanced = append(advanced, advancePairs.Row(&p.pair))
		}
	}
	for _, part := range []struct {
		query *db.Query
		rows  [][]any
	}{{retirePairs.Query, retired}, {closePairs.Query, closed}, {activatePairs.Query, activated}, {advancePairs.Query, advanced}, {insertPairs.Query, fresh}} {
		b.WriteSorted("write seed pairs", part.query, part.rows)
	}
	once.Write(b)
	return nil
}
