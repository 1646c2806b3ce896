package sqlstore_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// proxy stands between the store and a PostgreSQL server and cuts a connection
// at its COMMIT, before it reached the server or after the server answered it.
type proxy struct {
	testing.TB
	server string
	mu     sync.Mutex
	// cuts are those to come, true for one after the server answered.
	cuts []bool
	// made counts the cuts that were made.
	made int
}

// newProxy listens and returns the URL that leads through it.
func newProxy(t testing.TB, where string) (*proxy, string) {
	t.Helper()
	parsed, err := url.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{TB: t, server: parsed.Host}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		all.Wait()
	})
	all.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { p.serve(client) })
		}
	})
	parsed.Host = listener.Addr().String()
	return p, parsed.String()
}

// cut plans a cut at the next COMMIT that no other cut is planned for.
func (p *proxy) cut(afterwards bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cuts = append(p.cuts, afterwards)
}

func (p *proxy) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.made
}

// take says whether this COMMIT is cut, and when.
func (p *proxy) take() (cut, afterwards bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.cuts) == 0 {
		return false, false
	}
	cut, afterwards, p.cuts = true, p.cuts[0], p.cuts[1:]
	p.made++
	return cut, afterwards
}

// serve passes messages on until the connection ends or is cut.
func (p *proxy) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	var silent sync.Mutex // held while answers don't reach the client any more
	var all sync.WaitGroup
	defer all.Wait()
	defer func() { _ = server.Close() }()
	answers := make(chan struct{}, 1024)
	all.Go(func() {
		defer func() { _ = client.Close() }()
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			if silent.TryLock() {
				_, _ = client.Write(buffer[:n])
				silent.Unlock()
			} else if n >= len(readyForQuery) && bytes.Equal(buffer[n-len(readyForQuery):n-1], readyForQuery[:len(readyForQuery)-1]) {
				answers <- struct{}{}
			}
			if err != nil {
				return
			}
		}
	})
	// The first message has no type: its length, then what it says.
	if err := pass(client, server, 4, 0); err != nil {
		return
	}
	commits := "" // the name that COMMIT is prepared by
	for afterwards := false; ; {
		message, err := read(client, 5, 1)
		if err != nil {
			return
		}
		texts := bytes.SplitN(message[5:], []byte{0}, 3)
		switch {
		case message[0] == 'P' && string(texts[1]) == "COMMIT":
			commits = string(texts[0])
		case message[0] == 'B' && commits != "" && string(texts[1]) == commits:
			cut := false
			if cut, afterwards = p.take(); cut {
				silent.Lock()
			}
			if cut && !afterwards {
				return
			}
		}
		if _, err := server.Write(message); err != nil {
			return
		}
		if afterwards && message[0] == 'S' {
			<-answers
			return
		}
	}
}

// readyForQuery ends what a server answers to a Sync; the last byte says whether a
// transaction is open.
var readyForQuery = []byte{'Z', 0, 0, 0, 5, 'I'}

// read reads a message whose length stands at an offset and counts from there.
func read(from io.Reader, head, at int) ([]byte, error) {
	message := make([]byte, head)
	if _, err := io.ReadFull(from, message); err != nil {
		return nil, err
	}
	rest := int(binary.BigEndian.Uint32(message[at:])) - (head - at)
	message = append(message, make([]byte, rest)...)
	_, err := io.ReadFull(from, message[head:])
	return message, err
}

func pass(from io.Reader, to io.Writer, head, at int) error {
	message, err := read(from, head, at)
	if err == nil {
		_, err = to.Write(message)
	}
	return err
}
