package sim

import (
	"fmt"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// account is what the model expects of one player, from the answers alone. It
// shares no code with the stores, so that a wrong balance isn't wrong here too.
type account struct {
	wallet   wallet.Address
	known    bool
	balances map[money.Token]int64
	nonce    int64
	pairHash string
	nextHash string
	rounds   []bet.Round // of the active pair
	open     map[string]withdrawal.Status
	claims   map[deposit.Ref]int64 // what was paid on chain and not yet credited
	seat     seat
	limits   limits
}

func newAccount(w wallet.Address) *account {
	return &account{
		wallet: w, balances: map[money.Token]int64{}, open: map[string]withdrawal.Status{},
		claims: map[deposit.Ref]int64{},
	}
}

// played compares a settled round with what was known before it.
func (a *account) played(r bet.Round) error {
	want := a.balances[r.Token] - int64(r.Wager) + int64(r.Payout)
	switch {
	case r.Nonce != a.nonce:
		return fmt.Errorf("round %s has nonce %d, expected %d", r.ID, r.Nonce, a.nonce)
	case a.pairHash != "" && r.Commitment != a.pairHash:
		return fmt.Errorf("round %s was drawn from pair %s, %s is active", r.ID, r.Commitment, a.pairHash)
	case int64(r.Balance) != want:
		return fmt.Errorf("round %s leaves balance %d, expected %d", r.ID, r.Balance, want)
	case want < 0:
		return fmt.Errorf("round %s leaves balance %d", r.ID, want)
	}
	a.balances[r.Token], a.nonce, a.pairHash = want, a.nonce+1, r.Commitment
	a.rounds = append(a.rounds, r)
	return nil
}

// rotated checks a revealed pair against every round it decided.
func (a *account) rotated(games *game.Registry, revealed fairness.Revealed, active fairness.Pair) error {
	if revealed.Rounds != a.nonce {
		return fmt.Errorf("the revealed pair states %d rounds, %d were played", revealed.Rounds, a.nonce)
	}
	if a.nextHash != "" && active.Commitment != a.nextHash {
		return fmt.Errorf("pair %s follows, %s was promised", active.Commitment, a.nextHash)
	}
	for _, r := range a.rounds {
		result, commitment, err := games.Verify(game.RoundInputs{
			GameType: r.GameType, Rules: r.Rules, Config: r.Config,
			ServerSeed: revealed.ServerSeed, ClientSeed: r.ClientSeed, Nonce: r.Nonce,
		})
		payout, _ := r.Wager.Times(result.Multiplier)
		if err != nil || commitment != r.Commitment || payout != r.Payout || !result.Outcome.Equal(r.Outcome) {
			return fmt.Errorf("round %s is not what its seeds decide: %w", r.ID, err)
		}
	}
	a.rounds, a.nonce, a.pairHash, a.nextHash = nil, 0, active.Commitment, active.Next.Commitment
	return nil
}
