package play

import (
	"slices"

	"github.com/hashicorp/golang-lru/v2"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// What only auditors read.

// PairState is a seed pair in any of its states, without what is sealed of it.
type PairState struct{ pair }

// PairStates are all seed pairs.
var PairStates = table.ViewOf(seedPairs.Without("sealed", "was").Reading("revealed", "coalesce(@.revealed, '')"),
	func(p pair) (PairState, error) { return PairState{p}, nil })

// Covered is what blocks cover of it.
func (p PairState) Covered() event.Event {
	source, _ := fairness.ParseClientSource(p.ClientSource) // the table takes no other
	switch p.State {
	case pairNext:
		return fairness.NextSeed{ID: p.ID, Commitment: p.Commitment}.Covered(p.Wallet)
	case pairActive:
		active := fairness.Pair{ID: p.ID, Epoch: p.Epoch, Commitment: p.Commitment, ClientSeed: p.ClientSeed, ClientSource: source, Since: p.Since}
		active.Next.ID = p.NextID
		return active.Covered(p.Wallet)
	case pairClosing:
		closing := fairness.Closing{Pair: fairness.Pair{
			ID: p.ID, Epoch: p.Epoch, Commitment: p.Commitment, ClientSeed: p.ClientSeed, ClientSource: source, Nonce: p.Nonce, Since: p.Since,
		}, NextID: p.NextID}
		return closing.Covered(p.Wallet)
	}
	return fairness.Revealed{
		ID: p.ID, ServerSeed: p.Revealed, Commitment: p.Commitment, ClientSeed: p.ClientSeed, ClientSource: source, Rounds: p.Nonce,
		Since: p.Since,
	}.Covered(p.Wallet, p.NextID)
}

// Next is its id with the nonce that its next round takes.
func (p PairState) Next() (id string, nonce int64) { return p.ID, p.Nonce }

// SealedSeed is the seed of a pair that isn't revealed.
type SealedSeed struct{ pair }

// SealedSeeds are the seeds that are sealed.
var SealedSeeds = table.ViewOf(seedPairs.Only("id", "wallet", "commitment", "sealed"), func(p pair) (SealedSeed, error) {
	p.Sealed = slices.Clone(p.Sealed)
	return SealedSeed{p}, nil
})

// Check opens it and returns the pair's id with what is wrong with it, nil for nothing.
func (s SealedSeed) Check(sealer ports.Sealer) (id string, wrong error) {
	seeds := Seeds{sealer: sealer}
	seed, err := seeds.open(s.Sealed, s.ID, s.Wallet, s.Commitment)
	if err != nil {
		return s.ID, err
	}
	return s.ID, verified(fairness.Pair{ID: s.ID, Seed: seed, Commitment: s.Commitment})
}

// Seeds opens and closes server seeds. It remembers those that active players draw
// from again and again, which lie in memory as the key does that opens them.
type Seeds struct {
	sealer ports.Sealer
	opened *lru.Cache[sealedSeed, fairness.ServerSeed]
}

// sealedSeed is the seed of a pair as it is stored, with what it is bound to.
type sealedSeed struct {
	pair       string
	wallet     wallet.Address
	commitment string
	sealed     string
}

// seedsMax is how many opened seeds are remembered.
const seedsMax = 1 << 14

// NewSeeds returns seeds of which none was opened yet.
func NewSeeds(sealer ports.Sealer) (*Seeds, error) {
	opened, err := lru.New[sealedSeed, fairness.ServerSeed](seedsMax)
	return &Seeds{sealer, opened}, db.Wrap("seeds", err)
}

// sealPurpose is the first of the facts that a sealed server seed is bound to;
// its pair, wallet and commitment are the others.
const sealPurpose = "server seed"

func (s *Seeds) open(sealed []byte, id string, w wallet.Address, commitment string) (fairness.ServerSeed, error) {
	text, err := s.sealer.Open(sealed, sealPurpose, id, string(w), commitment)
	if err != nil {
		return fairness.ServerSeed{}, db.Wrap("open the seed of pair "+id, err)
	}
	return fairness.ServerSeedFromText(string(text)), nil
}

func (s *Seeds) seal(seed fairness.ServerSeed, id string, w wallet.Address, commitment string) ([]byte, error) {
	sealed, err := s.sealer.Seal([]byte(seed.Reveal()), sealPurpose, id, string(w), commitment)
	return sealed, db.Wrap("seal the seed of pair "+id, err)
}

// openPair opens the seed that a stored pair draws from, unless the same sealed
// text was opened before. What comes out is held against the commitment: a seed that
// isn't the one committed to decides nothing.
func (s *Seeds) openPair(w wallet.Address, p *fairness.Pair, sealed []byte) (err error) {
	box := sealedSeed{p.ID, w, p.Commitment, string(sealed)}
	var known bool
	if p.Seed, known = s.opened.Get(box); known {
		return nil
	}
	if p.Seed, err = s.open(sealed, p.ID, w, p.Commitment); err != nil {
		return err
	}
	if err := verified(*p); err != nil {
		return err
	}
	s.opened.Add(box, p.Seed)
	return nil
}

func verified(p fairness.Pair) error { return db.Wrap("open seed pair "+p.ID, p.Verify()) }
