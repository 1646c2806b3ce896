package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The published log is read from a URL or a folder. A tile that it lacks is a finding, and a log
// that can't be read is none.
func TestTheLogIsReadFromAURLOrAFolder(t *testing.T) {
	t.Parallel()
	const origin = "casino/the-ledger/1"
	private, public, err := note.GenerateKey(rand.Reader, origin)
	signer, err2 := note.NewSigner(private)
	leaf := tlog.RecordHash([]byte("entry"))
	signed, err3 := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n1\n%s\n", origin, leaf)}, signer)
	keys, err4 := json.Marshal(map[string]any{"keys": []any{}, "log": []string{public}})
	folder := t.TempDir()
	file := func(name string, text []byte) string {
		path := filepath.Join(folder, filepath.FromSlash(name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600))
		return path
	}
	trusted, kept := file("keys.json", keys), file("checkpoints", signed)
	file("log/checkpoint", signed)
	file("log/tile/0/000.p/1", leaf[:])
	file("untiled/checkpoint", signed)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	files := http.FileServer(http.Dir(folder))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/broken/") {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	for _, base := range []string{server.URL, folder} {
		for name, c := range map[string]struct {
			code     int
			out, err string
		}{
			"log":     {exitDone, "2 of 2 checkpoints are verified\n", ""},
			"untiled": {exitFailed, "--log: log: the log lacks tile/0/000.p/1\n2 of 2 checkpoints are verified\n", "the log shows that something is wrong"},
			"none":    {exitUsage, "", "the log has no checkpoint"},
		} {
			out, errOut, code := runCasino(t, "verify", "--log", base+"/"+name, "--keys", trusted, "--checkpoints", kept)
			if code != c.code || out != c.out || !strings.Contains(errOut, c.err) {
				t.Errorf("%s/%s: exit %d, %q, %q", base, name, code, out, errOut)
			}
		}
	}
	for want, args := range map[string][]string{
		"answers with status 502":      {"--log", server.URL + "/broken", "--keys", trusted},
		"--log needs --keys":           {"--log", folder + "/log"},
		"--checkpoints needs --log":    {"--receipt", trusted, "--keys", trusted, "--wallet", "w", "--checkpoints", kept},
		"--witnesses needs --log":      {"--witnesses", kept},
		"no verifier key of a witness": {"--log", folder + "/log", "--keys", trusted, "--witnesses", kept},
		"no such file":                 {"--log", folder + "/log", "--keys", trusted, "--checkpoints", kept + "x"},
	} {
		if out, errOut, code := runCasino(t, append([]string{"verify"}, args...)...); code != exitUsage || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("%v: exit %d, %q, %q, want %q", args, code, out, errOut, want)
		}
	}
}
