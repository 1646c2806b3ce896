package bench

import (
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// Player is a signed-in wallet used by the load. Only one client uses it at a time, so that
// each answer can be compared with the previous one.
type Player struct {
	// Wallet is its address. Players who only play and read may leave it empty.
	Wallet string
	Token  string
	// SignIn makes a signed login message; nil if the key isn't known.
	SignIn func(at time.Time) (api.LoginRequest, error)
	// ExpiresAt is when the session ends. The zero value means never.
	ExpiresAt time.Time

	signedAt time.Time
	house    followed         // balance of the played token
	provider followed         // the same as shown to the provider, in billionths
	nonce    int64            // of the last bet
	pair     [hashLength]byte // of the last bet
	reads    int
	round    stepped
	ears     *ears // nil without listeners
}

// followed is a balance with known changes, or an unknown one.
type followed struct {
	amount int64
	known  bool
}

// forgetNonce forgets the player's state after a request with an unknown outcome.
func (p *Player) forgetNonce() {
	p.house.known, p.provider.known, p.round = false, false, stepped{}
}

// renewBefore is how long before its end a session is replaced.
const renewBefore = time.Minute

// needsRenewal reports whether the session must be replaced.
func (p *Player) needsRenewal(now time.Time) bool {
	return p.SignIn != nil && !p.ExpiresAt.IsZero() && now.Add(renewBefore).After(p.ExpiresAt)
}
