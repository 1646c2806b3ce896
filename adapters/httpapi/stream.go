package httpapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// The bounds of event streams.
const (
	// streamsOfWallet and streamsOfAddress are how many streams a wallet, and a client's
	// address, has open at most.
	streamsOfWallet  = 4
	streamsOfAddress = 32
	// streamsDefault is how many are open in all, unless the Config says otherwise.
	streamsDefault = 4_096
	// heartbeat is how long a stream is silent at most. Proxies end silent connections, and
	// a client that is gone shows itself when something is written. What no event announces,
	// such as a token's age or a key that is used no more, ends a stream within it.
	heartbeat = 15 * time.Second
	// confirmWait is how long a stream waits until it is known whether it lasts, and
	// unconfirmedMost how long it goes on while that can't be known. After an event of the
	// session or the role it isn't more than a second: see events.Listener. readPause is between
	// two tries to read what can't be read.
	confirmWait     = 5 * time.Second
	unconfirmedMost = time.Minute
	readPause       = 250 * time.Millisecond
	// streamWriteTime is how long a client may take to receive what was sent, and half of it
	// the least; one that is slower is cut off and goes on from its last id.
	streamWriteTime = 10 * time.Second
)

// streams counts the event streams that are open, and ends them.
type streams struct {
	ending context.Context
	end    context.CancelFunc
	// most is how many streams each audience may have.
	most map[audience]int

	mu   sync.Mutex
	open map[string]int
	all  map[audience]int
}

// audience is who hears a stream. Each has places of its own: strangers who watch the feed
// take none of the players', and players none of the admins'.
type audience int

const (
	toStrangers audience = iota
	toPlayers
	toAdmins
)

// newStreams divides so many places: half are the players', a sixteenth the admins'.
func newStreams(most int) *streams {
	const half, sixteenth = 2, 16
	ending, end := context.WithCancel(context.Background())
	few, many := max(1, most/sixteenth), max(1, most/half)
	return &streams{
		ending: ending, end: end, open: map[string]int{}, all: map[audience]int{},
		most: map[audience]int{toAdmins: few, toPlayers: many, toStrangers: max(1, most-few-many)},
	}
}

// takePlace takes a place for a stream of a wallet, empty for anybody's, at a client's address.
func (s *streams) takePlace(who audience, wallet, address string) (leave func(), err error) {
	places := map[string]int{"address " + address: streamsOfAddress}
	if wallet != "" {
		places = map[string]int{"wallet " + wallet: streamsOfWallet, "address " + address: streamsOfAddress}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[who] >= s.most[who] {
		return nil, fault.New(fault.Unavailable, "all places for event streams are taken").With("retryAfterMs", 5000)
	}
	for of, most := range places {
		if s.open[of] >= most {
			return nil, fault.New(fault.RateLimited, "too many event streams at once: at most %d of one wallet and %d of one address",
				streamsOfWallet, streamsOfAddress).With("retryAfterMs", 5000)
		}
	}
	s.all[who]++
	for of := range places {
		s.open[of]++
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all[who]--
		for of := range places {
			if s.open[of]--; s.open[of] == 0 {
				delete(s.open, of)
			}
		}
	}), nil
}

// message is one event of a stream. id is where a client goes on after it, empty where it
// can't. Without data it is a place alone.
type message struct {
	id   string
	data any
}

// eventStream is an answer of server-sent events (text/event-stream, as the HTML standard
// has them): it goes on until the client leaves, the service stops, or next or lasts
// returns an error.
type eventStream struct {
	streams *streams
	now     func() time.Time
	// players says that what the stream reads it reads in the players' places.
	players bool
	// begun is the place that the stream begins at, and is sent first: a client whose
	// connection is lost before the first event goes on there.
	begun string
	// next waits for messages; the deadline of the context that it is given ends no stream.
	next func(context.Context) ([]message, error)
	// lasts reports why nothing more may be sent, nil for a stream that may go on for ever;
	// it is asked every heartbeat, and when until is over: then the session is.
	lasts func(context.Context) error
	until time.Time
	// close gives back what the stream has taken.
	close func()
}

