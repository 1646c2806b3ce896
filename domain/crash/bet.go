package crash

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Bet is a player's bet on a round.
type Bet struct {
	// ID is the bet's id, and that of the player's round when it is settled.
	ID     string
	Wallet wallet.Address
	Token  money.Token
	Wager  money.Amount
	// Auto is the automatic cash-out in hundredths, from CashOutMin to the round's cap. It is
	// that of MostFor if the player chose none.
	Auto uint64
}

// Exposure returns the most that the bet can pay: floor(wager · auto). It is false above
// the largest amount.
func (b Bet) Exposure() (money.Amount, bool) { return b.Wager.Times(ratioOf(b.Auto)) }

// ratioOf returns hundredths as a multiplier.
func ratioOf(hundredths uint64) money.Ratio { return money.Ratio{Num: hundredths, Den: 100} }

// DefaultMost is the greatest automatic cash-out of a bet without a choice, in hundredths: with it
// the bet may use all of the room.
const DefaultMost = 100 * bet.ReserveMultiple

// MostFor returns the automatic cash-out of a wager without a choice, in hundredths: DefaultMost,
// or the round's cap or the one that pays at most maxPayout if that is less. It is at least
// CashOutMin, which such a bet may exceed.
func (r Round) MostFor(wager, maxPayout money.Amount) uint64 {
	most := min(r.Cap, DefaultMost)
	if high, low := bits.Mul64(uint64(max(0, maxPayout)), 100); high < uint64(max(1, wager)) {
		fits, _ := bits.Div64(high, low, uint64(max(1, wager)))
		most = min(most, fits)
	}
	return max(most, CashOutMin)
}

// Exposure returns what a round pays in a token at most: when its cap is reached, every
// bet is paid its automatic cash-out. It is false if a bet's is above the largest amount.
func Exposure(bets []Bet, of money.Token) (most money.Total, ok bool) {
	for _, b := range bets {
		exposure, fits := b.Exposure()
		if !fits {
			return money.Total{}, false
		}
		if b.Token == of {
			most = most.AddAmount(exposure)
		}
	}
	return most, true
}

// Admit returns nil if the round takes the bet and everything that it can pay is covered,
// whatever other bets win. Placed has the token's terms and the bankroll, exposed the
// exposure of the token's open rounds and of the bets on this one, balance the player's.
//
// It refuses in this order: a round that isn't betting (InvalidState); an automatic
// cash-out out of range (Invalid, "cashOut"); a wager below 1 and the refusals of
// bet.Placed.AdmitBeside. Nothing is reduced later: an admitted bet is paid as published.
func (r Round) Admit(b Bet, placed bet.Placed, exposed bet.Exposed, balance money.Amount) error {
	if err := r.allows(PlaceBet); err != nil {
		return err
	}
	switch {
	case b.Auto < CashOutMin || b.Auto > r.Cap:
		return fault.Field("cashOut", "must be from 1.01 to %s", ratioOf(r.Cap))
	case b.Wager < 1:
		return fault.Field("wager", "must be above 0")
	case b.Token != placed.Terms.Mint:
		return fault.Field("token", "is not that of the terms")
	}
	return placed.AdmitBeside(exposed, b.Wager, ratioOf(b.Auto), balance)
}

// Root returns the root of the tree of a round's bets, by their ids, which the closing
// commit states. A bet's leaf is a text without the wallet, so that whoever heard all bets
// of a round can compute it.
func Root(chain string, round int64, bets []Bet) merkle.Hash {
	sorted := slices.SortedFunc(slices.Values(bets), func(a, b Bet) int { return cmp.Compare(a.ID, b.ID) })
	leaves := make([]merkle.Hash, len(sorted))
	for i, b := range sorted {
		leaves[i] = merkle.LeafHash(fmt.Appendf([]byte{merkle.LeafPrefix},
			"casino crash bet 1\nchain: %s\nround: %d\nid: %s\ntoken: %s\nwager: %d\ncash-out: %d\n", chain, round, b.ID, b.Token, b.Wager, b.Auto))
	}
	return merkle.New(leaves).Root()
}

// CashOut is a player's cash-out by hand.
type CashOut struct {
	Bet string
	// Received is when the whole request had been read, before it waited for anything else:
	// counted from its first byte, a player could hold back many requests and complete the
	// best one after the crash. It decides, in whatever order cash-outs are committed.
	Received time.Time
	// Multiplier is the curve's in hundredths then, at most the bet's automatic cash-out.
	Multiplier uint64
}

// multiplierOf returns what a cash-out received at a moment of a flying round is worth, and
// the millisecond since the start. The millisecond is rounded down.
func (r Round) multiplierOf(b Bet, received time.Time) (multiplier uint64, ms int64) {
	ms = received.Sub(r.StartedAt).Milliseconds()
	return min(MultiplierAt(ms), b.Auto), ms
}

