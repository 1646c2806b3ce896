package validator

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"
)

func (c *Chain) getSlot(p params) (any, error) {
	slot, err := c.viewed(p, 0)
	return slot, err
}

func (c *Chain) getBlockHeight(p params) (any, error) {
	slot, err := c.viewed(p, 0)
	return height(slot), err
}

func (c *Chain) getBlockTime(p params) (any, error) {
	var slot uint64
	if err := p.read(0, &slot); err != nil {
		return nil, err
	}
	return c.unix(max(slot, firstSlot)), nil
}

func (c *Chain) getLatestBlockhash(p params) (any, error) {
	slot, err := c.viewed(p, 0)
	if err != nil {
		return nil, err
	}
	hash, err := c.blockhash(slot)
	if err != nil {
		return nil, err
	}
	return at(slot, map[string]any{"blockhash": hash, "lastValidBlockHeight": height(slot) + BlockhashAge}), nil
}

func (c *Chain) isBlockhashValid(p params) (any, error) {
	var hash solana.Hash
	if err := p.read(0, &hash); err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	return at(slot, c.usable(hash, slot)), nil
}

// shown returns an account in the form that a call requests.
func (c *Chain) shown(key string, slot uint64, p params) (any, error) {
	stored, err := c.account(key, slot)
	if err != nil {
		return nil, err
	}
	account, err := read(stored)
	if err != nil || account == nil {
		return nil, err
	}
	var how struct {
		Encoding string
		Slice    *struct{ Offset, Length int } `json:"dataSlice"`
	}
	if err := p.read(1, &how); err != nil {
		return nil, err
	}
	if how.Encoding != "base64" {
		return nil, invalid("accounts are shown in base64 only")
	}
	if how.Slice != nil {
		data, err := base64.StdEncoding.DecodeString(account.Data[0])
		if err != nil {
			return nil, err
		}
		from := min(how.Slice.Offset, len(data))
		account.Data[0] = base64.StdEncoding.EncodeToString(data[from:min(from+how.Slice.Length, len(data))])
	}
	return account, nil
}

func (c *Chain) getAccountInfo(p params) (any, error) {
	var key string
	if err := p.read(0, &key); err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	account, err := c.shown(key, slot, p)
	return at(slot, account), err
}

func (c *Chain) getMultipleAccounts(p params) (any, error) {
	var keys []string
	if err := p.read(0, &keys); err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	all := make([]any, len(keys))
	for i, key := range keys {
		if all[i], err = c.shown(key, slot, p); err != nil {
			return nil, err
		}
	}
	return at(slot, all), nil
}

func (c *Chain) getBalance(p params) (any, error) {
	var key string
	if err := p.read(0, &key); err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	stored, err := c.account(key, slot)
	if err != nil {
		return nil, err
	}
	lamports, err := lamportsOf(stored)
	return at(slot, lamports), err
}

func (c *Chain) getTokenAccountBalance(p params) (any, error) {
	const mintAt, amountAt, amountEnd, decimalsAt = 0, 64, 72, 44
	var key string
	if err := p.read(0, &key); err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	data, err := c.dataAt(key, slot)
	if err != nil || len(data) < amountEnd {
		return nil, invalid("Invalid param: could not find account")
	}
	mint, err := c.dataAt(solana.PublicKeyFromBytes(data[mintAt:mintAt+solana.PublicKeyLength]).String(), slot)
	if err != nil || len(mint) <= decimalsAt {
		return nil, invalid("Invalid param: not a Token account")
	}
	return at(slot, map[string]any{
		"amount": fmt.Sprint(binary.LittleEndian.Uint64(data[amountAt:amountEnd])), "decimals": mint[decimalsAt], "uiAmount": nil,
	}), nil
}

func (c *Chain) dataAt(key string, slot uint64) ([]byte, error) {
	stored, err := c.account(key, slot)
	if err != nil {
		return nil, err
	}
	return dataOf(stored)
}

// getSignatureStatuses answers null for unknown signatures: without searchTransactionHistory
// these include all that landed long ago.
func (c *Chain) getSignatureStatuses(p params) (any, error) {
	var asked []solana.Signature
	var how struct {
		Search bool `json:"searchTransactionHistory"`
	}
	if err := p.read(0, &asked); err != nil {
		return nil, err
	}
	if err := p.read(1, &how); err != nil {
		return nil, err
	}
	slot := c.slotAt(processed)
	statuses := make([]any, len(asked))
	for i, signature := range asked {
		l, known := c.known[signature]
		if !known || !how.Search && l.slot+recentSlots < slot {
			continue
		}
		status := map[string]any{"slot": l.slot, "err": l.err(), "confirmationStatus": c.settled(l.slot), "confirmations": nil}
		if c.settled(l.slot) != finalized {
			status["confirmations"] = slot - l.slot
		}
		statuses[i] = status
	}
	return at(slot, statuses), nil
}

