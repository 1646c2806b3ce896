package solana_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// everyCall makes each call of the ports once and returns their errors.
func (w *world) everyCall(ctx context.Context, node *solana.Node) map[string]error {
	w.Helper()
	spl := withdrawal.Withdrawal{ID: "w1", Token: w.spl.Mint, Amount: 5, Destination: string(fakes.Wallet("dave"))}
	attempt, err := w.Node.Sign(w.Context(), spl, w.spl)
	if err != nil {
		w.Fatal(err)
	}
	errs := map[string]error{}
	_, errs["Observe"] = node.Observe(ctx, fakes.Signature("x"))
	_, errs["Sign"] = node.Sign(ctx, spl, w.spl)
	errs["Send"] = node.Send(ctx, attempt)
	_, errs["Fate"] = node.Outcome(ctx, attempt)
	_, errs["Genesis"] = node.Genesis(ctx)
	_, errs["Holding"] = node.Holding(ctx, w.spl)
	errs["Healthy"] = node.Healthy(ctx)
	return errs
}

// TestWhatIsNoResponse: anything that isn't a response is an error of kind External, never
// "not found", "zero" or success.
func TestWhatIsNoResponse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := func(status int, body string) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) {
			out.WriteHeader(status)
			_, _ = out.Write([]byte(body))
		}
	}
	for name, answer := range map[string]http.HandlerFunc{
		"a page":                 text(200, "<html>Welcome</html>"),
		"a gateway's page":       text(502, "<html>Bad gateway</html>"),
		"too many requests":      text(429, `{"jsonrpc":"2.0","id":1,"result":null}`),
		"a redirect":             http.RedirectHandler("/elsewhere", http.StatusTemporaryRedirect).ServeHTTP,
		"nothing":                text(200, ""),
		"no content":             text(204, ""),
		"an empty object":        text(200, "{}"),
		"null":                   text(200, "null"),
		"a list":                 text(200, "[]"),
		"neither result nor err": text(200, `{"jsonrpc":"2.0","id":1}`),
		"another call's id":      text(200, `{"jsonrpc":"2.0","id":999,"result":null}`),
		"no id":                  text(200, `{"jsonrpc":"2.0","result":null}`),
		"an id as text":          text(200, `{"jsonrpc":"2.0","id":"1","result":null}`),
		"another protocol":       text(200, `{"jsonrpc":"1.0","id":1,"result":null}`),
		"cut off":                text(200, `{"jsonrpc":"2.0","id":1,"resu`),
		"two results":            text(200, `{"jsonrpc":"2.0","id":1,"result":null,"result":null}`),
		"more behind the end":    text(200, `{"jsonrpc":"2.0","id":1,"result":null} {}`),
		"a refusal":              text(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"Node is behind by 42 slots"}}`),
		"endless":                text(200, `{"jsonrpc":"2.0","id":1,"result":"`+strings.Repeat("x", 5<<20)+`"}`),
		"a cut connection":       func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		server := httptest.NewServer(answer)
		for method, err := range w.everyCall(t.Context(), w.node(server.URL)) {
			if !fault.Is(err, fault.External) {
				t.Errorf("%s to %s: %v", name, method, err)
			}
		}
		server.Close()
	}
}

// TestNullIsNoNumber: a result may be null only for calls that allow it.
func TestNullIsNoNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.spoiled(func(c call) *reply { return c.result(nil) })
	other := newWorld(t)
	for method, err := range other.everyCall(t.Context(), w.Node) {
		if method != "Send" && !fault.Is(err, fault.External) {
			t.Errorf("%s: %v", method, err)
		}
	}
	w.spoiled(func(c call) *reply { return c.result(map[string]any{}) })
	for method, err := range other.everyCall(t.Context(), w.Node) {
		if !fault.Is(err, fault.External) {
			t.Errorf("an empty object to %s: %v", method, err)
		}
	}
}

func TestKeysInTheURLNeverShow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secrets := []string{"s3cretuser", "s3cretpass", "s3cretpath", "s3cretquery"}
	const shape = "http://s3cretuser:s3cretpass@%s/v2/s3cretpath?api-key=s3cretquery"
	echo := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no access for %s with %s"}}`, in.URL.Path, in.URL.RawQuery)
	}))
	defer echo.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for name, host := range map[string]string{
		"echoing": echo.Listener.Addr().String(), "gone": gone.Listener.Addr().String(),
	} {
		for method, err := range w.everyCall(t.Context(), w.node(fmt.Sprintf(shape, host))) {
			var public *fault.Error
			if !errors.As(err, &public) {
				t.Fatalf("%s, %s: %v", name, method, err)
			}
			for _, secret := range append(secrets, "127.0.0.1") {
				if strings.Contains(public.Message, secret) {
					t.Errorf("%s, %s shows %q", name, method, public.Message)
				}
			}
			for _, secret := range secrets {
				for each := err; each != nil; each = errors.Unwrap(each) {
					if strings.Contains(fmt.Sprintf("%v %+v %#v", each, each, each), secret) {
						t.Errorf("%s, %s logs %q", name, method, each)
					}
				}
			}
		}
	}
	for _, bad := range []string{"s3cretpath", "ftp://s3cretuser@host", "http://[s3cretpath", ""} {
		pair := w.pair()
		_, err := solana.New(solana.Config{RPC: bad, Treasury: pair})
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestCallsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mute := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, in *http.Request) {
		_, _ = io.Copy(io.Discard, in.Body) // a server notices a hang-up only after reading the body
		<-in.Context().Done()
	}))
	defer mute.Close()
	node, err := solana.New(solana.Config{RPC: mute.URL, Treasury: w.pair(), Timeout: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Healthy(t.Context()); !fault.Is(err, fault.External) {
		t.Errorf("after its time: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := node.Healthy(ended); !fault.Is(err, fault.External) || !errors.Is(err, context.Canceled) {
		t.Errorf("after the caller gave up: %v", err)
	}
}

func TestConfigurationIsRefusedWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, cfg := range map[string]solana.Config{
		"nothing":             {},
		"no treasury":         {RPC: w.url},
		"a zero keypair":      {RPC: w.url, Treasury: solana.Keypair{}},
		"a negative timeout":  {RPC: w.url, Treasury: w.pair(), Timeout: -1},
		"a negative fee":      {RPC: w.url, Treasury: w.pair(), PriorityFeeMax: -1},
		"a mint that is none": {RPC: w.url, Treasury: w.pair(), Tokens: []token.Terms{{Mint: "usd", Program: token.SPL}}},
	} {
		if _, err := solana.New(cfg); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	_, err := solana.New(solana.Config{RPC: "x", Treasury: w.pair(), Timeout: -1})
	if err == nil || !strings.Contains(err.Error(), "RPC URL") || !strings.Contains(err.Error(), "negative") {
		t.Errorf("not all faults at once: %v", err)
	}
}
