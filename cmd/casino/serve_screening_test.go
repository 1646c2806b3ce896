package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/test/fakes"
)

// signsIn checks the status of a sign-in, 200 for a session.
func (s *running) signsIn(name string, want int) {
	s.t.Helper()
	_, _, err := client.New(s.api, nil).SignIn(s.t.Context(), fakes.Key(name), time.Now())
	status := http.StatusOK
	var refused *client.Error
	if errors.As(err, &refused) {
		status = refused.Status
	} else if err != nil {
		s.t.Fatal(err)
	}
	if status != want {
		s.t.Errorf("%s signs in with status %d, want %d: %v", name, status, want, err)
	}
}

// TestServeScreens with a list that is replaced, and with a screener that breaks down.
func TestServeScreens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	s := w.serve()
	s.log.await(t, "admission is not screened: every country and address is admitted")
	s.signsIn("mallory", http.StatusOK)
	s.stop()

	var down atomic.Bool
	screener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = w.Write([]byte(`{"verdict":"allow"}`))
	}))
	t.Cleanup(screener.Close)
	list := w.file("list.txt", "# ours\n"+string(fakes.Wallet("mallory"))+"\n")
	w.settings["address-lists"] = "own deny " + list
	w.settings["screener-url"] = screener.URL
	w.settings["screener-secret-file"] = w.file("screener.secret", webhook.NewSecret([32]byte{1}).Reveal()+"\n")
	w.settings["screener-points"] = "signin"
	s = w.serve()
	if line := s.log.await(t, "admission is screened"); len(line["screeners"].([]any)) != 2 {
		t.Errorf("screeners: %v", line)
	}
	s.signsIn("mallory", http.StatusForbidden)
	s.signsIn("alice", http.StatusOK)
	down.Store(true)
	s.signsIn("alice", http.StatusServiceUnavailable)
	down.Store(false)
	s.signsIn("alice", http.StatusOK)

	if err := errors.Join(os.WriteFile(list+".new", []byte(fakes.Wallet("alice")), 0o600), os.Rename(list+".new", list)); err != nil {
		t.Fatal(err)
	}
	if line := s.log.await(t, "a file for screening was read again"); line["file"] != list || line["content"] != "1 addresses" {
		t.Errorf("read again: %v", line)
	}
	s.signsIn("mallory", http.StatusOK)
	s.signsIn("alice", http.StatusForbidden)
	if err := os.Rename(list, filepath.Join(w.folder, "away")); err != nil {
		t.Fatal(err)
	}
	if line := s.log.await(t, "worker step failed"); !strings.Contains(line["error"].(string), list) {
		t.Errorf("a missing list: %v", line)
	}
	s.signsIn("alice", http.StatusForbidden)
	s.stop()

	if _, said, code := runCasino(t, append([]string{"serve"}, w.flags()...)...); code != exitUsage || !strings.Contains(said, "CASINO_ADDRESS_LISTS: entry 1: own: open "+list) {
		t.Errorf("started without its list: exit %d, %s", code, said)
	}
}
