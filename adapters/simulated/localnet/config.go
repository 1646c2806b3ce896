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
	// ConfirmedDepth and FinalityDepth are how many slots after landing a transaction is
	// confirmed and finalized.
	ConfirmedDepth, FinalityDepth = 2, 31
	// skipEvery: the last of every so many slots has no block.
	skipEvery = 20
	// lamportsPerByte is the rent-exempt minimum for one byte of an account, Solana's 3,480
	// lamports a byte and year for two years.
	lamportsPerByte = 6_960
)

// faucetLamports is what the faucet owns at genesis: 500 million SOL.
const faucetLamports = 500_000_000 * solana.LAMPORTS_PER_SOL

// firstSlot is the first slot of a new chain: beyond every depth, so that only the
// genesis is finalized at first.
const firstSlot = 100

// Config says how a chain behaves. Zero values mean the defaults; Now and Random
// have none.
type Config struct {
	// Dir is the folder of the chain's journal, made when missing. Empty keeps
	// the chain in memory.
	Dir string
	// SlotDuration is how long a slot lasts.
	SlotDuration time.Duration
	// BlockhashAge is for how many blocks after its own a blockhash may be used.
	BlockhashAge uint64
	// Now returns the time.
	Now func() time.Time
	// Random draws the genesis hash and the keys of the faucet and of mints.
	Random io.Reader
}

// withDefaults fills zero values and reports everything that is wrong at once.
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

// Chain is one simulated chain. Its methods may be called concurrently. It starts
// no goroutine and keeps no timer: all that happens, happens in a call.
type Chain struct {
	cfg Config

	mu       sync.Mutex
	journal  *journal // nil in memory
	genesis  genesis
	timeline timeline
	accounts accounts
	history  history
	seen     int64 // the newest time that was acted on, Unix nanoseconds
	failed   error // a journal that could not be written ends the chain
}

// ErrClosed is returned by every use of a chain after Close.
var ErrClosed = errors.New("localnet: the chain is closed")

// genesis is the first record of a chain.
type genesis struct {
	Hash     solana.Hash      `json:"hash"`
	Faucet   []byte           `json:"faucet"` // ed25519 seed: play money only
	Identity solana.PublicKey `json:"identity"`
}

// faucetKey is the key that airdrops are signed with.
func (g genesis) faucetKey() solana.PrivateKey {
	return solana.PrivateKey(ed25519.NewKeyFromSeed(g.Faucet))
}

// Open creates a chain, or continues the one whose journal is in cfg.Dir. A journal
// whose last write was cut off by a crash loses that write, which was not acknowledged
// to anybody; any other damage is refused and nothing is changed.
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
		// Never back: whatever the clock shows, the chain continues after its last
		// block.
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
			// What the disk holds is unknown now: only another Open can find out.
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
			return errors.New("the genesis is not as it was written")
		}
		c.genesis = *r.Genesis
		c.createGenesisAccounts()
	case !c.hasGenesis():
		return errors.New("there is no genesis")
	case r.Base != nil:
		if r.Base.Duration <= 0 {
			return errors.New("a slot has no duration")
		}
		c.timeline.bases = append(c.timeline.bases, *r.Base)
	case r.Landed != nil:
		return c.applyLanded(*r.Landed)
	default:
		return errors.New("a record is of no known kind")
	}
	return nil
}

// Close ends the chain; everything acknowledged is on disk already.
func (c *Chain) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(c.failed, ErrClosed) {
		return nil
	}
	c.failed = ErrClosed
	return c.journal.close()
}
