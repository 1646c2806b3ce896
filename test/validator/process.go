package validator

import (
	"bufio"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"
)

// files are the Node.js halves, a folder for each runtime.
//
//go:embed surfnet/package.json surfnet/package-lock.json surfnet/.npmrc surfnet/surfnet.mjs
//go:embed litesvm/package.json litesvm/package-lock.json litesvm/.npmrc litesvm/litesvm.mjs
var files embed.FS

// The runtimes by their folders.
const (
	surfnet = "surfnet"
	litesvm = "litesvm"
)

// answerTime limits the wait for a process's answer, which takes one or two seconds on a busy
// machine.
const answerTime = time.Minute

// errStuck reports a process that doesn't answer.
var errStuck = errors.New("the process doesn't answer")

// process is a Node.js process that runs chains; it ends with the test binary, which closes its
// stdin.
type process struct {
	mu      sync.Mutex
	in      io.Writer
	out     interface{ SetReadDeadline(time.Time) error }
	answer  *bufio.Reader
	patient time.Duration
	end     func() error
	// stuck says that an answer was missing; no more commands are sent to it. Its chains
	// continue, so it ends with the last one.
	stuck  bool
	chains int
}

// host runs the chains of a kind on one process, and on another if that is stuck. Surfpool
// chooses its ports before it listens on them and waits forever if another process takes one.
type host struct {
	mu     sync.Mutex
	launch func() (*process, error)
	now    *process
	failed error // of the launch, which isn't tried again for each test
}

var hosts = map[string]*host{
	surfnet: {launch: func() (*process, error) { return newProcess(surfnet) }},
	litesvm: {launch: func() (*process, error) { return newProcess(litesvm) }},
}

// process returns the one that chains are started on.
func (h *host) process() (*process, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now == nil && h.failed == nil {
		h.now, h.failed = h.launch()
	}
	return h.now, h.failed
}

// leave makes the next chain start on a new process.
func (h *host) leave(p *process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now == p {
		h.now = nil
	}
}

// attempts is how many processes a chain is started on before its test fails.
const attempts = 3

// start starts a chain and returns the process that runs it.
func (h *host) start() (p *process, started network, err error) {
	for range attempts {
		if p, err = h.process(); err != nil {
			return nil, started, err
		}
		if started, err = p.start(); !errors.Is(err, errStuck) {
			break
		}
		h.leave(p)
	}
	return p, started, err
}

// newProcess installs the packages of the lockfile into a new folder and starts it.
func newProcess(kind string) (*process, error) {
	folder, err := os.MkdirTemp("", "validator-")
	if err != nil {
		return nil, err
	}
	list, err := files.ReadDir(kind)
	if err != nil {
		return nil, err
	}
	for _, entry := range list {
		text, err := files.ReadFile(kind + "/" + entry.Name())
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, entry.Name()), text, 0o600); err != nil {
			return nil, err
		}
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = folder
	if output, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm ci: %w\n%s", err, output)
	}
	node := exec.Command("node", filepath.Join(folder, kind+".mjs"))
	node.Dir, node.Stderr = folder, os.Stderr
	in, err := node.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := node.StdoutPipe()
	if err != nil {
		return nil, err
	}
	deadline, ok := out.(*os.File)
	if !ok {
		return nil, fmt.Errorf("a pipe of type %T has no deadline", out)
	}
	end := func() error {
		err := errors.Join(node.Process.Kill(), os.RemoveAll(folder))
		_ = node.Wait() // its error only says that it was killed
		return err
	}
	return &process{in: in, out: deadline, answer: bufio.NewReader(out), patient: answerTime, end: end}, node.Start()
}

// network is the description of a chain that the process prints.
type network struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Error string `json:"error"`
}

