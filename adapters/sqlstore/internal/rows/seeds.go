package rows

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

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
