package api

import (
	"encoding/json"
	"fmt"
)

// StatusOpen is the status of a round that goes on.
const StatusOpen = "open"

// OpenRound is a round that is played step by step and has not ended.
type OpenRound struct {
	ID               string          `json:"id"`
	Status           string          `json:"status"`   // StatusOpen
	Provider         string          `json:"provider"` // "casino"
	GameType         string          `json:"gameType"`
	Rules            string          `json:"rules"`
	Token            string          `json:"token"`
	Wager            int64           `json:"wager" units:"base"` // the first stake
	Stake            int64           `json:"stake" units:"base"` // everything staked so far
	MaxMultiplier    Number          `json:"maxMultiplier"`      // of the first stake
	Config           json.RawMessage `json:"config"`
	Step             int             `json:"step"`
	Actions          json.RawMessage `json:"actions"`
	Shown            json.RawMessage `json:"shown"`
	Choices          json.RawMessage `json:"choices"`
	ServerSeedHash   string          `json:"serverSeedHash"`
	ClientSeed       string          `json:"clientSeed"`
	ClientSeedSource string          `json:"clientSeedSource"`
	Nonce            int64           `json:"nonce"`
	CreatedAt        int64           `json:"createdAt"`
	UpdatedAt        int64           `json:"updatedAt"`
}

// StepRequest is an action in an open round. Step is the round's when the player chose.
// Action is encoded as JSON.
type StepRequest struct {
	Step   int `json:"step"`
	Action any `json:"action"`
}

// EndRoundRequest is an admin's request to end an open round by its rules.
type EndRoundRequest struct {
	Reason string `json:"reason"`
}

// EndRoundResponse is the round as it ended.
type EndRoundResponse struct {
	Round AdminRound `json:"round"`
}

// OpenRoundsResponse lists the caller's open rounds, oldest first.
type OpenRoundsResponse struct {
	Rounds []OpenRound `json:"rounds"`
}

// Stepped is a round after its opening or an action, and the player's balance then: the
// open round, or the round that it ended as. The other one is nil.
type Stepped struct {
	Open     *OpenRound
	Ended    *Round
	Balance  int64
	Replayed bool
}

// MarshalJSON writes whichever round there is as "round".
func (s Stepped) MarshalJSON() ([]byte, error) { return json.Marshal(s.Shape()) }

// Shape returns the struct that MarshalJSON encodes.
func (s Stepped) Shape() any {
	if s.Open != nil {
		return steppedAs[*OpenRound]{s.Open, s.Balance}
	}
	return steppedAs[*Round]{s.Ended, s.Balance}
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Stepped) UnmarshalJSON(text []byte) error {
	var of steppedAs[struct {
		Status string `json:"status"`
	}]
	if err := json.Unmarshal(text, &of); err != nil {
		return err
	}
	*s = Stepped{Balance: of.Balance}
	if of.Round.Status == StatusOpen {
		var open steppedAs[OpenRound]
		err := json.Unmarshal(text, &open)
		s.Open = &open.Round
		return err
	}
	if of.Round.Status != "" {
		return fmt.Errorf("api: the status of a round is %q", of.Round.Status)
	}
	var ended steppedAs[Round]
	err := json.Unmarshal(text, &ended)
	s.Ended = &ended.Round
	return err
}

type steppedAs[R any] struct {
	Round   R     `json:"round"`
	Balance int64 `json:"balance" units:"base"`
}
