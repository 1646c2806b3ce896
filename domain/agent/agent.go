// Package agent describes the agents of the casino's brand, to whom players are bound:
// their status, credentials and prepaid accounts.
//
// Use cases change agents in short transactions. The commit that decides on a bet reads
// whether the player's agent is blocked. Players name an agent by its Code.
package agent

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/internal/weburl"
	"github.com/casino-service/casino/domain/money"
)

// House is the code and the id of the default agent. It can't be blocked or deleted.
const House = "house"

// Status says whether an agent's players may play.
type Status string

// The states.
const (
	Active  Status = "active"
	Blocked Status = "blocked"
)

// Percent is a percentage in hundredths: 9550 is 95.50.
type Percent int

// PercentMax is 100.00.
const PercentMax Percent = 100_00

// RTPDefault is the return to player sent to providers for agents without one.
const RTPDefault Percent = 95_00

// Agent is one agent of the casino's brand, also called an operator.
type Agent struct {
	ID     string
	Code   string
	Name   string
	Status Status
	// RTP is sent to game providers; the house's own games have their own.
	RTP Percent
	// Share is the agent's part of the gross gaming revenue.
	Share Percent
	// SiteEndpoint is the agent's own site, empty for none.
	SiteEndpoint string
	// IPAllowlist are networks that the agent calls from; empty allows all.
	IPAllowlist []netip.Prefix
	Memo        string
	// Deleted agents count as blocked; their code stays taken.
	Deleted   bool
	CreatedAt time.Time
	UpdatedAt time.Time
}

// HouseAgent returns the agent House, which every store contains.
func HouseAgent() Agent {
	epoch := time.Unix(0, 0).UTC()
	return Agent{ID: House, Code: House, Name: "House", Status: Active, RTP: RTPDefault, CreatedAt: epoch, UpdatedAt: epoch}
}

// Open reports whether the agent's players may sign up and play.
func (a Agent) Open() bool { return a.Status == Active && !a.Deleted }

// The limits of an agent's texts, in characters.
const (
	codeMax      = 64
	nameMax      = 80
	memoMax      = 500
	allowlistMax = 64
)

const codeAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

// Check returns a fault that names the first invalid field: agentCode, agentName,
// status, rtp, percent, siteEndpoint, ipAllowlist, memo.
func (a Agent) Check() error { return a.checkFields(weburl.Public) }

// CheckLocal is Check for development: sites may also be on this machine, over plain
// HTTP.
func (a Agent) CheckLocal() error {
	return a.checkFields(func(endpoint string) bool { return weburl.Public(endpoint) || weburl.Loopback(endpoint) })
}

func (a Agent) checkFields(endpointAllowed func(string) bool) error {
	switch {
	case a.Code == "" || len(a.Code) > codeMax || strings.Trim(a.Code, codeAlphabet) != "":
		return fault.Field("agentCode", "must have 1 to %d letters, digits, dots, dashes and underscores", codeMax)
	case !isReadableText(a.Name, 1, nameMax):
		return fault.Field("agentName", "must have 1 to %d characters and no control characters", nameMax)
	case a.Status != Active && a.Status != Blocked:
		return fault.Field("status", "must be %s or %s", Active, Blocked)
	case a.RTP < 0 || a.RTP > PercentMax:
		return fault.Field("rtp", "must be from 0 to 100")
	case a.Share < 0 || a.Share > PercentMax:
		return fault.Field("percent", "must be from 0 to 100")
	case a.SiteEndpoint != "" && !endpointAllowed(a.SiteEndpoint):
		return fault.Field("siteEndpoint", "must be an absolute https URL of a public host name, without credentials")
	case len(a.IPAllowlist) > allowlistMax || slices.ContainsFunc(a.IPAllowlist, coversAllAddresses):
		return fault.Field("ipAllowlist", "must have at most %d addresses or networks, and not 0.0.0.0/0 or ::/0", allowlistMax)
	case !isReadableText(a.Memo, 0, memoMax):
		return fault.Field("memo", "must have at most %d characters and no control characters", memoMax)
	case a.Code == House && !a.Open():
		return fault.New(fault.Forbidden, "the house agent can't be blocked or deleted")
	}
	return nil
}

func coversAllAddresses(p netip.Prefix) bool { return !p.IsValid() || p.Bits() == 0 }

func isReadableText(text string, least, most int) bool {
	n := utf8.RuneCountInString(text)
	return n >= least && n <= most && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// ParseNetwork reads an address or a network ("192.0.2.7", "2001:db8::/32") and
// returns it masked.
func ParseNetwork(text string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
		address = address.Unmap()
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, fault.Field("ipAllowlist", "must have addresses or networks such as 192.0.2.0/24")
	}
	return network.Masked(), nil
}

