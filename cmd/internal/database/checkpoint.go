package database

import (
	"encoding/base64"
	"fmt"
	"os"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/hashchain"
)

type CheckpointCommand struct {
	File string `arg:"" type:"path" help:"What GET /public/checkpoints answered, as it was kept."`
	Key  string `required:"" placeholder:"KID:KEY" help:"The key that you trust, as GET /public/checkpoints showed it when you began to."`
}

// Run verifies a kept checkpoint and prints its statement. It needs no service.
func (c CheckpointCommand) Run(s cli.Streams) error {
	key, err := cli.TrustedKey(c.Key)
	if err != nil {
		return cli.Usage(err)
	}
	stated, err := openCheckpoint(c.File, key)
	if err != nil {
		return err
	}
	slot := "unknown"
	if stated.Slot != nil {
		slot = fmt.Sprint(*stated.Slot)
	}
	fmt.Fprintf(s.Out, "signed by %s: ledger %s, epoch %d, at %s, slot %s\n", key.ID, stated.Ledger, stated.Epoch, stated.At.Format(time.RFC3339Nano), slot)
	return printHeads(s, stated.Heads)
}

// openCheckpoint returns the statement of a kept answer. The values beside the statement
// aren't signed, so they must be the same.
func openCheckpoint(path string, key checkpoint.Key) (checkpoint.Statement, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return checkpoint.Statement{}, err
	}
	var kept api.CheckpointsResponse
	if err := json.Unmarshal(raw, &kept); err != nil || kept.Signed == nil {
		return checkpoint.Statement{}, fmt.Errorf("%s is not a signed answer of GET /public/checkpoints", path)
	}
	signature, err := base64.StdEncoding.DecodeString(kept.Signed.Signature)
	if err != nil {
		return checkpoint.Statement{}, fmt.Errorf("%s: its signature is not base64", path)
	}
	signed := checkpoint.Signed{Text: kept.Signed.Statement, Key: kept.Signed.Kid, Signature: signature}
	stated, err := signed.Open(checkpoint.Public, key)
	if err == nil && !sameHeads(kept.Checkpoints, stated.Heads) {
		err = fmt.Errorf("%s: the heads beside the statement are not those that were signed", path)
	}
	return stated, err
}

func sameHeads(shown []api.Checkpoint, stated []hashchain.Head) bool {
	if len(shown) != len(stated) {
		return false
	}
	for i, head := range stated {
		if shown[i].Head != checkpoint.HeadText(head) {
			return false
		}
	}
	return true
}
