package main

import (
	"bufio"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/casino-service/casino/test/services"
)

// TestReadyNamesThePageToPlayOnFirst: the first address in casino dev's output is the page
// for players, and it answers.
func TestReadyNamesThePageToPlayOnFirst(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and starts the binary") // allowed: make test runs it
	}
	binary, err := services.Binary()
	if err != nil {
		t.Fatal(err)
	}
	dev := exec.CommandContext(t.Context(), binary, "dev", "--data-dir", t.TempDir(),
		"--http-addr", "127.0.0.1:0", "--localnet-addr", "127.0.0.1:0", "--provider-addr", "127.0.0.1:0")
	out, err := dev.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := dev.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dev.Process.Kill(); _ = dev.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 2 || !strings.HasPrefix(words[1], "http") {
			continue
		}
		if words[0] != "play" {
			t.Fatalf("the first address is %q", lines.Text())
		}
		page, err := http.Get(words[1])
		if err != nil {
			t.Fatal(err)
		}
		_ = page.Body.Close()
		if page.StatusCode != http.StatusOK || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
			t.Errorf("the page to play on: %s, %s", page.Status, page.Header.Get("Content-Type"))
		}
		return
	}
	t.Fatal("it printed no address")
}
