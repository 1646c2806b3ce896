package api

import (
	"encoding/json"
	"fmt"
)

// StatusOpen is the status of a round in progress.
const StatusOpen = "open"

// Stepped is a round after its opening or an action, with the player's balance. If the
// round has ended, only the settled round is set, else only the open one.
type Stepped struct {
	Open     *OpenRound
	Ended    *Round
	Balance  int64
	Receipt  *Receipt
	Replayed bool
}

// MarshalJSON writes the round that is set as "round".
func (s Stepped) MarshalJSON() ([]byte, error) { return json.Marshal(s.Shape()) }

// Shape returns the struct that MarshalJSON encodes.
func (s Stepped) Shape() any {
	if s.Open != nil {
		return steppedAs[*OpenRound]{s.Open, s.Balance, s.Receipt}
	}
	return steppedAs[*Round]{s.Ended, s.Balance, s.Receipt}
}

// UnmarshalJSON reads the output of MarshalJSON.
func (s *Stepped) UnmarshalJSON(text []byte) error {
	var of steppedAs[struct {
		Status string `json:"status"`
	}]
	if err := json.Unmarshal(text, &of); err != nil {
		return err
	}
	*s = Stepped{Balance: of.Balance, Receipt: of.Receipt}
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
	Round   R        `json:"round"`
	Balance int64    `json:"balance" units:"base"`
	Receipt *Receipt `json:"receipt,omitzero"`
}
