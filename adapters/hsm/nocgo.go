//go:build !cgo

package hsm

import (
	"context"
	"errors"

	"github.com/casino-service/casino/domain/wallet"
)

// errNoCgo is the error of a binary that can't load a library.
var errNoCgo = errors.New("this binary was built without cgo and can't load a PKCS#11 module: build it with CGO_ENABLED=1 make build")

// Key can't exist without cgo.
type Key struct{}

// Open returns an error: a PKCS#11 module needs cgo.
func Open(Config) (*Key, error) { return nil, errNoCgo }

// Address returns no address.
func (*Key) Address() wallet.Address { return "" }

// Sign returns an error.
func (*Key) Sign(context.Context, []byte) ([]byte, error) { return nil, errNoCgo }

// Close does nothing.
func (*Key) Close() error { return nil }
