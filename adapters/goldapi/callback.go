package goldapi

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
)

// callback is a provider's request. Unknown fields are ignored.
type callback struct {
	Method      string `json:"method"`
	AgentCode   string `json:"agent_code"`
	AgentSecret string `json:"agent_secret"`
	UserCode    string `json:"user_code"`
	GameType    string `json:"game_type"`
	// Play is the member named by GameType.
	Play *play `json:"-"`
}

// play is the member with the transaction. The newer dialect has shorter names for the
// amounts.
type play struct {
	ProviderCode string         `json:"provider_code"`
	GameCode     string         `json:"game_code"`
	Bet          jsontext.Value `json:"bet_money"`
	Win          jsontext.Value `json:"win_money"`
	NewerBet     jsontext.Value `json:"bet"`
	NewerWin     jsontext.Value `json:"win"`
	TxnID        txnID          `json:"txn_id"`
	TxnType      string         `json:"txn_type"`
}

// methodOf returns the method that a path of the newer dialect names; the older one has
// one path, and names the method in the body.
func methodOf(path string) string {
	switch {
	case strings.HasSuffix(path, "/gold_api/user_balance"):
		return "user_balance"
	case strings.HasSuffix(path, "/gold_api/game_callback"):
		return "transaction"
	}
	return ""
}

// txnID is the id of a transaction: a string, or an integer that counts as its digits.
type txnID string

// UnmarshalJSON reads a string or an integer.
func (t *txnID) UnmarshalJSON(text []byte) error {
	if strings.Trim(string(text), "0123456789") == "" {
		*t = txnID(text)
		return nil
	}
	return json.Unmarshal(text, (*string)(t))
}

// parseCallback reads a body; the path of the newer dialect gives the method. It returns
// false if the body isn't one JSON object of the protocol; the callback then holds the
// fields that were read before the error.
func parseCallback(text []byte, method string) (callback, bool) {
	var c callback
	if err := json.Unmarshal(text, &c); err != nil {
		return callback{}, false
	}
	if method != "" {
		if c.Method = method; c.GameType == "" {
			c.GameType = "slot"
		}
	}
	if c.Method != "transaction" {
		return c, true
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(text, &members); err != nil {
		return c, false
	}
	if value, ok := members[c.GameType]; ok && value.Kind() == '{' {
		var p play
		if err := json.Unmarshal(value, &p); err != nil {
			return c, false
		}
		if method != "" {
			p.Bet, p.Win = p.NewerBet, p.NewerWin
		}
		c.Play = &p
	}
	return c, true
}

func (c callback) txnID() string {
	if c.Play == nil || !seamless.ValidTxnID(string(c.Play.TxnID)) {
		return ""
	}
	return string(c.Play.TxnID)
}

// toCall returns the transaction that the callback asks for. An amount that its type
// doesn't use is ignored.
func (c callback) toCall() (kernel.ProviderCall, error) {
	if c.Play == nil {
		return kernel.ProviderCall{}, fault.Field("game_type", "must name the member with the transaction")
	}
	call := kernel.ProviderCall{
		UserCode: c.UserCode, TxnID: string(c.Play.TxnID), Kind: c.Play.TxnType, GameType: c.GameType,
		Provider: c.Play.ProviderCode, Game: c.Play.GameCode,
	}
	kind, _ := seamless.ParseKind(c.Play.TxnType)
	for _, part := range []struct {
		used  bool
		field string
		value jsontext.Value
		to    *seamless.Decimal
	}{{kind.Bets(), "bet_money", c.Play.Bet, &call.Bet}, {kind.Wins(), "win_money", c.Play.Win, &call.Win}} {
		if !part.used {
			continue
		}
		amount, err := seamless.ParseDecimal(part.field, strings.Trim(string(part.value), `"`))
		if err != nil {
			return kernel.ProviderCall{}, err
		}
		*part.to = amount
	}
	return call, nil
}
