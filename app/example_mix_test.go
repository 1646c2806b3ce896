package app_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/jwttoken"
	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// durable is a database file with its writer. Two values implement the ports, which the use
// cases need as one store.
type durable struct {
	*sqlstore.Store
	ports.Writer
}

// Any mix of adapters makes a casino, without a container: here a database file, real
// tokens and randomness, and a fake chain.
func ExampleNew_mixed() {
	folder, err := os.MkdirTemp("", "casino-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = mixed(context.Background(), folder)
	if err := errors.Join(err, os.RemoveAll(folder)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// capital booked: true, and again: false
	// block 1 of lane 0 is sealed
}

func mixed(ctx context.Context, folder string) (err error) {
	terms := fakes.Terms()
	machine := system.Default()
	seeds, err := sealer.ParseKeys([]string{"2026-01:" + strings.Repeat("5e", 31) + "01"})
	if err != nil {
		return err
	}
	sessions, err := jwttoken.ParseKeys([]string{"2026-01:" + strings.Repeat("a7", 31) + "02"})
	if err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, filepath.Join(folder, "casino.db"), sealer.New(seeds, machine.Reader()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if _, err := store.Migrate(ctx); err != nil {
		return err
	}
	writer, err := store.Writer(sqlstore.WriterOptions{ID: machine.ID()})
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	stopped := make(chan error, 1)
	go func() { stopped <- writer.Run(running) }()
	defer func() { stop(); err = errors.Join(err, <-stopped) }()

	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		return err
	}
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(durable{store, writer}), Chain: fakes.NewChain(terms), Clock: machine, Entropy: machine,
		Sessions: jwttoken.New(sessions, "casino", "example", time.Hour, machine, machine.SessionIDs()),
		Games:    games, Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
	})
	if err != nil {
		return err
	}
	first, err := casino.Treasury.BookCapital(ctx, money.SOL, 1_000_000_000, "initial capital")
	if err != nil {
		return err
	}
	again, err := casino.Treasury.BookCapital(ctx, money.SOL, 1_000_000_000, "initial capital")
	if err != nil {
		return err
	}
	fmt.Printf("capital booked: %v, and again: %v\n", first, again)
	heads, err := store.Heads(ctx)
	for _, head := range heads {
		fmt.Printf("block %d of lane %d is sealed\n", head.Seq, head.Lane)
	}
	return err
}
