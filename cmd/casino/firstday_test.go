package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// startFolder runs casino dev on a folder until the test ends or stop is called, and
// returns its addresses.
func startFolder(t *testing.T, folder string, args ...string) (line dev.ReadyLine, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	log, code := newLogLines(), exitFailed
	go func() {
		code = run(ctx, append([]string{"dev", "--data-dir", folder, "--log-format", "json", "--http-addr", "127.0.0.1:0",
			"--localnet-addr", "127.0.0.1:0", "--provider-addr", "127.0.0.1:0"}, args...), io.Discard, log)
		close(log.ended)
	}()
	t.Cleanup(func() {
		cancel()
		<-log.ended
		if code != exitDone {
			t.Errorf("casino dev ended with %d", code)
		}
		if t.Failed() {
			t.Logf("casino dev said:\n%s", log)
		}
	})
	until(t, "casino dev is ready", func() bool {
		select {
		case <-log.ended:
			t.Fatalf("casino dev ended:\n%s", log)
		default:
		}
		var err error
		if line, err = dev.Folder(folder).Running(); err != nil { // half written
			return false
		}
		return line.BaseURL != ""
	})
	return line, func() {
		cancel()
		if <-log.ended; code != exitDone {
			t.Fatalf("casino dev ended with %d", code)
		}
	}
}

// TestFromNothingToABet signs in and pays from the command line, on a casino with unusual
// addresses.
func TestFromNothingToABet(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	line, stop := startFolder(t, folder)
	alice := filepath.Join(folder, "wallets", "alice.json")
	for _, step := range []struct {
		args []string
		code int
		out  string
		err  string
	}{
		{args: []string{"pay", alice, "1"}, out: "The balance is 1.000000000 SOL."},
		{args: []string{"pay", alice, "0.5", "--token", "sol"}, out: "The balance is 1.500000000 SOL."},
		{args: []string{"pay", alice, "2.5", "--token", dev.DemoSymbol}, out: "The balance is 2.500000 DEMO."},
		{args: []string{"pay", alice, "1000"}, code: exitFailed, err: "1000.000005000 SOL are needed"},
		{args: []string{"pay", filepath.Join(folder, "wallets", "finance.json"), "1", "--token", dev.DemoSymbol}, code: exitFailed, err: "holds 0.000000 DEMO"},
		{args: []string{"pay", alice, "1.0000000001"}, code: exitUsage, err: "at most 9 digits"},
		{args: []string{"pay", alice, "0"}, code: exitUsage, err: "is not an amount"},
		{args: []string{"pay", alice, "1", "--token", "DOGE"}, code: exitUsage, err: "does not accept DOGE, only DEMO and SOL"},
		{args: []string{"pay", alice, "1", "--rpc-url", "https://api.mainnet-beta.solana.com"}, code: exitUsage, err: "must be the simulated chain"},
		{args: []string{"pay", folder + "/none.json", "1"}, code: exitUsage, err: "no such file"},
		{args: []string{"login", "--keypair", alice, "--base-url", "http://casino.example/casino"}, code: exitUsage, err: "https://host/casino"},
	} {
		out, errOut, code := runCasino(t, append(step.args, "--data-dir", folder)...)
		if code != step.code || !strings.Contains(out, step.out) || !strings.Contains(errOut, step.err) || (code == exitDone) != (errOut == "") {
			t.Errorf("casino %s: exit %d\n%s%s", strings.Join(step.args, " "), code, out, errOut)
		}
	}
	token, errOut, code := runCasino(t, "login", "--keypair", alice, "--data-dir", folder)
	if code != exitDone || errOut != "" || strings.Count(token, "\n") != 1 {
		t.Fatalf("casino login: exit %d, %q, %s", code, token, errOut)
	}
	session := client.New(line.BaseURL, nil).WithToken(strings.TrimSpace(token))
	if played, err := session.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: 1_000_000, Token: string(money.SOL)}); err != nil || played.Balance < 1_000_000_000 {
		t.Errorf("the bet: %+v, %v", played, err)
	}
	// The websocket is where web3.js expects it, and its connections don't delay a stop.
	chain, err := url.Parse(line.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(chain.Port())
	if want := fmt.Sprintf("ws://127.0.0.1:%d", port+1); err != nil || line.Socket != want {
		t.Errorf("the websocket is at %s, want %s", line.Socket, want)
	}
	conn, _, err := websocket.Dial(t.Context(), line.Socket, nil) //nolint:bodyclose // Dial's documentation says that it isn't needed
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	err = conn.Write(t.Context(), websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":1,"method":"slotSubscribe","params":[]}`))
	for _, want := range []string{`"result":1`, `"slotNotification"`} {
		_, text, readErr := conn.Read(t.Context())
		if err := errors.Join(err, readErr); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s, %v, want %s", text, err, want)
		}
	}
	stop()
	if left, err := dev.Folder(folder).Running(); err != nil || left.BaseURL != "" {
		t.Errorf("after the stop the folder says %+v, %v", left, err)
	}
}

