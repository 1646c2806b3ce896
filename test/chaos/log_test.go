package chaos_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// witnessName names the witness, a litewitness of filippo.io/torchwood.
const witnessName = "witness.example/one"

// litewitness is a running witness of somebody else's.
type litewitness struct {
	*deployment
	address string
	key     *torchwood.CosignatureVerifier
}

// startWitness builds and runs a witness, with its key in an agent of the test.
func (d *deployment) startWitness() *litewitness {
	d.Helper()
	signer, err := torchwood.NewCosignatureSigner(witnessName, fakes.Key(witnessName))
	noError(d, err)
	w := &litewitness{deployment: d, key: signer.Verifier()}
	program := filepath.Join(d.TempDir(), "litewitness")
	build := exec.CommandContext(d.Context(), "go", "build", "-o", program, "filippo.io/torchwood/cmd/litewitness")
	build.Dir = "../litewitness"
	if out, err := build.CombinedOutput(); err != nil {
		d.Fatalf("the witness can't be built: %v\n%s", err, out)
	}
	keys := agent.NewKeyring()
	key := fakes.Key(witnessName)
	noError(d, keys.Add(agent.AddedKey{PrivateKey: &key}))
	folder, err := os.MkdirTemp("", "agent") // a socket's path must be short
	noError(d, err)
	socket, err := net.Listen("unix", filepath.Join(folder, "a"))
	noError(d, err)
	d.Cleanup(func() { _ = errors.Join(socket.Close(), os.RemoveAll(folder)) })
	go func() {
		for connection, err := socket.Accept(); err == nil; connection, err = socket.Accept() {
			go func() { _ = agent.ServeAgent(keys, connection) }()
		}
	}()
	public, err := ssh.NewPublicKey(key.Public())
	noError(d, err)
	w.address, _ = services.FreeAddresses(d)
	running := exec.Command(program, "-name", witnessName, "-db", filepath.Join(d.folder, "witness.db"),
		"-ssh-agent", socket.Addr().String(), "-listen", w.address, "-key", ssh.FingerprintSHA256(public))
	log := &buffer{}
	running.Stdout, running.Stderr = log, log
	noError(d, running.Start())
	d.Cleanup(func() {
		_ = running.Process.Kill()
		_ = running.Wait()
		if d.Failed() {
			d.Logf("the witness's log:\n%s", log)
		}
	})
	eventually(d, "the witness listens", func() bool {
		answer, err := http.Get("http://" + w.address + "/")
		if err == nil {
			_ = answer.Body.Close()
		}
		return err == nil
	})
	return w
}

// follow has the witness follow a log: what its witnessctl writes, which can't be built without a
// module that proxies may lack.
func (w *litewitness) follow(origin string, keys ...string) {
	w.Helper()
	database, err := sql.Open("sqlite", "file:"+filepath.Join(w.folder, "witness.db")+"?_pragma=busy_timeout(10000)")
	noError(w, err)
	defer func() { _ = database.Close() }()
	empty := sha256.Sum256(nil) // the root of no entries
	_, err = database.ExecContext(w.Context(), "INSERT INTO log (origin, tree_size, tree_hash) VALUES (?, 0, ?)", origin, base64.StdEncoding.EncodeToString(empty[:]))
	noError(w, err)
	for _, key := range keys {
		_, err := database.ExecContext(w.Context(), "INSERT INTO key (origin, key) VALUES (?, ?)", origin, key)
		noError(w, err)
	}
}

// publicLog is the log of an instance, read by somebody else's client.
type publicLog struct {
	*instance
	key     note.Verifier
	witness *litewitness
	seen    []tlog.Tree
}

// cosigned returns the published checkpoint, and whether the witness cosigned it.
func (f *publicLog) cosigned() (tree tlog.Tree, cosigned bool) {
	f.Helper()
	text, err := f.fetcher().ReadEndpoint(f.Context(), "checkpoint")
	noError(f, err)
	opened, err := note.Open(text, note.VerifierList(f.key, f.witness.key))
	noError(f, err)
	checkpoint, err := torchwood.ParseCheckpoint(opened.Text)
	noError(f, err)
	f.seen = append(f.seen, checkpoint.Tree)
	return checkpoint.Tree, len(opened.Sigs) == 2
}

func (f *publicLog) fetcher() *torchwood.TileFetcher {
	f.Helper()
	fetcher, err := torchwood.NewTileFetcher("http://" + f.api + "/casino/public/log/1")
	noError(f, err)
	return fetcher
}

// grows waits until the witness has cosigned more than a number of blocks.
func (f *publicLog) grows(beyond int64) (tree tlog.Tree) {
	f.Helper()
	eventually(f, fmt.Sprintf("the witness cosigns more than %d blocks", beyond), func() (cosigned bool) {
		pause(f, 200*time.Millisecond)
		tree, cosigned = f.cosigned()
		return cosigned && tree.N > beyond
	})
	return tree
}

