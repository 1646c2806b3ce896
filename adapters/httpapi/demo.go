package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/domain/wallet"
)

// DemoWallets are wallets that sign for any caller, to try the pages without a wallet. They
// are for development; `casino serve` has none.
type DemoWallets interface {
	// Wallets lists them.
	Wallets() []DemoWallet
	// SignMessage returns a wallet's signature of a text. An unknown name is a fault of
	// kind NotFound.
	SignMessage(name, text string) (signature []byte, err error)
	// SendTransaction signs a transaction as a wallet, sends it to the simulated chain and
	// returns its signature. If other signatures are needed, the fault is of kind Invalid;
	// if the chain rejects it, of kind External.
	SendTransaction(ctx context.Context, name string, transaction []byte) (signature string, err error)
}

// DemoWallet is a demo wallet.
type DemoWallet struct {
	Name   string
	Wallet wallet.Address
	Role   string // "" for players
}

// demoRoutes returns the routes of demo wallets.
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

// demoMessageMax is the maximum length of a message, in characters.
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

// transactionBytesMax is the maximum size of a transaction.
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
