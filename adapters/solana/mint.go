package solana

import (
	"context"
	"encoding/binary"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// The layout of a mint: an authority, the supply, the decimals, the initialized flag,
// another authority. Token-2022 pads it to the length of a token account, adds a byte for
// the type of account, and lists its extensions, each with its number and its length.
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

// Mint returns the token's mint with its extensions. A mint longer than the bytes read
// counts as having an unknown extension.
func (n *Node) Mint(ctx context.Context, terms token.Terms) (token.Mint, error) {
	if terms.Program == token.System {
		minimum, err := n.accountMinimum(ctx)
		return token.Mint{Program: token.System, Decimals: 9, AccountMinimum: minimum}, err
	}
	address, err := solana.PublicKeyFromBase58(string(terms.Mint))
	if err != nil { // an invalid address has no mint, which is a valid answer
		return token.Mint{}, nil //nolint:nilerr // see above
	}
	found, err := n.readAccount(ctx, address, finalized, extendedMintBound)
	if err != nil || found == nil {
		return token.Mint{}, err
	}
	return readMint(found.Owner, found.data), nil
}

// accountMinimum returns the rent-exempt minimum of an account without data, as the node
// reports it. The chain sets it, and has lowered it.
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

// unreadable is used for extensions that can't be decoded. Token-2022 doesn't use the
// number, and it is rejected like any unknown extension.
const unreadable token.Extension = 0xffff

// readMint decodes a mint; it returns the zero Mint if the data is not one.
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
			break // trailing room, where the program stops reading too
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