// TestABetIsForwardedToASiteOnThisMachine is the example of docs/providers.md: an agent
// with players at the demo site, and a bet that moves the money there.
func TestABetIsForwardedToASiteOnThisMachine(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	line, _ := startFolder(t, folder)
	ctx := t.Context()
	as := func(name string) *client.Client {
		t.Helper()
		token, errOut, code := runCasino(t, "login", "--keypair", dev.Folder(folder).Wallet(name), "--data-dir", folder)
		if code != exitDone {
			t.Fatalf("%s: %s", name, errOut)
		}
		return client.New(line.BaseURL, nil).WithToken(strings.TrimSpace(token))
	}
	site, name := line.Site, "Acme"
	top := as("superadmin")
	for _, inside := range []string{"http://10.0.0.1/", "http://169.254.169.254/latest", "http://127.0.0.1.evil.example/"} {
		_, err := top.CreateAgent(ctx, api.CreateAgentRequest{AgentCode: "inside", AgentRequest: api.AgentRequest{AgentName: &name, SiteEndpoint: &inside}})
		if client.CodeOf(err) != "INVALID_PARAMETER" {
			t.Errorf("%s: %v", inside, err)
		}
	}
	made, err := top.CreateAgent(ctx, api.CreateAgentRequest{AgentCode: "acme", AgentRequest: api.AgentRequest{AgentName: &name, SiteEndpoint: &site}})
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(method, url, body string) string {
		t.Helper()
		ask, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(ask)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode >= http.StatusBadRequest {
			t.Fatalf("%s %s: %d %s", method, url, answer.StatusCode, text)
		}
		return string(text)
	}
	fetch(http.MethodPut, site+"agents/acme", fmt.Sprintf(`{"secret":%q}`, made.Secret))
	if _, err := top.FundAgent(ctx, made.Agent.ID, api.FundRequest{Token: line.Tokens[1].Mint, Amount: 1_000_000_000, Reason: "paid by wire"}); err != nil {
		t.Fatal(err)
	}
	token, errOut, code := runCasino(t, "login", "--keypair", dev.Folder(folder).Wallet("bob"), "--data-dir", folder, "--agent-code", "acme")
	if code != exitDone {
		t.Fatal(errOut)
	}
	bob := line.Wallets[3].Address
	page, err := client.New(line.BaseURL, nil).WithToken(strings.TrimSpace(token)).Launch(ctx, api.LaunchRequest{GameCode: "cherry-rush", UserCode: bob})
	if err != nil {
		t.Fatal(err)
	}
	if shown := fetch(http.MethodGet, page, ""); !strings.Contains(shown, `<html lang="pt">`) {
		t.Error("launched without a language, the game doesn't speak the default one")
	}
	var round struct {
		Win     int64  `json:"win"`
		Balance string `json:"balance"`
		Refused string `json:"refused"`
	}
	if err := json.Unmarshal([]byte(fetch(http.MethodPost, page+"/spin", `{"bet":100}`)), &round); err != nil || round.Refused != "" {
		t.Fatalf("the spin: %+v, %v", round, err)
	}
	var kept struct {
		Balance float64 `json:"balance"`
	}
	if err := json.Unmarshal([]byte(fetch(http.MethodGet, site+"agents/acme/players/"+bob, "")), &kept); err != nil {
		t.Fatal(err)
	}
	if want := 999 + float64(round.Win)/100; kept.Balance != want {
		t.Errorf("the site keeps %v, want %v", kept.Balance, want)
	}
	// Pages of this machine may call.
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, line.BaseURL+"/public/tokens", nil)
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Origin", "http://localhost:5173")
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	if allowed := answer.Header.Get("Access-Control-Allow-Origin"); answer.Body.Close() != nil || allowed != "http://localhost:5173" {
		t.Errorf("a page of this machine gets %q", allowed)
	}
}

// TestServeKnowsNoLoopback: casino serve refuses what casino dev allows on this machine.
func TestServeKnowsNoLoopback(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	s := w.serve()
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.api+"/public/tokens", nil)
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Origin", "http://localhost:5173")
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	if allowed := answer.Header.Get("Access-Control-Allow-Origin"); answer.Body.Close() != nil || allowed != "" {
		t.Errorf("a page of this machine gets %q", allowed)
	}
	name, endpoint := "Acme", "http://127.0.0.1:8877/site/"
	_, err = s.signIn("root").CreateAgent(t.Context(), api.CreateAgentRequest{AgentCode: "acme", AgentRequest: api.AgentRequest{AgentName: &name, SiteEndpoint: &endpoint}})
	if client.CodeOf(err) != "INVALID_PARAMETER" {
		t.Errorf("a site on this machine: %v", err)
	}
}

