package dev

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/jwttoken"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// devProfile returns the additions of `casino dev` to the service's core: everything
// embedded, in one folder, on a simulated chain.
func devProfile(flags Flags) fx.Option {
	flags.API.Local = true
	return fx.Options(
		fx.Supply(flags, flags.API, Folder(flags.DataDir), service.Version(cli.Version), telemetry.NoTraces, service.Screening{}),
		fx.Provide(
			prepareFolder, openListeners, openChain, openProvider, devIdentity, devTerms, devChain, devSessions, devAuthenticator, devStatements, devReceipts,
			devBootstrap, newDemoWallets,
			func(dir Folder, _ devKeys) service.OpenStore { // needs the folder that devKeys creates
				return func(ctx context.Context, machine *system.System) (*sqlstore.Store, error) {
					return OpenDatabase(ctx, dir, machine)
				}
			},
			devWitnesses,
			func(machine *system.System) service.RequestLimiter {
				return service.LocalLimiter(local.New(machine))
			},
		),
		service.Core,
	)
}

// RecoveryProfile returns the profile of `casino recover` in casino dev's folder, with the
// chain of the running casino dev.
func RecoveryProfile(folder, url string) fx.Option {
	return fx.Options(
		fx.Supply(Folder(folder), service.Version(cli.Version), telemetry.NoTraces),
		fx.Provide(
			prepareFolder, devAuthenticator, devWitnesses,
			folderTerms,
			func(dir Folder, _ devKeys) (service.Chain, error) {
				signer, err := solana.ReadKeypair(dir.Treasury())
				return service.Chain{Nodes: []string{url}, Treasury: signer, BlockhashAge: devBlockhashAge}, err
			},
			func() (ports.Identity, error) { return identityOf(url) },
			func(dir Folder, _ devKeys) service.OpenStore {
				return func(ctx context.Context, machine *system.System) (*sqlstore.Store, error) {
					return OpenDatabase(ctx, dir, machine)
				}
			},
		),
		service.RecoveryCore,
	)
}

// prepareFolder creates the data folder and the keys in it.
func prepareFolder(dir Folder, entropy ports.Entropy) (devKeys, error) {
	if err := dir.makeFolders(); err != nil {
		return devKeys{}, err
	}
	return dir.readKeys(entropy)
}

func openListeners(flags Flags, life fx.Lifecycle, held *service.Held) (service.APIListener, chainListener, providerListener, error) {
	none := func(err error) (service.APIListener, chainListener, providerListener, error) {
		return service.APIListener{}, chainListener{}, providerListener{}, err
	}
	api, err := service.Listen(life, held, "CASINO_HTTP_ADDR", flags.HTTPAddr)
	if err != nil {
		return none(err)
	}
	games, err := service.Listen(life, held, "CASINO_PROVIDER_ADDR", flags.ProviderAddr)
	if err != nil {
		return none(err)
	}
	chain, err := listenPair(flags.LocalnetAddr)
	if err != nil {
		return none(fmt.Errorf("CASINO_LOCALNET_ADDR: %w", err))
	}
	for _, each := range []net.Listener{chain.Listener, chain.websocket} {
		held.Hold(life, func(context.Context) error {
			_ = each.Close() // already closed by its server, unless the start ended before
			return nil
		})
	}
	return service.APIListener{Listener: api}, chain, providerListener{games}, nil
}

// openChain runs the simulated chain, funded for the demo.
func openChain(life fx.Lifecycle, held *service.Held, dir Folder, machine *system.System, open chainListener, keys devKeys, log *slog.Logger,
	down fx.Shutdowner) (*localnet.Chain, error) {
	chain, err := localnet.Open(localnet.Config{
		Dir: dir.chainPath(), BlockhashAge: devBlockhashAge, Now: machine.Now, Random: machine.Reader(),
	})
	if err != nil {
		return nil, err
	}
	pubsub := chain.Pubsub()
	server, sockets := newServer(service.OnlyLocal(chain.Handler())), newServer(service.OnlyLocal(pubsub))
	held.Hold(life, func(ctx context.Context) error {
		pubsub.Close()
		return errors.Join(sockets.Shutdown(ctx), server.Shutdown(ctx), chain.Close())
	})
	service.Serve(server, open, log, down)
	service.Serve(sockets, open.websocket, log, down)
	return chain, fundChain(context.Background(), chain, rpc.New(rpcURL(open)), keys)
}

func rpcURL(open chainListener) string { return "http://" + open.Addr().String() }

func socketURL(open chainListener) string { return "ws://" + open.websocket.Addr().String() }

// devTerms returns the terms of the named tokens file, or of the folder's own.
func devTerms(flags Flags, dir Folder, keys devKeys) (service.Terms, error) {
	if flags.TokensFile == "" {
		return folderTerms(dir, keys)
	}
	return settings.ReadTokensFile(flags.TokensFile, false)
}

// folderTerms reads the folder's tokens file, which the first start creates with the demo's
// terms. Changes apply from the next start.
func folderTerms(dir Folder, keys devKeys) (service.Terms, error) {
	if _, err := os.Stat(dir.tokensPath()); errors.Is(err, fs.ErrNotExist) {
		var text strings.Builder
		if err := settings.WriteTokens(&text, demoTerms(keys)); err != nil {
			return nil, err
		}
		if err := writeNew(dir.tokensPath(), text.String()); err != nil {
			return nil, err
		}
	}
	terms, err := settings.ReadTokensFile(dir.tokensPath(), false)
	if err != nil {
		err = fmt.Errorf("%s: %w", dir.tokensPath(), err)
	}
	return terms, err
}

