package httpapi_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// A player's proof leads to the published checkpoint, and the tiles to its root.
func TestLogIsPublished(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{})
	h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "ledger-1"}))
	h.funded("alice", string(money.SOL), 1_000_000)
	answer := h.ask(question{
		method: http.MethodPost, path: "/play", as: "alice",
		body: `{"gameType": "dice", "wager": 10000, "token": "` + string(money.SOL) + `", "config": {"target": 50, "direction": "over"}}`,
	}).ok(http.StatusOK).text
	var played api.Played
	h.must(json.Unmarshal(answer, &played))
	prove := func() (proof api.ProofResponse) {
		h.must(json.Unmarshal(h.ask(question{method: http.MethodGet, path: "/history/" + played.Round.ID + "/proof?log=true", as: "alice"}).ok(http.StatusOK).text, &proof))
		return proof
	}
	if early := prove(); early.Log.Checkpoint != "" {
		t.Fatalf("a proof without a checkpoint: %+v", early.Log)
	}
	for more := true; more; {
		var err error
		more, err = h.casino.HeadLog.Step(t.Context())
		h.must(err)
	}
	var keys api.PublicKeysResponse
	h.must(json.Unmarshal(h.ask(question{method: http.MethodGet, path: "/public/keys"}).ok(http.StatusOK).text, &keys))
	verifier, err := note.NewVerifier(keys.Log[0])
	h.must(err)
	get := func(path, contentType, caching string) []byte {
		got := httptest.NewRecorder()
		h.api.ServeHTTP(got, httptest.NewRequest(http.MethodGet, base+path, nil))
		if got.Code != http.StatusOK || got.Header().Get("Content-Type") != contentType || got.Header().Get("Cache-Control") != caching {
			t.Fatalf("%s: %d %v", path, got.Code, got.Header())
		}
		return got.Body.Bytes()
	}
	checkpoint := get("/public/log/1/checkpoint", "text/plain; charset=utf-8", "public, max-age=1")
	const forever = "public, max-age=31536000, immutable"
	opened, err := note.Open(checkpoint, note.VerifierList(verifier))
	h.must(err)
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	h.must(err)
	root, err := tlog.ParseHash(lines[2])
	h.must(err)
	tile := tlog.Tile{H: 8, L: 0, N: 0, W: int(size)}
	hashes := get("/public/log/1/tile/0/000.p/"+lines[1], "application/octet-stream", forever)
	if got, err := tlog.TreeHash(size, tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, oneTile{tile, hashes})); err != nil || got != root {
		t.Errorf("the tile has the root %v, %v", got, err)
	}
	entries := get("/public/log/1/tile/entries/000.p/"+lines[1], "application/octet-stream", forever)
	logged := prove()
	_, header, _ := strings.Cut(logged.Receipt.Text, "casino block")
	header = "casino block" + header
	if !strings.Contains(string(entries), header) || logged.Log.Checkpoint != string(checkpoint) {
		t.Errorf("the log lacks %q", header)
	}
	var path tlog.RecordProof
	for _, text := range logged.Log.Path {
		raw, err := base64.StdEncoding.DecodeString(text)
		h.must(err)
		path = append(path, tlog.Hash(raw))
	}
	h.must(tlog.CheckRecord(path, size, root, logged.Log.Index, tlog.RecordHash([]byte(header))))
	for _, path := range []string{
		"/public/log/2/checkpoint", "/public/log/01/checkpoint", "/public/log/+1/checkpoint", "/public/log/0/checkpoint", "/public/log/x/checkpoint",
		"/public/log/99999999999999999999/checkpoint", "/public/log/2/tile/0/000.p/" + lines[1], "/public/log/01/tile/0/000.p/" + lines[1],
		"/public/log/1/tile/0/000", "/public/log/1/tile/0/000.p/0", "/public/log/1/tile/0/000.p/0" + lines[1], "/public/log/1/tile/00/000.p/" + lines[1],
		"/public/log/1/tile/0/x000/000.p/" + lines[1], "/public/log/1/tile/0/000.p/" + lines[1] + "/", "/public/log/1/tile/0/%2e%2e/000",
		"/public/log/1/tile/data/000.p/" + lines[1], "/public/log/1/tile/0/000.p/" + fmt.Sprint(size+1),
	} {
		got := httptest.NewRecorder()
		h.api.ServeHTTP(got, httptest.NewRequest(http.MethodGet, base+path, nil))
		if got.Code != http.StatusNotFound || strings.Contains(got.Header().Get("Cache-Control"), "public") {
			t.Errorf("%s: %d %v", path, got.Code, got.Header())
		}
	}
	h.ask(question{method: http.MethodGet, path: "/history/" + played.Round.ID + "/proof?log=yes", as: "alice"}).is(http.StatusBadRequest, "INVALID_PARAMETER")
}

// oneTile is a log of one tile.
type oneTile struct {
	tile tlog.Tile
	data []byte
}

func (oneTile) Height() int { return 8 }

func (o oneTile) ReadTiles(all []tlog.Tile) (data [][]byte, err error) {
	for range all {
		data = append(data, o.data)
	}
	return data, nil
}

func (oneTile) SaveTiles([]tlog.Tile, [][]byte) {}
