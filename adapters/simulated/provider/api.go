package provider

import (
	"cmp"
	"crypto/subtle"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// request is any call of the agent protocol.
type request struct {
	Method     string `json:"method"`
	AgentCode  string `json:"agent_code"`
	AgentToken string `json:"agent_token"`
	User       string `json:"user_code"`
	Maker      string `json:"provider_code"`
	Game       string `json:"game_code"`
	Language   string `json:"lang"`
	GameType   string `json:"game_type"`
	Start      string `json:"start"`
	End        string `json:"end"`
	Page       int    `json:"page"`
	PerPage    int    `json:"perPage"`
}

type object = map[string]any

// bodyMax bounds a request in bytes.
const bodyMax = 64 << 10

func (p *Provider) handleAPI(w http.ResponseWriter, r *http.Request) {
	var asked request
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMax))
	if err != nil || json.Unmarshal(text, &asked) != nil {
		writeObject(w, refusalObject("INVALID_PARAMETER"))
		return
	}
	behaviour, scripted := p.scriptedBehaviour(asked.Method)
	switch {
	case !scripted:
	case behaviour.Hang:
		<-r.Context().Done()
		return
	case behaviour.Status != 0:
		w.WriteHeader(behaviour.Status)
		return
	case behaviour.Body != "":
		_, _ = io.WriteString(w, behaviour.Body)
		return
	case behaviour.Refuse != "":
		writeObject(w, refusalObject(behaviour.Refuse))
		return
	}
	answer := p.answerMethod(asked)
	if behaviour.Lose {
		panic(http.ErrAbortHandler)
	}
	writeObject(w, answer)
}

func refusalObject(word string) object { return object{"status": 0, "msg": word} }

func writeObject(w http.ResponseWriter, answer object) {
	w.Header().Set("Content-Type", "application/json")
	text, err := json.Marshal(answer, json.Deterministic(true))
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(text)
}

func constantTimeEqual(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

func (p *Provider) answerMethod(r request) object {
	if !constantTimeEqual(r.AgentCode, p.config.AgentCode) || !constantTimeEqual(r.AgentToken, p.config.AgentToken) {
		return refusalObject("INVALID_AGENT")
	}
	switch r.Method {
	case "user_create":
		return p.createUser(r)
	case "game_launch":
		return p.launchGame(r)
	case "provider_list":
		var list []object
		for _, maker := range makers {
			list = append(list, object{"code": maker, "name": maker, "type": "slot", "status": 1})
		}
		return object{"status": 1, "msg": "SUCCESS", "providers": list}
	case "game_list":
		return p.listGames(r)
	case "money_info":
		return object{"status": 1, "msg": "SUCCESS", "agent": object{"agent_code": p.config.AgentCode, "balance": 1_000_000}}
	case "get_game_log":
		return p.listRecords(r)
	}
	return refusalObject("INVALID_METHOD")
}

func (p *Provider) createUser(r request) object {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case r.User == "":
		return refusalObject("INVALID_USER")
	case p.users[r.User]:
		return refusalObject("DUPLICATED_USER")
	}
	p.users[r.User] = true
	return object{"status": 1, "msg": "SUCCESS", "user_code": r.User, "user_balance": 0}
}

func (p *Provider) launchGame(r request) object {
	id := p.nextID("s")
	p.mu.Lock()
	defer p.mu.Unlock()
	_, known := machineOf(r.Maker, r.Game)
	switch {
	case !p.users[r.User]:
		return refusalObject("INVALID_USER")
	case !known || p.closed[r.Game]:
		return refusalObject("INVALID_GAME")
	}
	p.sessions[id] = session{user: r.User, maker: r.Maker, game: r.Game, language: r.Language}
	return object{"status": 1, "msg": "SUCCESS", "launch_url": p.config.PublicURL + "/play/" + id}
}

func (p *Provider) listGames(r request) object {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []object
	for i, m := range machines {
		if m.maker == r.Maker && !p.closed[m.code] {
			list = append(list, object{"id": i + 1, "game_code": m.code, "game_name": cmp.Or(p.renamed[m.code], m.name), "banner": "", "status": 1})
		}
	}
	if list == nil {
		return refusalObject("INVALID_PROVIDER")
	}
	return object{"status": 1, "msg": "SUCCESS", "games": list}
}

// listRecords returns the log of a user, or of all, page by page.
func (p *Provider) listRecords(r request) object {
	from, err := time.Parse(time.DateTime, r.Start)
	to, err2 := time.Parse(time.DateTime, r.End)
	if err != nil || err2 != nil || r.PerPage < 1 || r.Page < 0 || r.GameType != "slot" {
		return refusalObject("INVALID_PARAMETER")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := []object{}
	for i, l := range p.log {
		at := l.At.UTC().Truncate(time.Second)
		if r.User != "" && l.User != r.User || at.Before(from) || at.After(to) {
			continue
		}
		lines = append(lines, object{
			"history_id": i + 1, "agent_code": p.config.AgentCode, "user_code": l.User, "provider_code": l.Maker,
			"game_code": l.Game, "type": "BASE", "bet_money": formatMoney(l.Bet), "win_money": formatMoney(l.Win),
			"txn_id": l.Txn, "txn_type": l.Kind, "created_at": at.Format(time.DateTime),
		})
	}
	total := len(lines)
	begin := min(total, r.Page*r.PerPage)
	return object{
		"status": 1, "total_count": total, "page": r.Page, "perPage": r.PerPage,
		"slot": lines[begin:min(total, begin+r.PerPage)],
	}
}

// number is the text of a JSON number.
type number string

// MarshalJSON writes the number.
func (n number) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// formatMoney writes hundredths as a decimal number.
func formatMoney(hundredths int64) number {
	text := strconv.FormatInt(hundredths, 10)
	text = strings.Repeat("0", max(0, 3-len(text))) + text
	return number(text[:len(text)-2] + "." + text[len(text)-2:])
}