// devChain connects the service to the simulated chain by its URL. It depends on the
// running chain.
func devChain(dir Folder, open chainListener, _ *localnet.Chain) (service.Chain, error) {
	signer, err := solana.ReadKeypair(dir.Treasury())
	if err != nil {
		return service.Chain{}, err
	}
	anchor, err := solana.ReadKeypair(dir.anchorPath())
	return service.Chain{
		Nodes: []string{rpcURL(open)}, Treasury: signer, Anchor: anchor, AnchorPeriod: time.Hour, BlockhashAge: devBlockhashAge,
	}, err
}

func devIdentity(open chainListener, _ *localnet.Chain) (ports.Identity, error) {
	return identityOf(rpcURL(open))
}

func identityOf(url string) (ports.Identity, error) {
	genesis, err := rpc.New(url).GetGenesisHash(context.Background())
	if err != nil {
		return ports.Identity{}, fmt.Errorf("reading the genesis hash: %w", err)
	}
	return ports.Identity{Mode: ports.ModeDev, Genesis: genesis.String()}, nil
}

// devSessions reads the folder's session key, which prepareFolder created.
func devSessions(dir Folder, _ devKeys, machine *system.System) (jwttoken.Keyring, error) {
	secret, err := dir.readSecret("jwt", machine)
	if err != nil {
		return jwttoken.Keyring{}, err
	}
	return jwttoken.ParseKeys([]string{secret})
}

// Seals reads the folder's key of server seeds, which also makes seals.
func Seals(dir Folder, machine *system.System) (sealer.Keyring, error) {
	secret, err := dir.readSecret("seed", machine)
	if err != nil {
		return sealer.Keyring{}, err
	}
	return sealer.ParseKeys([]string{secret})
}

func devAuthenticator(dir Folder, _ devKeys, machine *system.System) (ports.Authenticator, ports.RotatedSeals, error) {
	ring, err := Seals(dir, machine)
	seals := sealer.NewAuthenticator(ring)
	return seals, seals, err
}

// devStatements returns the signer of public checkpoints with the folder's key.
func devStatements(dir Folder, _ devKeys, machine *system.System) (ports.StatementSigner, error) {
	return StatementSigner(dir, machine)
}

func StatementSigner(dir Folder, machine *system.System) (sealer.StatementSigner, error) {
	return signerOf("checkpoint", dir, machine)
}

// devReceipts signs receipts with the key in the folder.
func devReceipts(dir Folder, _ devKeys, machine *system.System) (ports.ReceiptSigner, error) {
	return signerOf("receipt", dir, machine)
}

// signerOf returns what signs with a secret of the folder.
func signerOf(name string, dir Folder, machine *system.System) (sealer.StatementSigner, error) {
	secret, err := dir.readSecret(name, machine)
	if err != nil {
		return sealer.StatementSigner{}, err
	}
	ring, err := sealer.ParseKeys([]string{secret})
	if err != nil {
		return sealer.StatementSigner{}, err
	}
	return sealer.NewStatementSigner(ring)
}

// devWitnesses keep heads in a separate folder, which a restore of casino.db leaves
// unchanged. If the database was deleted, a new ledger begins beside the heads of the old
// one.
func devWitnesses(life fx.Lifecycle, held *service.Held, dir Folder, _ devKeys, seals ports.Authenticator) (service.Witnesses, error) {
	inFolder, err := service.FileWitness(life, held, dir.State(), seals)
	if err != nil {
		return service.Witnesses{}, err
	}
	beside, err := service.FileRestrictions(dir.State(), seals)
	return service.Witnesses{All: []service.Witness{inFolder}, AnyLedger: true, Restrictions: []recovery.NamedRestrictions{beside}, StateDir: dir.State()}, err
}

// OpenDatabase opens the database of a data folder and updates its schema.
func OpenDatabase(ctx context.Context, dir Folder, machine *system.System) (*sqlstore.Store, error) {
	return OpenFolder(ctx, dir, machine, sqlite.Open)
}

func OpenFolder(ctx context.Context, dir Folder, machine *system.System,
	open func(context.Context, string, ports.Sealer) (*sqlstore.Store, error),
) (*sqlstore.Store, error) {
	ring, err := Seals(dir, machine)
	if err != nil {
		return nil, err
	}
	store, err := open(ctx, dir.Database(), sealer.New(ring, machine.Reader()))
	if err != nil {
		return nil, err
	}
	if _, err := store.Migrate(ctx); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// devBootstrap books the treasury's capital and adds the first admins, once.
func devBootstrap(keys devKeys, machine *system.System) service.Bootstrap {
	return func(ctx context.Context, casino *app.Casino, founders service.Founders) error {
		terms := demoTerms(keys)
		for i, amount := range []money.Amount{money.Amount(treasurySOL), treasuryDemo} {
			if _, err := casino.Treasury.BookCapital(ctx, terms[i].Mint, amount, "genesis"); err != nil {
				return fmt.Errorf("booking capital: %w", err)
			}
		}
		commands := admin.RoleCommands{Roles: founders, Withdrawals: founders, Policy: rbac.DefaultPolicy(), Clock: machine, Entropy: machine}
		present, err := founders.Roles(ctx)
		if errors.Is(err, rbac.ErrForged) { // a forged list isn't an empty one
			return nil
		}
		if err != nil || len(present) > 0 {
			return err
		}
		top, err := AddressOf(keys.wallets["superadmin"])
		if err != nil {
			return err
		}
		finance, err := AddressOf(keys.wallets["finance"])
		if err != nil {
			return err
		}
		if err := commands.SeedSuperadmins(ctx, []wallet.Address{top}); err != nil {
			return err
		}
		return commands.Found(ctx, finance, "finance", "")
	}
}
