package dev

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
)

type LocalnetCommand struct {
	DataFlags
	LocalnetAddr string        `default:"127.0.0.1:8899" placeholder:"HOST:PORT" help:"Where the chain listens; loopback only."`
	SlotDuration time.Duration `default:"20ms" help:"How long a slot lasts."`
	BlockhashAge uint64        `default:"150" help:"For how many blocks a blockhash may be used."`
}

// Run serves the chain alone until the context ends.
func (c LocalnetCommand) Run(ctx context.Context, s cli.Streams) (err error) {
	if err := settings.Loopback(c.LocalnetAddr); err != nil {
		return cli.Usage(fmt.Errorf("CASINO_LOCALNET_ADDR: %w", err))
	}
	dir := Folder(c.DataDir).chainPath()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	machine := system.Default()
	chain, err := localnet.Open(localnet.Config{
		Dir: dir, SlotDuration: c.SlotDuration, BlockhashAge: c.BlockhashAge, Now: machine.Now, Random: machine.Reader(),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, chain.Close()) }()
	open, err := listenPair(c.LocalnetAddr)
	if err != nil {
		return err
	}
	pubsub := chain.Pubsub()
	defer pubsub.Close()
	fmt.Fprintf(s.Out, "A simulated Solana chain is served at http://%s, its websocket at ws://%s. It holds no real money and is part of no network.\n",
		open.Addr(), open.websocket.Addr())
	both, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		defer cancel()
		ended <- ServeUntil(both, newServer(pubsub), open.websocket)
	}()
	err = ServeUntil(both, newServer(chain.Handler()), open)
	cancel()
	return errors.Join(err, <-ended)
}

// chainListener is the open port of the simulated chain, and the next port, where Solana's
// clients expect the websocket.
type chainListener struct {
	net.Listener
	websocket net.Listener
}

// pairTries is how often to look for a pair of free ports: half in the system's range, half
// below it. Linux gives listeners odd ports and connections even ones, so after many
// connections no odd port may have a free successor.
const pairTries = 100

// Ports outside the system's range.
const (
	quietPorts = 16_384
	quietSpan  = 16_000
)

// listenPair opens two successive ports. If the port is 0, it tries others when the second
// port is taken.
func listenPair(address string) (chainListener, error) {
	host, wanted, err := net.SplitHostPort(address)
	if err != nil {
		return chainListener{}, err
	}
	pair, first, err := listenBoth(address)
	for try := 1; err != nil && first > 0 && wanted == "0" && try < pairTries; try++ {
		at := address
		if try >= pairTries/2 {
			at = net.JoinHostPort(host, strconv.Itoa(quietPorts+(first+2*try)%quietSpan))
		}
		if next, number, failed := listenBoth(at); failed == nil {
			return next, nil
		} else if number > 0 {
			err = failed
		}
	}
	return pair, err
}

// listenBoth opens a port and the next one. It returns the first port's number even if the
// next is taken.
func listenBoth(address string) (pair chainListener, number int, err error) {
	first, err := net.Listen("tcp", address) //nolint:noctx // opening a port takes no time
	if err != nil {
		return chainListener{}, 0, err
	}
	host, port, err := net.SplitHostPort(first.Addr().String())
	if err == nil {
		number, err = strconv.Atoi(port)
	}
	if err != nil {
		return chainListener{}, 0, errors.Join(err, first.Close())
	}
	second, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(number+1))) //nolint:noctx // as above
	if err != nil {
		return chainListener{}, number, fmt.Errorf("its websocket, on the port above: %w", errors.Join(err, first.Close()))
	}
	return chainListener{first, second}, number, nil
}

// ServeUntil serves until the context ends, and then lets open requests finish.
func ServeUntil(ctx context.Context, server *http.Server, listener net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.Background(), service.StopTime)
	defer cancel()
	return server.Shutdown(stopping)
}
