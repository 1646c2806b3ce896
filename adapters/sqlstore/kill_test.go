package sqlstore_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// Names of the environment variables that make this test binary the process to be killed.
const (
	killWhere = "CASINO_KILL_TEST_WHERE"
	killRun   = "CASINO_KILL_TEST_RUN"
)

// TestUnderLoadUntilKilled is the process that TestKilledUnderLoad starts: it writes as fast as
// it can and prints each answer, until it is killed.
func TestUnderLoadUntilKilled(t *testing.T) {
	where := os.Getenv(killWhere)
	if where == "" {
		t.Skip("it is a part of TestKilledUnderLoad") // allowed: this is the helper process's own test
	}
	run := os.Getenv(killRun)
	seed := int64(0)
	for _, c := range run {
		seed = seed*31 + int64(c)
	}
	on := onSQLite
	if strings.HasPrefix(where, "postgres") {
		on = onPostgres
	}
	w := &world{TB: t, on: on, where: where, clock: fakes.NewClock(fakes.Start), entropy: fakes.NewEntropy(seed), run: run}
	w.open(sqlstore.WriterOptions{}, unwrapped)
	w.start(w.writer)
	people := make([]wallet.Address, 12)
	for i := range people {
		people[i] = fakes.Wallet(fmt.Sprint(run, i))
		w.signIn(1_000_000, people[i])
	}
	callers(32, 1<<30, func(i int) {
		who := people[i%len(people)]
		var item player.Item
		switch i % 5 {
		case 0:
			item = w.rotate(who, "mine")
		case 1:
			item = w.withdraw(who, 10)
		case 2:
			item = w.adjust(who, 1)
		default:
			item = w.play(who, 10)
		}
		item = keyed(item, fmt.Sprint(run, i), "print")
		receipt, err := w.writer.Commit(context.Background(), item)
		switch {
		case err == nil:
			fmt.Printf("answer\t%s\t%s\t%s\n", who, item.Keys[0].ID, told(receipt, nil))
		case !fault.Is(err, fault.TooManyOpen) && !fault.Is(err, fault.RateLimited):
			t.Error(err)
		}
	})
}

// TestKilledUnderLoad repeatedly kills a process that writes, and then finds every answered
// change, and all data sound.
func TestKilledUnderLoad(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		if err := w.store.Close(); err != nil {
			t.Fatal(err)
		}
		const kills, answersUntil = 4, 150
		answers := map[player.UniqueKey]string{}
		for run := range kills {
			var mu sync.Mutex
			err := killed(t, w.where, fmt.Sprintf("run%d-", run), answersUntil*(run+1), func(who, key, text string) {
				mu.Lock()
				defer mu.Unlock()
				answers[player.UniqueKey{Kind: player.IdempotencyKey, Scope: who, ID: key, Fingerprint: "print"}] = text
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(answers) < kills*answersUntil {
			t.Fatalf("only %d answers were given", len(answers))
		}
		w.open(sqlstore.WriterOptions{ID: "after the kills"}, unwrapped)
		w.start(w.writer)
		for claim, want := range answers {
			receipt, err := w.writer.Commit(t.Context(), player.Item{
				Wallet: wallet.Address(claim.Scope), Keys: []player.UniqueKey{claim}, At: w.now(),
				Decide: func(player.View) (player.Change, error) { return player.Change{}, errors.New("it was forgotten") },
			})
			if err != nil || !receipt.Replayed {
				t.Errorf("%s: %v", claim.ID, err)
				continue
			}
			receipt.Replayed = false
			if got := told(receipt, nil); got != want {
				t.Errorf("%s was answered\n     %s\nthen %s", claim.ID, want, got)
			}
		}
		w.sound()
		if total := w.number(`SELECT coalesce(sum(amount), 0) FROM balances WHERE token = ?`, string(money.SOL)); total == 0 {
			t.Error("nothing was written")
		}
	})
}

// killed runs this test binary on the database until it has given a number of answers, kills it,
// and passes on every answer.
func killed(t *testing.T, where, run string, until int, answer func(who, key, text string)) error {
	t.Helper()
	binary, err := filepath.Abs(os.Args[0])
	if err != nil {
		return err
	}
	process := exec.CommandContext(t.Context(), binary, "-test.run=^TestUnderLoadUntilKilled$")
	process.Env = append(os.Environ(), killWhere+"="+where, killRun+"="+run)
	out, err := process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	given := 0
	for lines.Scan() {
		parts := strings.SplitN(lines.Text(), "\t", 4)
		if len(parts) < 4 || parts[0] != "answer" {
			if given < until {
				t.Errorf("the process says %q", lines.Text())
			}
			continue
		}
		answer(parts[1], parts[2], parts[3])
		if given++; given == until {
			if err := process.Process.Kill(); err != nil {
				return err
			}
		}
	}
	if process.Wait() == nil {
		return errors.New("the process ended by itself")
	}
	return lines.Err()
}

// proxy is between the store and a PostgreSQL server and cuts a connection at its COMMIT, before
// it reached the server or after the server answered it.
type proxy struct {
	testing.TB
	server string
	mu     sync.Mutex
	// cuts are the coming cuts, true for one after the server's answer.
	cuts []bool
	// made counts the cuts.
	made int
}

// newProxy listens and returns the URL that goes through it.
func newProxy(t testing.TB, where string) (*proxy, string) {
	t.Helper()
	parsed, err := url.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{TB: t, server: parsed.Host}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		all.Wait()
	})
	all.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { p.serve(client) })
		}
	})
	parsed.Host = listener.Addr().String()
	return p, parsed.String()
}

