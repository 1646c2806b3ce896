package redis_test

import (
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
	miniserver "github.com/alicebob/miniredis/v2/server"
	goredis "github.com/redis/go-redis/v9"

	"github.com/casino-service/casino/adapters/ratelimit/redis"
)

func openWithin(t *testing.T, address string, timeout time.Duration) redis.Client {
	t.Helper()
	client, err := redis.Open(address, timeout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func ping(client redis.Client) error {
	return client.Ping(context.Background()).Err()
}

// TestURLsConnect connects with each URL, and checks which database got the key.
func TestURLsConnect(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	server.RequireUserAuth("casino", "pass word")
	server.RequireAuth("alone")
	socket := forward(t, server.Addr())
	for address, database := range map[string]int{
		"redis://casino:pass%20word@" + server.Addr():                                   0,
		"redis://casino:pass%20word@" + server.Addr() + "/3":                            3,
		"redis://:alone@" + server.Addr() + "/4?db=5":                                   5,
		"unix://casino:pass%20word@" + socket + "?db=6":                                 6,
		"redis://casino:pass%20word@" + server.Addr() + "/?pool_size=2&read_timeout=9s": 0,
	} {
		if _, err := openWithin(t, address, maxDelay).Set(t.Context(), address, "here", 0).Result(); err != nil {
			t.Errorf("%s: %v", address, err)
		}
		if got, err := server.DB(database).Get(address); got != "here" {
			t.Errorf("%s: database %d has %q, %v", address, database, got, err)
		}
	}
	for _, address := range []string{"redis://" + server.Addr(), "redis://casino:wrong@" + server.Addr(), "redis://casino@" + server.Addr()} {
		if err := ping(openWithin(t, address, maxDelay)); err == nil {
			t.Errorf("%s is let in", address)
		}
	}
}

// forward listens on a socket and forwards to the address.
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
	if err := ping(openWithin(t, "rediss://"+server.Addr(), maxDelay)); !errors.As(err, &unknown) {
		t.Errorf("a certificate of nobody's: %v", err)
	}
	if err := ping(openWithin(t, "rediss://"+server.Addr()+"?skip_verify=true", maxDelay)); err != nil {
		t.Error(err)
	}
	if err := ping(openWithin(t, "redis://"+server.Addr(), time.Second)); err == nil {
		t.Error("a command in the clear is answered")
	}
}

func TestInvalidURLsAreRefused(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"redis://host?max_retries=3":              "max_retries is not supported",
		"redis://host?perhaps=1":                  "perhaps",
		"redis://host?pool_size=many":             "pool_size",
		"redis://host?skip_verify=true":           "skip_verify",
		"redis://host/first":                      "database number",
		"redis://host/-1":                         "the database must be",
		"redis://host/1?cluster=true":             "0 in a cluster",
		"redis://host?addr=other:6379":            "master_name=NAME",
		"redis://host?master_name=x&cluster=true": "master_name=NAME",
		"redis://host?cluster=yes":                "cluster=true",
		"redis://host?db=1;x":                     "can't be read",
		"redis+sentinel://host/primary":           "invalid URL scheme",
		"host:6379":                               "can't be used",
		"unix://":                                 "socket path",
		"redis://host:port":                       "port must be a number",
		"redis://user:secret/word@host":           "percent-encoded",
	} {
		if _, err := redis.Open(address, time.Second); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("a part of the password is shown: %v", err)
		}
	}
}

