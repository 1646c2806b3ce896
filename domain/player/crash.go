package player

import (
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seal"
)

// CrashBetRequest is a player's bet on a shared crash round.
type CrashBetRequest struct {
	// Round is the round as it was read. Only the control state says what it takes now.
	Round crash.Round
	bet.Placed
	Wager money.Amount
	// Auto is the automatic cash-out in hundredths, that of Round.MostFor if the player chose none.
	Auto  uint64
	Seals seal.Authenticator // nil for none
}

// refuseCrash returns a fault of kind InvalidState about a crash round or a bet on it.
func refuseCrash(status, format string, args ...any) error {
	return fault.New(fault.InvalidState, format, args...).With("status", status)
}

// BetCrash places a bet on a shared crash round. Its item needs the token's balance,
// OpenRounds, the Exposure of the token and the Game. Refusals in this order:
// InvalidToken for a wallet that never signed in; those of MayBet and of the pace;
// InvalidState for a round that takes no bets by the control state, and for a second bet
// of the wallet on it; those of crash.Round.Admit.
func BetCrash(v View, r CrashBetRequest) (Change, error) {
	if !v.Player.Known() {
		return Change{}, errNeverSignedIn
	}
	if v.Exposed == nil {
		return Change{}, errNoExposure
	}
	begins, balance := v.currentTime(r.At), v.Balances[r.Terms.Mint]
	if err := v.MayBet(crash.GameType, r.Terms.Mint, r.Wager, r.At); err != nil {
		return Change{}, err
	}
	if err := v.Player.Protection.MayBegin(r.Pace, begins); err != nil {
		return Change{}, err
	}
	if !v.Control.TakesBets(r.Round.Chain, r.Round.Number) {
		return Change{}, refuseCrash("closed", "crash round %d takes no bets any more", r.Round.Number)
	}
	if _, twice := v.betOn(bet.Shared{Chain: r.Round.Chain, Number: r.Round.Number}); twice {
		return Change{}, refuseCrash("bet", "you have a bet on crash round %d", r.Round.Number)
	}
	placed := crash.Bet{ID: r.ID, Wallet: r.Wallet, Token: r.Terms.Mint, Wager: r.Wager, Auto: r.Auto}
	if err := r.Round.Admit(placed, r.Placed, *v.Exposed, balance); err != nil {
		return Change{}, err
	}
	open := r.Round.Open(placed, v.Player.Agent, r.Terms.MaxPayout, r.At)
	change, err := v.roundProgress(bet.Open{}, bet.Progress{States: []bet.Open{open}, Staked: r.Wager}, r.At, Voiding{}, r.Seals, 0)
	if err != nil {
		return Change{}, err
	}
	paced, kept := v.Player.Protection.Began(r.Pace, begins)
	if change.Player != nil {
		paced, _ = change.Player.Protection.Began(r.Pace, begins)
	}
	change.Player = v.withMeters(paced, kept || change.Player != nil)
	return change, nil
}

// betOn returns the wallet's bet on a shared round.
func (v *View) betOn(round bet.Shared) (bet.Open, bool) {
	for id := range v.OpenRounds {
		if open := v.OpenRounds[id]; open.Shared == round {
			return open, true
		}
	}
	return bet.Open{}, false
}

// CrashCashOutRequest is a player's request to cash out a bet on a shared crash round.
type CrashCashOutRequest struct {
	BetID string
	Round crash.Round
	// Hash is the round's.
	Hash fairness.ServerSeed
	// Received is when the whole request was received, before it waited for anything.
	// Microseconds of it count.
	Received time.Time
	At       time.Time
	Seals    seal.Authenticator // nil for none
}

// CashOutCrash cashes out a bet. Its item needs the token's balance and OpenRounds, and
// has the StepKey of the bet's step 0, so a bet is cashed out once: later requests get the
// first one's answer. Refusals in this order, all InvalidState: a bet that has ended or
// isn't on the round, a bet that is cashed out, those of crash.Round.CashOut, a round that
// takes no cash-outs by the control state. Restrictions of play don't apply.
func CashOutCrash(v View, r CrashCashOutRequest) (Change, error) {
	open, err := v.toSettle(r.BetID, r.Round, r.Seals)
	if err != nil {
		return Change{}, err
	}
	placed, out, err := crash.BetOf(open)
	if err != nil {
		return Change{}, err
	}
	if out != nil {
		return Change{}, refuseCrash("cashed-out", "the bet is cashed out")
	}
	taken, err := r.Round.CashOut(placed, r.Received.Truncate(time.Microsecond), r.Hash)
	if err != nil {
		return Change{}, err
	}
	if !v.Control.TakesCashOuts(r.Round.Chain, r.Round.Number) {
		return Change{}, refuseCrash("closed", "crash round %d takes no cash-outs", r.Round.Number)
	}
	next := crash.WithCashOut(open, taken, r.At)
	return v.roundProgress(open, bet.Progress{States: []bet.Open{next}}, r.At, Voiding{}, r.Seals, 0)
}

// CrashSettleRequest is the settlement of a bet on a shared crash round.
type CrashSettleRequest struct {
	BetID string
	// Round is the round after crash.Round.BeginSettlement, or cancelled.
	Round crash.Round
	// LargeWin is the payout above which a bet is recorded, 0 for none.
	LargeWin money.Amount
	// AuditID is the id of the audit record.
	AuditID string
	At      time.Time
	Seals   seal.Authenticator // nil for none
}

// SettleCrash ends a bet by its round's result. Its item needs the token's balance and
// OpenRounds, and has the RoundKey of the bet. A bet that has ended, one on another round,
// and a round that may still take bets or cash-outs are InvalidState.
func SettleCrash(v View, r CrashSettleRequest) (Change, error) {
	open, err := v.toSettle(r.BetID, r.Round, r.Seals)
	if err != nil {
		return Change{}, err
	}
	if v.takesMore(open.Shared) {
		return Change{}, refuseCrash("open", "crash round %d is not settled yet", r.Round.Number)
	}
	round, err := r.Round.End(open, r.At, v.Balances[open.Token])
	if err != nil {
		return Change{}, err
	}
	return v.roundProgress(open, bet.Progress{Round: &round}, r.At, Voiding{AuditID: r.AuditID}, r.Seals, r.LargeWin)
}

// takesMore reports whether a shared round takes bets or cash-outs.
func (v *View) takesMore(of bet.Shared) bool {
	return v.Control.TakesBets(of.Chain, of.Number) || v.Control.TakesCashOuts(of.Chain, of.Number)
}

// toSettle returns the wallet's bet on a round.
func (v *View) toSettle(id string, on crash.Round, seals seal.Authenticator) (bet.Open, error) {
	open, known := v.OpenRounds[id]
	switch {
	case !known:
		return bet.Open{}, refuseCrash("ended", "the bet has ended")
	case open.Shared != bet.Shared{Chain: on.Chain, Number: on.Number}:
		return bet.Open{}, refuseCrash("other", "the bet is not on crash round %d", on.Number)
	case seal.Or(seals).Verify(bet.OpenPurpose, open.Sealed(), open.Seal) != nil:
		return bet.Open{}, ErrOpenRoundChanged
	}
	return open, nil
}
