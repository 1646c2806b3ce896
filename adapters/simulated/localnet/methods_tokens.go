package localnet

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// tokenAmount is an amount of tokens in the ways JSON-RPC shows it. The float is
// for people: what counts is Amount.
type tokenAmount struct {
	Amount   string  `json:"amount"`
	Decimals uint8   `json:"decimals"`
	Float    float64 `json:"uiAmount"`
	Text     string  `json:"uiAmountString"`
}

func decimal(amount uint64) string { return strconv.FormatUint(amount, 10) }

func tokenAmountOf(amount uint64, decimals uint8) tokenAmount {
	digits := decimal(amount)
	text := digits
	if point := int(decimals); point > 0 {
		if missing := point + 1 - len(digits); missing > 0 {
			digits = strings.Repeat("0", missing) + digits
		}
		text = digits[:len(digits)-point] + "." + digits[len(digits)-point:]
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	float, err := strconv.ParseFloat(text, 64)
	if err != nil {
		float = 0 // digits and a point always parse
	}
	return tokenAmount{Amount: decimal(amount), Decimals: decimals, Float: float, Text: text}
}

func (c *Chain) getTokenAccountBalance(p params) (any, error) {
	key, err := p.key(0)
	if err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	stored := c.accounts.at(key, slot)
	if stored == nil {
		return nil, &rpcError{Code: codeParams, Message: "Invalid param: could not find account"}
	}
	h, ok := holdingOf(stored)
	if !ok {
		return nil, &rpcError{Code: codeParams, Message: "Invalid param: not a Token account"}
	}
	m, _ := mintOf(c.accounts.at(h.mint, slot))
	return at(slot, tokenAmountOf(h.amount, m.decimals)), nil
}

func (c *Chain) getTokenSupply(p params) (any, error) {
	key, err := p.key(0)
	if err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	stored := c.accounts.at(key, slot)
	if stored == nil {
		return nil, &rpcError{Code: codeParams, Message: "Invalid param: could not find account"}
	}
	m, ok := mintOf(stored)
	if !ok {
		return nil, &rpcError{Code: codeParams, Message: "Invalid param: not a Token mint"}
	}
	return at(slot, tokenAmountOf(m.supply, m.decimals)), nil
}

// keyed is an account with its address.
type keyed struct {
	Key     solana.PublicKey `json:"pubkey"`
	Account any              `json:"account"`
}

// getTokenAccountsByOwner lists a wallet's token accounts, of one mint or of the
// token program, sorted by address.
func (c *Chain) getTokenAccountsByOwner(p params) (any, error) {
	owner, err := p.key(0)
	if err != nil {
		return nil, err
	}
	var filter struct {
		Mint    *string `json:"mint"`
		Program *string `json:"programId"`
	}
	if err := p.read(1, true, &filter); err != nil {
		return nil, err
	}
	if (filter.Mint == nil) == (filter.Program == nil) {
		return nil, invalid("expected either mint or programId")
	}
	var wanted accountView
	if err := p.read(2, false, &wanted); err != nil {
		return nil, err
	}
	slot, err := c.slot(wanted.view)
	if err != nil {
		return nil, err
	}
	b := bank{chain: c, slot: slot}
	var minted *solana.PublicKey
	program := solana.TokenProgramID
	if filter.Mint != nil {
		minted, err = b.mintNamed(*filter.Mint)
	} else {
		program, err = programNamed(*filter.Program)
	}
	if err != nil {
		return nil, err
	}
	found, err := b.holdings(owner, program, minted, wanted)
	if err != nil {
		return nil, err
	}
	return at(slot, found), nil
}

func (b bank) mintNamed(text string) (*solana.PublicKey, error) {
	key, err := parseKey(text)
	if err != nil {
		return nil, err
	}
	stored := b.get(key)
	if stored == nil {
		return nil, &rpcError{Code: codeParams, Message: "Invalid param: could not find mint"}
	}
	if _, ok := mintOf(stored); !ok {
		return nil, &rpcError{Code: codeParams, Message: "Invalid param: not a Token mint"}
	}
	return &key, nil
}

// programNamed asks for a token program. Token-2022 is one; it has no accounts here.
func programNamed(text string) (solana.PublicKey, error) {
	key, err := parseKey(text)
	if err == nil && key != solana.TokenProgramID && key != solana.Token2022ProgramID {
		err = &rpcError{Code: codeParams, Message: "Invalid param: unrecognized Token program id"}
	}
	return key, err
}

// holdings shows a wallet's token accounts.
func (b bank) holdings(owner, program solana.PublicKey, minted *solana.PublicKey, wanted accountView) ([]keyed, error) {
	var keys []solana.PublicKey
	b.chain.accounts.each(b.slot, func(key solana.PublicKey, stored *account) {
		if h, ok := holdingOf(stored); ok && stored.owner == program && h.owner == owner && (minted == nil || h.mint == *minted) {
			keys = append(keys, key)
		}
	})
	slices.SortFunc(keys, func(x, y solana.PublicKey) int { return bytes.Compare(x[:], y[:]) })
	found := make([]keyed, len(keys))
	for i, key := range keys {
		info, err := b.show(key, wanted)
		if err != nil {
			return nil, err
		}
		found[i] = keyed{Key: key, Account: info}
	}
	return found, nil
}
