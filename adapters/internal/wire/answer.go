package wire

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/withdrawal"
)

// answer is the JSON stored with a unique key: the fields of player.Change.Answer. A round
// is stored by its id only, because the round and its pair are rows that never change and
// hold the rest.
type answer struct {
	Round      string                 `json:"round"`
	Step       *bet.Open              `json:"step"`
	Withdrawal *withdrawal.Withdrawal `json:"withdrawal"`
	Deposit    *deposit.Claim         `json:"deposit"`
	Adjustment *player.Adjustment     `json:"adjustment"`
	Approval   *approval.Approval     `json:"approval"`
	Retired    *fairness.Revealed     `json:"retired"`
	Pair       *fairness.Pair         `json:"pair"`
	Seamless   *seamless.Transaction  `json:"seamless"`
	Funding    *player.Funding        `json:"funding"`
	Balance    money.Amount           `json:"balance"`
}

// answerCodec writes and reads domain values by their exported fields. It omits zero
// fields, and writes enumerations by name because names change less often than numbers.
var answerCodec = json.JoinOptions(
	json.OmitZeroStructFields(true), json.RejectUnknownMembers(true),
	json.WithMarshalers(json.JoinMarshalers(
		json.MarshalToFunc(func(to *jsontext.Encoder, v game.Value) error { return to.WriteValue(EncodeValue(v)) }),
		json.MarshalToFunc(func(to *jsontext.Encoder, s fairness.ClientSource) error {
			return to.WriteToken(jsontext.String(s.String()))
		}),
		json.MarshalToFunc(func(to *jsontext.Encoder, k player.AdjustmentKind) error {
			return to.WriteToken(jsontext.String(k.String()))
		}),
	)),
	json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(readGameValue), json.UnmarshalFromFunc(readNamed(fairness.ParseClientSource)),
		json.UnmarshalFromFunc(readNamed(player.ParseAdjustmentKind)),
	)),
)

func readGameValue(from *jsontext.Decoder, to *game.Value) error {
	text, err := from.ReadValue()
	if err == nil {
		*to, err = DecodeValue(text)
	}
	return err
}

func readNamed[T any](parse func(string) (T, bool)) func(*jsontext.Decoder, *T) error {
	return func(from *jsontext.Decoder, to *T) error {
		name, err := from.ReadToken()
		if err != nil {
			return err
		}
		var known bool
		if *to, known = parse(name.String()); !known {
			return fmt.Errorf("unknown name %q", name.String())
		}
		return nil
	}
}

// EncodeAnswer returns the JSON stored with the unique keys of a change: its Answer, or
// only the id if the change has a round.
func EncodeAnswer(c player.Change) ([]byte, error) {
	kept := answer{Balance: c.Balance}
	if c.Round != nil {
		kept.Round = c.Round.ID
	} else {
		c = c.Answer()
		kept.Withdrawal, kept.Deposit, kept.Adjustment, kept.Approval = c.Withdrawal, c.Deposit, c.Adjustment, c.Approval
		kept.Retired, kept.Pair, kept.Seamless, kept.Funding = c.Retired, c.Pair, c.Seamless, c.Funding
		if len(c.Steps) > 0 {
			kept.Step = &c.Steps[0]
		}
	}
	text, err := json.Marshal(&kept, answerCodec)
	if err != nil {
		return nil, fmt.Errorf("wire: encode answer: %w", err)
	}
	return text, nil
}

// DecodeAnswer reads the output of EncodeAnswer. For a change with a round it returns the
// balance and the round's id only; otherwise the id is empty.
func DecodeAnswer(text []byte) (c player.Change, roundID string, err error) {
	var kept answer
	if err := json.Unmarshal(text, &kept, answerCodec); err != nil {
		return player.Change{}, "", fmt.Errorf("wire: decode answer: %w", err)
	}
	c = player.Change{
		Withdrawal: kept.Withdrawal, Deposit: kept.Deposit, Adjustment: kept.Adjustment, Approval: kept.Approval, Retired: kept.Retired,
		Pair: kept.Pair, Seamless: kept.Seamless, Funding: kept.Funding, Balance: kept.Balance,
	}
	if kept.Step != nil {
		c.Steps = []bet.Open{*kept.Step}
	}
	return c, kept.Round, nil
}
