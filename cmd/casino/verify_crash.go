package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/domain/crash"
)

// verifyCrash verifies a round of the shared crash, and prints what it finds.
func (c verifyCommand) verifyCrash(ctx context.Context, s cli.Streams) error {
	answer, err := readCrash(ctx, c.Crash)
	if err != nil {
		return cli.Usage(err)
	}
	var before *verifier.CrashAnswer
	if c.Before != "" {
		kept, err := readCrash(ctx, c.Before)
		if err != nil {
			return cli.Usage(err)
		}
		before = &kept
	}
	beacon, err := c.readBeacon(ctx, answer)
	if err != nil {
		return cli.Usage(err)
	}
	report, err := answer.Verify(before, beacon)
	if err != nil {
		return cli.Usage(err)
	}
	for _, finding := range report.Findings {
		fmt.Fprintln(s.Out, finding)
	}
	for _, left := range report.NotChecked {
		fmt.Fprintln(s.Out, "not checked:", left)
	}
	if len(report.Findings) > 0 {
		return errors.New("the round shows that something is wrong")
	}
	_, err = fmt.Fprintf(s.Out, "round %d of chain %s is verified, with %d bets\n", answer.Round.Number, answer.Round.Chain, len(answer.Bets))
	return err
}

// readCrash reads an answer from a URL, a file or standard input.
func readCrash(ctx context.Context, name string) (answer verifier.CrashAnswer, err error) {
	var text []byte
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		folder, file := path.Split(name)
		if text, err = readLogFile(ctx, folder, file); err == nil && text == nil {
			err = fmt.Errorf("%s: there is no such round", name)
		}
	} else if name == "-" {
		text, err = io.ReadAll(os.Stdin)
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return answer, err
	}
	if answer, err = verifier.ReadCrash(text); err != nil {
		err = fmt.Errorf("%s is no answer of GET /crash/rounds/{number}: %w", name, err)
	}
	return answer, err
}

// readBeacon reads the round's beacon from the node of --rpc, nil without one.
func (c verifyCommand) readBeacon(ctx context.Context, answer verifier.CrashAnswer) (*crash.Beacon, error) {
	commitment, err := crash.ParseCommitment(answer.Chain.Commitment)
	if c.RPC == "" || err != nil || answer.Round.Height == 0 {
		return nil, nil // Verify says what is wrong with the commitment
	}
	node, err := c.openNode()
	if err != nil {
		return nil, err
	}
	defer node.Close()
	rule, err := node.BeaconRule(ctx)
	switch {
	case err != nil:
		return nil, err
	case rule.Source != commitment.Beacon.Source || rule.Network != commitment.Beacon.Network:
		return nil, errors.New("the node of --rpc is of another network")
	}
	beacon, found, err := node.FirstBeacon(ctx, uint64(answer.Round.Height))
	if err == nil && !found {
		err = fmt.Errorf("the network has no beacon at or after %d yet", answer.Round.Height)
	}
	return &beacon, err
}
