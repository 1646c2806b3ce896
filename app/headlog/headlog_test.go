package headlog_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/stores"
)

// TestMain runs every test on memory and on SQLite.
func TestMain(m *testing.M) { os.Exit(stores.Everywhere(m)) }

// tiles reads a log's tiles as a monitor does.
type tiles struct{ *apptest.House }

func (tiles) Height() int { return 8 }

func (h tiles) ReadTiles(all []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range all {
		path := tile.Path()[len("tile/8/"):]
		got, err := h.HeadLog.Tile(h.Ctx, 1, path[:1], path[2:])
		if err != nil {
			return nil, err
		}
		data = append(data, got)
	}
	return data, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// published returns the newest checkpoint's tree, opened with the published key.
func published(t *testing.T, h *apptest.House) (origin string, tree tlog.Tree) {
	t.Helper()
	for apptest.OK(h.HeadLog.Step(h.Ctx))(t) {
		continue
	}
	keys := apptest.OK(h.HeadLog.VerifierKeys(h.Ctx))(t)
	verifier := apptest.OK(note.NewVerifier(keys[0]))(t)
	newest := apptest.OK(h.HeadLog.Checkpoint(h.Ctx, 1))(t)
	opened := apptest.OK(note.Open([]byte(newest.Note), note.VerifierList(verifier)))(t)
	return opened.Sigs[0].Name, apptest.OK(treeOf(opened.Text))(t)
}

// treeOf reads a checkpoint's text: the origin, the size and the root.
func treeOf(text string) (tree tlog.Tree, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 {
		return tree, fmt.Errorf("a checkpoint of %d lines", len(lines))
	}
	if tree.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return tree, err
	}
	tree.Hash, err = tlog.ParseHash(lines[2])
	return tree, err
}

// Checkpoints extend one another, by their tiles alone, and have every block.
func TestCheckpointsAreConsistent(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "ledger-1"}); err != nil {
		t.Fatal(err)
	}
	alice := h.NewPlayer("alice", 1_000_000)
	apptest.Refused(t, apptest.ErrorOf(h.HeadLog.Checkpoint(h.Ctx, 1)), fault.NotFound)
	var trees []tlog.Tree
	for range 40 {
		for range 7 {
			apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
		}
		origin, tree := published(t, h)
		if origin != "casino/ledger-1/1" {
			t.Fatalf("the origin is %q", origin)
		}
		trees = append(trees, tree)
	}
	newest := trees[len(trees)-1]
	if newest.N <= 256 {
		t.Fatalf("the log has only %d entries: no tile is full", newest.N)
	}
	reader := tlog.TileHashReader(newest, tiles{h})
	for _, earlier := range trees {
		proof := apptest.OK(tlog.ProveTree(newest.N, earlier.N, reader))(t)
		if err := tlog.CheckTree(proof, newest.N, newest.Hash, earlier.N, earlier.Hash); err != nil {
			t.Errorf("%d entries are not extended by %d: %v", earlier.N, newest.N, err)
		}
	}
	var read []hashchain.Header
	for _, path := range []string{"000", tlog.Tile{H: 8, L: 0, N: 1, W: int(newest.N - 256)}.Path()[len("tile/8/0/"):]} {
		data := apptest.OK(h.HeadLog.Tile(h.Ctx, 1, "entries", path))(t)
		for len(data) > 0 {
			n := 2 + int(binary.BigEndian.Uint16(data))
			read = append(read, apptest.OK(hashchain.ParseHeader(string(data[2:n])))(t))
			data = data[n:]
		}
	}
	if int64(len(read)) != newest.N {
		t.Fatalf("the tiles have %d entries, the tree %d", len(read), newest.N)
	}
	for _, i := range []int{0, 1, 255, len(read) - 1} {
		proved := apptest.OK(h.HeadLog.Prove(h.Ctx, read[i]))(t)
		root, valid := merkle.RootOf(read[i].LogLeaf(), int(proved.Index), int(newest.N), proved.Path)
		if !valid || root != newest.Hash || proved.Index != int64(i) {
			t.Errorf("block %d:%d is not proved", read[i].Lane, read[i].Seq)
		}
	}
	for _, path := range [][2]string{
		{"0", "002"}, {"0", "1"}, {"0", "0000"}, {"0", "x000/000"}, {"0", "000.p/256"}, {"0", "000.p/01"}, {"0", "../0/000"}, {"00", "000"},
		{"data", "000"}, {"1", "001"}, {"entries", "001"}, {"x", "000"}, {"0", "000.p/0"}, {"-1", "000"}, {"63", "000"}, {"7", "000.p/1"}, {"8", "000.p/1"},
		{"0", "x009/x223/x372/x036/x854/x775/807"}, {"entries", "x036/x028/x797/x018/x963/968"},
	} {
		got, err := h.HeadLog.Tile(context.Background(), 1, path[0], path[1])
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("tile %v: %d bytes, %v", path, len(got), err)
		}
	}
	for _, epoch := range []int64{0, 2} {
		if got, err := h.HeadLog.Tile(context.Background(), epoch, "0", "000"); !fault.Is(err, fault.NotFound) {
			t.Errorf("a tile of epoch %d: %d bytes, %v", epoch, len(got), err)
		}
	}
}
