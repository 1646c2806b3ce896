package services

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/ratelimit/redis"
)

// RedisVariable names the environment variable with the URL of a Redis that
// tests may fill. Without it they start one of their own.
const RedisVariable = "CASINO_TEST_REDIS_URL"

// privateRedis is the Redis of this process's tests: the first that needs it
// starts it, the last one ends it.
var privateRedis struct {
	mu     sync.Mutex
	users  int
	server *RedisServer
}

// Redis returns the URL of an empty database on a real Redis, which is the
// test's alone and emptied after it: on the server that CASINO_TEST_REDIS_URL
// names, else on a private one. Under -short the test is skipped; where Redis is
// missing it fails and says how to get it.
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

// claims is the database that records who uses which of the others, because tests
// of several processes may share a server.
const claims = 0

// claimDatabase finds an empty database that nobody has claimed.
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
		if keys > 0 { // somebody else's
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

// openRedis connects to one database for as long as the test runs.
func openRedis(tb testing.TB, address string, n int) redis.Client {
	tb.Helper()
	client, err := redis.Open(redisURL(tb, address, n), readyTime)
	if err != nil {
		tb.Fatalf("%s is no URL of a Redis", RedisVariable) // the cause would show its password
	}
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// redisURL is the server's URL with another database.
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
