package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The round of shared-crash.md is verified from a file and a URL, against a kept answer and a
// node; changes of each are found.
func TestTheRoundOfTheSharedCrashIsVerified(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/fairness/shared-crash.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("the page has no answer")
	}
	example := string(block[1])
	const genesis, blockhash = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"
	const kept, done, failed, usage = `{"now":1,"chain":`, exitDone, exitFailed, exitUsage
	chain, _, _ := strings.Cut(strings.SplitN(example, `"chain":`, 2)[1], `"round":`)
	before := kept + strings.TrimRight(chain, ", \n") + "}"
	for name, c := range map[string]struct {
		answer, before, genesis, hash string
		code                          int
		says                          string
	}{
		"in order":          {example, before, genesis, blockhash, done, "round 1 of chain 2026-1 is verified, with 3 bets\n"},
		"alone":             {example, "", "", "", done, "not checked: the beacon"},
		"another point":     {strings.Replace(example, `5.02`, `5.03`, 1), "", "", "", failed, "point: "},
		"another chain":     {example, strings.Replace(before, "delay: 32", "delay: 31", 1), genesis, blockhash, failed, "before: "},
		"another blockhash": {example, before, genesis, genesis, failed, "beacon: the network has"},
		"another network":   {example, before, blockhash, blockhash, usage, "another network"},
		"no round":          {before, "", "", "", usage, "not revealed"},
		"no answer":         {`[]`, "", "", "", usage, "is no answer"},
		"a long multiplier": {strings.Replace(example, `5.02`, `5.020`, 1), "", "", "", usage, "two decimals"},
	} {
		folder := t.TempDir()
		server := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				_, _ = to.Write([]byte(c.answer))
				return
			}
			var asked struct {
				ID     json.RawMessage
				Method string
			}
			if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
				t.Error(err)
			}
			result := map[string]string{
				"getGenesisHash": fmt.Sprintf("%q", c.genesis), "getBlocksWithLimit": "[380000033]",
				"getBlock": fmt.Sprintf(`{"blockhash":%q,"parentSlot":380000031}`, c.hash),
			}[asked.Method]
			_, _ = fmt.Fprintf(to, `{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, result)
		}))
		t.Cleanup(server.Close)
		file := filepath.Join(folder, "round.json")
		arguments := []string{}
		if c.before != "" {
			arguments = append(arguments, "--before", filepath.Join(folder, "before.json"))
			if err := os.WriteFile(arguments[1], []byte(c.before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if c.genesis != "" {
			arguments = append(arguments, "--rpc", server.URL)
		}
		if err := os.WriteFile(file, []byte(c.answer), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{file, server.URL + "/crash/rounds/1"} {
			out, errOut, code := runCasino(t, append([]string{"verify", "--crash", from}, arguments...)...)
			if code != c.code || !strings.Contains(out+errOut, c.says) {
				t.Errorf("%s from %s: exit %d, want %d with %q\n%s%s", name, from, code, c.code, c.says, out, errOut)
			}
		}
	}
}
