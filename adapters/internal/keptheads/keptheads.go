// Package keptheads encodes chain heads that are stored outside the database: one line of
// text for each head, sealed so that only the service can make it.
//
// Only the file and Redis witnesses import it.
package keptheads

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// purpose separates the seals of heads from all others.
const purpose = "casino kept head 1"

// version begins each line.
const version = "casino-head-1"

// LineMax is the maximum length of a line in bytes. It leaves room beyond a ledger id of 64
// bytes and the longest seal.
const LineMax = 500

// RolesLane marks the line that holds the version of the list of roles in place of a
// block's number.
const RolesLane = -1

// Entry is one line: a head of a ledger, the version of its list of roles, or a checkpoint of
// its log.
type Entry struct {
	Ledger string
	witness.Head
	At time.Time
}

// Entries returns the lines of a record, by lane.
func Entries(r witness.Record) []Entry {
	var all []Entry
	if r.RolesVersion > 0 {
		all = append(all, Entry{r.Ledger, witness.Head{Head: hashchain.Head{Lane: RolesLane, Seq: r.RolesVersion}}, r.At})
	}
	if r.Log.Seq > 0 {
		all = append(all, Entry{r.Ledger, r.Log, r.At})
	}
	for _, h := range r.Sorted() {
		all = append(all, Entry{r.Ledger, h, r.At})
	}
	return all
}

// Record returns the entry as a record of its ledger.
func (e Entry) Record() witness.Record {
	if e.Lane == RolesLane {
		return witness.Record{Ledger: e.Ledger, RolesVersion: e.Seq, At: e.At}
	}
	if e.Lane == witness.LogLane {
		return witness.Record{Ledger: e.Ledger, Log: e.Head, At: e.At}
	}
	return witness.Of(e.Ledger, e.At, e.Head)
}

// Add merges the entry into the record of its ledger.
func Add(records []witness.Record, e Entry) []witness.Record {
	for i, r := range records {
		if r.Ledger == e.Ledger {
			records[i] = r.Merge(e.Record())
			return records
		}
	}
	return append(records, e.Record())
}

// Encode writes a line and seals it.
func Encode(seals ports.Authenticator, e Entry) (string, error) {
	facts := strings.Join([]string{
		version, e.Ledger, formatNumber(e.Epoch), formatNumber(int64(e.Lane)), formatNumber(e.Seq), e.Hash.String(), formatNumber(e.At.UnixMicro()),
	}, " ")
	if strings.ContainsAny(e.Ledger, " \n") || e.Ledger == "" {
		return "", fmt.Errorf("keptheads: %q is not the id of a ledger", e.Ledger)
	}
	seal, err := seals.Seal(purpose, []byte(facts))
	if err != nil {
		return "", err
	}
	line := facts + " " + seal
	if len(line) > LineMax {
		return "", fmt.Errorf("keptheads: a line of %d bytes", len(line))
	}
	return line, nil
}

func formatNumber(n int64) string { return strconv.FormatInt(n, 10) }

var (
	errForm       = errors.New("keptheads: not a line of this form")
	errImpossible = errors.New("keptheads: no block can have this lane and number")
)

// Decode reads a line and verifies its seal. A head that no block can have is an error.
func Decode(seals ports.Authenticator, line string) (Entry, error) {
	cut := strings.LastIndexByte(line, ' ')
	if cut < 0 {
		return Entry{}, errForm
	}
	if err := seals.Verify(purpose, []byte(line[:cut]), line[cut+1:]); err != nil {
		return Entry{}, err
	}
	parts := strings.Split(line[:cut], " ")
	if len(parts) != 7 || parts[0] != version {
		return Entry{}, errForm
	}
	e := Entry{Ledger: parts[1]}
	var lane, at int64
	for i, into := range map[int]*int64{2: &e.Epoch, 3: &lane, 4: &e.Seq, 6: &at} {
		n, err := strconv.ParseInt(parts[i], 10, 64)
		if err != nil {
			return Entry{}, errForm
		}
		*into = n
	}
	var err error
	e.Lane, e.At = int(lane), time.UnixMicro(at).UTC()
	if e.Hash, err = hashchain.ParseHash(parts[5]); err != nil {
		return e, err
	}
	if (e.Lane == RolesLane || e.Lane == witness.LogLane) && e.Seq > 0 || e.Possible() {
		return e, nil
	}
	return e, errImpossible
}
