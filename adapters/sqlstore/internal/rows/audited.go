package rows

import (
	"time"

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
var PairStates = table("seed_pairs", "p",
	id("id", func(p *PairState) *string { return &p.id }),
	ofWallet("wallet", func(p *PairState) *wallet.Address { return &p.wallet }),
	text("state", func(p *PairState) *pairState { return &p.state }),
	text("commitment", func(p *PairState) *string { return &p.commitment }),
	text("client_seed", func(p *PairState) *string { return &p.clientSeed }),
	text("client_source", func(p *PairState) *string { return &p.clientSource }),
	integer("nonce", func(p *PairState) *int64 { return &p.nonce }),
	text("revealed", func(p *PairState) *string { return &p.revealed }).readAs("coalesce(p.revealed, '')"),
	id("next_id", func(p *PairState) *string { return &p.next }),
	integer("epoch", func(p *PairState) *int64 { return &p.epoch }),
	orZero("since", func(p *PairState) *time.Time { return &p.since }),
)

// Covered is what blocks cover of it.
func (p PairState) Covered() event.Event {
	source, _ := fairness.ParseClientSource(p.clientSource) // the table takes no other
	switch p.state {
	case pairNext:
		return fairness.NextSeed{ID: p.id, Commitment: p.commitment}.Covered(p.wallet)
	case pairActive:
		active := fairness.Pair{ID: p.id, Epoch: p.epoch, Commitment: p.commitment, ClientSeed: p.clientSeed, ClientSource: source, Since: p.since}
		active.Next.ID = p.next
		return active.Covered(p.wallet)
	case pairClosing:
		closing := fairness.Closing{Pair: fairness.Pair{
			ID: p.id, Epoch: p.epoch, Commitment: p.commitment, ClientSeed: p.clientSeed, ClientSource: source, Nonce: p.nonce, Since: p.since,
		}, NextID: p.next}
		return closing.Covered(p.wallet)
	}
	return fairness.Revealed{
		ID: p.id, ServerSeed: p.revealed, Commitment: p.commitment, ClientSeed: p.clientSeed, ClientSource: source, Rounds: p.nonce,
		Since: p.since,
	}.Covered(p.wallet, p.next)
}

// Next is its id with the nonce that its next round takes.
func (p PairState) Next() (id string, nonce int64) { return p.id, p.nonce }

// SealedSeed is the seed of a pair that isn't revealed.
type SealedSeed struct{ pair }

// SealedSeeds are the seeds that are sealed.
var SealedSeeds = table("seed_pairs", "p",
	id("id", func(s *SealedSeed) *string { return &s.id }),
	ofWallet("wallet", func(s *SealedSeed) *wallet.Address { return &s.wallet }),
	text("commitment", func(s *SealedSeed) *string { return &s.commitment }),
	bytes("sealed", func(s *SealedSeed) *[]byte { return &s.sealed }),
)

// Check opens it and returns the pair's id with what is wrong with it, nil for nothing.
func (s SealedSeed) Check(sealer ports.Sealer) (id string, wrong error) {
	seeds := Seeds{sealer: sealer}
	seed, err := seeds.open(s.sealed, s.id, s.wallet, s.commitment)
	if err != nil {
		return s.id, err
	}
	return s.id, verified(fairness.Pair{ID: s.id, Seed: seed, Commitment: s.commitment})
}

// Logins are the keys of used login messages that are kept still.
var Logins = storedKeys.only("scope", "id", "holder", "keep_until")

// WhereLogins finds them.
const WhereLogins = " WHERE c.kind = '" + string(player.LoginKey) + "' AND c.keep_until IS NOT NULL"

// CoveredLogin is what blocks cover of the sign-in that used a message up.
func CoveredLogin(k Key) event.Event {
	e := player.Login{Wallet: wallet.Address(k.Scope), KeepUntil: k.KeepUntil}.Covered()
	e.ID, e.Wallet = k.Scope+"/"+k.ID, k.Wallet
	return e
}