// checkHistory fails unless every checkpoint that was seen is of one log, whose entries are each
// lane's blocks in their order. It returns the number of lanes.
func (f *publicLog) checkHistory(newest tlog.Tree) int {
	f.Helper()
	client, err := torchwood.NewClient(f.fetcher())
	noError(f, err)
	last, read := map[int]hashchain.Header{}, int64(0)
	for i, entry := range client.Entries(f.Context(), newest, 0) {
		header, err := hashchain.ParseHeader(string(entry))
		noError(f, err)
		previous := last[header.Lane]
		if previous.Seq > 0 && (header.Previous != previous.Hash() || header.Seq != previous.Seq+1) {
			f.Errorf("entry %d is block %d:%d, after block %d of its lane", i, header.Lane, header.Seq, previous.Seq)
		}
		last[header.Lane], read = header, i+1
	}
	if noError(f, client.Err()); read < newest.N-255 { // it leaves out a partial tile
		f.Errorf("%d of %d entries were read", read, newest.N)
	}
	reader := tlog.TileHashReader(newest, tiles{f})
	for _, earlier := range f.seen {
		proof, err := tlog.ProveTree(newest.N, earlier.N, reader)
		noError(f, err)
		if err := tlog.CheckTree(proof, newest.N, newest.Hash, earlier.N, earlier.Hash); err != nil {
			f.Errorf("the log of %d entries does not extend the checkpoint of %d: %v", newest.N, earlier.N, err)
		}
	}
	return len(last)
}

// tiles reads tiles without a context.
type tiles struct{ *publicLog }

func (tiles) Height() int { return torchwood.TileHeight }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	return t.fetcher().ReadTiles(t.Context(), wanted)
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// TestWitnessedLogUnderKills has a witness of somebody else's cosign the public log while players
// bet and the service is killed, and reads the log with somebody else's client. Then the log in
// the database is begun again in another order: the witness refuses it, which is an alarm and
// stops nothing, and with the heads of the first log the service closes as restored.
func TestWitnessedLogUnderKills(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	cluster := services.NewCluster(t)
	d := deploy(t, cluster.URL(), "none")
	secret := fmt.Sprintf("%x", sha256.Sum256([]byte(d.folder+"receipts")))
	d.write("receipt.keys", "test:"+secret)
	d.secrets = append(d.secrets, secret)
	witness := d.startWitness()
	d.environment = append(d.environment, "CASINO_RECEIPT_KEYS_FILE=receipt.keys")
	serving := d.start()
	keys, err := serving.client("203.0.113.1").PublicKeys(t.Context())
	noError(t, err)
	key, err := note.NewVerifier(keys.Log[0])
	noError(t, err)
	witness.follow(key.Name(), keys.Log...)
	serving.stop()
	d.environment = append(d.environment, "CASINO_LOG_WITNESSES=http://"+witness.address+" "+witness.key.String())
	serving.again()
	log := &publicLog{instance: serving, key: key, witness: witness}

	guests := invite(t, 8, serving)
	stop := make(chan struct{})
	playing := guests.play(2, func(int) bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	})
	kills, blocks := number(t, "CASINO_TEST_LOG_KILLS", 2), int64(number(t, "CASINO_TEST_LOG_BLOCKS", 100))
	var newest tlog.Tree
	for n := range kills {
		newest = log.grows(max(newest.N, blocks*int64(n)/int64(kills+1)))
		serving.kill()
		serving.again()
	}
	newest = log.grows(max(newest.N, blocks))
	close(stop)
	playing.Wait()
	guests.settle()
	lanes := log.checkHistory(newest)
	if message := alarm.PublicLog.Message(); strings.Contains(serving.log.String(), message) {
		t.Errorf("an alarm: %s", message)
	}
	serving.stop()
	d.audited()
	t.Logf("%d kills, %d blocks of %d lanes in %d checkpoints", kills, newest.N, lanes, len(log.seen))

	forkLog(t, cluster)
	noError(t, os.Rename(filepath.Join(d.folder, "state"), filepath.Join(d.folder, "kept")))
	serving.again()
	eventually(t, "the alarm names the witness", func() bool {
		logged := serving.log.String()
		return strings.Contains(logged, alarm.PublicLog.Message()) && strings.Contains(logged, witnessName)
	})
	if forked, cosigned := log.cosigned(); cosigned {
		t.Errorf("a forked log of %d entries is cosigned", forked.N)
	}
	if _, err := serving.client("203.0.113.1").Health(t.Context()); err != nil {
		t.Errorf("the service is closed: %v", err)
	}
	serving.stop()
	noError(t, os.RemoveAll(filepath.Join(d.folder, "state")))
	noError(t, os.Rename(filepath.Join(d.folder, "kept"), filepath.Join(d.folder, "state")))
	serving.again()
	health, err := serving.client("203.0.113.1").Health(t.Context())
	noError(t, err)
	if detail := health.Checks["ledger"].Detail; !strings.Contains(detail, "the public log in the database does not have the entries of a signed checkpoint") {
		t.Errorf("the ledger: %q", detail)
	}
}

// forkLog empties the public log in the database. The service begins it again, lane by lane: in
// another order than when the blocks were made.
func forkLog(t *testing.T, cluster *services.Cluster) {
	t.Helper()
	database, err := sql.Open("pgx", cluster.URL())
	noError(t, err)
	defer func() { _ = database.Close() }()
	for _, statement := range []string{
		"ALTER TABLE log_entries DISABLE TRIGGER USER", "ALTER TABLE log_hashes DISABLE TRIGGER USER", "TRUNCATE log_entries, log_hashes, log_checkpoints",
		"ALTER TABLE log_entries ENABLE TRIGGER USER", "ALTER TABLE log_hashes ENABLE TRIGGER USER",
	} {
		_, err := database.ExecContext(t.Context(), statement)
		noError(t, err)
	}
}
