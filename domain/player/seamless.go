package player

import (
	"math"
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

// ProviderLaunch is a player's launch of a provider's game.
type ProviderLaunch struct {
	Connection string
	Token      money.Token // of new bets
	Scale      seamless.Scale
	At         time.Time
}

// Launch records that the player launched a game at the connection. Open rounds there
// settle in the token of their bet.
func Launch(v View, l ProviderLaunch) (Change, error) {
	if !v.Player.Known() {
		return Change{}, fault.New(fault.InvalidUser, "no player %s", v.Player.Wallet)
	}
	launch := v.Launches[l.Connection]
	if !launch.Known() {
		launch = seamless.Launch{Wallet: v.Player.Wallet, Connection: l.Connection, FirstAt: l.At}
	}
	if launch.Token != l.Token || launch.Scale != l.Scale {
		// The sums so far are in another token or scale.
		launch.Hour, launch.Net, launch.WithoutDebit = 0, 0, 0
	}
	launch.Token, launch.Scale, launch.At = l.Token, l.Scale, l.At
	return Change{Launch: &launch, Balance: v.Balances[l.Token]}, nil
}

// ProviderCaps limit what a provider can pay without an admin's review, per clock hour
// and connection, in base units of the token.
type ProviderCaps struct {
	NetWin       money.Amount // of one player: won less bet
	WithoutDebit money.Amount // of one player: credits without a debit
	// Connection is the limit of all players together: won less bet.
	Connection money.Amount
}

// ProviderCallback is a provider's request for a transaction.
type ProviderCallback struct {
	ID string
	seamless.Ref
	Kind     seamless.Kind
	GameType string
	// Reference is the txn_id of the bet that a win settles, if the protocol names it; empty
	// lets the win find its bet by txn_id and game.
	Reference string
	Requested seamless.Requested
	// Site is the present site of the agent who keeps the player's money; empty if the
	// player's balance is here. A credit goes where its debit went.
	Site string
	// SiteAgent is the agent of Site, empty if no site was looked up. If the player belongs
	// to another agent by now the fault is Unavailable, so that the provider repeats the
	// callback.
	SiteAgent string
	// Barred is the reason why no bet is accepted in this game now, apart from the player's
	// restrictions in the view. Wins are still accepted.
	Barred seamless.Reason
	// Tokens are the accepted tokens of bets.
	Tokens token.Book
	Caps   ProviderCaps
	// Pace is the least time between the player's last round and a bet above zero; 0 for
	// none. A free bet belongs to a round that has waited already.
	Pace time.Duration
	At   time.Time
}

// RoundRef names the round that the callback's credit settles.
func (c ProviderCallback) RoundRef() seamless.Ref {
	return seamless.Transaction{Ref: c.Ref, Reference: c.Reference}.RoundRef()
}

// Hours returns the hours that an item of the callback must see if its wins are in the
// token. A bet sees none, so that bets don't wait for each other.
func (c ProviderCallback) Hours(mint money.Token, scale seamless.Scale) []seamless.HourRef {
	if win, _, ok := c.Requested.Win.Units(scale); !c.Kind.Wins() || ok && win == 0 {
		return nil
	}
	return []seamless.HourRef{{Connection: c.Connection, Token: mint}}
}

// seesHour asks for the connection's hour if a win needs it.
func (v View) seesHour(t seamless.Transaction, win money.Amount) error {
	if _, seen := v.Hours[t.HourRef()]; win > 0 && !seen {
		return Missing(Needs{Hours: []seamless.HourRef{t.HourRef()}})
	}
	return nil
}

// Transact answers a provider's callback. It asks for the balance, the agent's funds and
// the hour that its transaction turns out to need. Refused bets are answers too and are
// stored; only a wallet that never launched a game there is refused with InvalidUser and
// stores nothing. A win whose Reference names no bet that stands is refused with NotFound
// and stores nothing either, so that a repeat after its bet is accepted. A bet forwarded
// to an agent's site has no answer yet: the change has a Delivery that asks the site, and
// SettleDelivery continues.
func Transact(v View, c ProviderCallback) (Change, error) {
	launch := v.Launches[c.Connection]
	if !v.Player.Known() || !launch.Known() {
		return Change{}, fault.New(fault.InvalidUser, "the user never launched a game there")
	}
	t := seamless.Transaction{
		ID: c.ID, Ref: c.Ref, Kind: c.Kind, GameType: c.GameType, Reference: c.Reference, Wallet: v.Player.Wallet, Agent: v.Player.Agent,
		Token: launch.Token, Scale: launch.Scale, Requested: c.Requested, Site: c.Site, Status: seamless.Taken, At: c.At,
	}
	var round seamless.Round
	settles := false
	if !c.Kind.Bets() {
		if round, settles = v.debitOf(t); c.Reference != "" && (!settles || round.RolledBack) {
			return Change{}, fault.New(fault.NotFound, "the bet that the win settles isn't known, or was rolled back")
		}
		if settles {
			t.Token, t.Scale, t.Agent, t.Site = round.Token, round.Scale, round.Agent, round.Site
		}
	}
	if !settles && c.SiteAgent != "" && c.SiteAgent != t.Agent {
		return Change{}, fault.New(fault.Unavailable, "the player was moved to another agent in the meantime").With("outcome", "none")
	}
	if t.Site != "" {
		return v.forwardToSite(t, launch, c, round, settles)
	}
	if err := v.sawBalance(t.Token); err != nil {
		return Change{}, err
	}
	win := wonIn(t, c)
	if err := v.seesHour(t, win); err != nil {
		return Change{}, err
	}
	t.Balance = v.Balances[t.Token]
	t = takeBet(t, c, v)
	if t.Status == seamless.Taken {
		_, fits := t.Balance.Add(win)
		t, launch = v.takeWin(t, launch, c.Caps, settles, fits)
		t.Balance += t.Paid()
	}
	if t.Status == seamless.Refused {
		return Change{Seamless: &t, Balance: t.Balance}, nil
	}
	return v.settleTransaction(t, c.paceOf(t.Bet), launch, round, settles), nil
}

// debitOf returns the round that a credit settles. A credit with a reference joins only
// the round that it names.
func (v View) debitOf(t seamless.Transaction) (seamless.Round, bool) {
	match := v.Seamless[t.RoundRef()]
	if t.Reference != "" {
		return match.Exact, match.Exact.ID != ""
	}
	return match.DebitOf(t.At)
}

// settleTransaction returns the change of a transaction that moved money, with the round
// that it begins or continues.
func (v View) settleTransaction(t seamless.Transaction, pace time.Duration, launch seamless.Launch, round seamless.Round, settles bool) Change {
	change := Change{Seamless: &t, Balance: t.Balance, Postings: t.Postings(), Launch: &launch}
	change.Player = v.betMetered(t, pace, t.Bet)
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

// barred maps refusals of MayBet to the protocol's reasons.
var barred = map[fault.Kind]seamless.Reason{
	fault.PlayerFrozen: seamless.PlayerFrozen, fault.PlayerExcluded: seamless.PlayerExcluded,
	fault.BlockedAgent: seamless.BlockedAgent, fault.GameDisabled: seamless.GameDisabled,
	fault.LimitExceeded: seamless.LimitExceeded, fault.RateLimited: seamless.LimitExceeded, fault.Maintenance: seamless.Paused,
}

// takeBet takes the bet from the balance. It refuses a transaction with an unacceptable
// bet, or one above the balance.
func takeBet(t seamless.Transaction, c ProviderCallback, v View) seamless.Transaction {
	if !c.Kind.Bets() {
		return t
	}
	bet, reason := v.admitBet(t, c)
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

// paceOf returns the least time that a bet waits.
func (c ProviderCallback) paceOf(bet money.Amount) time.Duration {
	if bet == 0 {
		return 0
	}
	return c.Pace
}

// betMetered returns the player's row after a transaction with a bet, which began a
// round if there is a pace; nil if the row doesn't change.
func (v View) betMetered(t seamless.Transaction, pace time.Duration, bet money.Amount) *Player {
	next, kept := v.Player.Protection.Began(pace, v.currentTime(t.At))
	next, moved := next.AddBet(t.Token, bet, t.Paid(), t.At)
	return v.withMeters(next, moved || kept)
}

// admitBet returns the bet in base units, or the reason of a refusal that doesn't depend
// on the paying account: it is finer than the scale, barred, or exceeds an amount.
func (v View) admitBet(t seamless.Transaction, c ProviderCallback) (money.Amount, seamless.Reason) {
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
	if err := v.MayBet(t.Game, t.Token, bet, c.At); err != nil {
		return 0, barred[fault.KindOf(err)]
	}
	if err := v.Player.Protection.MayBegin(c.paceOf(bet), v.currentTime(c.At)); err != nil {
		return 0, barred[fault.KindOf(err)]
	}
	if !ok {
		return 0, seamless.InsufficientFunds
	}
	return bet, seamless.None
}

// wonIn returns the win of a transaction, at most money.Max.
func wonIn(t seamless.Transaction, c ProviderCallback) money.Amount {
	if !c.Kind.Wins() {
		return 0
	}
	win, _, ok := c.Requested.Win.Units(t.Scale)
	if !ok {
		return money.Max // exceeds every balance: it goes to review
	}
	return win
}

// takeWin sets the win that the transaction requests; see admitWin.
func (v View) takeWin(t seamless.Transaction, launch seamless.Launch, caps ProviderCaps, settles, fits bool) (seamless.Transaction, seamless.Launch) {
	ok := true
	if t.Kind.Wins() {
		if t.Win, t.Residue, ok = t.Requested.Win.Units(t.Scale); !ok {
			t.Win = money.Max
		}
	}
	// The hour's wins without a bet don't concern a win with one.
	return v.admitWin(t, launch, caps, t.Kind == seamless.Credit && !settles, ok && fits)
}

// admitWin counts the transaction in the hour's sums, and puts its win in review if the
// account can't hold it or a cap of the hour is exceeded. It returns the launch record
// with the updated sums. The hour is by the store's clock, and never before the latest.
func (v View) admitWin(t seamless.Transaction, launch seamless.Launch, caps ProviderCaps, loose, fits bool) (seamless.Transaction, seamless.Launch) {
	if hour := seamless.HourOf(v.currentTime(t.At)); hour > launch.Hour || t.Token != launch.Token {
		launch.Hour, launch.Net, launch.WithoutDebit = max(hour, launch.Hour), 0, 0
	}
	launch.Net = addSaturating(launch.Net, -int64(t.Bet))
	win := t.Win
	net := addSaturating(launch.Net, int64(win))
	bet := t
	bet.Win = 0
	withoutDebit, held := launch.WithoutDebit, true
	if loose {
		withoutDebit, held = launch.WithoutDebit.Add(win)
	}
	review := seamless.None
	switch {
	case win == 0:
	case !fits:
		review = seamless.BalanceFull
	case loose && (!held || withoutDebit > caps.WithoutDebit):
		review = seamless.OverCreditCap
	case net > int64(caps.NetWin):
		review = seamless.OverNetCap
	case !v.Hours[t.HourRef()].With(bet).Admits(win, caps.Connection):
		review = seamless.OverConnectionCap
	}
	if review != seamless.None {
		t.Status, t.Reason = seamless.Review, review
		return t, launch
	}
	launch.Net, launch.WithoutDebit = net, withoutDebit
	return t, launch
}

func addSaturating(a, b int64) int64 {
	switch sum := a + b; {
	case b > 0 && sum < a:
		return math.MaxInt64
	case b < 0 && sum > a:
		return math.MinInt64
	default:
		return sum
	}
}

// ProviderKeys returns the keys of a callback: one for each of its legs.
func ProviderKeys(connection, txnID string, kind seamless.Kind) []UniqueKey {
	var keys []UniqueKey
	if kind.Wins() {
		keys = append(keys, UniqueKey{Kind: ProviderCreditKey, Scope: connection, ID: txnID})
	}
	if kind.Bets() {
		keys = append(keys, UniqueKey{Kind: ProviderDebitKey, Scope: connection, ID: txnID})
	}
	return keys
}

// ProviderReviewDecision is an admin's decision on a win in review.
type ProviderReviewDecision struct {
	ID          string
	Transaction seamless.Transaction // as answered
	Pay         bool
	// DeliveryID is the id for the delivery of the win, if the player's money is at an
	// agent's site.
	DeliveryID string
	// First is the admin who made the approval request if two persons decide, empty
	// otherwise.
	First     wallet.Address
	By        wallet.Address
	Terms     token.Terms // of the win's token
	Policy    rbac.Policy
	Reason    string
	AuditID   string
	RequestID string
	At        time.Time
}

// SettleReview pays a win in review or rejects it. A paid win is a round of its own,
// because its original round ended long ago, and a vote of the admin in a credit. Its
// view needs the admin's role and, if one person pays, the votes of VotesNeed{Token, By,
// At}. Refusals in this order: AdminForbidden, NotFound for a win of another agent's
// player than the admin's, Forbidden for the admin's own win, AmountOutOfRange,
// ErrTwoPersons for a win above the threshold.
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
		if err := v.Roles[d.By].CheckAge(d.At); err != nil {
			return Change{}, err
		}
		after, ok := t.Balance.Add(t.Win)
		if t.Site != "" {
			after = 0
			_, ok = v.Funds[agent.FundsRef{Agent: t.Agent, Token: t.Token}].Moved(money.TotalOf(t.Win))
		}
		if !ok {
			return Change{}, fault.New(fault.AmountOutOfRange, "the balance would exceed the largest possible amount with the win")
		}
		if credit := (Adjustment{ID: t.ID, Wallet: t.Wallet, Token: t.Token, Amount: int64(t.Win), By: d.By, At: d.At}); d.First == "" && v.creditNeedsTwo(credit, d.Terms) {
			return Change{}, ErrTwoPersons
		}
		t.Status, t.Balance, t.RoundID, verdict = seamless.Taken, after, t.ID, "paid"
		round := seamless.Begin(t)
		change.ProviderRound, change.Postings = &round, t.Postings()
		// Paying it is a credit: the admin can't approve the player's withdrawals either.
		change.Votes = v.creditVotes(t.ID, t.Wallet, t.Token, t.Win, d.At, decidersOf(d.First, d.By)...)
		if t.Site != "" {
			change.Deliveries = []seamless.Delivery{seamless.NewDelivery(t, d.DeliveryID, seamless.Credit, t.Win)}
		}
	}
	change.Balance = t.Balance
	change.Audit = []audit.Record{{
		ID: d.AuditID, Action: audit.ProviderReviewed, By: d.By, Target: d.Transaction.ID,
		Before: amountOf(t.Win, t.Token), After: verdict + ": " + d.Reason, At: d.At, RequestID: d.RequestID,
	}}
	return change, nil
}