// do sends one command. The caller holds the lock.
func (p *process) do(command map[string]any) (done network, err error) {
	if p.stuck {
		return done, errStuck
	}
	text, err := json.Marshal(command)
	if err != nil {
		return done, err
	}
	if _, err := p.in.Write(append(text, '\n')); err != nil {
		return done, err
	}
	if err := p.out.SetReadDeadline(time.Now().Add(p.patient)); err != nil {
		return done, err
	}
	line, err := p.answer.ReadBytes('\n')
	if errors.Is(err, os.ErrDeadlineExceeded) {
		p.stuck = true
		return done, errStuck
	}
	if err != nil {
		return done, err
	}
	if err := json.Unmarshal(line, &done); err != nil {
		return done, fmt.Errorf("%w: %s", err, line)
	}
	if done.Error != "" {
		return done, errors.New(done.Error)
	}
	return done, nil
}

// start starts a chain.
func (p *process) start() (network, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	started, err := p.do(map[string]any{"start": true})
	if err == nil {
		p.chains++
		return started, nil
	}
	return started, errors.Join(err, p.endStuck())
}

// stop stops a chain. A chain of a stuck process ends with it.
func (p *process) stop(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.do(map[string]any{"stop": id})
	if errors.Is(err, errStuck) {
		err = nil
	}
	p.chains--
	return errors.Join(err, p.endStuck())
}

// endStuck ends the process if it is stuck and runs no more chains.
func (p *process) endStuck() error {
	if !p.stuck || p.chains > 0 || p.end == nil {
		return nil
	}
	end := p.end
	p.end = nil
	return end()
}

// Available skips the test if the runtime isn't available.
func Available(t testing.TB) {
	t.Helper()
	if os.Getenv("CASINO_TEST_NODE") != "1" {
		t.Skip("set CASINO_TEST_NODE=1 to install Solana's runtime from npm and run on it (make test does)") // allowed: needs Node.js and npm
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the runtime's packages are built for Linux on x86-64 with glibc: this suite runs on the simulated chain alone") // allowed: no other build is asked for
	}
}

// start starts a chain that ends with the test, and returns its URL.
func start(t testing.TB, kind string) string {
	t.Helper()
	Available(t)
	p, started, err := hosts[kind].start()
	if err != nil {
		t.Fatalf("starting a chain on %s: %v", kind, err)
	}
	t.Cleanup(func() {
		if err := p.stop(started.ID); err != nil {
			t.Errorf("stopping a chain on %s: %v", kind, err)
		}
	})
	return started.URL
}

// Refusal is the reason why the chain did not do what a helper requested. Landed says whether the
// transaction nevertheless landed and paid its fee.
type Refusal struct {
	Reason string
	Landed bool
}

func (r *Refusal) Error() string { return "validator: transaction failed: " + r.Reason }

// Airdrop pays lamports from the faucet in a real transaction.
func (c *Chain) Airdrop(address solana.PublicKey, lamports uint64) (solana.Signature, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.airdrop(address, lamports)
}

func (c *Chain) airdrop(address solana.PublicKey, lamports uint64) (solana.Signature, error) {
	faucet := c.faucet()
	// Two equal airdrops in one slot would be one transaction: the unit limit, which costs
	// nothing without a price, tells them apart.
	return c.send(faucet, []solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(uint32(10_000 + len(c.landed)%100_000)).Build(),
		system.NewTransferInstruction(lamports, faucet.PublicKey(), address).Build(),
	})
}

// CreateMint makes an SPL token with these decimals; the authority may mint and freeze, and pays.
// It returns the mint's address.
func (c *Chain) CreateMint(authority solana.PrivateKey, decimals uint8) (solana.PublicKey, error) {
	const mintSize = 82
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	key, owner := c.key(fmt.Sprint("mint ", c.made)), authority.PublicKey()
	lamports, err := c.rent(mintSize)
	if err != nil {
		return key.PublicKey(), err
	}
	_, err = c.send(authority, []solana.Instruction{
		system.NewCreateAccountInstruction(lamports, mintSize, solana.TokenProgramID, owner, key.PublicKey()).Build(),
		spltoken.NewInitializeMint2Instruction(decimals, owner, owner, key.PublicKey()).Build(),
	}, key)
	return key.PublicKey(), err
}

