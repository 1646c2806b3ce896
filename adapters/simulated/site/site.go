// Package site is a simulated agent's site for development: it keeps its players' balances
// and answers the casino's bets and wins by the agent protocol.
//
// `casino dev` runs it. Production wiring can't import it. It is the counterpart of
// adapters/goldapi and shares no code with it.
package site

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// scale is the scale of the site's amounts: six places, like most tokens.
const scale seamless.Scale = 6

// opening is a new player's balance: 1,000.
const opening money.Amount = 1_000_000_000

// Limits of the site.
const (
	agentsMax  = 100
	playersMax = 10_000
	textMax    = 128
	bodyMax    = 64 << 10
)

// Site is the site of one or several agents. It is safe for concurrent use.
type Site struct {
	mu      sync.Mutex
	agents  map[string]*books
	journal *os.File // nil if in memory only
}

// books holds the data of one agent.
type books struct {
	secret   string
	balances map[string]money.Amount
	answers  map[leg]line
}

// leg identifies a message; a repeated message always gets the first answer.
type leg struct{ txn, kind string }

// line is a line of the journal: a secret, or a message with its answer.
type line struct {
	Agent   string       `json:"agent"`
	Secret  string       `json:"secret,omitzero"`
	User    string       `json:"user,omitzero"`
	Txn     string       `json:"txn,omitzero"`
	Kind    string       `json:"kind,omitzero"`
	Refused string       `json:"refused,omitzero"`
	Balance money.Amount `json:"balance"`
}

// Open returns a site that continues its journal; if the path is empty it is in memory
// only.
func Open(journal string) (*Site, error) {
	s := &Site{agents: map[string]*books{}}
	if journal == "" {
		return s, nil
	}
	file, err := os.OpenFile(journal, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the caller's own folder
	if err != nil {
		return nil, fmt.Errorf("site: journal: %w", err)
	}
	if err := s.replayJournal(file); err != nil {
		return nil, errors.Join(fmt.Errorf("site: journal: %w", err), file.Close())
	}
	s.journal = file
	return s, nil
}

// replayJournal reads a journal. It drops a last line that a killed process left
// incomplete.
func (s *Site) replayJournal(file *os.File) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	for each := range bytes.Lines(whole) {
		var l line
		if err := json.Unmarshal(each, &l); err != nil {
			return err
		}
		s.applyLine(l)
	}
	if err := file.Truncate(int64(len(whole))); err != nil {
		return err
	}
	_, err = file.Seek(int64(len(whole)), io.SeekStart)
	return err
}

// Close closes the journal. The site must not be used afterwards.
func (s *Site) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.journal == nil {
		return nil
	}
	err := s.journal.Close()
	s.journal = nil
	return err
}

func (s *Site) applyLine(l line) {
	b := s.agents[l.Agent]
	if b == nil {
		b = &books{balances: map[string]money.Amount{}, answers: map[leg]line{}}
		s.agents[l.Agent] = b
	}
	if l.Secret != "" {
		b.secret = l.Secret
		return
	}
	b.balances[l.User] = l.Balance
	b.answers[leg{l.Txn, l.Kind}] = l
}

// appendLine writes a line and then applies it; the caller holds the lock.
func (s *Site) appendLine(l line) error {
	if s.journal != nil {
		text, err := json.Marshal(l)
		if err != nil {
			return err
		}
		if _, err := s.journal.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	s.applyLine(l)
	return nil
}

// Handler serves the agent protocol at POST /, takes an agent's secret at PUT
// /agents/{code}, and shows a player's balance at GET /agents/{code}/players/{user}.
func (s *Site) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{$}", s.handleMessage)
	mux.HandleFunc("PUT /agents/{code}", s.handleSecret)
	mux.HandleFunc("GET /agents/{code}/players/{user}", s.servePage)
	return mux
}

// handleSecret stores the secret with which the casino identifies itself, as shown when the
// agent was created.
func (s *Site) handleSecret(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Secret string `json:"secret"`
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMax))
	code := r.PathValue("code")
	if err != nil || json.Unmarshal(text, &asked) != nil || asked.Secret == "" || len(asked.Secret) > textMax || len(code) > textMax {
		http.Error(w, `send {"secret": "…"}, as it was shown when the agent was made`, http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.agents[code] == nil && len(s.agents) >= agentsMax {
		http.Error(w, "this site has enough agents", http.StatusConflict)
		return
	}
	if err := s.appendLine(line{Agent: code, Secret: asked.Secret}); err != nil {
		http.Error(w, "the journal can't be written", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Site) servePage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.agents[r.PathValue("code")]
	if b == nil {
		http.Error(w, "this site has no such agent", http.StatusNotFound)
		return
	}
	writeJSON(w, map[string]any{"user": r.PathValue("user"), "balance": formatNumber(b.balanceOf(r.PathValue("user")))})
}

// balanceOf returns a player's balance. An unknown player begins with the opening balance.
func (b *books) balanceOf(user string) money.Amount {
	if balance, known := b.balances[user]; known {
		return balance
	}
	return opening
}

// formatNumber formats an amount for the protocol.
func formatNumber(amount money.Amount) jsontext.Value {
	return jsontext.Value(seamless.DecimalOf(amount, scale))
}

func writeJSON(w http.ResponseWriter, body any) {
	text, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		http.Error(w, "the response can't be encoded", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // the casino repeats the message
}

func constantTimeEqual(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}
