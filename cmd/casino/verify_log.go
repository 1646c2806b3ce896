package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/cmd/internal/cli"
)

// checkLog verifies checkpoints of the public log, and prints what it finds.
func (c verifyCommand) checkLog(ctx context.Context, s cli.Streams) error {
	if c.Keys == "" {
		return cli.Usage(errors.New("--log needs --keys"))
	}
	keys, err := os.ReadFile(c.Keys)
	if err != nil {
		return cli.Usage(err)
	}
	log, err := c.readLog(ctx, keys)
	if err != nil {
		return cli.Usage(err)
	}
	report, err := verifier.CheckLog(log)
	if err != nil {
		return cli.Usage(err)
	}
	for _, finding := range report.Findings {
		fmt.Fprintln(s.Out, finding)
	}
	if _, err := fmt.Fprintf(s.Out, "%d of %d checkpoints are verified\n", report.Verified, report.Checkpoints); err != nil {
		return err
	}
	if len(report.Findings) > 0 {
		return errors.New("the log shows that something is wrong")
	}
	return nil
}

// readLog reads what the options on the public log name.
func (c verifyCommand) readLog(ctx context.Context, keys []byte) (log verifier.Log, err error) {
	if log.Keys, err = verifier.ReadLogKeys(keys); err != nil {
		return log, err
	}
	if c.Witnesses != "" {
		text, err := os.ReadFile(c.Witnesses)
		if err != nil {
			return log, err
		}
		if log.Witnesses, err = verifier.ReadWitnessKeys(string(text)); err != nil {
			return log, err
		}
	}
	if c.Checkpoints != "" {
		text, err := os.ReadFile(c.Checkpoints)
		if err != nil {
			return log, err
		}
		log.Checkpoints = string(text)
	}
	if c.Log != "" {
		log.Read = func(path string) ([]byte, error) { return readLogFile(ctx, c.Log, path) }
	}
	return log, nil
}

// Bounds of one read of the log.
const (
	logFileMax = 64 << 20 // bytes; a round of the shared crash has all its bets
	logTime    = 30 * time.Second
)

// readLogFile reads a file of a log below a URL or a folder, nil for one that is missing.
func readLogFile(ctx context.Context, log, path string) ([]byte, error) {
	if !strings.HasPrefix(log, "http://") && !strings.HasPrefix(log, "https://") {
		text, err := os.ReadFile(filepath.Join(log, filepath.FromSlash(path)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return text, err
	}
	ctx, cancel := context.WithTimeout(ctx, logTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(log, "/")+"/"+path, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusOK:
		return io.ReadAll(io.LimitReader(response.Body, logFileMax))
	case http.StatusNotFound:
		return nil, nil
	}
	return nil, fmt.Errorf("%s answers with status %d", request.URL, response.StatusCode)
}
