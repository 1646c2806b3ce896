package player

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// ProviderLaunch is a player on the way to a provider's game.
type ProviderLaunch struct {
	Connection string
	Token      money.Token // of new bets
	Scale      seamless.Scale
	At         time.Time
}

// Launch records that the player went to the connection. Rounds that are open
// there settle in the money they were bet in.
func Launch(v View, l ProviderLaunch) (Change, error) {
	if !v.Player.Known() {
		return Change{}, fault.New(fault.InvalidUser, "no player %s", v.Player.Wallet)
	}
	launch := v.Launches[l.Connection]
	if !launch.Known() {
		launch = seamless.Launch{Wallet: v.Player.Wallet, Connection: l.Connection, FirstAt: l.At}
	}
	if launch.Token != l.Token || launch.Scale != l.Scale {
		// What was won so far is counted in another money.
		launch.Hour, launch.Net, launch.WithoutDebit = 0, 0, 0
	}
	launch.Token, launch.Scale, launch.At = l.Token, l.Scale, l.At
	return Change{Launch: &launch, Balance: v.Balances[l.Token]}, nil
}

// ProviderCaps bound what a provider can bring a player without a person
// looking at it, per clock hour and connection, in base units.
type ProviderCaps struct {
	NetWin       money.Amount // won less bet
	WithoutDebit money.Amount // credits without a debit
}

// ProviderCallback is a provider's transaction as it was asked for.
type ProviderCallback struct {
	ID string
	seamless.Ref
	Kind      seamless.Kind
	GameType  string
	Requested seamless.Requested
	// Site is that of the operator who keeps the player's money, as it is now; empty
	// when his balance is here. A credit goes where its debit went.
	Site string
	// Operator is the one that Site was read of, empty when nobody read it. A player
	// who belongs to another one by now is asked for again: Unavailable.
	Operator string
	// Barred is why no bet is taken in this game at the moment; what bars the
	// player is in the view. Wins are taken all the same.
	Barred seamless.Reason
	// Tokens are those that bets are taken in.
	Tokens token.Book
	Caps   ProviderCaps
	At     time.Time
}

// missingNeed is a callback that needs to see what its item did not ask for.
func missingNeed(what string, which any) error {
	return fault.New(fault.InvalidState, "the round is in %s %v", what, which).With("unseen", which)
}

// MissingNeed tells what an item of Transacts has to ask for besides, when that is what
// it was refused for: a token, or an operator's funds.
func MissingNeed(err error) (mint money.Token, funds agent.FundsRef, ok bool) {
	var refusal *fault.Error
	if !errors.As(err, &refusal) {
		return "", agent.FundsRef{}, false
	}
	switch which := refusal.Details["unseen"].(type) {
	case money.Token:
		return which, agent.FundsRef{}, true
	case agent.FundsRef:
		return "", which, true
	}
	return "", agent.FundsRef{}, false
}

// Transact answers a provider's callback. Refused bets are answers too and are
// kept. Only a wallet that never launched there is refused with InvalidUser and
// stores nothing. A bet that is to be forwarded to an operator's site is no answer
// yet: the change has a Route that asks for it, and SettleDelivery goes on.
func Transact(v View, c ProviderCallback, asked []money.Token) (Change, error) {
	launch := v.Launches[c.Connection]
	if !v.Player.Known() || !launch.Known() {
		return Change{}, fault.New(fault.InvalidUser, "the user never launched a game there")
	}
	t := seamless.Transaction{
		ID: c.ID, Ref: c.Ref, Kind: c.Kind, GameType: c.GameType, Wallet: v.Player.Wallet, Agent: v.Player.Agent,
		Token: launch.Token, Scale: launch.Scale, Requested: c.Requested, Site: c.Site, Status: seamless.Taken, At: c.At,
	}
	var round seamless.Round
	settles := false
	if !c.Kind.Bets() {
		if round, settles = v.Seamless[c.Ref].DebitOf(c.At); settles {
			t.Token, t.Scale, t.Agent, t.Site = round.Token, round.Scale, round.Agent, round.Site
		}
	}
	if !settles && c.Operator != "" && c.Operator != t.Agent {
		return Change{}, fault.New(fault.Unavailable, "the player was moved to another agent in the meantime").With("outcome", "none")
	}
	if t.Site != "" {
		return v.forwards(t, launch, c, round, settles)
	}
	if !slices.Contains(asked, t.Token) {
		return Change{}, missingNeed("token", t.Token)
	}
	t.Balance = v.Balances[t.Token]
	t = takeBet(t, c, v)
	if t.Status == seamless.Taken {
		_, fits := t.Balance.Add(wonIn(t, c))
		t, launch = takeWin(t, launch, c.Caps, settles, fits)
		t.Balance += t.Paid()
	}
	if t.Status == seamless.Refused {
		return Change{Seamless: &t, Balance: t.Balance}, nil
	}
	return v.settled(t, launch, round, settles), nil
}

