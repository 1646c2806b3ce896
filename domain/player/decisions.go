package player

import (
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
)

// SignInRequest is what a verified login brings with it. Its randomness is drawn
// before the item is queued, and used for the wallet's first sign-in and for the first
// one of an epoch.
type SignInRequest struct {
	Wallet wallet.Address
	Agent  string // of a first sign-in
	Login  Login
	// Session is the session that begins, without what was counted before it; the zero
	// Session begins none. Its item asks for Tallies.
	Session session.Session
	// First and Next are two server seeds, ClientSeed the server's choice until the
	// player makes their own.
	First, Next fairness.Spare
	ClientSeed  string
	// AuditID is of the audit record of a first sign-in, SessionAuditID of that of the
	// session.
	AuditID, SessionAuditID string

	RequestID string
	At        time.Time
}

// SignIn records the login. The first one of a wallet also makes the player and the
// first seed pair, and moves what arrived for the wallet before to the player. The first
// one of a later epoch replaces the seed pair and the seed after it, because rounds that
// the ledger has lost may have been drawn from them: it asks for the pair.
//
// While the control state is Restored nobody signs in by a message from before, and for the
// first time only a wallet that has a role, because an admin may have to stop something:
// it asks for the role.
func SignIn(v View, s SignInRequest) (Change, error) {
	if err := v.Control.AdmitsLogin(time.UnixMilli(s.Login.Timestamp)); err != nil {
		return Change{}, err
	}
	if closed := v.Control.Open(); closed != nil && !v.Player.Known() {
		if err := v.sawRoles(s.Wallet); err != nil {
			return Change{}, err
		}
		if v.Roles[s.Wallet].Role == "" {
			return Change{}, closed
		}
	}
	opened := audit.Record{
		ID: s.SessionAuditID, Action: audit.SessionOpened, By: s.Wallet, Target: string(s.Wallet), At: s.At, RequestID: s.RequestID,
	}
	change := Change{Login: &s.Login, Audit: []audit.Record{opened}}
	if begun := s.Session; !begun.IssuedAt.IsZero() {
		begun.Before = session.Tallies(v.Tallies)
		change.Session = &begun
	}
	if v.Player.Known() {
		return v.renewPair(change, s)
	}
	pair := fairness.NewPair(s.First, s.Next, s.ClientSeed, s.At).In(v.currentEpoch())
	change.Player = &Player{Wallet: s.Wallet, Agent: s.Agent, CreatedAt: s.At}
	change.Pair = &pair
	change.Audit = []audit.Record{{
		ID: s.AuditID, Action: audit.PlayerFirstSignedIn, By: s.Wallet, Target: string(s.Wallet),
		After: s.Agent, At: s.At, RequestID: s.RequestID,
	}, opened}
	transfers := make([]ledger.Transfer, 0, len(v.Unclaimed))
	for _, token := range sortedTokens(v.Unclaimed) {
		if amount := v.Unclaimed[token]; amount > 0 {
			transfers = append(transfers, ledger.Transfer{
				Debit: ledger.UnclaimedOf(s.Wallet), Credit: ledger.PlayerOf(s.Wallet), Token: token, Amount: amount,
			})
		}
	}
	if len(transfers) > 0 {
		key := ledger.Key{Kind: ledger.Claimed, ID: string(s.Wallet)}
		change.Postings = []ledger.Posting{{Key: key, Transfers: transfers}}
	}
	return change, nil
}

// renewPair adds to a sign-in what becomes of a seed pair of an earlier epoch.
func (v *View) renewPair(change Change, s SignInRequest) (Change, error) {
	if v.currentEpoch() == 1 {
		return change, nil
	}
	if v.Pair.ID == "" {
		return Change{}, Missing(Needs{Pair: true})
	}
	if v.pairIsOutdated() {
		retired, unplayed, pair := v.Pair.Renew(v.currentEpoch(), s.First, s.Next, s.ClientSeed, s.At)
		change.Unplayed = &unplayed
		v.replacePair(&change, v.Pair, retired, pair)
	}
	return change, nil
}

// replacePair has a pair follow the active one, which is revealed; while rounds are open that
// are drawn from it, it closes instead, because to reveal it would show their draws.
func (v *View) replacePair(c *Change, active fairness.Pair, revealed fairness.Revealed, next fairness.Pair) {
	c.Pair = &next
	if v.openIn(active.ID, c) {
		closing := active.Closing()
		c.Closing = &closing
		return
	}
	c.Retired = &revealed
}

// currentEpoch is the present one; a store without a control state never leaves the first.
func (v *View) currentEpoch() int64 {
	if v.Control == nil {
		return 1
	}
	return max(1, v.Control.Epoch)
}

// pairIsOutdated reports whether the active seed pair is of an earlier epoch.
func (v *View) pairIsOutdated() bool { return v.ofEarlierEpoch(v.Pair) }

func (v *View) ofEarlierEpoch(p fairness.Pair) bool {
	return v.Control != nil && p.Epoch != v.currentEpoch()
}

// errOutlived is what a session gets that is older than the epoch, although it was
// issued by a clock that was ahead.
var errOutlived = fault.New(fault.InvalidToken, "the session is older than the recovery of the service: sign in again")

