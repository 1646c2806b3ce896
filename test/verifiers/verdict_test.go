package verifiers_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/test/fakes"
)

// A verdict is what a verifier prints, and its exit code.
type verdict struct {
	printed string
	code    int
}

// evidence is what a player kept. Members that are nil or empty are left out.
type evidence struct {
	receipts, history      [][]byte
	keys                   []byte
	log                    string // a folder, or a URL
	folder                 string // with a URL, a folder with what is there
	checkpoints, witnesses string
	memo                   *verifier.AnchorMemo
	anchor, rpc            string
}

// verdict runs the three verifiers, which must print the same.
func (e evidence) verdict(t *testing.T) verdict {
	t.Helper()
	folder := t.TempDir()
	var arguments []string
	file := func(option, text string) {
		path := filepath.Join(folder, option)
		noError(t, os.WriteFile(path, []byte(text), 0o600))
		arguments = append(arguments, option, path)
	}
	file("--keys", string(e.keys))
	if e.receipts != nil {
		file("--receipt", e.lines())
		arguments = append(arguments, "--wallet", string(fakes.Wallet("alice")))
	}
	if e.history != nil {
		file("--history", string(bytes.Join(e.history, []byte("\n"))))
	}
	for option, text := range map[string]string{"--checkpoints": e.checkpoints, "--witnesses": e.witnesses} {
		if text != "" {
			file(option, text)
		}
	}
	for option, value := range map[string]string{"--log": e.log, "--anchor": e.anchor, "--rpc": e.rpc} {
		if value != "" {
			arguments = append(arguments, option, value)
		}
	}
	ours := e.ours(t)
	for name, run := range map[string]func() ([]byte, []byte, int){
		"verify.py":              func() ([]byte, []byte, int) { return python(t, nil, append([]string{"verify.py"}, arguments...)...) },
		"@casino-service/verify": func() ([]byte, []byte, int) { return node(t, nil, append([]string{"dist/cli.js"}, arguments...)...) },
	} {
		printed, faults, code := run()
		if string(printed) != ours.printed || code != ours.code {
			t.Errorf("%s says with exit code %d\n%s%s\ncasino verify says with %d\n%s", name, code, firstDifference(string(printed), ours.printed), faults, ours.code, ours.printed[:min(400, len(ours.printed))])
		}
	}
	return ours
}

func (e evidence) lines() string { return string(bytes.Join(e.receipts, []byte("\n"))) + "\n" }

// ours returns what casino verify prints.
func (e evidence) ours(t *testing.T) verdict {
	t.Helper()
	log := verifier.Log{Checkpoints: e.checkpoints}
	var err error
	log.Keys, err = verifier.ReadLogKeys(e.keys)
	noError(t, err)
	if e.witnesses != "" {
		log.Witnesses, err = verifier.ReadWitnessKeys(e.witnesses)
		noError(t, err)
	}
	if e.log != "" {
		log.Read = func(path string) ([]byte, error) {
			text, err := os.ReadFile(filepath.Join(cmp.Or(e.folder, e.log), filepath.FromSlash(path)))
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil
			}
			return text, err
		}
	}
	if e.receipts == nil {
		report, err := verifier.CheckLog(log)
		noError(t, err)
		return verdictOf(report.Findings, "%d of %d checkpoints are verified\n", report.Verified, report.Checkpoints)
	}
	var past []byte
	if e.history != nil {
		past = bytes.Join(e.history, []byte("\n"))
	}
	keys, err := verifier.ReadReceiptKeys(e.keys)
	noError(t, err)
	report, err := verifier.CheckReceipts([]byte(e.lines()), past, keys, string(fakes.Wallet("alice")), log, e.memo)
	noError(t, err)
	return verdictOf(report.Findings, "%d of %d receipts are verified\n", report.Verified, report.Receipts)
}

func verdictOf(findings []string, format string, verified, all int) (v verdict) {
	for _, finding := range findings {
		v.printed += finding + "\n"
		v.code = 1
	}
	v.printed += fmt.Sprintf(format, verified, all)
	return v
}

func firstDifference(a, b string) string {
	first, second := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range first {
		if i >= len(second) || first[i] != second[i] {
			return fmt.Sprintf("line %d: %s", i+1, first[i])
		}
	}
	return a[:min(400, len(a))]
}
