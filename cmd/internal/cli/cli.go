// Package cli has what all commands of casino share: their output streams, the mapping of
// errors to exit codes and text, and the log.
package cli

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/checkpoint"
)

// Version is the version of the program; the linker sets it.
var Version = "development"

// Modes of files with secrets or results.
const (
	OwnerOnly    = 0o600
	NewOwnerOnly = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
)

// Streams are the output streams of a command.
type Streams struct{ Out, Err io.Writer }

// usageError is a fault of the command line or the configuration.
type usageError struct{ error }

// Unwrap returns the wrapped error.
func (e usageError) Unwrap() error { return e.error }

// Usage marks an error as a fault of the command line or the configuration.
func Usage(err error) error { return usageError{err} }

// IsUsage reports whether an error is a fault of the command line or the configuration.
func IsUsage(err error) bool {
	_, found := errors.AsType[usageError](err)
	return found
}

// NewLogger returns a logger for the command's error stream.
func NewLogger(l settings.Log, s Streams) *slog.Logger {
	file, isFile := s.Err.(*os.File)
	terminal := isFile && isTerminal(file)
	return telemetry.NewLogger(s.Err, telemetry.LogConfig{
		Level: l.Level(), JSON: l.JSON(terminal), Colour: terminal, RequestID: httpapi.RequestID,
	})
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// StatusLine rewrites one line of a terminal. Elsewhere it shows nothing.
type StatusLine struct{ to io.Writer }

func NewStatusLine(w io.Writer) StatusLine {
	if file, isFile := w.(*os.File); isFile && isTerminal(file) {
		return StatusLine{w}
	}
	return StatusLine{io.Discard}
}

func (l StatusLine) Seen() bool       { return l.to != io.Discard }
func (l StatusLine) Show(text string) { fmt.Fprint(l.to, "\r\x1b[K"+text) }
func (l StatusLine) Clear()           { fmt.Fprint(l.to, "\r\x1b[K") }

// TrustedKey parses a key that a user trusts, KID:KEY.
func TrustedKey(text string) (checkpoint.Key, error) {
	kid, encoded, found := strings.Cut(text, ":")
	der, err := base64.StdEncoding.DecodeString(encoded)
	if err == nil && found {
		var key checkpoint.Key
		if key, err = checkpoint.KeyOf(kid, der); err == nil {
			return key, nil
		}
	}
	return checkpoint.Key{}, errors.New("--key: must be KID:KEY, the key in base64 as GET /public/checkpoints and GET /public/keys show it")
}
