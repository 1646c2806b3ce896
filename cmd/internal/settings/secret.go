package settings

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"strings"
)

// hidden is the printed form of a secret.
const hidden = "[secret]"

// Secret is a setting that never prints, with any verb. The empty Secret prints as nothing,
// because its absence isn't secret.
type Secret string

var _ encoding.TextMarshaler = Secret("")

// Reveal returns the secret text.
func (s Secret) Reveal() string { return string(s) }

// String returns "[secret]", or "" for the empty Secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// Format writes String for every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// LogValue returns String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText returns String, for encoders of JSON and the like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// secretFileMax is the maximum size of a file of secrets in bytes. A longer file was named
// by mistake.
const secretFileMax = 64 << 10

// oneOf returns the secrets of a setting: the given ones, or the lines of the file. It
// skips blank lines and lines that begin with #. No secrets is not an error. Errors never
// quote the file.
func oneOf(given []Secret, path string) ([]string, error) {
	if len(given) > 0 && path != "" {
		return nil, errors.New("is given both as a value and as a file: remove one of them")
	}
	if path == "" {
		texts := make([]string, len(given))
		for i, secret := range given {
			texts[i] = strings.TrimSpace(secret.Reveal())
		}
		return texts, nil
	}
	raw, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	return lines, nil
}

// URLs is oneOf for a setting with at least one URL. Errors quote none, because URLs may
// hold keys.
func URLs(given []Secret, path string) ([]string, error) {
	texts, err := oneOf(given, path)
	if err == nil && len(texts) == 0 {
		err = errors.New("is missing: at least one URL is needed")
	}
	for i, text := range texts {
		if u, parseErr := url.Parse(text); parseErr != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			err = errors.Join(err, fmt.Errorf("entry %d must be of the form https://host", i+1))
		}
	}
	return texts, err
}

// Single is oneOf for a setting with at most one value.
func Single(given Secret, path string) (string, error) {
	var list []Secret
	if given != "" {
		list = []Secret{given}
	}
	texts, err := oneOf(list, path)
	switch {
	case err != nil || len(texts) == 0:
		return "", err
	case len(texts) > 1:
		return "", fmt.Errorf("%s must have exactly one line", path)
	}
	return texts[0], nil
}

func readSmall(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	raw, err := io.ReadAll(io.LimitReader(file, secretFileMax+1))
	switch {
	case err != nil:
		return nil, err
	case len(raw) > secretFileMax:
		return nil, fmt.Errorf("%s is too long for a file of secrets", path)
	}
	return raw, nil
}
