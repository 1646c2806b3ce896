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

// safeSettings are the server's defaults for durability. unsafeSettings suit tests that never
// kill it and make hundreds of small databases: those in memory have little room for a log, and
// each of thousands of short sessions takes shared memory.
var (
	safeSettings   = []string{"fsync=on", "full_page_writes=on", "synchronous_commit=on"}
	unsafeSettings = []string{"fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off", "max_wal_size=512MB", "shared_buffers=64MB", "jit=off", ownMemory}
)

// ownMemory puts shared memory into the server's folder, with which it is removed: a killed
// server leaves shared memory of the default kind behind. Benchmarks use the default.
const ownMemory = "dynamic_shared_memory_type=mmap"

// commonSettings are those of every private cluster.
var commonSettings = []string{
	"listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=400", "shared_buffers=256MB",
	"max_wal_size=4GB", "log_min_messages=fatal",
}

// readyWithin limits the wait for a server to answer.
const readyWithin = 30 * time.Second

// Cluster is a private PostgreSQL server that commits durably and that a test may kill. Its
// methods must be called from one goroutine.
type Cluster struct {
	folder, binaries string
	port             int
	settings         []string
	frozen           bool
	// guard ends the server and removes the folder when its input ends, at the latest with this
	// process.
	guard *guard
}

// NewCluster makes a cluster and starts it. It ends with the test.
func NewCluster(tb testing.TB) *Cluster {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs PostgreSQL") // allowed: -short leaves out what needs a service
	}
	return newDurable(tb, "")
}

// newDurable is NewCluster in a folder within the named one, with further settings.
func newDurable(tb testing.TB, within string, more ...string) *Cluster {
	tb.Helper()
	settings := slices.Concat(safeSettings, more)
	if _, measured := tb.(*testing.B); !measured {
		settings = append(settings, ownMemory)
	}
	c, err := newCluster(within, settings)
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

// URL returns the URL of the cluster's own database; it stays the same when the cluster is
// started again.
func (c *Cluster) URL() string {
	return "postgres://postgres@127.0.0.1:" + strconv.Itoa(c.port) + "/postgres?sslmode=disable"
}

// Start starts the server, also again after Stop or Kill, and waits until it answers.
func (c *Cluster) Start(tb testing.TB) {
	tb.Helper()
	if err := c.launch(); err != nil {
		tb.Fatal(err)
	}
}

// Stop shuts the server down; clients are disconnected.
func (c *Cluster) Stop(tb testing.TB) {
	tb.Helper()
	if err := c.control("stop", "-m", "fast"); err != nil {
		tb.Fatal(err)
	}
}

// Restart calls Stop and Start.
func (c *Cluster) Restart(tb testing.TB) {
	tb.Helper()
	c.Stop(tb)
	c.Start(tb)
}

// Kill ends the server and all its processes by SIGKILL, like a power cut, except for the
// operating system's cache.
func (c *Cluster) Kill(tb testing.TB) {
	tb.Helper()
	pid := c.PID(tb)
	if c.frozen { // they would not notice that the first one is gone
		c.signal(tb, syscall.SIGKILL)
		c.frozen = false
	}
	// The server is the leader of its process group (setsid).
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

// initialize creates the server's data.
func (c *Cluster) initialize() error {
	return run(c.as(c.program("initdb"), "-D", c.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")...)
}

// bareCluster makes the folder of a cluster within the named one (or the folder of temporary
// files) and chooses its port.
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

// configure adds the settings to the cluster's file, where ALTER SYSTEM can still override them.
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

// launch starts the server and waits until it accepts statements.
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
			output, _ := os.ReadFile(log) // an unreadable log adds nothing
			return fmt.Errorf("services: the server did not answer within %s: %w\n%s", readyWithin, err, output)
		}
		wait(ctx, 20*time.Millisecond)
	}
}

func (c *Cluster) control(arguments ...string) error {
	// A server writes its data before it stops, which takes longer than pg_ctl's minute on a busy
	// disk.
	return run(c.as(c.program("pg_ctl"), append([]string{"-D", c.data(), "-s", "-t", "600"}, arguments...)...)...)
}

func (c *Cluster) program(name string) string { return filepath.Join(c.binaries, name) }

// as returns the command line for one of the server's programs, which refuse to run as root.
func (*Cluster) as(program string, arguments ...string) []string {
	line := append([]string{program}, arguments...)
	if os.Geteuid() == 0 {
		line = append([]string{"runuser", "-u", "postgres", "--"}, line...)
	}
	return line
}

// binaryFolders are where packages install the server's programs, newest last.
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

// The servers' ports are below the ephemeral ports (from 32768 on Linux), so that no other
// process takes one before its server does, or while a test keeps the server down.
const firstPort, ports = 15_000, 17_000

func freePort() (port int, err error) {
	for range 20 {
		port = firstPort + rand.IntN(ports) //nolint:gosec // no secret
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

// memoryFolder is where Linux mounts a file system in memory.
const memoryFolder = "/dev/shm"

// memoryWanted is how much must be free there for a server of tests: several times what the
// databases of a package's tests have used at once, because other packages run at the same time.
const memoryWanted = 2 << 30

// inMemory returns a folder in memory, or "" if there is none or too little room in it, as in
// most containers. A server of tests makes and removes some hundred thousand small files, which
// can take a file system on a disk as long as all other work of the server.
func inMemory() string { return roomyFolder(memoryFolder, memoryWanted) }

// roomyFolder returns the folder if its file system has this many bytes free, else "".
func roomyFolder(folder string, wanted uint64) string {
	var figures syscall.Statfs_t
	if err := syscall.Statfs(folder, &figures); err != nil {
		return "" // it doesn't exist
	}
	if figures.Bavail*uint64(figures.Bsize) < wanted { //nolint:gosec // block sizes are positive
		return ""
	}
	return folder
}

// FreeAddresses returns two free addresses of this machine, for the two that a service listens
// on. Both are open at the same time: an address requested after closing the first may be the
// same.
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

// began is when this process started.
var began = time.Now()

// Overdue reports that go test's timeout will end this process soon. It is the only limit of
// waits in tests, so that slow machines pass.
func Overdue() bool {
	const report, least = time.Minute, 10 // time left to report what was waited for
	bound, set := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration)
	return set && bound > 0 && time.Since(began) > bound-min(report, bound/least)
}

// guard is a small process that waits for the end of its input, then runs a command and removes a
// folder. The input ends when end is called or when this process is gone, so that a killed test
// leaves no server behind.
type guard struct {
	process *exec.Cmd
	input   io.Closer
}

func newGuard(command []string, folder string) (*guard, error) {
	// A failure of the command doesn't matter: the server may be down already.
	script := `cat >/dev/null; "$@" >/dev/null 2>&1; i=0; while ! rm -rf "$FOLDER" 2>/dev/null && [ $i -lt 50 ]; do i=$((i+1)); sleep 0.1; done`
	process := exec.Command("sh", append([]string{"-c", script, "guard"}, command...)...) //nolint:gosec // the command is ours, and outlives any context
	process.Env = append(process.Environ(), "FOLDER="+folder)
	process.Dir = "/"
	// Its own process group: a signal for the tests' group, such as Ctrl-C, must not stop the
	// cleanup.
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
