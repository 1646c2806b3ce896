package webhooks

import (
	"time"
)

const (
	// webhookSlow is how long an endpoint takes to answer that is slow. One that fails is slow
	// too: it may not answer at all.
	webhookSlow = time.Second
	// webhookHolds is how long a turn at an endpoint that isn't known to be slow counts as a
	// quick one: then another may begin, however long this one takes.
	webhookHolds = 250 * time.Millisecond
	// webhookProven is how many fast attempts in a row prove an endpoint to be fast. The last
	// webhooksProvenOnly goroutines are for proven endpoints: others that hang, however many,
	// leave them free. An endpoint that is slow once has to prove itself again.
	webhookProven      = 10
	webhooksProvenOnly = WebhooksAtOnce / 8
	// webhooksQuickAtOnce is how many turns are quick ones, so that many quick endpoints don't
	// take up the database. webhooksSlowAtOnce is how many goroutines of WebhooksAtOnce
	// endpoints have that are known to be slow. However many there are, and however long each
	// makes its sender wait, the others go on. webhooksSlowAlways are theirs whatever else
	// waits.
	webhooksQuickAtOnce = WebhooksAtOnce / 4
	webhooksSlowAtOnce  = WebhooksAtOnce / 2
	webhooksSlowAlways  = WebhooksAtOnce / 8
)

// webhookTurnOf is what is to be done at an endpoint.
type webhookTurnOf struct {
	id string
	// letter is a dead letter to be sent again, empty for the events after the cursor.
	letter string
	// slow says that it is one of the slow endpoints' turns, proven one of an endpoint that
	// is proven to be fast.
	slow, proven bool
	// since is when it began.
	since time.Time
}

// webhookTurns are turns that wait, of proven endpoints, of other quick ones and of slow
// ones. Those of each go in the order in which they were found.
type webhookTurns struct {
	proven, quick, slow []webhookTurnOf
	// waiting are the turns that wait, which may be found again before they begin: endpoint
	// and letter.
	waiting map[[2]string]bool
	// speeds are how often in a row endpoints were fast, negative after a slow attempt.
	speeds map[string]int
	// begun are the turns that goroutines are at, by endpoint.
	begun map[string]webhookTurnOf
}

func newWebhookTurns() webhookTurns {
	return webhookTurns{waiting: map[[2]string]bool{}, speeds: map[string]int{}, begun: map[string]webhookTurnOf{}}
}

// looksFor reports that more is to be looked for: of quick endpoints none waits that may
// begin.
func (q *webhookTurns) looksFor(now time.Time) bool {
	_, _, others := q.room(now)
	return len(q.proven) == 0 && (len(q.quick) == 0 || others <= 0)
}

// busy reports whether a goroutine is at the endpoint.
func (q *webhookTurns) busy(id string) bool {
	_, busy := q.begun[id]
	return busy
}

// room returns how many quick and slow turns may begin, and how many of all those of
// endpoints that aren't proven.
func (q *webhookTurns) room(now time.Time) (quick, slow, others int) {
	quick, slow, others = webhooksQuickAtOnce, webhooksSlowAtOnce, WebhooksAtOnce-webhooksProvenOnly
	for _, turn := range q.begun {
		if turn.slow {
			slow--
		} else if now.Sub(turn.since).Abs() < webhookHolds {
			quick--
		}
		if !turn.proven {
			others--
		}
	}
	return quick, min(slow, others), others
}

// waits reports whether a goroutine that comes now would get a turn.
func (q *webhookTurns) waits(now time.Time) bool { return q.next(now) != nil }

// next returns the turns of which the first may begin, nil for none.
func (q *webhookTurns) next(now time.Time) *[]webhookTurnOf {
	quick, slow, others := q.room(now)
	anySlow := len(q.slow) > 0 && slow > 0
	switch {
	case anySlow && slow > webhooksSlowAtOnce-webhooksSlowAlways:
		return &q.slow
	case len(q.proven) > 0 && quick > 0:
		return &q.proven
	case len(q.quick) > 0 && min(quick, others) > 0:
		return &q.quick
	case anySlow:
		return &q.slow
	}
	return nil
}

// add adds a turn of an endpoint.
func (q *webhookTurns) add(turn webhookTurnOf, failing bool) {
	if key := [2]string{turn.id, turn.letter}; !q.waiting[key] {
		q.waiting[key] = true
		turn.slow = failing || q.speeds[turn.id] < 0
		turn.proven = !turn.slow && q.speeds[turn.id] >= webhookProven
		switch {
		case turn.slow:
			q.slow = append(q.slow, turn)
		case turn.proven:
			q.proven = append(q.proven, turn)
		default:
			q.quick = append(q.quick, turn)
		}
	}
}

// take begins the next turn at an endpoint where nobody is; it is to be left.
func (q *webhookTurns) take(now time.Time) (turn webhookTurnOf, found bool) {
	for turns := q.next(now); turns != nil; turns = q.next(now) {
		turn, *turns = (*turns)[0], (*turns)[1:]
		delete(q.waiting, [2]string{turn.id, turn.letter})
		if !q.busy(turn.id) {
			turn.since = now
			q.begun[turn.id] = turn
			return turn, true
		}
	}
	return webhookTurnOf{}, false
}

func (q *webhookTurns) leave(turn webhookTurnOf) { delete(q.begun, turn.id) }

// took notes how long an endpoint took.
func (q *webhookTurns) took(id string, so time.Duration) {
	if so >= webhookSlow {
		q.speeds[id] = -1
	} else {
		q.speeds[id] = min(max(0, q.speeds[id])+1, webhookProven)
	}
}
