package service

import (
	"net"
	"testing"
)

// at is a listener that is never asked for connections.
type at struct {
	net.Listener
	address string
}

func (a at) Addr() net.Addr {
	of, _ := net.ResolveTCPAddr("tcp", a.address)
	return of
}

// TestAnInstanceKeepsItsName from start to start, and no other one of the machine has it.
func TestAnInstanceKeepsItsName(t *testing.T) {
	t.Parallel()
	one, again, other := instanceName(at{address: "127.0.0.1:8080"}), instanceName(at{address: "127.0.0.1:8080"}), instanceName(at{address: "127.0.0.1:8081"})
	if one == "" || one != again || one == other {
		t.Errorf("%q, started again %q, another one %q", one, again, other)
	}
}
