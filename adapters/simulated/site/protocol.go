package site

import (
	"io"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// request is a message of the agent protocol.
type request struct {
	Method   string `json:"method"`
	Agent    string `json:"agent_code"`
	Secret   string `json:"agent_secret"`
	User     string `json:"user_code"`
	GameType string `json:"game_type"`
	// members holds all members; a transaction is under the name of its game type.
	members map[string]jsontext.Value
}

// play is the transaction in a request.
type play struct {
	Txn  string         `json:"txn_id"`
	Kind string         `json:"txn_type"`
	Bet  jsontext.Value `json:"bet_money"`
	Win  jsontext.Value `json:"win_money"`
}

// response is the site's response.
type response struct {
	Status  int            `json:"status"`
	Balance jsontext.Value `json:"user_balance"`
	Message string         `json:"msg,omitzero"`
}

func refusalResponse(message string) response {
	return response{Balance: jsontext.Value("0"), Message: message}
}

// handleMessage answers one message.
func (s *Site) handleMessage(w http.ResponseWriter, r *http.Request) {
	var asked request
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMax))
	if err != nil || json.Unmarshal(text, &asked) != nil || json.Unmarshal(text, &asked.members) != nil {
		http.Error(w, "this is not a message of the protocol", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.agents[asked.Agent]
	switch {
	case b == nil || !constantTimeEqual(b.secret, asked.Secret):
		writeJSON(w, refusalResponse("INVALID_AGENT"))
	case asked.User == "" || len(asked.User) > textMax:
		writeJSON(w, refusalResponse("INVALID_USER"))
	case asked.Method == "user_balance":
		writeJSON(w, response{Status: 1, Balance: formatNumber(b.balanceOf(asked.User))})
	case asked.Method == "transaction":
		s.applyTransaction(w, b, asked)
	default:
		writeJSON(w, refusalResponse("INVALID_METHOD"))
	}
}

// applyTransaction applies a bet or a win once; the caller holds the lock.
func (s *Site) applyTransaction(w http.ResponseWriter, b *books, asked request) {
	var p play
	if err := json.Unmarshal(asked.members[asked.GameType], &p); err != nil || p.Txn == "" || len(p.Txn) > textMax || p.Kind != "debit" && p.Kind != "credit" {
		http.Error(w, "this is not a transaction of the protocol", http.StatusBadRequest)
		return
	}
	answer, again := b.answers[leg{p.Txn, p.Kind}]
	if !again {
		answer = b.decideLine(asked, p)
		if _, known := b.balances[asked.User]; !known && len(b.balances) >= playersMax {
			writeJSON(w, refusalResponse("INVALID_USER"))
			return
		}
		if err := s.appendLine(answer); err != nil {
			http.Error(w, "the journal can't be written", http.StatusInternalServerError) // the casino repeats the message
			return
		}
	}
	if answer.Refused != "" {
		writeJSON(w, response{Balance: formatNumber(answer.Balance), Message: answer.Refused})
		return
	}
	writeJSON(w, response{Status: 1, Balance: formatNumber(answer.Balance)})
}

// decideLine returns the answer to a new message.
func (b *books) decideLine(asked request, p play) line {
	answer := line{Agent: asked.Agent, User: asked.User, Txn: p.Txn, Kind: p.Kind, Balance: b.balanceOf(asked.User)}
	text := p.Win
	if p.Kind == "debit" {
		text = p.Bet
	}
	amount, err := seamless.ParseDecimal("amount", string(text))
	units, residue, fits := amount.Units(scale)
	switch {
	case err != nil || residue != "" || !fits:
		answer.Refused = string(seamless.InvalidAmount)
	case p.Kind == "debit" && answer.Balance < units:
		answer.Refused = string(seamless.InsufficientFunds)
	case p.Kind == "debit":
		answer.Balance -= units
	case units > money.Max-answer.Balance:
		answer.Refused = string(seamless.InvalidAmount)
	default:
		answer.Balance += units
	}
	return answer
}