// TestARedisThatWasStartedAgain costs no command if the connections had been idle.
func TestARedisThatWasStartedAgain(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	client := openWithin(t, "redis://"+server.Addr(), maxDelay)
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

// TestASilentRedisCostsItsTimeOut, even if the caller would wait forever.
func TestASilentRedisCostsItsTimeOut(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	client := openWithin(t, "redis://"+listener.Addr().String(), 50*time.Millisecond)
	var all sync.WaitGroup
	for range 2000 { // more than there are connections, so most wait for one
		all.Go(func() {
			begin := time.Now()
			if err := ping(client); err == nil || time.Since(begin) > 3*time.Second {
				t.Errorf("%v after %v", err, time.Since(begin))
			}
		})
	}
	all.Wait()
}

// TestASilentRedisCostsItsTimeOutUnderTLS, without a TLS handshake.
func TestASilentRedisCostsItsTimeOutUnderTLS(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	begin := time.Now()
	if err := ping(openWithin(t, "rediss://"+listener.Addr().String(), 50*time.Millisecond)); err == nil || time.Since(begin) > 3*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
}

// TestConnectionsAreGivenBack after a reply and after an error of Redis, and closed after a
// cancelled command.
func TestConnectionsAreGivenBack(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	client := openWithin(t, "redis://"+server.Addr(), maxDelay)
	for range 50 * runtime.GOMAXPROCS(0) { // more than there are connections
		if err := ping(client); err != nil {
			t.Fatal(err)
		}
		if err := client.Do(t.Context(), "GET").Err(); !errors.As(err, new(goredis.Error)) {
			t.Fatalf("a command without its argument: %v", err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if err := client.Ping(ended).Err(); !errors.Is(err, context.Canceled) {
			t.Fatalf("a command of nobody's: %v", err)
		}
	}
	if n := server.CurrentConnectionCount(); n != 1 {
		t.Errorf("one caller has %d connections", n)
	}
}

func TestObserversSeeEachCommandAndItsEnd(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	type key struct{}
	var seen []string
	client, err := redis.OpenObserved("redis://"+server.Addr(), maxDelay, func(ctx context.Context, command string) (context.Context, func(error)) {
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
	script := goredis.NewScript(`return {ARGV[1], KEYS[1], redis.call('INCR', KEYS[1])}`)
	for range 2 { // the second time Redis knows it
		reply, err := script.Run(t.Context(), client, []string{"counter"}, "argument").Slice()
		if err != nil || len(reply) != 3 {
			t.Fatalf("%v, %v", reply, err)
		}
	}
	if got := strings.Join(seen, ", "); got != "HELLO, EVALSHA failed, EVAL, EVALSHA" {
		t.Error(got)
	}
	if n, err := server.Get("counter"); n != "2" {
		t.Errorf("the script ran %s times, %v", n, err)
	}
}

// TestSentinelAndClusterByURL asks a simulated cluster of one node, and a Sentinel that
// names the primary.
func TestSentinelAndClusterByURL(t *testing.T) {
	t.Parallel()
	node := miniredis.RunT(t)
	if err := openWithin(t, "redis://"+node.Addr()+"?cluster=true", maxDelay).Set(t.Context(), "cluster", "here", 0).Err(); err != nil {
		t.Error(err)
	}
	primary := miniredis.RunT(t)
	host, port, err := net.SplitHostPort(primary.Addr())
	if err != nil {
		t.Fatal(err)
	}
	sentinel, err := miniserver.NewServer("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sentinel.Close)
	for name, reply := range map[string]func(c *miniserver.Peer, arguments []string){
		"HELLO": func(c *miniserver.Peer, _ []string) { c.WriteError("ERR unknown command 'HELLO'") },
		"SUBSCRIBE": func(c *miniserver.Peer, _ []string) {
			c.WriteLen(3)
			c.WriteBulk("subscribe")
			c.WriteBulk("+switch-master")
			c.WriteInt(1)
		},
		"SENTINEL": func(c *miniserver.Peer, arguments []string) {
			if arguments[0] == "get-master-addr-by-name" && arguments[1] == "mine" {
				c.WriteStrings([]string{host, port})
				return
			}
			c.WriteLen(0)
		},
	} {
		if err := sentinel.Register(name, func(c *miniserver.Peer, _ string, arguments []string) { reply(c, arguments) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := openWithin(t, "redis://"+sentinel.Addr().String()+"/2?master_name=mine", maxDelay).Set(t.Context(), "primary", "here", 0).Err(); err != nil {
		t.Error(err)
	}
	if got, err := primary.DB(2).Get("primary"); got != "here" {
		t.Errorf("the primary has %q, %v", got, err)
	}
}
