package httpapi

import (
	queue "container/list"
	"net"
	"net/http"
	"sync"
)

// Bound returns a listener that has at most so many connections open, at least one, for a
// server of its own. When all are taken the one that was idle longest is closed for a new
// one; where none is idle, new ones wait until one ends: NewServer's time-outs end those
// that are silent or slow. Call it before the server serves.
func Bound(server *http.Server, listener net.Listener, connections int) net.Listener {
	b := &bounded{
		Listener: listener, places: make(chan struct{}, max(1, connections)), closed: make(chan struct{}),
		idle: queue.New(), at: map[net.Conn]*queue.Element{},
		full: func() {
			server.ErrorLog.Printf("all %d connections are taken: idle ones are closed for new ones", connections)
		},
	}
	server.ConnState = b.changed
	return b
}

// bounded is the listener that Bound returns.
type bounded struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	ending sync.Once
	full   func()

	mu      sync.Mutex
	idle    *queue.List // net.Conn, the longest idle first
	at      map[net.Conn]*queue.Element
	waiting bool // for a place
	warned  bool // since fewer than half were taken
}

// Accept waits for a place and then for a connection.
func (b *bounded) Accept() (net.Conn, error) {
	select {
	case b.places <- struct{}{}:
	default:
		b.wait(true)
		select {
		case b.places <- struct{}{}:
			b.wait(false)
		case <-b.closed:
			return nil, net.ErrClosed
		}
	}
	conn, err := b.Listener.Accept()
	if err != nil {
		<-b.places
		return nil, err
	}
	return &placed{Conn: conn, leave: sync.OnceFunc(func() { <-b.places })}, nil
}

// Close ends the listener.
func (b *bounded) Close() error {
	b.ending.Do(func() { close(b.closed) })
	return b.Listener.Close()
}

// wait begins to wait for a place, with the connection that was idle longest closed, or
// ends that.
func (b *bounded) wait(begins bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = begins
	if !begins {
		return
	}
	if !b.warned {
		b.warned = true
		b.full()
	}
	if longest := b.idle.Front(); longest != nil {
		b.end(longest.Value.(net.Conn))
	}
}

// end closes a connection that is idle.
func (b *bounded) end(conn net.Conn) {
	b.forget(conn)
	b.waiting = false
	_ = conn.Close() // nobody reads from it
}

func (b *bounded) forget(conn net.Conn) {
	if known, ok := b.at[conn]; ok {
		b.idle.Remove(known)
		delete(b.at, conn)
	}
}

// changed is the server's ConnState.
func (b *bounded) changed(conn net.Conn, state http.ConnState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.places) < cap(b.places)/2 {
		b.warned = false
	}
	if state != http.StateIdle {
		b.forget(conn)
		return
	}
	if b.waiting {
		b.end(conn)
		return
	}
	b.at[conn] = b.idle.PushBack(conn)
}

// placed is a connection that gives its place back when it is closed.
type placed struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (p *placed) Close() error {
	defer p.leave()
	return p.Conn.Close()
}