// CashOut returns the cash-out of a request received at a moment, with the round's hash. It
// refuses (InvalidState) one received before the start, below CashOutMin, or at the
// millisecond of EndTime and later. One received earlier counts also after the crash,
// until the settlement begins. It asks nothing about other cash-outs of the bet: the one
// received first counts.
func (r Round) CashOut(b Bet, received time.Time, hash fairness.ServerSeed) (CashOut, error) {
	if err := r.allows(CashOutBet); err != nil {
		return CashOut{}, err
	}
	point, err := r.pointOf(hash)
	if err != nil {
		return CashOut{}, err
	}
	multiplier, ms := r.multiplierOf(b, received)
	switch {
	case multiplier < CashOutMin: // also before the start
		return CashOut{}, r.refuse("pays cash-outs from 1.01 on")
	case ms >= EndTime(point, r.Cap):
		return CashOut{}, r.refuse("ended before the cash-out was received")
	}
	return CashOut{Bet: b.ID, Received: received, Multiplier: multiplier}, nil
}

// Result is the result of a bet.
type Result struct {
	Bet
	// Multiplier is in hundredths: 0 for a loss, 100 for a stake returned.
	Multiplier uint64
	Payout     money.Amount
	// Void reports that the stake was returned instead of a result.
	Void bool
}

// Transfers returns the movements of the bet's end: stake → house the wager, house →
// player the payout.
func (s Result) Transfers() []ledger.Transfer {
	house := ledger.System(ledger.House)
	transfers := []ledger.Transfer{{Debit: ledger.StakeOf(s.Wallet), Credit: house, Token: s.Token, Amount: s.Wager}}
	if s.Payout > 0 {
		transfers = append(transfers, ledger.Transfer{Debit: house, Credit: ledger.PlayerOf(s.Wallet), Token: s.Token, Amount: s.Payout})
	}
	return transfers
}

// Settle returns the results of some or all bets of a round, in their order. They follow
// from the round, its committed bets and their committed cash-outs alone:
//
//   - A bet is cashed out at the lesser of its automatic cash-out and of its cash-out by
//     hand, and is paid floor(wager · that) if the point is not below it.
//   - Of several cash-outs of a bet the one received first counts.
//   - A cancelled round returns every stake, a recovered one those of its lost bets.
//
// Errors are internal: they say that a row isn't what a decision of this package wrote.
func (r Round) Settle(bets []Bet, outs []CashOut) ([]Result, error) {
	if err := r.allows(SettleBets); err != nil {
		return nil, err
	}
	if r.Status == Crashed && !r.Paying {
		return nil, r.refuse("may have cash-outs on the way")
	}
	first := map[string]CashOut{}
	for _, out := range outs {
		if earlier, twice := first[out.Bet]; !twice || out.Received.Before(earlier.Received) {
			first[out.Bet] = out
		}
	}
	results, seen := make([]Result, len(bets)), map[string]bool{}
	for i, b := range bets {
		out, byHand := first[b.ID]
		var err error
		if results[i], err = r.settle(b, out, byHand); err == nil && seen[b.ID] {
			err = errors.New("it is given twice")
		}
		if err != nil {
			return nil, fmt.Errorf("crash: round %d, bet %s: %w", r.Number, b.ID, err)
		}
		seen[b.ID] = true
		delete(first, b.ID)
	}
	if len(first) > 0 {
		return nil, fmt.Errorf("crash: round %d: %d cash-outs are of other bets", r.Number, len(first))
	}
	return results, nil
}

// settle returns the result of a bet, which may have a cash-out by hand.
func (r Round) settle(b Bet, out CashOut, byHand bool) (Result, error) {
	at := b.Auto
	if byHand {
		var ms int64
		if at, ms = r.multiplierOf(b, out.Received); at != out.Multiplier || ms >= EndTime(r.Point, r.Cap) {
			return Result{}, fmt.Errorf("a cash-out at %d hundredths, received at %s, is none of this round", out.Multiplier, out.Received)
		}
	}
	if at < CashOutMin || at > r.Cap {
		return Result{}, fmt.Errorf("it is cashed out at %d hundredths", at)
	}
	s := Result{Bet: b}
	switch {
	case r.Status == Cancelled || r.Recovered && at > r.Point:
		s.Multiplier, s.Void = 100, true
	case at <= r.Point:
		s.Multiplier = at
	}
	var fits bool
	if s.Payout, fits = b.Wager.Times(ratioOf(s.Multiplier)); !fits {
		return Result{}, errors.New("it pays more than the largest amount")
	}
	return s, nil
}
