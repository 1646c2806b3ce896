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

// Reads for auditors only.

// PairState is a seed pair in any state, without its encrypted seed.
type PairState struct{ pair }

// PairStates is a view of all seed pairs.
var PairStates = table.ViewOf(seedPairs.Without("sealed", "was").Reading("revealed", "coalesce(@.revealed, '')"),
	func(p pair) (PairState, error) { return PairState{p}, nil })

// Covered returns the event that blocks cover for it.
func (p PairState) Covered() event.Event {
	source, _ := fairness.ParseClientSource(p.ClientSource) // the table accepts no other
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

// Next returns its id and the nonce of its next round.
func (p PairState) Next() (id string, nonce int64) { return p.ID, p.Nonce }

// SealedSeed is the encrypted seed of a pair that isn't revealed.
type SealedSeed struct{ pair }

// SealedSeeds is a view of the encrypted seeds.
var SealedSeeds = table.ViewOf(seedPairs.Only("id", "wallet", "commitment", "sealed"), func(p pair) (SealedSeed, error) {
	p.Sealed = slices.Clone(p.Sealed)
	return SealedSeed{p}, nil
})

// Check decrypts it and returns the pair's id with the error, nil if it is valid.
func (s SealedSeed) Check(sealer ports.Sealer) (id string, wrong error) {
	seeds := Seeds{sealer: sealer}
	seed, err := seeds.open(s.Sealed, s.ID, s.Wallet, s.Commitment)
	if err != nil {
		return s.ID, err
	}
	return s.ID, verified(fairness.Pair{ID: s.ID, Seed: seed, Commitment: s.Commitment})
}

// Seeds encrypts and decrypts server seeds. It caches the seeds of active players in memory,
// where the key to decrypt them is too.
type Seeds struct {
	sealer ports.Sealer
	opened *lru.Cache[string, openedSeed] // by pair
}

// openedSeed is a decrypted seed with its ciphertext, and the wallet and commitment that the
// ciphertext is bound to.
type openedSeed struct {
	wallet             wallet.Address
	commitment, sealed string
	seed               fairness.ServerSeed
}

// seedsMax is how many decrypted seeds are cached.
const seedsMax = 1 << 14

// NewSeeds returns an empty cache of seeds.
func NewSeeds(sealer ports.Sealer) (*Seeds, error) {
	opened, err := lru.New[string, openedSeed](seedsMax)
	return &Seeds{sealer, opened}, db.Wrap("seeds", err)
}

// sealPurpose is the first of the facts that an encrypted server seed is bound to; its pair,
// wallet and commitment are the others.
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

// openPair decrypts the seed of a stored pair, unless the same ciphertext is cached. It checks
// the seed against the commitment, so that no other seed is used.
func (s *Seeds) openPair(w wallet.Address, p *fairness.Pair, sealed []byte) (err error) {
	known, ok := s.opened.Get(p.ID)
	if ok && known.wallet == w && known.commitment == p.Commitment && known.sealed == string(sealed) {
		p.Seed = known.seed
		return nil
	}
	if p.Seed, err = s.open(sealed, p.ID, w, p.Commitment); err != nil {
		return err
	}
	if err := verified(*p); err != nil {
		return err
	}
	s.opened.Add(p.ID, openedSeed{w, p.Commitment, string(sealed), p.Seed})
	return nil
}

func verified(p fairness.Pair) error { return db.Wrap("open seed pair "+p.ID, p.Verify()) }
