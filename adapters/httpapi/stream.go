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

// Limits of event streams.
const (
	// streamsOfWallet is the maximum number of open streams of a wallet, streamsOfAddress the
	// default one of a client address.
	streamsOfWallet  = 4
	streamsOfAddress = 32
	// streamsDefault is the default maximum number of open streams in all.
	streamsDefault = 4_096
	// heartbeat is the longest silence of a stream. Proxies end silent connections, and
	// writing detects clients that are gone. Reasons to end a stream that no event
	// announces, such as an expired token or key, take effect within it.
	heartbeat = 15 * time.Second
	// confirmWait bounds one check of a stream's session, and unconfirmedMost is how long a
	// stream continues while the check is impossible. After an event of the session or the
	// role that is at most a second: see events.Listener. readPause is the pause between
	// two failed reads.
	confirmWait     = 5 * time.Second
	unconfirmedMost = time.Minute
	readPause       = 250 * time.Millisecond
	// streamWriteTime is the most, and half of it the least, that a client may take to
	// receive a message. A slower client is disconnected and can continue from its last id.
	streamWriteTime = 10 * time.Second
)

// streams counts the open event streams, and ends them.
type streams struct {
	ending context.Context
	end    context.CancelFunc
	// most is the maximum number of streams for each audience.
	most map[audience]int
	// mostOfAddress is the maximum number of streams of a client address.
	mostOfAddress int

	mu   sync.Mutex
	open map[string]int
	all  map[audience]int
}

// audience is a group of readers. Each has its own places, so that the public feed can't
// take the players' places, nor players the admins'.
type audience int

const (
	toStrangers audience = iota
	toPlayers
	toAdmins
)

// newStreams divides the places: half for players, a sixteenth for admins.
func newStreams(most, mostOfAddress int) *streams {
	const half, sixteenth = 2, 16
	ending, end := context.WithCancel(context.Background())
	few, many := max(1, most/sixteenth), max(1, most/half)
	return &streams{
		ending: ending, end: end, open: map[string]int{}, all: map[audience]int{}, mostOfAddress: mostOfAddress,
		most: map[audience]int{toAdmins: few, toPlayers: many, toStrangers: max(1, most-few-many)},
	}
}

// takePlace reserves a place for a stream of a wallet, "" if not signed in, at a client's
// address.
func (s *streams) takePlace(who audience, wallet, address string) (leave func(), err error) {
	places := map[string]int{"address " + address: s.mostOfAddress}
	if wallet != "" {
		places = map[string]int{"wallet " + wallet: streamsOfWallet, "address " + address: s.mostOfAddress}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[who] >= s.most[who] {
		return nil, fault.New(fault.Unavailable, "too many event streams are open: try again later").With("retryAfterMs", 5000)
	}
	for of, most := range places {
		if s.open[of] >= most {
			return nil, fault.New(fault.RateLimited, "too many event streams at once: at most %d of one wallet and %d of one address",
				streamsOfWallet, s.mostOfAddress).With("retryAfterMs", 5000)
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

// message is one event of a stream. id is the position after it, "" if clients can't
// continue from it. Without data it is only a position. text, if set, is the whole message
// as it is sent; it comes alone.
type message struct {
	id   string
	data any
	text []byte
}

// eventStream is an answer of server-sent events (text/event-stream of the HTML standard).
// It continues until the client leaves, the service stops, or next or lasts returns an
// error.
type eventStream struct {
	streams *streams
	now     func() time.Time
	// players is set if the stream reads with the players' share of database connections.
	players bool
	// begun is the position at which the stream begins. It is sent first, so that a client
	// that disconnects before the first event continues there.
	begun string
	// next waits for messages. If the deadline of its context passes, the stream continues.
	next func(context.Context) ([]message, error)
	// lasts returns an error when the stream must end; nil for an unlimited stream. It is
	// called every heartbeat, and at until, when the session expires.
	lasts func(context.Context) error
	until time.Time
	// close releases the stream's resources.
	close func()
}

// ServeHTTP sends the stream.
func (s eventStream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.close()
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set(gzhttp.HeaderNoCompression, "1") // compression would delay events
	header.Set("X-Accel-Buffering", "no")       // and so would a buffering proxy
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
	// The request's time-outs don't apply to a stream; each write sets its own. They did
	// apply to the first write, because the server reads a body before it.
	if err := to.control.SetReadDeadline(time.Time{}); err != nil {
		return
	}
	for known := s.now(); ctx.Err() == nil; {
		if known = s.sendNext(ctx, to, known); known.IsZero() {
			return
		}
	}
}

// sendNext sends messages until the next heartbeat, and the heartbeat. It returns the time
// of the last successful check of the stream, zero if it has ended.
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

// confirmStream checks the stream if it is time to. It returns the time of the last
// successful check, zero if the stream has ended.
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
	// text is a reused buffer for the next write.
	text bytes.Buffer
	// asText is set if the client requested amounts as strings.
	asText bool
	// until is the write deadline. It is renewed when half of the time has passed.
	until time.Time
}

// writeMessages sends messages in one write, or a comment if there are none.
func (s *sink) writeMessages(some []message) error {
	if len(some) == 1 && some[0].text != nil {
		return s.writeText(some[0].text)
	}
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
	return s.writeText(s.text.Bytes())
}

// writeText sends whole messages.
func (s *sink) writeText(text []byte) error {
	if until := s.now().Add(streamWriteTime); until.Sub(s.until) > streamWriteTime/2 {
		if err := s.control.SetWriteDeadline(until); err != nil {
			return err
		}
		s.until = until
	}
	if _, err := s.to.Write(text); err != nil {
		return err
	}
	return s.control.Flush()
}
