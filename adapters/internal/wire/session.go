package wire

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/session"
)

// tally is the stored form of a session's tally in one token. Totals are split as by
// money.Total.Parts.
type tally struct {
	Token     string   `json:"token"`
	Rounds    int64    `json:"rounds,omitzero"`
	Wagered   [2]int64 `json:"wagered,omitzero"`
	Won       [2]int64 `json:"won,omitzero"`
	Deposited [2]int64 `json:"deposited,omitzero"`
}

// EncodeTallies returns the tallies as JSON; "" if there are none.
func EncodeTallies(played []session.Played) (string, error) {
	if len(played) == 0 {
		return "", nil
	}
	kept := make([]tally, len(played))
	for i, p := range played {
		kept[i] = tally{
			Token: string(p.Token), Rounds: p.Rounds, Wagered: partsOf(p.Wagered), Won: partsOf(p.Won), Deposited: partsOf(p.Deposited),
		}
	}
	text, err := json.Marshal(kept)
	return string(text), err
}

// DecodeTallies reads the output of EncodeTallies.
func DecodeTallies(text string) ([]session.Played, error) {
	if text == "" {
		return nil, nil
	}
	var kept []tally
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return nil, fmt.Errorf("wire: a session's tallies: %w", err)
	}
	played := make([]session.Played, len(kept))
	for i, k := range kept {
		played[i] = session.Played{Token: money.Token(k.Token), Tally: session.Tally{
			Rounds: k.Rounds, Wagered: totalOf(k.Wagered), Won: totalOf(k.Won), Deposited: totalOf(k.Deposited),
		}}
	}
	return played, nil
}

func partsOf(t money.Total) [2]int64 {
	hi, lo := t.Parts()
	return [2]int64{hi, lo}
}

func totalOf(parts [2]int64) money.Total { return money.TotalFromParts(parts[0], parts[1]) }
