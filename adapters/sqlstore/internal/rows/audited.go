package rows

import (
	"slices"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// What only auditors read.

// PairState is a seed pair in any of its states, without what is sealed of it.
type PairState struct{ pair }

// PairStates are all seed pairs.
var PairStates = viewOf(seedPairs.without("sealed", "was").reading("revealed", "coalesce(@.revealed, '')"),
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
var SealedSeeds = viewOf(seedPairs.only("id", "wallet", "commitment", "sealed"), func(p pair) (SealedSeed, error) {
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

// Logins are the keys of used login messages that are kept still.
var Logins = storedKeys.only("scope", "id", "holder", "keep_until")

// WhereLogins finds them.
const WhereLogins = "c.kind = '" + string(player.LoginKey) + "' AND c.keep_until IS NOT NULL"

// CoveredLogin is what blocks cover of the sign-in that used a message up.
func CoveredLogin(k Key) event.Event {
	e := player.Login{Wallet: wallet.Address(k.Scope), KeepUntil: k.KeepUntil}.Covered()
	e.ID, e.Wallet = k.Scope+"/"+k.ID, k.Wallet
	return e
}
