package bench

import (
	"fmt"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// latencyMax is the longest recorded latency, digits the number of significant digits.
const (
	latencyMax = 10 * time.Minute
	digits     = 3
)

// examplesMax is the number of bad answers that are kept as text.
const examplesMax = 5

// outcome is the outcome of a request: success, refusal or failure, or an impossible
// answer.
type outcome struct {
	status int
	code   string // of a failure
	bad    string // the error in the answer
}

func (o outcome) isSuccess() bool { return o.code == "" && o.bad == "" }

// failure is a type of failed request. Status 0 means no answer.
type failure struct {
	kind   string
	status int
	code   string
}

// tally counts requests while the clients work.
type tally struct {
	mu sync.Mutex
	// from and to limit the measured time.
	from, to time.Time
	kinds    []kindTally
	failures map[failure]int64
	sent     int64
	bad      int64
	examples []string
}

type kindTally struct {
	kind     string
	latency  *hdrhistogram.Histogram // microseconds
	requests int64
	answered int64 // successful
	well     int64 // of those, within the measured time
}

func newTally(mix Mix) *tally {
	t := &tally{failures: map[failure]int64{}}
	for _, part := range mix {
		t.kinds = append(t.kinds, kindTally{kind: part.Kind, latency: hdrhistogram.New(1, latencyMax.Microseconds(), digits)})
	}
	return t
}

// countRequest counts a request with its due time and its answer's time. During the warm-up
// it only counts bad answers.
func (t *tally) countRequest(part int, due, answered time.Time, was outcome) {
	took := min(max(answered.Sub(due), time.Microsecond), latencyMax).Microseconds()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent++
	kind := &t.kinds[part]
	if was.bad != "" {
		t.bad++
		if len(t.examples) < examplesMax {
			t.examples = append(t.examples, fmt.Sprintf("%s: %s", kind.kind, was.bad))
		}
	}
	if due.Before(t.from) {
		return
	}
	kind.requests++
	_ = kind.latency.RecordValue(took) // took is within the bounds
	if was.code != "" {
		t.failures[failure{kind.kind, was.status, was.code}]++
	}
	if !was.isSuccess() {
		return
	}
	kind.answered++
	if !answered.After(t.to) {
		kind.well++
	}
}

// countBadAnswer counts a bad answer that belongs to no request of the mix.
func (t *tally) countBadAnswer(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bad++
	if len(t.examples) < examplesMax {
		t.examples = append(t.examples, what)
	}
}

// endAt ends the measured time now, if that is earlier than planned.
func (t *tally) endAt(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Before(t.to) {
		t.to = now
	}
}
