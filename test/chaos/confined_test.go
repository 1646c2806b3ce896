package chaos_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// nobody is a user without rights.
const nobody = 65534

// TestTheBinaryAloneInAnEmptyRoot runs the production service, as the user nobody, in a root
// folder with only the binary, its configuration and its state folder, and plays the whole
// session of `casino demo` against it.
func TestTheBinaryAloneInAnEmptyRoot(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	if os.Geteuid() != 0 {
		t.Skip("only root may change the root folder") // allowed: nothing else can change the root folder
	}
	d := deploy(t, services.NewCluster(t).URL(), services.Redis(t))
	data := d.guests()
	root := d.emptyRoot()
	serving := d.startConfined(func(command *exec.Cmd) {
		command.Path, command.Dir = "/casino", "/"
		command.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	})
	out := d.run("demo", "--data-dir", data, "--base-url", "http://"+serving.api+"/casino", "--rpc-url", d.rpc)
	if !strings.Contains(out, "The session holds") {
		t.Errorf("casino demo: %s", out)
	}
	serving.stop()
	d.audited()
}

// emptyRoot returns a folder with the binary, its configuration and a state folder, owned by the
// user nobody.
func (d *deployment) emptyRoot() string {
	d.Helper()
	root := d.TempDir()
	for name, mode := range map[string]os.FileMode{"jwt.keys": 0o400, "seed.keys": 0o400, "checkpoint.keys": 0o400, "treasury.json": 0o400, "tokens.json": 0o400, "casino": 0o500} {
		from := filepath.Join(d.folder, name)
		if name == "casino" {
			from = d.binary
		}
		content, err := os.ReadFile(from)
		noError(d, err)
		to := filepath.Join(root, name)
		noError(d, os.WriteFile(to, content, mode))
		if err := os.Chown(to, nobody, nobody); err != nil {
			d.Fatal(err)
		}
	}
	state := filepath.Join(root, "state") // of the kept heads, the only folder that it may write
	noError(d, errors.Join(os.Mkdir(state, 0o700), os.Chown(state, nobody, nobody)))
	return root
}

// guests makes the folder of `casino demo`: the treasury's keypair, by which the session knows
// the casino, and wallets. Alice has money on chain, and the other one the role that approves.
func (d *deployment) guests() string {
	d.Helper()
	data := d.TempDir()
	noError(d, os.Mkdir(filepath.Join(data, "wallets"), 0o700))
	treasury, err := os.ReadFile(filepath.Join(d.folder, "treasury.json"))
	if err == nil {
		err = os.WriteFile(filepath.Join(data, "treasury.json"), treasury, 0o600)
	}
	noError(d, err)
	for _, name := range []string{"alice", "finance"} {
		noError(d, os.WriteFile(filepath.Join(data, "wallets", name+".json"), []byte(keypairText(fakes.Key(name))), 0o600))
	}
	d.fund("alice", 10_000_000_000)
	d.mintTo("alice", 10_000_000_000)
	d.run("role", "grant", "--founding", fmt.Sprint(fakes.Wallet("finance")), "finance")
	return data
}
