package sqlstore

import (
	"database/sql"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// pairState is where a stored seed pair stands.
type pairState string

const (
	pairNext    pairState = "next"
	pairActive  pairState = "active"
	pairRetired pairState = "retired"
)

// The partial indexes of active and of next pairs answer only a condition that
// names one state, so both are joined rather than asked for together.
var (
	readPairs = newQuery(`SELECT a.wallet, a.id, a.sealed, a.commitment, a.client_seed, a.client_source, a.nonce, a.played,
			n.id, n.sealed, n.commitment
		FROM {sent} AS s CROSS JOIN seed_pairs AS a CROSS JOIN seed_pairs AS n
		WHERE a.wallet = s.wallet AND a.state = 'active' AND n.wallet = s.wallet AND n.state = 'next'`, "wallet")
	readDraws = newQuery(`SELECT a.wallet, a.id, a.sealed, a.commitment, a.client_seed, a.client_source, a.nonce, a.played
		FROM {sent} AS s CROSS JOIN seed_pairs AS a WHERE a.wallet = s.wallet AND a.state = 'active'`, "wallet")
)

// askPairs reads and opens the seed pairs that decisions ask for. A pair that
// can't be opened breaks its wallet's items, not the batch.
func (r *run) askPairs() {
	r.ask("read seed pairs", readPairs, r.rowsOf(func(w wallet.Address, n player.Needs, add func(...any)) {
		if n.Pair {
			add(string(w))
		}
	}), func(row Row) error {
		var next fairness.NextSeed
		var sealed sql.RawBytes
		return r.scanPair(row, func(w wallet.Address, p *fairness.Pair) (err error) {
			r.wallets[w].pairs[next.ID] = storedPair{state: pairNext}
			next.Seed, err = openSeed(r.store.sealer, sealed, next.ID, w, next.Commitment)
			p.Next = next
			return err
		}, &next.ID, &sealed, &next.Commitment)
	})
	r.ask("read seed pairs", readDraws, r.rowsOf(func(w wallet.Address, n player.Needs, add func(...any)) {
		if n.Draw && !n.Pair {
			add(string(w))
		}
	}), func(row Row) error { return r.scanPair(row, func(wallet.Address, *fairness.Pair) error { return nil }) })
}

// scanPair reads and opens the active pair of a row; open does so with what is in
// the further columns. What comes out is held against the commitments: a seed
// that isn't the one committed to decides nothing.
func (r *run) scanPair(row Row, open func(wallet.Address, *fairness.Pair) error, more ...any) error {
	var p fairness.Pair
	var w wallet.Address
	var source string
	var sealed sql.RawBytes
	var before string
	if err := row.Scan(append([]any{&w, &p.ID, &sealed, &p.Commitment, &p.ClientSeed, &source, &p.Nonce, &before}, more...)...); err != nil {
		return err
	}
	h := r.wallets[w]
	h.pairs[p.ID], h.played = storedPair{pairActive, p.Nonce}, played(before)
	if h.broken = r.store.openPair(w, &p, source, sealed); h.broken == nil {
		h.broken = open(w, &p)
	}
	if h.broken == nil && p.Next.ID != "" {
		h.broken = verified(p)
	}
	h.view.Pair = p
	return nil
}

func verified(p fairness.Pair) error {
	if err := p.Verify(); err != nil {
		return wrap("open seed pair "+p.ID, err)
	}
	return nil
}

// openPair opens the seed that a stored pair draws from, unless the same sealed
// text was opened before.
func (s *Store) openPair(w wallet.Address, p *fairness.Pair, source string, sealed []byte) (err error) {
	var known bool
	if p.ClientSource, known = fairness.ParseClientSource(source); !known {
		return defect("seed pair %s has the client source %q", p.ID, source)
	}
	box := sealedSeed{p.ID, w, p.Commitment, string(sealed)}
	if p.Seed, known = s.seeds.Get(box); known {
		return nil
	}
	if p.Seed, err = openSeed(s.sealer, sealed, p.ID, w, p.Commitment); err != nil {
		return err
	}
	if err := verified(*p); err != nil {
		return err
	}
	s.seeds.Add(box, p.Seed)
	return nil
}

// sealedSeed is the seed of a pair as it is stored, with what it is bound to.
type sealedSeed struct {
	pair       string
	wallet     wallet.Address
	commitment string
	sealed     string
}

// seedsMax is how many opened seeds a store remembers: those that active players
// draw from again and again. They lie in memory as the key does that opens them.
const seedsMax = 1 << 14

// sealPurpose is the first of the facts that a sealed server seed is bound to;
// its pair, wallet and commitment are the others.
const sealPurpose = "server seed"

func openSeed(sealer ports.Sealer, sealed []byte, id string, w wallet.Address, commitment string) (fairness.ServerSeed, error) {
	text, err := sealer.Open(sealed, sealPurpose, id, string(w), commitment)
	if err != nil {
		return fairness.ServerSeed{}, wrap("open the seed of pair "+id, err)
	}
	return fairness.ServerSeedFromText(string(text)), nil
}

func sealSeed(sealer ports.Sealer, seed fairness.ServerSeed, id string, w wallet.Address, commitment string) ([]byte, error) {
	sealed, err := sealer.Seal([]byte(seed.Reveal()), sealPurpose, id, string(w), commitment)
	return sealed, wrap("seal the seed of pair "+id, err)
}

// pairRow is a seed pair as a batch leaves it.
type pairRow struct {
	id           string
	wallet       wallet.Address
	state        pairState
	seed         fairness.ServerSeed
	commitment   string
	clientSeed   string
	clientSource string
	nonce        int64
	revealed     any    // the text of a retired pair's seed, else nil
	next         string // the pair that follows; empty of a next one
	played       played // of the active pair
	// stored is the pair as it is stored, nil when it is new.
	stored *storedPair
}

var (
	advancePairs = change(`UPDATE seed_pairs SET nonce = s.nonce, was = s.was, played = s.played FROM {sent} AS s
		WHERE seed_pairs.id = s.id AND seed_pairs.state = 'active' AND seed_pairs.nonce = s.was`,
		"id", "nonce:int", "was:int", "played")
	retirePairs = change(`UPDATE seed_pairs SET state = 'retired', sealed = NULL, client_seed = s.client_seed,
		client_source = s.client_source, nonce = s.nonce, was = s.was, revealed = s.revealed, next_id = s.next_id FROM {sent} AS s
		WHERE seed_pairs.id = s.id AND seed_pairs.state = s.was_state AND seed_pairs.nonce = s.was`,
		"id", "client_seed", "client_source", "nonce:int", "revealed", "next_id", "was_state", "was:int")
	activatePairs = change(`UPDATE seed_pairs SET state = 'active', client_seed = s.client_seed,
		client_source = s.client_source, nonce = s.nonce, was = seed_pairs.nonce, next_id = s.next_id, played = s.played FROM {sent} AS s
		WHERE seed_pairs.id = s.id AND seed_pairs.state = 'next'`,
		"id", "client_seed", "client_source", "nonce:int", "next_id", "played")
	insertPairs = insert("seed_pairs", "",
		"id", "wallet", "state", "sealed:bytes", "commitment", "client_seed", "client_source", "nonce:int", "revealed", "next_id", "played")
)

// stagePairs notes what a change makes of the wallet's pairs.
func (o *output) stagePairs(h *holdings, w wallet.Address, c player.Change) {
	note := func(row pairRow) {
		row.wallet = w
		if stored, ok := h.pairs[row.id]; ok {
			row.stored = &stored
		}
		o.pairs[row.id] = row
	}
	if c.Round != nil {
		h.played = h.played.with(c.Round.GameType)
	}
	if c.Retired != nil {
		note(pairRow{
			id: c.Retired.ID, state: pairRetired, commitment: c.Retired.Commitment, clientSeed: c.Retired.ClientSeed,
			clientSource: c.Retired.ClientSource.String(), nonce: c.Retired.Rounds, revealed: c.Retired.ServerSeed,
			next: c.Pair.ID,
		})
	}
	if p := c.Pair; p != nil {
		note(pairRow{
			id: p.ID, state: pairActive, seed: p.Seed, commitment: p.Commitment, clientSeed: p.ClientSeed,
			clientSource: p.ClientSource.String(), nonce: p.Nonce, next: p.Next.ID,
			played: h.played,
		})
		if p.Next.ID != "" {
			note(pairRow{id: p.Next.ID, state: pairNext, seed: p.Next.Seed, commitment: p.Next.Commitment})
		}
	}
}

// writePairs writes each pair once, retired ones first: a wallet never has two
// active pairs or two next ones, not even between two statements.
func (r *run) writePairs() error {
	var retired, activated, advanced, fresh [][]any
	for _, p := range sorted(r.out.pairs) {
		switch {
		case p.stored == nil:
			var sealed any
			if p.state != pairRetired {
				box, err := sealSeed(r.store.sealer, p.seed, p.id, p.wallet, p.commitment)
				if err != nil {
					return err
				}
				sealed = box
			}
			fresh = append(fresh, []any{p.id, string(p.wallet), string(p.state), sealed, p.commitment,
				p.clientSeed, p.clientSource, p.nonce, p.revealed, p.next, string(p.played)})
		case p.state == pairRetired:
			retired = append(retired, []any{p.id, p.clientSeed, p.clientSource, p.nonce, p.revealed, p.next,
				string(p.stored.state), p.stored.nonce})
		case p.state == pairActive && p.stored.state == pairNext:
			activated = append(activated, []any{p.id, p.clientSeed, p.clientSource, p.nonce, p.next, string(p.played)})
		case p.state == pairActive && p.nonce != p.stored.nonce:
			advanced = append(advanced, []any{p.id, p.nonce, p.stored.nonce, string(p.played)})
		}
	}
	for _, part := range []struct {
		query *query
		rows  [][]any
	}{{retirePairs, retired}, {activatePairs, activated}, {advancePairs, advanced}, {insertPairs, fresh}} {
		r.write("write seed pairs", part.query, part.rows)
	}
	return nil
}
