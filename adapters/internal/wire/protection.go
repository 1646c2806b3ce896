package wire

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
)

// protectionState is the stored form of a player's protection. Times are microseconds since
// 1970; 0 means unset.
type protectionState struct {
	Limits        []protectionLimit `json:"limits,omitzero"`
	CoolOffUntil  int64             `json:"coolOffUntil,omitzero"`
	ExcludedUntil int64             `json:"excludedUntil,omitzero"`
	Excluded      bool              `json:"excluded,omitzero"`
	Frozen        bool              `json:"frozen,omitzero"`
	Owed          []protectionDebt  `json:"owed,omitzero"`
	LastRound     int64             `json:"lastRound,omitzero"`
}

type protectionDebt struct {
	Token  string `json:"token"`
	Amount int64  `json:"amount"`
}

type protectionLimit struct {
	Kind    string `json:"kind"`
	Period  string `json:"period"`
	Token   string `json:"token"`
	Imposed bool   `json:"imposed,omitzero"`
	Amount  int64  `json:"amount"`
	From    int64  `json:"from"`
	Next    int64  `json:"next,omitzero"`
	Lifted  bool   `json:"lifted,omitzero"`
	NextAt  int64  `json:"nextAt,omitzero"`
	Used    int64  `json:"used"`
	Since   int64  `json:"since"`
}

// EncodeProtection returns a player's protection as JSON; "" if it is empty.
func EncodeProtection(s protection.State) (string, error) {
	if s.Empty() {
		return "", nil
	}
	kept := protectionState{
		CoolOffUntil: microsOf(s.CoolOffUntil), ExcludedUntil: microsOf(s.ExcludedUntil), Excluded: s.Excluded, Frozen: s.Frozen,
		LastRound: microsOf(s.LastRound),
	}
	for _, l := range s.Limits {
		kept.Limits = append(kept.Limits, protectionLimit{
			Kind: string(l.Kind), Period: string(l.Period), Token: string(l.Token), Imposed: l.Imposed, Amount: int64(l.Amount), From: microsOf(l.From),
			Next: int64(l.Next), Lifted: l.Lifted, NextAt: microsOf(l.NextAt), Used: l.Used, Since: microsOf(l.Since),
		})
	}
	for _, d := range s.Owed {
		kept.Owed = append(kept.Owed, protectionDebt{Token: string(d.Token), Amount: int64(d.Amount)})
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return "", fmt.Errorf("wire: encode protection: %w", err)
	}
	return string(text), nil
}

// DecodeProtection reads the output of EncodeProtection.
func DecodeProtection(text string) (protection.State, error) {
	if text == "" {
		return protection.State{}, nil
	}
	var kept protectionState
	if err := json.Unmarshal([]byte(text), &kept, json.RejectUnknownMembers(true)); err != nil {
		return protection.State{}, fmt.Errorf("wire: decode protection: %w", err)
	}
	s := protection.State{
		CoolOffUntil: momentOrZero(kept.CoolOffUntil), ExcludedUntil: momentOrZero(kept.ExcludedUntil), Excluded: kept.Excluded, Frozen: kept.Frozen,
		LastRound: momentOrZero(kept.LastRound),
	}
	for _, l := range kept.Limits {
		s.Limits = append(s.Limits, protection.Limit{
			Kind: protection.Kind(l.Kind), Period: protection.Period(l.Period), Token: money.Token(l.Token), Imposed: l.Imposed, Amount: money.Amount(l.Amount),
			From: momentOrZero(l.From), Next: money.Amount(l.Next), Lifted: l.Lifted, NextAt: momentOrZero(l.NextAt),
			Used: l.Used, Since: momentOrZero(l.Since),
		})
	}
	for _, d := range kept.Owed {
		s.Owed = append(s.Owed, protection.Debt{Token: money.Token(d.Token), Amount: money.Amount(d.Amount)})
	}
	return s, nil
}

func microsOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func momentOrZero(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return moment(micros)
}
