package httpapi

import (
	"context"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/stream"
)

// The bounds of a page of events.
const (
	eventsDefault = 100
	eventsMax     = 500
)

// events is the caller's own stream.
func (a *API) events(r *request) (answer, error) {
	filter, after, err := listening(r)
	if err != nil {
		return answer{}, err
	}
	return a.streamed(r, func(ctx context.Context) (source, error) {
		l, err := a.casino.Events.OwnEvents(ctx, r.caller, filter.Types, after)
		return a.sourceOf(ctx, r, l, err)
	})
}

// adminEvents is a page, or where text/event-stream is asked for the stream, of what the
// admin may hear.
func (a *API) adminEvents(r *request) (answer, error) {
	filter, after, err := listening(r)
	limit := int(r.query.Integer("limit", eventsDefault, eventsMax))
	if err == nil {
		err = r.query.Err
	}
	if err != nil {
		return answer{}, err
	}
	if parse.Prefers(r.http.Header, "text/event-stream") {
		return a.streamed(r, func(ctx context.Context) (source, error) {
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
	return ok(api.EventPage{Events: each(page.Events, func(e stream.Event) api.Event { return EventOf(ledger, e) }), NextCursor: page.Next.String(), More: page.More}), nil
}

// feed is the stream of everybody's bets.
func (a *API) feed(r *request) (answer, error) {
	return a.streamed(r, func(ctx context.Context) (source, error) {
		watching, err := a.casino.Events.WatchBets(ctx)
		if err != nil {
			return source{}, err
		}
		return source{close: watching.Close, next: func(ctx context.Context) ([]message, error) {
			bets, err := watching.Next(ctx)
			return each(bets, func(b events.PublicBet) message { return message{data: recentBetOf(b)} }), err
		}}, nil
	})
}

// source is where a stream's messages come from.
type source struct {
	// begun is the place that it begins at, empty where there is none to go on from.
	begun string
	next  func(context.Context) ([]message, error)
	// lasts is nil where nobody has to be signed in.
	lasts func(context.Context) error
	close func()
}

// sourceOf is what a listener hears, as it is sent. It lasts as long as session and role.
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
		return each(heard, func(e stream.Event) message {
			body := EventOf(ledger, e)
			return message{id: body.Cursor, data: &body}
		}), err
	}}, nil
}

// streamed answers with a stream, which takes its place first.
func (a *API) streamed(r *request, open func(context.Context) (source, error)) (answer, error) {
	leave, err := a.streams.enter(audienceOf(r), string(r.caller.Wallet), observationOf(r.ctx).client.key())
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

// stillSignedIn reports why a request's session is over by now.
func (a *API) stillSignedIn(ctx context.Context, r *request) error {
	session, err := a.session(r)
	if err != nil {
		return err
	}
	return a.casino.ConfirmSession(ctx, session)
}

// stillAdmitted reports why a request's session or role isn't the one it was begun under.
func (a *API) stillAdmitted(ctx context.Context, r *request) error {
	if err := a.stillSignedIn(ctx, r); err != nil || r.permission == "" {
		return err
	}
	return a.casino.Reauthorize(ctx, r.caller, r.permission)
}

// The longest texts of a query.
const (
	typesMax  = 2_000
	cursorMax = 16_000
)

// listening reads what is asked for: which types, whose, and after which place.
func listening(r *request) (f stream.Filter, after *stream.Cursor, err error) {
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
	if last := r.http.Header.Get("Last-Event-ID"); last != "" { // what a client that comes back sends
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
