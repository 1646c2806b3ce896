package webhook_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
)

var start = time.Unix(1_800_000_000, 0).UTC()

func place(seq int64) stream.Cursor {
	return stream.Cursor{Epoch: 1, Marks: []stream.Mark{{Lane: 1, Seq: seq}}}
}

func delivery(seq int64) webhook.Delivery {
	return webhook.Delivery{EventID: place(seq).String(), Type: stream.RoundSettled, At: start, Body: []byte("{}"), Cursor: place(seq)}
}

func endpoint() webhook.Endpoint {
	return webhook.New("w1", "acme", "https://hooks.example.com/", nil, webhook.Secrets{}, place(1), start)
}

func TestWhatAResponseMeans(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]webhook.Outcome{
		0: webhook.Unavailable, 100: webhook.Refused, 199: webhook.Refused, 200: webhook.Delivered, 204: webhook.Delivered, 299: webhook.Delivered,
		300: webhook.Refused, 301: webhook.Refused, 307: webhook.Refused, 399: webhook.Refused, 400: webhook.Refused, 401: webhook.Refused,
		404: webhook.Refused, 407: webhook.Refused, 408: webhook.Unavailable, 409: webhook.Refused, 410: webhook.IsGone, 411: webhook.Refused,
		425: webhook.Refused, 428: webhook.Refused, 429: webhook.Unavailable, 430: webhook.Refused, 499: webhook.Refused, 500: webhook.Unavailable,
		503: webhook.Unavailable, 599: webhook.Unavailable, 999: webhook.Unavailable,
	} {
		if got := (webhook.Response{Status: status}).Outcome(); got != want {
			t.Errorf("%d is %d, want %d", status, got, want)
		}
	}
	for _, failure := range webhook.Failures() {
		if got := (webhook.Response{Status: 200, Failure: failure}).Outcome(); got != webhook.Unavailable {
			t.Errorf("%s is %d", failure, got)
		}
	}
}

// TestTenRefusalsWithinAnHour: the tenth makes a dead letter for any random numbers, and
// the pauses grow.
func TestTenRefusalsWithinAnHour(t *testing.T) {
	t.Parallel()
	for _, chance := range []float64{0, 0.5, 0.999} {
		e, at, last := endpoint(), start, time.Duration(0)
		var letter *webhook.DeadLetter
		for try := 1; try <= webhook.TriesMax; try++ {
			if !e.Due(at) || e.Due(at.Add(-time.Nanosecond)) && try > 1 {
				t.Fatalf("try %d is due at %v, not at %v", try, e.Tries.NextAt, at)
			}
			e, letter = e.Answered(delivery(2), webhook.Response{Status: 404}, webhook.Try{At: at, Chance: chance, LetterID: "l1"})
			if try == webhook.TriesMax {
				break
			}
			pause := e.Tries.NextAt.Sub(at)
			if letter != nil || pause <= last || !e.Cursor.Equal(place(1)) {
				t.Fatalf("after try %d: a pause of %v after %v, %+v", try, pause, last, letter)
			}
			at, last = e.Tries.NextAt, pause
		}
		if took := at.Sub(start); took > time.Hour || took < 40*time.Minute || chance == 0 && took < 59*time.Minute {
			t.Errorf("ten tries take %v", took)
		}
		if letter == nil || letter.ID != "l1" || letter.Webhook != "w1" || letter.Tries != 10 || letter.Last.Status != 404 || !letter.At.Equal(at) || letter.Due {
			t.Errorf("the letter is %+v", letter)
		}
		if !e.Cursor.Equal(place(2)) || e.Tries != (webhook.Tries{}) || !e.Due(at) {
			t.Errorf("afterwards it is %+v", e)
		}
	}
}

func TestPausesOfAnEndpointThatTakesNothing(t *testing.T) {
	t.Parallel()
	e, at := endpoint(), start
	for try, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600} {
		e, _ = e.Answered(delivery(2), webhook.Response{Status: 500}, webhook.Try{At: at})
		if got := e.Tries.NextAt.Sub(at); got != want*time.Second {
			t.Errorf("after failure %d a pause of %v", try+1, got)
		}
		at = e.Tries.NextAt
	}
	for name, c := range map[string]struct {
		response webhook.Response
		chance   float64
		want     time.Duration
	}{
		"with chance":             {webhook.Response{Failure: webhook.TimedOut}, 0.5, 875 * time.Millisecond},
		"asked for a minute":      {webhook.Response{Status: 429, RetryAfter: time.Minute}, 0, time.Minute},
		"asked for less":          {webhook.Response{Status: 503, RetryAfter: time.Millisecond}, 0, time.Second},
		"asked for a week":        {webhook.Response{Status: 503, RetryAfter: 168 * time.Hour}, 0, time.Hour},
		"a refusal asks in vain":  {webhook.Response{Status: 400, RetryAfter: time.Hour}, 0, 5 * time.Second},
		"a refusal, with chance":  {webhook.Response{Status: 400}, 0.5, 4375 * time.Millisecond},
		"an address that isn't's": {webhook.Response{Failure: webhook.Guarded}, 0, time.Second},
	} {
		got, letter := endpoint().Answered(delivery(2), c.response, webhook.Try{At: start, Chance: c.chance})
		if pause := got.Tries.NextAt.Sub(start); pause != c.want || letter != nil || got.Tries.Last != c.response {
			t.Errorf("%s: %v", name, pause)
		}
	}
}

