package wire

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// openAnswer is how a round that is played step by step stood, as it is kept with a
// unique key.
type openAnswer struct {
	ID            string         `json:"id"`
	Wallet        string         `json:"wallet"`
	Agent         string         `json:"agent"`
	GameType      string         `json:"game"`
	Rules         string         `json:"rules"`
	Token         string         `json:"token"`
	Wager         int64          `json:"wager"`
	Stake         int64          `json:"stake"`
	Config        jsontext.Value `json:"config"`
	PairID        string         `json:"pair"`
	Commitment    string         `json:"commitment"`
	ClientSeed    string         `json:"clientSeed"`
	ClientSource  string         `json:"clientSource"`
	Nonce         int64          `json:"nonce"`
	Actions       jsontext.Value `json:"actions"`
	Shown         jsontext.Value `json:"shown"`
	Choices       jsontext.Value `json:"choices"`
	MultiplierNum uint64         `json:"maxMultiplierNum"`
	MultiplierDen uint64         `json:"maxMultiplierDen"`
	Exposure      int64          `json:"exposure"`
	OpenedAt      int64          `json:"openedAt"`
	TouchedAt     int64          `json:"touchedAt"`
}

func ofOpen(o bet.Open) *openAnswer {
	return &openAnswer{
		ID: o.ID, Wallet: string(o.Wallet), Agent: o.Agent, GameType: o.GameType, Rules: o.Rules, Token: string(o.Token),
		Wager: int64(o.Wager), Stake: int64(o.Stake), Config: EncodeValue(o.Config), PairID: o.PairID, Commitment: o.Commitment,
		ClientSeed: o.ClientSeed, ClientSource: o.ClientSource.String(), Nonce: o.Nonce, Actions: EncodeValue(o.Actions),
		Shown: EncodeValue(o.Shown), Choices: EncodeValue(o.Choices), MultiplierNum: o.MaxMultiplier.Num, MultiplierDen: o.MaxMultiplier.Den,
		Exposure: int64(o.Exposure), OpenedAt: o.OpenedAt.UnixMicro(), TouchedAt: o.TouchedAt.UnixMicro(),
	}
}

func (a *openAnswer) open() (bet.Open, error) {
	source, known := fairness.ParseClientSource(a.ClientSource)
	if !known {
		return bet.Open{}, errors.New("client source " + a.ClientSource)
	}
	o := bet.Open{
		ID: a.ID, Wallet: wallet.Address(a.Wallet), Agent: a.Agent, GameType: a.GameType, Rules: a.Rules, Token: money.Token(a.Token),
		Wager: money.Amount(a.Wager), Stake: money.Amount(a.Stake), PairID: a.PairID, Commitment: a.Commitment,
		ClientSeed: a.ClientSeed, ClientSource: source, Nonce: a.Nonce, MaxMultiplier: money.Ratio{Num: a.MultiplierNum, Den: a.MultiplierDen},
		Exposure: money.Amount(a.Exposure), OpenedAt: moment(a.OpenedAt), TouchedAt: moment(a.TouchedAt),
	}
	var failures []error
	for _, part := range [...]struct {
		of   *game.Value
		text jsontext.Value
	}{{&o.Config, a.Config}, {&o.Actions, a.Actions}, {&o.Shown, a.Shown}, {&o.Choices, a.Choices}} {
		value, err := DecodeValue(part.text)
		*part.of = value
		failures = append(failures, err)
	}
	return o, errors.Join(failures...)
}
