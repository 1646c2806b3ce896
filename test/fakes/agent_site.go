package fakes

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// Trouble is a failure of one message to an agent's site.
type Trouble uint8

// The failures of a site. From SiteAnswerLost on, the site carried the message out.
const (
	SiteFine Trouble = iota
	SiteMessageLost
	SiteBroken // HTTP 500
	SiteAnswerLost
	SiteTooLate // the response comes after every timeout
	SiteGarbage
	SiteWrongTypes
	SiteHuge
	SiteRedirect
	SiteNegativeBalance
)

// Troubles returns every trouble.
func Troubles() []Trouble {
	return []Trouble{SiteMessageLost, SiteBroken, SiteAnswerLost, SiteTooLate, SiteGarbage, SiteWrongTypes, SiteHuge, SiteRedirect, SiteNegativeBalance}
}

// Acts reports whether the site carries the message out despite the trouble.
func (t Trouble) Acts() bool { return t == SiteFine || t >= SiteAnswerLost }

// AgentSite is an agent's site that keeps its players' money: it carries out each message once,
// and repeats its answer to a repeated one, including refusals.
type AgentSite struct {
	Agent, Secret string
	// Scale is the scale of its money: balances are kept in base units.
	Scale seamless.Scale

	mu       sync.Mutex
	balances map[wallet.Address]money.Amount
	answers  map[siteKey]ports.SiteResponse
	received map[siteKey]int
	refuse   map[seamless.Kind]seamless.Reason
	trouble  func(m ports.SiteMessage) Trouble
}

type siteKey struct {
	txn string
	leg seamless.Kind
}

// NewAgentSite returns a site without players.
func NewAgentSite(code, secret string, scale seamless.Scale) *AgentSite {
	return &AgentSite{
		Agent: code, Secret: secret, Scale: scale, balances: map[wallet.Address]money.Amount{},
		answers: map[siteKey]ports.SiteResponse{}, received: map[siteKey]int{}, refuse: map[seamless.Kind]seamless.Reason{},
	}
}

// Pay gives a player money, and makes the wallet a player of the site.
func (o *AgentSite) Pay(w wallet.Address, amount money.Amount) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.balances[w] += amount
}

// Has returns a player's balance.
func (o *AgentSite) Has(w wallet.Address) money.Amount {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.balances[w]
}

// Refuse makes the site refuse every new message of a leg; None ends that.
func (o *AgentSite) Refuse(leg seamless.Kind, reason seamless.Reason) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.refuse[leg] = reason
}

// Trouble sets a function that chooses the trouble of each message, in order; nil for no trouble.
func (o *AgentSite) Trouble(which func(m ports.SiteMessage) Trouble) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.trouble = which
}

// Next returns the trouble of the current message.
func (o *AgentSite) Next(m ports.SiteMessage) Trouble {
	o.mu.Lock()
	which := o.trouble
	o.mu.Unlock()
	if which == nil {
		return SiteFine
	}
	return which(m)
}

// Received returns how often a leg of a transaction arrived.
func (o *AgentSite) Received(txnID string, leg seamless.Kind) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.received[siteKey{txnID, leg}]
}

// Took reports whether a leg was carried out and moved its money.
func (o *AgentSite) Took(txnID string, leg seamless.Kind) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.answers[siteKey{txnID, leg}].Accepted
}

// Balance returns a player's balance, and false for a wallet that is not a player.
func (o *AgentSite) Balance(w wallet.Address) (seamless.Decimal, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	amount, known := o.balances[w]
	return seamless.DecimalOf(amount, o.Scale), known
}

// Do carries a message out, once.
func (o *AgentSite) Do(m ports.SiteMessage) ports.SiteResponse {
	o.mu.Lock()
	defer o.mu.Unlock()
	key := siteKey{m.TxnID, m.Leg}
	o.received[key]++
	if first, again := o.answers[key]; again {
		return first
	}
	balance, known := o.balances[m.Wallet]
	amount, residue, fits := m.Amount.Units(o.Scale)
	answer := ports.SiteResponse{Accepted: true}
	switch {
	case !known:
		return ports.SiteResponse{Balance: "0", Reason: "INVALID_USER"}
	case o.refuse[m.Leg] != seamless.None:
		answer = ports.SiteResponse{Reason: o.refuse[m.Leg]}
	case residue != "" || !fits:
		answer = ports.SiteResponse{Reason: seamless.InvalidAmount}
	case m.Leg == seamless.Debit && balance < amount:
		answer = ports.SiteResponse{Reason: seamless.InsufficientFunds}
	case m.Leg == seamless.Debit:
		o.balances[m.Wallet] -= amount
	default:
		o.balances[m.Wallet] += amount
	}
	answer.Balance = seamless.DecimalOf(o.balances[m.Wallet], o.Scale)
	o.answers[key] = answer
	return answer
}

