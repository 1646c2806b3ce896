package service

import (
	"context"
	"errors"
	"fmt"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Production returns the profile of `casino serve`. If anything that it needs is missing or
// wrong, the start ends with a list of all faults.
func Production(flags settings.Serve, plan settings.Plan, version Version, traces telemetry.Traces) fx.Option {
	return fx.Options(
		productionParts(plan, version, traces),
		fx.Supply(flags, flags.API, plan.Sessions),
		fx.Provide(
			openPorts, seedSuperadmins, newLimiter, openScreening,
			func(plan settings.Plan) (Provider, error) { return ConnectProvider(plan.Provider) },
		),
		opsModule, Core, readinessModule,
	)
}

// productionParts provide the database, the chain and the witnesses of a plan.
func productionParts(plan settings.Plan, version Version, traces telemetry.Traces) fx.Option {
	return fx.Options(
		fx.Supply(plan, version, traces, Terms(plan.Terms)),
		fx.Supply(Chain{Nodes: revealSecrets(plan.RPC), Genesis: plan.Genesis, Treasury: plan.Treasury, Anchor: plan.Anchor, AnchorPeriod: plan.AnchorPeriod}),
		fx.Provide(
			meetDependencies,
			func(met dependencies) OpenStore {
				return func(context.Context, *system.System) (*sqlstore.Store, error) { return met.store, nil }
			},
			func(met dependencies) ports.Identity { return met.identity },
			func(plan settings.Plan) (ports.Authenticator, ports.RotatedSeals) {
				seals := sealer.NewAuthenticator(plan.Seeds)
				return seals, seals
			},
			func(plan settings.Plan) (ports.StatementSigner, ports.ReceiptSigner, []ports.LogWitness) {
				return plan.Statements, plan.Receipts, plan.Witnesses
			},
			openRedis, productionWitnesses,
		),
	)
}

func revealSecrets(secrets []settings.Secret) (texts []string) {
	for _, secret := range secrets {
		texts = append(texts, secret.Reveal())
	}
	return texts
}

func openPorts(flags settings.Serve, life fx.Lifecycle, held *Held) (APIListener, OpsListener, error) {
	operations, err := Listen(life, held, "CASINO_OPS_ADDR", flags.OpsAddr)
	if err != nil {
		return APIListener{}, OpsListener{}, err
	}
	api, err := Listen(life, held, "CASINO_HTTP_ADDR", flags.HTTPAddr)
	return APIListener{api}, OpsListener{operations}, err
}

// dependencies are the results of reading the database and the chain before anything else
// is made.
type dependencies struct {
	store    *sqlstore.Store
	identity ports.Identity
}

// meetDependencies checks that the database and the chain match the settings, and reports
// all faults at once.
func meetDependencies(plan settings.Plan, machine *system.System) (dependencies, error) {
	ctx := context.Background()
	met := dependencies{identity: ports.Identity{Mode: ports.ModeReal, Genesis: plan.Genesis}}
	var databaseErr error
	met.store, databaseErr = openProduction(ctx, plan, machine)
	err := errors.Join(nameSetting("CASINO_DATABASE_URL", databaseErr), nameSetting("CASINO_SOLANA_RPC_URLS", sameChain(ctx, plan)))
	if err != nil && met.store != nil {
		err = errors.Join(err, met.store.Close())
	}
	return met, err
}

func nameSetting(setting string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", setting, err)
}

func openProduction(ctx context.Context, plan settings.Plan, machine *system.System) (*sqlstore.Store, error) {
	store, err := OpenDatabase(ctx, plan.Database, sealer.New(plan.Seeds, machine.Reader()), false)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(Migrated(ctx, store), store.CheckDurable(ctx)); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// sameChain checks the genesis hash of every node, and that the minimum withdrawal of SOL
// can be paid to a new account.
func sameChain(ctx context.Context, plan settings.Plan) error {
	var faults []error
	for i, url := range plan.RPC {
		node, err := solana.New(solana.Config{RPC: url.Reveal(), Treasury: plan.Treasury})
		if err != nil {
			faults = append(faults, err)
			continue
		}
		genesis, err := node.Genesis(ctx)
		if err == nil && genesis == plan.Genesis {
			err = checkPayable(ctx, node, plan.Terms)
		}
		node.Close()
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("node %d: %w", i+1, err))
		case genesis != plan.Genesis:
			faults = append(faults, fmt.Errorf("node %d is on another chain: its genesis hash is %s, CASINO_SOLANA_GENESIS is %s", i+1, genesis, plan.Genesis))
		}
	}
	return errors.Join(faults...)
}

// checkPayable returns an error if a minimum withdrawal is too small for a new account.
func checkPayable(ctx context.Context, node *solana.Node, tokens []token.Terms) error {
	for _, terms := range tokens {
		if terms.Program != token.System {
			continue
		}
		mint, err := node.Mint(ctx, terms)
		if err != nil {
			return err
		}
		if terms.MinWithdrawal < mint.AccountMinimum {
			return fmt.Errorf("minWithdrawal of SOL in CASINO_TOKENS_FILE is %d lamports: a new account must hold %d on this chain, so set at least that",
				terms.MinWithdrawal, mint.AccountMinimum)
		}
	}
	return nil
}

// seedSuperadmins fills an empty role table; existing roles stay.
func seedSuperadmins(plan settings.Plan, machine *system.System) Bootstrap {
	return func(ctx context.Context, _ *app.Casino, founders Founders) error {
		commands := admin.RoleCommands{Roles: founders, Withdrawals: founders, Policy: rbac.DefaultPolicy(), Clock: machine, Entropy: machine}
		return commands.SeedSuperadmins(ctx, plan.Superadmins)
	}
}
