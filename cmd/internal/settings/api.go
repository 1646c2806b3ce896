package settings

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/manual"
	"github.com/casino-service/casino/adapters/web"
	"github.com/casino-service/casino/app/solvency"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
)

// API holds the settings of the HTTP API, for each command that serves it. The embedding
// command sets the defaults of manual and pages.
type API struct {
	// Local is true only for casino dev: unless origins are named, browsers may call from
	// pages on this machine, and agents may have their sites on it.
	Local bool `kong:"-"`

	Manual              bool          `default:"${manual}" negatable:"" help:"Serve the manual under /manual/."`
	BasePath            string        `default:"/casino" placeholder:"PATH" help:"What every path begins with: one segment or more, as in /api/v1/casino, or / for nothing."`
	CORSOrigins         []string      `name:"cors-origins" placeholder:"ORIGIN" help:"Browser origins that may call the API."`
	TrustedProxies      []string      `placeholder:"CIDR" help:"Proxies whose X-Forwarded-For is trusted; never all addresses."`
	DefaultLanguage     string        `default:"pt" placeholder:"TAG" help:"The language of providers' games when a launch names none, such as pt or pt-BR."`
	SignedApprovals     bool          `help:"An approval of a withdrawal counts only with the admin wallet's own signature over it."`
	WritesPerMinute     int           `default:"60" placeholder:"N" help:"How many withdrawals and seed rotations, each, a wallet may ask for in any minute."`
	AddressConnections  int           `name:"connections-per-address" default:"512" placeholder:"N" help:"How many connections one client address may have open, at most a quarter of all; trusted proxies may have all."`
	Connections         int           `default:"16384" placeholder:"N" help:"How many connections may be open, at most half of the process's descriptors."`
	EventStreams        int           `default:"0" placeholder:"N" help:"How many event streams may be open, at most a half of the connections; 0 for a quarter of them. Players may have half of the streams, admins a sixteenth."`
	AddressStreams      int           `name:"event-streams-per-address" default:"32" placeholder:"N" help:"How many event streams one client address may have open."`
	BodyBytesPerSecond  int           `default:"1024" placeholder:"N" help:"How many bytes of a request's body have to come in a second, beside 5 s."`
	NoWithdrawCancel    bool          `help:"Players can't cancel withdrawals that can still be paid."`
	ExclusionMin        time.Duration `default:"0s" placeholder:"TIME" help:"The least length of an exclusion, such as 4320h for six months; 0s for none."`
	SolvencyKeep        time.Duration `default:"${solvency}" placeholder:"TIME" help:"State each hour what is owed to all players, signed, and keep for so long, 2h to 48h, what proves to each of them that they are counted; 0s for no statements."`
	RoundPace           []string      `placeholder:"TIME" help:"The least time between a player's rounds, such as 5s, and of types of games, such as slots=2500ms; none where nothing is named."`
	Pages               bool          `default:"${pages}" negatable:"" help:"Serve the pages for players beside the API, at /."`
	GameFrames          []string      `placeholder:"ORIGIN" help:"The page shows third-party games from these origins in a frame, such as https://games.example or https://*.games.example, and opens all others in a tab."`
	RealityCheck        time.Duration `default:"1h" placeholder:"TIME" help:"How long a player plays until the page states time and net result and asks whether to go on, 1m or more; 0s for never."`
	ExplorerURL         string        `name:"explorer-url" placeholder:"URL" help:"Where the pages link to transactions on chain, with {signature} in it; no links without it."`
	WithdrawDestination string        `default:"any" enum:"any,own" help:"any: players name a destination; own: only the wallet they signed in with."`

	Crash `embed:""`
}

// exclusionMax is the maximum of the minimum exclusion: ten years.
const exclusionMax = 10 * 8760 * time.Hour

// numberMax is the maximum of numeric settings, larger than any use.
const numberMax = 1_000_000

// Check returns all faults of the settings.
func (a API) Check() error {
	var found faults
	a.checkSettings(&found)
	return found.err()
}

// Prefix returns the prefix of the API's paths, empty for the root.
func (a API) Prefix() string { return strings.TrimSuffix(a.BasePath, "/") }

