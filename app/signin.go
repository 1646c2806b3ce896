package app

import (
	"context"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/fairness"
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
func (c *Casino) SignIn(ctx context.Context, r SignInRequest) (SignInResult, error) {
	address, err := wallet.Parse(r.Wallet)
	if err != nil {
		return SignInResult{}, err
	}
	now := c.now()
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
	bearer, expires, err := c.Sessions.Issue(address)
	if err != nil {
		return SignInResult{}, err
	}
	issued, err := c.Sessions.Verify(bearer)
	if err != nil {
		return SignInResult{}, err
	}
	signIn.Session = session.Session{Wallet: address, IssuedAt: issued.IssuedAt, Until: issued.ExpiresAt}
	item := player.Item{
		Wallet: address,
		Keys:   []player.UniqueKey{{Kind: player.LoginKey, Scope: string(address), ID: strconv.FormatInt(r.Timestamp, 10)}},
		Needs:  player.Needs{Unclaimed: true, Tallies: true, Pair: c.laterEpoch.Load()},
		At:     now,
		Source: player.FromSession,
		Decide: func(v player.View) (player.Change, error) { return player.SignIn(v, signIn) },
		// Whoever stops something has to be signed in; SignIn refuses what isn't safe.
		WhileRestored: true,
	}
	receipt, err := c.store.Writer.Commit(ctx, item)
	if player.NeedsPair(err) { // in later epochs every sign-in looks at the pair
		c.laterEpoch.Store(true)
		item.Needs.Pair = true
		receipt, err = c.store.Writer.Commit(ctx, item)
	}
	if fault.Is(err, fault.Maintenance) { // an admin may sign in all the same
		item.Needs.Roles = []wallet.Address{address}
		if admitted, refused := c.store.Writer.Commit(ctx, item); refused == nil {
			receipt, err = admitted, nil
		}
	}
	if err != nil {
		return SignInResult{}, err
	}
	if receipt.Replayed {
		return SignInResult{}, fault.New(fault.ReplayedLogin, "this login message was used already: sign a new one")
	}
	return SignInResult{Token: bearer, Wallet: address, ExpiresAt: expires}, nil
}

func (c *Casino) checkTimestamp(millis int64, now time.Time) error {
	at := time.UnixMilli(millis)
	if at.Before(now.Add(-c.Settings.LoginMaxAge)) || at.After(now.Add(c.Settings.LoginMaxAhead)) {
		return fault.New(fault.StaleTimestamp, "timestamp: must be at most %v old and %v ahead",
			c.Settings.LoginMaxAge, c.Settings.LoginMaxAhead).With("serverTime", now.UnixMilli())
	}
	return nil
}

func (c *Casino) signIn(address wallet.Address, r SignInRequest, now time.Time) player.SignInRequest {
	agent := r.AgentCode
	if agent == "" {
		agent = player.HouseAgent
	}
	return player.SignInRequest{
		Wallet: address, Agent: agent,
		Login: player.Login{
			Wallet: address, Timestamp: r.Timestamp,
			KeepUntil: time.UnixMilli(r.Timestamp).Add(c.Settings.LoginMaxAge + c.Settings.LoginMaxAhead).UTC(),
		},
		First: c.spare(), Next: c.spare(), ClientSeed: c.clientSeed(),
		AuditID: c.Entropy.ID(), SessionAuditID: c.Entropy.ID(), RequestID: r.RequestID, At: now,
	}
}

// checkAgent refuses a first sign-in under an agent that doesn't exist or is blocked.
// The field is ignored for a known player, whose agent is set already.
func (c *Casino) checkAgent(ctx context.Context, address wallet.Address, s *player.SignInRequest) error {
	if s.Agent == player.HouseAgent {
		return nil
	}
	switch _, err := c.store.Players.Player(ctx, address); {
	case err == nil:
		s.Agent = player.HouseAgent
		return nil
	case !fault.Is(err, fault.NotFound):
		return err
	}
	found, err := c.store.Agents.Agent(ctx, s.Agent)
	switch {
	case fault.Is(err, fault.NotFound):
		return errInvalidAgent
	case err != nil:
		return err
	case !found.Open():
		return fault.New(fault.BlockedAgent, "agentCode: the agent is blocked")
	}
	return nil
}

var errInvalidAgent = fault.New(fault.InvalidAgent, "agentCode: no such agent").With("field", "agentCode")

// SignOut ends every session of the caller's wallet that was issued until now.
func (c *Casino) SignOut(ctx context.Context, caller Caller) error {
	// A token carries its moment to the millisecond: rounding up ends those of this
	// millisecond too.
	now := c.now().Truncate(time.Millisecond).Add(time.Millisecond)
	auditID := c.Entropy.ID()
	_, err := c.store.Writer.Commit(ctx, player.Item{
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
func (c *Casino) Authenticate(ctx context.Context, bearer string) (ports.Session, error) {
	session, err := c.Sessions.Verify(bearer)
	if err != nil {
		return ports.Session{}, err
	}
	return session, c.ConfirmSession(ctx, session)
}

// ConfirmSession returns a fault of kind InvalidToken when the session was ended by a
// sign-out, or by the beginning of an epoch.
func (c *Casino) ConfirmSession(ctx context.Context, session ports.Session) error {
	known, err := c.store.Players.Player(ctx, session.Wallet)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return known.Admits(session.IssuedAt)
}

// confirmed returns the decision for a caller whose session is checked against the
// player's row under its lock.
func (c Caller) confirmed(decide player.Decision) player.Decision {
	if c.Unconfirmed == nil {
		return decide
	}
	return func(v player.View) (player.Change, error) {
		if err := v.Player.Admits(c.Unconfirmed.IssuedAt); err != nil {
			return player.Change{}, err
		}
		if err := v.Control.Admits(c.Unconfirmed.IssuedAt); err != nil {
			return player.Change{}, err
		}
		return decide(v)
	}
}

func (c *Casino) spare() fairness.Spare {
	return fairness.Spare{ID: c.Entropy.ID(), Seed: fairness.NewServerSeed(c.Entropy.Seed())}
}
