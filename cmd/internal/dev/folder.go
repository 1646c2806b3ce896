package dev

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Folder is the data folder of `casino dev`. Files with secrets in it are readable by the
// owner only.
type Folder string

// Names of the demo wallets in the order of output.
var demoWallets = []string{"superadmin", "finance", "alice", "bob"}

// demoRoles are the roles of the demo admins.
var demoRoles = map[string]string{"superadmin": "superadmin", "finance": "finance"}

func (d Folder) File(name string) string   { return filepath.Join(string(d), name) }
func (d Folder) Database() string          { return d.File("casino.db") }
func (d Folder) chainPath() string         { return d.File("localnet") }
func (d Folder) State() string             { return d.File("state") }
func (d Folder) tokensPath() string        { return d.File("tokens.json") }
func (d Folder) Treasury() string          { return d.File("treasury.json") }
func (d Folder) anchorPath() string        { return d.File("anchor.json") }
func (d Folder) Wallet(name string) string { return d.File(filepath.Join("wallets", name+".json")) }

// makeFolders creates the folders.
func (d Folder) makeFolders() error {
	for _, folder := range []string{string(d), d.File("wallets"), d.chainPath()} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// readKeypair returns the key in a file in the Solana CLI's format (a JSON array of 64
// numbers). It creates the file if it is missing.
func readKeypair(path string, entropy ports.Entropy) (ed25519.PrivateKey, error) {
	raw, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		seed := entropy.Seed()
		key := ed25519.NewKeyFromSeed(seed[:])
		return key, WriteKeypair(path, key)
	case err != nil:
		return nil, err
	}
	return ParseKeypair(path, raw)
}

func ParseKeypair(path string, raw []byte) (ed25519.PrivateKey, error) {
	var numbers []uint8
	var wide []uint16
	if err := json.Unmarshal(raw, &wide); err != nil || len(wide) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("%s is not a keypair file: it must be a JSON array of 64 numbers", path)
	}
	for _, n := range wide {
		if n > 255 {
			return nil, fmt.Errorf("%s is not a keypair file: %d is not a byte", path, n)
		}
		numbers = append(numbers, uint8(n))
	}
	key := ed25519.NewKeyFromSeed(numbers[:ed25519.SeedSize])
	if string(key) != string(numbers) {
		return nil, fmt.Errorf("%s is not a keypair file: its halves don't belong together", path)
	}
	return key, nil
}

func WriteKeypair(path string, key ed25519.PrivateKey) error {
	numbers := make([]string, len(key))
	for i, b := range key {
		numbers[i] = fmt.Sprint(b)
	}
	return writeNew(path, "["+strings.Join(numbers, ",")+"]\n")
}

// readSecret returns the named secret of the folder as "dev:<64 hex digits>", and creates
// it at the first start. The kid marks its origin: serve refuses it.
func (d Folder) readSecret(name string, entropy ports.Entropy) (string, error) {
	path := d.File(name + ".key")
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		seed := entropy.Seed()
		text := "dev:" + hex.EncodeToString(seed[:])
		return text, writeNew(path, text+"\n")
	}
	return strings.TrimSpace(string(raw)), err
}

// writeNew writes a new file, readable by the owner only, and syncs it. The file must not
// exist.
func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Sync(), file.Close())
}

// AddressOf returns the wallet of a key.
func AddressOf(key ed25519.PrivateKey) (wallet.Address, error) {
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return "", errors.New("not an Ed25519 key")
	}
	return wallet.FromPublicKey(public)
}
