package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/jwttoken"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/solana/localnet"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// edgeModule is the machine, and what `casino dev` keeps of itself on disk.
var edgeModule = fx.Module("edge",
	fx.Provide(
		system.Default,
		func(machine *system.System) (ports.Clock, ports.Entropy) { return machine, machine },
		prepareFolder,
		openListeners,
	),
)

// prepareFolder makes the data folder and the keys in it.
func prepareFolder(dir dataDir, entropy ports.Entropy) (devKeys, error) {
	if err := dir.prepare(); err != nil {
		return devKeys{}, err
	}
	return dir.keys(entropy)
}

// listeners are the open ports. They are opened before anything else is made, so
// that port 0 works and a taken one ends the start at once.
type listeners struct{ api, chain net.Listener }

func openListeners(flags devFlags, life fx.Lifecycle) (listeners, error) {
	api, err := net.Listen("tcp", flags.HTTPAddr) //nolint:noctx // opening a port takes no time
	if err != nil {
		return listeners{}, fmt.Errorf("CASINO_HTTP_ADDR: %w", err)
	}
	chain, err := net.Listen("tcp", flags.LocalnetAddr) //nolint:noctx // opening a port takes no time
	if err != nil {
		return listeners{}, errors.Join(fmt.Errorf("CASINO_LOCALNET_ADDR: %w", err), api.Close())
	}
	life.Append(fx.StopHook(func() {
		// Closed by their servers already, unless the start ended before those began.
		_, _ = api.Close(), chain.Close()
	}))
	return listeners{api: api, chain: chain}, nil
}

// serve serves a listener on a goroutine until the server is shut down.
func serve(server *http.Server, listener net.Listener, log *slog.Logger, down fx.Shutdowner) {
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("server ended", "address", listener.Addr().String(), "error", err.Error())
			_ = down.Shutdown(fx.ExitCode(exitFailed)) // fails only when the stop has begun
		}
	}()
}

// chainModule is the simulated chain and the adapter that talks to it over its
// JSON-RPC, as it would to any node.
var chainModule = fx.Module("chain",
	fx.Provide(openChain, devTokens, openNode),
)

func openChain(life fx.Lifecycle, dir dataDir, machine *system.System, open listeners, keys devKeys, log *slog.Logger,
	down fx.Shutdowner) (*localnet.Chain, error) {
	chain, err := localnet.Open(localnet.Config{
		Dir: dir.chain(), BlockhashAge: devBlockhashAge, Now: machine.Now, Random: machine.Reader(),
	})
	if err != nil {
		return nil, err
	}
	server := newServer(chain.Handler())
	life.Append(fx.StopHook(func(ctx context.Context) error { return errors.Join(server.Shutdown(ctx), chain.Close()) }))
	serve(server, open.chain, log, down)
	return chain, fundChain(context.Background(), chain, rpc.New(rpcURL(open)), keys)
}

func rpcURL(open listeners) string { return "http://" + open.chain.Addr().String() }

// openTerms are the tokens that configuration opens.
type openTerms []token.Terms

func devTokens(flags devFlags, keys devKeys) (openTerms, error) {
	if flags.TokensFile == "" {
		return demoTerms(keys), nil
	}
	file, err := os.Open(flags.TokensFile)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return readTokens(file)
}

func openNode(dir dataDir, open listeners, known token.Book) (*solana.Node, error) {
	signer, err := solana.ReadKeypair(dir.treasury())
	if err != nil {
		return nil, err
	}
	return solana.New(solana.Config{RPC: rpcURL(open), Treasury: signer, Tokens: known.All(), BlockhashAge: devBlockhashAge})
}

// storeModule is the database of the data folder, its writer running.
var storeModule = fx.Module("store",
	fx.Provide(openStore, startWriter, knownTokens),
)

func openStore(life fx.Lifecycle, dir dataDir, machine *system.System) (*sqlstore.Store, error) {
	store, err := openDatabase(context.Background(), dir, machine)
	if err != nil {
		return nil, err
	}
	life.Append(fx.StopHook(store.Close))
	return store, nil
}

