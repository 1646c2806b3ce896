//go:build !unix

package bench

import "time"

// processorTime isn't known here.
func processorTime() time.Duration { return 0 }