// getSignaturesForAddress lists the transactions that name an address, newest first.
func (c *Chain) getSignaturesForAddress(p params) (any, error) {
	const pageMax = 1000
	var key string
	how := struct {
		Before, Until *solana.Signature
		Limit         int
	}{Limit: pageMax}
	if err := p.read(0, &key); err != nil {
		return nil, err
	}
	if err := p.read(1, &how); err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	if how.Limit < 1 || how.Limit > pageMax {
		return nil, invalid(fmt.Sprintf("Invalid limit; max %d", pageMax))
	}
	list := []any{}
	begun := how.Before == nil
	for i := len(c.landed) - 1; i >= 0 && len(list) < how.Limit; i-- {
		l := c.landed[i]
		if how.Until != nil && l.signature == *how.Until {
			break
		}
		if begun && l.slot <= slot && l.names(key) {
			list = append(list, map[string]any{
				"signature": l.signature, "slot": l.slot, "err": l.err(), "memo": nil, "blockTime": c.unix(l.slot),
				"confirmationStatus": c.settled(l.slot),
			})
		}
		begun = begun || l.signature == *how.Before
	}
	return list, nil
}

func (l *landed) names(key string) bool {
	for _, named := range l.keys {
		if named == key {
			return true
		}
	}
	return false
}

// getTransaction returns a transaction that has the requested commitment, else null.
func (c *Chain) getTransaction(p params) (any, error) {
	var signature solana.Signature
	var how struct {
		Encoding string
		Version  *int `json:"maxSupportedTransactionVersion"`
	}
	if err := p.read(0, &signature); err != nil {
		return nil, err
	}
	if err := p.read(1, &how); err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	l, known := c.known[signature]
	if !known || l.slot > slot {
		return nil, nil
	}
	if l.version >= 0 && (how.Version == nil || *how.Version < l.version) {
		return nil, &rpcError{Code: codeUnsupportedVersion, Message: fmt.Sprintf(
			"Transaction version (%d) is not supported by the requesting client. Please try the request again with the following configuration parameter: \"maxSupportedTransactionVersion\": %[1]d",
			l.version)}
	}
	answer := map[string]any{"slot": l.slot, "blockTime": c.unix(l.slot), "transaction": l.transaction, "meta": l.meta}
	switch {
	case how.Encoding != "base64":
		return nil, invalid("transactions are shown in base64 only")
	case how.Version != nil && l.version >= 0:
		answer["version"] = l.version
	case how.Version != nil:
		answer["version"] = json.RawMessage(`"legacy"`)
	}
	return answer, nil
}

// Call is a call that passes through a Proxy.
type Call struct {
	Method string
	Body   []byte
	chain  http.Handler
}

// Pass carries out the call and returns the node's answer.
func (c Call) Pass() []byte {
	recorder := httptest.NewRecorder()
	c.chain.ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(c.Body)))
	return recorder.Body.Bytes()
}

// Result answers the call with the given result.
func (c Call) Result(result any) *Reply { return c.reply("result", result) }

// Refuse answers the call with an error.
func (c Call) Refuse(code int, message string) *Reply {
	return c.reply("error", rpcError{Code: code, Message: message})
}

func (c Call) reply(member string, value any) *Reply {
	var asked struct{ ID json.RawMessage }
	_ = json.Unmarshal(c.Body, &asked) // a call without an id gets null
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": asked.ID, member: value})
	if err != nil {
		panic(err) // a test's own value
	}
	return &Reply{Status: http.StatusOK, Body: body}
}

// Reply is what a Proxy answers instead of the node; Drop cuts the connection.
type Reply struct {
	Status int
	Header map[string]string
	Body   []byte
	Drop   bool
}

// Proxy is between a client and a node, and spoils the calls that a test chooses.
type Proxy struct {
	URL   string
	chain http.Handler

	mu    sync.Mutex
	spoil func(Call) *Reply
}

// NewProxy starts a proxy in front of a node. It ends with the test.
func NewProxy(t testing.TB, chain http.Handler) *Proxy {
	p := &Proxy{chain: chain}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// Spoil sets a function that handles calls from now on; a nil reply lets a call pass, and a nil
// function lets all pass. Calls of the function are not concurrent.
func (p *Proxy) Spoil(spoil func(Call) *Reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spoil = spoil
}

func (p *Proxy) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	if err != nil {
		return
	}
	var named struct{ Method string }
	_ = json.Unmarshal(body, &named) // other bodies than JSON have no method
	call := Call{Method: named.Method, Body: body, chain: p.chain}
	instead := p.spoiled(call)
	switch {
	case instead == nil:
		instead = &Reply{Status: http.StatusOK, Body: call.Pass()}
	case instead.Drop:
		panic(http.ErrAbortHandler)
	}
	for name, value := range instead.Header {
		out.Header().Set(name, value)
	}
	out.WriteHeader(instead.Status)
	_, _ = out.Write(instead.Body) // errors of the client's connection don't matter
}

func (p *Proxy) spoiled(call Call) *Reply {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spoil == nil {
		return nil
	}
	return p.spoil(call)
}
