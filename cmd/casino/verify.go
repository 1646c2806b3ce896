package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

type verifyCommand struct {
	Round       string   `placeholder:"FILE" help:"A round as GET /history/{id} answers it after the reveal, - for standard input: compared with what its seeds decide. With opened beside it, the answer of POST /rounds, the bound of a stepped round is compared too. Exit code 1: it differs, or is void."`
	Receipt     string   `placeholder:"FILE" help:"Answers with their receipts, one or one a line: verified with --keys and --wallet, offline. Exit code 1 says that one is wrong, or that they contradict each other or the --history."`
	Keys        string   `placeholder:"FILE" help:"With --receipt: an answer of GET /public/keys, kept from before."`
	Wallet      string   `help:"With --receipt: the player's wallet."`
	History     string   `placeholder:"FILE" help:"With --receipt: every page of GET /history, one a line."`
	Anchor      string   `placeholder:"SIGNATURE" help:"With --receipt: the signature of a Solana transaction. Its memo states the size and root of the public log, which must contain each receipt's block. Needs --rpc."`
	RPC         string   `name:"rpc" placeholder:"URL" help:"With --anchor or --crash: the JSON-RPC URL of a Solana node."`
	Log         string   `placeholder:"URL" help:"The prefix of the public log's URLs, or a folder with its files: with --receipt each receipt's block must be in it; without, only checkpoints are compared. Needs --keys."`
	Checkpoints string   `placeholder:"FILE" help:"With --log: checkpoints of the log from before, one after another; the log must extend each."`
	Witnesses   string   `placeholder:"FILE" help:"With --receipt or --log: verifier keys of witnesses, one a line, of which one must have cosigned each checkpoint."`
	GameType    string   `help:"Without --round: the game, for example dice."`
	Rules       string   `help:"The version of its rules, as in the round; the present ones by default."`
	Config      string   `default:"{}" help:"The round's config as JSON."`
	ServerSeed  string   `help:"The revealed server seed."`
	ClientSeed  string   `help:"The client seed."`
	Nonce       *int64   `help:"The round's nonce."`
	Solvency    string   `placeholder:"FILE" help:"What GET /account/solvency answered, - for standard input: whether its amounts are in the sum that the service signed. Needs --key."`
	Key         []string `placeholder:"KID:KEY" help:"With --solvency: a key that you trust, as GET /public/keys showed it when you began to; several may be given."`
	Crash       string   `placeholder:"FILE" help:"A round of the shared crash as GET /crash/rounds/{number} answers it: a file, its URL, or - for standard input. Exit code 1: something is wrong with it. With --rpc its beacon is compared too."`
	Before      string   `placeholder:"FILE" help:"With --crash: an answer kept from before, of GET /crash or GET /crash/rounds/{number}, with the same round or an earlier one of the chain."`
	Actions     string   `help:"Of a round that was played step by step, its actions as a JSON list."`
}

// Run compares a round with its seeds, or prints the result of seeds.
func (c verifyCommand) Run(ctx context.Context, s cli.Streams) error {
	if c.Solvency != "" {
		return c.verifySolvency(s)
	}
	if c.Crash != "" {
		return c.verifyCrash(ctx, s)
	}
	if (c.Anchor == "") != (c.RPC == "") || c.Anchor != "" && c.Receipt == "" {
		return cli.Usage(errors.New("--anchor needs --receipt and --rpc"))
	}
	if c.Checkpoints != "" && c.Log == "" || c.Witnesses != "" && c.Log == "" && c.Receipt == "" {
		return cli.Usage(errors.New("--checkpoints needs --log, and --witnesses needs --log or --receipt"))
	}
	if c.Receipt != "" {
		return c.checkReceipts(ctx, s)
	}
	if c.Log != "" {
		return c.checkLog(ctx, s)
	}
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return err
	}
	if c.Round != "" {
		return c.compareRound(s, games)
	}
	if c.GameType == "" || c.ServerSeed == "" || c.ClientSeed == "" || c.Nonce == nil {
		return cli.Usage(errors.New("verify needs --round, --receipt, --log, or --game-type, --server-seed, --client-seed and --nonce"))
	}
	answer, err := verifier.Verify(games, verifier.RoundInputs{
		GameType: c.GameType, Rules: c.Rules, Config: []byte(c.Config),
		ServerSeed: c.ServerSeed, ClientSeed: c.ClientSeed, Nonce: *c.Nonce,
		Actions: []byte(c.Actions),
	})
	if err != nil {
		return cli.Usage(err)
	}
	_, err = fmt.Fprintf(s.Out, "outcome         %s\nmultiplier      %s\nserverSeedHash  %s\n",
		answer.Outcome, answer.Multiplier, answer.Commitment)
	return err
}