// TestThreeDaysWithoutAnAnswer: an endpoint is disabled if it was tried all the time,
// but not if the service itself was off.
func TestThreeDaysWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	fails := func(e webhook.Endpoint, at time.Time) webhook.Endpoint {
		e, _ = e.Answered(delivery(2), webhook.Response{Status: 500}, webhook.Try{At: at})
		return e
	}
	away := fails(fails(endpoint(), start), start.Add(100*time.Hour))
	if away.State != webhook.Active {
		t.Error("two tries disable an endpoint")
	}
	e := endpoint()
	for range 20 {
		e = fails(e, start)
	}
	almost := fails(e, start.Add(webhook.FailingMax-time.Nanosecond))
	if almost.State != webhook.Active || !almost.FailingSince.Equal(start) {
		t.Errorf("before three days it is %+v", almost)
	}
	ended := fails(almost, start.Add(webhook.FailingMax))
	if ended.State != webhook.Disabled || ended.Reason != webhook.Failing || ended.Due(start.Add(1000*time.Hour)) || !ended.Cursor.Equal(place(1)) {
		t.Errorf("after three days it is %+v", ended)
	}
	taken, _ := almost.Answered(delivery(2), webhook.Response{Status: 200}, webhook.Try{At: start.Add(webhook.FailingMax)})
	if taken.State != webhook.Active || !taken.FailingSince.IsZero() || !taken.Cursor.Equal(place(2)) {
		t.Errorf("taken at last it is %+v", taken)
	}
	refused, _ := almost.Answered(delivery(2), webhook.Response{Status: 400}, webhook.Try{At: start.Add(webhook.FailingMax)})
	if refused.State != webhook.Active || !refused.FailingSince.IsZero() {
		t.Errorf("an endpoint that answers is %+v", refused)
	}
	again := ended.Enable()
	if again.State != webhook.Active || again.Reason != "" || !again.FailingSince.IsZero() || again.Tries != (webhook.Tries{}) || !again.Cursor.Equal(place(1)) {
		t.Errorf("enabled it is %+v", again)
	}
}

func TestDisablingAndEnabling(t *testing.T) {
	t.Parallel()
	gone, letter := endpoint().Answered(delivery(2), webhook.Response{Status: 410}, webhook.Try{At: start})
	if gone.State != webhook.Disabled || gone.Reason != webhook.Gone || letter != nil || gone.Tries.Count != 1 || !gone.Cursor.Equal(place(1)) {
		t.Errorf("gone it is %+v", gone)
	}
	if again := gone.Disable(webhook.ByAdmin); again.Reason != webhook.Gone {
		t.Errorf("disabled again, because of %s", again.Reason)
	}
	at := place(7)
	if from := gone.Enable().From(&at); !from.Cursor.Equal(at) || from.State != webhook.Active {
		t.Errorf("from another place it is %+v", from)
	}
	if same := endpoint().Enable().From(nil); !same.Cursor.Equal(place(1)) {
		t.Errorf("from nowhere it is %+v", same)
	}
	tried, _ := endpoint().Answered(delivery(2), webhook.Response{Status: 500}, webhook.Try{At: start})
	if same := tried.Enable(); same.Tries != tried.Tries || !same.FailingSince.Equal(start) {
		t.Error("enabling an active one forgets its failures")
	}
}

