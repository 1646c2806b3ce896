package app

import "time"

const (
	// webhookSlow is how long an endpoint takes to answer that is slow. One that fails is slow
	// too: it may not answer at all.
	webhookSlow = time.Second
	// webhookHolds is how long a turn at an endpoint that isn't known to be slow counts as a
	// quick one: then another may begin, however long this one takes.
	webhookHolds = 250 * time.Millisecond
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
	// slow says that it is one of the slow endpoints' turns.
	slow bool
	// since is when it began.
	since time.Time
}

// webhookTurns are turns that wait, of quick endpoints and of slow ones. Those of each go in
// the order in which they were found.
type webhookTurns struct {
	quick, slow []webhookTurnOf
	// waiting are the endpoints of the slow ones, which may be found again before their turn.
	waiting map[string]bool
	// slowly are the endpoints that took long when they were last sent something.
	slowly map[string]bool
	// begun are the turns that goroutines are at, by endpoint.
	begun map[string]webhookTurnOf
}

func newWebhookTurns() webhookTurns {
	return webhookTurns{waiting: map[string]bool{}, slowly: map[string]bool{}, begun: map[string]webhookTurnOf{}}
}

// looksFor reports that more is to be looked for: of quick endpoints none waits.
func (q *webhookTurns) looksFor() bool { return len(q.quick) == 0 }

// busy reports whether a goroutine is at the endpoint.
func (q *webhookTurns) busy(id string) bool {
	_, busy := q.begun[id]
	return busy
}

// room returns how many quick and slow turns may begin.
func (q *webhookTurns) room(now time.Time) (quick, slow int) {
	quick, slow = webhooksQuickAtOnce, webhooksSlowAtOnce
	for _, turn := range q.begun {
		if turn.slow {
			slow--
		} else if now.Sub(turn.since).Abs() < webhookHolds {
			quick--
		}
	}
	return quick, slow
}

// waits reports whether a goroutine that comes now would get a turn.
func (q *webhookTurns) waits(now time.Time) bool {
	quick, slow := q.room(now)
	return len(q.quick) > 0 && quick > 0 || len(q.slow) > 0 && slow > 0
}

// add adds a turn of an endpoint.
func (q *webhookTurns) add(turn webhookTurnOf, failing bool) {
	if turn.slow = failing || q.slowly[turn.id]; !turn.slow {
		q.quick = append(q.quick, turn)
	} else if !q.waiting[turn.id] {
		q.waiting[turn.id] = true
		q.slow = append(q.slow, turn)
	}
}

// take begins the next turn at an endpoint where nobody is; it is to be left.
func (q *webhookTurns) take(now time.Time) (turn webhookTurnOf, found bool) {
	quick, slow := q.room(now)
	for {
		switch {
		case len(q.slow) > 0 && (slow > webhooksSlowAtOnce-webhooksSlowAlways || slow > 0 && (len(q.quick) == 0 || quick <= 0)):
			turn, q.slow = q.slow[0], q.slow[1:]
			delete(q.waiting, turn.id)
		case len(q.quick) > 0 && quick > 0:
			turn, q.quick = q.quick[0], q.quick[1:]
		default:
			return turn, false
		}
		if !q.busy(turn.id) {
			turn.since = now
			q.begun[turn.id] = turn
			return turn, true
		}
	}
}

func (q *webhookTurns) leave(turn webhookTurnOf) { delete(q.begun, turn.id) }

// took notes how long an endpoint took.
func (q *webhookTurns) took(id string, so time.Duration) {
	if so >= webhookSlow {
		q.slowly[id] = true
	} else {
		delete(q.slowly, id)
	}
}
