package wire

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/wallet"
)

// restored is the stored form of control.Restored.
type restored struct {
	At     int64  `json:"at"`
	By     string `json:"by"`
	Reason string `json:"reason"`
	From   string `json:"from"`
	To     string `json:"to"`
}

type playPause struct {
	GameType  string `json:"gameType,omitzero"`
	AgentCode string `json:"agentCode,omitzero"`
	By        string `json:"by"`
	Reason    string `json:"reason"`
	At        int64  `json:"at"`
}

// EncodeRestored returns r as JSON; "" for nil.
func EncodeRestored(r *control.Restored) (string, error) {
	if r == nil {
		return "", nil
	}
	return encoded("a restore", restored{
		At: microsOf(r.At), By: r.By, Reason: r.Reason, From: r.From, To: r.To,
	})
}

// DecodeRestored reads the output of EncodeRestored.
func DecodeRestored(text string) (*control.Restored, error) {
	if text == "" {
		return nil, nil
	}
	var kept restored
	if err := json.Unmarshal([]byte(text), &kept, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("wire: decode a restore: %w", err)
	}
	return &control.Restored{At: moment(kept.At), By: kept.By, Reason: kept.Reason, From: kept.From, To: kept.To}, nil
}

// EncodePauses returns the pauses of play as JSON; "" if there are none.
func EncodePauses(pauses []control.PlayPause) (string, error) {
	if len(pauses) == 0 {
		return "", nil
	}
	kept := make([]playPause, len(pauses))
	for i, p := range pauses {
		kept[i] = playPause{GameType: p.GameType, AgentCode: p.AgentCode, By: string(p.By), Reason: p.Reason, At: microsOf(p.At)}
	}
	return encoded("pauses of play", kept)
}

// DecodePauses reads the output of EncodePauses.
func DecodePauses(text string) ([]control.PlayPause, error) {
	if text == "" {
		return nil, nil
	}
	var kept []playPause
	if err := json.Unmarshal([]byte(text), &kept, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("wire: decode pauses of play: %w", err)
	}
	pauses := make([]control.PlayPause, len(kept))
	for i, p := range kept {
		pauses[i] = control.PlayPause{
			GameType: p.GameType, AgentCode: p.AgentCode, By: wallet.Address(p.By), Reason: p.Reason, At: moment(p.At),
		}
	}
	return pauses, nil
}

func encoded(what string, value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", fmt.Errorf("wire: encode %s: %w", what, err)
	}
	return string(text), nil
}

// moment converts microseconds since 1970.
func moment(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
