package httpapi

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// eventRoutes returns the routes of events and the feed.
func (a *API) eventRoutes() []route {
	return []route{
		{operation.Feed, anyone, publicWindow, a.feed},
		{operation.Events, players, noWindow, a.events},
		{operation.AdminEvents, admins(rbac.AdminRead), noWindow, a.adminEvents},
	}
}

// Limits of a page of events.
const (
	eventsDefault = 100
	eventsMax     = 500
)

// events streams the caller's own events.
func (a *API) events(r *request) (answer, error) {
	filter, after, err := readEventFilter(r)
	if err != nil {
		return answer{}, err
	}
	return a.answerStream(r, func(ctx context.Context) (source, error) {
		l, err := a.casino.Events.OwnEvents(ctx, r.caller, filter.Types, after)
		return a.sourceOf(ctx, r, l, err)
	})
}

// adminEvents returns a page of the events that the admin may see, or a stream of them if
// the client accepts text/event-stream.
func (a *API) adminEvents(r *request) (answer, error) {
	filter, after, err := readEventFilter(r)
	limit := int(r.query.Integer("limit", eventsDefault, eventsMax))
	if err == nil {
		err = r.query.Err
	}
	if err != nil {
		return answer{}, err
	}
	if parse.Prefers(r.http.Header, "text/event-stream") {
		return a.answerStream(r, func(ctx context.Context) (source, error) {
			l, err := a.casino.Events.AdminEvents(ctx, r.caller, filter, after)
			return a.sourceOf(ctx, r, l, err)
		})
	}
	var from stream.Cursor
	if after != nil {
		from = *after
	}
	page, err := a.casino.Events.AdminEventPage(r.ctx, r.caller, filter, from, limit)
	if err != nil {
		return answer{}, err
	}
	ledger, err := a.casino.Events.Ledger(r.ctx)
	if err != nil {
		return answer{}, err
	}
	return ok(api.EventPage{Events: mapEach(page.Events, func(e stream.Event) api.Event { return EventOf(ledger, e) }), NextCursor: page.Next.String(), More: page.More}), nil
}

// feed streams the bets of all players.
func (a *API) feed(r *request) (answer, error) {
	return a.answerStream(r, func(ctx context.Context) (source, error) {
		watching, err := a.casino.Events.WatchBets(ctx)
		if err != nil {
			return source{}, err
		}
		return source{close: watching.Close, next: func(ctx context.Context) ([]message, error) {
			bets, err := watching.Next(ctx)
			return mapEach(bets, func(b events.PublicBet) message { return message{data: recentBetOf(b)} }), err
		}}, nil
	})
}

// source provides the messages of a stream.
type source struct {
	// begun is the position at which it begins; "" if clients can't continue.
	begun string
	next  func(context.Context) ([]message, error)
	// lasts is nil if no session is required.
	lasts func(context.Context) error
	close func()
}

// sourceOf returns the events of a listener as messages. It ends with the session or the
// role.
func (a *API) sourceOf(ctx context.Context, r *request, l *events.Listener, err error) (source, error) {
	if err != nil {
		return source{}, err
	}
	ledger, err := a.casino.Events.Ledger(ctx)
	if err != nil {
		l.Close()
		return source{}, err
	}
	l.Until(func(ctx context.Context) error { return a.stillSignedIn(ctx, r) })
	return source{begun: l.Begun().String(), close: l.Close, lasts: l.Confirm, next: func(ctx context.Context) ([]message, error) {
		heard, err := l.Next(ctx)
		return mapEach(heard, func(e stream.Event) message {
			body := EventOf(ledger, e)
			return message{id: body.Cursor, data: &body}
		}), err
	}}, nil
}

// answerStream answers with a stream, after reserving a place for it.
func (a *API) answerStream(r *request, open func(context.Context) (source, error)) (answer, error) {
	leave, err := a.streams.takePlace(audienceOf(r), string(r.caller.Wallet), observationOf(r.ctx).client.limitKey())
	if err != nil {
		return answer{}, err
	}
	from, err := open(r.ctx)
	if err != nil {
		leave()
		return answer{}, err
	}
	return answer{page: eventStream{
		streams: a.streams, now: a.casino.Clock.Now, players: r.permission == "", begun: from.begun, next: from.next,
		lasts: from.lasts, until: r.session.ExpiresAt,
		close: func() {
			from.close()
			leave()
		},
	}}, nil
}

func audienceOf(r *request) audience {
	switch {
	case r.permission != "":
		return toAdmins
	case r.caller.Wallet != "":
		return toPlayers
	}
	return toStrangers
}

