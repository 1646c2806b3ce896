package accounts

import (
	"context"
	"strconv"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// SignInRequest is a signed login message, unchecked.
type SignInRequest struct {
	Wallet    string
	Timestamp int64  // Unix milliseconds, as signed
	Signature []byte // 64 bytes
	AgentCode string // of a first sign-in; empty for the house agent
	RequestID string
}

// SignInResult is a new session.
type SignInResult struct {
	Token     string
	Wallet    wallet.Address
	ExpiresAt time.Time
}

// SignIn verifies a signed login message and opens a session. The order of refusals is
// wallet, timestamp, signature, agent, replay. The message is used up in the commit that
// also creates the player at the first sign-in, and replaces the seeds at the first one
// of a later epoch.
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
		return SignInResult{}, fault.New(fault.InvalidSignature, "the signature is not this wallet's over the login message")
	}
	signIn := c.signIn(address, r, now)
	if err := c.checkAgent(ctx, address, &signIn); err != nil {
		return SignInResult{}, err
	}
	// The token is made before the commit, which keeps what its session began with, and
	// nobody gets it before.
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
		// The pair is for a sign-in of a later epoch: a decision that has to ask for it has its
		// whole batch run again, and after a recovery every sign-in would.
		Needs:  player.Needs{Unclaimed: true, Tallies: true, Pair: true},
		At:     now,
		Source: player.FromSession,
		Decide: func(v player.View) (player.Change, error) { return player.SignIn(v, signIn) },
		// Whoever stops something has to be signed in; SignIn refuses what isn't safe.
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

// checkAgent refuses a first sign-in under an agent that doesn't exist or is blocked.
// The field is ignored for a known player, whose agent is set already.
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

// SignOut ends every session of the caller's wallet that was issued until now.
func (c *Service) SignOut(ctx context.Context, caller kernel.Caller) error {
	// A token carries its moment to the millisecond: rounding up ends those of this
	// millisecond too.
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

// Authenticate returns the session of a bearer token that was issued here, is not too
// old, and was not ended by a sign-out.
func (c *Service) Authenticate(ctx context.Context, bearer string) (ports.Session, error) {
	session, err := c.core.Sessions.Verify(bearer)
	if err != nil {
		return ports.Session{}, err
	}
	return session, c.core.ConfirmSession(ctx, session)
}