func TestDeadLetters(t *testing.T) {
	t.Parallel()
	sent := delivery(2)
	kept := func(size int) webhook.DeadLetter {
		sent.Body = make([]byte, size)
		e, at := endpoint(), start
		for {
			next, letter := e.Answered(sent, webhook.Response{Status: 400}, webhook.Try{At: at})
			if letter != nil {
				return *letter
			}
			e, at = next, next.Tries.NextAt
		}
	}
	if long := kept(webhook.BodyMax + 1); long.Body != nil {
		t.Errorf("a body of %d is kept", len(long.Body))
	} else if _, err := long.Resend(); !fault.Is(err, fault.InvalidState) {
		t.Errorf("it is sent again: %v", err)
	}
	l := kept(webhook.BodyMax)
	due, err := l.Resend()
	if err != nil || !due.Due || len(due.Body) != webhook.BodyMax {
		t.Fatalf("due it is %+v, %v", due, err)
	}
	later := start.Add(time.Hour)
	for status, want := range map[int]bool{200: true, 400: false, 410: false, 503: false} {
		after, settled := due.Answered(webhook.Response{Status: status}, later)
		if settled != want || after.Due || after.Tries != 11 || after.Last.Status != status || !after.At.Equal(later) {
			t.Errorf("answered %d it is %+v, %v", status, after.Last, settled)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		url          string
		types        []stream.Type
		field, local string
	}{
		"sound":            {"https://hooks.example.com/", []stream.Type{stream.RoundSettled, stream.FundsBooked}, "", ""},
		"plain":            {"http://hooks.example.com/", nil, "url", "url"},
		"of this machine":  {"http://127.0.0.1:9000/", nil, "url", ""},
		"inside":           {"https://10.0.0.1/", nil, "url", "url"},
		"with a password":  {"https://a:b@hooks.example.com/", nil, "url", "url"},
		"none":             {"", nil, "url", "url"},
		"an unknown type":  {"https://hooks.example.com/", []stream.Type{"round.odd"}, "types", "types"},
		"a type of admins": {"https://hooks.example.com/", []stream.Type{stream.RoleGranted}, "types", "types"},
	} {
		e := webhook.New("w1", "acme", c.url, c.types, webhook.Secrets{}, stream.Cursor{}, start)
		for field, err := range map[string]error{c.field: e.Check(), c.local: e.CheckLocal()} {
			if field == "" && err != nil || field != "" && !fault.Is(err, fault.Invalid) {
				t.Errorf("%s: %v, want %q", name, err, field)
			}
		}
	}
}

// model is an endpoint as a list of all its answers, from which the present state is
// computed.
type model struct {
	answers   []webhook.Outcome // for the next event
	unbroken  []time.Time       // consecutive failures
	delivered []int64
	dead      []int64
	disabled  bool
}

func (m *model) answered(seq int64, o webhook.Outcome, at time.Time) {
	m.answers = append(m.answers, o)
	if o == webhook.Unavailable {
		m.unbroken = append(m.unbroken, at)
	} else if o != webhook.IsGone {
		m.unbroken = nil
	}
	refused, row := 0, 0
	for _, each := range m.answers {
		if row++; each != webhook.Unavailable {
			row = 0
		}
		if each == webhook.Refused {
			refused++
		}
	}
	switch {
	case o == webhook.Delivered:
		m.delivered, m.answers = append(m.delivered, seq), nil
	case refused == webhook.TriesMax:
		m.dead, m.answers = append(m.dead, seq), nil
	case o == webhook.IsGone, row >= 10 && at.Sub(m.unbroken[0]) >= webhook.FailingMax:
		m.disabled = true
	}
}

// TestAgainstAModel: for any answers at any times, every event is delivered or a dead
// letter, in order, and the endpoint is disabled as in the model.
func TestAgainstAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e, m, at, next := endpoint(), model{}, start, int64(2)
		status := rapid.SampledFrom([]int{200, 400, 400, 404, 500, 500, 500, 500, 429, 408, 301, 0})
		for range rapid.IntRange(1, 120).Draw(t, "tries") {
			response := webhook.Response{Status: status.Draw(t, "status")}
			if rapid.IntRange(0, 60).Draw(t, "gone") == 0 {
				response.Status = 410
			}
			after, letter := e.Answered(delivery(next), response, webhook.Try{At: at, Chance: rapid.Float64Range(0, 0.999).Draw(t, "chance"), LetterID: "l"})
			m.answered(next, response.Outcome(), at)
			moved := after.Cursor.Equal(place(next))
			if ended := len(m.delivered) + len(m.dead); moved != (int64(ended) == next-1) || (letter != nil) != (len(m.dead) > 0 && m.dead[len(m.dead)-1] == next) {
				t.Fatalf("after %d for %d: moved %v, letter %+v; the model has %+v", response.Status, next, moved, letter, m)
			}
			if (after.State == webhook.Disabled) != m.disabled {
				t.Fatalf("disabled %v, the model says %v", after.State, m.disabled)
			}
			if moved {
				next++
			} else if pause := after.Tries.NextAt.Sub(at); after.State == webhook.Active && (pause <= 0 || pause > 26*time.Minute) {
				t.Fatalf("a pause of %v", pause)
			}
			if e = after; e.State == webhook.Disabled {
				e, m.disabled, m.answers, m.unbroken = e.Enable(), false, nil, nil
			}
			if e.Tries.NextAt.After(at) {
				at = e.Tries.NextAt
			}
			at = at.Add(time.Duration(rapid.IntRange(0, 6*3600).Draw(t, "later")) * time.Second)
		}
	})
}
