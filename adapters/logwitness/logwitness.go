// Package logwitness asks witnesses of the public log for cosignatures, over HTTP as C2SP
// tlog-witness says.
//
// Commands import it for wiring.
package logwitness

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
)

const (
	// answerTime bounds one request to a witness.
	answerTime = 5 * time.Second
	// answerMax bounds how much of an answer is read, in bytes.
	answerMax = 16 << 10
	// sizeType is the media type of the size that a witness cosigned last.
	sizeType = "text/x.tlog.size"
)

// Witness is a witness of the log.
type Witness struct {
	endpoint string
	key      cosignatureKey
	http     *http.Client
}

var _ ports.LogWitness = (*Witness)(nil)

// Parse returns the witness of a setting: its URL, a blank, and its verifier key as
// signed-note writes it. It makes no connection.
func Parse(setting string) (*Witness, error) {
	address, text, found := strings.Cut(strings.TrimSpace(setting), " ")
	base, err := url.Parse(address)
	if !found || err != nil || base.Scheme != "https" && base.Scheme != "http" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("must be the URL of a witness, a blank, and its key")
	}
	key, err := parseKey(strings.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	return &Witness{base.JoinPath("add-checkpoint").String(), key, &http.Client{
		Timeout:       answerTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Name implements ports.LogWitness.
func (w *Witness) Name() string { return w.key.name }

// Probe returns nil if something answers at the witness's address. It sends no checkpoint.
func (w *Witness) Probe(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, w.endpoint, nil)
	if err != nil {
		return err
	}
	response, err := w.http.Do(request)
	if err != nil {
		return w.unavailable(err)
	}
	return response.Body.Close()
}

// Cosign implements ports.LogWitness.
func (w *Witness) Cosign(ctx context.Context, old int64, proof []merkle.Hash, checkpoint string) (ports.Cosigned, error) {
	body := fmt.Appendf(nil, "old %d\n", old)
	for _, h := range proof {
		body = append(base64.StdEncoding.AppendEncode(body, h[:]), '\n')
	}
	body = append(append(body, '\n'), checkpoint...)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.endpoint, bytes.NewReader(body))
	if err != nil {
		return ports.Cosigned{}, err
	}
	response, err := w.http.Do(request)
	if err != nil {
		return ports.Cosigned{}, w.unavailable(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, answerMax))
	if err != nil {
		return ports.Cosigned{}, w.unavailable(err)
	}
	return w.read(response, strings.TrimRight(string(answer), "\n"), checkpoint)
}

// read returns what a response says.
func (w *Witness) read(response *http.Response, answer, checkpoint string) (ports.Cosigned, error) {
	switch status := response.StatusCode; {
	case status == http.StatusOK:
		lines := answer + "\n"
		if _, err := note.Open([]byte(checkpoint+lines), note.VerifierList(w.key)); err != nil {
			return ports.Cosigned{}, fault.New(fault.External, "the witness %s answers without a valid cosignature", w.Name())
		}
		return ports.Cosigned{Signatures: lines}, nil
	case status == http.StatusConflict && response.Header.Get("Content-Type") == sizeType:
		last, err := strconv.ParseInt(answer, 10, 64)
		if err != nil || last < 0 {
			return ports.Cosigned{}, fault.New(fault.External, "the witness %s names no size", w.Name())
		}
		return ports.Cosigned{Last: &last}, nil
	case status >= 400 && status < 500 && status != http.StatusTooManyRequests:
		return ports.Cosigned{Refusal: fmt.Sprintf("%d %q", status, answer[:min(len(answer), 200)])}, nil
	default:
		return ports.Cosigned{}, w.unavailable(fmt.Errorf("status %d", status))
	}
}

func (w *Witness) unavailable(err error) error {
	return fmt.Errorf("%w: %w", fault.New(fault.Unavailable, "the witness %s does not answer", w.Name()), err)
}

// cosignatureKey verifies cosignatures of version 1 (C2SP tlog-cosignature).
type cosignatureKey struct {
	name   string
	hash   uint32
	public ed25519.PublicKey
}

var _ note.Verifier = cosignatureKey{}

// algorithm is the first byte of an Ed25519 key for cosignatures.
const algorithm = 4

// parseKey parses a verifier key: name, hash and base64 of the key, joined by plus signs.
func parseKey(text string) (k cosignatureKey, err error) {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 || parts[0] == "" || strings.ContainsAny(parts[0], " \t\n") {
		return k, errors.New("the witness's key must be of the form name+hash+key")
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 1+ed25519.PublicKeySize || key[0] != algorithm {
		return k, errors.New("the witness's key must be an Ed25519 key for cosignatures")
	}
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), key...))
	k = cosignatureKey{parts[0], binary.BigEndian.Uint32(sum[:]), key[1:]}
	if fmt.Sprintf("%08x", k.hash) != parts[1] {
		return k, errors.New("the hash in the witness's key is not that of its name and key")
	}
	return k, nil
}

// Name implements note.Verifier.
func (k cosignatureKey) Name() string { return k.name }

// KeyHash implements note.Verifier.
func (k cosignatureKey) KeyHash() uint32 { return k.hash }

// Verify implements note.Verifier. A cosignature is its time in seconds, in eight bytes, and
// the signature of the time and the text.
func (k cosignatureKey) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	signed := fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(signature), text)
	return ed25519.Verify(k.public, signed, signature[8:])
}
