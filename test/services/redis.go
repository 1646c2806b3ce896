package services

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/ratelimit/redis"
)

// RedisVariable names the environment variable with the URL of a Redis that tests may fill.
// Without it they start a private one.
const RedisVariable = "CASINO_TEST_REDIS_URL"

// privateRedis is the Redis of this process's tests: the first that needs it starts it, the last
// one ends it.
var privateRedis struct {
	mu     sync.Mutex
	users  int
	server *RedisServer
}

// Redis returns the URL of an empty Redis database for this test, which is emptied after it: on
// the server that CASINO_TEST_REDIS_URL names, else on a private one. Under -short the test is
// skipped; if Redis is missing, the test fails and says how to install it.
func Redis(tb testing.TB) string {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs a Redis server") // allowed: make test runs it
	}
	address := os.Getenv(RedisVariable)
	if address == "" {
		address = useRedis(tb)
	}
	return claimDatabase(tb, address)
}

func useRedis(tb testing.TB) string {
	tb.Helper()
	privateRedis.mu.Lock()
	defer privateRedis.mu.Unlock()
	if privateRedis.users == 0 {
		server, err := startRedis()
		if err != nil {
			tb.Fatal(err)
		}
		privateRedis.server = server
	}
	privateRedis.users++
	tb.Cleanup(func() {
		privateRedis.mu.Lock()
		defer privateRedis.mu.Unlock()
		if privateRedis.users--; privateRedis.users == 0 {
			privateRedis.server.end()
		}
	})
	return privateRedis.server.URL()
}

// claims is the database that records the users of the others, because tests of several processes
// may share a server.
const claims = 0

// claimDatabase finds an empty unclaimed database.
func claimDatabase(tb testing.TB, address string) string {
	tb.Helper()
	ctx := context.Background()
	register := openRedis(tb, address, claims)
	for n := 1; ; n++ {
		claim := fmt.Sprintf("casino-test-database-%d", n)
		claimed, err := register.SetNX(ctx, claim, os.Getpid(), claimTime).Result()
		if err != nil {
			tb.Fatalf("the Redis for tests: %v", err)
		}
		if !claimed {
			continue
		}
		tb.Cleanup(func() {
			if err := register.Do(context.Background(), "DEL", claim).Err(); err != nil {
				tb.Errorf("giving database %d back: %v", n, err)
			}
		})
		database := openRedis(tb, address, n)
		keys, err := database.Do(ctx, "DBSIZE").Int64()
		if err != nil {
			tb.Fatalf("no database of the Redis for tests is free (%v): give it more, or unset %s", err, RedisVariable)
		}
		if keys > 0 { // another program's
			continue
		}
		tb.Cleanup(func() {
			if err := database.Do(context.Background(), "FLUSHDB").Err(); err != nil {
				tb.Errorf("emptying database %d: %v", n, err)
			}
		})
		return redisURL(tb, address, n)
	}
}

// openRedis connects to one database until the test ends.
func openRedis(tb testing.TB, address string, n int) redis.Client {
	tb.Helper()
	client, err := redis.Open(redisURL(tb, address, n), readyTime)
	if err != nil {
		tb.Fatalf("%s is no URL of a Redis", RedisVariable) // the error would show its password
	}
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// redisURL returns the server's URL with another database.
func redisURL(tb testing.TB, address string, n int) string {
	tb.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		tb.Fatalf("%s is no URL", RedisVariable)
	}
	query := parsed.Query()
	query.Del("db")
	if parsed.Scheme == "unix" {
		query.Set("db", strconv.Itoa(n))
	} else {
		parsed.Path = "/" + strconv.Itoa(n)
	}
	parsed.RawQuery = query.Encode()
	return parsed.String()
}

// claimTime is how long the claim of a killed process lasts.
const claimTime = 30 * time.Minute

// readyTime is how long a server may take until it answers.
const readyTime = 15 * time.Second

// keeper runs a server until its own standard input ends, so that the server always ends with the
// test process. It prints the server's process id, and when its parent is gone it removes the
// folder.
const keeper = `"$@" >/dev/null 2>&1 & echo $!; read -r kept; kill -9 $! 2>/dev/null; wait $! 2>/dev/null; [ "$kept" ] || rm -rf "$FOLDER"`

// RedisServer is a private Redis on a free loopback port that a test may kill, stop, flush and
// start again. It stores nothing on disk: its data is lost when it is killed. Its methods must be
// called from one goroutine at a time.
type RedisServer struct {
	port    int
	folder  string
	process int
	keeper  *exec.Cmd
	leash   io.WriteCloser // the keeper's standard input
}

// StartRedis runs a Redis for this test only, until the test ends. Under -short the test is
// skipped.
func StartRedis(tb testing.TB) *RedisServer {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs a Redis server") // allowed: make test runs it
	}
	server, err := startRedis()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(server.end)
	return server
}

