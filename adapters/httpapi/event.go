package httpapi

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// What is the same of all events.
const (
	eventSpec    = "1.0"
	eventSource  = "urn:casino"
	eventPrefix  = "casino."
	eventContent = "application/json"
	eventSchemas = "https://github.com/casino-service/casino/blob/main/docs/events/v1/"
)

// EventOf is the JSON form of an event, of the ledger with this id; empty where it isn't
// known. It says all that the event does: whoever sends it to a player takes the player's
// own view of it first.
func EventOf(ledger string, e stream.Event) api.Event {
	source := eventSource
	if ledger != "" {
		source += ":" + ledger
	}
	return api.Event{
		SpecVersion: eventSpec, ID: e.ID, Source: source, Type: eventPrefix + string(e.Type), Subject: e.Subject,
		Time: e.At.UTC().Format(time.RFC3339Nano), DataContentType: eventContent, DataSchema: eventSchemas + string(e.Type) + ".json",
		Sequence: e.Order.String(), Cursor: e.Cursor.String(), Data: eventData(e),
	}
}

// EventEncoder writes events as GET /admin/events shows them, without the cursor, which
// depends on who reads. It serves ports.EventEncoder.
type EventEncoder struct{}

var _ ports.EventEncoder = EventEncoder{}

// EncodeEvent serves ports.EventEncoder.
func (EventEncoder) EncodeEvent(ledger string, e stream.Event) ([]byte, error) {
	e.Cursor = stream.Cursor{}
	return json.Marshal(EventOf(ledger, e), json.Deterministic(true))
}

// eventData is what an event says, in the API's own shapes.
func eventData(e stream.Event) any {
	if e.Type == stream.LedgerRestored { // whose subject is the epoch
		epoch, _ := strconv.ParseInt(e.Subject, 10, 64)
		return api.EventRestored{Epoch: epoch}
	}
	switch of := e.Data.(type) {
	case stream.Settled:
		return api.EventRound{Round: roundOf(of.Round, ""), Wallet: string(of.Wallet), AgentCode: orNull(of.Agent)}
	case stream.Open:
		return api.EventOpenRound{OpenRound: openRoundOf(of.Open), Wallet: string(of.Wallet), AgentCode: orNull(of.Agent)}
	case stream.Balance:
		return api.EventBalance{
			Wallet: string(e.Wallet), Token: string(of.Token), Amount: of.Amount, Balance: int64(of.After), Cause: of.Cause, Of: of.Of,
			RoundID: orNull(of.Round), Reason: orNull(of.Reason), By: orNull(string(of.By)),
		}
	case stream.Provided:
		return eventTransactionOf(of.Transaction)
	case stream.Deposit:
		return adminTransactionOf(ports.DepositLine(of.Claim))
	case stream.Withdrawal:
		return eventWithdrawalOf(of.Withdrawal)
	case stream.Approval:
		return approvalOf(of.Approval)
	case stream.Alarm:
		return eventAlarmOf(of.Alarm)
	case stream.Note:
		return auditOf(of.Record)
	case stream.Role:
		return api.EventRole{AuditRecord: auditOf(of.Record), Role: orNull(of.Role), AgentCode: orNull(of.Agent)}
	}
	return playerData(e)
}

// playerData is what an event says of a player's seeds, sessions and protection, and of an
// agent's funds.
func playerData(e stream.Event) any {
	switch of := e.Data.(type) {
	case stream.Rotated:
		body := api.EventSeed{Wallet: string(e.Wallet), Retired: eventPairOf(of.Retired)}
		if of.Next.ID != "" {
			active := eventPairOf(of.Next)
			body.Active = &active
		}
		return body
	case stream.Session:
		return api.EventSession{Wallet: string(e.Wallet), IssuedAt: millis(of.IssuedAt), ExpiresAt: millis(of.Until)}
	case stream.SessionsEnd:
		return api.EventSessionsEnd{Wallet: string(e.Wallet), IssuedBefore: millis(of.From)}
	case stream.Player:
		return api.EventPlayer{
			Wallet: string(e.Wallet), AgentCode: orNull(of.Agent), FormerAgentCode: orNull(of.From), CreatedAt: millis(of.CreatedAt),
			Exclusion: exclusionAt(of.Protection, e.At), Limits: limitsOf(of.Protection), By: orNull(string(of.By)), RecordID: orNull(of.Record),
		}
	case stream.Funds:
		return api.EventFunds{
			ID: of.ID, AgentCode: of.Agent, Token: string(of.Token), Amount: of.Amount, Balance: of.Balance, Reason: of.Reason, By: string(of.By),
		}
	}
	return struct{}{}
}

func eventTransactionOf(t seamless.Transaction) api.EventProviderTransaction {
	body := api.EventProviderTransaction{
		ID: t.ID, Wallet: string(t.Wallet), AgentCode: orNull(t.Agent), Connection: orNull(t.Connection), TransactionID: orNull(t.TxnID),
		Provider: t.Provider, GameCode: t.Game, GameType: t.GameType, Kind: string(t.Kind), Token: string(t.Token), Bet: int64(t.Bet), Win: int64(t.Win),
		Status: string(t.Status), Reason: orNull(string(t.Reason)), RoundID: orNull(t.RoundID), CreatedAt: millis(t.At),
	}
	if t.Site == "" {
		balance := int64(t.Balance)
		body.Balance = &balance
	}
	return body
}

func eventWithdrawalOf(w withdrawal.Withdrawal) api.EventWithdrawal {
	body := api.EventWithdrawal{Withdrawal: withdrawalOf(w)}
	for _, given := range w.Approvals {
		if given.By != "" {
			body.ApprovedBy = append(body.ApprovedBy, string(given.By))
		}
	}
	return body
}

func eventPairOf(p fairness.PairState) api.EventPair {
	return api.EventPair{ID: p.ID, ServerSeedHash: p.Commitment, ClientSeed: p.ClientSeed, ClientSeedSource: p.ClientSource.String(), Rounds: p.Rounds}
}
