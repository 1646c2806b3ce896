package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/test/services"
)

const packages = "../../adapters/web"

// installed returns a folder with both npm packages, packed and installed by npm, and the story
// that uses them.
func installed(t *testing.T) string {
	t.Helper()
	at := t.TempDir()
	for _, name := range []string{"client", "verify"} {
		pack := exec.CommandContext(t.Context(), "npm", "pack", "--ignore-scripts", "--json", "--pack-destination", at)
		pack.Dir = filepath.Join(packages, name)
		printed, err := pack.Output()
		var packed []struct{ Filename string }
		if err := errors.Join(err, json.Unmarshal(printed, &packed)); err != nil {
			t.Fatalf("npm pack of %s: %v\n%s", name, err, printed)
		}
		into := filepath.Join(at, "node_modules/@casino-service", name)
		noError(t, os.MkdirAll(into, 0o700))
		unpack := exec.CommandContext(t.Context(), "tar", "-xzf", filepath.Join(at, packed[0].Filename), "-C", into, "--strip-components=1")
		if printed, err := unpack.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
	}
	for _, name := range []string{"story.mjs", "node.mjs"} {
		text, err := os.ReadFile(filepath.Join(packages, "client/test", name))
		noError(t, errors.Join(err, os.WriteFile(filepath.Join(at, name), text, 0o600)))
	}
	return at
}

// lossy returns a proxy to the service that loses the first answer to each key, after the service
// has carried out the request, and cuts a session's first stream of events after its third
// message, before the story's last. Later streams stay: a browser may drop messages just before a
// cut, so that with a cut on every stream it would make no progress.
func lossy(t *testing.T, service string) string {
	t.Helper()
	to, err := url.Parse(service)
	noError(t, err)
	var lost, streams sync.Map
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: to.Scheme, Host: to.Host}) },
		ModifyResponse: func(response *http.Response) error {
			if response.Header.Get("Content-Type") == "text/event-stream" {
				of, _ := streams.LoadOrStore(response.Request.Header.Get("Authorization"), new(atomic.Int32))
				if of.(*atomic.Int32).Add(1) == 1 {
					response.Body = &cut{ReadCloser: response.Body, left: 3}
				}
			}
			key := response.Request.Header.Get("Idempotency-Key")
			if _, again := lost.LoadOrStore(key, true); key != "" && !again {
				return errors.New("the answer is lost")
			}
			return nil
		},
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:      log.New(io.Discard, "", 0), // its errors are intended
		FlushInterval: -1,
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL + to.Path
}

// cut is the body of a stream that ends after a number of messages.
type cut struct {
	io.ReadCloser
	left int
}

func (c *cut) Read(into []byte) (int, error) {
	if c.left <= 0 {
		return 0, errors.New("the line is cut")
	}
	n, err := c.ReadCloser.Read(into)
	c.left -= bytes.Count(into[:n], []byte("\n\n"))
	return n, err
}

// TestTheClientPlays uses the TypeScript client as installed, on Node.js and in a page: it signs
// in, deposits, plays, continues after lost answers and cut streams, verifies its rounds with
// @casino-service/verify, and withdraws; money is booked once.
func TestTheClientPlays(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser and Node.js") // allowed: make test runs it
	}
	dev := services.NewDev(t, t.TempDir())
	at, line := installed(t), lossy(t, dev.BaseURL)
	t.Run("on Node.js", func(t *testing.T) {
		t.Parallel()
		_, alice := dev.Key(t, "alice")
		node := exec.CommandContext(t.Context(), "node", "node.mjs", line, keypair(t, dev, "alice"), dev.BaseURL, "alice", alice)
		node.Dir = at
		if printed, err := node.CombinedOutput(); err != nil || !strings.Contains(string(printed), `"rounds":6`) {
			t.Fatalf("%v\n%s", err, printed)
		}
	})
	t.Run("in a page", func(t *testing.T) {
		t.Parallel()
		files := http.FileServerFS(os.DirFS(at))
		page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" {
				files.ServeHTTP(w, r)
				return
			}
			_, _ = io.WriteString(w, pageOfTheStory) // the test fails by itself if the browser is gone
		}))
		t.Cleanup(page.Close)
		_, bob := dev.Key(t, "bob")
		p := open(t, desktop, page.URL)
		p.tolerated = []string{"ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED_ENCODING", "HTTP 401", "401 (Unauthorized)"} // the lost answers, and the end of the session
		asked, err := json.Marshal(map[string]string{"line": line, "service": dev.BaseURL, "name": "bob", "wallet": bob})
		noError(t, err)
		p.until(`typeof window.play === 'function'`)
		p.do(chromedp.Evaluate[chromedp.Void](`window.play(` + string(asked) + `)`))
		p.until(`window.ended !== undefined`)
		if ended := value[string](p, `window.ended`); !strings.Contains(ended, `"rounds":6`) {
			t.Fatal(ended)
		}
	})
}

// keypair returns the file with a demo wallet's key.
func keypair(t *testing.T, dev *services.Dev, name string) string {
	t.Helper()
	for _, w := range dev.Wallets {
		if w.Name == name {
			return w.KeypairFile
		}
	}
	t.Fatalf("no wallet %s", name)
	return ""
}

// pageOfTheStory imports both packages from their installation. Its wallet is a demo wallet, used
// as a page uses one.
const pageOfTheStory = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>The client in a page</title>
<script type="importmap">{"imports": {
  "@casino-service/client": "./node_modules/@casino-service/client/dist/index.js",
  "@casino-service/verify": "./node_modules/@casino-service/verify/dist/index.js"}}</script>
<script type="module">
  import * as client from "@casino-service/client";
  import { verify } from "@casino-service/verify";
  import { story } from "./story.mjs";
  window.play = ({ line, service, name, wallet }) => {
    const demo = new client.Casino(service), path = { name };
    story({ ...client, verify, line, wallet,
      sign: async (message) => (await demo.call("POST /dev/wallets/{name}/sign")({ path, body: { message: new TextDecoder().decode(message) } })).signature,
      pay: async (transaction) => (await demo.call("POST /dev/wallets/{name}/send")({ path, body: { transaction } })).signature,
    }).then((result) => (window.ended = JSON.stringify(result)), (failure) => (window.ended = failure.stack));
  };
</script>`