// ServeHTTP sends the stream.
func (s eventStream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.close()
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set(gzhttp.HeaderNoCompression, "1") // compression would hold events back
	header.Set("X-Accel-Buffering", "no")       // and so would a proxy that collects responses
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if s.players {
		ctx = ports.ForPlayers(ctx)
	}
	observationOf(ctx).answered = s.now()
	defer context.AfterFunc(s.streams.ending, cancel)()
	to := &sink{to: w, control: http.NewResponseController(w), now: s.now, asText: parse.AmountsAsText(r.Header)}
	var first []message
	if s.begun != "" {
		first = []message{{id: s.begun}}
	}
	if to.writeMessages(first) != nil {
		return
	}
	// The time-outs of requests don't hold for a stream: each of its writes has its own. The
	// first one was bounded by them, because the server reads a body before it.
	if err := to.control.SetReadDeadline(time.Time{}); err != nil {
		return
	}
	for known := s.now(); ctx.Err() == nil; {
		if known = s.sendNext(ctx, to, known); known.IsZero() {
			return
		}
	}
}

// sendNext sends what comes until the next heartbeat, and that. It returns when it was known last
// that the stream lasts, and zero where it has ended.
func (s eventStream) sendNext(ctx context.Context, to *sink, known time.Time) time.Time {
	waiting, done := context.WithTimeout(ctx, heartbeat)
	defer done()
	for waiting.Err() == nil {
		some, err := s.next(waiting)
		if err != nil && !events.Unreadable(err) {
			return time.Time{}
		}
		if err != nil {
			select {
			case <-time.After(readPause):
			case <-waiting.Done():
			}
		}
		if known = s.confirmStream(ctx, known); known.IsZero() || to.writeMessages(some) != nil {
			return time.Time{}
		}
	}
	return known
}

// confirmStream asks whether the stream lasts when it is time to, and returns when that was known
// last, zero where it has ended.
func (s eventStream) confirmStream(ctx context.Context, known time.Time) time.Time {
	now := s.now()
	since, over := now.Sub(known), !now.Before(s.until)
	if s.lasts == nil || since >= 0 && since < heartbeat && !over {
		return known
	}
	ctx, cancel := context.WithTimeout(ctx, confirmWait)
	defer cancel()
	switch err := s.lasts(ctx); {
	case err == nil:
		return now
	case events.Unreadable(err) && since >= 0 && since < unconfirmedMost && !over:
		return known
	}
	return time.Time{}
}

// sink is the connection of a stream.
type sink struct {
	to      io.Writer
	control *http.ResponseController
	now     func() time.Time
	// text is what is sent next, in a buffer that is used again.
	text bytes.Buffer
	// asText says that the client asked for amounts as strings.
	asText bool
	// until is the time that writes have. It is set anew when half of it is gone.
	until time.Time
}

// writeMessages sends messages at once, and a comment where there is none.
func (s *sink) writeMessages(some []message) error {
	s.text.Reset()
	if len(some) == 0 {
		s.text.WriteString(":\n\n")
	}
	for _, m := range some {
		if m.id != "" {
			s.text.WriteString("id: ")
			s.text.WriteString(m.id)
			s.text.WriteByte('\n')
		}
		if m.data != nil {
			s.text.WriteString("data: ")
			if err := shape.Encode(&s.text, m.data, s.asText); err != nil {
				return err
			}
			s.text.WriteByte('\n')
		}
		s.text.WriteByte('\n')
	}
	if until := s.now().Add(streamWriteTime); until.Sub(s.until) > streamWriteTime/2 {
		if err := s.control.SetWriteDeadline(until); err != nil {
			return err
		}
		s.until = until
	}
	if _, err := s.to.Write(s.text.Bytes()); err != nil {
		return err
	}
	return s.control.Flush()
}
