// Package provider is a simulated provider of third-party games for development. It speaks
// the agent protocol over HTTP, serves one small playable slot machine for each game, and
// makes real wallet callbacks for every spin.
//
// `casino dev` runs it, and tests use it as a fake with scripted failures (see Script and
// Resend). Production wiring can't import it. It is the counterpart of adapters/goldapi and
// shares no code with it.
package provider

import (
	"cmp"
	"embed"
	"errors"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// Config configures a demo provider. All fields but Timeout and Tries are required.
type Config struct {
	// AgentCode, AgentToken and AgentSecret identify the only agent: the agent sends the
	// token, the provider sends the secret.
	AgentCode, AgentToken, AgentSecret string
	// CallbackURL is the URL of the agent's wallet.
	CallbackURL string
	// PublicURL is the base URL of Handler for players, without a trailing slash.
	PublicURL string
	// Currency is the currency shown on the page, such as "DEMO"; "" for none.
	Currency string
	Now      func() time.Time
	// Journal is a file that keeps the provider's log across processes; "" for memory only.
	Journal string
	// Random returns 64 unpredictable bits.
	Random func() uint64
	// Timeout bounds a callback; default 5 s. Tries is the maximum number of attempts while
	// the outcome is unknown; default 5.
	Timeout time.Duration
	Tries   int
}

// Provider is a demo provider. It is safe for concurrent use.
type Provider struct {
	config Config
	http   *http.Client

	mu       sync.Mutex
	users    map[string]bool
	sessions map[string]session
	scripts  map[string][]Behaviour
	resend   int
	log      []line
	journal  *os.File // nil if in memory only
	counter  int
	closed   map[string]bool   // withdrawn games
	renamed  map[string]string // by game code
}

// session is a player in a game.
type session struct {
	user, maker, game, language string
}

// New returns a demo provider.
func New(config Config) (*Provider, error) {
	if config.AgentCode == "" || config.AgentToken == "" || config.AgentSecret == "" || config.CallbackURL == "" ||
		config.PublicURL == "" || config.Now == nil || config.Random == nil {
		return nil, errors.New("provider: a part of the configuration is missing")
	}
	if config.Timeout == 0 {
		config.Timeout = 5 * time.Second
	}
	if config.Tries == 0 {
		config.Tries = 5
	}
	p := &Provider{
		config: config, http: &http.Client{Timeout: config.Timeout},
		users: map[string]bool{}, sessions: map[string]session{}, scripts: map[string][]Behaviour{},
		resend: 1, closed: map[string]bool{}, renamed: map[string]string{},
	}
	return p, p.openJournal()
}

// Behaviour replaces the correct answer to a call; the first non-zero field counts.
type Behaviour struct {
	// Hang doesn't answer until the caller gives up.
	Hang bool
	// Status is an HTTP status sent without a body of the protocol.
	Status int
	// Body is sent unchanged.
	Body string
	// Refuse is a message of the protocol, sent with status 0.
	Refuse string
	// Lose processes the call and then cuts the connection.
	Lose bool
}

// Script sets the behaviours of the next calls of a method ("game_launch"), one for each
// call; later calls are answered correctly again.
func (p *Provider) Script(method string, behaviours ...Behaviour) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scripts[method] = append(p.scripts[method], behaviours...)
}

// Resend makes the provider send each callback so many times in a row, like providers with
// at-least-once delivery.
func (p *Provider) Resend(times int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resend = max(1, times)
}

// Withdraw removes a game from the provider's list, or restores it.
func (p *Provider) Withdraw(game string, withdrawn bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed[game] = withdrawn
}

// Rename gives a game another name, in the provider's list and on its page.
func (p *Provider) Rename(game, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.renamed[game] = name
}

// nameOf returns a machine's name.
func (p *Provider) nameOf(m machine) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.renamed[m.code], m.name)
}

func (p *Provider) scriptedBehaviour(method string) (Behaviour, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	waiting := p.scripts[method]
	if len(waiting) == 0 {
		return Behaviour{}, false
	}
	p.scripts[method] = waiting[1:]
	return waiting[0], true
}

// intN draws a number below n. The bias of 2^64 mod n doesn't matter in a demo. The
// caller holds the lock.
func (p *Provider) intN(n int) int { return int(p.config.Random() % uint64(n)) }

// nextID returns a new id.
func (p *Provider) nextID(kind string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counter++
	return kind + "-" + strconv.FormatUint(p.config.Random(), 36) + strconv.FormatUint(p.config.Random(), 36) + "-" + strconv.Itoa(p.counter)
}

//go:embed page
var pages embed.FS

// Handler serves the agent protocol under /api and the games under /play.
func (p *Provider) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api", p.handleAPI)
	mux.HandleFunc("GET /play/{session}", p.servePage)
	mux.HandleFunc("POST /play/{session}/spin", p.handleSpin)
	mux.HandleFunc("GET /play/{session}/balance", p.handleBalance)
	mux.HandleFunc("GET /slot.js", assetHandler("page/slot.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /slot.css", assetHandler("page/slot.css", "text/css; charset=utf-8"))
	mux.HandleFunc("GET /slot.svg", assetHandler("page/slot.svg", "image/svg+xml"))
	return mux
}

func assetHandler(name, kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		text, err := pages.ReadFile(name)
		if err != nil {
			http.Error(w, "not found", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(text)
	}
}
