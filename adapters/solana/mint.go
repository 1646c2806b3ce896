package solana

import (
	"context"
	"encoding/binary"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// The layout of a mint: an authority, the supply, the decimals, whether it is
// initialized, another authority. Token-2022 pads it to the length of a token
// account, says after that which of the two it is, and lists its extensions, each
// with its number and its length.
const (
	mintSize          = 82
	decimalsAt        = 44
	initializedAt     = 45
	accountTypeAt     = tokenAccountSize
	accountTypeMint   = 1
	extensionsAt      = accountTypeAt + 1
	extensionHeader   = 4
	extendedMintBound = 10 << 10
)

// Mint returns the token's mint with its extensions. A mint that is longer than what is
// read counts as having an unknown extension.
func (n *Node) Mint(ctx context.Context, terms token.Terms) (token.Mint, error) {
	if terms.Program == token.System {
		minimum, err := n.accountMinimum(ctx)
		return token.Mint{Program: token.System, Decimals: 9, AccountMinimum: minimum}, err
	}
	address, err := solana.PublicKeyFromBase58(string(terms.Mint))
	if err != nil { // what is no address has no mint, which is a valid answer
		return token.Mint{}, nil //nolint:nilerr // see above
	}
	found, err := n.readAccount(ctx, address, finalized, extendedMintBound)
	if err != nil || found == nil {
		return token.Mint{}, err
	}
	return readMint(found.Owner, found.data), nil
}

// accountMinimum returns what an account without data must hold, by the node's word: it is
// set by the chain and falls.
func (n *Node) accountMinimum(ctx context.Context) (money.Amount, error) {
	var lamports uint64
	if err := n.rpc.callMethod(ctx, &lamports, "getMinimumBalanceForRentExemption", 0); err != nil {
		return 0, err
	}
	if lamports == 0 {
		return 0, unusableError("the node returned no rent-exempt minimum")
	}
	return amountOf(lamports)
}

// unreadable stands for extensions of a mint that can't be decoded. It is no number of
// Token-2022's, and is refused like any unknown one.
const unreadable token.Extension = 0xffff

// readMint reads a mint; the zero Mint when it is none.
func readMint(owner solana.PublicKey, data []byte) token.Mint {
	known := owner == solana.TokenProgramID && len(data) == mintSize ||
		owner == solana.Token2022ProgramID && (len(data) == mintSize || len(data) > accountTypeAt && data[accountTypeAt] == accountTypeMint)
	if !known || data[initializedAt] != 1 {
		return token.Mint{}
	}
	mint := token.Mint{Program: programOf(owner), Decimals: data[decimalsAt]}
	if len(data) == mintSize {
		return mint
	}
	for rest := data[extensionsAt:]; len(rest) > 0; {
		if len(rest) >= 2 && binary.LittleEndian.Uint16(rest) == 0 {
			break // room for more, at which the program stops reading too
		}
		if len(rest) < extensionHeader {
			mint.Extensions = append(mint.Extensions, unreadable)
			break
		}
		number, length := binary.LittleEndian.Uint16(rest), int(binary.LittleEndian.Uint16(rest[2:]))
		mint.Extensions = append(mint.Extensions, token.Extension(number))
		if rest = rest[extensionHeader:]; len(rest) < length {
			mint.Extensions = append(mint.Extensions, unreadable)
			break
		}
		rest = rest[length:]
	}
	if len(data) == extendedMintBound {
		mint.Extensions = append(mint.Extensions, unreadable)
	}
	return mint
}