// errNeverSignedIn is what a wallet gets that has no seed pair yet.
var errNeverSignedIn = fault.New(fault.InvalidToken, "the wallet never signed in: sign in first (Casino.SignIn), which makes its first seed pair")

// outlivedFault returns why nothing is drawn from the active pair: the wallet never signed
// in, or its session is older than the epoch.
func (v *View) outlivedFault() error {
	if v.Pair.Epoch == 0 {
		return errNeverSignedIn
	}
	return errOutlived
}

// EndSessions ends every session issued before now. The moment only moves forward: a
// clock that stepped back must not revive what was ended.
func EndSessions(v View, auditID, requestID string, now time.Time) (Change, error) {
	ended := v.Player
	if now.After(ended.SessionsFrom) {
		ended.SessionsFrom = now
	}
	return Change{Player: &ended, Audit: []audit.Record{{
		ID: auditID, Action: audit.SessionsEnded, By: v.Player.Wallet, Target: string(v.Player.Wallet),
		At: now, RequestID: requestID,
	}}}, nil
}

// Play settles one round. The order's agent is read from the view. A void round retires
// the pair: its outcome must never be drawn again. So does the round with which the pair
// Ended. While rounds are open that are drawn from the pair it closes instead. The pair
// that follows keeps the player's client seed, as a repeated one, or has
// serverClientSeed. The item needs the token's balance and Draw; a round that retires its
// pair asks for Pair, and draws the same.
func Play(v View, o bet.Order, spare fairness.Spare, serverClientSeed, auditID string) (Change, error) {
	if v.pairIsOutdated() {
		return Change{}, v.outlivedFault()
	}
	if v.Pair.Exhausted() {
		return Change{}, fault.New(fault.InvalidState, "the seed pair has no nonces left: rotate it").With("status", "exhausted")
	}
	if err := o.Expected.Check(v.Pair); err != nil {
		return Change{}, err
	}
	if err := v.MayBet(o.GameType(), o.Terms.Mint, o.Wager(), o.At); err != nil {
		return Change{}, err
	}
	begins := v.currentTime(o.At)
	if err := v.Player.Protection.MayBegin(o.Pace, begins); err != nil {
		return Change{}, err
	}
	balance := v.Balances[o.Terms.Mint]
	if err := bet.Admit(o, balance); err != nil {
		return Change{}, err
	}
	o.Agent = v.Player.Agent
	round, _ := bet.Decide(o, v.Pair, balance)
	change := Change{Round: &round, Postings: []ledger.Posting{round.Posting()}, Balance: round.Balance}
	if err := v.useNonce(&change, Voiding{Spare: spare, ServerClientSeed: serverClientSeed}, round.At); err != nil {
		return Change{}, err
	}
	paced, kept := v.Player.Protection.Began(o.Pace, begins)
	if round.Void {
		change.Player = v.withMeters(paced, kept)
		change.Audit = []audit.Record{{ID: auditID, Action: audit.RoundVoided, Target: round.ID, At: round.At}}
	} else {
		metered, moved := paced.AddBet(round.Token, round.Wager, round.Payout, o.At)
		change.Player = v.withMeters(metered, moved || kept)
		if large := o.Terms.LargeWin; large > 0 && round.Payout > large {
			change.Audit = []audit.Record{{
				ID: auditID, Action: audit.LargeWin, By: round.Wallet, Target: round.ID, After: amountOf(round.Payout, round.Token), At: round.At,
			}}
		}
	}
	return change, nil
}

// RotationRequest is a player's request for a new seed pair.
type RotationRequest struct {
	// ClientSeed is the player's choice, empty for the server's.
	ClientSeed       string
	ServerClientSeed string
	// ExpectedCommitment, when not empty, must be the active pair's.
	ExpectedCommitment string
	Spare              fairness.Spare
	At                 time.Time
}

// Rotate reveals the active pair and starts the next one. Its item needs Pair, and the
// ClientSeed that the player chose. While open rounds are drawn from the pair it is
// InvalidState (Details["rounds"] their ids).
func Rotate(v View, r RotationRequest) (Change, error) {
	if v.pairIsOutdated() {
		return Change{}, v.outlivedFault()
	}
	if r.ExpectedCommitment != "" && r.ExpectedCommitment != v.Pair.Commitment {
		return Change{}, fault.New(fault.InvalidState, "expectedServerSeedHash: the active pair is another one").
			With("status", "rotated").With("field", "expectedServerSeedHash")
	}
	if open := v.drawnFrom(v.Pair.ID); len(open) > 0 {
		return Change{}, errRoundsOpen(open)
	}
	client := fairness.Choose(r.ClientSeed, v.hadClientSeed(r.ClientSeed), r.ServerClientSeed)
	revealed, next := v.Pair.Rotate(client, r.Spare, r.At)
	return Change{Retired: &revealed, Pair: &next}, nil
}

// amountOf writes an amount for an audit record.
func amountOf(amount money.Amount, token money.Token) string {
	return signedAmountOf(int64(amount), token)
}

func signedAmountOf(amount int64, token money.Token) string {
	return strconv.FormatInt(amount, 10) + " " + string(token)
}
