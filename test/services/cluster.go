package services

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// safeSettings are a server's own for durability; unsafeSettings suit tests that
// never kill it, and whose hundreds of small databases nobody has to look after: those
// in memory have little room for a log, and each of thousands of short sessions pays for
// the memory that it shares.
var (
	safeSettings   = []string{"fsync=on", "full_page_writes=on", "synchronous_commit=on"}
	unsafeSettings = []string{"fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off", "max_wal_size=512MB", "shared_buffers=64MB", "jit=off", ownMemory}
)

// ownMemory keeps what a server's processes share in its folder, with which it goes: of the
// usual kind, a server that was killed leaves some to the system. Benchmarks keep the usual.
const ownMemory = "dynamic_shared_memory_type=mmap"

// commonSettings are those of every private cluster.
var commonSettings = []string{
	"listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=400", "shared_buffers=256MB",
	"max_wal_size=4GB", "log_min_messages=fatal",
}

// readyWithin bounds the wait for a server to answer.
const readyWithin = 30 * time.Second

// Cluster is a private PostgreSQL server that commits durably and that a test
// may kill. Its methods are for one goroutine.
type Cluster struct {
	folder, binaries string
	port             int
	settings         []string
	frozen           bool
	// guard ends the server and removes the folder when its input ends, which
	// happens at the latest with this process.
	guard *guard
}

// NewCluster makes a cluster and starts it. It ends with the test.
func NewCluster(tb testing.TB) *Cluster {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs PostgreSQL") // allowed: -short leaves out what needs a service
	}
	settings := safeSettings
	if _, measured := tb.(*testing.B); !measured {
		settings = append(slices.Clip(settings), ownMemory)
	}
	c, err := newCluster("", settings)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.guard.end(); err != nil {
			tb.Error(err)
		}
	})
	c.Start(tb)
	return c
}

// URL is the URL of the cluster's own database; it stays the same when the
// cluster is started again.
func (c *Cluster) URL() string {
	return "postgres://postgres@127.0.0.1:" + strconv.Itoa(c.port) + "/postgres?sslmode=disable"
}

// Start starts the server, after Stop or Kill again, and waits until it answers.
func (c *Cluster) Start(tb testing.TB) {
	tb.Helper()
	if err := c.launch(); err != nil {
		tb.Fatal(err)
	}
}

// Stop ends the server in order; clients are cut off.
func (c *Cluster) Stop(tb testing.TB) {
	tb.Helper()
	if err := c.control("stop", "-m", "fast"); err != nil {
		tb.Fatal(err)
	}
}

// Restart is Stop and Start.
func (c *Cluster) Restart(tb testing.TB) {
	tb.Helper()
	c.Stop(tb)
	c.Start(tb)
}

// Kill ends the server and all its processes by SIGKILL, as a power cut would
// but for the operating system's cache.
func (c *Cluster) Kill(tb testing.TB) {
	tb.Helper()
	pid := c.PID(tb)
	if c.frozen { // they would not notice that the first one is gone
		c.signal(tb, syscall.SIGKILL)
		c.frozen = false
	}
	// The server leads a group of its own processes (setsid).
	if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			tb.Fatal(err)
		}
	}
	for ctx := tb.Context(); syscall.Kill(pid, 0) == nil; {
		wait(ctx, 5*time.Millisecond)
		if ctx.Err() != nil {
			tb.Fatal("the server is still there after SIGKILL")
		}
	}
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

// newCluster makes an empty cluster in a folder within the named one.
func newCluster(within string, settings []string) (*Cluster, error) {
	c, err := bareCluster(within, settings)
	if err != nil {
		return nil, err
	}
	if err := c.initialize(); err != nil {
		return nil, err
	}
	return c, c.configure()
}

