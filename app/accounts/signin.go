package accounts

import (
	"context"
	"errors"
	"net/netip"
	"strconv"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// SignInRequest is a signed login message, unchecked.
type SignInRequest struct {
	Wallet    string
	Timestamp int64  // Unix milliseconds in the signed message
	Signature []byte // 64 bytes
	AgentCode string // for a first sign-in; empty means the house agent
	RequestID string
	Remote    netip.Addr // of the request
}

// SignInResult is a new session.
type SignInResult struct {
	Token     string
	Wallet    wallet.Address
	ExpiresAt time.Time
}

// SignIn verifies a signed login message and opens a session. The order of refusals is
// wallet, timestamp, signature, agent, admission, replay. The same commit uses up the message, creates
// the player at the first sign-in, and replaces the seeds at the first sign-in of a later
// epoch.
func (c *Service) SignIn(ctx context.Context, r SignInRequest) (SignInResult, error) {
	address, err := wallet.Parse(r.Wallet)
	if err != nil {
		return SignInResult{}, err
	}
	now := c.core.Now()
	if err := c.checkTimestamp(r.Timestamp, now); err != nil {
		return SignInResult{}, err
	}
	if !wallet.VerifyLogin(address, r.Timestamp, r.Signature) {
		return SignInResult{}, fault.New(fault.InvalidSignature, "the signature of the login message does not match the wallet")
	}
	signIn := c.signIn(address, r, now)
	if err := c.checkAgent(ctx, address, &signIn); err != nil {
		return SignInResult{}, err
	}
	decision, err := c.screen(ctx, address, r, now)
	if err != nil {
		return SignInResult{}, err
	}
	// The commit stores the session's start, so the token is made first. It is returned only
	// after the commit.
	bearer, expires, err := c.core.Sessions.Issue(address)
	if err != nil {
		return SignInResult{}, err
	}
	issued, err := c.core.Sessions.Verify(bearer)
	if err != nil {
		return SignInResult{}, err
	}
	signIn.Session = session.Session{Wallet: address, IssuedAt: issued.IssuedAt, Until: issued.ExpiresAt}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: address,
		Keys:   []player.UniqueKey{{Kind: player.LoginKey, Scope: string(address), ID: strconv.FormatInt(r.Timestamp, 10)}},
		// The pair is for a sign-in of a later epoch. It is always requested: a decision that
		// requests more needs runs its whole batch again, as every sign-in after a recovery
		// would.
		Needs:  player.Needs{Unclaimed: true, Tallies: true, Pair: true},
		At:     now,
		Source: player.FromSession,
		Decide: c.core.Screening.Recorded(decision, r.RequestID, func(v player.View) (player.Change, error) { return player.SignIn(v, signIn) }),
		// An admin who stops something must be able to sign in; SignIn refuses unsafe changes.
		WhileRestored: true,
	})
	if err != nil {
		return SignInResult{}, err
	}
	if receipt.Replayed {
		return SignInResult{}, fault.New(fault.ReplayedLogin, "this login message was used already: sign a new one")
	}
	return SignInResult{Token: bearer, Wallet: address, ExpiresAt: expires}, nil
}

// screen refuses a sign-in that screeners don't allow, and records that. An admin who stops
// something must be able to sign in, so a wallet with a role isn't screened here; its bets are.
func (c *Service) screen(ctx context.Context, address wallet.Address, r SignInRequest, now time.Time) (admission.Decision, error) {
	if !c.core.Screening.At(admission.SignIn) {
		return admission.Decision{}, nil
	}
	switch assigned, err := c.core.Store.Roles.Role(ctx, address); {
	case err == nil && assigned.Role != "":
		return admission.Decision{}, nil
	case err != nil && !fault.Is(err, fault.NotFound):
		return admission.Decision{}, err
	}
	d, err := c.core.Screening.Ask(ctx, kernel.AccessOf(admission.SignIn, address, r.AgentCode, r.Remote))
	if err != nil || d.Verdict == admission.Allow {
		return d, err
	}
	return d, errors.Join(d.Refusal(), c.core.Screening.Record(ctx, d, r.RequestID))
}

func (c *Service) checkTimestamp(millis int64, now time.Time) error {
	at := time.UnixMilli(millis)
	if at.Before(now.Add(-c.core.Settings.LoginMaxAge)) || at.After(now.Add(c.core.Settings.LoginMaxAhead)) {
		return fault.New(fault.StaleTimestamp, "timestamp: must be at most %v old and %v ahead",
			c.core.Settings.LoginMaxAge, c.core.Settings.LoginMaxAhead).With("serverTime", now.UnixMilli())
	}
	return nil
}

func (c *Service) signIn(address wallet.Address, r SignInRequest, now time.Time) player.SignInRequest {
	agent := r.AgentCode
	if agent == "" {
		agent = player.HouseAgent
	}
	return player.SignInRequest{
		Wallet: address, Agent: agent,
		Login: player.Login{
			Wallet: address, Timestamp: r.Timestamp,
			KeepUntil: time.UnixMilli(r.Timestamp).Add(c.core.Settings.LoginMaxAge + c.core.Settings.LoginMaxAhead).UTC(),
		},
		First: c.play.Spare(), Next: c.play.Spare(), ClientSeed: c.play.ClientSeed(),
		AuditID: c.core.Entropy.ID(), SessionAuditID: c.core.Entropy.ID(), RequestID: r.RequestID, At: now,
	}
}

// checkAgent refuses a first sign-in under an agent that doesn't exist or is blocked. A
// known player's agent is already set, so the field is then ignored.
func (c *Service) checkAgent(ctx context.Context, address wallet.Address, s *player.SignInRequest) error {
	if s.Agent == player.HouseAgent {
		return nil
	}
	switch _, err := c.core.Store.Players.Player(ctx, address); {
	case err == nil:
		s.Agent = player.HouseAgent
		return nil
	case !fault.Is(err, fault.NotFound):
		return err
	}
	found, err := c.core.Store.Agents.Agent(ctx, s.Agent)
	switch {
	case fault.Is(err, fault.NotFound):
		return kernel.ErrInvalidAgent
	case err != nil:
		return err
	case !found.Open():
		return fault.New(fault.BlockedAgent, "agentCode: the agent is blocked")
	}
	return nil
}

// SignOut ends all sessions of the caller's wallet that were issued until now.
func (c *Service) SignOut(ctx context.Context, caller kernel.Caller) error {
	// Tokens have millisecond timestamps: rounding up ends those of this millisecond too.
	now := c.core.Now().Truncate(time.Millisecond).Add(time.Millisecond)
	auditID := c.core.Entropy.ID()
	_, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: caller.Wallet,
		Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: auditID}},
		At:     now, Source: player.FromSession, WhileRestored: true,
		Decide: func(v player.View) (player.Change, error) {
			return player.EndSessions(v, auditID, caller.RequestID, now)
		},
	})
	return err
}

// Authenticate returns the session of a bearer token that was issued by this service,
// hasn't expired, and wasn't ended by a sign-out.
func (c *Service) Authenticate(ctx context.Context, bearer string) (ports.Session, error) {
	session, err := c.core.Sessions.Verify(bearer)
	if err != nil {
		return ports.Session{}, err
	}
	return session, c.core.ConfirmSession(ctx, session)
}
