package services

import (
	"net"
	"testing"
)

// FreeAddresses returns two addresses of this machine that nobody listens at, for the two that
// a service listens at. They are open at the same time: one that is asked for after the other
// was given back may be the same.
func FreeAddresses(tb testing.TB) (one, other string) {
	tb.Helper()
	open := func() net.Listener {
		listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		return listener
	}
	first, second := open(), open()
	defer func() { _, _ = first.Close(), second.Close() }()
	return first.Addr().String(), second.Addr().String()
}
