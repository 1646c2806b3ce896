package main

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/fakes"
)

// TestServeOnADatabaseThatWasPutBack restores an SQLite file between two starts of serve:
// the service starts and reads, but decides nothing and reports the reason, and audit
// warns.
func TestServeOnADatabaseThatWasPutBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	database := strings.TrimPrefix(w.settings["database-url"], "sqlite:")
	w.serve().stop()
	older, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	second := w.serve()
	second.signIn("alice")
	second.stop()
	if err := os.WriteFile(database, older, 0o600); err != nil {
		t.Fatal(err)
	}

	third := w.serve()
	third.log.await(t, "the database was restored from an older copy")
	_, _, err = client.New(third.api, nil).SignIn(t.Context(), fakes.Key("alice"), time.Now())
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != http.StatusServiceUnavailable || refused.Code != "API_CHECKING" {
		t.Errorf("signed in on a restored database: %v", err)
	}
	answer, err := http.Get(third.api + "/health")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(text), `"status":"degraded"`) ||
		!strings.Contains(string(text), "a block that was committed is not in the database") {
		t.Errorf("health: %d %s, %v", answer.StatusCode, text, err)
	}
	if status, metrics := third.get("/metrics"); status != http.StatusOK || !strings.Contains(metrics, "\ncasino_restored{") && !strings.Contains(metrics, "\ncasino_restored 1") ||
		!strings.Contains(metrics, `casino_witness_age_seconds{witness="file"`) {
		t.Errorf("metrics: %d", status)
	}
	third.stop()
	if out := w.do("audit"); !strings.Contains(out, "WARNING the database was restored from an older copy") {
		t.Errorf("audit: %s", out)
	}
}
