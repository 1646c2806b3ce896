package httpapi

import (
	"cmp"
	queue "container/list"
	"net"
	"net/http"
	"net/netip"
	"sync"

	"github.com/casino-service/casino/adapters/internal/netclient"
)

// ConnectionsPerAddressDefault is the default maximum number of open connections of one
// client address.
const ConnectionsPerAddressDefault = 512

// addressShare bounds one address to a quarter of all connections.
const addressShare = 4

// Connections limits the connections of a server.
type Connections struct {
	// Max is the maximum number of open connections; at least one.
	Max int
	// PerAddress is the maximum for one client address (a /64 for IPv6), at most a quarter
	// of Max. Default: ConnectionsPerAddressDefault.
	PerAddress int
	// Exempt are networks in which each address may have Max connections: proxies, which
	// connect for others. This also holds for peers at a Unix socket.
	Exempt []netip.Prefix
}

// Bound returns a listener that limits the connections of its server. At a limit, a new
// connection replaces the one that was idle longest. If none is idle, an address at its own
// limit has new connections closed at once; at the limit for all, new ones wait until one
// ends, and NewServer's time-outs end silent and slow ones. Call it before the server
// serves.
func Bound(server *http.Server, listener net.Listener, limits Connections) net.Listener {
	limits.Max = max(1, limits.Max)
	limits.PerAddress = max(1, min(cmp.Or(limits.PerAddress, ConnectionsPerAddressDefault), limits.Max/addressShare))
	b := &bounded{
		Listener: listener, limits: limits, places: make(chan struct{}, limits.Max), closed: make(chan struct{}),
		idle: queue.New(), addresses: map[string]*addressConns{}, log: server.ErrorLog.Printf,
	}
	server.ConnState = b.onStateChange
	return b
}

// bounded is the listener that Bound returns.
type bounded struct {
	net.Listener
	limits Connections
	places chan struct{}
	closed chan struct{}
	ending sync.Once
	log    func(format string, args ...any)

	mu        sync.Mutex
	idle      *queue.List // *placed, the longest idle first
	addresses map[string]*addressConns
	waiting   bool // Accept waits for a place
	warned    bool // logged since fewer than half were taken
}

// addressConns holds the open connections of one address.
type addressConns struct {
	open   int
	idle   *queue.List // *placed, the longest idle first
	warned bool        // logged since it had half of its limit
}

// Accept waits for a place and then for a connection from an address below its limit.
func (b *bounded) Accept() (net.Conn, error) {
	select {
	case b.places <- struct{}{}:
	default:
		b.waitForPlace(true)
		select {
		case b.places <- struct{}{}:
			b.waitForPlace(false)
		case <-b.closed:
			return nil, net.ErrClosed
		}
	}
	for {
		conn, err := b.Listener.Accept()
		if err != nil {
			<-b.places
			return nil, err
		}
		if admitted := b.admitConnection(conn); admitted != nil {
			return admitted, nil
		}
		_ = conn.Close() // nothing was read from it
	}
}

// admitConnection counts a connection for its address. It returns nil if the address is at
// its limit and none of its connections is idle.
func (b *bounded) admitConnection(conn net.Conn) *placed {
	address, _ := netclient.Parse(conn.RemoteAddr().String())
	key := netclient.Key(address)
	b.mu.Lock()
	defer b.mu.Unlock()
	of := b.addresses[key]
	if of == nil {
		of = &addressConns{idle: queue.New()}
		b.addresses[key] = of
	}
	if of.open >= b.limits.PerAddress && !proxies(b.limits.Exempt).isTrusted(address) && !atUnixSocket(conn.RemoteAddr()) {
		if !of.warned {
			of.warned = true
			b.log("%s has all of its %d connections: its idle ones are closed for new ones, and new ones where none is idle", key, b.limits.PerAddress)
		}
		longest := of.idle.Front()
		if longest == nil {
			return nil
		}
		b.closeIdle(longest.Value.(*placed))
		b.addresses[key] = of // closing may have removed the entry
	}
	of.open++
	return &placed{Conn: conn, bounded: b, key: key, of: of}
}

// Close ends the listener.
func (b *bounded) Close() error {
	b.ending.Do(func() { close(b.closed) })
	return b.Listener.Close()
}

// waitForPlace sets or clears waiting. When it begins, it closes the connection that was
// idle longest.
func (b *bounded) waitForPlace(begins bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = begins
	if !begins {
		return
	}
	if !b.warned {
		b.warned = true
		b.log("all %d connections are taken: idle ones are closed for new ones", b.limits.Max)
	}
	if longest := b.idle.Front(); longest != nil {
		b.closeIdle(longest.Value.(*placed))
		b.waiting = false
	}
}

// closeIdle closes an idle connection.
func (b *bounded) closeIdle(conn *placed) {
	b.releasePlaces(conn)
	_ = conn.Conn.Close() // no request is being read
}

// releasePlaces returns a connection's places, once.
func (b *bounded) releasePlaces(conn *placed) {
	b.removeIdle(conn)
	if conn.released {
		return
	}
	conn.released = true
	<-b.places
	conn.of.open--
	if conn.of.open < b.limits.PerAddress/2 {
		conn.of.warned = false
	}
	if conn.of.open == 0 {
		delete(b.addresses, conn.key)
	}
}

// removeIdle removes a connection from the lists of idle ones.
func (b *bounded) removeIdle(conn *placed) {
	if conn.inAll != nil {
		b.idle.Remove(conn.inAll)
		conn.of.idle.Remove(conn.inOwn)
		conn.inAll, conn.inOwn = nil, nil
	}
}

// onStateChange serves http.Server.ConnState.
func (b *bounded) onStateChange(conn net.Conn, state http.ConnState) {
	if wrapped, ok := conn.(interface{ NetConn() net.Conn }); ok { // a TLS connection
		conn = wrapped.NetConn()
	}
	changed, ok := conn.(*placed)
	if !ok {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.places) < cap(b.places)/2 {
		b.warned = false
	}
	b.removeIdle(changed)
	switch {
	case state != http.StateIdle || changed.released:
	case b.waiting:
		b.waiting = false
		b.closeIdle(changed)
	default:
		changed.inAll, changed.inOwn = b.idle.PushBack(changed), changed.of.idle.PushBack(changed)
	}
}

// placed is a connection that returns its places when it is closed.
type placed struct {
	net.Conn
	bounded *bounded
	key     string
	of      *addressConns
	// bounded.mu guards the fields below: its list elements while it is idle, and whether
	// its places were returned.
	inAll, inOwn *queue.Element
	released     bool
}

// Close closes the connection.
func (p *placed) Close() error {
	defer func() {
		p.bounded.mu.Lock()
		defer p.bounded.mu.Unlock()
		p.bounded.releasePlaces(p)
	}()
	return p.Conn.Close()
}
