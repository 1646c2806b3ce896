package service

import (
	"context"
	"fmt"
	"net"

	"go.uber.org/fx"
)

// Listen opens a port and closes it at the latest when the service stops.
func Listen(life fx.Lifecycle, held *Held, setting, address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address) //nolint:noctx // opening a port takes no time
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	held.Hold(life, func(context.Context) error {
		_ = listener.Close() // already closed by its server, unless the start ended before
		return nil
	})
	return listener, nil
}
