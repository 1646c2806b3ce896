package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/test/services"
)

// TestPostgresAURLMayAskForThePrimary opens a database by URLs for several servers, and plays and
// reads there.
func TestPostgresAURLMayAskForThePrimary(t *testing.T) {
	t.Parallel()
	for _, wanted := range []string{"read-write", "primary", "any", "prefer-standby"} {
		w := worldAt(t, onPostgres, onPostgres.fresh(t)+"&target_session_attrs="+wanted, sqlstore.WriterOptions{}, unwrapped)
		w.start(w.writer)
		w.signIn(1000, alice)
		played := w.commit(w.play(alice, 10)).Change.Round
		if _, err := w.store.Round(t.Context(), played.ID); err != nil {
			t.Errorf("%s: %v", wanted, err)
		}
	}
}

// TestPostgresReadersCanNotWrite checks that readers can't write, although they have the writers'
// role.
func TestPostgresReadersCanNotWrite(t *testing.T) {
	t.Parallel()
	for _, asked := range []string{"", "&target_session_attrs=read-write"} {
		var reader *sql.DB
		openOwner(t, onPostgres.fresh(t)+asked).Observe(func(pool string, db *sql.DB) bun.QueryHook {
			if pool == "read" {
				reader = db
			}
			return &reads{}
		})
		if _, err := reader.ExecContext(t.Context(), "DELETE FROM players"); err == nil || !strings.Contains(err.Error(), "25006") {
			t.Errorf("%q: a reader writes: %v", asked, err)
		}
	}
}

// TestPostgresAServerThatTakesNoWritesIsLeft makes the first of two servers read-only under open
// sessions, as a managed failover does, and the other one the primary.
func TestPostgresAServerThatTakesNoWritesIsLeft(t *testing.T) {
	t.Parallel()
	first := services.NewCluster(t)
	if _, err := openOwner(t, first.URL()).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := first.NewStandby(t)
	if _, err := openByDB(t.Context(), second.URL(), postgres.Options{}); !errors.Is(err, pgconn.ErrReadOnlyConnection) {
		t.Errorf("a pool that leads to a standby: %v", err)
	}
	w := worldAt(t, onPostgres, first.MultiURL(second), sqlstore.WriterOptions{ResolveTime: time.Second}, unwrapped)
	w.start(w.writer)
	w.signIn(100_000, alice)
	for range 3 { // sessions that are idle in the pools
		if _, err := w.store.Player(t.Context(), alice); err != nil {
			t.Fatal(err)
		}
	}
	first.ReadOnly(t)
	var err error
	for range 1000 { // the server informs its sessions one after the other
		if _, err = w.writer.Commit(context.WithoutCancel(t.Context()), w.play(alice, 1)); err != nil {
			break
		}
	}
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("a bet while no server takes writes: %v", err)
	}
	if _, err := w.store.Lease(t.Context(), "withdrawal", "worker", w.now(), w.now()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a lease while no server takes writes: %v", err)
	}
	second.Promote(t)
	item := w.play(alice, 10)
	limit, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 10*time.Second)
	defer cancel()
	for err = errors.New("not yet"); err != nil && limit.Err() == nil; {
		_, err = w.writer.Commit(context.WithoutCancel(t.Context()), item)
	}
	if err != nil {
		t.Fatalf("ten seconds after the promotion: %v", err)
	}
	for range 8 { // with several sessions
		if _, err := w.store.Round(t.Context(), item.Keys[0].ID); err != nil {
			t.Errorf("a reader stayed with the old primary: %v", err)
		}
	}
	w.where = second.URL()
	if n := w.number("SELECT count(*) FROM rounds WHERE id = ?", item.Keys[0].ID); n != 1 {
		t.Errorf("%d rounds on the new primary", n)
	}
}

// TestPostgresAPoolerOfTransactionsIsRefused puts poolers of several kinds in front of the
// server: those that break sessions are refused at once.
func TestPostgresAPoolerOfTransactionsIsRefused(t *testing.T) {
	t.Parallel()
	server := onPostgres.fresh(t)
	for name, c := range map[string]struct {
		pooler *pooler
		want   string
	}{
		"transactions, one connection":  {&pooler{servers: 1}, "pool_mode = transaction"},
		"transactions, the newest next": {&pooler{servers: 4}, "pool_mode = transaction"},
		"transactions, in turn":         {&pooler{servers: 4, turns: true}, "pool_mode = transaction"},
		"settings dropped":              {&pooler{drops: true, sessions: true}, "lock_timeout"},
		"settings refused":              {&pooler{refuses: true, sessions: true}, "unsupported startup parameter"},
		"sessions":                      {&pooler{sessions: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, err := postgres.Open(t.Context(), c.pooler.start(t, server), postgres.Options{Sealer: newSealer(t)})
			if c.want == "" {
				if err != nil {
					t.Fatalf("sessions of the server's own: %v", err)
				}
				_ = store.Close()
				return
			}
			if !errors.Is(err, postgres.ErrPooler) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v doesn't name %q", err, c.want)
			}
		})
	}
}