// startRedis tries several ports: another process may take a free one first.
func startRedis() (*RedisServer, error) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		return nil, fmt.Errorf("no redis-server on the path: run test/require-services, or set %s", RedisVariable)
	}
	folder, err := os.MkdirTemp("", "casino-redis-")
	if err != nil {
		return nil, err
	}
	server := &RedisServer{folder: folder}
	for range 5 {
		if server.port, err = freePort(); err != nil {
			break
		}
		if err = server.run(); err == nil {
			return server, nil
		}
		server.kill()
	}
	server.end()
	return nil, err
}

// run starts the process and waits until it answers.
func (s *RedisServer) run() error {
	s.keeper = exec.Command("sh", "-c", keeper, "sh", "redis-server",
		"--bind", "127.0.0.1", "--port", strconv.Itoa(s.port), "--databases", "256",
		"--save", "", "--appendonly", "no", "--dir", s.folder, "--logfile", filepath.Join(s.folder, "log"))
	s.keeper.Env = append(os.Environ(), "FOLDER="+s.folder)
	// Its own process group: Ctrl-C, which goes to the tests' group, must not stop the cleanup.
	s.keeper.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	leash, err := s.keeper.StdinPipe()
	if err != nil {
		return err
	}
	out, err := s.keeper.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.keeper.Start(); err != nil {
		return err
	}
	s.leash = leash
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("starting redis-server: %w", err)
	}
	if s.process, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
		return fmt.Errorf("starting redis-server: %w", err)
	}
	return s.answers()
}

// answers waits until this process, and no other on its port, answers.
func (s *RedisServer) answers() error {
	client, err := redis.Open(s.URL(), readyTime)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	retry := time.NewTicker(10 * time.Millisecond)
	defer retry.Stop()
	for {
		info, err := client.Do(ctx, "INFO", "server").Text()
		if err == nil && strings.Contains(info, fmt.Sprintf("process_id:%d\r\n", s.process)) {
			return nil
		}
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(s.folder, "log"))
			return fmt.Errorf("redis-server on port %d doesn't answer: %w\n%s", s.port, errors.Join(err, ctx.Err()), log)
		case <-retry.C:
		}
	}
}

func (s *RedisServer) address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// URL returns the server's URL, which stays the same when it is started again.
func (s *RedisServer) URL() string { return "redis://" + s.address() + "/0" }

// Kill ends the process at once, even a frozen one.
func (s *RedisServer) Kill(tb testing.TB) {
	tb.Helper()
	if s.leash == nil {
		tb.Fatal("the Redis is not running")
	}
	s.kill()
}

func (s *RedisServer) kill() {
	if s.leash == nil {
		return
	}
	_, _ = io.WriteString(s.leash, "keep\n")
	_ = s.leash.Close()
	_ = s.keeper.Wait() // it ends with the killed server's status
	s.leash = nil
}

// Start runs the server again after Kill, empty, on the same port.
func (s *RedisServer) Start(tb testing.TB) {
	tb.Helper()
	if s.leash != nil {
		tb.Fatal("the Redis is running already")
	}
	if err := s.run(); err != nil {
		tb.Fatal(err)
	}
}

// Freeze stops the process (SIGSTOP): connections stay open and are not answered.
func (s *RedisServer) Freeze(tb testing.TB) { s.signal(tb, syscall.SIGSTOP) }

// Resume continues a frozen process (SIGCONT).
func (s *RedisServer) Resume(tb testing.TB) { s.signal(tb, syscall.SIGCONT) }

func (s *RedisServer) signal(tb testing.TB, signal syscall.Signal) {
	tb.Helper()
	if err := syscall.Kill(s.process, signal); err != nil {
		tb.Fatalf("%v to the Redis: %v", signal, err)
	}
}

// Flush empties all databases.
func (s *RedisServer) Flush(tb testing.TB) {
	tb.Helper()
	s.do(tb, "FLUSHALL")
}

// Pause stops the server from answering for a time.
func (s *RedisServer) Pause(tb testing.TB, d time.Duration) {
	tb.Helper()
	s.do(tb, "CLIENT", "PAUSE", d.Milliseconds(), "ALL")
}

func (s *RedisServer) do(tb testing.TB, command string, arguments ...any) {
	tb.Helper()
	client, err := redis.Open(s.URL(), readyTime)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	if err := client.Do(context.Background(), append([]any{command}, arguments...)...).Err(); err != nil {
		tb.Fatalf("%v: %v", command, err)
	}
}

// end kills the server and removes its folder.
func (s *RedisServer) end() {
	s.kill()
	_ = os.RemoveAll(s.folder)
}

// PID returns the server's process id.
func (s *RedisServer) PID() int { return s.process }