// TestAnotherCasinoThanTheFoldersIsRefused uses a casino with another treasury than the
// folder's. It is refused before anything is signed.
func TestAnotherCasinoThanTheFoldersIsRefused(t *testing.T) {
	t.Parallel()
	folder, asked := t.TempDir(), ""
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked += r.Method + " " + r.URL.Path + "\n"
		fmt.Fprintf(w, `{"status":"ok","version":"1","address":%q,"result":"hash","jsonrpc":"2.0"}`, fakes.Wallet("other"))
	}))
	t.Cleanup(other.Close)
	keypair := filepath.Join(folder, "alice.json")
	if err := errors.Join(dev.WriteKeypair(dev.Folder(folder).Treasury(), fakes.Key("treasury")), dev.WriteKeypair(keypair, fakes.Key("alice"))); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"demo"}, {"pay", keypair, "1", "--rpc-url", genesisOnly(t)}} {
		for _, where := range [][]string{{"--base-url", other.URL + "/casino"}, {"--http-addr", strings.TrimPrefix(other.URL, "http://")}} {
			_, errOut, code := runCasino(t, append(append(args, where...), "--data-dir", folder)...)
			if code != exitUsage && code != exitFailed || !strings.Contains(errOut, "is not the one in "+folder) || !strings.Contains(errOut, string(fakes.Wallet("other"))) {
				t.Errorf("casino %s: exit %d\n%s", args, code, errOut)
			}
		}
		_, errOut, _ := runCasino(t, append(args, "--base-url", other.URL+"/casino", "--data-dir", t.TempDir())...)
		if !strings.Contains(errOut, "start casino dev there") {
			t.Errorf("casino %s in an empty folder: %s", args, errOut)
		}
	}
	if strings.Contains(asked, http.MethodPost) {
		t.Errorf("it was asked for\n%s", asked)
	}
}

// genesisOnly serves a chain that only knows its genesis.
func genesisOnly(t *testing.T) string {
	t.Helper()
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":0,"result":"4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn"}`)
	}))
	t.Cleanup(node.Close)
	return node.URL
}

// TestNothingIsPaidOnMainnet uses a local node that is on mainnet.
func TestNothingIsPaidOnMainnet(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":0,"result":"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"}`)
	}))
	t.Cleanup(node.Close)
	keypair := filepath.Join(folder, "alice.json")
	if err := dev.WriteKeypair(keypair, fakes.Key("alice")); err != nil {
		t.Fatal(err)
	}
	_, errOut, code := runCasino(t, "pay", keypair, "1", "--rpc-url", node.URL, "--data-dir", folder)
	if code != exitUsage || !strings.Contains(errOut, "mainnet") {
		t.Errorf("exit %d\n%s", code, errOut)
	}
}

// TestErrorsReadLikeSentences: errors are readable text, not Go values.
func TestErrorsReadLikeSentences(t *testing.T) {
	t.Parallel()
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nowhere := "http://" + free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	_, errOut, code := runCasino(t, "demo", "--base-url", nowhere+"/casino", "--data-dir", t.TempDir())
	if want := "casino: step 1: no casino dev answers at " + nowhere + "/casino: " + nowhere + "/casino/health: nothing listens there\n"; code != exitFailed || errOut != want {
		t.Errorf("exit %d, %q, want %q", code, errOut, want)
	}
	refused := &jsonrpc.RPCError{Code: -32002, Message: "Transaction simulation failed: no funds", Data: map[string]any{"logs": []string{"x"}}}
	for text, err := range map[string]error{
		"step 3: paying on chain: the chain refuses: Transaction simulation failed: no funds": fmt.Errorf("step 3: paying on chain: %w", refused),
		"http://x: no answer came in time": fmt.Errorf("rpc call getSlot() on http://x: %w", &url.Error{Op: "Post", URL: "http://x", Err: os.ErrDeadlineExceeded}),
		"plain":                            errors.New("plain"),
	} {
		if got := cli.ErrorText(err); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
}

// TestTheTokensFileOfTheFolderIsInForce changes a limit and reads it from the service.
func TestTheTokensFileOfTheFolderIsInForce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "tokens.json"), []byte(strings.Replace(productionTokens, `"maxWager": 100000000`, `"maxWager": 7000000`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	line, _ := startFolder(t, folder)
	tokens, err := client.New(line.BaseURL, nil).Tokens(t.Context())
	if err != nil || len(tokens) != 1 || tokens[0].MaxWager != 7_000_000 {
		t.Errorf("%+v, %v", tokens, err)
	}
}
