package memory

import (
	"sync"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// InFlightMax is how many items of one wallet and source may wait or run at the same
// time.
const InFlightMax = 16

// flights counts the items in progress. It has a lock of its own: an item that waits for
// the store must be counted.
type flights struct {
	mu   sync.Mutex
	open map[places]int
}

// places are those of one wallet and source.
type places struct {
	wallet wallet.Address
	source player.Source
}

func (f *flights) begin(p places) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p.wallet != "" && f.open[p] >= InFlightMax {
		return fault.New(fault.RateLimited, "%d requests of this player are already in progress", InFlightMax).
			With("retryAfterMs", int64(100))
	}
	f.open[p]++
	return nil
}

func (f *flights) end(p places) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open[p]--; f.open[p] == 0 {
		delete(f.open, p)
	}
}
