package redisclient_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	redigo "github.com/gomodule/redigo/redis"

	"github.com/casino-service/casino/adapters/internal/redisclient"
)

// maxDelay is longer than a busy machine delays a process.
const maxDelay = 10 * time.Second

func open(t *testing.T, address string, timeout time.Duration) *redisclient.Client {
	t.Helper()
	client, err := redisclient.Open(address, timeout, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func ping(client *redisclient.Client) error {
	_, err := client.Do(context.Background(), "PING")
	return err
}

// TestURLsConnect connects as each URL says, and looks which database got the key.
func TestURLsConnect(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	server.RequireUserAuth("casino", "pass word")
	server.RequireAuth("alone")
	socket := forward(t, server.Addr())
	for address, database := range map[string]int{
		"redis://casino:pass%20word@" + server.Addr():                     0,
		"redis://casino:pass%20word@" + server.Addr() + "/3":              3,
		"redis://:alone@" + server.Addr() + "/4?db=5":                     5,
		"unix://casino:pass%20word@" + socket + "?db=6":                   6,
		"redis://casino:pass%20word@" + server.Addr() + "/?skip_verify=0": 0,
	} {
		if _, err := open(t, address, maxDelay).Do(t.Context(), "SET", address, "here"); err != nil {
			t.Errorf("%s: %v", address, err)
		}
		if got, err := server.DB(database).Get(address); got != "here" {
			t.Errorf("%s: database %d has %q, %v", address, database, got, err)
		}
	}
	for _, address := range []string{"redis://" + server.Addr(), "redis://casino:wrong@" + server.Addr(), "redis://casino@" + server.Addr()} {
		if err := ping(open(t, address, maxDelay)); err == nil {
			t.Errorf("%s is let in", address)
		}
	}
}

// forward is a socket that leads to the address.
func forward(t *testing.T, to string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "redis.sock")
	listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var carrying sync.WaitGroup
	carrying.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				t.Error(err)
				return
			}
			carrying.Go(func() { _, _ = io.Copy(far, near); _ = far.Close() })
			carrying.Go(func() { _, _ = io.Copy(near, far); _ = near.Close() })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		carrying.Wait()
	})
	return path
}