func (a API) checkSettings(found *faults) {
	if !strings.HasPrefix(a.BasePath, "/") || path.Clean(a.BasePath) != a.BasePath {
		found.addFault("CASINO_BASE_PATH", "must be path segments such as /casino or /api/v1/casino, or / for none")
	}
	if first, _, _ := strings.Cut(strings.TrimPrefix(a.BasePath, "/"), "/"); a.Manual && "/"+first == manual.Path {
		found.addFault("CASINO_BASE_PATH", "begins with %s, where the manual is: choose another one, or turn CASINO_MANUAL off", manual.Path)
	}
	for _, origin := range a.CORSOrigins {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" {
			found.addFault("CASINO_CORS_ORIGINS", "%q is not an origin such as https://example.com", origin)
		}
	}
	if a.DefaultLanguage != "" && !seamless.ValidLanguage(a.DefaultLanguage) {
		found.addFault("CASINO_DEFAULT_LANGUAGE", "%q is not a language tag such as pt or pt-BR", a.DefaultLanguage)
	}
	for name, number := range map[string]int{
		"CASINO_WRITES_PER_MINUTE": a.WritesPerMinute, "CASINO_CONNECTIONS_PER_ADDRESS": a.AddressConnections, "CASINO_CONNECTIONS": a.Connections, "CASINO_EVENT_STREAMS": cmp.Or(a.EventStreams, 1),
		"CASINO_EVENT_STREAMS_PER_ADDRESS": a.AddressStreams, "CASINO_BODY_BYTES_PER_SECOND": a.BodyBytesPerSecond,
	} {
		if number < 1 || number > numberMax {
			found.addFault(name, "must be from 1 to %d", numberMax)
		}
	}
	if a.ExclusionMin < 0 || a.ExclusionMin > exclusionMax {
		found.addFault("CASINO_EXCLUSION_MIN", "must be from 0s to %s", exclusionMax)
	}
	if a.SolvencyKeep != 0 && (a.SolvencyKeep < solvency.KeepMin || a.SolvencyKeep > solvency.KeepMax) {
		found.addFault("CASINO_SOLVENCY_KEEP", "must be 0s, or from %s to %s", solvency.KeepMin, solvency.KeepMax)
	}
	a.checkPages(found)
	a.Crash.checkSettings(found)
	_, err := a.Pace()
	found.addError("CASINO_ROUND_PACE", err)
	_, err = a.Proxies()
	found.addError("CASINO_TRUSTED_PROXIES", err)
}

// checkPages checks the settings of the pages.
func (a API) checkPages(found *faults) {
	found.addError("CASINO_EXPLORER_URL", checkExplorer(a.ExplorerURL))
	for _, origin := range a.GameFrames {
		if !web.ValidFrame(origin) {
			found.addFault("CASINO_GAME_FRAMES", "%q is not an origin such as https://games.example or https://*.games.example", origin)
		}
	}
	if a.RealityCheck != 0 && (a.RealityCheck < time.Minute || a.RealityCheck > exclusionMax) {
		found.addFault("CASINO_REALITY_CHECK", "must be 0s, or 1m or more")
	}
}

// checkExplorer accepts "" and web addresses that have {signature} behind the host.
func checkExplorer(text string) error {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return nil
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.Contains(u.Host, "{") || !strings.Contains(text, "{signature}"):
		return fmt.Errorf("%q is not an address with {signature}, such as https://explorer.solana.com/tx/{signature}", text)
	default:
		return nil
	}
}

// paceMax is the maximum pace, larger than any regulator requires.
const paceMax = time.Hour

// Pace returns the minimum time between a player's rounds, or all faults in it.
func (a API) Pace() (protection.Pace, error) {
	pace, named := protection.Pace{Of: map[string]time.Duration{}}, false
	var wrong []error
	for _, text := range a.RoundPace {
		gameType, written, of := strings.Cut(text, "=")
		if !of {
			written = text
		}
		least, err := time.ParseDuration(written)
		_, twice := pace.Of[gameType]
		switch {
		case err != nil || least < 0 || least > paceMax || of && !seamless.ValidCode(gameType):
			wrong = append(wrong, fmt.Errorf("%q is neither a time such as 5s nor a type of game with one such as slots=2500ms, of at most %v", text, paceMax))
		case of && twice || !of && named:
			wrong = append(wrong, fmt.Errorf("%q names a time twice", text))
		case of:
			pace.Of[gameType] = least
		default:
			pace.Any, named = least, true
		}
	}
	return pace, errors.Join(wrong...)
}

// Proxies returns the trusted networks, or all faults among them.
func (a API) Proxies() ([]netip.Prefix, error) { return parseNetworks(a.TrustedProxies) }

// parseNetworks parses addresses and networks. It refuses networks with all addresses.
func parseNetworks(texts []string) ([]netip.Prefix, error) {
	networks := make([]netip.Prefix, 0, len(texts))
	var wrong []error
	for _, text := range texts {
		network, err := netip.ParsePrefix(text)
		if address, plain := netip.ParseAddr(text); plain == nil {
			network, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Errorf("%q is not a network such as 10.0.0.0/8", text))
		case network.Bits() == 0:
			wrong = append(wrong, fmt.Errorf("%q trusts all addresses", text))
		default:
			networks = append(networks, network.Masked())
		}
	}
	return networks, errors.Join(wrong...)
}

// Loopback returns an error for addresses that other machines can reach.
func Loopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is not an address such as 127.0.0.1:8080", address)
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not a loopback address; this command is for one machine alone", address)
	}
	return nil
}

// listenAddress returns an error for addresses that can't be listened on.
func listenAddress(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return fmt.Errorf("%q is not an address such as 127.0.0.1:8080 or :8080", address)
	}
	if _, err := netip.ParseAddr(host); err != nil && host != "" && host != "localhost" {
		return fmt.Errorf("%q is not an address of this machine such as 127.0.0.1 or 0.0.0.0", host)
	}
	return nil
}
