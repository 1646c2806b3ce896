package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/game"
)

type ProviderCommand struct {
	Sync      providerSyncCommand      `cmd:"" help:"Update the catalogue with the provider's games now. Example: casino provider sync"`
	Reconcile providerReconcileCommand `cmd:"" help:"Compare the provider's own log with the ledger and print every difference. Example: casino provider reconcile --since 48h"`
}

type providerSyncCommand struct {
	settings.Database
	settings.Provider
}

// Run reads the games of the provider in serve's settings, and stores them in serve's
// database.
func (c providerSyncCommand) Run(ctx context.Context, s cli.Streams) error {
	plan, err := c.SyncPlan()
	if err != nil {
		return cli.Usage(err)
	}
	connected, err := service.ConnectProvider(plan)
	if err != nil {
		return cli.Usage(err)
	}
	if connected.Connection == nil {
		return cli.Usage(errors.New("CASINO_PROVIDER_URL is missing: no provider is connected"))
	}
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return err
	}
	return withDatabase(ctx, c.Database, false, func(store *sqlstore.Store) error {
		if err := service.Migrated(ctx, store); err != nil {
			return err
		}
		sync := providers.NewProviderSync(store, games, system.Default(), connected.Connection, nil)
		found, err := sync.Sync(ctx)
		if err != nil {
			return err
		}
		for _, entry := range found.Unread {
			if _, err := fmt.Fprintf(s.Out, "not read: %s\n", entry.Reason); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(s.Out, "%d games listed: %d new, %d changed, %d vanished, %d left out\n",
			found.Listed, found.New, found.Changed, found.Vanished, len(found.Taken))
		return err
	})
}

type providerReconcileCommand struct {
	storeFlags
	settings.Provider
	ProviderAddr string        `default:"127.0.0.1:8877" placeholder:"HOST:PORT" help:"Where casino dev's demo provider listens, when its data folder is used."`
	From         time.Time     `format:"2006-01-02T15:04:05Z07:00" placeholder:"TIME" help:"The beginning of the span, such as 2026-03-01T00:00:00Z; --since is used without it."`
	To           time.Time     `format:"2006-01-02T15:04:05Z07:00" placeholder:"TIME" help:"The end of the span, exclusive; ten minutes ago by default, since younger transactions may still be retried."`
	Since        time.Duration `default:"24h" help:"How long before the end the span begins."`
	JSON         bool          `name:"json" help:"Print one JSON object instead of lines for people."`
}

// Run compares the span and prints every difference. It returns an error if there are any.
func (c providerReconcileCommand) Run(ctx context.Context, s cli.Streams) error {
	connected, err := c.connectProvider()
	if err != nil {
		return cli.Usage(err)
	}
	return c.withOffline(ctx, func(o *offline) error {
		reads := providers.ReconciliationStore{Launches: o.store, SeamlessTransactions: o.store, Reconciliations: o.store}
		reconciler := providers.NewProviderReconciler(reads, o.machine, connected.Connection, nil)
		from, to, err := c.comparedSpan(reconciler.SettledUntil())
		if err != nil {
			return cli.Usage(err)
		}
		found, err := reconciler.Between(ctx, from, to)
		if err != nil {
			return err
		}
		if err := c.printComparison(s, from, to, found); err != nil {
			return err
		}
		if n := len(found.Differences); n > 0 {
			return fmt.Errorf("ledger and provider differ in %d of %d transactions", n, found.Transactions)
		}
		return nil
	})
}

// connectProvider returns the provider in the settings, or that of casino dev's folder.
func (c providerReconcileCommand) connectProvider() (service.Provider, error) {
	plan, err := c.SyncPlan()
	if err != nil {
		return service.Provider{}, err
	}
	switch {
	case plan.Connected():
	case c.Given():
		return service.Provider{}, errors.New("CASINO_PROVIDER_URL is missing: no provider is connected")
	default:
		if err := settings.Loopback(c.ProviderAddr); err != nil {
			return service.Provider{}, fmt.Errorf("CASINO_PROVIDER_ADDR: %w", err)
		}
		path := dev.Folder(c.DataDir).File("provider-token.key")
		token, err := os.ReadFile(path) //nolint:gosec // the folder is the user's own flag
		if errors.Is(err, fs.ErrNotExist) {
			return service.Provider{}, fmt.Errorf("there is no demo provider's token at %s: casino dev makes one", path)
		}
		if err != nil {
			return service.Provider{}, err
		}
		plan = settings.ProviderPlan{
			Client: goldapi.Config{URL: "http://" + c.ProviderAddr + "/api", AgentCode: dev.DemoAgent, Loopback: true},
			Token:  settings.Secret(strings.TrimSpace(string(token))),
		}
	}
	return service.ConnectProvider(plan)
}

// comparedSpan returns the span to compare in whole seconds. Transactions are settled until
// settled.
func (c providerReconcileCommand) comparedSpan(settled time.Time) (from, to time.Time, err error) {
	from, to = c.From.UTC().Truncate(time.Second), c.To.UTC().Truncate(time.Second)
	if c.To.IsZero() {
		to = settled
	}
	if c.From.IsZero() {
		from = to.Add(-c.Since).Truncate(time.Second)
	}
	if !from.Before(to) {
		return from, to, fmt.Errorf("--from: %s is not before the end, %s", from.Format(time.RFC3339), to.Format(time.RFC3339))
	}
	return from, to, nil
}

// reconciled is the output of --json.
type reconciled struct {
	From         time.Time            `json:"from"`
	To           time.Time            `json:"to"`
	Transactions int                  `json:"transactions"`
	Differences  []reconciledDiffered `json:"differences"`
}

type reconciledDiffered struct {
	Wallet string          `json:"wallet"`
	TxnID  string          `json:"txnId"`
	Ours   *reconciledSide `json:"ours"` // null if the ledger lacks it
	Theirs *reconciledSide `json:"theirs"`
}

// reconciledSide has amounts in base units.
type reconciledSide struct {
	Bet int64 `json:"bet"`
	Win int64 `json:"win"`
}

func sideOf(s providers.ProviderSide) *reconciledSide {
	if !s.Known {
		return nil
	}
	return &reconciledSide{int64(s.Bet), int64(s.Win)}
}

func (c providerReconcileCommand) printComparison(s cli.Streams, from, to time.Time, found providers.ProviderComparison) error {
	if c.JSON {
		report := reconciled{From: from, To: to, Transactions: found.Transactions, Differences: []reconciledDiffered{}}
		for _, d := range found.Differences {
			report.Differences = append(report.Differences, reconciledDiffered{string(d.Wallet), d.TxnID, sideOf(d.Ours), sideOf(d.Theirs)})
		}
		if err := json.MarshalWrite(s.Out, report, json.Deterministic(true)); err != nil {
			return err
		}
		_, err := fmt.Fprintln(s.Out)
		return err
	}
	for _, d := range found.Differences {
		fmt.Fprintf(s.Out, "DIFFERS %s of %s: the ledger has %s, the provider %s\n", d.TxnID, d.Wallet, d.Ours, d.Theirs)
	}
	_, err := fmt.Fprintf(s.Out, "%d transactions from %s to %s: %d differ\n", found.Transactions,
		from.Format(time.RFC3339), to.Format(time.RFC3339), len(found.Differences))
	return err
}