// cut plans a cut at the next COMMIT without a planned cut.
func (p *proxy) cut(afterwards bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cuts = append(p.cuts, afterwards)
}

func (p *proxy) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.made
}

// take reports whether this COMMIT is cut, and when.
func (p *proxy) take() (cut, afterwards bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.cuts) == 0 {
		return false, false
	}
	cut, afterwards, p.cuts = true, p.cuts[0], p.cuts[1:]
	p.made++
	return cut, afterwards
}

// serve passes on messages until the connection ends or is cut.
func (p *proxy) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	var silent sync.Mutex // held while the client gets no more answers
	var all sync.WaitGroup
	defer all.Wait()
	defer func() { _ = server.Close() }()
	answers := make(chan struct{}, 1024)
	all.Go(func() {
		defer func() { _ = client.Close() }()
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			if silent.TryLock() {
				_, _ = client.Write(buffer[:n])
				silent.Unlock()
			} else if n >= len(readyForQuery) && bytes.Equal(buffer[n-len(readyForQuery):n-1], readyForQuery[:len(readyForQuery)-1]) {
				answers <- struct{}{}
			}
			if err != nil {
				return
			}
		}
	})
	// The first message has no type: only its length and contents.
	if err := pass(client, server, 4, 0); err != nil {
		return
	}
	commits := "" // the name of the prepared COMMIT
	for afterwards := false; ; {
		message, err := read(client, 5, 1)
		if err != nil {
			return
		}
		texts := bytes.SplitN(message[5:], []byte{0}, 3)
		switch {
		case message[0] == 'P' && string(texts[1]) == "COMMIT":
			commits = string(texts[0])
		case message[0] == 'B' && commits != "" && string(texts[1]) == commits:
			cut := false
			if cut, afterwards = p.take(); cut {
				silent.Lock()
			}
			if cut && !afterwards {
				return
			}
		}
		if _, err := server.Write(message); err != nil {
			return
		}
		if afterwards && message[0] == 'S' {
			<-answers
			return
		}
	}
}

// readyForQuery ends a server's answer to a Sync; the last byte says whether a transaction is
// open.
var readyForQuery = []byte{'Z', 0, 0, 0, 5, 'I'}

// read reads a message with its length at offset at and counts from there.
func read(from io.Reader, head, at int) ([]byte, error) {
	message := make([]byte, head)
	if _, err := io.ReadFull(from, message); err != nil {
		return nil, err
	}
	rest := int(binary.BigEndian.Uint32(message[at:])) - (head - at)
	message = append(message, make([]byte, rest)...)
	_, err := io.ReadFull(from, message[head:])
	return message, err
}

func pass(from io.Reader, to io.Writer, head, at int) error {
	message, err := read(from, head, at)
	if err == nil {
		_, err = to.Write(message)
	}
	return err
}
