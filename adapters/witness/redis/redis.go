// Package redis keeps heads in Redis, shared by all instances. Heads that Redis loses
// (flushed, restarted or full) prove nothing and stop nothing.
//
// Commands import it for wiring, with the limiter's client.
package redis

import (
	"context"
	_ "embed" // the script
	"fmt"
	"strings"
	"sync"

	goredis "github.com/redis/go-redis/v9"

	"github.com/casino-service/casino/adapters/internal/keptheads"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// Key is the hash of all heads: a field for each lane of each ledger. It never expires.
const Key = "casino:witness"

//go:embed keep.lua
var source string

var keep = goredis.NewScript(source)

// orderSize is the number of digits at the beginning of each line; Redis compares them to
// tell which of two lines is later.
const orderSize = 40

var _ ports.Witness = (*Witness)(nil)

// Witness keeps heads in one Redis. It is safe for concurrent use.
type Witness struct {
	client goredis.Cmdable
	seals  ports.Authenticator
	mu     sync.Mutex
	// pending is what the next step writes, by ledger: the newest head of each lane.
	pending map[string]witness.Record
}

// New returns a witness on a client.
func New(client goredis.Cmdable, seals ports.Authenticator) *Witness {
	return &Witness{client: client, seals: seals, pending: map[string]witness.Record{}}
}

// Keep implements ports.Witness: it notes the record, and Step writes it. It never
// fails.
func (w *Witness) Keep(record witness.Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queueRecord(record)
	return nil
}

func (w *Witness) queueRecord(record witness.Record) {
	waiting, some := w.pending[record.Ledger]
	if !some {
		waiting = witness.Record{Ledger: record.Ledger}
	}
	w.pending[record.Ledger] = waiting.Merge(record)
}

// Step writes pending heads in one exchange. It always reports false. Heads that Redis
// doesn't take stay pending.
func (w *Witness) Step(ctx context.Context) (worked bool, err error) {
	w.mu.Lock()
	pending := w.pending
	w.pending = map[string]witness.Record{}
	w.mu.Unlock()
	if len(pending) == 0 {
		return false, nil
	}
	if err := w.writePending(ctx, pending); err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, r := range pending {
			w.queueRecord(r)
		}
		return false, fmt.Errorf("witness: %w", err)
	}
	return false, nil
}

func (w *Witness) writePending(ctx context.Context, pending map[string]witness.Record) error {
	lines := map[string]string{}
	var arguments []any
	for _, record := range pending {
		for _, e := range keptheads.Entries(record) {
			line, err := keptheads.Encode(w.seals, e)
			if err != nil {
				return err
			}
			field := fieldOf(e)
			lines[field] = sortKey(e) + line
			arguments = append(arguments, field, sortKey(e), lines[field])
		}
	}
	stayed, err := keep.Run(ctx, w.client, []string{Key}, arguments...).StringSlice()
	if err != nil {
		return err
	}
	// A forged line must not keep out the true heads.
	var forged []any
	for i := 0; i+1 < len(stayed); i += 2 {
		if _, ok := w.readEntry(stayed[i], stayed[i+1]); !ok {
			forged = append(forged, stayed[i], "=", stayed[i+1], lines[stayed[i]])
		}
	}
	if len(forged) == 0 {
		return nil
	}
	return keep.Run(ctx, w.client, []string{Key}, forged...).Err()
}

// fieldOf names a lane of a ledger. Ledger ids contain no spaces.
func fieldOf(e keptheads.Entry) string { return fmt.Sprintf("%s %d", e.Ledger, e.Lane) }

// sortKey returns a text that sorts a lane's entries: later ones are greater.
func sortKey(e keptheads.Entry) string { return fmt.Sprintf("%020d%020d", e.Epoch, e.Seq) }

// readEntry decodes a field; false if its line was not made by the service.
func (w *Witness) readEntry(field, text string) (keptheads.Entry, bool) {
	if len(text) < orderSize {
		return keptheads.Entry{}, false
	}
	e, err := keptheads.Decode(w.seals, text[orderSize:])
	return e, err == nil && strings.HasPrefix(text, sortKey(e)) && field == fieldOf(e)
}

// Kept implements ports.Witness.
func (w *Witness) Kept(ctx context.Context) (kept ports.Kept, err error) {
	fields, err := w.client.HGetAll(ctx, Key).Result()
	if err != nil {
		return kept, fmt.Errorf("witness: %w", err)
	}
	for field, text := range fields {
		e, ok := w.readEntry(field, text)
		if !ok {
			kept.Spoiled++
			continue
		}
		kept.Records = keptheads.Add(kept.Records, e)
	}
	return kept, nil
}
