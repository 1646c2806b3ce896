package bench

import (
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// Player is a signed-in wallet that the load plays with. One client at a time has it, so
// that each of its answers can be held against the one before.
type Player struct {
	// Wallet is its address; a player who only plays and reads needs none.
	Wallet string
	Token  string
	// SignIn makes a signed login message; nil for a player whose key isn't known.
	SignIn func(at time.Time) (api.LoginRequest, error)
	// ExpiresAt is when the session ends; the zero value is never looked at.
	ExpiresAt time.Time

	signedAt time.Time
	house    followed         // what the player has of the token that is played
	provider followed         // the same as the provider shows it, in billionths
	nonce    int64            // of the last bet
	pair     [hashLength]byte // that it was drawn from
	reads    int
	round    stepped
	ears     *ears // nil where nobody listens
}

// followed is a balance whose every change is known, or isn't any more.
type followed struct {
	amount int64
	known  bool
}

// forgetNonce is for when the outcome of a request isn't known.
func (p *Player) forgetNonce() {
	p.house.known, p.provider.known, p.round = false, false, stepped{}
}

// renewBefore is how long before its end a session is replaced.
const renewBefore = time.Minute

// needsRenewal reports whether the session has to be replaced.
func (p *Player) needsRenewal(now time.Time) bool {
	return p.SignIn != nil && !p.ExpiresAt.IsZero() && now.Add(renewBefore).After(p.ExpiresAt)
}
