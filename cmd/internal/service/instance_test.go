package service

import (
	"net"
	"path/filepath"
	"testing"

	"github.com/casino-service/casino/adapters/system"
)

// at is a listener with only an address.
type at struct {
	net.Listener
	address string
}

func (a at) Addr() net.Addr {
	of, _ := net.ResolveTCPAddr("tcp", a.address)
	return of
}

// TestAnInstanceKeepsItsName over restarts, and no other instance has it: on the same
// machine, on another machine with the same host name and address, or in another container
// with the same state folder and address.
func TestAnInstanceKeepsItsName(t *testing.T) {
	t.Parallel()
	here, there := t.TempDir(), t.TempDir()
	name := func(stateDir, host, address string) string {
		name, err := instanceName(stateDir, host, system.Default(), at{address: address})
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	one, again := name(here, "host", "[::]:8080"), name(here, "host", "[::]:8080")
	if one == "" || one != again {
		t.Errorf("%q, started again %q", one, again)
	}
	for _, other := range []string{name(here, "host", "[::]:8081"), name(there, "host", "[::]:8080"), name(here, "other", "[::]:8080")} {
		if one == other {
			t.Errorf("two instances have the name %q", one)
		}
	}
	if _, err := instanceName(filepath.Join(here, "missing"), "host", system.Default(), at{address: "127.0.0.1:8080"}); err == nil {
		t.Error("an id that isn't kept was taken")
	}
}
