package provider

import (
	"context"
	"html/template"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// sessionOf returns the session in a path; if there is none it answers 404.
func (p *Provider) sessionOf(w http.ResponseWriter, r *http.Request) (session, machine, bool) {
	p.mu.Lock()
	s, known := p.sessions[r.PathValue("session")]
	p.mu.Unlock()
	m, playable := machineOf(s.maker, s.game)
	if !known || !playable {
		http.Error(w, "this game has ended: launch it again", http.StatusNotFound)
		return session{}, machine{}, false
	}
	return s, m, true
}

var pageTemplate = template.Must(template.ParseFS(pages, "page/slot.html"))

// shown is the data for the page's template.
type shown struct {
	Name, Maker, Currency, Session, User, Returns string
	BetMax                                        string        // as the value of an input
	Symbols                                       []shownSymbol // best first
	Words                                         words
	Script                                        string // the texts of the script, as JSON
}

type shownSymbol struct{ Sign, Name, Pays string }

// servePage shows the slot machine.
func (p *Provider) servePage(w http.ResponseWriter, r *http.Request) {
	s, m, ok := p.sessionOf(w, r)
	if !ok {
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	text := wordsOf(s.language)
	script, err := json.Marshal(text, json.Deterministic(true))
	if err != nil {
		http.Error(w, "the page can't be written", http.StatusInternalServerError)
		return
	}
	page := shown{
		Name: p.nameOf(m), Maker: m.maker, Currency: p.config.Currency, Session: r.PathValue("session"), User: s.user,
		Returns: strings.Replace(text.Returns, "{share}", text.formatAmount(m.averageReturn()), 1), BetMax: string(formatMoney(betMax)),
		Words: text, Script: string(script),
	}
	for _, each := range m.payTable() {
		page.Symbols = append(page.Symbols, shownSymbol{each.sign, text.Symbols[each.name], text.formatMultiple(each.pays)})
	}
	// A client that hung up needs no page.
	_ = pageTemplate.Execute(w, page)
}

// spinTime bounds a spin with all its callbacks.
const spinTime = 20 * time.Second

// betMax is the largest bet, in hundredths.
const betMax = 100_000_00

// spun is the response to a spin; amounts in hundredths.
type spun struct {
	TxnID   string   `json:"txnId"`
	Window  []string `json:"window"`
	Bet     int64    `json:"bet"`
	Win     int64    `json:"win"`
	Balance string   `json:"balance"`
	Refused string   `json:"refused"`
}

// handleSpin takes the bet by a debit, draws, and pays a win by a credit with the same
// transaction id.
func (p *Provider) handleSpin(w http.ResponseWriter, r *http.Request) {
	s, m, ok := p.sessionOf(w, r)
	if !ok {
		return
	}
	var asked struct {
		Bet int64 `json:"bet"` // hundredths
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMax))
	if err != nil || json.Unmarshal(text, &asked) != nil || asked.Bet < 1 || asked.Bet > betMax {
		http.Error(w, wordsOf(s.language).WrongBet, http.StatusBadRequest)
		return
	}
	// Closing the page doesn't stop the round.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), spinTime)
	defer cancel()
	result, err := p.playRound(ctx, s, m, asked.Bet)
	if err != nil {
		http.Error(w, wordsOf(s.language).NoWallet, http.StatusBadGateway)
		return
	}
	answer, err := json.Marshal(result)
	if err != nil {
		http.Error(w, "the response can't be encoded", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer)
}

func (p *Provider) playRound(ctx context.Context, s session, m machine, bet int64) (spun, error) {
	t := Transaction{
		User: s.user, Maker: s.maker, Game: s.game, TxnID: p.nextID("t"), Kind: "debit", Bet: string(formatMoney(bet)),
	}
	said, err := p.settleTransaction(ctx, t)
	if err != nil {
		return spun{}, err
	}
	if said.Status != 1 {
		return spun{TxnID: t.TxnID, Bet: bet, Balance: string(said.Balance), Refused: said.Message}, nil
	}
	played := line{User: s.user, Maker: s.maker, Game: s.game, Kind: "debit", Txn: t.TxnID, Bet: bet}
	if err := p.appendLine(played); err != nil {
		return spun{}, err
	}
	p.mu.Lock()
	window, win := m.spinReels(bet, p.intN)
	p.mu.Unlock()
	if win > 0 {
		t.Kind, t.Bet, t.Win = "credit", "", string(formatMoney(win))
		if said, err = p.settleTransaction(ctx, t); err != nil {
			return spun{}, err
		}
		played.Kind, played.Bet, played.Win = "credit", 0, win
		if said.Status == 1 {
			if err := p.appendLine(played); err != nil {
				return spun{}, err
			}
		}
	}
	return spun{TxnID: t.TxnID, Window: window, Bet: bet, Win: win, Balance: string(said.Balance)}, nil
}

// handleBalance returns the wallet's balance to the page.
func (p *Provider) handleBalance(w http.ResponseWriter, r *http.Request) {
	s, _, ok := p.sessionOf(w, r)
	if !ok {
		return
	}
	said, err := p.Balance(r.Context(), s.user)
	if err != nil {
		http.Error(w, wordsOf(s.language).NoWallet, http.StatusBadGateway)
		return
	}
	writeObject(w, object{"balance": string(said.Balance), "refused": said.Message})
}
