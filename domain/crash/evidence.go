package crash

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
)

// CoveredChain returns the event that makes a chain: its commitment's text, and no secret.
func CoveredChain(chain, commitment string) event.Event {
	return event.New(event.CrashChain, chain, "", event.Text("commitment", commitment))
}

// Covered returns the event that would give the round its values.
func (r Round) Covered() event.Event {
	return event.New(event.CrashRound, r.Chain+"/"+strconv.FormatInt(r.Number, 10), "",
		event.Text("status", r.Status), event.Uint("cap", r.Cap), event.Text("previous", r.Previous), event.Uint("above", r.Above),
		event.Time("openedAt", r.OpenedAt), event.Flag("stopped", r.Stopped),
		event.Text("closing", r.Closing), event.Uint("height", r.Height), event.Text("salt", r.Salt), event.Uint("beaconHeight", r.BeaconHeight),
		event.Time("startedAt", r.StartedAt), event.Text("hash", r.Hash), event.Uint("point", r.Point),
		event.Flag("paying", r.Paying), event.Flag("recovered", r.Recovered))
}

// FromCovered returns the round of an event that Covered made.
func FromCovered(e event.Event) Round {
	chain, number, _ := strings.Cut(e.ID, "/")
	r := Round{
		Chain: chain, Status: Status(e.Value("status")), Cap: uint64(e.Number("cap")), Previous: e.Value("previous"), Above: uint64(e.Number("above")),
		OpenedAt: e.At("openedAt"), Stopped: e.Value("stopped") != "", Closing: e.Value("closing"), Height: uint64(e.Number("height")),
		Salt: e.Value("salt"), BeaconHeight: uint64(e.Number("beaconHeight")), StartedAt: e.At("startedAt"),
		Hash: e.Value("hash"), Point: uint64(e.Number("point")), Paying: e.Value("paying") != "", Recovered: e.Value("recovered") != "",
	}
	r.Number, _ = strconv.ParseInt(number, 10, 64)
	return r
}

// After returns the event of a round that is stored in place of before, nil for a new one. It
// returns an error for one that isn't new, skips a state, or changes what was known.
func (r Round) After(before *Round) (event.Event, error) {
	e := r.Covered()
	if before == nil {
		if (Round{Chain: r.Chain, Number: r.Number, Status: Betting, Cap: r.Cap, Previous: r.Previous, Above: r.Above, OpenedAt: r.OpenedAt}) != r {
			return e, fmt.Errorf("crash: round %s is not new", e.ID)
		}
		return e, nil
	}
	reached := r.Status == before.Status
	for _, on := range Events() {
		to, ok := before.Status.Next(on)
		reached = reached || ok && to == r.Status && (on != CloseBets || before.Stopped)
	}
	was := before.Covered()
	if e = e.After(was); !reached {
		return e, fmt.Errorf("crash: round %s is %s, which %s doesn't follow", was.ID, before.Status, r.Status)
	}
	for _, f := range was.Fields {
		if f.Name != "status" && e.Value(f.Name) != f.Value {
			return e, fmt.Errorf("crash: the %s of round %s is fixed", f.Name, e.ID)
		}
	}
	if r.Above != before.Above { // which may be 0
		return e, fmt.Errorf("crash: round %s was opened above %d", e.ID, before.Above)
	}
	return e, nil
}

// Recovers reports whether Recover makes the round of before. It may, while the control state
// is restored.
func (r Round) Recovers(before *Round) bool {
	return before != nil && (r.Recovered && !before.Recovered || before.Status == Betting && r.Status == Cancelled)
}

// CheckSecrets returns a fault of kind Invalid unless the secrets have the commitment's length,
// all way points, and a first hash that leads to the terminal one.
func (c Commitment) CheckSecrets(secrets Chain) error {
	if secrets.Length != c.Length || secrets.Every < 1 || int64(len(secrets.WayPoints)) != (c.Length+secrets.Every-1)/secrets.Every {
		return fault.Field("secrets", "must be of %d rounds", c.Length)
	}
	first, err := secrets.Hash(1)
	if err == nil && first.Commitment() != c.Terminal {
		return fault.Field("secrets", "do not lead to the terminal hash")
	}
	return err
}
