package hashchain

import (
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
)

// encoder feeds a hash with the canonical encoding of what a block covers.
type encoder struct{ canonical.Encoder }

func (e *encoder) integer(v int64)    { e.Integer(v) }
func (e *encoder) text(s string)      { e.Text(s) }
func (e *encoder) moment(t time.Time) { e.Moment(t) }
func (e *encoder) flag(b bool)        { e.Flag(b) }

func (e *encoder) account(a ledger.Account) {
	e.integer(int64(a.Kind))
	e.text(a.Owner)
}

func (e *encoder) posting(p ledger.Posting) {
	e.text(string(p.Key.Kind))
	e.text(p.Key.Scope)
	e.text(p.Key.ID)
	e.integer(int64(len(p.Transfers)))
	for _, t := range p.Transfers {
		e.account(t.Debit)
		e.account(t.Credit)
		e.text(string(t.Token))
		e.integer(int64(t.Amount))
	}
}

func (e *encoder) round(r bet.Round) {
	e.text(r.ID)
	e.text(string(r.Wallet))
	e.text(r.Agent)
	e.text(r.GameType)
	e.text(r.Rules)
	e.text(string(r.Token))
	e.integer(int64(r.Wager))
	e.integer(int64(r.Payout))
	e.integer(int64(r.Multiplier.Num))
	e.integer(int64(r.Multiplier.Den))
	e.value(r.Config)
	e.value(r.Outcome)
	e.flag(r.Void)
	e.text(r.PairID)
	e.text(r.Commitment)
	e.text(r.ClientSeed)
	e.integer(int64(r.ClientSource))
	e.integer(r.Nonce)
	e.integer(int64(r.Balance))
	e.moment(r.At)
	e.value(r.Actions)
}

func (e *encoder) record(a audit.Record) {
	e.text(a.ID)
	e.text(string(a.Action))
	e.text(string(a.By))
	e.text(a.Target)
	e.text(a.Before)
	e.text(a.After)
	e.moment(a.At)
	e.text(a.RequestID)
}

// transaction writes a provider's transaction.
func (e *encoder) transaction(t seamless.Transaction) {
	for _, text := range [...]string{
		t.ID, t.Connection, t.TxnID, t.Provider, t.Game, string(t.Kind), t.GameType, string(t.Wallet), t.Agent,
		string(t.Token), string(t.Requested.Bet), string(t.Requested.Win), t.Residue, string(t.Status), string(t.Reason), t.RoundID, t.Site,
	} {
		e.text(text)
	}
	e.integer(int64(t.Scale))
	e.integer(int64(t.Bet))
	e.integer(int64(t.Win))
	e.integer(int64(t.Balance))
	e.moment(t.At)
}

// event writes its fields with their names: kinds have fields of their own, which may be
// more one day.
func (e *encoder) event(made *event.Event) {
	for _, text := range [...]string{string(made.Kind), made.ID, string(made.Wallet), made.Was} {
		e.text(text)
	}
	e.integer(int64(len(made.Fields)))
	for _, f := range made.Fields {
		e.text(f.Name)
		e.text(f.Value)
	}
}

func (e *encoder) value(v game.Value) {
	e.integer(int64(v.Kind()))
	switch v.Kind() {
	case game.BoolKind:
		e.flag(v.Bool())
	case game.NumberKind:
		e.text(v.NumberText())
	case game.TextKind:
		e.text(v.Text())
	case game.ListKind:
		e.integer(int64(v.Len()))
		for item := range v.Items() {
			e.value(item)
		}
	case game.ObjectKind:
		e.integer(int64(v.Len()))
		for name, member := range v.Members() {
			e.text(name)
			e.value(member)
		}
	}
}