// settled is the change of a transaction that moved something, with the round that
// it begins or goes on with.
func (v View) settled(t seamless.Transaction, launch seamless.Launch, round seamless.Round, settles bool) Change {
	change := Change{Seamless: &t, Balance: t.Balance, Postings: t.Postings(), Launch: &launch}
	change.Player = v.metered(v.Player.Protection.AddBet(t.Token, t.Bet, t.Paid(), t.At))
	if next, ok := round.With(t); settles && ok {
		round = next
	} else if t.Kind.Bets() || t.Status == seamless.Taken {
		round = seamless.Begin(t)
	}
	if round.ID != "" {
		t.RoundID, change.ProviderRound = round.ID, &round
	}
	return change
}

// barred are the protocol's words for why a player may not bet.
var barred = map[fault.Kind]seamless.Reason{
	fault.PlayerFrozen: seamless.PlayerFrozen, fault.PlayerExcluded: seamless.PlayerExcluded,
	fault.BlockedAgent: seamless.BlockedAgent, fault.GameDisabled: seamless.GameDisabled,
	fault.LimitExceeded: seamless.LimitExceeded,
}

// takeBet takes the bet from the balance, or refuses the transaction: one that
// isn't taken at all, one that the balance doesn't cover.
func takeBet(t seamless.Transaction, c ProviderCallback, v View) seamless.Transaction {
	if !c.Kind.Bets() {
		return t
	}
	bet, reason := v.admits(t, c)
	after, covered := t.Balance.Sub(bet)
	if reason == seamless.None && !covered {
		reason = seamless.InsufficientFunds
	}
	if reason != seamless.None {
		t.Status, t.Reason = seamless.Refused, reason
		return t
	}
	t.Bet, t.Balance = bet, after
	return t
}

// admits reads the bet, and says why it isn't taken whoever pays it: a bet finer
// than the scale, one that is barred, one that no money can be.
func (v View) admits(t seamless.Transaction, c ProviderCallback) (money.Amount, seamless.Reason) {
	bet, finer, ok := c.Requested.Bet.Units(t.Scale)
	switch {
	case finer != "":
		return 0, seamless.InvalidAmount
	case c.Barred != seamless.None:
		return 0, c.Barred
	}
	if _, err := c.Tokens.Open(t.Token); err != nil {
		return 0, seamless.TokenNotAccepted
	}
	if err := v.MayBet(t.Token, bet, c.At); err != nil {
		return 0, barred[fault.KindOf(err)]
	}
	if !ok {
		return 0, seamless.InsufficientFunds
	}
	return bet, seamless.None
}

// wonIn is the win that a transaction brings, as much of it as can be.
func wonIn(t seamless.Transaction, c ProviderCallback) money.Amount {
	if !c.Kind.Wins() {
		return 0
	}
	win, _, ok := c.Requested.Win.Units(t.Scale)
	if !ok {
		return money.Max // more than anybody can have: a person has to look at it
	}
	return win
}

