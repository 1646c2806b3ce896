package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
)

type localnetCommand struct {
	dataFlags
	LocalnetAddr string        `default:"127.0.0.1:8899" placeholder:"HOST:PORT" help:"Where the chain listens; loopback only."`
	SlotDuration time.Duration `default:"20ms" help:"How long a slot lasts."`
	BlockhashAge uint64        `default:"150" help:"For how many blocks a blockhash may be used."`
}

// Run serves the chain alone until the context ends.
func (c localnetCommand) Run(ctx context.Context, s streams) (err error) {
	if err := settings.Loopback(c.LocalnetAddr); err != nil {
		return usageError{fmt.Errorf("CASINO_LOCALNET_ADDR: %w", err)}
	}
	dir := dataDir(c.DataDir).chain()
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
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.LocalnetAddr)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "A simulated Solana chain is served at http://%s. It holds no real money and is part of no network.\n", listener.Addr())
	return serveUntil(ctx, newServer(chain.Handler()), listener)
}

// serveUntil serves until the context ends, and then lets open requests finish.
func serveUntil(ctx context.Context, server *http.Server, listener net.Listener) error {
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