// pooler is a proxy between clients and a PostgreSQL server, like pgbouncer.
type pooler struct {
	// servers is how many connections to the server clients share, transaction by transaction.
	// With turns they are assigned in turn, else the one returned last.
	servers int
	turns   bool
	// sessions gives each client its own connection.
	sessions bool
	// drops ignores the settings that clients request, refuses rejects them.
	drops, refuses bool

	mu   sync.Mutex
	free chan struct{}
	idle []*pgproto3.Frontend
}

func (p *pooler) start(t *testing.T, server string) string {
	t.Helper()
	at, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	host := at.Host
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at.Host = listener.Addr().String()
	p.free = make(chan struct{}, max(1, p.servers))
	var all sync.WaitGroup
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(func() {
		cancel()
		_ = listener.Close()
		all.Wait()
	})
	all.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(ctx, func() { _ = client.Close() })
			all.Go(func() {
				defer func() { _ = client.Close() }()
				_ = p.serve(ctx, client, host) // after any error the client is disconnected
			})
		}
	})
	return at.String()
}

// connect opens a session on the server and passes on its startup messages.
func (p *pooler) connect(ctx context.Context, host string, parameters map[string]string, hears func(pgproto3.BackendMessage)) (*pgproto3.Frontend, error) {
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	server := pgproto3.NewFrontend(conn, conn)
	server.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: parameters})
	return server, errors.Join(server.Flush(), untilReady(server, hears))
}

// untilReady passes on the server's messages until it is ready and no transaction is open.
func untilReady(server *pgproto3.Frontend, hears func(pgproto3.BackendMessage)) error {
	for {
		message, err := server.Receive()
		if err != nil {
			return err
		}
		hears(message)
		if _, ready := message.(*pgproto3.ReadyForQuery); ready {
			return nil
		}
	}
}

func (p *pooler) serve(ctx context.Context, conn net.Conn, host string) error {
	client := pgproto3.NewBackend(conn, conn)
	first, err := client.ReceiveStartupMessage()
	if err != nil {
		return err
	}
	asked, ok := first.(*pgproto3.StartupMessage)
	if !ok {
		return nil // a cancel request
	}
	parameters := map[string]string{"user": asked.Parameters["user"], "database": asked.Parameters["database"]}
	for name, value := range asked.Parameters {
		switch {
		case p.refuses && parameters[name] == "" && name != "application_name":
			client.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "08P01", Message: "unsupported startup parameter: " + name})
			return client.Flush()
		case !p.drops:
			parameters[name] = value
		}
	}
	hears := func(m pgproto3.BackendMessage) { client.Send(m) }
	mine, err := p.connect(ctx, host, parameters, hears)
	if err != nil {
		return err
	}
	if err := client.Flush(); err != nil {
		return err
	}
	if !p.sessions {
		p.give(mine)
	}
	for {
		message, err := client.Receive()
		if err != nil {
			return err
		}
		if _, over := message.(*pgproto3.Terminate); over {
			return nil
		}
		if !p.sessions {
			mine = p.take()
		}
		if err := transact(client, mine, message); err != nil {
			return err
		}
		if !p.sessions {
			p.give(mine)
		}
	}
}

// transact passes on messages in both directions until no transaction is open.
func transact(client *pgproto3.Backend, server *pgproto3.Frontend, message pgproto3.FrontendMessage) error {
	for {
		server.Send(message)
		switch message.(type) {
		case *pgproto3.Query, *pgproto3.Sync:
			status := byte(0)
			err := errors.Join(server.Flush(), untilReady(server, func(m pgproto3.BackendMessage) {
				if ready, ok := m.(*pgproto3.ReadyForQuery); ok {
					status = ready.TxStatus
				}
				client.Send(m)
			}))
			if err := errors.Join(err, client.Flush()); err != nil || status == 'I' {
				return err
			}
		}
		var err error
		if message, err = client.Receive(); err != nil {
			return err
		}
	}
}

// give keeps a session for the next client, or ends it when there are enough.
func (p *pooler) give(server *pgproto3.Frontend) {
	select {
	case p.free <- struct{}{}:
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, server)
}

func (p *pooler) take() *pgproto3.Frontend {
	<-p.free
	p.mu.Lock()
	defer p.mu.Unlock()
	at := len(p.idle) - 1
	if p.turns {
		at = 0
	}
	server := p.idle[at]
	p.idle = append(p.idle[:at], p.idle[at+1:]...)
	return server
}
