package wire

import (
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// seamlessAnswer is a provider's transaction as it is kept with a unique key.
type seamlessAnswer struct {
	ID           string `json:"id"`
	Connection   string `json:"connection"`
	TxnID        string `json:"txn"`
	Provider     string `json:"provider"`
	Game         string `json:"game"`
	Kind         string `json:"kind"`
	GameType     string `json:"type,omitzero"`
	Wallet       string `json:"wallet"`
	Agent        string `json:"agent"`
	Token        string `json:"token"`
	Scale        uint8  `json:"scale"`
	RequestedBet string `json:"askedBet,omitzero"`
	RequestedWin string `json:"askedWin,omitzero"`
	Bet          int64  `json:"bet,omitzero"`
	Win          int64  `json:"win,omitzero"`
	Residue      string `json:"residue,omitzero"`
	Status       string `json:"status"`
	Reason       string `json:"reason,omitzero"`
	Round        string `json:"round,omitzero"`
	Site         string `json:"site,omitzero"`
	Balance      int64  `json:"balance"`
	At           int64  `json:"at"`
}

func ofSeamless(t seamless.Transaction) *seamlessAnswer {
	return &seamlessAnswer{
		ID: t.ID, Connection: t.Connection, TxnID: t.TxnID, Provider: t.Provider, Game: t.Game, Kind: string(t.Kind),
		GameType: t.GameType, Wallet: string(t.Wallet), Agent: t.Agent, Token: string(t.Token), Scale: uint8(t.Scale),
		RequestedBet: string(t.Requested.Bet), RequestedWin: string(t.Requested.Win), Bet: int64(t.Bet), Win: int64(t.Win),
		Residue: t.Residue, Status: string(t.Status), Reason: string(t.Reason), Round: t.RoundID, Site: t.Site,
		Balance: int64(t.Balance), At: t.At.UnixMicro(),
	}
}

func (a *seamlessAnswer) transaction() *seamless.Transaction {
	return &seamless.Transaction{
		ID:   a.ID,
		Ref:  seamless.Ref{Connection: a.Connection, TxnID: a.TxnID, Provider: a.Provider, Game: a.Game},
		Kind: seamless.Kind(a.Kind), GameType: a.GameType, Wallet: wallet.Address(a.Wallet), Agent: a.Agent,
		Token: money.Token(a.Token), Scale: seamless.Scale(a.Scale),
		Requested: seamless.Requested{Bet: seamless.Decimal(a.RequestedBet), Win: seamless.Decimal(a.RequestedWin)},
		Bet:       money.Amount(a.Bet), Win: money.Amount(a.Win), Residue: a.Residue, Status: seamless.Status(a.Status),
		Reason: seamless.Reason(a.Reason), RoundID: a.Round, Site: a.Site, Balance: money.Amount(a.Balance), At: moment(a.At),
	}
}
