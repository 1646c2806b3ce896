package remote

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	solanago "github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/domain/wallet"
)

// walletFlags select the signing wallet: a keypair file, or another program that signs,
// such as one for a hardware wallet.
type walletFlags struct {
	Keypair  string `type:"path" placeholder:"FILE" help:"The wallet's keypair, a file of the Solana CLI that its owner alone may read."`
	Wallet   string `placeholder:"ADDRESS" help:"The wallet that --sign-with signs for."`
	SignWith string `placeholder:"COMMAND" help:"The command that signs instead of a keypair. It is run with the message as its last argument and prints the signature in base58 as its last line: 'solana sign-offchain-message -k usb://ledger'."`
}

// walletSigner signs messages with a wallet.
type walletSigner interface {
	Address() wallet.Address
	Sign(ctx context.Context, message []byte) (signature []byte, err error)
}

// readSigner returns the signer that the flags select.
func (f walletFlags) readSigner(s cli.Streams) (walletSigner, error) {
	switch {
	case f.Keypair != "" && f.Wallet == "" && f.SignWith == "":
		return solana.ReadKeypair(f.Keypair)
	case f.Keypair != "" || f.Wallet == "" || strings.TrimSpace(f.SignWith) == "":
		return nil, errors.New("give --keypair, or --wallet and --sign-with")
	}
	address, err := wallet.Parse(f.Wallet)
	return signingCommand{address, strings.Fields(f.SignWith), s}, err
}

// signingCommand signs by running a program.
type signingCommand struct {
	address wallet.Address
	command []string
	streams cli.Streams
}

func (c signingCommand) Address() wallet.Address { return c.address }

// Sign returns the verified signature that the program printed.
func (c signingCommand) Sign(ctx context.Context, message []byte) ([]byte, error) {
	arguments := append(c.command[1:len(c.command):len(c.command)], string(message))
	program := exec.CommandContext(ctx, c.command[0], arguments...) // #nosec G204 -- the user names the program
	program.Stderr = c.streams.Err
	printed, err := program.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.command[0], err)
	}
	lines := strings.Split(strings.TrimSpace(string(printed)), "\n")
	signature, err := solanago.SignatureFromBase58(strings.TrimSpace(lines[len(lines)-1]))
	if err != nil {
		return nil, fmt.Errorf("%s: its last line is not a signature in base58: %w", c.command[0], err)
	}
	if !wallet.VerifyMessage(c.address, string(message), signature[:]) {
		return nil, fmt.Errorf("%s: the signature is not by %s over the message", c.command[0], c.address)
	}
	return signature[:], nil
}