// stillSignedIn returns an error if the request's session has ended since.
func (a *API) stillSignedIn(ctx context.Context, r *request) error {
	session, err := a.readSession(r)
	if err != nil {
		return err
	}
	return a.casino.ConfirmSession(ctx, session)
}

// stillAdmitted returns an error if the request's session has ended or its role has
// changed.
func (a *API) stillAdmitted(ctx context.Context, r *request) error {
	if err := a.stillSignedIn(ctx, r); err != nil || r.permission == "" {
		return err
	}
	return a.casino.Reauthorize(ctx, r.caller, r.permission)
}

// Maximum lengths of texts in a query.
const (
	typesMax  = 2_000
	cursorMax = 16_000
)

// readEventFilter reads the requested types, subject and starting position.
func readEventFilter(r *request) (f stream.Filter, after *stream.Cursor, err error) {
	f.Wallet = r.query.Wallet()
	for name := range strings.SplitSeq(r.query.Limited("types", typesMax), ",") {
		if name == "" {
			continue
		}
		kind, known := stream.ParseType(strings.TrimPrefix(name, eventPrefix))
		if !known {
			return f, nil, fault.Field("types", "%q is no type of an event", name)
		}
		f.Types = append(f.Types, kind)
	}
	text := r.query.Limited("cursor", cursorMax)
	if last := r.http.Header.Get("Last-Event-ID"); last != "" { // set by a client that reconnects
		text = last
	}
	if text != "" {
		at, err := stream.ParseCursor(text)
		if err != nil {
			return f, nil, err
		}
		after = &at
	}
	return f, after, r.query.Err
}

// Constants of all events.
const (
	eventSpec    = "1.0"
	eventSource  = "urn:casino"
	eventPrefix  = "casino."
	eventContent = "application/json"
	eventSchemas = "https://github.com/casino-service/casino/blob/main/docs/events/v1/"
)

// EventOf returns the JSON form of an event of the ledger with this id; "" if unknown. It
// contains the whole event; for a player, pass the player's view of it.
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

// EventEncoder encodes events as GET /admin/events returns them, but without the cursor,
// which depends on the reader. It serves ports.EventEncoder.
type EventEncoder struct{}

var _ ports.EventEncoder = EventEncoder{}

// EncodeEvent serves ports.EventEncoder.
func (EventEncoder) EncodeEvent(ledger string, e stream.Event) ([]byte, error) {
	e.Cursor = stream.Cursor{}
	return json.Marshal(EventOf(ledger, e), json.Deterministic(true))
}

// eventData returns an event's data in the API's types.
func eventData(e stream.Event) any {
	if e.Type == stream.LedgerRestored { // its subject is the epoch
		epoch, _ := strconv.ParseInt(e.Subject, 10, 64)
		return api.EventRestored{Epoch: epoch}
	}
	switch of := e.Data.(type) {
	case stream.Settled:
		return api.EventRound{Round: roundOf(of.Round, ""), Wallet: string(of.Wallet), AgentCode: orNull(of.Agent)}
	case stream.CrashRound:
		return crashRoundOf(of.Round)
	case stream.Open:
		if of.IsShared() {
			return api.EventCrashBet{OwnCrashBet: ownCrashBetOf(of.Open), Wallet: string(of.Wallet), AgentCode: orNull(of.Agent)}
		}
		return api.EventOpenRound{OpenRound: openRoundOf(of.Open), Wallet: string(of.Wallet), AgentCode: orNull(of.Agent)}
	case stream.Balance:
		return api.EventBalance{
			Wallet: string(e.Wallet), Token: string(of.Token), Amount: of.Amount, Balance: int64(of.After), Cause: of.Cause, Of: of.Of,
			RoundID: orNull(of.Round), Reason: orNull(of.Reason), Corrects: orNull(of.Corrects), By: orNull(string(of.By)),
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

// playerData returns the data of events about a player's seeds, sessions and protection,
// and about an agent's funds.
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
		return api.EventSession{Wallet: string(e.Wallet), IssuedAt: unixMillis(of.IssuedAt), ExpiresAt: unixMillis(of.Until)}
	case stream.SessionsEnd:
		return api.EventSessionsEnd{Wallet: string(e.Wallet), IssuedBefore: unixMillis(of.From)}
	case stream.Player:
		return api.EventPlayer{
			Wallet: string(e.Wallet), AgentCode: orNull(of.Agent), FormerAgentCode: orNull(of.From), CreatedAt: unixMillis(of.CreatedAt),
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
		Status: string(t.Status), Reason: orNull(string(t.Reason)), RoundID: orNull(t.RoundID), CreatedAt: unixMillis(t.At),
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
