//go:build !unix

package bench

import "time"

// processorTime returns 0, because the time isn't known on this system.
func processorTime() time.Duration { return 0 }
