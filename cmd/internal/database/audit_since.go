package database

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"time"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/hashchain"
)

// auditPoints holds the checkpoint that an audit continues and the one that it writes. A
// checkpoint is a signed statement in the named file, with the digest of the audit's
// records in a file beside it.
type auditPoints struct {
	signer  sealer.StatementSigner
	ledger  string
	from    string
	earlier checkpoint.Statement

	to     string
	file   *os.File
	out    *bufio.Writer
	digest hash.Hash
}

const (
	rowsSuffix  = ".rows"
	unfinished  = ".unfinished"
	rowsFact    = "rows-sha256"
	recordMax   = 1 << 20
	writeAtOnce = 1 << 20
)

// signedFile is a checkpoint in its file.
type signedFile struct {
	Statement string `json:"statement"`
	Kid       string `json:"kid"`
	Signature string `json:"signature"`
}

// openAuditPoints opens the checkpoint to continue and reads the keys.
func (c AuditCommand) openAuditPoints(ctx context.Context, o *offline, kept []hashchain.Head) (*auditPoints, error) {
	if c.Since == "" && c.Checkpoint == "" {
		return &auditPoints{}, nil
	}
	signer, given, err := c.Signer()
	switch {
	case err != nil:
		return nil, cli.Usage(err)
	case !c.Given():
		signer, err = dev.StatementSigner(dev.Folder(c.DataDir), o.machine)
	case !given:
		err = cli.Usage(errors.New("CASINO_CHECKPOINT_KEYS is missing: --since and --checkpoint are signed with it"))
	}
	if err != nil {
		return nil, err
	}
	state, err := o.store.State(ctx)
	if err != nil {
		return nil, err
	}
	p := &auditPoints{signer: signer, ledger: state.Ledger, from: c.Since}
	if c.Since == "" {
		return p, nil
	}
	if p.earlier, err = openAudit(c.Since, signer.PublicKeys()); err != nil {
		return nil, err
	}
	if p.earlier.Ledger != p.ledger {
		return nil, fmt.Errorf("%s is of ledger %s, but this is ledger %s", c.Since, p.earlier.Ledger, p.ledger)
	}
	for _, head := range kept {
		for _, from := range p.earlier.Heads {
			if head.Lane == from.Lane && head.Seq <= from.Seq {
				return nil, cli.Usage(fmt.Errorf("--head %s lies before the checkpoint: only a whole audit compares it", checkpoint.HeadText(head)))
			}
		}
	}
	return p, nil
}

func openAudit(path string, keys []checkpoint.Key) (checkpoint.Statement, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return checkpoint.Statement{}, err
	}
	var kept signedFile
	if err := json.Unmarshal(raw, &kept); err != nil {
		return checkpoint.Statement{}, fmt.Errorf("%s is not a checkpoint of an audit", path)
	}
	signature, err := base64.StdEncoding.DecodeString(kept.Signature)
	if err != nil {
		return checkpoint.Statement{}, fmt.Errorf("%s: its signature is not base64", path)
	}
	stated, err := checkpoint.Signed{Text: kept.Statement, Key: kept.Kid, Signature: signature}.Open(checkpoint.Audit, keys...)
	if err != nil {
		return checkpoint.Statement{}, fmt.Errorf("%s: %w", path, err)
	}
	return stated, nil
}

// readRecords reads the records of the earlier audit, and then compares their digest. If
// that fails, the records must not be used.
func (p *auditPoints) readRecords(visit func(key, value []byte) error) error {
	path := p.from + rowsSuffix
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	digest := sha256.New()
	in := bufio.NewReaderSize(io.TeeReader(file, digest), writeAtOnce)
	text := func() ([]byte, error) {
		n, err := binary.ReadUvarint(in)
		if err == nil && n > recordMax {
			err = errors.New("a record is too long")
		}
		if err != nil {
			return nil, err
		}
		raw := make([]byte, n)
		_, err = io.ReadFull(in, raw)
		return raw, err
	}
	for {
		key, err := text()
		if errors.Is(err, io.EOF) {
			break
		}
		value, valueErr := text()
		if err = errors.Join(err, valueErr); err == nil {
			err = visit(key, value)
		}
		if err != nil {
			return fmt.Errorf("%s can't be read: %w", path, err)
		}
	}
	if want, stated := p.earlier.Fact(rowsFact); !stated || hex.EncodeToString(digest.Sum(nil)) != want {
		return fmt.Errorf("%s does not match its signed digest", path)
	}
	return nil
}

// createFile creates the file for this audit's records.
func (p *auditPoints) createFile(path string) (err error) {
	p.to, p.digest = path, sha256.New()
	p.file, err = os.OpenFile(path+rowsSuffix+unfinished, cli.NewOwnerOnly, cli.OwnerOnly)
	if err == nil {
		p.out = bufio.NewWriterSize(io.MultiWriter(p.file, p.digest), writeAtOnce)
	}
	return err
}

func (p *auditPoints) putRecord(key, value []byte) error {
	for _, part := range [...][]byte{key, value} {
		if _, err := p.out.Write(binary.AppendUvarint(nil, uint64(len(part)))); err != nil {
			return err
		}
		if _, err := p.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// signAndPublish signs the records of a clean audit, and moves both files to their final
// names.
func (p *auditPoints) signAndPublish(report audit.AuditReport, at time.Time) error {
	if err := errors.Join(p.out.Flush(), p.file.Sync(), p.file.Close()); err != nil {
		return err
	}
	signed, err := p.signer.Sign(checkpoint.Statement{
		Purpose: checkpoint.Audit, Ledger: p.ledger, Epoch: report.Epoch, At: at, Heads: report.Heads,
		Facts: []checkpoint.Fact{{Name: rowsFact, Value: hex.EncodeToString(p.digest.Sum(nil))}},
	})
	if err != nil {
		return err
	}
	raw, err := json.MarshalIndent(signedFile{signed.Text, signed.Key, base64.StdEncoding.EncodeToString(signed.Signature)}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.to+unfinished, append(raw, '\n'), cli.OwnerOnly); err != nil {
		return err
	}
	// The earlier files stay valid until both are replaced: an audit that reads one old and
	// one new file reports a mismatch.
	return errors.Join(os.Rename(p.to+rowsSuffix+unfinished, p.to+rowsSuffix), os.Rename(p.to+unfinished, p.to))
}

// discardFile removes an unfinished file.
func (p *auditPoints) discardFile() {
	_ = p.file.Close()
	_ = os.Remove(p.to + rowsSuffix + unfinished)
	_ = os.Remove(p.to + unfinished)
}
