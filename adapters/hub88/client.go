package hub88

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sony/gobreaker/v2"

	"github.com/casino-service/casino/adapters/internal/gametexts"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var _ ports.GameProvider = (*Client)(nil)

// Config names our account at Hub88. The zero value of Timeout and LaunchHosts means the
// default beside it.
type Config struct {
	URL        string
	OperatorID int64
	Currency   string // the code of the connection's currency
	Keys       Keys   `json:"-"`
	// Now is the clock of sessions, which launches need.
	Now func() time.Time
	// LaunchHosts are the hosts that launch URLs may be on; default: the URL's own.
	LaunchHosts []string
	// LobbyURL is where games send the player back to.
	LobbyURL string
	// Loopback allows Hub88 and its games plain HTTP on this machine.
	Loopback bool
	// Timeout bounds one call. Default: 10 s.
	Timeout time.Duration
}

// Client calls Hub88. It is safe for concurrent use.
type Client struct {
	config  Config
	hosts   gametexts.Hosts
	http    *http.Client
	breaker *gobreaker.CircuitBreaker[[]byte]
}

// After breakAfter failed calls in a row, no calls are made for breakFor.
const (
	breakAfter     = 5
	breakFor       = 10 * time.Second
	timeoutDefault = 10 * time.Second
)