// Sites maps endpoints to agents' sites. It implements ports.AgentSite without a network; several
// endpoints may lead to one site.
type Sites struct {
	mu    sync.Mutex
	known map[string]*AgentSite
}

// NewSites returns an empty set of sites.
func NewSites() *Sites { return &Sites{known: map[string]*AgentSite{}} }

// Set puts a site at an endpoint; nil removes it.
func (s *Sites) Set(endpoint string, o *AgentSite) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[endpoint] = o
}

// At returns the site at an endpoint, or nil.
func (s *Sites) At(endpoint string) *AgentSite {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[endpoint]
}

// at returns the site for the message, if it exists and accepts our secret.
func (s *Sites) at(to ports.SiteAccess) (*AgentSite, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.known[to.Endpoint]
	if o == nil {
		return nil, fault.New(fault.AgentSeamless, "no site at this endpoint: nothing was sent")
	}
	if to.Agent != o.Agent || to.Secret.Reveal() != o.Secret {
		return nil, fault.New(fault.External, "the agent's site doesn't know us")
	}
	return o, nil
}

// PlayerBalance implements ports.AgentSite.
func (s *Sites) PlayerBalance(ctx context.Context, to ports.SiteAccess, w wallet.Address) (seamless.Decimal, error) {
	o, err := s.at(to)
	if err != nil {
		return "", err
	}
	if o.Next(ports.SiteMessage{Wallet: w}) != SiteFine || ctx.Err() != nil {
		return "", fault.New(fault.External, "the agent's site doesn't answer")
	}
	balance, known := o.Balance(w)
	if !known {
		return "", fault.New(fault.InvalidUser, "the agent's site has no such player")
	}
	return balance, nil
}

// Send implements ports.AgentSite.
func (s *Sites) Send(ctx context.Context, to ports.SiteAccess, m ports.SiteMessage) (ports.SiteResponse, error) {
	o, err := s.at(to)
	if err != nil {
		return ports.SiteResponse{}, err
	}
	trouble := o.Next(m)
	var answer ports.SiteResponse
	if trouble.Acts() && ctx.Err() == nil {
		answer = o.Do(m)
	}
	if trouble != SiteFine || ctx.Err() != nil {
		return ports.SiteResponse{}, fault.New(fault.External, "the agent's site doesn't answer")
	}
	if !answer.Accepted {
		answer.Reason, _ = seamless.RefusalOf(string(answer.Reason))
	}
	return answer, nil
}

// siteBody is a request of the agent protocol.
type siteBody struct {
	Method   string                     `json:"method"`
	Agent    string                     `json:"agent_code"`
	Secret   string                     `json:"agent_secret"`
	User     string                     `json:"user_code"`
	GameType string                     `json:"game_type"`
	Rest     map[string]json.RawMessage `json:"-"`
}

type sitePlay struct {
	Provider string      `json:"provider_code"`
	Game     string      `json:"game_code"`
	Bet      json.Number `json:"bet_money"`
	Win      json.Number `json:"win_money"`
	TxnID    string      `json:"txn_id"`
	TxnType  string      `json:"txn_type"`
}

