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
	"github.com/casino-service/casino/domain/refusal"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
)

// SignInRequest is a verified login. Its randomness, drawn before the item is queued, is
// used for a wallet's first sign-in, and its first one in an epoch.
type SignInRequest struct {
	Wallet wallet.Address
	Agent  string // of a first sign-in
	Login  Login
	// Session is the session that begins, without tallies; the zero Session begins none.
	// Its item needs Tallies.
	Session session.Session
	// First and Next are two server seeds, ClientSeed the server's choice until the player
	// chooses one.
	First, Next fairness.Spare
	ClientSeed  string
	// AuditID is the id of a first sign-in's audit record, SessionAuditID of the session's.
	AuditID, SessionAuditID string

	RequestID string
	At        time.Time
}

// SignIn records the login. A wallet's first one also makes the player and the first
// seed pair, and moves the wallet's unclaimed deposits to the player. The first one in a
// later epoch replaces the seed pair and its next seed, because the lost part of the
// ledger may have rounds of them; it needs the pair.
//
// While the control state is Restored, older login messages are refused. A first sign-in
// is possible only for a wallet with a role, because an admin may have to stop
// something; it needs the role.
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

// renewPair adds the replacement of a seed pair of an earlier epoch to a sign-in.
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

// replacePair replaces the active pair by next and reveals it. If it has open rounds it
// becomes closing instead, because revealing it would show their draws.
func (v *View) replacePair(c *Change, active fairness.Pair, revealed fairness.Revealed, next fairness.Pair) {
	c.Pair = &next
	if v.openIn(active.ID, c) {
		closing := active.Closing()
		c.Closing = &closing
		return
	}
	c.Retired = &revealed
}

// currentEpoch returns the present epoch; stores without a control state stay in the
// first.
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

// errSessionTooOld refuses a session from before the epoch, which a fast clock issued.
var errSessionTooOld = fault.New(fault.InvalidToken, "the session is older than the recovery of the service: sign in again")

// errNeverSignedIn refuses a wallet without a seed pair.
var errNeverSignedIn = fault.New(fault.InvalidToken, "the wallet never signed in: sign in first (Casino.SignIn), which makes its first seed pair")

// unusablePairFault returns why the active pair can't be used: the wallet never signed in,
// or its session is older than the epoch.
func (v *View) unusablePairFault() error {
	if v.Pair.Epoch == 0 {
		return errNeverSignedIn
	}
	return errSessionTooOld
}

// EndSessions ends every session issued before now. The time never decreases: a clock
// that stepped back must not revive ended sessions.
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

// Play settles one round. It reads the order's agent from the view. A void round retires
// the pair, because its outcome must never be drawn again, and so does the round with
// which the pair Ended. If the pair has open rounds it becomes closing instead. The next
// pair keeps the player's client seed, marked as repeated, or has serverClientSeed. The
// item needs the token's balance and Draw; a round that retires its pair asks for Pair,
// and gives the same result. A refusal for which there is a pair is a refusal.Refused.
func Play(v View, o bet.Order, spare fairness.Spare, serverClientSeed, auditID string) (Change, error) {
	if v.pairIsOutdated() {
		return Change{}, v.unusablePairFault()
	}
	begins, balance := v.currentTime(o.At), v.Balances[o.Terms.Mint]
	err := v.admitPlaced(o.Placed, o.GameType(), o.Wager(), begins)
	if err == nil {
		err = bet.Admit(o, balance)
	}
	if err != nil {
		return Change{}, v.refused(err, o.Placed, o.Figures())
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

// admitPlaced makes the refusals that orders and openings have in common.
func (v *View) admitPlaced(p bet.Placed, gameType string, wager money.Amount, begins time.Time) error {
	if v.Pair.Exhausted() {
		return fault.New(fault.InvalidState, "the seed pair has no nonces left: rotate it").With("status", "exhausted")
	}
	if err := p.Expected.Check(v.Pair); err != nil {
		return err
	}
	if err := v.MayBet(gameType, p.Terms.Mint, wager, p.At); err != nil {
		return err
	}
	return v.Player.Protection.MayBegin(p.Pace, begins)
}

// Refuse returns the error by which an order is refused for what its caller knows, such as
// a token that isn't accepted: with what it was decided on, as Play refuses.
func Refuse(v View, err error, placed bet.Placed) error {
	if v.pairIsOutdated() {
		return v.unusablePairFault()
	}
	return v.refused(err, placed, bet.Figures{})
}

// refused adds to a refusal what it was decided on.
func (v *View) refused(err error, placed bet.Placed, figures bet.Figures) error {
	r := &refusal.Refused{Refusal: err, Epoch: v.currentEpoch(), At: placed.At, Decided: refusal.Decided{
		Commitment: v.Pair.Commitment, Nonce: v.Pair.Nonce, Figures: figures,
		Balance: v.Balances[placed.Terms.Mint], OpenRounds: int64(v.countStepped()),
	}}
	if v.Control != nil {
		r.Ledger = v.Control.Ledger
	}
	return r
}

// RotationRequest is a player's request for a new seed pair.
type RotationRequest struct {
	// ClientSeed is the player's choice, empty for the server's.
	ClientSeed       string
	ServerClientSeed string
	// ExpectedCommitment, if not empty, must be the active pair's.
	ExpectedCommitment string
	Spare              fairness.Spare
	At                 time.Time
}

// Rotate reveals the active pair and starts the next one. Its item needs Pair, and the
// ClientSeed that the player chose. If the pair has open rounds the fault is
// InvalidState (Details["rounds"] lists their ids).
func Rotate(v View, r RotationRequest) (Change, error) {
	if v.pairIsOutdated() {
		return Change{}, v.unusablePairFault()
	}
	if r.ExpectedCommitment != "" && r.ExpectedCommitment != v.Pair.Commitment {
		return Change{}, fault.New(fault.InvalidState, "expectedServerSeedHash: does not match the active pair").
			With("status", "rotated").With("field", "expectedServerSeedHash")
	}
	if open := v.drawnFrom(v.Pair.ID); len(open) > 0 {
		return Change{}, errRoundsOpen(open)
	}
	client := fairness.Choose(r.ClientSeed, v.hadClientSeed(r.ClientSeed), r.ServerClientSeed)
	revealed, next := v.Pair.Rotate(client, r.Spare, r.At)
	return Change{Retired: &revealed, Pair: &next}, nil
}

// amountOf formats an amount for an audit record.
func amountOf(amount money.Amount, token money.Token) string {
	return signedAmountOf(int64(amount), token)
}

func signedAmountOf(amount int64, token money.Token) string {
	return strconv.FormatInt(amount, 10) + " " + string(token)
}
