package localnet

import (
	"cmp"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Defaults of Config.
const (
	DefaultSlotDuration = 20 * time.Millisecond
	DefaultBlockhashAge = 150
)

const (
	// ConfirmedDepth and FinalityDepth are the numbers of slots after which a landed
	// transaction is confirmed and finalized.
	ConfirmedDepth, FinalityDepth = 2, 31
	// skipEvery: the last of this many slots has no block.
	skipEvery = 20
	// lamportsPerByte is the rent-exempt minimum for one byte of an account, Solana's 3,480
	// lamports a byte and year for two years.
	lamportsPerByte = 6_960
)

// faucetLamports is the faucet's balance at genesis: 500 million SOL.
const faucetLamports = 500_000_000 * solana.LAMPORTS_PER_SOL

// firstSlot is the first slot of a new chain. It is greater than every depth, so that only
// the genesis is finalized at first.
const firstSlot = 100

// Config configures a chain. Zero values mean the defaults; Now and Random are required.
type Config struct {
	// Dir is the folder of the chain's journal, created if missing. If empty, the chain is
	// in memory only.
	Dir string
	// SlotDuration is the length of a slot.
	SlotDuration time.Duration
	// BlockhashAge is the number of blocks for which a blockhash stays valid.
	BlockhashAge uint64
	// Now returns the time.
	Now func() time.Time
	// Random draws the genesis hash and the keys of the faucet and of mints.
	Random io.Reader
}

// withDefaults fills in zero values; its error names every fault.
func (cfg Config) withDefaults() (Config, error) {
	cfg.SlotDuration = cmp.Or(cfg.SlotDuration, DefaultSlotDuration)
	cfg.BlockhashAge = cmp.Or(cfg.BlockhashAge, DefaultBlockhashAge)
	var faults []error
	if cfg.Now == nil {
		faults = append(faults, errors.New("no clock (Now)"))
	}
	if cfg.Random == nil {
		faults = append(faults, errors.New("no randomness (Random)"))
	}
	if cfg.SlotDuration < time.Millisecond {
		faults = append(faults, fmt.Errorf("slot duration %s is below 1ms", cfg.SlotDuration))
	}
	if len(faults) > 0 {
		return cfg, fmt.Errorf("localnet: %w", errors.Join(faults...))
	}
	return cfg, nil
}

// Chain is one simulated chain. Its methods may be called concurrently. It starts no
// goroutine and no timer; it changes only during calls.
type Chain struct {
	cfg Config

	mu       sync.Mutex
	journal  *journal // nil in memory
	genesis  genesis
	timeline timeline
	accounts accounts
	history  history
	seen     int64 // the latest time used, Unix nanoseconds
	failed   error // a failed journal write stops the chain
}

// ErrClosed is returned by every use of a chain after Close.
var ErrClosed = errors.New("localnet: the chain is closed")

// genesis is the first record of a chain.
type genesis struct {
	Hash     solana.Hash      `json:"hash"`
	Faucet   []byte           `json:"faucet"` // ed25519 seed: play money only
	Identity solana.PublicKey `json:"identity"`
}

// faucetKey returns the key that signs airdrops.
func (g genesis) faucetKey() solana.PrivateKey {
	return solana.PrivateKey(ed25519.NewKeyFromSeed(g.Faucet))
}

// Open creates a chain, or continues the one with its journal in cfg.Dir. If a crash cut
// off the journal's last write, that write is dropped; it was never acknowledged. Any other
// damage is an error and nothing is changed.
func Open(cfg Config) (*Chain, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Chain{cfg: cfg, accounts: newAccounts(), history: newHistory()}
	if cfg.Dir != "" {
		if c.journal, err = openJournal(cfg.Dir, c.replayRecord); err != nil {
			return nil, err
		}
	}
	if err := c.beginChain(); err != nil {
		return nil, errors.Join(err, c.journal.close())
	}
	return c, nil
}

// hasGenesis reports whether the chain has its genesis.
func (c *Chain) hasGenesis() bool { return len(c.genesis.Faucet) > 0 }

// beginChain writes the genesis of a new chain, and the base from which its slots are
// counted.
func (c *Chain) beginChain() error {
	if !c.hasGenesis() {
		g, err := newGenesis(c.cfg.Random)
		if err != nil {
			return err
		}
		if err := c.commitRecord(record{Genesis: &g}); err != nil {
			return err
		}
	}
	now := c.cfg.Now().UnixNano()
	next := base{Slot: firstSlot, Nanos: now, Duration: int64(c.cfg.SlotDuration)}
	if len(c.timeline.bases) > 0 {
		// The chain always continues after its last block, even if the clock went back.
		next.Slot = max(c.timeline.rawSlot(now), c.history.lastSlot()) + 1
	}
	return c.commitRecord(record{Base: &next})
}

// newGenesis draws a new genesis.
func newGenesis(random io.Reader) (genesis, error) {
	var drawn [3][ed25519.SeedSize]byte
	for i := range drawn {
		if _, err := io.ReadFull(random, drawn[i][:]); err != nil {
			return genesis{}, fmt.Errorf("localnet: drawing the genesis: %w", err)
		}
	}
	identity := ed25519.NewKeyFromSeed(drawn[2][:]).Public().(ed25519.PublicKey)
	return genesis{Hash: solana.Hash(drawn[0]), Faucet: drawn[1][:], Identity: solana.PublicKey(identity)}, nil
}

// commitRecord writes a record and then applies it.
func (c *Chain) commitRecord(r record) error {
	if c.failed != nil {
		return c.failed
	}
	if c.journal != nil {
		if err := c.journal.appendRecord(r); err != nil {
			// The state on disk is unknown now; opening the chain again finds out.
			c.failed = fmt.Errorf("localnet: the journal can't be written, open the chain again: %w", err)
			return c.failed
		}
	}
	return c.replayRecord(r)
}

// replayRecord applies a record of the journal.
func (c *Chain) replayRecord(r record) error {
	switch {
	case r.Genesis != nil:
		if c.hasGenesis() || len(r.Genesis.Faucet) != ed25519.SeedSize {
			return errors.New("the genesis is repeated or damaged")
		}
		c.genesis = *r.Genesis
		c.createGenesisAccounts()
	case !c.hasGenesis():
		return errors.New("there is no genesis")
	case r.Base != nil:
		if r.Base.Duration <= 0 {
			return errors.New("the slot duration is missing")
		}
		c.timeline.bases = append(c.timeline.bases, *r.Base)
	case r.Landed != nil:
		return c.applyLanded(*r.Landed)
	default:
		return errors.New("unknown kind of record")
	}
	return nil
}

// Close ends the chain; everything acknowledged is already on disk.
func (c *Chain) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(c.failed, ErrClosed) {
		return nil
	}
	c.failed = ErrClosed
	return c.journal.close()
}
