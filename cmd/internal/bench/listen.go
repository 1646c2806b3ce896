package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Heard measures the events of bets by listening players: the time from the answer to the
// event, and the number of bets without an event.
type Heard struct {
	Listeners int     `json:"listeners"`
	Bets      int64   `json:"bets"`    // by listening players
	Missing   int64   `json:"missing"` // without an event
	Latency   Latency `json:"latency"`
}

// missingAfter is how long to wait for the last events after the load.
const missingAfter = 5 * time.Second

// ears are the event streams of players who listen to their own events while they play.
type ears struct {
	clock Clock
	tally *tally
	stop  context.CancelFunc
	done  sync.WaitGroup

	mu      sync.Mutex
	from    time.Time            // start of the measurement
	bets    map[string]time.Time // answered without an event yet, or the reverse
	heard   map[string]bool
	seen    int64
	latency *hdrhistogram.Histogram
	// idle is closed when no event is missing; nil while nothing waits for it.
	idle chan struct{}
}

// openStreams opens the streams of the plan's first players and returns when all are open.
func openStreams(ctx context.Context, plan *Plan, t *tally, clock Clock) (*ears, error) {
	if plan.Listeners == 0 {
		return nil, nil //nolint:nilnil // there are no listeners
	}
	ctx, stop := context.WithCancel(ctx)
	e := &ears{
		clock: clock, tally: t, stop: stop, bets: map[string]time.Time{}, heard: map[string]bool{},
		latency: hdrhistogram.New(1, latencyMax.Microseconds(), digits),
	}
	for _, p := range plan.Players[:plan.Listeners] {
		response, closeIdle, err := plan.Service.openEvents(ctx, p)
		if err != nil {
			e.close()
			return nil, fmt.Errorf("listening: %w", err)
		}
		p.ears = e
		e.done.Go(func() {
			defer closeIdle()
			err := e.readStream(p, response)
			if ctx.Err() == nil {
				t.countBadAnswer(fmt.Sprintf("a stream of events ended: %v", err))
			}
		})
	}
	return e, nil
}

// openEvents opens a player's stream over a new connection.
func (s *Service) openEvents(ctx context.Context, p *Player) (*http.Response, func(), error) {
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		if s.many {
			return s.dialFrom(ctx, s.nextSource())
		}
		return s.dialFrom(ctx, nil)
	}}
	transport.DialTLSContext = transport.DialContext // it uses TLS if the URL does
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/events?types=round.settled,round.void", nil)
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+p.Token)
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return nil, nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, nil, errors.Join(fmt.Errorf("%s", response.Status), response.Body.Close())
	}
	return response, transport.CloseIdleConnections, nil
}

// eventBytesMax is the maximum size of an event.
const eventBytesMax = 1 << 14

// readStream reads a stream as cheaply as possible. The processing of events isn't
// measured, and on one machine it would slow down the service.
func (e *ears) readStream(p *Player, from *http.Response) (err error) {
	defer func() { err = errors.Join(err, from.Body.Close()) }()
	lines := bufio.NewReaderSize(from.Body, eventBytesMax)
	for {
		line, err := lines.ReadSlice('\n')
		at := e.clock.Now()
		if err != nil {
			return fmt.Errorf("the service closed it: %w", err)
		}
		if !bytes.HasPrefix(line, eventData) { // a cursor or a keep-alive
			continue
		}
		_, rest, found := bytes.Cut(line, eventSubject)
		round, _, ends := bytes.Cut(rest, []byte{'"'})
		if !found || !ends {
			return fmt.Errorf("an event without a subject: %s", line)
		}
		e.matchBet(p, string(round), at, true)
	}
}

// Start of an event's data line, and the text before the round's id in it.
var eventData, eventSubject = []byte("data: "), []byte(`"subject":"`)

// matchBet records that a bet was answered or its event received, in either order.
func (e *ears) matchBet(p *Player, round string, at time.Time, heard bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	other, met := e.bets[round]
	if heard && e.heard[round] {
		e.tally.countBadAnswer(fmt.Sprintf("%s heard round %s twice", p.Wallet, round))
		return
	}
	if heard {
		e.heard[round] = true
	}
	if !met {
		e.bets[round] = at
		return
	}
	delete(e.bets, round)
	delete(e.heard, round)
	took := at.Sub(other)
	if !heard { // the event came before the answer
		took = 0
	}
	if !e.from.IsZero() && at.After(e.from) {
		e.seen++
		_ = e.latency.RecordValue(min(max(took, time.Microsecond), latencyMax).Microseconds()) // took is within the bounds
	}
	if e.idle != nil && len(e.bets) == 0 {
		close(e.idle)
		e.idle = nil
	}
}

// waitForResult waits for missing events and closes the streams.
func (e *ears) waitForResult(ctx context.Context, listeners int) *Heard {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	idle := make(chan struct{})
	if e.idle = idle; len(e.bets) == 0 {
		close(idle)
		e.idle = nil
	}
	e.mu.Unlock()
	timer := time.NewTimer(missingAfter)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	case <-ctx.Done():
	}
	e.close()
	e.mu.Lock()
	defer e.mu.Unlock()
	missing := int64(len(e.bets))
	return &Heard{Listeners: listeners, Bets: e.seen + missing, Missing: missing, Latency: latencyOf(e.latency)}
}

// beginAt sets the start of the measurement.
func (e *ears) beginAt(from time.Time) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.from = from
}

func (e *ears) close() {
	e.stop()
	e.done.Wait()
}
