package app

import "time"

const (
	// webhookSlow is how long an endpoint takes to answer that is slow. One that fails is slow
	// too: it may not answer at all.
	webhookSlow = time.Second
	// webhooksSlowAtOnce is how many goroutines of WebhooksAtOnce slow endpoints have at most:
	// however many there are, and however long each makes its sender wait, the others go on.
	// webhooksSlowAlways are theirs whatever else waits.
	webhooksSlowAtOnce = WebhooksAtOnce / 2
	webhooksSlowAlways = WebhooksAtOnce / 8
)

// webhookTurnOf is what is to be done at an endpoint.
type webhookTurnOf struct {
	id string
	// letter is a dead letter to be sent again, empty for the events after the cursor.
	letter string
	// slow says that it is one of the slow endpoints' turns.
	slow bool
}

// webhookTurns are turns that wait, of quick endpoints and of slow ones. Those of each go in
// the order in which they were found.
type webhookTurns struct {
	quick, slow []webhookTurnOf
	// waiting are the endpoints of the slow ones, which may be found again before their turn.
	waiting map[string]bool
	// slowly are the endpoints that took long when they were last sent something.
	slowly map[string]bool
	// atSlow is how many goroutines are at slow ones.
	atSlow int
}

func newWebhookTurns() webhookTurns {
	return webhookTurns{waiting: map[string]bool{}, slowly: map[string]bool{}}
}

// looksFor reports that more is to be looked for: of quick endpoints none waits.
func (q *webhookTurns) looksFor() bool { return len(q.quick) == 0 }

// waits reports whether a goroutine that comes now would get a turn.
func (q *webhookTurns) waits() bool {
	return len(q.quick) > 0 || len(q.slow) > 0 && q.atSlow < webhooksSlowAtOnce
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

// take takes the next turn, which is to be left.
func (q *webhookTurns) take() (turn webhookTurnOf, found bool) {
	slow := len(q.slow) > 0 && (q.atSlow < webhooksSlowAlways || len(q.quick) == 0 && q.atSlow < webhooksSlowAtOnce)
	switch {
	case slow:
		turn, q.slow = q.slow[0], q.slow[1:]
		delete(q.waiting, turn.id)
		q.atSlow++
	case len(q.quick) > 0:
		turn, q.quick = q.quick[0], q.quick[1:]
	default:
		return turn, false
	}
	return turn, true
}

func (q *webhookTurns) leave(turn webhookTurnOf) {
	if turn.slow {
		q.atSlow--
	}
}

// took notes how long an endpoint took.
func (q *webhookTurns) took(id string, so time.Duration) {
	if so >= webhookSlow {
		q.slowly[id] = true
	} else {
		delete(q.slowly, id)
	}
}
