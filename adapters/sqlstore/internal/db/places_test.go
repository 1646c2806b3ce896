package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// nowhere connects to no database.
type nowhere struct{}

func (nowhere) Connect(context.Context) (driver.Conn, error) { return nil, driver.ErrBadConn }
func (nowhere) Driver() driver.Driver                        { return nil }

// TestPlayersLeaveConnections checks that players never use all connections, wait for one of
// theirs, and are refused when their time is over; others don't wait.
func TestPlayersLeaveConnections(t *testing.T) {
	t.Parallel()
	for connections, theirs := range map[int]int{1: 1, 2: 1, 4: 3, 8: 6, 16: 12} {
		pool := sql.OpenDB(nowhere{})
		pool.SetMaxOpenConns(connections)
		p, player := newPlaces(pool), ports.ForPlayers(t.Context())
		var leave func()
		for range theirs {
			var err error
			if leave, err = p.enter(player); err != nil {
				t.Fatalf("%d connections: %v", connections, err)
			}
		}
		late, cancel := context.WithCancel(player)
		cancel()
		if _, err := p.enter(late); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%d connections: one more of players gets %v", connections, err)
		}
		for range 2 * connections {
			if _, err := p.enter(t.Context()); err != nil {
				t.Errorf("%d connections: who is no player gets %v", connections, err)
			}
		}
		leave()
		if _, err := p.enter(player); err != nil {
			t.Errorf("%d connections: after one was given back: %v", connections, err)
		}
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	}
	unbounded := sql.OpenDB(nowhere{})
	for range 100 {
		if _, err := newPlaces(unbounded).enter(ports.ForPlayers(t.Context())); err != nil {
			t.Errorf("without a bound: %v", err)
		}
	}
	if err := unbounded.Close(); err != nil {
		t.Error(err)
	}
}
