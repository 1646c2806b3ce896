package sqlstore_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// A database is opened and migrated, its writer runs in its own loop, items are committed through
// the writer, and the store serves reads. On PostgreSQL the same begins with postgres.Open.
func Example() {
	folder, err := os.MkdirTemp("", "casino")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := errors.Join(run(filepath.Join(folder, "casino.db")), os.RemoveAll(folder)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// the schema is new: true
	// replayed: false, capital: 5000000000
	// replayed: true, capital: 5000000000
}

func run(path string) (err error) {
	ctx := context.Background()
	// Server seeds are encrypted under a key that the database doesn't hold.
	keys, err := sealer.ParseKeys([]string{"2026:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"})
	if err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, path, sealer.New(keys, rand.Reader))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	migrated, err := store.Migrate(ctx)
	if err != nil {
		return err
	}
	fmt.Println("the schema is new:", len(migrated) > 0)

	writer, err := store.Writer(sqlstore.WriterOptions{ID: "example"})
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- writer.Run(running) }()
	defer func() {
		stop() // writes waiting items, and refuses new ones
		err = errors.Join(err, <-ended)
	}()
	for range 2 { // the second time its key is taken
		if err := bookCapital(ctx, store, writer); err != nil {
			return err
		}
	}
	return nil
}

// bookCapital books what the agent put into the treasury. It may be repeated: the key is the
// transaction's signature.
func bookCapital(ctx context.Context, store *sqlstore.Store, writer ports.Writer) error {
	topUp := player.TopUp{
		Token: money.SOL, Amount: 5_000_000_000, Reference: fakes.Signature("top-up"), AuditID: "record 1", At: fakes.Start,
	}
	receipt, err := writer.Commit(ctx, player.Item{
		At:     topUp.At,
		Keys:   []player.UniqueKey{{Kind: player.CapitalKey, Scope: string(topUp.Token), ID: topUp.Reference}},
		Decide: func(player.View) (player.Change, error) { return player.BookCapital(topUp) },
	})
	if err != nil {
		return err
	}
	totals, err := store.Totals(ctx)
	for _, total := range totals {
		if total.Account == ledger.System(ledger.Capital) {
			fmt.Printf("replayed: %v, capital: %v\n", receipt.Replayed, total.Amount)
		}
	}
	return err
}
