package localnet

import (
	"encoding/base64"
	"math"

	"github.com/gagliardetto/solana-go"
)

// accountInfo is an account in JSON-RPC's format.
type accountInfo struct {
	Lamports   uint64           `json:"lamports"`
	Owner      solana.PublicKey `json:"owner"`
	Data       [2]string        `json:"data"`
	Executable bool             `json:"executable"`
	RentEpoch  uint64           `json:"rentEpoch"`
	Space      int              `json:"space"`
}

func (c *Chain) getBalance(p params) (any, error) {
	key, err := p.readAddress(0)
	if err != nil {
		return nil, err
	}
	slot, err := c.readViewSlot(p, 1)
	if err != nil {
		return nil, err
	}
	var lamports uint64
	if stored := c.accounts.accountAt(key, slot); stored != nil {
		lamports = stored.lamports
	}
	return contextualAt(slot, lamports), nil
}

func (c *Chain) getAccountInfo(p params) (any, error) {
	key, err := p.readAddress(0)
	if err != nil {
		return nil, err
	}
	var wanted struct {
		view
		Encoding string `json:"encoding"`
	}
	if err := p.readParam(1, false, &wanted); err != nil {
		return nil, err
	}
	if wanted.Encoding != "" && wanted.Encoding != "base64" {
		return nil, invalidParams("unsupported encoding: %s. Supported encoding: base64", wanted.Encoding)
	}
	slot, err := c.slotFor(wanted.view)
	if err != nil {
		return nil, err
	}
	stored := c.accounts.accountAt(key, slot)
	if stored == nil {
		return contextualAt(slot, nil), nil
	}
	return contextualAt(slot, accountInfo{
		Lamports: stored.lamports, Owner: stored.owner, Data: [2]string{base64.StdEncoding.EncodeToString(stored.data), "base64"},
		Executable: stored.executable, RentEpoch: math.MaxUint64, Space: len(stored.data),
	}), nil
}