// String returns the percentage with two decimals: "95.50".
func (p Percent) String() string { return fmt.Sprintf("%d.%02d", int(p)/100, int(p)%100) }

// Secret is a secret text. It always prints as "[sealed]"; only Reveal returns the text.
type Secret struct{ text string }

// SecretFrom returns a text as a Secret.
func SecretFrom(text string) Secret { return Secret{text} }

// Reveal returns the text, for storing or sending it.
func (s Secret) Reveal() string { return s.text }

const sealed = "[sealed]"

// String returns "[sealed]".
func (Secret) String() string { return sealed }

// GoString returns "[sealed]".
func (Secret) GoString() string { return sealed }

// Format writes "[sealed]" under every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, sealed) }

// LogValue returns "[sealed]".
func (Secret) LogValue() slog.Value { return slog.StringValue(sealed) }

// MarshalText returns "[sealed]".
func (Secret) MarshalText() ([]byte, error) { return []byte(sealed), nil }

// Credentials are an agent's token, which identifies the agent here, and its secret, by
// which its site knows us. They are shown once, when created. Stores keep a hash of the
// token, and the sealed secret, because it must be sent.
type Credentials struct {
	Token  Secret
	Secret Secret
}

// NewCredentials makes credentials from two random values.
func NewCredentials(token, secret [32]byte) Credentials {
	return Credentials{
		Token:  Secret{"agt_" + hex.EncodeToString(token[:])},
		Secret: Secret{"ags_" + hex.EncodeToString(secret[:])},
	}
}

// TokenHash returns the stored hash of a token: its SHA-256 in hexadecimal. A token has
// 256 random bits, so a fast hash is enough.
func TokenHash(token Secret) string {
	sum := sha256.Sum256([]byte(token.text))
	return hex.EncodeToString(sum[:])
}

// SameToken reports in constant time whether a token matches a stored hash.
func SameToken(token Secret, hash string) bool {
	return subtle.ConstantTimeCompare([]byte(TokenHash(token)), []byte(hash)) == 1
}

// FundsRef names an agent's prepaid account in one token. It pays the bets of players
// with balances at the agent's own site.
type FundsRef struct {
	Agent string // the code
	Token money.Token
}

// Compare orders accounts as every store locks them: by agent, then token.
func (r FundsRef) Compare(other FundsRef) int {
	return cmp.Or(cmp.Compare(r.Agent, other.Agent), cmp.Compare(r.Token, other.Token))
}

// Funds is the state of a prepaid account, in base units. The zero Funds is an unused
// account.
type Funds struct {
	// Balance is negative when the agent owes.
	Balance int64
	// Reserved is the sum of the bets that await the site's response.
	Reserved money.Amount
	// CreditLimit is how far the balance may go below zero.
	CreditLimit money.Amount
}

// Free returns how much may still be bet: the balance less Reserved plus CreditLimit. It
// is never below zero in funds that pass Check.
func (f Funds) Free() money.Total {
	return money.TotalOfInt(f.Balance).SubAmount(f.Reserved).AddAmount(f.CreditLimit)
}

// Covers reports whether one more bet may be reserved.
func (f Funds) Covers(bet money.Amount) bool {
	_, fits := f.Reserved.Add(bet)
	return fits && f.Free().SubAmount(bet).Sign() >= 0
}

// Moved returns the account after a booking; a negative amount is paid out. False means
// that the balance would overflow an int64.
func (f Funds) Moved(by money.Total) (Funds, bool) {
	sum := money.TotalOfInt(f.Balance).Add(by)
	magnitude := sum
	if sum.Sign() < 0 {
		magnitude = sum.Neg()
	}
	amount, ok := magnitude.Amount()
	if !ok {
		return f, false
	}
	f.Balance = int64(amount)
	if sum.Sign() < 0 {
		f.Balance = -int64(amount)
	}
	return f, true
}

// Check returns InsufficientAgentFunds if the balance less Reserved is below zero by
// more than CreditLimit.
func (f Funds) Check() error {
	if f.CreditLimit < 0 || f.Reserved < 0 {
		return fmt.Errorf("agent: impossible funds %+v", f)
	}
	if f.Free().Sign() < 0 {
		return fault.New(fault.InsufficientAgentFunds,
			"the agent's account of %d base units, %d of them reserved, would pass its credit limit of %d", f.Balance, f.Reserved, f.CreditLimit)
	}
	return nil
}