// openDatabase opens the database of a data folder and brings its schema up to date.
func openDatabase(ctx context.Context, dir dataDir, machine *system.System) (*sqlstore.Store, error) {
	secret, err := dir.secret("seed", machine)
	if err != nil {
		return nil, err
	}
	ring, err := sealer.ParseKeys([]string{secret})
	if err != nil {
		return nil, err
	}
	store, err := sqlite.Open(ctx, dir.database(), sealer.New(ring, machine.Reader()))
	if err != nil {
		return nil, err
	}
	if _, err := store.Migrate(ctx); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

func startWriter(life fx.Lifecycle, store *sqlstore.Store, machine *system.System, log *slog.Logger) (*sqlstore.Writer, error) {
	writer, err := store.Writer(sqlstore.WriterOptions{
		ID: machine.ID(), Logger: log,
		Sealed: func(head hashchain.Head) {
			log.Debug("block sealed", "lane", head.Lane, "seq", head.Seq, "hash", head.Hash.String())
		},
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	life.Append(fx.StartStopHook(
		func() {
			go func() {
				defer close(ended)
				if err := writer.Run(ctx); err != nil {
					log.Error("the writer ended with items that it could not write", "error", err.Error())
				}
			}()
		},
		func() {
			cancel()
			<-ended
		},
	))
	return writer, nil
}

// knownTokens founds the database for this chain and learns every token it ever
// knew.
func knownTokens(store *sqlstore.Store, open listeners, _ *localnet.Chain, terms openTerms) (token.Book, error) {
	ctx := context.Background()
	genesis, err := rpc.New(rpcURL(open)).GetGenesisHash(ctx)
	if err != nil {
		return token.Book{}, fmt.Errorf("asking the chain who it is: %w", err)
	}
	if err := store.Found(ctx, ports.Identity{Mode: ports.ModeDev, Genesis: genesis.String()}); err != nil {
		return token.Book{}, err
	}
	return store.KnowTokens(ctx, terms)
}

// storage is the store with its writer: everything that use cases keep.
type storage struct {
	*sqlstore.Store
	ports.Writer
}

// casinoModule is the use cases and their workers.
var casinoModule = fx.Module("casino",
	fx.Provide(newCasino),
	fx.Invoke(foundCasino),
)

func newCasino(dir dataDir, flags devFlags, machine *system.System, keys devKeys, store *sqlstore.Store,
	writer *sqlstore.Writer, node *solana.Node, known token.Book, log *slog.Logger) (*app.Casino, error) {
	secret, err := dir.secret("jwt", machine)
	if err != nil {
		return nil, err
	}
	ring, err := jwttoken.ParseKeys([]string{secret})
	if err != nil {
		return nil, err
	}
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		return nil, err
	}
	deployment := publicKey(keys.treasury).String()
	casino, err := app.New(app.Deps{
		Store: storage{store, writer}, Chain: node, Clock: machine, Entropy: machine,
		Sessions: jwttoken.New(ring, "casino", deployment, sessionTime, machine, machine),
		Games:    games, Tokens: known, Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
		Settings: app.Settings{WithdrawOwnOnly: flags.WithdrawDestination == "own", Version: version},
		Logger:   log,
	})
	if err != nil {
		return nil, err
	}
	casino.Health().Watch(app.DatabaseCheck, store.Ping)
	casino.Health().Watch(app.ChainCheck, node.Healthy)
	casino.Health().Watch(app.LimiterCheck, func(context.Context) error { return nil })
	return casino, nil
}

// sessionTime is how long a session lasts.
const sessionTime = 30 * time.Minute

// foundCasino books the treasury's capital and names the first admins, once, and
// then starts the workers.
func foundCasino(life fx.Lifecycle, casino *app.Casino, store *sqlstore.Store, keys devKeys, machine *system.System, log *slog.Logger) {
	var running *workers
	life.Append(fx.Hook{
		OnStart: func(ctx context.Context) error {
			if err := found(ctx, casino, store, keys, machine); err != nil {
				return err
			}
			running = startWorkers(casino, log)
			return nil
		},
		OnStop: func(context.Context) error {
			running.stop()
			return nil
		},
	})
}

func found(ctx context.Context, casino *app.Casino, store *sqlstore.Store, keys devKeys, machine *system.System) error {
	terms := demoTerms(keys)
	for i, amount := range []money.Amount{money.Amount(treasurySOL), treasuryDemo} {
		if _, err := casino.BookCapital(ctx, terms[i].Mint, amount, "genesis"); err != nil {
			return fmt.Errorf("booking capital: %w", err)
		}
	}
	operator := app.Operator{Roles: store, Policy: rbac.DefaultPolicy(), Clock: machine, Entropy: machine}
	top, err := addressOf(keys.wallets["superadmin"])
	if err != nil {
		return err
	}
	present, err := store.Roles(ctx)
	if err != nil || len(present) > 0 {
		return err
	}
	finance, err := addressOf(keys.wallets["finance"])
	if err != nil {
		return err
	}
	if err := operator.SeedSuperadmins(ctx, []wallet.Address{top}); err != nil {
		return err
	}
	return operator.Grant(ctx, finance, "finance", "")
}

// httpModule is the API.
var httpModule = fx.Module("http",
	fx.Provide(newAPI),
	fx.Invoke(func(life fx.Lifecycle, server *http.Server, open listeners, log *slog.Logger, down fx.Shutdowner) {
		life.Append(fx.StartStopHook(func() { serve(server, open.api, log, down) }, server.Shutdown))
	}),
)

func newAPI(flags devFlags, casino *app.Casino, machine *system.System, log *slog.Logger) (*http.Server, error) {
	proxies, err := flags.proxies()
	if err != nil {
		return nil, err
	}
	handler, err := httpapi.New(casino, httpapi.Config{
		BasePath: flags.BasePath, Limiter: local.New(machine), TrustedProxies: proxies,
		Origins: flags.CORSOrigins, Compress: true, Logger: log,
	})
	if err != nil {
		return nil, err
	}
	return httpapi.NewServer(flags.HTTPAddr, handler, log), nil
}
