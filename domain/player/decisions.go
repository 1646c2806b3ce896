package player

import (
	"errors"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// SignInRequest is what a verified login brings with it. Its randomness is drawn
// before the item is queued, and used only for the wallet's first sign-in.
type SignInRequest struct {
	Wallet wallet.Address
	Agent  string // of a first sign-in
	Login  Login
	// First and Next are the first two server seeds, ClientSeed the server's
	// choice until the player makes their own.
	First, Next fairness.Spare
	ClientSeed  string
	// AuditID is of the audit record of a first sign-in, SessionAuditID of that of the
	// session.
	AuditID, SessionAuditID string

	RequestID string
	At        time.Time
}

// SignIn records the login. The first one of a wallet also makes the player and the
// first seed pair, and moves what arrived for the wallet before to the player.
func SignIn(v View, s SignInRequest) (Change, error) {
	session := audit.Record{
		ID: s.SessionAuditID, Action: audit.SessionOpened, By: s.Wallet, Target: string(s.Wallet), At: s.At, RequestID: s.RequestID,
	}
	change := Change{Login: &s.Login, Audit: []audit.Record{session}}
	if v.Player.Known() {
		return change, nil
	}
	pair := fairness.NewPair(s.First, s.Next, s.ClientSeed)
	change.Player = &Player{Wallet: s.Wallet, Agent: s.Agent, CreatedAt: s.At}
	change.Pair = &pair
	change.Audit = []audit.Record{{
		ID: s.AuditID, Action: audit.PlayerFirstSignedIn, By: s.Wallet, Target: string(s.Wallet),
		After: s.Agent, At: s.At, RequestID: s.RequestID,
	}, session}
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

// errNeedsNextSeed is a void round whose item asked for Draw and not for Pair.
var errNeedsNextSeed = fault.New(fault.InvalidState, "the pair has to be retired")

// NeedsNextSeed reports whether Play refused because its item must ask for the whole
// pair: the round retires it.
func NeedsNextSeed(err error) bool { return errors.Is(err, errNeedsNextSeed) }

// Play settles one round. The order's agent is read from the view. A void
// round retires the pair: its outcome must never be drawn again. Its item needs the
// token's balance and Draw; in the rare case of NeedsNextSeed it is committed again
// with Pair, and draws the same.
func Play(v View, o bet.Order, spare fairness.Spare, serverClientSeed, auditID string) (Change, error) {
	if v.Pair.Exhausted() {
		return Change{}, fault.New(fault.InvalidState, "the seed pair has no nonces left: rotate it").With("status", "exhausted")
	}
	if err := v.MayBet(o.GameType, o.Terms.Mint, o.Wager, o.At); err != nil {
		return Change{}, err
	}
	balance := v.Balances[o.Terms.Mint]
	if err := bet.Admit(o, balance); err != nil {
		return Change{}, err
	}
	o.Agent = v.Player.Agent
	round := bet.Decide(o, v.Pair, balance)
	if round.Void && v.Pair.Next.ID == "" {
		return Change{}, errNeedsNextSeed
	}
	change := Change{Round: &round, Postings: []ledger.Posting{round.Posting()}, Balance: round.Balance}
	pair := v.Pair.Advance()
	if round.Void {
		revealed, next := pair.Rotate("", serverClientSeed, spare)
		pair, change.Retired = next, &revealed
		change.Audit = []audit.Record{{ID: auditID, Action: audit.RoundVoided, Target: round.ID, At: round.At}}
	} else {
		change.Player = v.metered(v.Player.Protection.AddBet(round.Token, round.Wager, round.Payout, o.At))
		if large := o.Terms.LargeWin; large > 0 && round.Payout > large {
			change.Audit = []audit.Record{{
				ID: auditID, Action: audit.LargeWin, By: round.Wallet, Target: round.ID, After: amountOf(round.Payout, round.Token), At: round.At,
			}}
		}
	}
	change.Pair = &pair
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
}

// Rotate reveals the active pair and starts the next one.
func Rotate(v View, r RotationRequest) (Change, error) {
	if r.ExpectedCommitment != "" && r.ExpectedCommitment != v.Pair.Commitment {
		return Change{}, fault.New(fault.InvalidState, "expectedServerSeedHash: the active pair is another one").
			With("status", "rotated").With("field", "expectedServerSeedHash")
	}
	revealed, next := v.Pair.Rotate(r.ClientSeed, r.ServerClientSeed, r.Spare)
	return Change{Retired: &revealed, Pair: &next}, nil
}

// amountOf writes an amount for an audit record.
func amountOf(amount money.Amount, token money.Token) string {
	return signedAmountOf(int64(amount), token)
}

func signedAmountOf(amount int64, token money.Token) string {
	return strconv.FormatInt(amount, 10) + " " + string(token)
}