func TestTLSIsVerifiedUnlessTheURLSaysOtherwise(t *testing.T) {
	t.Parallel()
	issued := httptest.NewTLSServer(nil)
	defer issued.Close()
	server := miniredis.NewMiniRedis()
	if err := server.StartTLS(&tls.Config{Certificates: issued.TLS.Certificates, MinVersion: tls.VersionTLS12}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	var unknown *tls.CertificateVerificationError
	if err := ping(open(t, "rediss://"+server.Addr(), maxDelay)); !errors.As(err, &unknown) {
		t.Errorf("a certificate of nobody's: %v", err)
	}
	if err := ping(open(t, "rediss://"+server.Addr()+"?skip_verify=true", maxDelay)); err != nil {
		t.Error(err)
	}
	if err := ping(open(t, "redis://"+server.Addr(), time.Second)); err == nil {
		t.Error("a command in the clear is answered")
	}
}

func TestOptionsWithoutEffectAreRefused(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"redis://host?pool_size=5":        `"pool_size" is not supported`,
		"redis://host/0?read_timeout=1s":  `"read_timeout" is not supported`,
		"redis://host?skip_verify=true":   "skip_verify",
		"rediss://host?skip_verify=maybe": "skip_verify",
		"redis://host/first":              "the database must be a number",
		"redis://host/-1":                 "the database must be a number",
		"redis://host?db=1;x":             "can't be read",
		"redis+sentinel://host/primary":   "the scheme must be redis, rediss or unix",
		"host:6379":                       "can't be used",
		"unix://":                         "needs the path of a socket",
		"redis://host:port":               "invalid port",
	} {
		if _, err := redisclient.Open(address, time.Second, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestARedisThatWasStartedAgain costs no command, when its connections had rested.
func TestARedisThatWasStartedAgain(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	client := open(t, "redis://"+server.Addr(), maxDelay)
	if err := ping(client); err != nil {
		t.Fatal(err)
	}
	server.Close()
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	<-time.After(600 * time.Millisecond)
	if err := ping(client); err != nil {
		t.Errorf("over a connection to the server before: %v", err)
	}
}

// TestASilentRedisCostsItsTimeOut with a caller that would wait for ever.
func TestASilentRedisCostsItsTimeOut(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	client := open(t, "redis://"+listener.Addr().String(), 50*time.Millisecond)
	var all sync.WaitGroup
	for range 2000 { // more than there are connections: most wait for one
		all.Go(func() {
			begin := time.Now()
			if err := ping(client); err == nil || time.Since(begin) > 3*time.Second {
				t.Errorf("%v after %v", err, time.Since(begin))
			}
		})
	}
	all.Wait()
}

// TestASilentRedisCostsItsTimeOutUnderTLS, where nobody says hello either.
func TestASilentRedisCostsItsTimeOutUnderTLS(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	begin := time.Now()
	if err := ping(open(t, "rediss://"+listener.Addr().String(), 50*time.Millisecond)); err == nil || time.Since(begin) > 3*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
}

// TestConnectionsAreGivenBack after a reply and after an error of Redis, and ended after a
// command that was given up.
func TestConnectionsAreGivenBack(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	client := open(t, "redis://"+server.Addr(), maxDelay)
	for range 50 * runtime.GOMAXPROCS(0) { // more than there are connections
		if err := ping(client); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Do(t.Context(), "GET"); !errors.As(err, new(redigo.Error)) {
			t.Fatalf("a command without its argument: %v", err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := client.Do(ended, "PING"); !errors.Is(err, context.Canceled) {
			t.Fatalf("a command of nobody's: %v", err)
		}
	}
	if n := server.CurrentConnectionCount(); n != 1 {
		t.Errorf("one caller has %d connections", n)
	}
}

// TestAReplyIsOfItsOwnCommand, also after one that was given up while Redis was at it.
func TestAReplyIsOfItsOwnCommand(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked, answer := make(chan struct{}), make(chan struct{})
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer func() { _ = conn.Close() }()
				lines := bufio.NewScanner(conn)
				for lines.Scan() {
					switch name := lines.Text(); name {
					case "SLOW":
						close(asked)
						<-answer
						_, _ = io.WriteString(conn, "+slow\r\n")
					case "FAST":
						_, _ = io.WriteString(conn, "+fast\r\n")
					}
				}
			})
		}
	})
	client := open(t, "redis://"+listener.Addr().String(), maxDelay)
	ctx, giveUp := context.WithCancel(t.Context())
	go func() {
		<-asked
		giveUp()
	}()
	if reply, err := client.Do(ctx, "SLOW"); !errors.Is(err, context.Canceled) {
		t.Errorf("a command that was given up: %v, %v", reply, err)
	}
	close(answer)
	if reply, err := redigo.String(client.Do(t.Context(), "FAST")); reply != "fast" || err != nil {
		t.Errorf("the next command: %q, %v", reply, err)
	}
	_ = client.Close()
	_ = listener.Close()
	serving.Wait()
}

func TestObserversSeeEachCommandAndItsEnd(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	type key struct{}
	var seen []string
	client, err := redisclient.Open("redis://"+server.Addr(), maxDelay, func(ctx context.Context, command string) (context.Context, func(error)) {
		return context.WithValue(ctx, key{}, command), func(err error) {
			if err != nil {
				command += " failed"
			}
			seen = append(seen, command)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	script := redisclient.NewScript(`return {ARGV[1], KEYS[1], redis.call('INCR', KEYS[1])}`)
	for range 2 { // the second time Redis knows it
		reply, err := redigo.Values(script.Run(t.Context(), client, "counter", "argument"))
		if err != nil || len(reply) != 3 {
			t.Fatalf("%v, %v", reply, err)
		}
	}
	if got := strings.Join(seen, ", "); got != "EVALSHA failed, EVAL, EVALSHA" {
		t.Error(got)
	}
	if n, err := server.Get("counter"); n != "2" {
		t.Errorf("the script ran %s times, %v", n, err)
	}
}
