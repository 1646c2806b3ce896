package bench

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Named kinds of requests. Any other kind is a path, which begins with a slash and is sent
// as GET.
const (
	Play     = "play"     // POST /play
	Receipt  = "receipt"  // POST /play with Prefer: receipt
	Read     = "read"     // GET /balance, /seed and /history in turn
	Login    = "login"    // POST /auth/login, signed with the player's key
	Callback = "callback" // POST /gold_api: a bet and its win at a provider's game
	Step     = "step"     // POST /rounds and /rounds/{id}/steps: a round of mines, a tile at a time
)

// Part is a kind of request and its share.
type Part struct {
	Kind   string
	Weight int
}

// Mix lists the kinds of requests with their shares.
type Mix []Part

// weightMax keeps the sum of all weights small.
const weightMax = 1_000_000

// ParseMix parses a mix such as "play=90,read=8,/history?limit=100=2".
func ParseMix(text string) (Mix, error) {
	var mix Mix
	for part := range strings.SplitSeq(text, ",") {
		at := strings.LastIndexByte(part, '=') // a path may contain = too
		if at < 0 {
			return nil, fmt.Errorf("%q is not of the form play=90", part)
		}
		kind := strings.TrimSpace(part[:at])
		weight, err := strconv.Atoi(part[at+1:])
		if err != nil || weight < 1 || weight > weightMax {
			return nil, fmt.Errorf("%q: a share is a whole number from 1 to %d", part, weightMax)
		}
		switch {
		case strings.HasPrefix(kind, "/") && !strings.ContainsFunc(kind, isUnprintable):
		case kind == Play || kind == Receipt || kind == Read || kind == Login || kind == Callback || kind == Step:
		default:
			return nil, fmt.Errorf("%q is neither %s, %s, %s, %s, %s, %s nor a path such as /balance", kind, Play, Receipt, Step, Read, Login, Callback)
		}
		if mix.Has(kind) {
			return nil, fmt.Errorf("%s is named twice", kind)
		}
		mix = append(mix, Part{kind, weight})
	}
	return mix, nil
}

// isUnprintable reports whether a rune can't be in the first line of a request.
func isUnprintable(r rune) bool { return r <= ' ' || r > '~' }

// Has reports whether the mix sends requests of a kind.
func (m Mix) Has(kind string) bool {
	for _, part := range m {
		if part.Kind == kind {
			return true
		}
	}
	return false
}

// String formats the mix for ParseMix.
func (m Mix) String() string {
	parts := make([]string, len(m))
	for i, part := range m {
		parts[i] = part.Kind + "=" + strconv.Itoa(part.Weight)
	}
	return strings.Join(parts, ",")
}

// turns distributes the parts of a mix evenly: at any time each part has had its share to
// within one turn.
type turns struct {
	mix  Mix
	owed []int
	sum  int
}

func newTurns(m Mix) turns {
	t := turns{mix: m, owed: make([]int, len(m))}
	for _, part := range m {
		t.sum += part.Weight
	}
	return t
}

// nextPart returns the part that is furthest behind its share.
func (t *turns) nextPart() int {
	most := 0
	for i, part := range t.mix {
		t.owed[i] += part.Weight
		if t.owed[i] > t.owed[most] {
			most = i
		}
	}
	t.owed[most] -= t.sum
	return most
}

func (m Mix) checkMix() error {
	if len(m) == 0 {
		return errors.New("bench: the mix is empty")
	}
	return nil
}
