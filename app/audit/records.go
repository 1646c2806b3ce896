package audit

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// An audit sorts the row of each thing together with the facts about it in blocks, under
// one key. The first byte of a key is the kind of thing, which also sets the order of the
// proofs.
const (
	aboutPosting = '1' + iota
	aboutPair
	aboutThing
	aboutBalance
	aboutFigure
	aboutRound
	aboutVotes
	aboutCrash
	aboutCorrection
	aboutPlayerDay
)

// The first byte of a record is its kind. Rows are read before blocks, so a thing's row
// comes before its facts.
const (
	rowRecord  = 'r'
	factRecord = 'f'
)

func aboutKey(about byte, texts ...string) []byte {
	key := make([]byte, 1, keyRoom)
	key[0] = about
	for i, text := range texts {
		if i > 0 {
			key = append(key, 0)
		}
		key = append(key, text...)
	}
	return key
}

// keyRoom is the initial capacity of a key, enough for most.
const keyRoom = 96

func postingKey(k ledger.Key) []byte { return aboutKey(aboutPosting, string(k.Kind), k.Scope, k.ID) }
func thingKey(e event.Event) []byte  { return aboutKey(aboutThing, string(e.Kind), e.ID) }
func roundKey(id string) []byte      { return aboutKey(aboutRound, id) }
func pairKey(id string) []byte       { return aboutKey(aboutPair, id, "") }
func nonceKey(id string, n int64) []byte {
	return binary.BigEndian.AppendUint64(pairKey(id), uint64(n))
}

func balanceKey(of holding) []byte {
	return aboutKey(aboutBalance, string([]byte{byte(of.account.Kind)})+of.account.Owner, string(of.token))
}

// addRecord adds a record to the sorter.
func (a *Auditor) addRecord(key []byte, kind byte, write func(*packed)) error {
	p := packed{append(a.record[:0], kind)}
	write(&p)
	a.record = p.raw
	return a.sorter.Add(key, p.raw)
}

// packed is a record being written.
type packed struct{ raw []byte }

func (p *packed) integer(v int64) { p.raw = binary.AppendVarint(p.raw, v) }

func (p *packed) flag(b bool) {
	if b {
		p.integer(1)
		return
	}
	p.integer(0)
}

func (p *packed) text(s string) {
	p.integer(int64(len(s)))
	p.raw = append(p.raw, s...)
}

func (p *packed) place(at place) {
	p.integer(int64(at.lane))
	p.integer(at.seq)
}

func (p *packed) total(t money.Total) {
	hi, lo := t.Parts()
	p.integer(hi)
	p.integer(lo)
}

func (p *packed) tally(t session.Tally) {
	p.integer(t.Rounds)
	p.total(t.Wagered)
	p.total(t.Won)
	p.total(t.Deposited)
}

func (p *packed) cell(c figure.Cell) {
	p.integer(c.Rounds)
	for _, t := range [...]money.Total{c.Wagered, c.Paid, c.Expected, c.Variance} {
		p.total(t)
	}
}

func (p *packed) event(e event.Event) {
	for _, text := range [...]string{string(e.Kind), e.ID, string(e.Wallet), e.Was} {
		p.text(text)
	}
	p.integer(int64(len(e.Fields)))
	for _, f := range e.Fields {
		p.text(f.Name)
		p.text(f.Value)
	}
}

// unpacked is a record being read. Missing values read as zero and set broken.
type unpacked struct {
	raw    []byte
	broken bool
}

func (u *unpacked) integer() int64 {
	v, n := binary.Varint(u.raw)
	if n <= 0 {
		u.raw, u.broken = nil, true
		return 0
	}
	u.raw = u.raw[n:]
	return v
}

func (u *unpacked) flag() bool { return u.integer() != 0 }

func (u *unpacked) text() string {
	n := u.integer()
	if n < 0 || n > int64(len(u.raw)) {
		u.raw, u.broken = nil, true
		return ""
	}
	s := string(u.raw[:n])
	u.raw = u.raw[n:]
	return s
}

func (u *unpacked) place() place { return place{int(u.integer()), u.integer()} }

func (u *unpacked) total() money.Total { return money.TotalFromParts(u.integer(), u.integer()) }

func (u *unpacked) tally() session.Tally {
	return session.Tally{Rounds: u.integer(), Wagered: u.total(), Won: u.total(), Deposited: u.total()}
}

func (u *unpacked) cell() figure.Cell {
	return figure.Cell{Rounds: u.integer(), Wagered: u.total(), Paid: u.total(), Expected: u.total(), Variance: u.total()}
}

func (u *unpacked) event() event.Event {
	e := event.Event{Kind: event.Kind(u.text()), ID: u.text(), Wallet: wallet.Address(u.text()), Was: u.text()}
	for range u.integer() {
		if u.broken {
			break
		}
		e.Fields = append(e.Fields, event.Field{Name: u.text(), Value: u.text()})
	}
	return e
}

// roundBeginning encodes the initial state of a provider's round.
func roundBeginning(r seamless.Round) string {
	p := packed{}
	for _, text := range [...]string{
		r.ID, r.Connection, r.TxnID, r.Provider, r.Game, r.GameType, string(r.Wallet), r.Agent, string(r.Token), r.Site,
	} {
		p.text(text)
	}
	p.integer(int64(r.Scale))
	p.flag(r.WithoutDebit)
	p.integer(r.At.UnixMicro())
	return string(p.raw)
}

var errBroken = errors.New("a sorted record can't be read back")

// group collects the records of one thing and proves it.
type group interface {
	add(kind byte, from *unpacked)
	end(a *Auditor)
}

// foldRecords reads the sorted records and proves each thing.
func (a *Auditor) foldRecords(ctx context.Context) error {
	var key []byte
	var open group
	var booked place
	end := func() {
		if open != nil {
			open.end(a)
			open = nil
		}
	}
	err := a.sorter.Sorted(ctx, func(next, value []byte) error {
		from := unpacked{raw: value[1:]}
		if next[0] == aboutPosting {
			// Most records only prove that no key was booked twice.
			if slices.Equal(key, next) {
				a.addFinding("%s: posting %v was booked before, by %s", from.place(), keyOfPosting(next), booked)
			} else {
				booked = from.place()
			}
			key = append(key[:0], next...)
			return brokenError(from)
		}
		of := next
		if next[0] == aboutPair {
			of = next[:1+slices.Index(next, 0)]
		}
		if open == nil || !slices.Equal(key, of) {
			end()
			key = append(key[:0], of...)
			open = newGroup(string(of))
		}
		open.add(value[0], &from)
		return brokenError(from)
	})
	if err == nil {
		end()
	}
	return err
}

func brokenError(u unpacked) error {
	if u.broken {
		return errBroken
	}
	return nil
}

func newGroup(key string) group {
	name := key[1:]
	switch key[0] {
	case aboutPair:
		return &pairGroup{id: name[:len(name)-1]}
	case aboutThing:
		return newThingGroup(name)
	case aboutBalance:
		return newBalanceGroup(name)
	case aboutFigure:
		return &figureGroup{figureName: figureName{ports.LedgerFigures, name}}
	case aboutPlayerDay:
		return &figureGroup{figureName: figureName{ports.LedgerPlayerDays, name}}
	case aboutVotes:
		return newVotesGroup(name)
	case aboutCrash:
		return newCrashGroup(name)
	case aboutCorrection:
		return &correctionGroup{name: key}
	}
	return &roundGroup{id: name}
}