// New returns a client, or one error that names every fault of the configuration.
func New(config Config) (*Client, error) {
	faults := []error{config.Keys.check()}
	hosts := gametexts.Hosts{Patterns: config.LaunchHosts, Loopback: config.Loopback}
	address, err := url.Parse(config.URL)
	if err != nil || !hosts.MayReach(address) {
		faults = append(faults, errors.New("hub88: the URL must be https, with a host and without credentials"))
	} else if len(hosts.Patterns) == 0 {
		hosts.Patterns = []string{address.Hostname()}
	}
	if config.OperatorID < 1 || config.Currency == "" {
		faults = append(faults, errors.New("hub88: the operator's number and a currency are needed"))
	}
	for _, host := range hosts.Patterns {
		if err := gametexts.Check(host); err != nil {
			faults = append(faults, fmt.Errorf("hub88: launch hosts: %w", err))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	if config.Timeout == 0 {
		config.Timeout = timeoutDefault
	}
	return &Client{
		config: config, hosts: hosts,
		// A redirect's target was never checked.
		http: &http.Client{Timeout: config.Timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		breaker: gobreaker.NewCircuitBreaker[[]byte](gobreaker.Settings{
			Timeout: breakFor, ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= breakAfter },
			IsExcluded:   func(err error) bool { return errors.Is(err, context.Canceled) },
			IsSuccessful: func(err error) bool { return err == nil || !fault.Is(err, fault.External) }, // a refusal is an answer
		}),
	}, nil
}

// urlRequest asks for a game's URL. The player's country isn't stored, so it is XX.
type urlRequest struct {
	User       string `json:"user"`
	Token      string `json:"token"`
	OperatorID int64  `json:"operator_id"`
	GameCode   string `json:"game_code"`
	Platform   string `json:"platform"`
	Currency   string `json:"currency"`
	Country    string `json:"country"`
	Language   string `json:"lang"`
	LobbyURL   string `json:"lobby_url,omitzero"`
}

// Launch serves ports.GameProvider: /game/url, which is called once. The session's token is
// made here, and known again by the wallet calls.
func (c *Client) Launch(ctx context.Context, o ports.LaunchRequest) (string, error) {
	language, _, _ := strings.Cut(o.Language, "-")
	text, err := c.call(ctx, "url", urlRequest{
		User: string(o.Wallet), Token: c.config.Keys.session(o.Wallet, c.config.Now()), OperatorID: c.config.OperatorID, GameCode: o.Game,
		Platform: "GPL_DESKTOP", Currency: c.config.Currency, Country: "XX", Language: strings.ToLower(language), LobbyURL: c.config.LobbyURL,
	})
	if err != nil {
		return "", err
	}
	var launched struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(text, &launched); err != nil {
		return "", errUnreadable("url")
	}
	if err := c.hosts.Allow(launched.URL); err != nil {
		return "", err
	}
	return launched.URL, nil
}

// Games serves ports.GameProvider: /game/list.
func (c *Client) Games(ctx context.Context) ([]seamless.Game, []seamless.UnreadEntry, error) {
	text, err := c.call(ctx, "list", struct {
		OperatorID int64 `json:"operator_id"`
	}{c.config.OperatorID})
	if err != nil {
		return nil, nil, err
	}
	var entries []jsontext.Value
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, nil, errUnreadable("list")
	}
	games, unread := make([]seamless.Game, 0, len(entries)), []seamless.UnreadEntry(nil)
	known := map[string]bool{}
	for i, raw := range entries {
		game, ok := readGame(raw)
		if !ok {
			unread = append(unread, seamless.UnreadEntry{Provider: game.Provider, Reason: fmt.Sprintf("game %d: it can't be read", i+1)})
			continue
		}
		if !known[game.Code] {
			known[game.Code] = true
			games = append(games, game)
		}
	}
	slices.SortFunc(games, func(a, b seamless.Game) int {
		return slices.Compare([]string{a.Provider, a.Code}, []string{b.Provider, b.Code})
	})
	return games, unread, nil
}

// readGame reads an entry of the list.
func readGame(raw jsontext.Value) (seamless.Game, bool) {
	entry := struct {
		Code     string `json:"game_code"`
		Name     string `json:"name"`
		Product  string `json:"product"`
		Category string `json:"category"`
		Thumb    string `json:"url_thumb"`
		Enabled  *bool  `json:"enabled"`
	}{}
	if json.Unmarshal(raw, &entry) != nil || !seamless.ValidCode(entry.Code) || toCode(entry.Product) == "" {
		return seamless.Game{}, false
	}
	kind := toCode(entry.Category)
	if kind == "" {
		kind = "slot"
	}
	return seamless.Game{
		Provider: toCode(entry.Product), Code: entry.Code, Name: gametexts.PrintableName(entry.Name, entry.Code), Type: kind,
		Banner: gametexts.PictureURL(entry.Thumb), Open: entry.Enabled == nil || *entry.Enabled,
	}, true
}

// toCode turns the name of a maker or a category into a code: "Video Slots" becomes
// "Video-Slots". It returns "" for a name without a usable character.
func toCode(name string) string {
	code := strings.Map(func(r rune) rune {
		if r < 0x80 && seamless.ValidCode(string(r)) {
			return r
		}
		return '-'
	}, strings.TrimSpace(name))
	return strings.Trim(code[:min(len(code), seamless.CodeMax)], "-")
}

// errNotOffered returns the fault of calls that Hub88's API doesn't have.
func errNotOffered(what string) error {
	return fault.New(fault.InvalidProvider, "Hub88's protocol has no %s: use its back office", what)
}

// Funds serves ports.GameProvider. Hub88's protocol doesn't offer them.
func (c *Client) Funds(context.Context) (seamless.Decimal, error) {
	return "", errNotOffered("balance of the operator")
}

// Log serves ports.GameProvider. Hub88's protocol doesn't offer it.
func (c *Client) Log(context.Context, wallet.Address, time.Time, time.Time) ([]seamless.Record, error) {
	return nil, errNotOffered("log to compare")
}

func errUnreadable(method string) error {
	return fault.New(fault.External, "the game provider's answer to game/%s can't be read", method)
}

// answerMax bounds an answer in bytes: the list of games.
const answerMax = 16 << 20

// refusals maps HTTP statuses of Hub88's errors to fault kinds; others are External.
var refusals = map[int]fault.Kind{
	http.StatusUnauthorized: fault.InvalidProvider, http.StatusForbidden: fault.GameDisabled, http.StatusNotFound: fault.InvalidGame,
}

// call makes a signed call once. Its errors never contain what Hub88 said.
func (c *Client) call(ctx context.Context, method string, request any) ([]byte, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("hub88: %s: %w", method, err)
	}
	text, err := c.breaker.Execute(func() ([]byte, error) { return c.post(ctx, method, body) })
	switch {
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		return nil, fault.New(fault.External, "the game provider failed too often: calls to it are suspended for a while")
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return text, err
}

func (c *Client) post(ctx context.Context, method string, body []byte) ([]byte, error) {
	failed := fault.New(fault.External, "the game provider does not answer game/%s", method)
	signature, err := c.config.Keys.sign(body)
	if err != nil {
		return nil, fmt.Errorf("hub88: sign: %w", err)
	}
	address := strings.TrimSuffix(c.config.URL, "/") + "/operator/generic/v2/game/" + method
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, failed
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(signatureHeader, signature)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, failed
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, answerMax+1))
	if kind, refused := refusals[response.StatusCode]; refused {
		return nil, fault.New(kind, "the game provider answered HTTP status %d", response.StatusCode)
	}
	if err != nil || len(text) > answerMax || response.StatusCode != http.StatusOK {
		return nil, failed
	}
	return text, nil
}
