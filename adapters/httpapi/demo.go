package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/domain/wallet"
)

// DemoWallets are wallets that sign for whoever asks, so that pages can be tried without a
// wallet of one's own. They are for development: serve has none.
type DemoWallets interface {
	// Wallets lists them.
	Wallets() []DemoWallet
	// SignMessage returns a wallet's signature of a text, or a fault of kind NotFound for a
	// name that none has.
	SignMessage(name, text string) (signature []byte, err error)
	// SendTransaction signs a transaction as a wallet, sends it to the simulated chain and
	// returns its signature. What the wallet alone can't sign is a fault of kind Invalid,
	// what the chain refuses one of kind External.
	SendTransaction(ctx context.Context, name string, transaction []byte) (signature string, err error)
}

// DemoWallet is one of them.
type DemoWallet struct {
	Name   string
	Wallet wallet.Address
	Role   string // empty for players
}

// demoRoutes exist where there are demo wallets.
func (a *API) demoRoutes() []route {
	return []route{
		{operation.DemoWallets, anyone, publicWindow, a.listDemoWallets},
		{operation.DemoSign, anyone, publicWindow, a.demoSign},
		{operation.DemoSend, anyone, publicWindow, a.demoSend},
	}
}

func (a *API) listDemoWallets(*request) (answer, error) {
	return ok(api.DemoWalletsResponse{Wallets: mapEach(a.demo.Wallets(), func(w DemoWallet) api.DemoWallet {
		return api.DemoWallet{Name: w.Name, Wallet: string(w.Wallet), Role: orNull(w.Role)}
	})}), nil
}

// demoMessageMax is how long a message may be, in characters.
const demoMessageMax = 4096

func (a *API) demoSign(r *request) (answer, error) {
	f := r.readBody()
	f.Need("message")
	message := f.Limited("message", demoMessageMax)
	if f.Err != nil {
		return answer{}, f.Err
	}
	signature, err := a.demo.SignMessage(r.params["name"], message)
	return ok(api.DemoSigned{Signature: signature}), err
}

// transactionBytesMax is the largest transaction that a chain takes.
const transactionBytesMax = 4096

func (a *API) demoSend(r *request) (answer, error) {
	f := r.readBody()
	transaction := f.Base64("transaction", transactionBytesMax)
	if f.Err != nil {
		return answer{}, f.Err
	}
	signature, err := a.demo.SendTransaction(r.ctx, r.params["name"], transaction)
	return ok(api.DemoSent{Signature: signature}), err
}
