package memory

import (
	"sync"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// InFlightMax is how many items of one player may wait or run at the same time.
const InFlightMax = 16

// flights counts the items in progress. It has a lock of its own: an item that waits for
// the store must be counted.
type flights struct {
	mu   sync.Mutex
	open map[wallet.Address]int
}

func (f *flights) begin(w wallet.Address) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w != "" && f.open[w] >= InFlightMax {
		return fault.New(fault.RateLimited, "%d requests of this player are already in progress", InFlightMax).
			With("retryAfterMs", int64(100))
	}
	f.open[w]++
	return nil
}

func (f *flights) end(w wallet.Address) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open[w]--; f.open[w] == 0 {
		delete(f.open, w)
	}
}
