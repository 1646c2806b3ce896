package localnet

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// Sizes of the SPL Token program's accounts.
const (
	mintSize    = 82
	holdingSize = 165
)

// optionalKey is a key that may be absent, as COption<Pubkey>: a 4-byte tag first.
// The program takes a key away by its tag alone: what it was stays in the bytes.
type optionalKey struct {
	present bool
	key     solana.PublicKey
}

// is reports whether the key is present and the given one.
func (o optionalKey) is(key solana.PublicKey) bool { return o.present && o.key == key }

// become copies another key, or its absence.
func (o *optionalKey) become(next optionalKey) {
	o.present = next.present
	if next.present {
		o.key = next.key
	}
}

func (o optionalKey) put(data []byte) {
	if o.present {
		data[0] = 1
	}
	copy(data[4:36], o.key[:])
}

func readOptionalKey(data []byte) optionalKey {
	return optionalKey{present: binary.LittleEndian.Uint32(data) != 0, key: solana.PublicKey(data[4:36])}
}

// mint is a token, as the SPL Token program lays it out.
type mint struct {
	authority   optionalKey
	supply      uint64
	decimals    uint8
	initialized bool
	freezer     optionalKey
}

func (m mint) encode() []byte {
	data := make([]byte, mintSize)
	m.authority.put(data)
	binary.LittleEndian.PutUint64(data[36:], m.supply)
	data[44] = m.decimals
	if m.initialized {
		data[45] = 1
	}
	m.freezer.put(data[46:])
	return data
}

// readMint decodes a mint that may be uninitialized.
func readMint(data []byte) (mint, *programError) {
	if len(data) != mintSize {
		return mint{}, fails("InvalidAccountData")
	}
	return mint{
		authority: readOptionalKey(data), supply: binary.LittleEndian.Uint64(data[36:]), decimals: data[44],
		initialized: data[45] != 0, freezer: readOptionalKey(data[46:]),
	}, nil
}

// States of a token account.
const (
	uninitialized = 0
	initialized   = 1
	frozen        = 2
)

// holding is a token account: so much of one mint, owned by a wallet.
type holding struct {
	mint      solana.PublicKey
	owner     solana.PublicKey
	amount    uint64
	delegate  optionalKey
	state     uint8
	native    bool   // wraps lamports
	reserve   uint64 // the lamports of a native account that are not tokens
	delegated uint64
	closer    optionalKey
}

func (h holding) encode() []byte {
	data := make([]byte, holdingSize)
	copy(data, h.mint[:])
	copy(data[32:], h.owner[:])
	binary.LittleEndian.PutUint64(data[64:], h.amount)
	h.delegate.put(data[72:])
	data[108] = h.state
	if h.native {
		data[109] = 1
		binary.LittleEndian.PutUint64(data[113:], h.reserve)
	}
	binary.LittleEndian.PutUint64(data[121:], h.delegated)
	h.closer.put(data[129:])
	return data
}

// readHolding decodes a token account that may be uninitialized.
func readHolding(data []byte) (holding, *programError) {
	if len(data) != holdingSize || data[108] > frozen {
		return holding{}, fails("InvalidAccountData")
	}
	h := holding{
		mint: solana.PublicKey(data[:32]), owner: solana.PublicKey(data[32:64]), amount: binary.LittleEndian.Uint64(data[64:]),
		delegate: readOptionalKey(data[72:]), state: data[108], native: data[109] != 0,
		delegated: binary.LittleEndian.Uint64(data[121:]), closer: readOptionalKey(data[129:]),
	}
	if h.native {
		h.reserve = binary.LittleEndian.Uint64(data[113:])
	}
	return h, nil
}

// openHolding decodes an account that must be a token account in use.
func openHolding(of handle) (holding, *programError) {
	h, err := readHolding(of.account.data)
	if err == nil && h.state == uninitialized {
		err = fails("UninitializedAccount")
	}
	return h, err
}

// openMint decodes an account that must be a mint in use.
func openMint(of handle) (mint, *programError) {
	m, err := readMint(of.account.data)
	if err == nil && !m.initialized {
		err = fails("UninitializedAccount")
	}
	return m, err
}

// holdingOf reads a stored account as a token account in use.
func holdingOf(stored *account) (holding, bool) {
	if stored == nil || stored.owner != solana.TokenProgramID {
		return holding{}, false
	}
	h, err := readHolding(stored.data)
	return h, err == nil && h.state != uninitialized
}

// mintOf reads a stored account as a mint in use.
func mintOf(stored *account) (mint, bool) {
	if stored == nil || stored.owner != solana.TokenProgramID {
		return mint{}, false
	}
	m, err := readMint(stored.data)
	return m, err == nil && m.initialized
}