// takeWin says what is won, or parks it for a person when it doesn't fit where it
// goes or a cap of the hour is passed. It returns the player's standing with the
// hour counted on.
func takeWin(t seamless.Transaction, launch seamless.Launch, caps ProviderCaps, settles, fits bool) (seamless.Transaction, seamless.Launch) {
	const hour = 3600
	if now := t.At.Unix() / hour; now != launch.Hour || t.Token != launch.Token {
		launch.Hour, launch.Net, launch.WithoutDebit = now, 0, 0
	}
	launch.Net = saturating(launch.Net, -int64(t.Bet))
	if !t.Kind.Wins() {
		return t, launch
	}
	win, residue, ok := t.Requested.Win.Units(t.Scale)
	if !ok {
		win = money.Max
	}
	t.Win, t.Residue = win, residue
	net := saturating(launch.Net, int64(win))
	withoutDebit, held := launch.WithoutDebit, true
	if !t.Kind.Bets() && !settles {
		withoutDebit, held = launch.WithoutDebit.Add(win)
	}
	review := seamless.None
	switch {
	case win == 0:
	case !ok || !fits:
		review = seamless.BalanceFull
	case !held || withoutDebit > caps.WithoutDebit:
		review = seamless.OverCreditCap
	case net > int64(caps.NetWin):
		review = seamless.OverNetCap
	}
	if review != seamless.None {
		t.Status, t.Reason = seamless.Review, review
		return t, launch
	}
	launch.Net, launch.WithoutDebit = net, withoutDebit
	return t, launch
}

func saturating(a, b int64) int64 {
	switch sum := a + b; {
	case b > 0 && sum < a:
		return math.MaxInt64
	case b < 0 && sum > a:
		return math.MinInt64
	default:
		return sum
	}
}

// ProviderKeys are the keys of a callback: one for each of its legs.
func ProviderKeys(connection, txnID string, kind seamless.Kind) []UniqueKey {
	var claims []UniqueKey
	if kind.Wins() {
		claims = append(claims, UniqueKey{Kind: ProviderCreditKey, Scope: connection, ID: txnID})
	}
	if kind.Bets() {
		claims = append(claims, UniqueKey{Kind: ProviderDebitKey, Scope: connection, ID: txnID})
	}
	return claims
}

// ProviderReviewDecision is a person's word on a win in review.
type ProviderReviewDecision struct {
	ID          string
	Transaction seamless.Transaction // as it was answered
	Pay         bool
	// DeliveryID is the id of what tells the operator's site of the win, when that is
	// where the player's money is.
	DeliveryID string
	By         wallet.Address
	Policy     rbac.Policy
	Reason     string
	AuditID    string
	RequestID  string
	At         time.Time
}

// SettleReview pays a win in review or turns it down. A win that is paid is a
// round of its own: the one it belonged to ended long ago. Its view needs the
// admin's role. Refusals in this order: AdminForbidden, NotFound on a win of another
// operator than the admin's, Forbidden on a win of one's own, AmountOutOfRange.
func SettleReview(v View, d ProviderReviewDecision) (Change, error) {
	if err := d.Policy.Check(v.Roles[d.By], rbac.BalancesWrite); err != nil {
		return Change{}, err
	}
	t := d.Transaction
	if own := v.Roles[d.By].AgentCode; own != "" && own != t.Agent {
		return Change{}, fault.New(fault.NotFound, "no win %q is in review", t.ID)
	}
	if d.By == v.Player.Wallet {
		return Change{}, fault.New(fault.Forbidden, "admins can't decide on their own win")
	}
	t.ID, t.Kind, t.Status, t.Reason, t.At = d.ID, seamless.Settlement, seamless.Refused, "", d.At
	t.Bet, t.Residue, t.RoundID, t.Balance = 0, "", "", 0
	if t.Site == "" {
		t.Balance = v.Balances[t.Token]
	}
	change := Change{Seamless: &t}
	verdict := "turned down"
	if d.Pay {
		after, ok := t.Balance.Add(t.Win)
		if t.Site != "" {
			after = 0
			_, ok = v.Funds[agent.FundsRef{Agent: t.Agent, Token: t.Token}].Moved(money.TotalOf(t.Win))
		}
		if !ok {
			return Change{}, fault.New(fault.AmountOutOfRange, "the balance would exceed the largest possible amount with the win")
		}
		t.Status, t.Balance, t.RoundID, verdict = seamless.Taken, after, t.ID, "paid"
		round := seamless.Begin(t)
		change.ProviderRound, change.Postings = &round, t.Postings()
		if t.Site != "" {
			change.Deliveries = []seamless.Delivery{seamless.DeliveryOf(t, d.DeliveryID, seamless.Credit, t.Win)}
		}
	}
	change.Balance = t.Balance
	change.Audit = []audit.Record{{
		ID: d.AuditID, Action: audit.ProviderReviewed, By: d.By, Target: d.Transaction.ID,
		Before: amountOf(t.Win, t.Token), After: verdict + ": " + d.Reason, At: d.At, RequestID: d.RequestID,
	}}
	return change, nil
}
