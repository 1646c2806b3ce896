package api

import (
	"encoding/json"

	"github.com/casino-service/casino/domain/stream"
)

// Event is a committed event, as a CloudEvent 1.0 in its JSON form. Sequence and Cursor are
// extensions: Sequence is a text that sorts a player's events by order, and Cursor the
// position after the event. Data is one of the types below, by Type; after decoding it is a
// json.RawMessage, which Read decodes.
type Event struct {
	SpecVersion     string `json:"specversion"`
	ID              string `json:"id"`
	Source          string `json:"source"`
	Type            string `json:"type"`
	Subject         string `json:"subject"`
	Time            string `json:"time"`
	DataContentType string `json:"datacontenttype"`
	DataSchema      string `json:"dataschema"`
	Sequence        string `json:"sequence"`
	Cursor          string `json:"cursor,omitempty"`
	Data            any    `json:"data"`
}

// UnmarshalJSON keeps the data unparsed, so that its integers stay exact.
func (e *Event) UnmarshalJSON(text []byte) error {
	type plain Event
	var data json.RawMessage
	read := plain{Data: &data}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*e = Event(read)
	e.Data = data
	return nil
}

// Read decodes the data into a shape.
func (e Event) Read(shape any) error {
	text, decoded := e.Data.(json.RawMessage)
	if !decoded {
		var err error
		if text, err = json.Marshal(e.Data); err != nil {
			return err
		}
	}
	return json.Unmarshal(text, shape)
}

// EventRound is a settled round. In all event types, AgentCode is omitted from a player's
// own events.
type EventRound struct {
	Round     `json:",inline"`
	Wallet    string  `json:"wallet"`
	AgentCode *string `json:"agentCode,omitzero"`
}

// EventOpenRound is a round in progress.
type EventOpenRound struct {
	OpenRound `json:",inline"`
	Wallet    string  `json:"wallet"`
	AgentCode *string `json:"agentCode,omitzero"`
}

// EventCrashBet is a bet on the shared crash.
type EventCrashBet struct {
	OwnCrashBet `json:",inline"`
	Wallet      string  `json:"wallet"`
	AgentCode   *string `json:"agentCode,omitzero"`
}

// EventBalance is a change of a player's balance; a negative amount is a debit.
type EventBalance struct {
	Wallet  string       `json:"wallet"`
	Token   string       `json:"token"`
	Amount  int64        `json:"amount" units:"base"`
	Balance int64        `json:"balance" units:"base"` // after the change
	Cause   stream.Cause `json:"cause"`
	Of      string       `json:"of"`      // the round, withdrawal, adjustment, …
	RoundID *string      `json:"roundId"` // set for a provider's transaction
	Reason  *string      `json:"reason"`
	// Corrects is the adjustment that this one reverses.
	Corrects *string `json:"corrects,omitzero"`
	By       *string `json:"by,omitzero"`
}

// EventProviderTransaction is a bet or a win in a provider's game. Balance is nil if an
// agent's site keeps the player's balance.
type EventProviderTransaction struct {
	ID            string  `json:"id"`
	Wallet        string  `json:"wallet"`
	AgentCode     *string `json:"agentCode,omitzero"`
	Connection    *string `json:"connection,omitzero"`
	TransactionID *string `json:"transactionId,omitzero"` // the provider's
	Provider      string  `json:"provider"`
	GameCode      string  `json:"gameCode"`
	GameType      string  `json:"gameType"`
	Kind          string  `json:"kind"`
	Token         string  `json:"token"`
	Bet           int64   `json:"bet" units:"base"`
	Win           int64   `json:"win" units:"base"`
	Status        string  `json:"status"`
	Reason        *string `json:"reason"`
	RoundID       *string `json:"roundId"`
	Balance       *int64  `json:"balance" units:"base"`
	CreatedAt     int64   `json:"createdAt"`
}

// EventWithdrawal is a withdrawal's current state. ApprovedBy lists the valid approvals; it
// is omitted from a player's own events.
type EventWithdrawal struct {
	Withdrawal `json:",inline"`
	ApprovedBy []string `json:"approvedBy,omitempty"`
}

// EventSeed is a pair that closed or retired; its server seed may then be requested. Active
// is the next pair, nil if the retired one was never active or had closed before.
type EventSeed struct {
	Wallet  string     `json:"wallet"`
	Retired EventPair  `json:"retired"`
	Active  *EventPair `json:"active"`
}

// EventPair is a seed pair. It has no field that could hold a server seed.
type EventPair struct {
	ID               string `json:"id"`
	ServerSeedHash   string `json:"serverSeedHash"`
	ClientSeed       string `json:"clientSeed"`
	ClientSeedSource string `json:"clientSeedSource"`
	Rounds           int64  `json:"rounds"`
}

// EventSession is a new session.
type EventSession struct {
	Wallet    string `json:"wallet"`
	IssuedAt  int64  `json:"issuedAt"`
	ExpiresAt int64  `json:"expiresAt"`
}

// EventSessionsEnd ends the sessions of a player that were issued before a time.
type EventSessionsEnd struct {
	Wallet       string `json:"wallet"`
	IssuedBefore int64  `json:"issuedBefore"`
}

// EventPlayer is a player with the present restrictions of play. By made the change,
// RecordID is the audit record with its reason, and FormerAgentCode is the previous agent.
type EventPlayer struct {
	Wallet          string    `json:"wallet"`
	AgentCode       *string   `json:"agentCode,omitzero"`
	FormerAgentCode *string   `json:"formerAgentCode,omitzero"`
	CreatedAt       int64     `json:"createdAt"`
	Exclusion       Exclusion `json:"exclusion"`
	Limits          []Limit   `json:"limits"`
	By              *string   `json:"by,omitzero"`
	RecordID        *string   `json:"recordId,omitzero"`
}

// EventFunds is a booking of an agent's prepaid account.
type EventFunds struct {
	ID        string `json:"id"`
	AgentCode string `json:"agentCode"`
	Token     string `json:"token"`
	Amount    int64  `json:"amount" units:"base"`
	Balance   int64  `json:"balance" units:"base"`
	Reason    string `json:"reason"`
	By        string `json:"by"`
}

// EventRole is a wallet's new role; nil if it has none.
type EventRole struct {
	AuditRecord `json:",inline"`
	Role        *string `json:"role"`
	AgentCode   *string `json:"agentCode"`
}

// EventRestored reports that blocks that were already delivered are lost, since an epoch
// began.
type EventRestored struct {
	Epoch int64 `json:"epoch"`
}