// ServeHTTP serves the agent protocol over HTTP.
func (o *AgentSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	var body siteBody
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	if err == nil {
		err = json.Unmarshal(text, &body.Rest)
	}
	if err != nil || r.Method != http.MethodPost {
		http.Error(w, "what?", http.StatusBadRequest)
		return
	}
	if body.Agent != o.Agent || body.Secret != o.Secret {
		_, _ = io.WriteString(w, `{"status":0,"user_balance":0,"msg":"INVALID_AGENT"}`)
		return
	}
	var play sitePlay
	m := ports.SiteMessage{Wallet: wallet.Address(body.User), GameType: body.GameType}
	if body.Method == "transaction" {
		if err := json.Unmarshal(body.Rest[body.GameType], &play); err != nil {
			http.Error(w, "what?", http.StatusBadRequest)
			return
		}
		m.TxnID, m.Leg, m.Provider, m.Game = play.TxnID, seamless.Kind(play.TxnType), play.Provider, play.Game
		m.Amount = seamless.Decimal(play.Win)
		if m.Leg == seamless.Debit {
			m.Amount = seamless.Decimal(play.Bet)
		}
	}
	o.answer(w, r, body.Method, m)
}

func (o *AgentSite) answer(w http.ResponseWriter, r *http.Request, method string, m ports.SiteMessage) {
	trouble := o.Next(m)
	body := `{"status":0,"user_balance":0,"msg":"INVALID_USER"}`
	if method == "transaction" && trouble.Acts() {
		answer := o.Do(m)
		status := 0
		if answer.Accepted {
			status = 1
		}
		body = fmt.Sprintf(`{"status":%d,"user_balance":%s,"msg":%q,"more":[]}`, status, answer.Balance, answer.Reason)
	} else if balance, known := o.Balance(m.Wallet); known && method == "user_balance" {
		body = fmt.Sprintf(`{"status":1,"user_balance":%s}`, balance)
	}
	switch trouble {
	case SiteMessageLost, SiteAnswerLost:
		panic(http.ErrAbortHandler)
	case SiteBroken:
		w.WriteHeader(http.StatusInternalServerError)
	case SiteTooLate:
		<-r.Context().Done()
	case SiteGarbage:
		body = "<html>" + o.Secret + "</html>"
	case SiteWrongTypes:
		body = `{"status":"1","user_balance":{"amount":1}}`
	case SiteHuge:
		body = `{"status":1,"user_balance":1,"more":"` + strings.Repeat("x", 1<<20) + `"}`
	case SiteRedirect:
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		return
	case SiteNegativeBalance:
		body = `{"status":1,"user_balance":-5}`
	}
	_, _ = io.WriteString(w, body)
}

// WebhookSites maps URLs to agents' endpoints. It implements ports.WebhookSite without a network;
// an endpoint answers 200 until a test sets its answer, and an unknown URL has no endpoint.
type WebhookSites struct {
	mu       sync.Mutex
	answers  map[string]func(context.Context, webhook.Message) webhook.Response
	received map[string][]webhook.Message
	open     map[string]int
	most     map[string]int
}

// NewWebhookSites returns endpoints at these URLs.
func NewWebhookSites(urls ...string) *WebhookSites {
	s := &WebhookSites{
		answers:  map[string]func(context.Context, webhook.Message) webhook.Response{},
		received: map[string][]webhook.Message{}, open: map[string]int{}, most: map[string]int{},
	}
	for _, url := range urls {
		s.Answer(url, func(context.Context, webhook.Message) webhook.Response { return webhook.Response{Status: 200} })
	}
	return s
}

// Answer sets an endpoint's answer. A hanging endpoint waits for the context.
func (s *WebhookSites) Answer(url string, with func(context.Context, webhook.Message) webhook.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[url] = with
}

// Received returns the messages that an endpoint received, in order, for any answer.
func (s *WebhookSites) Received(url string) []webhook.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received[url])
}

// AtOnce returns the most messages that an endpoint had at once.
func (s *WebhookSites) AtOnce(url string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most[url]
}

// Send implements ports.WebhookSite.
func (s *WebhookSites) Send(ctx context.Context, m webhook.Message) (webhook.Response, error) {
	if err := ctx.Err(); err != nil {
		return webhook.Response{}, err
	}
	s.mu.Lock()
	answer := s.answers[m.URL]
	if answer == nil {
		s.mu.Unlock()
		return webhook.Response{Failure: webhook.Unreachable}, nil
	}
	m.Body = slices.Clone(m.Body)
	s.received[m.URL] = append(s.received[m.URL], m)
	s.open[m.URL]++
	s.most[m.URL] = max(s.most[m.URL], s.open[m.URL])
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open[m.URL]--
	}()
	response := answer(ctx, m)
	return response, ctx.Err()
}
