package fakes

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

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
