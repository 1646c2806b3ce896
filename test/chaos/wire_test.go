package chaos_test

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// wire is a proxy in front of a server that a test may slow down or make answer
// nonsense.
type wire struct {
	listener net.Listener
	to       string
	delay    atomic.Int64 // of each answer, in nanoseconds
	nonsense atomic.Bool

	mu    sync.Mutex
	conns map[net.Conn]bool
}

// newWire forwards to the address until the test ends.
func newWire(t *testing.T, to string) *wire {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	noError(t, err)
	w := &wire{listener: listener, to: to, conns: map[net.Conn]bool{}}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { w.carry(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		w.cut()
		serving.Wait()
	})
	return w
}

func (w *wire) address() string { return w.listener.Addr().String() }

// carry copies both ways until either side ends.
func (w *wire) carry(client net.Conn) {
	server, err := net.Dial("tcp", w.to)
	if err != nil {
		_ = client.Close()
		return
	}
	w.hold(client, server)
	var both sync.WaitGroup
	both.Go(func() {
		_, _ = io.Copy(server, client)
		w.release(client, server)
	})
	both.Go(func() {
		w.answer(client, server)
		w.release(client, server)
	})
	both.Wait()
}

// answer copies the server's bytes, delayed or garbled if the test wants that.
func (w *wire) answer(client, server net.Conn) {
	buffer := make([]byte, 1<<16)
	for {
		n, err := server.Read(buffer)
		if err != nil {
			return
		}
		<-time.After(time.Duration(w.delay.Load()))
		reply := buffer[:n]
		if w.nonsense.Load() {
			reply = []byte("*3\r\n:1\r\n$-1\r\n+HTTP/1.1 200 OK\r\n")
		}
		if _, err := client.Write(reply); err != nil {
			return
		}
	}
}

func (w *wire) hold(conns ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, conn := range conns {
		w.conns[conn] = true
	}
}

func (w *wire) release(conns ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, conn := range conns {
		_ = conn.Close()
		delete(w.conns, conn)
	}
}

// cut breaks every connection.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for conn := range w.conns {
		_ = conn.Close()
	}
}