// compareRound reports whether a round matches its seeds.
func (c verifyCommand) compareRound(s cli.Streams, games *game.Registry) error {
	if c.GameType != "" || c.Rules != "" || c.Config != "{}" || c.ServerSeed != "" || c.ClientSeed != "" || c.Nonce != nil || c.Actions != "" {
		return cli.Usage(errors.New("--round has the game, its rules and config, the seeds, the nonce and the actions: give it alone"))
	}
	text, err := readRound(c.Round)
	if err != nil {
		return cli.Usage(err)
	}
	round, err := verifier.ReadRound(text)
	if err != nil {
		return cli.Usage(err)
	}
	differences, err := verifier.Compare(games, round)
	if err != nil {
		return cli.Usage(err)
	}
	for _, d := range differences {
		decides := "its seeds decide"
		if d.Name == "config" {
			decides = "by how it was opened it is"
		}
		fmt.Fprintf(s.Out, "%s: the round says %s, %s %s\n", d.Name, d.Said, decides, d.Is)
	}
	for _, note := range round.Notes(games) {
		fmt.Fprintln(s.Out, note)
	}
	switch {
	case len(differences) > 0:
		return fmt.Errorf("round %s does not match its seeds", round.ID)
	case round.Void():
		return fmt.Errorf("round %s is void", round.ID)
	default:
		_, err = fmt.Fprintf(s.Out, "round %s is verified: commitment, outcome, multiplier and payout are what its seeds decide\n", round.ID)
	}
	return err
}

// checkReceipts verifies receipts, and prints what it finds.
func (c verifyCommand) checkReceipts(ctx context.Context, s cli.Streams) error {
	if c.Keys == "" || c.Wallet == "" {
		return cli.Usage(errors.New("--receipt needs --keys and --wallet"))
	}
	var files [3][]byte
	for i, name := range []string{c.Receipt, c.Keys, c.History} {
		if name == "" {
			continue
		}
		var err error
		if files[i], err = os.ReadFile(name); err != nil {
			return cli.Usage(err)
		}
	}
	keys, err := verifier.ReadReceiptKeys(files[1])
	if err != nil {
		return cli.Usage(err)
	}
	memo, err := c.readAnchor(ctx)
	if err != nil {
		return cli.Usage(err)
	}
	log, err := c.readLog(ctx, files[1])
	if err != nil {
		return cli.Usage(err)
	}
	report, err := verifier.CheckReceipts(files[0], files[2], keys, c.Wallet, log, memo)
	if err != nil {
		return cli.Usage(err)
	}
	for _, finding := range report.Findings {
		fmt.Fprintln(s.Out, finding)
	}
	if _, err := fmt.Fprintf(s.Out, "%d of %d receipts are verified\n", report.Verified, report.Receipts); err != nil {
		return err
	}
	if len(report.Findings) > 0 {
		return errors.New("the receipts show that something is wrong")
	}
	return nil
}

// readAnchor reads the memo of --anchor from the chain, nil without one.
func (c verifyCommand) readAnchor(ctx context.Context) (*verifier.AnchorMemo, error) {
	if c.Anchor == "" {
		return nil, nil
	}
	node, err := c.openNode()
	if err != nil {
		return nil, err
	}
	defer node.Close()
	memo, err := node.ReadMemo(ctx, c.Anchor)
	if fault.Is(err, fault.NotFound) {
		return &verifier.AnchorMemo{Signature: c.Anchor}, nil
	}
	return &verifier.AnchorMemo{Signature: c.Anchor, Text: memo.Text, By: memo.By}, err
}

// openNode returns the node of --rpc. The address matters to payments alone.
func (c verifyCommand) openNode() (*solana.Node, error) {
	return solana.New(solana.Config{RPC: c.RPC, Treasury: solana.WatchOnly(wallet.Address(money.SOL))})
}

// readRound reads a file or standard input, up to the maximum length of a round.
func readRound(name string) ([]byte, error) {
	file := os.Stdin
	if name != "-" {
		opened, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = opened.Close() }()
		file = opened
	}
	return io.ReadAll(io.LimitReader(file, verifier.RoundBytesMax+1))
}
