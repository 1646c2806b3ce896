package remotesigner

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// The windows of PayoutCapPerHour and TwoPersonAbovePerDay.
const (
	window    = time.Hour
	dayWindow = 24 * time.Hour
)

// entry is one signature in the journal.
type entry struct {
	At      int64  `json:"at"` // Unix milliseconds
	Digest  string `json:"digest"`
	Payment `json:",inline"`
	signed  `json:",inline"`
}

// signed identifies a signed message for queries of the chain.
type signed struct {
	Signature       string `json:"signature"` // base58
	Transaction     []byte `json:"transaction"`
	Blockhash       string `json:"blockhash"`
	LastValidHeight uint64 `json:"lastValidHeight"` // or an upper bound
	Slot            uint64 `json:"slot"`            // it can't have landed before
}

// Journal records every signature in an append-only file. A signature is returned only
// after its record was written and synced. It is safe for concurrent use.
type Journal struct {
	mu      sync.Mutex
	file    *os.File
	digests map[string]bool
	// former is the newest signature of each withdrawal.
	former map[string]entry
	recent []entry // within a day, oldest first
	// broken is set after a failed write, when the content of the file is unknown;
	// reopening the journal finds out.
	broken bool
}

// OpenJournal opens the file (created with mode 0600 if missing) and reads its entries. A
// last line cut off by a crash belongs to no returned signature and is removed; any other
// broken line is an error.
func OpenJournal(path string) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: file, digests: map[string]bool{}, former: map[string]entry{}}
	if err := j.readEntries(); err != nil {
		return nil, errors.Join(fmt.Errorf("journal %s: %w", path, err), file.Close())
	}
	return j, nil
}

func (j *Journal) readEntries() error {
	lines := bufio.NewReader(j.file)
	end := int64(0)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if err := j.file.Truncate(end); err != nil {
				return err
			}
			_, err := j.file.Seek(end, io.SeekStart)
			return err
		}
		if err != nil {
			return err
		}
		var e entry
		if err := json.Unmarshal(bytes.TrimSpace(line), &e); err != nil || e.Digest == "" || e.Memo == "" {
			return fmt.Errorf("line %d is broken", number)
		}
		end += int64(len(line))
		j.indexEntry(e)
	}
}

func (j *Journal) indexEntry(e entry) {
	j.digests[e.Digest], j.former[e.withdrawalID()] = true, e
	j.recent = append(j.recent, e)
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

// checkPayment returns the newest signature of the payment's withdrawal, or why the payment
// is rejected. again is true if the same message was signed before; it then counts once. It
// rejects a withdrawal that was signed for another payment, and a payment that would exceed
// the token's hourly cap, in which every signature counts.
func (j *Journal) checkPayment(message []byte, p Payment, terms []token.Terms, now time.Time) (former *entry, again bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.digests[digestOf(message)] {
		return nil, true, nil
	}
	if earlier, known := j.former[p.withdrawalID()]; known {
		if former = &earlier; !earlier.isSamePayment(p) {
			return nil, false, fmt.Errorf("memo %q was signed for another payment", p.Memo)
		}
	}
	signed := money.TotalOf(p.Amount)
	from := now.Add(-window).UnixMilli()
	j.recent = slices.DeleteFunc(j.recent, func(e entry) bool { return e.At <= now.Add(-dayWindow).UnixMilli() })
	for _, e := range j.recent {
		if e.At > from && e.Token == p.Token {
			signed = signed.AddAmount(e.Amount)
		}
	}
	for _, t := range terms {
		if t.Mint == p.Token && signed.Cmp(money.TotalOf(t.PayoutCapPerHour)) > 0 {
			return nil, false, fmt.Errorf("%v would be signed within an hour, above the cap of %d", signed, t.PayoutCapPerHour)
		}
	}
	return former, false, nil
}

// signedInDay returns the amount of the payment's token signed within a day, including the
// payment. Each withdrawal counts once, however often it was signed.
func (j *Journal) signedInDay(p Payment, now time.Time) money.Amount {
	j.mu.Lock()
	defer j.mu.Unlock()
	sum, counted := money.TotalOf(p.Amount), map[string]bool{p.withdrawalID(): true}
	for _, e := range j.recent {
		if e.At > now.Add(-dayWindow).UnixMilli() && e.Token == p.Token && !counted[e.withdrawalID()] {
			counted[e.withdrawalID()] = true
			sum = sum.AddAmount(e.Amount)
		}
	}
	if amount, fits := sum.Amount(); fits {
		return amount
	}
	return money.Max
}

func digestOf(message []byte) string {
	sum := sha256.Sum256(message)
	return hex.EncodeToString(sum[:])
}

// recordSignature records a signature before it is returned.
func (j *Journal) recordSignature(message []byte, p Payment, s signed, now time.Time) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.appendEntry(entry{At: now.UnixMilli(), Digest: digestOf(message), Payment: p, signed: s})
}

// errJournal rejects a message because its signature can't be recorded.
var errJournal = errors.New("the journal can't be written")

func (j *Journal) appendEntry(e entry) error {
	if j.broken {
		return errJournal
	}
	line, err := json.Marshal(e)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		j.broken = true
		return fmt.Errorf("%w: %w", errJournal, err)
	}
	j.indexEntry(e)
	return nil
}