func (c *Chain) rent(size int) (lamports uint64, err error) {
	err = c.surfpool(&lamports, "getMinimumBalanceForRentExemption", size)
	return lamports, err
}

// MintTo mints base units of an SPL token to the owner's associated token account, which is made
// if missing; the mint's authority signs and pays.
func (c *Chain) MintTo(authority solana.PrivateKey, mint, owner solana.PublicKey, amount uint64) (solana.PublicKey, error) {
	account, _, err := solana.FindAssociatedTokenAddress(owner, mint)
	if err != nil {
		return account, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.send(authority, []solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(uint32(100_000 + len(c.landed)%100_000)).Build(),
		associatedtoken.NewCreateIdempotentInstruction(authority.PublicKey(), owner, mint).Build(),
		spltoken.NewMintToInstruction(amount, mint, account, authority.PublicKey(), nil).Build(),
	})
	return account, err
}

// Submit lands a signed transaction; its failure is a *Refusal.
func (c *Chain) Submit(signed *solana.Transaction) (solana.Signature, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.submit(signed)
}

// send signs instructions over the newest blockhash and lands them.
func (c *Chain) send(payer solana.PrivateKey, instructions []solana.Instruction, others ...solana.PrivateKey) (solana.Signature, error) {
	recent, err := c.blockhash(c.slotAt(processed))
	if err != nil {
		return solana.Signature{}, err
	}
	built, err := solana.NewTransaction(instructions, recent, solana.TransactionPayer(payer.PublicKey()))
	if err != nil {
		return solana.Signature{}, err
	}
	if _, err := built.Sign(func(wanted solana.PublicKey) *solana.PrivateKey {
		for _, held := range append(others, payer) {
			if held.PublicKey() == wanted {
				return &held
			}
		}
		return nil
	}); err != nil {
		return solana.Signature{}, err
	}
	return c.submit(built)
}

func (c *Chain) submit(signed *solana.Transaction) (solana.Signature, error) {
	raw, err := signed.MarshalBinary()
	if err != nil {
		return solana.Signature{}, err
	}
	signature := signed.Signatures[0]
	if err := signed.VerifySignatures(); err != nil {
		return signature, err
	}
	if _, duplicate := c.known[signature]; duplicate {
		return signature, &Refusal{Reason: "AlreadyProcessed"}
	}
	if !c.usable(signed.Message.RecentBlockhash, c.slotAt(processed)) {
		return signature, &Refusal{Reason: "BlockhashNotFound"}
	}
	l, err := c.land(signed, raw)
	if err != nil {
		return signature, &Refusal{Reason: err.Error()}
	}
	if reason := string(l.err()); reason != "null" {
		return signature, &Refusal{Reason: reason, Landed: true}
	}
	return signature, nil
}

// Blockhash returns the newest blockhash.
func (c *Chain) Blockhash() (solana.Hash, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.blockhash(c.slotAt(processed))
}

// Slot returns the runtime's newest slot.
func (c *Chain) Slot() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.passed
}

// Held returns an account's balance in the newest block: its lamports, and the units of a token
// if it is a token account.
func (c *Chain) Held(key solana.PublicKey) (lamports, units uint64, err error) {
	const amountAt, amountEnd = 64, 72
	c.mu.Lock()
	defer c.mu.Unlock()
	stored, err := c.account(key.String(), c.slotAt(processed))
	if err != nil {
		return 0, 0, err
	}
	if lamports, err = lamportsOf(stored); err != nil {
		return 0, 0, err
	}
	data, err := dataOf(stored)
	if err == nil && len(data) >= amountEnd {
		units = littleEndian(data[amountAt:amountEnd])
	}
	return lamports, units, err
}

// Genesis returns the chain's genesis hash.
func (c *Chain) Genesis() (hash string, err error) {
	return hash, c.surfpool(&hash, "getGenesisHash")
}

// AddProgram deploys a program at an address.
func (c *Chain) AddProgram(id solana.PublicKey, elf []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.surfpool(nil, "surfnet_writeProgram", id, hex.EncodeToString(elf), 0)
}
