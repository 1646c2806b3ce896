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

// moment writes a moment, 0 for none.
func (p *packed) moment(at time.Time) {
	if at.IsZero() {
		p.integer(0)
		return
	}
	p.integer(at.UnixMicro())
}

// addVotes adds what a vote adds to the sums that admins' next votes are counted with, and who
// credited a player by it.
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

// kept is what is kept of votes under one key: their sum, or when the newest was given.
type kept struct {
	sum  money.Total
	last int64
}

func (k kept) addKept(more kept) kept { return kept{k.sum.Add(more.sum), max(k.last, more.last)} }

func (u *unpacked) kept() kept { return kept{u.total(), u.integer()} }

// votesGroup proves what is kept of votes under one key.
type votesGroup struct {
	part ports.LedgerPart
	key  string
	rows []kept
	// want is what votes come to up to the moment at which the row was read, newest up to
	// the last block; voted says that there was one until then.
	want, newest kept
	voted        bool
}

func newVotesGroup(name string) *votesGroup {
	part, key, _ := cutText(name)
	return &votesGroup{part: ports.LedgerPart(part), key: key}
}

func (g *votesGroup) add(whose byte, from *unpacked) {
	if whose == rowRecord {
		g.rows = append(g.rows, from.kept())
		return
	}
	late := whose == factRecord && from.flag()
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
