package audit

import (
	"strings"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

func votesKey(part ports.LedgerPart, key string) []byte {
	return aboutKey(aboutVotes, string(part), key)
}

// moment appends a time, 0 for the zero time.
func (p *packed) moment(at time.Time) {
	if at.IsZero() {
		p.integer(0)
		return
	}
	p.integer(at.UnixMicro())
}

// addVotes adds a vote to the sums for later votes of its admin, and to the creditors of
// its player.
func (a *Auditor) addVotes(at place, e event.Event) (err error) {
	if e.Kind != event.Vote {
		return nil
	}
	y, wrong := player.VoteOf(e)
	if wrong != nil {
		a.addFinding("%s: %v", at, wrong)
		return nil
	}
	fact := func(part ports.LedgerPart, key string, by money.Total, last time.Time) {
		if err == nil {
			late := a.coveredHeads(part, key).isLate(at)
			err = a.addRecord(votesKey(part, key), factRecord, func(p *packed) {
				p.flag(late)
				p.total(by)
				p.moment(last)
			})
		}
	}
	y.Tally(func(k player.VoteTally, by money.Total) {
		fact(ports.LedgerVoteSums, ports.KeyOfVoteSum(k), by, time.Time{})
	})
	if c, credited := y.Creditor(); credited {
		fact(ports.LedgerCreditors, ports.KeyOfCreditor(c), money.Total{}, y.At)
	}
	return err
}

// kept is the stored result of votes under one key: their sum, or the time of the newest.
type kept struct {
	sum  money.Total
	last int64
}

func (k kept) addKept(more kept) kept { return kept{k.sum.Add(more.sum), max(k.last, more.last)} }

func (u *unpacked) kept() kept { return kept{u.total(), u.integer()} }

// votesGroup proves the stored result of votes under one key.
type votesGroup struct {
	part ports.LedgerPart
	key  string
	rows []kept
	// want is the result of votes before the row was read, newest up to the last block; voted
	// means that want has a vote.
	want, newest kept
	voted        bool
}

func newVotesGroup(name string) *votesGroup {
	part, key, _ := cutText(name)
	return &votesGroup{part: ports.LedgerPart(part), key: key}
}

func (g *votesGroup) add(kind byte, from *unpacked) {
	if kind == rowRecord {
		g.rows = append(g.rows, from.kept())
		return
	}
	late := kind == factRecord && from.flag()
	more := from.kept()
	g.newest = g.newest.addKept(more)
	if !late {
		g.want, g.voted = g.want.addKept(more), true
	}
}

func (g *votesGroup) end(a *Auditor) {
	if g.newest != (kept{}) {
		a.leaveRecord(votesKey(g.part, g.key), func(p *packed) {
			p.total(g.newest.sum)
			p.integer(g.newest.last)
		})
	}
	name := strings.ReplaceAll(g.key, "\x00", " ")
	for i, row := range g.rows {
		switch {
		case i > 0 || !g.voted && row != kept{}:
			a.addFinding("%s: there is a row of %q that no vote made", g.part, name)
		case row.sum != g.want.sum:
			a.addFinding("%s: the sum of %q is %v, votes add up to %v", g.part, name, row.sum, g.want.sum)
		case row.last != g.want.last:
			a.addFinding("%s: %q has the newest vote at %d, and it was given at %d", g.part, name, row.last, g.want.last)
		}
	}
	if len(g.rows) == 0 && g.want != (kept{}) {
		a.addFinding("%s: the row of %q is missing", g.part, name)
	}
}
