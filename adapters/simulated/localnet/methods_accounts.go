package localnet

import (
	"encoding/base64"
	"encoding/json"
	"math"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"
	"github.com/klauspost/compress/zstd"
)

// accountsMax is how many accounts one call may ask for.
const accountsMax = 100

// accountView is how a call wants accounts shown.
type accountView struct {
	view
	Encoding string `json:"encoding"`
	Slice    *struct {
		Offset uint64 `json:"offset"`
		Length uint64 `json:"length"`
	} `json:"dataSlice"`
}

// accountInfo is an account as JSON-RPC shows it.
type accountInfo struct {
	Lamports   uint64           `json:"lamports"`
	Owner      solana.PublicKey `json:"owner"`
	Data       any              `json:"data"`
	Executable bool             `json:"executable"`
	RentEpoch  uint64           `json:"rentEpoch"`
	Space      int              `json:"space"`
}

func (c *Chain) getBalance(p params) (any, error) {
	key, err := p.key(0)
	if err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	var lamports uint64
	if stored := c.accounts.at(key, slot); stored != nil {
		lamports = stored.lamports
	}
	return at(slot, lamports), nil
}

func (c *Chain) getAccountInfo(p params) (any, error) {
	key, err := p.key(0)
	if err != nil {
		return nil, err
	}
	var wanted accountView
	if err := p.read(1, false, &wanted); err != nil {
		return nil, err
	}
	slot, err := c.slot(wanted.view)
	if err != nil {
		return nil, err
	}
	info, err := bank{chain: c, slot: slot}.show(key, wanted)
	if err != nil {
		return nil, err
	}
	return at(slot, info), nil
}

func (c *Chain) getMultipleAccounts(p params) (any, error) {
	var named []string
	if err := p.read(0, true, &named); err != nil {
		return nil, err
	}
	if len(named) > accountsMax {
		return nil, invalid("Too many inputs provided; max %d", accountsMax)
	}
	var wanted accountView
	if err := p.read(1, false, &wanted); err != nil {
		return nil, err
	}
	if wanted.Encoding == "" {
		wanted.Encoding = "base64"
	}
	slot, err := c.slot(wanted.view)
	if err != nil {
		return nil, err
	}
	infos, err := bank{chain: c, slot: slot}.showAll(named, wanted)
	if err != nil {
		return nil, err
	}
	return at(slot, infos), nil
}

// showAll shows accounts by address, null where there is none.
func (b bank) showAll(named []string, wanted accountView) ([]any, error) {
	infos := make([]any, len(named))
	for i, text := range named {
		key, err := parseKey(text)
		if err != nil {
			return nil, err
		}
		if infos[i], err = b.show(key, wanted); err != nil {
			return nil, err
		}
	}
	return infos, nil
}

// show shows one account, nil when there is none.
func (b bank) show(key solana.PublicKey, wanted accountView) (any, error) {
	stored := b.get(key)
	if stored == nil {
		return nil, nil
	}
	return b.describe(stored, wanted)
}

// describe encodes an account in the wanted way.
func (b bank) describe(stored *account, wanted accountView) (any, error) {
	info := accountInfo{
		Lamports: stored.lamports, Owner: stored.owner, Executable: stored.executable, RentEpoch: math.MaxUint64, Space: len(stored.data),
	}
	if wanted.Encoding == "jsonParsed" {
		if parsed := b.parse(stored); parsed != nil {
			info.Data = parsed
			return info, nil
		}
		wanted.Encoding = "base64"
	}
	data := stored.data
	if s := wanted.Slice; s != nil {
		from := min(s.Offset, uint64(len(data)))
		data = data[from : from+min(s.Length, uint64(len(data))-from)]
	}
	var err error
	info.Data, err = encodeData(data, wanted.Encoding)
	return info, err
}

// base58Max is the most data that is shown in base58, whose cost grows with the square.
const base58Max = 128

// encodeData shows account data; no encoding is the old bare base58.
func encodeData(data []byte, encoding string) (any, error) {
	switch encoding {
	case "", "binary", "base58":
		if len(data) > base58Max {
			return nil, &rpcError{
				Code:    codeRequest,
				Message: "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.",
			}
		}
		if encoding == "base58" {
			return [2]string{base58.Encode(data), encoding}, nil
		}
		return base58.Encode(data), nil
	case "base64":
		return [2]string{base64.StdEncoding.EncodeToString(data), encoding}, nil
	case "base64+zstd":
		encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		return [2]string{base64.StdEncoding.EncodeToString(encoder.EncodeAll(data, nil)), encoding}, nil
	}
	return nil, invalid("unknown encoding %q", encoding)
}

// parsedData is account data that the node understood.
type parsedData struct {
	Program string `json:"program"`
	Parsed  struct {
		Info any    `json:"info"`
		Type string `json:"type"`
	} `json:"parsed"`
	Space int `json:"space"`
}

// parse reads token accounts and mints, nil for anything else.
func (b bank) parse(stored *account) any {
	data := parsedData{Program: "spl-token", Space: len(stored.data)}
	if m, ok := mintOf(stored); ok {
		data.Parsed.Type = "mint"
		data.Parsed.Info = map[string]any{
			"mintAuthority": m.authority, "supply": decimal(m.supply), "decimals": m.decimals, "isInitialized": true,
			"freezeAuthority": m.freezer,
		}
		return data
	}
	h, ok := holdingOf(stored)
	if !ok {
		return nil
	}
	m, _ := mintOf(b.get(h.mint))
	info := map[string]any{
		"mint": h.mint, "owner": h.owner, "tokenAmount": tokenAmountOf(h.amount, m.decimals), "isNative": h.native,
		"state": map[uint8]string{initialized: "initialized", frozen: "frozen"}[h.state],
	}
	if h.delegate.present {
		info["delegate"], info["delegatedAmount"] = h.delegate, tokenAmountOf(h.delegated, m.decimals)
	}
	if h.native {
		info["rentExemptReserve"] = tokenAmountOf(h.reserve, m.decimals)
	}
	if h.closer.present {
		info["closeAuthority"] = h.closer
	}
	data.Parsed.Type, data.Parsed.Info = "account", info
	return data
}

// MarshalJSON shows an absent key as null.
func (o optionalKey) MarshalJSON() ([]byte, error) {
	if !o.present {
		return null, nil
	}
	return json.Marshal(o.key)
}