// initialize makes the server's data anew.
func (c *Cluster) initialize() error {
	return run(c.as(c.program("initdb"), "-D", c.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")...)
}

// bareCluster makes the folder of a cluster within the named one (that of
// temporary files if it has no name) and chooses its port.
func bareCluster(within string, settings []string) (*Cluster, error) {
	binaries, err := postgresBinaries()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(within, "casino-postgres-")
	if err != nil {
		return nil, fmt.Errorf("services: folder of a cluster: %w", err)
	}
	if os.Geteuid() == 0 {
		if err := run("chown", "postgres", folder); err != nil {
			return nil, err
		}
	}
	c := &Cluster{folder: folder, binaries: binaries, settings: settings}
	if c.guard, err = newGuard(c.as(c.program("pg_ctl"), "-D", c.data(), "-m", "immediate", "-W", "stop"), folder); err != nil {
		return nil, err
	}
	c.port, err = freePort()
	return c, err
}

// configure adds the settings to the cluster's file, where ALTER SYSTEM still
// overrides them.
func (c *Cluster) configure() (err error) {
	file, err := os.OpenFile(filepath.Join(c.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("services: settings of a cluster: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	for _, setting := range slices.Concat(commonSettings, c.settings, []string{"port=" + strconv.Itoa(c.port)}) {
		name, value, _ := strings.Cut(setting, "=")
		if _, err := fmt.Fprintf(file, "%s = '%s'\n", name, value); err != nil {
			return fmt.Errorf("services: settings of a cluster: %w", err)
		}
	}
	return nil
}

// launch starts the server and waits until it takes statements.
func (c *Cluster) launch() error {
	log := filepath.Join(c.folder, "log")
	if err := c.control("start", "-l", log, "-W"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
	defer cancel()
	for {
		err := execute(ctx, c.URL(), "SELECT 1")
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			output, _ := os.ReadFile(log) // what can't be read adds nothing
			return fmt.Errorf("services: the server did not answer within %s: %w\n%s", readyWithin, err, output)
		}
		wait(ctx, 20*time.Millisecond)
	}
}

func (c *Cluster) control(arguments ...string) error {
	// A server writes what it has before it stops, for longer than pg_ctl's minute where
	// the disk is busy.
	return run(c.as(c.program("pg_ctl"), append([]string{"-D", c.data(), "-s", "-t", "600"}, arguments...)...)...)
}

func (c *Cluster) program(name string) string { return filepath.Join(c.binaries, name) }

// as is the command line that runs one of the server's programs, which refuse root.
func (*Cluster) as(program string, arguments ...string) []string {
	line := append([]string{program}, arguments...)
	if os.Geteuid() == 0 {
		line = append([]string{"runuser", "-u", "postgres", "--"}, line...)
	}
	return line
}

// binaryFolders are where packages put the server's programs, newest last.
var binaryFolders = []string{
	"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin",
}

// PostgresBinaries returns the folder of initdb, pg_ctl, postgres and pgbench.
func PostgresBinaries(tb testing.TB) string {
	tb.Helper()
	folder, err := postgresBinaries()
	if err != nil {
		tb.Fatal(err)
	}
	return folder
}

func postgresBinaries() (string, error) {
	if found, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(found); err == nil {
			return filepath.Dir(real), nil
		}
	}
	for _, pattern := range binaryFolders {
		found, err := filepath.Glob(filepath.Join(pattern, "initdb"))
		if err == nil && len(found) > 0 {
			return filepath.Dir(found[len(found)-1]), nil
		}
	}
	return "", errors.New("PostgreSQL's programs are missing: sudo apt-get install postgresql (Debian, Ubuntu), " +
		"brew install postgresql@17 (macOS), or name a server in " + PostgresURL)
}

// The ports of servers lie below those that systems give to whoever asks for any (from 32768
// on with Linux), so that none is taken before its server has it, or while a test keeps the
// server down.
const firstPort, ports = 15_000, 17_000

func freePort() (port int, err error) {
	for range 20 {
		port = firstPort + rand.IntN(ports) //nolint:gosec // nothing is to be kept secret
		var listener net.Listener
		if listener, err = net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			return port, listener.Close()
		}
	}
	return 0, fmt.Errorf("services: a free port: %w", err)
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// memoryFolder is where Linux mounts a file system that is in memory.
const memoryFolder = "/dev/shm"

// memoryWanted is what has to be free there for a server of tests: several times what the
// databases of a package's tests have had at once, since other packages run beside it.
const memoryWanted = 2 << 30

// inMemory returns a folder whose files are in memory, or "" where there is none or too little
// room in it, as in most containers. A server of tests makes and removes some hundred thousand
// small files, for which a file system on a disk can need as long as the server for its work.
func inMemory() string { return roomyFolder(memoryFolder, memoryWanted) }

// roomyFolder returns the folder if it is on a file system with so many bytes free, else "".
func roomyFolder(folder string, wanted uint64) string {
	var figures syscall.Statfs_t
	if err := syscall.Statfs(folder, &figures); err != nil {
		return "" // there is none
	}
	if figures.Bavail*uint64(figures.Bsize) < wanted { //nolint:gosec // a size of blocks is positive
		return ""
	}
	return folder
}

// FreeAddresses returns two addresses of this machine that nobody listens at, for the two that
// a service listens at. They are open at the same time: one that is asked for after the other
// was given back may be the same.
func FreeAddresses(tb testing.TB) (one, other string) {
	tb.Helper()
	open := func() net.Listener {
		listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		return listener
	}
	first, second := open(), open()
	defer func() { _, _ = first.Close(), second.Close() }()
	return first.Addr().String(), second.Addr().String()
}

// began is when this process did.
var began = time.Now()

// Overdue reports that the time-out of go test will end this process soon. It is the one bound
// of waits in tests: however slow the machine is, what is waited for decides.
func Overdue() bool {
	const report, least = time.Minute, 10 // what is left to say what was waited for
	bound, set := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration)
	return set && bound > 0 && time.Since(began) > bound-min(report, bound/least)
}

// guard is a small process that waits for the end of its input, then runs a
// command and removes a folder. The input ends when end is called or when this
// process is gone, so that a killed test leaves no server behind.
type guard struct {
	process *exec.Cmd
	input   io.Closer
}

func newGuard(command []string, folder string) (*guard, error) {
	// The command's own failure doesn't matter: the server may be down already.
	script := `cat >/dev/null; "$@" >/dev/null 2>&1; i=0; while ! rm -rf "$FOLDER" 2>/dev/null && [ $i -lt 50 ]; do i=$((i+1)); sleep 0.1; done`
	process := exec.Command("sh", append([]string{"-c", script, "guard"}, command...)...) //nolint:gosec // the command is ours, and outlives any context
	process.Env = append(process.Environ(), "FOLDER="+folder)
	process.Dir = "/"
	// A group of its own: a signal for the tests' group, as Ctrl-C sends, leaves it
	// to clean up.
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	input, err := process.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("services: guard: %w", err)
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("services: guard: %w", err)
	}
	return &guard{process, input}, nil
}

// end runs the command now and waits for it.
func (g *guard) end() error {
	if err := g.input.Close(); err != nil {
		return fmt.Errorf("services: guard: %w", err)
	}
	if err := g.process.Wait(); err != nil {
		return fmt.Errorf("services: guard: %w", err)
	}
	return nil
}

// run runs a command to its end; its output is part of the error.
func run(line ...string) error {
	command := exec.Command(line[0], line[1:]...) //nolint:gosec // the commands are ours and short
	command.Dir = "/"
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("services: %s: %w\n%s", strings.Join(line, " "), err, output)
	}
	return nil
}
