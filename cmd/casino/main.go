// Command casino is the whole service in one binary. `casino dev` runs it with everything
// embedded; the other commands work beside a service.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/database"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/doctor"
	"github.com/casino-service/casino/cmd/internal/evidence"
	"github.com/casino-service/casino/cmd/internal/remote"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// commandLine has every command with its flags. Each flag has an environment variable with
// the prefix CASINO_.
type commandLine struct {
	Dev      dev.Command                `cmd:"" help:"Run the whole casino on this machine, with a simulated chain and demo wallets. Example: casino dev --data-dir ./data"`
	Serve    serveCommand               `cmd:"" help:"Run the production service; its settings come as environment variables or flags. Example: casino serve --tokens-file tokens.json"`
	Ready    readyCommand               `cmd:"" help:"Ask a running service whether it is ready. Example: casino ready --ops-addr 127.0.0.1:9090"`
	Doctor   doctor.Command             `cmd:"" help:"Check a deployment of serve, running or not: settings, database, roles, clocks, nodes, keys, witnesses, disk, Redis. Example: casino doctor --json"`
	Localnet dev.LocalnetCommand        `cmd:"" help:"Run the simulated Solana chain alone. Example: casino localnet --localnet-addr 127.0.0.1:8899"`
	Login    remote.LoginCommand        `cmd:"" help:"Sign in with a wallet's keypair and print the bearer token. Example: casino login --keypair data/wallets/alice.json"`
	Pay      remote.PayCommand          `cmd:"" help:"Pay into a running casino dev on its simulated chain, and wait until it is credited. Example: casino pay data/wallets/alice.json 1"`
	Demo     remote.DemoCommand         `cmd:"" help:"Run a whole session against a running casino dev, step by step. Example: casino demo"`
	Bench    remote.BenchCommand        `cmd:"" help:"Load a running casino dev, or with --bet-real-money any service, and measure it. Example: casino bench --mix play=90,read=8,login=2 --clients 64"`
	Verify   verifyCommand              `cmd:"" help:"Recompute a round from its revealed seeds, or compare one. Example: casino verify --round round.json"`
	Fairness remote.FairnessCommand     `cmd:"" help:"Capture rounds of a running service as a player sees them, and check a capture without the service. Example: casino fairness check capture.jsonl"`
	Migrate  database.MigrateCommand    `cmd:"" help:"Show and change the schema of serve's database. Example: casino migrate up"`
	Audit    database.AuditCommand      `cmd:"" help:"Prove the ledger: every balance, figure, round and block. Example: casino audit --data-dir ./data"`
	Events   database.EventsCommand     `cmd:"" help:"Print committed events as JSON lines, and with --follow later ones too. Example: casino events --from now --follow --data-dir ./data"`
	Backup   database.BackupCommand     `cmd:"" help:"Copy an SQLite database, in use or not, to a new file. Example: casino backup --data-dir ./data casino-2026-01-31.db"`
	Kept     database.CheckpointCommand `cmd:"" name:"checkpoint" help:"Verify a kept answer of GET /public/checkpoints with the key that you trust. Example: casino checkpoint kept.json --key 2026-01:MCowBQYDK2Vw…"`
	Recover  database.RecoverCommand    `cmd:"" help:"Reopen a service after its database was restored from an older copy: prints a plan, or with --apply recovers. Example: casino recover --apply"`
	Keys     database.KeysCommand       `cmd:"" help:"Renew the seals of rows after a change of keys. Example: casino keys reseal"`
	Keygen   keygenCommand              `cmd:"" help:"Print fresh keys for serve as lines of an environment file. Example: casino keygen --treasury treasury.json"`
	Role     database.RoleCommand       `cmd:"" help:"Grant, revoke and list admin roles. Example: casino role grant <wallet> finance"`
	Capital  database.CapitalCommand    `cmd:"" help:"Book the operator's own money. Example: casino capital book <mint> 5000000000 <signature>"`
	Provider database.ProviderCommand   `cmd:"" help:"Sync and reconcile third-party games. Example: casino provider sync"`
	Payouts  database.PayoutsCommand    `cmd:"" help:"Pause, resume and list payouts. Example: casino payouts pause 'odd withdrawals'"`
	Approve  remote.ApproveCommand      `cmd:"" help:"Approve a withdrawal with an admin's own signature. Example: casino approve --keypair finance.json --withdrawal <id> --amount 500000000 --destination <wallet>"`
	Play     database.PlayCommand       `cmd:"" help:"Pause and resume play, and list what is paused. Example: casino play pause 'an attack'"`
	Signer   signerCommand              `cmd:"" help:"Keep the treasury's key apart from the service and sign its payouts, nothing else. Example: casino signer --treasury-keypair key.json --tokens-file tokens.json --signer-journal signed.jsonl"`
	Manual   manualCommand              `cmd:"" help:"Write the manual into a folder, as pages for any web server and as Markdown. Example: casino manual ./manual"`
	Evidence evidence.Command           `cmd:"" help:"Gather the evidence for regulators and auditors into a folder, with a signed list of its files, or verify one. Example: casino evidence ./evidence --checkpoint-keys-file checkpoint.keys"`
	Config   configCommand              `cmd:"" help:"Print the configuration in force, secrets hidden. Example: casino config"`
	Version  versionCommand             `cmd:"" help:"Print the version. Example: casino version"`
}

// run runs the command with its streams as arguments and returns the exit code.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	var line commandLine
	code := exitDone
	exited := false
	parser, err := kong.New(&line,
		kong.Name("casino"),
		kong.Description("The back end of an online casino on Solana."),
		kong.DefaultEnvars("CASINO"),
		settings.Booleans(),
		kong.UsageOnError(),
		kong.Writers(out, errOut),
		kong.Exit(func(status int) { code, exited = status, true }),
	)
	if err != nil {
		fmt.Fprintln(errOut, "casino:", err)
		return exitFailed
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	command, err := parser.Parse(args)
	if exited { // --help has already printed
		return code
	}
	if err != nil {
		fmt.Fprintln(errOut, "casino:", err)
		return exitUsage
	}
	command.BindTo(ctx, (*context.Context)(nil))
	err = command.Run(cli.Streams{Out: out, Err: errOut})
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(errOut, "casino:", cli.ErrorText(err))
	if cli.IsUsage(err) {
		return exitUsage
	}
	return exitFailed
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(s cli.Streams) error {
	_, err := fmt.Fprintf(s.Out, "casino %s (%s, %s/%s)\n", cli.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
