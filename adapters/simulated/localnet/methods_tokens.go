package localnet

import (
	"strconv"
	"strings"
)

// tokenAmount is an amount of tokens in JSON-RPC's formats. Only Amount is exact; the float
// is for display.
type tokenAmount struct {
	Amount   string  `json:"amount"`
	Decimals uint8   `json:"decimals"`
	Float    float64 `json:"uiAmount"`
	Text     string  `json:"uiAmountString"`
}

func formatAmount(amount uint64) string { return strconv.FormatUint(amount, 10) }

func tokenAmountOf(amount uint64, decimals uint8) tokenAmount {
	digits := formatAmount(amount)
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
	return tokenAmount{Amount: formatAmount(amount), Decimals: decimals, Float: float, Text: text}
}

func (c *Chain) getTokenAccountBalance(p params) (any, error) {
	key, err := p.readAddress(0)
	if err != nil {
		return nil, err
	}
	slot, err := c.readViewSlot(p, 1)
	if err != nil {
		return nil, err
	}
	stored := c.accounts.accountAt(key, slot)
	if stored == nil {
		return nil, &rpcError{Code: codeParams, Message: "Invalid param: could not find account"}
	}
	h, ok := holdingOf(stored)
	if !ok {
		return nil, &rpcError{Code: codeParams, Message: "Invalid param: not a Token account"}
	}
	m, _ := mintOf(c.accounts.accountAt(h.mint, slot))
	return contextualAt(slot, tokenAmountOf(h.amount, m.decimals)), nil
}
