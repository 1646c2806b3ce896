package service

import (
	"context"
	"log/slog"
	"time"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// storeModule provides the database with its running writer.
var storeModule = fx.Module("store", fx.Provide(openStore, newRestoration, startWriter, knownTokens))

func openStore(life fx.Lifecycle, held *Held, open OpenStore, machine *system.System, metrics *telemetry.Databases) (*sqlstore.Store, error) {
	store, err := open(context.Background(), machine)
	if err != nil {
		return nil, err
	}
	store.Observe(metrics.Observe)
	held.Hold(life, withoutContext(store.Close))
	return store, nil
}

// drainTime is how long a stopping writer continues with waiting items.
const drainTime = 3 * time.Second

// startWriter depends on the known tokens, because they give a new database its ledger id.
// Heads are compared by that id before the first batch.
func startWriter(life fx.Lifecycle, store *sqlstore.Store, machine *system.System, batches *telemetry.Batches,
	restoration *recovery.Restoration, asked StopRequested, _ token.Book, log *slog.Logger) (*sqlstore.Writers, error) {
	writer, err := store.Writers(sqlstore.WriterOptions{
		ID: machine.ID(), Logger: log, DrainTime: drainTime, Batch: batches.Batch,
		Sealed: func(head witness.Head) {
			restoration.Sealed(head)
			log.Debug("block sealed", "lane", head.Lane, "seq", head.Seq, "hash", head.Hash.String())
		},
		Outside: restoration,
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	life.Append(fx.StartStopHook(
		func() error {
			if err := compareDatabase(asked, restoration); err != nil {
				return err
			}
			go func() {
				defer close(ended)
				if err := writer.Run(ctx); err != nil {
					log.Error("a writer ended with items that were not written", "error", err.Error())
				}
			}()
			return nil
		},
		func() {
			cancel()
			<-ended
		},
	))
	return writer, nil
}

// knownTokens initializes the database for this chain and returns every token that it ever
// accepted.
func knownTokens(store *sqlstore.Store, identity ports.Identity, terms Terms, seals ports.Authenticator, entropy ports.Entropy) (token.Book, error) {
	ctx := context.Background()
	identity.Ledger = entropy.ID() // for a new database
	if err := store.Initialize(ctx, identity); err != nil {
		return token.Book{}, err
	}
	sealed, err := token.Seal(terms, seals)
	if err != nil {
		return token.Book{}, err
	}
	return store.RegisterTokens(ctx, sealed)
}
