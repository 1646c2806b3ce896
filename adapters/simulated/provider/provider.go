// Package provider is a provider of third-party games for development: it speaks the
// agent protocol over HTTP, serves one small playable slot machine a game, and makes
// real wallet callbacks for every spin.
//
// `casino dev` runs it, and tests use it as a fake whose failures they script beforehand
// (see Script and Resend). Production wiring can't reach it. It shares no code with
// adapters/goldapi, which it is the counterpart of.
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

// Config is a demo provider. All is required but Timeout and Tries.
type Config struct {
	// AgentCode, AgentToken and AgentSecret are the one agent that it serves: the agent
	// sends the token, the provider sends the secret.
	AgentCode, AgentToken, AgentSecret string
	// CallbackURL is where the agent's wallet answers.
	CallbackURL string
	// PublicURL is where players reach Handler, without a slash at the end.
	PublicURL string
	// Currency is the name of the money on the page, such as "DEMO"; empty for none.
	Currency string
	Now      func() time.Time
	// Journal is a file in which the provider's own log is kept across processes; empty
	// for memory only.
	Journal string
	// Random returns 64 unpredictable bits.
	Random func() uint64
	// Timeout is how long a callback may take: 5 s. Tries is how often one is made whose
	// outcome isn't known: 5.
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
	journal  *os.File // nil without one
	counter  int
	closed   map[string]bool   // games that are withdrawn
	renamed  map[string]string // by game code
}

// session is a player at a game.
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

// Behaviour is how a call is answered instead of correctly; the first field that is set
// counts.
type Behaviour struct {
	// Hang doesn't answer until the caller gives up.
	Hang bool
	// Status is an HTTP status without a body of the protocol.
	Status int
	// Body is sent as it is.
	Body string
	// Refuse is a message of the protocol, sent with status 0.
	Refuse string
	// Lose processes the call and then cuts the connection.
	Lose bool
}

// Script sets how the next calls of a method ("game_launch") are answered, one behaviour
// a call; later ones are answered correctly again.
func (p *Provider) Script(method string, behaviours ...Behaviour) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scripts[method] = append(p.scripts[method], behaviours...)
}

// Resend makes the provider send each callback so many times, one after the other, as
// providers do whose queues deliver at least once.
func (p *Provider) Resend(times int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resend = max(1, times)
}

// Withdraw removes a game from the provider's list, or puts it back.
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

// nameOf is a machine's name.
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
